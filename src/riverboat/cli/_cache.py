"""Commands that show, build, verify and clear the tables in the cache folder."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final

import click
from rich.text import Text

from riverboat.buckets import abstraction_files
from riverboat.cards import STREETS, StreetName, open_table, table_path
from riverboat.cli._command import option
from riverboat.cli._hints import hint
from riverboat.cli._output import Answer, console, grid, status
from riverboat.cli._progress import bar, open_hand_strength
from riverboat.errors import DamagedFileError
from riverboat.files import ArrayFile, cache_folder
from riverboat.report import size

FolderOption = Annotated[
    Path | None,
    option("Instead of $RIVERBOAT_CACHE or the user's cache folder.", "--folder"),
]


def show(folder: FolderOption = None) -> Answer:
    """Show which tables are there, and how large they are."""
    rows = [_row(street, table_path(street, folder), _opener(street, folder)) for street in STREETS]
    rows += [_row(path.stem, path, opener) for path, opener in abstraction_files(folder).items()]
    table = grid(["table", "state", "size"], left=2)
    for row in rows:
        name = f"{row['table']}\n  {row['made_for']}" if row["made_for"] else row["table"]
        table.add_row(name, row["state"], size(row["bytes"]))
    return Answer(
        {"folder": str(folder or cache_folder()), "tables": rows},
        Text(f"Tables in {folder or cache_folder()}"),
        table,
        f"{size(sum(row['bytes'] for row in rows))} in all",
    )


def build(folder: FolderOption = None) -> None:
    """Build the hand-strength tables that are missing or damaged; every block is read first.

    Damaged bucket tables and fits are deleted: they are made anew when they are needed.
    """
    for street in STREETS:
        if _street_state(street, folder).startswith("damaged"):
            status.print(f"The {street} table is damaged and is built anew.")
            table_path(street, folder).unlink()
    for path, opener in abstraction_files(folder).items():
        if _verified_state(path.stem, opener).startswith("damaged"):
            status.print(f"{path.stem} is damaged and is deleted.")
            path.unlink()
    open_hand_strength(folder)
    console.print("All tables are there.")


def verify(folder: FolderOption = None) -> Answer:
    """Read every byte of every table and compare it with its checksum."""
    states: dict[str, str] = {street: _street_state(street, folder) for street in STREETS}
    for path, opener in abstraction_files(folder).items():
        states[path.stem] = _verified_state(path.stem, opener)
    damaged = any(state.startswith("damaged") for state in states.values())
    if damaged:
        status.print(f"`{hint('cache', 'build')}` builds the damaged tables anew.")
    return Answer(
        {"folder": str(folder or cache_folder()), "tables": states},
        *(f"{street}: {state}" for street, state in states.items()),
        exit_code=int(damaged),
    )


def clear(
    folder: FolderOption = None,
    yes: Annotated[bool, option("Do not ask.", "--yes", "-y")] = False,
    only_buckets: Annotated[bool, option("Tables and fits of buckets.", "--buckets")] = False,
) -> None:
    """Delete the tables; they are built anew when they are needed."""
    root = folder or cache_folder()
    # Leftovers of builds that were killed go too; files of others stay.
    kinds = ("buckets", "fitted") if only_buckets else ("buckets", "fitted", "hand-strength")
    paths = sorted(
        path
        for kind in kinds
        for path in (*root.glob(f"{kind}-*.safetensors"), *root.glob(f".{kind}-*.part"))
    )
    if not paths:
        console.print(f"{root} holds no tables.")
        return
    room = size(sum(path.stat().st_size for path in paths))
    if not yes:
        click.confirm(f"Delete {len(paths)} files ({room}) in {root}?", abort=True)
    for path in paths:
        path.unlink()
    console.print(f"Deleted {len(paths)} files, {room}.")


def _opener(street: StreetName, folder: Path | None) -> Callable[[], ArrayFile]:
    return lambda: open_table(street, folder)


def _row(name: str, path: Path, open_file: Callable[[], ArrayFile]) -> dict[str, Any]:
    row: dict[str, Any] = {"table": name, "made_for": None, "state": "missing", "bytes": 0}
    if not path.exists():
        return row
    row["bytes"] = path.stat().st_size
    try:
        row["made_for"] = open_file().metadata.get("made_for")
        row["state"] = "ready"
    except DamagedFileError as error:
        row["state"] = f"damaged: {error}"
    return row


def _street_state(street: StreetName, folder: Path | None) -> str:
    if not table_path(street, folder).exists():
        return "missing"
    return _verified_state(street, _opener(street, folder))


def _verified_state(name: str, open_file: Callable[[], ArrayFile]) -> str:
    try:
        file = open_file()
        with bar() as shown:
            task = shown.add_task(name)
            for done, total in file.verify():
                shown.update(task, completed=done, total=total)
    except DamagedFileError as error:
        return f"damaged: {error}"
    return "every block matches its checksum"


COMMANDS: Final = {
    "show": show,
    "build": build,
    "verify": verify,
    "clear": clear,
}
