"""`riverboat hands`: the database of hands."""

from pathlib import Path
from typing import Annotated, Any, Final

from rich import box
from rich.table import Table
from rich.text import Text

from riverboat.cli._command import argument, option
from riverboat.cli._output import Answer
from riverboat.errors import harmless
from riverboat.histories import HandDatabase, QueryResult
from riverboat.report import how_many

_SHOWN_PROBLEMS = 20
DatabaseOption = Annotated[
    Path | None, option("The database (default: in the data folder).", "--database")
]


def add_command(
    sources: Annotated[list[Path], argument("Folders, archives (.zip) and files of hands.")],
    workers: Annotated[int | None, option("Worker processes (default: one per core).")] = None,
    database: DatabaseOption = None,
) -> Answer:
    """Add the hands of folders, archives and files to the database.

    Files that were added before, and hands that are known by their number, are left out.
    """
    hands = HandDatabase(database)
    added = hands.add(sources, workers)
    values = {
        "database": str(hands.path),
        "files": added.files,
        "known_files": added.known_files,
        "hands": added.hands,
        "duplicates": added.duplicates,
        "refused": added.refused,
        "other_games": added.other_games,
        "problems": added.problems,
    }
    others = ", ".join(f"{count:,} {game}" for game, count in sorted(added.other_games.items()))
    lines = [
        f"{how_many(added.hands, 'new hand')} from {how_many(added.files, 'file')}, "
        f"{added.duplicates:,} known hands, {added.known_files:,} known files, "
        f"{added.refused:,} refused",
        *([f"Hands of other games: {others}"] if others else []),
        *(['Reasons: riverboat hands query "SELECT * FROM refused"'] if added.refused else []),
        *added.problems[:_SHOWN_PROBLEMS],
        f"Database: {hands.path}",
    ]
    return Answer(values, *(Text(line) for line in lines), exit_code=int(bool(added.problems)))


def query_command(
    sql: Annotated[str, argument("One SELECT statement; docs/histories.md lists the tables.")],
    seconds: Annotated[float, option("Time limit in seconds.", least=0.1)] = 10.0,
    rows: Annotated[int, option("Maximum number of rows.", least=1)] = 1000,
    database: DatabaseOption = None,
) -> Answer:
    """Query the database of hands with SQL, read-only."""
    result = HandDatabase(database).query(sql, seconds, rows)
    values = {
        "columns": list(result.columns),
        "rows": [[_plain(value) for value in row] for row in result.rows],
        "more": result.more,
    }
    return Answer(values, *_drawn(result))


def _plain(value: Any) -> Any:
    """Return a value that JSON has."""
    return value.hex() if isinstance(value, bytes) else value


def _drawn(result: QueryResult) -> list[Table | Text]:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for name in result.columns:
        table.add_column(Text(harmless(name)))
    for row in result.rows:
        cells = ("" if value is None else harmless(str(_plain(value))) for value in row)
        table.add_row(*(Text(cell) for cell in cells))
    note = f"The first {how_many(len(result.rows), 'row')}; --rows shows more."
    return [table, *([Text(note)] if result.more else [])]


hands_commands: Final = {"add": add_command, "query": query_command}
