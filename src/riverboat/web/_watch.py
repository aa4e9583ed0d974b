"""What runs on this machine, read from logs and the ledger; nothing is touched."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from riverboat.arena import Ledger, ledger_path
from riverboat.errors import RiverboatError
from riverboat.report import REPORT_FILES
from riverboat.training import read_log

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from riverboat.arena import Entry

__all__ = ["Watched", "watched"]

_MOST: Final = 60
_MOST_POINTS: Final = 200
_FRESH: Final = 120.0  # seconds since the last line of a log that still runs
_MOST_LOG: Final = 32 << 20
_TRAINING: Final = (
    *("event", "iterations", "seconds", "iterations_per_second", "seconds_left"),
    *("infosets", "visited", "average_regret", "table_bytes", "resident_bytes"),
)


class Watched(msgspec.Struct, frozen=True):
    """A run, or a finished report."""

    kind: str
    """`training`, `match`, `tournament`, `sweep`, `play`, `library`, `reproduction`, `report`."""
    name: str
    place: str
    """File, folder, or number in the ledger."""
    state: str
    """`running`, `finished`, or `silent`: nothing was heard lately."""
    seen: float
    """Seconds since the last sign of life."""
    facts: dict[str, Any] = {}
    """Speed, memory, infosets, time left, winnings with their interval."""
    curve: list[tuple[float, float, float | None, float | None]] = []
    """(seconds, value, low, high): exploitability of a training, or average regret."""
    measure: str = ""
    """What the curve shows."""


def watched(folders: Iterable[Path]) -> list[Watched]:
    """Return what is found in folders, where processes of ours run, and in the ledger."""
    found: dict[str, Watched] = {}
    for folder in dict.fromkeys([*folders, *_process_folders()]):
        for each in _in_folder(folder):
            found.setdefault(each.place, each)
    for entry in _matches():
        found.setdefault(entry.place, entry)
    order = {"running": 0, "silent": 1, "finished": 2}
    rows = sorted(found.values(), key=lambda each: (order.get(each.state, 3), each.seen))
    return rows[:_MOST]


def _process_folders() -> Iterator[Path]:
    """Where commands of ours were started, on systems that tell."""
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            if any(Path(word.decode(errors="replace")).name == "riverboat" for word in words[:4]):
                yield (entry / "cwd").resolve()
        except OSError:
            continue


def _in_folder(folder: Path) -> Iterator[Watched]:
    if not folder.is_dir():
        return
    try:
        paths = [*folder.glob("*.log.jsonl"), *folder.glob("*/*.log.jsonl")]
        runs = [*folder.glob("run.json"), *folder.glob("*/run.json")]
        reports = [*folder.glob("report.json"), *folder.glob("*/report.json")]
        libraries = [*folder.glob("*.jobs.jsonl"), *folder.glob("*/library.jsonl")]
    except OSError:
        return
    for path in paths[:_MOST]:
        if (run := _training(path)) is not None:
            yield run
    for path in [*runs[:_MOST], *libraries[:_MOST]]:
        if (run := _reproduction(path)) is not None:
            yield run
    for path in reports[:_MOST]:
        if (run := _report(path)) is not None:
            yield run


def _age(path: Path) -> float:
    return max(0.0, time.time() - path.stat().st_mtime)


def _training(path: Path) -> Watched | None:
    """A training by its log."""
    try:
        if path.stat().st_size > _MOST_LOG:
            return None
        lines = list(read_log(path))
        age = _age(path)
    except (OSError, RiverboatError):
        return None
    if not lines:
        return None
    last = lines[-1]
    ended = last.get("event") in ("finished", "stopped")
    state = "finished" if ended else "running" if age < _FRESH else "silent"
    facts = {name: last.get(name) for name in _TRAINING}
    curve, measure = _curve(lines)
    name = path.name.removesuffix(".log.jsonl")
    return Watched("training", name, str(path), state, age, facts, curve, measure)


def _curve(
    lines: list[dict[str, Any]],
) -> tuple[list[tuple[float, float, float | None, float | None]], str]:
    measured = {m["iterations"]: m for line in lines if (m := line.get("measured"))}
    if measured:
        points = [
            (m["seconds"], m["exploitability"], m["low"], m["high"])
            for m in measured.values()
            if m.get("exploitability") is not None
        ]
        return _thinned(points), "exploitability, chips a hand"
    points = [
        (line["seconds"], line["average_regret"], None, None)
        for line in lines
        if line.get("average_regret") is not None
    ]
    return _thinned(points), "average regret, chips"


def _thinned(points: list[Any]) -> list[Any]:
    step = max(1, len(points) // _MOST_POINTS)
    return points[::step]


def _reproduction(path: Path) -> Watched | None:
    """A reproduction of a seed, by what it has written."""
    folder = path.parent
    log = folder / "log.jsonl"
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        newest = log if log.is_file() else path
        age = _age(newest)
        steps = [json.loads(line) for line in _tail(log)] if log.is_file() else []
    except (OSError, ValueError):
        return None
    if not isinstance(told, dict):
        return None
    finished = (folder / "report.json").is_file()
    state = "finished" if finished else "running" if age < _FRESH else "silent"
    done = [each.get("step") for each in steps if each.get("event") == "done"]
    facts = {"seed": told.get("name") or told.get("command"), "steps_done": done}
    return Watched("reproduction", folder.name, str(path), state, age, facts)


def _tail(path: Path) -> list[str]:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 100_000))
        return file.read().decode(errors="replace").splitlines()[-200:]


def _report(path: Path) -> Watched | None:
    """A finished report of a seed or the demo."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        facts = {name: told.get(name) for name in ("title", "effort", "seconds", "command")}
        page = path.with_name(REPORT_FILES[2])
    except (OSError, ValueError, AttributeError):
        return None
    name = str(told.get("title") or path.parent.name)
    facts["page"] = str(page) if page.is_file() else None
    return Watched("report", name, str(path), "finished", _age(path), facts)


def _matches() -> Iterator[Watched]:
    """Matches, tournaments, sweeps and sessions of the ledger, the newest first."""
    if not ledger_path().is_file():
        return
    try:
        ledger = Ledger()
        entries = list(ledger.entries())[-_MOST:]
        changed = _age(ledger_path())
    except (OSError, RiverboatError):
        return
    for entry in reversed(entries):
        if not entry.damage:
            yield _match(ledger, entry, changed)


def _match(ledger: Ledger, entry: Entry, changed: float) -> Watched:
    facts: dict[str, Any] = {"game": entry.game, "hands": entry.hands, "started": entry.started}
    result = entry.result or {}
    facts["bots"] = [
        {"bot": each.get("bot"), "mbb_per_hand": each.get("mbb_per_hand")}
        for each in result.get("bots", [])
        if isinstance(each, dict)
    ]
    state = "finished"
    if entry.finished is None:
        saved = ledger.saved(entry.id)
        done = sum(int(each.hands.sum()) for each in saved.sessions.values())
        facts["hands_done"] = done
        state = "running" if changed < _FRESH else "silent"
    tournament = entry.settings.get("tournament") is not None
    kind = "tournament" if tournament and entry.kind == "match" else entry.kind
    name = " against ".join(entry.bots)
    return Watched(kind, name, f"ledger:{entry.id}", state, changed, facts)
