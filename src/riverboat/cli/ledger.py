"""`riverboat ledger`: what was played."""

from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table

from riverboat.arena import Entry, Ledger, ledger_path
from riverboat.cli.output import JsonOption, console, print_json

__all__ = ["ledger_command"]


def ledger_command(
    number: Annotated[int | None, typer.Argument(help="One match, in full.")] = None,
    last: Annotated[int, typer.Option(help="How many matches to list.")] = 20,
    as_json: JsonOption = False,
) -> None:
    """List the matches that were played, or show one."""
    ledger = Ledger()
    entries = [ledger.entry(number)] if number is not None else ledger.entries(last)
    if as_json:
        print_json({"ledger": str(ledger_path()), "matches": [_values(entry) for entry in entries]})
    elif number is not None:
        _show_one(entries[0])
    else:
        _show(entries)


def _values(entry: Entry) -> dict[str, Any]:
    fields = ("id", "kind", "started", "finished", "version", "game", "bots", "seed", "hands")
    values = {name: getattr(entry, name) for name in fields}
    return values | {"settings": entry.settings, "result": entry.result}


def _outcome(entry: Entry) -> str:
    """The first bot's result, as far as it is known."""
    if entry.result is None:
        return "not finished"
    if not entry.result.get("bots"):
        return ""
    value = entry.result["bots"][0].get("mbb_per_hand")
    if value is None:
        return ""
    low, high = value["interval_95"]
    margin = "?" if low is None else f"{(high - low) / 2:,.1f}"
    return f"{value['mean']:+,.1f} ± {margin}"


def _show(entries: list[Entry]) -> None:
    table = Table(box=box.SIMPLE, pad_edge=False)
    for heading in ("no.", "started", "game", "bots", "hands", "seed", "first bot, mbb/h"):
        right = heading in ("no.", "hands", "first bot, mbb/h")
        table.add_column(heading, justify="right" if right else "left")
    for entry in entries:
        table.add_row(
            str(entry.id),
            entry.started[:16].replace("T", " "),
            entry.game,
            " v ".join(entry.bots),
            f"{entry.hands:,}",
            str(entry.seed),
            _outcome(entry),
        )
    console.print(table)
    console.print(f"{ledger_path()}", soft_wrap=True)


def _show_one(entry: Entry) -> None:
    console.print(
        f"Match {entry.id}: {' v '.join(entry.bots)}, {entry.game}, {entry.hands:,} hands"
    )
    console.print(f"seed {entry.seed}, version {entry.version}, started {entry.started}")
    console.print(f"finished {entry.finished or 'not yet'}")
    for bot in (entry.result or {}).get("bots", []):
        value = bot["mbb_per_hand"]
        console.print(f"  {bot['bot']}: {value['mean']:+,.1f} mbb/h, 95 % {value['interval_95']}")
