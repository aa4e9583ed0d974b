"""`riverboat spot-report`: aggregated report of one decision over many cards or boards."""

from pathlib import Path
from typing import Annotated, cast, get_args

from rich.table import Table

from riverboat.cli._command import argument, option
from riverboat.cli._completion import solutions
from riverboat.cli._output import Answer, check_place, grid
from riverboat.errors import SpotError
from riverboat.report import hedged
from riverboat.spots import (
    Library,
    ReportRow,
    Solution,
    SpotTable,
    Texture,
    card_report,
)

_TEXTURES = ", ".join(get_args(Texture))


def spot_report_command(
    files: Annotated[
        list[Path],
        argument(
            "A solution, several of them, or a folder of solutions.",
            metavar="file",
            complete=solutions,
        ),
    ],
    line: Annotated[
        str | None,
        option("Line from the spot (default: kk; the start for several solutions)."),
    ] = None,
    cards: Annotated[str, option("Fixed cards: the turn, for a report over rivers.")] = "",
    by: Annotated[str, option(f"Group many boards by flop texture: {_TEXTURES}.")] = "",
    output: Annotated[
        list[Path] | None, option("Write .csv, .json or .png; may be repeated.")
    ] = None,
) -> Answer:
    """Show an aggregated report: one decision over many cards or boards.

    For one solution, each row is a turn or river card dealt before the decision. For several
    solutions, each row is a board.
    """
    for path in output or []:
        check_place(path)
        SpotTable.check_name(path)
    paths = [path for file in files for path in (Library.files(file) if file.is_dir() else [file])]
    many = len(paths) > 1 or files[0].is_dir()
    if by and not many:
        raise SpotError("--by needs several solutions, or a folder of solutions")
    table = _boards(paths, line or "", cards) if many else _cards(paths[0], line, cards)
    if by:
        table = table.by_texture(cast("Texture", by))
    written = [(path, table.write) for path in output or []]
    return Answer(table.as_dict(), *_parts(table), files=written)


def _cards(path: Path, line: str | None, cards: str) -> SpotTable:
    return card_report(Solution.open(path), "kk" if line is None else line, cards)


def _boards(paths: list[Path], line: str, cards: str) -> SpotTable:
    opened = (Solution.open(path) for path in paths)
    nodes = [(solution.spot.board, solution.node(line, cards)) for solution in opened]
    return SpotTable.of(f"After {line}" if line else "At the start", nodes)


def _parts(table: SpotTable) -> tuple[str, Table, str]:
    heads = [*table.actions, "EV oop", "EV ip", "equity oop"]
    shown = grid(["cards", *heads])
    shown.columns[0].min_width = max(len(row.name) for row in table.rows)
    for row in table.rows:
        shown.add_row(*_cells(table, row))
    shown.add_section()
    shown.add_row(*_cells(table, table.mean))
    unreached = "; - is never reached" * any(row.weight <= 0 for row in table.rows)
    note = (
        "Frequencies and equity in per cent, EV in chips; the last row is the mean, weighted by "
        f"reach{unreached}."
    )
    return f"{table.title}: {table.player} to act", shown, note


def _cells(table: SpotTable, row: ReportRow) -> list[str]:
    shares = [row.frequencies.get(action, 0.0) for action in table.actions]
    if row.weight <= 0:
        return [row.name, *["-"] * (len(shares) + 3)]
    oop, ip = row.values
    return [row.name, *map(hedged, shares), f"{oop:,.2f}", f"{ip:,.2f}", hedged(row.equities[0])]
