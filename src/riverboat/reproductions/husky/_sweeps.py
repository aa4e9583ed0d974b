"""The engine's speed on one core, and the threshold sweeps by husky's own protocol and by chips.

Every point of a sweep is a match. The best point is partly chosen by luck, so it and the authors'
optimum are played again with another random seed.
"""

import itertools
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from riverboat.arena import Match, MatchSettings, parse_grid, play_match
from riverboat.bots import BotRef
from riverboat.cards import evaluate, evaluate_batch, evaluate_few, evaluate_few_batch
from riverboat.game import Hand, catalogue, simulate
from riverboat.protocols.pypokerengine import Rules, play_games
from riverboat.reproductions._run import Found, ReproductionRun
from riverboat.reproductions._work import HUSKY_ROUNDS, do_jobs, husky_game, play_all
from riverboat.reproductions.husky._recipe import DATA, Played, SweepPlan
from riverboat.statistics import Estimate

_FRESH = 1_000_003  # added to the seed for repeated matches
_REPETITIONS = 4_000
_WAYS = {"games": "games", "hands": "chips"}  # unit of play, and its score
#: Number of hands, too many for caches and branch prediction.
_HANDS = 200_000
_EVALUATION_ROUND = 0.01
_PLAY_ROUND = 0.1  # seconds
_LEAST_ROUNDS = 3
_FULL = 5  # cards of a whole hand; smaller hands have separate tables

#: Function of the call's number, which changes the cards; returns the number of hands.
Work = Callable[[int], int]


def measure_speeds(run: ReproductionRun) -> Found:
    """Measure all figures of speed."""
    seconds, counts = DATA.amounts(run).speed_seconds, DATA.amounts(run).speed_seats
    hands = random_hands(run.seed)
    one, batch = {}, {}
    for cards in range(2, 8):
        run.tell(0.02 * cards, f"evaluates hands of {cards} cards")
        some = np.ascontiguousarray(hands[:, :cards])
        one[cards] = measure_rate(partial(_one_by_one, some.tolist()), seconds, _EVALUATION_ROUND)
        batch[cards] = measure_rate(partial(_batch, some), seconds, _EVALUATION_ROUND)
    tables = {}
    for part, seats in run.part(0.2, 1.0).parts(counts):
        part.tell(0.0, f"plays with {seats} seats")
        tables[seats] = _table(seats, seconds)
    return Found(one_by_one=one, batch=batch, tables=tables, deals=len(hands))


def random_hands(seed: int) -> NDArray[np.uint8]:
    """Deal the hands to evaluate.

    Returns
    -------
    [n, 7] uint8
        Cards 0..51; the cards of a row differ.
    """
    decks = np.tile(np.arange(52, dtype=np.uint8), (_HANDS, 1))
    return np.random.default_rng(seed).permuted(decks, axis=1)[:, :7]


def measure_rate(
    work: Work,
    seconds: float,
    round_seconds: float,
    clock: Callable[[], float] = time.process_time,
) -> Found:
    """Measure as many rounds as fit, at least three, and return their median.

    Parameters
    ----------
    work
        Function of the call's number that returns the amount of work. The first call does not
        count.
    seconds
        Time for all rounds.
    round_seconds
        Time of a round, which calls `work` repeatedly.
    clock
        Clock in seconds; by default CPU time, because the machine may be busy.
    """
    work(0)
    call, rates, end = 1, list[float](), clock() + seconds
    while len(rates) < _LEAST_ROUNDS or clock() < end:
        done, start = 0, clock()
        while (spent := clock() - start) < round_seconds:
            done += work(call)
            call += 1
        rates.append(done / spent)
    return Found(
        median=statistics.median(rates), slowest=min(rates), fastest=max(rates), rounds=len(rates)
    )


def _one_by_one(hands: list[list[int]], call: int) -> int:
    del call
    rank = evaluate if len(hands[0]) >= _FULL else evaluate_few
    for hand in hands:
        rank(hand)
    return len(hands)


def _batch(hands: NDArray[np.uint8], call: int) -> int:
    del call
    rank = evaluate_batch if hands.shape[1] >= _FULL else evaluate_few_batch
    return len(rank(hands))


def _table(seats: int, seconds: float) -> Found:
    """Measure hands per second of call bots at a table."""
    works = {"bots": _play_bots, "rules": _play_rules, "random": _play_random}
    return Found(
        {
            name: measure_rate(partial(work, seats), seconds, _PLAY_ROUND)
            for name, work in works.items()
        }
    )


def _play_bots(seats: int, call: int) -> int:
    return play_match(["fish"] * seats, hands=200 * seats, seed=call).hands


def _play_rules(seats: int, call: int) -> int:
    spec = catalogue("nolimit-100bb", seats)
    for deal in range(500):
        hand = Hand(spec, seed=500 * call + deal)
        while not hand.finished:
            hand.check_or_call()
        hand.payoffs()
    return 500


