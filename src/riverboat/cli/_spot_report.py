"""`riverboat spot-report`: a solved decision on every card that can come, or on many boards."""

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
            "A solution, or those of many boards, or a folder of them.",
            metavar="file",
            complete=solutions,
        ),
    ],
    line: Annotated[
        str | None,
        option(
            "Line of play from the spot on; kk (both check) for one solution, the start for "
            "several."
        ),
    ] = None,
    cards: Annotated[str, option("Cards that are fixed: the turn, if rivers are looked at.")] = "",
    by: Annotated[
        str, option(f"Of many boards, a row for each texture of the flop: {_TEXTURES}.")
    ] = "",
    output: Annotated[
        list[Path] | None, option("Write .csv, .json or .png; may be repeated.")
    ] = None,
) -> Answer:
    """Show a solved decision on every card that can come, or on many boards.

    Of one solution the rows are the cards that are dealt before the decision; of several they
    are the solutions.
    """
    for path in output or []:
        check_place(path)
        SpotTable.check_name(path)
    paths = [each for file in files for each in (Library.files(file) if file.is_dir() else [file])]
    many = len(paths) > 1 or files[0].is_dir()
    if by and not many:
        raise SpotError("--by puts many boards together: give several solutions, or a folder")
    table = _boards(paths, line or "", cards) if many else _cards(paths[0], line, cards)
    if by:
        table = table.by_texture(cast("Texture", by))
    written = [(path, table.write) for path in output or []]
    return Answer(table.as_dict(), *_parts(table), files=written)


def _cards(path: Path, line: str | None, cards: str) -> SpotTable:
    return card_report(Solution.open(path), "kk" if line is None else line, cards)


def _boards(paths: list[Path], line: str, cards: str) -> SpotTable:
    opened = (Solution.open(path) for path in paths)
    nodes = [(each.spot.board, each.node(line, cards)) for each in opened]
    return SpotTable.of(f"After {line}" if line else "At the start", nodes)


def _parts(table: SpotTable) -> tuple[str, Table, str]:
    heads = [*table.actions, "EV oop", "EV ip", "equity oop"]
    shown = grid(["cards", *heads])
    shown.columns[0].min_width = max(len(row.name) for row in table.rows)
    for row in table.rows:
        shown.add_row(*_cells(table, row))
    shown.add_section()
    shown.add_row(*_cells(table, table.mean))
    never = "; - where it never does" * any(row.weight <= 0 for row in table.rows)
    weighed = f"Per cent, and chips; the last row weighs by how often play comes there{never}."
    return f"{table.title}: {table.player} decides", shown, weighed


def _cells(table: SpotTable, row: ReportRow) -> list[str]:
    shares = [row.frequencies.get(action, 0.0) for action in table.actions]
    if row.weight <= 0:
        return [row.name, *["-"] * (len(shares) + 3)]
    oop, ip = row.values
    return [row.name, *map(hedged, shares), f"{oop:,.2f}", f"{ip:,.2f}", hedged(row.equities[0])]
