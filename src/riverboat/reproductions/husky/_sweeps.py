"""The threshold sweeps: by husky's own protocol, and by chips a hand.

Every point is a match. The best one is chosen by its luck too, so it is played again with another
seed, beside the authors' optimum.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from riverboat.arena import Match, MatchSettings, parse_grid
from riverboat.bots import BotRef
from riverboat.errors import ArenaError
from riverboat.protocols.pypokerengine import Rules, need_engine, play_games
from riverboat.reproductions._freeze_outs import HUSKY_ROUNDS, husky_game
from riverboat.reproductions._run import ReproductionRun
from riverboat.reproductions._work import do_jobs, play_all
from riverboat.reproductions.husky._recipe import DATA, Played
from riverboat.reproductions.husky._results import Again, EngineSweeps, Pair, Points, Scored
from riverboat.statistics import Estimate

_FRESH = 1_000_003  # added to the seed where points are played again
_REPETITIONS = 4_000
_WAYS = ("games", "hands")


@dataclass(frozen=True, slots=True)
class _Batch:
    """Points of one bot against the same opponents."""

    bots: Sequence[str]
    """The bot that gets the parameters, and its opponents."""
    points: Sequence[dict[str, float]]
    amounts: Played

    def matches(self, how: str, seed: int) -> list[MatchSettings]:
        """Return the match of each point, so many games or hands."""
        bot = BotRef.parse(self.bots[0])
        texts = [bot.with_settings(point).text for point in self.points]
        game, amount = husky_game(len(self.bots)), {how: getattr(self.amounts, how)}
        return [
            MatchSettings((text, *self.bots[1:]), game, rounds=HUSKY_ROUNDS, seed=seed, **amount)
            for text in texts
        ]


def play_sweeps(run: ReproductionRun) -> dict[str, Pair]:
    """Play all grids."""
    amounts = DATA.amounts(run).sweeps
    plans = [(plan, amounts[plan.key]) for plan in DATA.sweeps]
    batches = [_Batch((a.bot, a.against), grid_points(own.grids), own) for a, own in plans]
    return dict(zip((plan.key for plan, _ in plans), _play(run, batches), strict=True))


def play_again(run: ReproductionRun, sweeps: Mapping[str, Pair]) -> Again:
    """Play the best points, and the claim of the document, with another seed."""
    amounts = DATA.amounts(run)
    batches = []
    for plan in DATA.sweeps:
        swept = sweeps[plan.key]
        points = [plan.optimum, swept.games.best.parameters, swept.chips.best.parameters]
        batches.append(_Batch((plan.bot, plan.against), points, amounts.again))
    batches.append(_Batch(DATA.claim, [{}], amounts.claim))
    *again, claim = _play(run, batches, _FRESH)
    return Again(dict(zip(sweeps, again, strict=True)), claim)


def play_raises(run: ReproductionRun) -> dict[str, Pair]:
    """Sweep the threshold of the first plan with each size of raises."""
    plan, amounts = DATA.sweeps[0], DATA.amounts(run).sizes
    grid = grid_points(amounts.grids)
    batches = [_Batch((f"{plan.bot}:size={s}", plan.against), grid, amounts) for s in DATA.raises]
    return dict(zip(DATA.raises, _play(run, batches), strict=True))


def sweep_in_engine(run: ReproductionRun) -> EngineSweeps:
    """Do the step of sweeps inside PyPokerEngine, or say why not; that is not kept."""
    try:
        need_engine()
    except ArenaError as error:
        return EngineSweeps(str(error))
    return run.step("engine", _play_in_engine, run)


def _play_in_engine(run: ReproductionRun) -> EngineSweeps:
    """Play the points of all grids by the engine's own games, a job each."""
    found, wanted = {}, DATA.amounts(run).engine
    plans = [plan for plan in DATA.sweeps if plan.key in wanted]
    for part, plan in run.parts(plans):
        points, games = grid_points(wanted[plan.key].grids), wanted[plan.key].games
        bot = BotRef.parse(plan.bot)
        jobs = [(bot.with_settings(point).text, plan.against) for point in points]
        work = partial(_engine_score, games, run.seed)
        scores = do_jobs(part, work, jobs, f"{plan.title} inside PyPokerEngine")
        found[plan.key] = Points(tuple(map(Scored, points, scores)))
    return EngineSweeps("", found)