def _play_random(seats: int, call: int) -> int:
    return simulate(catalogue("nolimit-100bb", seats), 10_000, seed=call).hands


@dataclass(frozen=True, slots=True)
class _Batch:
    """Points of one bot against the same opponents."""

    bots: Sequence[str]
    """The bot with the parameters, and its opponents."""
    points: Sequence[dict[str, float]]
    amounts: Played

    def matches(self, how: str, seed: int) -> list[MatchSettings]:
        """Return the match of each point with a number of games or hands."""
        bot = BotRef.parse(self.bots[0])
        texts = [bot.with_settings(point).text for point in self.points]
        game, amount = husky_game(len(self.bots)), {how: getattr(self.amounts, how)}
        return [
            MatchSettings((text, *self.bots[1:]), game, rounds=HUSKY_ROUNDS, seed=seed, **amount)
            for text in texts
        ]


def play_sweeps(run: ReproductionRun) -> Found:
    """Play all grids: `games`, the share won, and `chips` per hand with reset stacks.

    Sweeps of one threshold also have a `spread`: the range of the best point if the authors' sweep
    was repeated.
    """
    amounts = DATA.amounts(run).sweeps
    plans = [(plan, amounts[plan.key]) for plan in DATA.sweeps]
    batches = [_Batch((a.bot, a.against), grid_points(own.grids), own) for a, own in plans]
    games = int(DATA.published["games_a_point"].value)
    found = Found(zip((plan.key for plan, _ in plans), _play(run, batches), strict=True))
    for plan, _ in plans:
        if len(plan.optimum) == 1:
            swept = found[plan.key]
            swept["spread"] = spread_of_optimum(swept.games, games, run.seed)
    return found


def play_again(run: ReproductionRun) -> Found:
    """Play again with another random seed: the authors' best point and ours by games and chips.

    `claim` is Fish against Honest with a threshold of one half.
    """
    amounts, sweeps = DATA.amounts(run), run.found.sweeps
    batches = []
    for plan in DATA.sweeps:
        swept = sweeps[plan.key]
        points = [plan.optimum, *(best_point(swept[how]).parameters for how in _WAYS.values())]
        batches.append(_Batch((plan.bot, plan.against), points, amounts.again))
    batches.append(_Batch(DATA.claim, [{}], amounts.claim))
    *again, claim = _play(run, batches, _FRESH)
    return Found(sweeps=dict(zip(sweeps, again, strict=True)), claim=claim)


