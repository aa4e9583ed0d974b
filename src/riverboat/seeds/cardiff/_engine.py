"""A smaller table inside the real PyPokerEngine, whose rules and evaluator are its own."""

from functools import partial
from itertools import combinations

from riverboat.errors import ArenaError
from riverboat.protocols.pypokerengine import need_engine, play_pypokerengine
from riverboat.seeds._reproduction import Reproduction, StepProgress
from riverboat.seeds._work import do_jobs, train_recipe
from riverboat.seeds.cardiff._recipe import DATA, toy_game, toy_recipe
from riverboat.seeds.cardiff._results import CrossTable, EngineTable
from riverboat.statistics import Estimate

_STEP = "engine"
_LEFT_OUT = "left out: PyPokerEngine is missing"  # a bar has room for 40 characters


def _why_not(run: Reproduction) -> str:
    """Say why the table cannot be played; nothing if it can, or was."""
    if (run.folder / "steps" / f"{_STEP}.json").exists():
        return ""
    try:
        need_engine()
    except ArenaError as error:
        return str(error)
    return ""


def announce_engine(run: Reproduction) -> None:
    """Tell at the start of a run that this step will be left out, while it can be mended."""
    if _why_not(run) and run.listener is not None:
        run.listener(StepProgress(_STEP, run.steps.index(_STEP) + 1, 0.0, _LEFT_OUT))


def engine_step(run: Reproduction) -> EngineTable:
    """Do the step, or say why not; a table that could not be played is not kept."""
    if why := _why_not(run):
        announce_engine(run)
        return EngineTable(why)
    return run.step(_STEP, _play_in_engine, run)


def _play_in_engine(run: Reproduction) -> EngineTable:
    """Train a strategy for the engine's order of acting, and play every pair there."""
    wanted, seats, name = DATA.amounts(run), DATA.bots, "cardiff-engine"
    changes = {"name": name, "budget.iterations": wanted.engine_iterations, "bound.every": 0}
    recipe = toy_recipe(run, changes, toy_game(2, small_blind_first=True))
    trained = train_recipe(run.part(0.0, 0.3), recipe, name)
    file = run.path(trained.blueprint)
    bots = {title: (seat.engine or seat.bot).format(file=file) for title, seat in seats.items()}
    pairs = list(combinations(bots, 2))
    jobs = [((bots[a], bots[b]), run.seed + index) for index, (a, b) in enumerate(pairs)]
    play = partial(_play_pair, wanted.engine_hands)
    played = do_jobs(run.part(0.3, 1.0), play, jobs, "plays inside PyPokerEngine")
    won: CrossTable = {}
    for (row, column), (estimate, _, _) in zip(pairs, played, strict=True):
        won.setdefault(row, {})[column] = estimate
    seconds = sum(each for _, _, each in played)
    speed = sum(hands for _, hands, _ in played) / max(seconds, 1e-9)
    return EngineTable("", played[0][1], trained.iterations, won, speed)


def _play_pair(hands: int, job: tuple[tuple[str, str], int]) -> tuple[Estimate, int, float]:
    """Return what the first bot won, small blinds a hand, the hands played, and the seconds."""
    bots, seed = job
    result = play_pypokerengine(bots, hands, seed=seed)
    won = result.chips_per_hand().scaled(1 / result.settings.spec.small_blind)
    return won, result.hands, result.seconds
