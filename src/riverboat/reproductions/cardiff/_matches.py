"""Matches by the rules of poker, and inside PyPokerEngine with its rules and evaluator."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from itertools import combinations, product
from typing import Any

import numpy as np

from riverboat.arena import MatchResult, TournamentResult
from riverboat.blueprint import Blueprint, compare
from riverboat.cards import evaluate, evaluate_batch
from riverboat.protocols.pypokerengine import StockRandom, engine_game, play_pypokerengine
from riverboat.reproductions._run import Found, ReproductionRun
from riverboat.reproductions._work import (
    by_first,
    do_jobs,
    play_named,
    play_round_robin,
    train_recipe,
)
from riverboat.reproductions.cardiff._recipe import DATA, FILES, pair_name, toy_game, toy_recipe
from riverboat.statistics import Estimate, ratio_estimate
from riverboat.training import Plan, Recipe
from riverboat.tree import SHOWDOWN, Tree

_Pairs = dict[tuple[str, str], tuple[str, str]]

_SESSIONS = 40
_PART_HANDS = 500  # hands per job inside the engine
_EVALUATED = 2_000
_STOCK_RANDOM = "stock-random"
_CHIPS = (1000, 5, 0)  # stack, small blind and ante
_OTHER_CARDS = 7_000_000  # added to the run's seed: the default bot gets other cards


def _small_blinds(result: MatchResult, bot: int = 0) -> Estimate:
    """Return the winnings of a bot in a match, small blinds per hand."""
    return result.best_estimate(bot).scaled(1 / result.settings.spec.small_blind)


def play_from_csv(run: ReproductionRun) -> Found:
    """Play CFRv2 from the cleaned strategy file and from its CSV file, and compare the files."""
    paths = [run.path(name) for name in FILES[1:]]
    file, csv = (f"cfrv2:{path}" for path in paths)
    names = product(DATA.csv_opponents, (file, csv))
    pairs = {(title, bot): (bot, DATA.bots[title].bot) for title, bot in names}
    pairs["", csv] = (csv, file)
    played = play_named(run.part(0.0, 0.9), pairs, hands=DATA.amounts(run).csv_hands)
    run.tell(0.9, "compares the files")
    rows, _ = compare(Blueprint.open(paths[0]), Blueprint.open(paths[1]))
    found = {name: _compared(played[name, file], played[name, csv]) for name in DATA.csv_opponents}
    return Found(
        hands=played["", csv].hands,
        matches=found,
        against_itself=_small_blinds(played["", csv]),
        rows=rows.both,
        only_one=rows.only_first + rows.only_second,
        largest_difference=rows.largest_distance,
    )


def _compared(file: MatchResult, csv: MatchResult) -> Found:
    """Compare two matches on the same deals."""
    chips = csv.unit_corrected[:, 0] - file.unit_corrected[:, 0]
    difference = ratio_estimate(chips, csv.unit_hands)
    blind = csv.settings.spec.small_blind
    return Found(
        from_file=_small_blinds(file),
        from_csv=_small_blinds(csv),
        difference=difference.scaled(1 / blind),
    )


def play_table(run: ReproductionRun) -> Found:
    """Play every pair of the seven bots."""
    bots = list(_seven(run).values())
    return _summed_up(play_round_robin(run, bots, hands=DATA.amounts(run).table_hands))


def _seven(run: ReproductionRun) -> dict[str, str]:
    """Return the seven bots by title."""
    file = run.path(FILES[1])
    return {title: seat.bot.format(file=file) for title, seat in DATA.bots.items()}


def _summed_up(result: TournamentResult) -> Found:
    titles = list(DATA.bots)
    matches = {(titles[a], titles[b]): match for (a, b), match in result.results.items()}
    hands = max(match.hands for match in matches.values())
    speeds = [match.hands_per_second for match in matches.values() if match.hands_per_second]
    won: dict[str, dict[str, Estimate]] = {title: {} for title in titles}
    for (row, column), match in matches.items():
        won[row][column], won[column][row] = _small_blinds(match), _small_blinds(match, 1)
    seconds = sum(hands / speed for speed in speeds) / max(1, len(speeds))
    pace = matches["CFRv1", "CFRv2"].hands_per_second or 0.0
    failures = sum(sum(match.errors(bot).values()) for match in matches.values() for bot in (0, 1))
    deviations = {bot: _deviation(matches["Rule-based", bot]) for bot in ("CFRv1", "CFRv2")}
    times = {title: _times(matches, title) for title in titles}
    seats = {pair_name(*pair): _by_seat(matches[pair[::-1]]) for pair in DATA.reversed}
    return Found(
        hands=hands,
        won=won,
        times=times,
        pair_seconds=seconds,
        cfr_pair_hands_per_second=pace,
        failures=failures,
        deviations=deviations,
        seats=seats,
    )


def _by_seat(match: MatchResult) -> tuple[Estimate, Estimate]:
    """Return the second bot's winnings in the small and in the big blind, small blinds per hand."""
    small, big = match.by_seat(1)
    unit = 1 / match.settings.spec.small_blind
    return small.per_hand.scaled(unit), big.per_hand.scaled(unit)


