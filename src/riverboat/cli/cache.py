"""Commands that show, build, verify and clear the tables in the cache folder."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from riverboat.cards.strength_tables import STREETS, Street, open_table, table_path
from riverboat.cli.output import JsonOption, console, print_json, status
from riverboat.cli.progress import bar, open_hand_strength
from riverboat.errors import DamagedFileError
from riverboat.files import cache_folder

app = typer.Typer(help="Show, build, verify and clear the tables in the cache folder.")

FolderOption = Annotated[
    Path | None,
    typer.Option("--folder", help="Instead of $RIVERBOAT_CACHE or the user's cache folder."),
]


@app.command()
def show(folder: FolderOption = None, as_json: JsonOption = False) -> None:
    """Show which tables are there, and how large they are."""
    rows = [_row(street, folder) for street in STREETS]
    if as_json:
        print_json({"folder": str(folder or cache_folder()), "tables": rows})
        return
    table = Table(title=str(folder or cache_folder()), title_justify="left")
    for column in ("table", "state", "MB"):
        table.add_column(column, justify="right" if column == "MB" else "left")
    for row in rows:
        table.add_row(row["table"], row["state"], f"{row['bytes'] / 1e6:,.1f}")
    console.print(table)
    console.print(f"{sum(row['bytes'] for row in rows) / 1e6:,.1f} MB in all")


@app.command()
def build(folder: FolderOption = None) -> None:
    """Build the tables that are missing or damaged; every block is read first."""
    for street in STREETS:
        if _verified_state(street, folder).startswith("damaged"):
            status.print(f"The {street} table is damaged and is built anew.")
            table_path(street, folder).unlink()
    open_hand_strength(folder)
    console.print("All tables are there.")


@app.command()
def verify(folder: FolderOption = None, as_json: JsonOption = False) -> None:
    """Read every byte of every table and compare it with its checksum."""
    states = {street: _verified_state(street, folder) for street in STREETS}
    if as_json:
        print_json({"folder": str(folder or cache_folder()), "tables": states})
    else:
        for street, state in states.items():
            console.print(f"{street}: {state}")
    if any(state.startswith("damaged") for state in states.values()):
        status.print("`riverboat cache build` builds the damaged tables anew.")
        raise typer.Exit(1)


@app.command()
def clear(
    folder: FolderOption = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete the tables; they are built anew when they are needed."""
    root = folder or cache_folder()
    # Leftovers of builds that were killed go too; files of others stay.
    paths = sorted({*root.glob("hand-strength-*"), *root.glob(".hand-strength-*.part")})
    if not paths:
        console.print(f"{root} holds no tables.")
        return
    size = sum(path.stat().st_size for path in paths) / 1e6
    if not yes:
        typer.confirm(f"Delete {len(paths)} files ({size:,.1f} MB) in {root}?", abort=True)
    for path in paths:
        path.unlink()
    console.print(f"Deleted {len(paths)} files, {size:,.1f} MB.")


def _row(street: Street, folder: Path | None) -> dict[str, Any]:
    path = table_path(street, folder)
    if not path.exists():
        return {"table": street, "state": "missing", "bytes": 0}
    try:
        open_table(street, folder)
        state = "ready"
    except DamagedFileError as error:
        state = f"damaged: {error}"
    return {"table": street, "state": state, "bytes": path.stat().st_size}


def _verified_state(street: Street, folder: Path | None) -> str:
    if not table_path(street, folder).exists():
        return "missing"
    try:
        file = open_table(street, folder)
        with bar() as shown:
            task = shown.add_task(street)
            for done, total in file.verify():
                shown.update(task, completed=done, total=total)
    except DamagedFileError as error:
        return f"damaged: {error}"
    return "every block matches its checksum"