def _engine_score(games: int, seed: int, bots: tuple[str, str]) -> Estimate:
    spec = husky_game()
    rules = Rules(spec.stacks[0], spec.small_blind)
    return play_games(bots, games, HUSKY_ROUNDS, rules, seed)


def play_several(run: ReproductionRun) -> dict[int, Pair]:
    """Play Angry Fish against several Fish, by their number."""
    (bot, rival), amounts = DATA.several, DATA.amounts(run).several
    grid = grid_points({"high": amounts.grid})
    batches = [_Batch((bot, *[rival] * count), grid, amounts) for count in amounts.counts]
    return dict(zip(amounts.counts, _play(run, batches), strict=True))


def grid_points(grids: Mapping[str, str]) -> list[dict[str, float]]:
    """Return the points of a grid; those with `low` above `high` make no sense and are left out.

    Parameters
    ----------
    grids
        Of each parameter, `first:last:step` or `a,b,c`.

    Examples
    --------
    >>> grid_points({"low": "0.2,0.8", "high": "0.5,1"})
    [{'low': 0.2, 'high': 0.5}, {'low': 0.2, 'high': 1.0}, {'low': 0.8, 'high': 1.0}]
    """
    values = [parse_grid(f"{name}={text}")[1] for name, text in grids.items()]
    points = [dict(zip(grids, each, strict=True)) for each in itertools.product(*values)]
    return [point for point in points if point.get("low", 0.0) <= point.get("high", 1.0)]


def _play(run: ReproductionRun, batches: Sequence[_Batch], fresh: int = 0) -> list[Pair]:
    """Play all points of all batches, by games and by hands, on the same processes."""
    ways = [[batch.matches(how, run.seed + fresh) for how in _WAYS] for batch in batches]
    # Points that are equal, such as the authors' best and ours, are played once.
    settings = list(dict.fromkeys(each for way in itertools.chain(*ways) for each in way))
    scores = dict(zip(settings, map(_score, play_all(run, settings)), strict=True))

    def scored(batch: _Batch, matches: Sequence[MatchSettings]) -> Points:
        pairs = zip(batch.points, matches, strict=True)
        return Points(tuple(Scored(point, scores[match]) for point, match in pairs))

    return [
        Pair(*(scored(batch, matches) for matches in way))
        for batch, way in zip(batches, ways, strict=True)
    ]


def _score(match: Match) -> Estimate:
    result = match.result()
    return result.games_won(0) if match.settings.carried else result.best_estimate(0)


def spread_of_optimum(swept: Points, games: int, seed: int) -> tuple[float, float]:
    """Return where the best point of such a sweep comes to lie, in 95 of 100 repetitions.

    Each repetition plays `games` independent games at every point, won with the probabilities
    that were measured, and keeps the one parameter of its best point. So it tells how much of an
    optimum is luck.

    Examples
    --------
    >>> lost, won = Estimate.exact(0.2), Estimate.exact(0.9)
    >>> swept = Points((Scored({"high": 0.1}, lost), Scored({"high": 0.6}, won)))
    >>> spread_of_optimum(swept, 500, seed=1)
    (0.6, 0.6)
    """
    random = np.random.default_rng(seed)
    chances = np.clip([point.score.mean for point in swept.points], 0.0, 1.0)
    won = random.binomial(games, chances, size=(_REPETITIONS, len(chances)))
    # Of equal points any may be named: a little noise draws one.
    winners = np.argmax(won + random.random(won.shape) / 2, axis=1)
    values = np.array([next(iter(point.parameters.values())) for point in swept.points])[winners]
    low, high = np.quantile(values, [0.025, 0.975], method="nearest")
    return float(low), float(high)