def _times(matches: Mapping[tuple[str, str], MatchResult], title: str) -> Found:
    tallies = [match.times(pair.index(title)) for pair, match in matches.items() if title in pair]
    whole = sum(tallies[1:], tallies[0])
    return Found(
        decisions=whole.decisions,
        mean=whole.mean,
        percentile_99=whole.percentile(0.99),
        longest=whole.longest,
    )


def _deviation(match: MatchResult) -> float:
    """Return the standard deviation of the second bot's single hands, small blinds.

    The author's matches did not use duplicate deals, so this is the figure to compare.
    """
    tallies = np.sum([session.seats[1] for session in match.sessions], axis=(0, 1))
    hands, chips, squares = tallies.tolist()
    variance = max(0.0, squares / hands - (chips / hands) ** 2)
    return float(variance**0.5) / match.settings.spec.small_blind


def play_champion(run: ReproductionRun) -> Found:
    """Play the default bot against each of the seven (aim 2)."""
    pairs = {title: ("blueprint", bot) for title, bot in _seven(run).items()}
    played = play_named(
        run, pairs, hands=DATA.amounts(run).champion_hands, seed=run.seed + _OTHER_CARDS
    )
    hands = max(result.hands for result in played.values())
    won = {title: _small_blinds(result) for title, result in played.items()}
    return Found(hands=hands, won=won)


