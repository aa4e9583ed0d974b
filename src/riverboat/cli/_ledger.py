"""`riverboat ledger`: all matches that were played."""

import math
import re
from collections.abc import Iterator
from typing import Annotated, Any

from rich import box
from rich.table import Table
from rich.text import Text

from riverboat.arena import Entry, Ledger, Verdict
from riverboat.cli._command import argument, option
from riverboat.cli._match_report import Unit, games_text, verdict_text
from riverboat.cli._output import Answer, console, with_margin
from riverboat.errors import ArenaError
from riverboat.files import ledger_path
from riverboat.report import how_many
from riverboat.statistics import Estimate


def ledger_command(
    what: Annotated[
        str | None, argument("The number of a match to show, or the word verify.")
    ] = None,
    last: Annotated[int, option("Number of matches to list.")] = 20,
) -> Answer:
    """List the matches in the ledger, or show one.

    `riverboat ledger verify` compares every row with its checksum.
    """
    ledger = Ledger()
    if what == "verify":
        return _verified(ledger)
    number = None if what is None else number_of(what)
    entries = [ledger.entry(number)] if number is not None else ledger.entries(last)
    values = {"ledger": str(ledger_path()), "matches": [_values(entry) for entry in entries]}
    parts = _listed(entries) if number is None else _whole(entries[0])
    return Answer(values, *parts)


def number_of(text: str) -> int:
    """Return the number of a match."""
    if not re.fullmatch("[0-9]{1,40}", text):
        raise ArenaError(f"{text!r:.80} is not the number of a match: the ledger lists the numbers")
    return int(text)


def _verified(ledger: Ledger) -> Answer:
    """Report damaged rows."""
    damaged = [
        {"match": match, "session": session, "reason": reason}
        for match, session, reason in ledger.damage()
    ]
    lines = [] if damaged else [Text(f"{ledger.path}: every row matches its checksum")]
    for row in damaged:
        part = "" if row["session"] is None else f", session {row['session']}"
        lines.append(Text(f"match {row['match']}{part} is damaged: {row['reason']}"))
    values = {"ledger": str(ledger.path), "damaged": damaged}
    return Answer(values, *lines, exit_code=int(bool(damaged)))


def _values(entry: Entry) -> dict[str, Any]:
    fields = ("id", "kind", "started", "finished", "version", "game", "bots", "seed", "hands")
    values = {name: getattr(entry, name) for name in fields}
    seeds = [run.seed for run in entry.deal_seeds]
    values |= {"settings": entry.settings, "result": entry.result, "deal_seeds": seeds}
    return values | {"damage": entry.damage or None}


def _outcome(entry: Entry) -> str:
    """The first bot's result, or why there is none."""
    if entry.damage:
        return "damaged"
    if entry.problem:
        return "failed"
    if entry.result is None:
        return "not finished"
    if not entry.result.get("bots"):
        return ""
    value = entry.result["bots"][0].get("mbb_per_hand")
    return "" if value is None else _value(value)


def _value(value: dict[str, Any]) -> str:
    """Write a mean and half the width of its confidence interval."""
    low, high = value["interval_95"]
    margin = math.inf if low is None else (high - low) / 2
    return with_margin(Estimate.with_margin(value["mean"], margin))


def _seed(entry: Entry) -> str:
    """The seed that repeats the match; for a match of a tournament, the tournament's seed."""
    tournament = entry.settings.get("tournament")
    return str(entry.seed) if tournament is None else f"{tournament} (tournament)"


def _listed(entries: list[Entry]) -> tuple[Table, Text]:
    narrow = console.width < 80  # `riverboat ledger NUMBER` shows the other columns
    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 0 if narrow else 1))
    table.add_column("no.", justify="right", no_wrap=True, overflow="fold")
    if not narrow:
        table.add_column("started (UTC)", overflow="fold")
    table.add_column("game", overflow="fold")
    table.add_column("bots", overflow="fold")
    table.add_column("hands", justify="right", no_wrap=True, overflow="fold")
    if not narrow:
        table.add_column("seed", no_wrap=True, overflow="fold")  # show all digits
    table.add_column("first bot, mbb/hand", justify="right", overflow="fold")
    for entry in entries:
        started, seed = entry.started[:16].replace("T", " "), _seed(entry)
        table.add_row(
            str(entry.id),
            *([] if narrow else [started]),
            entry.game,
            " v ".join(entry.bots),
            f"{entry.hands:,}",
            *([] if narrow else [seed]),
            _outcome(entry),
        )
    return table, Text(str(ledger_path()))


def _whole(entry: Entry) -> Iterator[str | Text]:
    played = f"{entry.game}, {how_many(entry.hands, 'hand')}"
    yield f"Match {entry.id}: {' v '.join(entry.bots)}, {played}"
    tournament = entry.settings.get("tournament")
    part = "" if tournament is None else f" (of tournament {tournament})"
    yield f"seed {entry.seed}{part}, version {entry.version}, started {entry.started}"
    yield f"finished {entry.finished}" if entry.finished else "not finished"
    if entry.problem:
        yield Text(f"failed: {entry.problem}")
    for run in entry.deal_seeds:
        yield Text(f"deal seed: {run.seed or 'not published'}")
    result = entry.result or {}
    unit = f"m{result.get('blind', 'bb')}/hand"
    for bot in _without_mirror(result.get("bots", [])):
        yield f"  {bot['bot']}: {_value(bot['mbb_per_hand'])} {unit} (95 %)"
        if bot.get("corrected_mbb_per_hand") is not None:
            corrected = _value(bot["corrected_mbb_per_hand"])
            yield f"    {corrected} {unit} with all-in EV"
    if sentence := _verdict(entry):
        yield Text(sentence, "bold")


def _without_mirror(bots: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave out the second of two bots if its result is minus the first one's."""
    mirrored = len(bots) == 2 and bots[0].get("chips") == -bots[1].get("chips", 0)
    return bots[:1] if mirrored else bots


def _verdict(entry: Entry) -> str:
    """The verdict, if one was saved with the match."""
    values = (entry.result or {}).get("verdict")
    if values is None:
        return ""
    verdict = Verdict.from_values(values, entry.hands)
    blind = (entry.result or {}).get("blind", "bb")
    carried = (entry.result or {})["bots"][0].get("games_won") is not None
    unit = Unit(f"m{blind}/hand", 1.0, 1.0)
    return games_text(verdict) if carried else verdict_text(verdict, unit)
