"""The table inside the real PyPokerEngine, whose rules and evaluator are its own."""

import time
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import combinations

import msgspec
import numpy as np

from riverboat.cards import evaluate, evaluate_batch
from riverboat.errors import ArenaError
from riverboat.protocols.pypokerengine import StockRandom, need_engine, play_pypokerengine
from riverboat.reproductions._run import ReproductionRun, StepProgress
from riverboat.reproductions._work import Trained, do_jobs, train_recipe
from riverboat.reproductions.cardiff._recipe import DATA, toy_game, toy_recipe
from riverboat.reproductions.cardiff._results import CrossTable, EngineTable, Evaluators
from riverboat.statistics import Estimate, ratio_estimate
from riverboat.tree import SHOWDOWN, Tree

_STEP = "engine"
_PART_HANDS = 500  # of a pair: what a stopped run plays again at most
_EVALUATED = 2_000
_STOCK_RANDOM = "stock-random"
_LEFT_OUT = "left out: PyPokerEngine is missing"  # a bar has room for 40 characters


def _why_not(run: ReproductionRun) -> str:
    """Say why the table cannot be played; nothing if it can, or was."""
    if (run.folder / "steps" / f"{_STEP}.json").exists():
        return ""
    try:
        need_engine()
    except ArenaError as error:
        return str(error)
    return ""


def announce_engine(run: ReproductionRun) -> None:
    """Tell at the start of a run that this step will be left out, while it can be mended."""
    if _why_not(run) and run.listener is not None:
        run.listener(StepProgress(_STEP, run.steps.index(_STEP) + 1, 0.0, _LEFT_OUT))


def engine_step(run: ReproductionRun) -> EngineTable:
    """Do the step, or say why not; a table that could not be played is not kept."""
    if why := _why_not(run):
        announce_engine(run)
        return EngineTable(why)
    return run.step(_STEP, _play_in_engine, run)


def train_for_engine(run: ReproductionRun) -> Trained:
    """Train a strategy for the engine's order of acting, or take the one that is there."""
    name = "cardiff-engine"
    iterations = DATA.amounts(run).engine_iterations
    changes = {"name": name, "budget.iterations": iterations, "bound.every": 0}
    return train_recipe(run, toy_recipe(run, changes, toy_game(2, small_blind_first=True)), name)


def _play_in_engine(run: ReproductionRun) -> EngineTable:
    """Play every pair there; a stopped run goes on with the part that it was at."""
    wanted, seats = DATA.amounts(run), DATA.bots
    trained = train_for_engine(run.part(0.0, 0.1))
    file = run.path(trained.blueprint)
    bots = {title: (seat.engine or seat.bot).format(file=file) for title, seat in seats.items()}
    pairs, parts = list(combinations(bots, 2)), range(-(-wanted.engine_hands // _PART_HANDS))
    hands = min(wanted.engine_hands, _PART_HANDS)
    jobs = [
        _Job((bots[row], bots[column]), hands, run.seed + len(pairs) * part + index)
        for index, (row, column) in enumerate(pairs)
        for part in parts
    ]
    text = "plays inside PyPokerEngine"
    played = do_jobs(run.part(0.1, 1.0), _play_part, jobs, text, keep="engine")
    won: CrossTable = {}
    for index, (row, column) in enumerate(pairs):
        own = played[index * len(parts) : (index + 1) * len(parts)]
        won.setdefault(row, {})[column] = _estimate(own)
    seconds = sum(each.seconds for each in played)
    speed = sum(sum(each.hands) for each in played) / max(seconds, 1e-9)
    hands = sum(sum(each.hands) for each in played[: len(parts)])
    return EngineTable("", hands, trained.iterations, won, speed, _time_evaluators())


class _Job(msgspec.Struct, frozen=True):
    """Some hands of a pair."""

    bots: tuple[str, str]
    hands: int
    seed: int


class _Part(msgspec.Struct, frozen=True):
    """What the first bot won in each unit, small blinds, and how many hands that were."""

    won: list[float]
    hands: list[int]
    seconds: float


def _play_part(job: _Job) -> _Part:
    bots = [StockRandom if name == _STOCK_RANDOM else name for name in job.bots]
    result = play_pypokerengine(bots, job.hands, seed=job.seed)
    won = result.unit_chips[:, 0] / result.settings.spec.small_blind
    return _Part(won.tolist(), result.unit_hands.tolist(), result.seconds)


def _estimate(parts: Sequence[_Part]) -> Estimate:
    won = np.concatenate([part.won for part in parts])
    return ratio_estimate(won, np.concatenate([part.hands for part in parts]))


def _time_evaluators() -> Evaluators:
    """Time the engine's evaluator and ours on hands of five cards (section 3.6.2)."""
    engine = import_module("pypokerengine.engine.hand_evaluator").HandEvaluator
    made = import_module("pypokerengine.engine.card").Card.from_id
    cards = np.array([np.random.default_rng(n).permutation(52)[:5] for n in range(_EVALUATED)])
    theirs = [[made(card + 1) for card in row] for row in cards.tolist()]
    tree = Tree(toy_game(2), DATA.effort["full"].menu)
    return Evaluators(
        _seconds(lambda: [engine.eval_hand(row[:2], row[2:]) for row in theirs]),
        _seconds(lambda: [evaluate(row) for row in cards.tolist()]),
        _seconds(lambda: evaluate_batch(cards.astype(np.uint8))),
        int(np.count_nonzero(tree.kind == SHOWDOWN)),
    )


def _seconds(work: Callable[[], object]) -> float:
    """Processor seconds for one hand."""
    began = time.process_time()
    work()
    return (time.process_time() - began) / _EVALUATED