def golden_section(score: Callable[[float], float], low: float, high: float, steps: int) -> float:
    """Return the best of `steps` points by golden-section search.

    It finds the maximum of a function with a single peak. All points must be scored on the same
    cards, so that luck does not decide between neighbours.

    Examples
    --------
    >>> round(golden_section(lambda x: -(x - 0.6) ** 2, 0.0, 1.0, 12), 2)
    0.6
    """
    share = (5**0.5 - 1) / 2
    left, right = high - share * (high - low), low + share * (high - low)
    at_left, at_right = score(left), score(right)
    for _ in range(steps - 2):
        if at_left > at_right:
            high, right, at_right = right, left, at_left
            left = high - share * (high - low)
            at_left = score(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + share * (high - low)
            at_right = score(right)
    return left if at_left > at_right else right


def optimise(run: ReproductionRun) -> Found:
    """Search thresholds by golden section, and play the best beside the best point of the grid.

    `again` are matches of both best points on other cards.
    """
    wanted = DATA.amounts(run).optimiser.sweeps
    plans = [plan for plan in DATA.sweeps if plan.key in wanted]
    return Found({plan.key: _optimise(part, plan) for part, plan in run.parts(plans)})


def _optimise(run: ReproductionRun, plan: SweepPlan) -> Found:
    amounts, points = DATA.amounts(run).optimiser, list[Found]()
    ((name, _),) = plan.optimum.items()

    def played(point: dict[str, float], seed: int) -> Found:
        batch = _Batch((plan.bot, plan.against), [point], Played(games=0, hands=amounts.hands))
        (match,) = play_all(run.part(0, 0), batch.matches("hands", seed))
        return _scored(point, _score(match))

    def score(value: float) -> float:
        points.append(played({name: round(value, 4)}, run.seed))
        run.tell(len(points) / amounts.steps, plan.title)
        return float(points[-1].score.mean)

    best = {name: round(golden_section(score, 0.0, 1.0, amounts.steps), 4)}
    grid = best_point(run.found.sweeps[plan.key].chips).parameters
    again = [played(each, run.seed + _FRESH) for each in (best, grid)]
    return Found(chips=points, again=Found(chips=again))


def play_raises(run: ReproductionRun) -> Found:
    """Sweep the threshold of the first plan with each raise size."""
    plan, amounts = DATA.sweeps[0], DATA.amounts(run).sizes
    grid = grid_points(amounts.grids)
    batches = [_Batch((f"{plan.bot}:size={s}", plan.against), grid, amounts) for s in DATA.raises]
    return Found(zip(DATA.raises, _play(run, batches), strict=True))


def sweep_in_engine(run: ReproductionRun) -> Found:
    """Play the points of all grids by the engine's own games, one job per point."""
    found, wanted = {}, DATA.amounts(run).engine
    plans = [plan for plan in DATA.sweeps if plan.key in wanted]
    for part, plan in run.parts(plans):
        points, games = grid_points(wanted[plan.key].grids), wanted[plan.key].games
        bot = BotRef.parse(plan.bot)
        jobs = [(bot.with_settings(point).text, plan.against) for point in points]
        work = partial(_engine_score, games, run.seed)
        scores = do_jobs(part, work, jobs, f"{plan.title} inside PyPokerEngine")
        found[plan.key] = list(map(_scored, points, scores))
    return Found(missing="", games=found)


def _engine_score(games: int, seed: int, bots: tuple[str, str]) -> Estimate:
    spec = husky_game()
    rules = Rules(spec.stacks[0], spec.small_blind)
    return play_games(bots, games, HUSKY_ROUNDS, rules, seed)


def play_several(run: ReproductionRun) -> Found:
    """Play Angry Fish against several Fish, by number of Fish."""
    (bot, rival), amounts = DATA.several, DATA.amounts(run).several
    grid = grid_points({"high": amounts.grid})
    batches = [_Batch((bot, *[rival] * count), grid, amounts) for count in amounts.counts]
    return Found(zip(amounts.counts, _play(run, batches), strict=True))


def grid_points(grids: Mapping[str, str]) -> list[dict[str, float]]:
    """Return the points of a grid, without points whose `low` is above `high`.

    Parameters
    ----------
    grids
        Values of each parameter, as `first:last:step` or `a,b,c`.

    Examples
    --------
    >>> grid_points({"low": "0.2,0.8", "high": "0.5,1"})
    [{'low': 0.2, 'high': 0.5}, {'low': 0.2, 'high': 1.0}, {'low': 0.8, 'high': 1.0}]
    """
    values = [parse_grid(f"{name}={text}")[1] for name, text in grids.items()]
    points = [dict(zip(grids, each, strict=True)) for each in itertools.product(*values)]
    return [point for point in points if point.get("low", 0.0) <= point.get("high", 1.0)]


def _play(run: ReproductionRun, batches: Sequence[_Batch], fresh: int = 0) -> list[Found]:
    """Play all points of all batches, by games and by hands, in the same processes."""
    ways = [[batch.matches(how, run.seed + fresh) for how in _WAYS] for batch in batches]
    # Equal points, such as the authors' best and ours, are played once.
    settings = list(dict.fromkeys(each for way in itertools.chain(*ways) for each in way))
    scores = dict(zip(settings, map(_score, play_all(run, settings)), strict=True))

    def scored(batch: _Batch, matches: Sequence[MatchSettings]) -> list[Found]:
        pairs = zip(batch.points, matches, strict=True)
        return [_scored(point, scores[match]) for point, match in pairs]

    return [
        Found({name: scored(batch, way) for name, way in zip(_WAYS.values(), both, strict=True)})
        for batch, both in zip(batches, ways, strict=True)
    ]


def _scored(parameters: Mapping[str, float], score: Estimate) -> Found:
    """Return a point of a sweep and its score: a share of games, or chips per hand."""
    return Found(parameters=dict(parameters), score=score)


def best_point(points: Sequence[Found]) -> Found:
    """Return the point with the greatest score, the first of equals."""
    return max(points, key=lambda point: float(point.score.mean))


def _score(match: Match) -> Estimate:
    result = match.result()
    return result.games_won(0) if match.settings.carried else result.best_estimate(0)


def spread_of_optimum(swept: Sequence[Found], games: int, seed: int) -> tuple[float, float]:
    """Return the range of the best point of a sweep in 95 of 100 repetitions.

    Each repetition plays `games` independent games at every point, with the measured probability
    to win, and records the parameter of its best point. A wide range means that the optimum is
    mostly luck.

    Examples
    --------
    >>> lost, won = Estimate.exact(0.2), Estimate.exact(0.9)
    >>> points = [Found(parameters={"high": 0.1}, score=lost)]
    >>> points += [Found(parameters={"high": 0.6}, score=won)]
    >>> spread_of_optimum(points, 500, seed=1)
    (0.6, 0.6)
    """
    random = np.random.default_rng(seed)
    chances = np.clip([point.score.mean for point in swept], 0.0, 1.0)
    won = random.binomial(games, chances, size=(_REPETITIONS, len(chances)))
    # Small random noise breaks ties between equal points.
    winners = np.argmax(won + random.random(won.shape) / 2, axis=1)
    values = np.array([next(iter(point.parameters.values())) for point in swept])[winners]
    low, high = np.quantile(values, [0.025, 0.975], method="nearest")
    return float(low), float(high)