def play_simulations(run: ReproductionRun) -> Found:
    """Play the improved simulation against the seven, on its own and as CFR's fallback."""
    file, hands = run.path(FILES[1]), DATA.amounts(run).simulation_hands
    bots = {name: text.format(file=file) for name, text in DATA.simulations.items()}
    seven = _seven(run)
    pairs = {(name, title): (bots[name], seven[title]) for name, title in product(bots, seven)}
    # The bot learns during a session, so the intervals are computed over sessions.
    played = play_named(run, pairs, hands=hands, session=max(2, hands // _SESSIONS))
    won = by_first({names: _small_blinds(result) for names, result in played.items()})
    return Found(hands=max(result.hands for result in played.values()), won=won)


def explain_reversed(run: ReproductionRun) -> Found:
    """Change one condition at a time for the pairs with another winner than in table 2."""
    file = train_for_engine(run.part(0.0, 0.3)).blueprint
    game, words = {"game": engine_game(2, *_CHIPS)}, DATA.changed
    tries: list[tuple[str, _Pairs, dict[str, Any]]] = [
        (words.order, _reversed(run, file, {}), game),
        (words.samples, _reversed(run, FILES[1], DATA.fewer_samples), {}),
    ]
    found: dict[tuple[str, str], Estimate] = {}
    for part, (what, pairs, more) in run.part(0.3, 1.0).parts(tries):
        played = play_named(part, pairs, hands=DATA.amounts(run).reversed_hands, **more)
        found |= {(pair_name(*pair), what): _small_blinds(each) for pair, each in played.items()}
    return Found(won=by_first(found))


def _reversed(run: ReproductionRun, file: str, instead: Mapping[str, str]) -> _Pairs:
    """Return the reversed pairs with a strategy file; only those with a replaced bot, if any."""
    bots = {title: seat.bot for title, seat in DATA.bots.items()} | dict(instead)
    texts = {title: bot.format(file=run.path(file)) for title, bot in bots.items()}
    return {
        (one, other): (texts[one], texts[other])
        for one, other in DATA.reversed
        if not instead or not {one, other}.isdisjoint(instead)
    }


def try_ideas(run: ReproductionRun) -> Found:
    """Train every variant for the same time, and play it against `base` and other bots."""
    wanted = DATA.amounts(run)
    trained = {
        name: train_recipe(part, idea_recipe(run, name), f"variant-{name}")
        for part, name in run.part(0.0, 0.6).parts(wanted.variants)
    }
    bots = {name: f"blueprint:{run.path(each.blueprint)}" for name, each in trained.items()}
    others = {"base": bots["base"]}
    others |= {title: DATA.bots[title].bot for title in DATA.variant_opponents}
    names = [pair for pair in product(bots, others) if pair[0] != pair[1]]
    pairs = {(name, other): (bots[name], others[other]) for name, other in names}
    played = play_named(run.part(0.6, 1.0), pairs, hands=wanted.variant_hands)
    return Found({name: _idea(run, name, each, played) for name, each in trained.items()})


def idea_recipe(run: ReproductionRun, name: str) -> Recipe:
    """Return the training recipe of an idea."""
    variant, wanted = DATA.variants[name], DATA.amounts(run)
    changes = {
        "name": name,
        "menu": variant.menu or wanted.menu,
        "cards": wanted.variant_cards or variant.cards,
        "scheme": variant.scheme,
        "budget": {"seconds": wanted.variant_seconds},
        "bound.every": 0,
    }
    return toy_recipe(run, changes, toy_game(variant.streets, limit=not variant.menu))


def _idea(
    run: ReproductionRun,
    name: str,
    trained: Found,
    played: Mapping[tuple[str, str], MatchResult],
) -> Found:
    recipe = idea_recipe(run, name)
    sizes = Plan.of(recipe).sizes
    own = {other: result for (who, other), result in played.items() if who == name}
    hands = max(result.hands for result in own.values())
    won = {other: _small_blinds(result) for other, result in own.items()}
    return Found(
        menu=recipe.menu,
        cards=recipe.cards,
        buckets=sizes.cards or (),
        trained=trained,
        table_bytes=sizes.table_bytes,
        hands=hands,
        won=won,
    )


def train_for_engine(run: ReproductionRun) -> Found:
    """Train a strategy for the engine's order of acting, or reuse the one in the folder."""
    name = "cardiff-engine"
    iterations = DATA.amounts(run).engine_iterations
    changes = {"name": name, "budget.iterations": iterations, "bound.every": 0}
    return train_recipe(run, toy_recipe(run, changes, toy_game(2, small_blind_first=True)), name)


def play_in_engine(run: ReproductionRun) -> Found:
    """Play every pair inside PyPokerEngine; a stopped run resumes with its current pair."""
    trained = train_for_engine(run.part(0.0, 0.1))
    file = run.path(trained.blueprint)
    bots = {title: (seat.engine or seat.bot).format(file=file) for title, seat in DATA.bots.items()}
    pairs, played = list(combinations(bots, 2)), list[Found]()
    for part, (row, column) in run.part(0.1, 1.0).parts(pairs):
        first, pair = run.seed + len(played), (bots[row], bots[column])
        play = partial(_play_pair, part, pair, first, len(pairs))
        played.append(run.kept(f"engine.{len(played)}.done", play))
    seconds = sum(each.seconds for each in played)
    return Found(
        missing="",
        hands=played[0].hands,
        iterations=trained.iterations,
        won=by_first({pair: each.won for pair, each in zip(pairs, played, strict=True)}),
        hands_per_second=sum(each.hands for each in played) / max(seconds, 1e-9),
        evaluators=_time_evaluators(),
    )


def _play_pair(run: ReproductionRun, bots: tuple[str, str], first: int, step: int) -> Found:
    """Play the hands of a pair in parts with seeds `first`, `first + step`, and so on."""
    wanted = DATA.amounts(run).engine_hands
    seeds = [first + step * part for part in range(-(-wanted // _PART_HANDS))]
    play = partial(_play_part, bots, min(wanted, _PART_HANDS))
    parts = do_jobs(run, play, seeds, "plays inside PyPokerEngine")
    won, hands = (np.concatenate(each) for each in list(zip(*parts, strict=True))[:2])
    seconds = sum(spent for _, _, spent in parts)
    return Found(won=ratio_estimate(won, hands), hands=int(hands.sum()), seconds=seconds)


def _play_part(
    names: tuple[str, str], hands: int, seed: int
) -> tuple[list[float], list[int], float]:
    """Return the first bot's winnings and the hands of each unit, and seconds; small blinds."""
    bots = [StockRandom if name == _STOCK_RANDOM else name for name in names]
    result = play_pypokerengine(bots, hands, seed=seed)
    won = result.unit_chips[:, 0] / result.settings.spec.small_blind
    return won.tolist(), result.unit_hands.tolist(), result.seconds


def _time_evaluators() -> Found:
    """Time the engine's evaluator and ours on hands of five cards (section 3.6.2)."""
    engine = import_module("pypokerengine.engine.hand_evaluator").HandEvaluator
    card_from_id = import_module("pypokerengine.engine.card").Card.from_id
    cards = np.array([np.random.default_rng(n).permutation(52)[:5] for n in range(_EVALUATED)])
    theirs = [[card_from_id(card + 1) for card in row] for row in cards.tolist()]
    tree = Tree(toy_game(2), DATA.effort["full"].menu)
    return Found(
        engine=_seconds(lambda: [engine.eval_hand(row[:2], row[2:]) for row in theirs]),
        ours=_seconds(lambda: [evaluate(row) for row in cards.tolist()]),
        batch=_seconds(lambda: evaluate_batch(cards.astype(np.uint8))),
        showdowns=int(np.count_nonzero(tree.kind == SHOWDOWN)),
    )


def _seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds per hand."""
    began = time.process_time()
    work()
    return (time.process_time() - began) / _EVALUATED
