"""A smaller table inside the real PyPokerEngine, whose rules and evaluator are its own."""

from itertools import combinations

import msgspec

from riverboat.errors import ArenaError
from riverboat.protocols.pypokerengine import need_engine, play_pypokerengine
from riverboat.report import Section, Table, Text
from riverboat.seeds._reproduction import Reproduction, StepProgress
from riverboat.seeds._work import Won, train_recipe
from riverboat.seeds.cardiff.data import amounts, data, toy_game
from riverboat.seeds.cardiff.pairs import Cell, count_pairs, others_text
from riverboat.seeds.cardiff.processes import in_order
from riverboat.training import load_recipe
from riverboat.work import num_cores

__all__ = ["EngineTable", "announce_engine", "engine_section", "engine_step"]

_STEP = "engine"
_LEFT_OUT = "left out: PyPokerEngine is missing"  # a bar has room for 40 characters


class _MissingError(Exception):
    """PyPokerEngine is not installed."""


class EngineTable(msgspec.Struct, frozen=True):
    """All pairs of the seven inside PyPokerEngine."""

    missing: str
    """Why it was not played; empty if it was."""
    hands: int = 0
    """Of each pair."""
    iterations: int = 0
    """Of the strategy that was trained for the engine's order of acting."""
    cells: tuple[Cell, ...] = ()
    """The upper half of the table, small blinds a hand."""
    hands_per_second: float = 0.0
    """Of one process."""


class _Task(msgspec.Struct, frozen=True):
    """One pair."""

    row: int
    column: int
    bots: tuple[str, str]
    hands: int
    seed: int


class _Played(msgspec.Struct, frozen=True):
    cell: Cell
    hands: int
    seconds: float


def announce_engine(run: Reproduction) -> None:
    """Tell at the start of a run that this step will be left out, while it can be mended."""
    try:
        need_engine()
    except ArenaError:
        kept = run.folder / "steps" / f"{_STEP}.json"
        if run.listener is not None and not kept.exists():
            run.listener(StepProgress(_STEP, run.steps.index(_STEP) + 1, 0.0, _LEFT_OUT))


def engine_step(run: Reproduction) -> EngineTable:
    """Do the step, or say why not; a table that could not be played is not kept."""
    try:
        return run.step(_STEP, EngineTable, lambda: _play_in_engine(run))
    except _MissingError as error:
        run.tell(0.0, _LEFT_OUT)
        return EngineTable(str(error))


def _play_in_engine(run: Reproduction) -> EngineTable:
    """Train a strategy for the engine's order of acting, and play every pair there."""
    try:
        need_engine()
    except ArenaError as error:
        raise _MissingError(str(error)) from error
    wanted = amounts(run)
    recipe = load_recipe("cardiff").changed(
        {
            "name": "cardiff-engine",
            "game": msgspec.to_builtins(toy_game(2, small_blind_first=True)),
            "menu": wanted.menu,
            "budget.iterations": wanted.engine_iterations,
            "bound.every": 0,
            "seed": run.seed,
        }
    )
    trained = train_recipe(run, recipe, "cardiff-engine", (0.0, 0.3))
    file = str(run.path(trained.blueprint))
    bots = [(seat.engine or seat.bot).format(file=file) for seat in data().bots]
    tasks = [
        _Task(row, column, (bots[row], bots[column]), wanted.engine_hands, run.seed + index)
        for index, (row, column) in enumerate(combinations(range(len(bots)), 2))
    ]
    played = _play(run, tasks)
    seconds = sum(each.seconds for each in played)
    return EngineTable(
        "",
        played[0].hands,
        trained.iterations,
        tuple(each.cell for each in played),
        sum(each.hands for each in played) / max(seconds, 1e-9),
    )


def _play(run: Reproduction, tasks: list[_Task]) -> list[_Played]:
    """Play the pairs on all cores; the engine itself knows one."""

    def tell(done: int) -> None:
        run.tell(0.3 + 0.7 * done / len(tasks), "plays inside PyPokerEngine")

    return in_order(_play_pair, tasks, run.workers or num_cores(), tell)


def _play_pair(task: _Task) -> _Played:
    result = play_pypokerengine(task.bots, task.hands, seed=task.seed)
    estimate = result.chips_per_hand().scaled(1 / result.settings.spec.small_blind)
    won = Won.of(estimate, result.hands)
    return _Played(Cell(task.row, task.column, won), result.hands, result.seconds)


def engine_section(found: EngineTable) -> Section:
    """Show it, with the published figure in brackets."""
    title = "The same table inside PyPokerEngine"
    if found.missing:
        return Section(title, (Text(_not_played(found.missing)),))
    titles, table2 = [seat.title for seat in data().bots], data().table2.rows
    won = {(cell.row, cell.column): cell.won for cell in found.cells}
    rows = []
    for row, name in enumerate(titles[:-1]):
        cells = [
            f"{won[row, column].text(1)} ({table2[row][column]:+.2f})" if row < column else ""
            for column in range(1, len(titles))
        ]
        rows.append((name, *cells))
    return Section(
        title,
        (
            Text(
                "The author's matches ran in PyPokerEngine, which is not quite poker: heads-up "
                "the small blind opens every street, the least raise before the flop is to 15, "
                "ties are broken by the hole cards even where the board plays, and A-2-3-4-5 is "
                "no straight. So the two-street game was trained again for its order of acting "
                f"({found.iterations:,} iterations), and the bots played inside the real engine, "
                "with its own Random, which raises two times in three and never calls. It plays "
                f"{found.hands_per_second:,.0f} hands a second in one process, hence fewer hands "
                "and wide intervals."
            ),
            Table(
                f"Small blinds a hand inside PyPokerEngine, {found.hands:,} hands a pair, 95 % "
                "intervals; published figure in brackets",
                ("", *titles[1:]),
                tuple(rows),
            ),
            Text(_judged(found)),
        ),
    )


def _not_played(why: str) -> str:
    """Say what is missing, and how to get this table without the rest of the run."""
    return (
        f"This table was not played. {why.rstrip('.')}. Once it is there, `riverboat reproduce "
        "cardiff --resume` plays this table only; in a checkout that is `uv run --extra "
        "pypokerengine riverboat reproduce cardiff --resume` (with `--quick`, if this run had it)."
    )


def _judged(found: EngineTable) -> str:
    """Say how often the published figure lies in our interval, and which winners agree."""
    alike, others = count_pairs(found.cells)
    return (
        f"Of the {alike.pairs} pairs that can be compared the published figure lies within our "
        f"interval in {alike.inside}. {alike.clear} of these pairs are clear on these hands, and "
        f"{alike.same} of them have the published winner. {others_text(others)}"
    )
