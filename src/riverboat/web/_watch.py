"""Runs for the Watch page, found by the files that they write in the served folders; read-only.

Training runs, libraries of spots, reproductions and reports; `_watch_ledger` has matches.
"""

from __future__ import annotations

import json
import time
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final

import msgspec

from riverboat.errors import RiverboatError
from riverboat.report import REPORT_FILES
from riverboat.reproductions import find_reproduction
from riverboat.runs import thinned
from riverboat.training import read_log

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: Maximum number of runs listed.
MOST: Final = 60
#: Seconds without an update after which a run counts as silent.
FRESH: Final = 120.0
_MOST_POINTS: Final = 200
_MOST_FILE: Final = 32 << 20
_TRAINING: Final = (
    *("event", "iterations", "seconds", "iterations_per_second", "seconds_left"),
    *("infosets", "visited", "average_regret", "table_bytes", "resident_bytes"),
)
_INDEX: Final = "index.json"
_LIBRARY: Final = "riverboat-library"


class Cell(msgspec.Struct, frozen=True):
    """Winnings of the row bot against the column bot, with a 95 % confidence interval."""

    mean: float
    low: float | None
    high: float | None


class CrossTable(msgspec.Struct, frozen=True):
    """The results of a tournament: rows against columns, mbb/hand."""

    bots: list[str]
    cells: list[list[Cell | None]]
    """None on the diagonal and for pairs that have not played yet."""


class Watched(msgspec.Struct, frozen=True):
    """A run, or a finished report."""

    kind: str
    """`training`, `match`, `tournament`, `sweep`, `play`, `library`, `reproduction`, `report`."""
    name: str
    place: str
    """File, folder, or number in the ledger."""
    state: str
    """`running`, `finished`, `failed`, or `silent`: no update lately; of jobs also `waiting` and
    `stopped`."""
    seen: float
    """Seconds since the last update."""
    facts: dict[str, Any] = {}
    """Speed, memory, infosets, time left, winnings with their confidence interval."""
    curve: list[tuple[float, float, float | None, float | None]] = []
    """(seconds, value, low, high): exploitability of a training, or average regret."""
    measure: str = ""
    """The quantity and unit of the curve."""
    table: CrossTable | None = None
    """Results of a tournament."""
    problem: str = ""
    """Why it failed."""
    share: float | None = None
    """Part that is done, 0 to 1; None if unknown."""
    job: str = ""
    """Path of a job of this server, which can be stopped and resumed; else empty."""


def state_of(finished: bool, age: float) -> str:
    """Return the state of a run by the seconds since its last update."""
    return "finished" if finished else "running" if age < FRESH else "silent"


def newest(*paths: Path) -> float:
    """Return the time of the newest file, seconds since 1970; 0 if there is none."""
    times = []
    for path in paths:
        try:
            times.append(path.stat().st_mtime)
        except OSError:
            continue
    return max(times, default=0.0)


def files_watched(folder: Path) -> Iterator[Watched]:
    """Yield the runs whose files are in a folder or its subfolders."""
    kinds = {
        "*.log.jsonl": _training,
        _INDEX: _library,
        "run.json": _reproduction,
        "report.json": _report,
    }
    for pattern, read in kinds.items():
        try:
            paths = chain(folder.glob(pattern), folder.glob(f"*/{pattern}"))
            found = list(islice(paths, 20 * MOST))
        except OSError:
            continue
        for path in sorted(found, key=newest, reverse=True)[:MOST]:
            try:
                run = read(path)
            except (OSError, RiverboatError, ValueError, AttributeError, TypeError):
                continue  # another program's file, or a file that is being written
            if run is not None:
                yield run


def _age(*paths: Path) -> float:
    return max(0.0, time.time() - newest(*paths))


def _training(path: Path) -> Watched | None:
    """Read the log of a training run."""
    found = path.stat()
    if found.st_size > _MOST_FILE:
        return None
    lines = _lines(path, found.st_mtime_ns, found.st_size)
    if not lines:
        return None
    last, age = lines[-1], _age(path)
    failed = last.get("event") == "failed"
    state = "failed" if failed else state_of(last.get("event") in ("finished", "stopped"), age)
    facts = {name: last.get(name) for name in _TRAINING}
    curve, measure = _curve(lines)
    name, problem = path.name.removesuffix(".log.jsonl"), str(last.get("problem") or "")
    share = _share_of(last.get("seconds"), last.get("seconds_left"))
    return Watched(
        "training", name, str(path), state, age, facts, curve, measure, None, problem, share
    )


def _share_of(seconds: object, left: object) -> float | None:
    """Return the part of a run that is done, by its time; None if unknown."""
    if not isinstance(seconds, int | float) or not isinstance(left, int | float):
        return None
    return seconds / (seconds + left) if seconds + left > 0 else None


@lru_cache(maxsize=MOST)
def _lines(path: Path, changed: int, size: int) -> list[dict[str, Any]]:
    """Read a log once per change, because pages ask every few seconds."""
    del changed, size
    return list(read_log(path))


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
        return thinned(points, _MOST_POINTS), "exploitability, chips/hand"
    points = [
        (line["seconds"], line["average_regret"], None, None)
        for line in lines
        if line.get("average_regret") is not None
    ]
    return thinned(points, _MOST_POINTS), "average regret, chips"


def _json_object(path: Path) -> dict[str, Any] | None:
    """Read a JSON object; None if the file has none."""
    if path.stat().st_size > _MOST_FILE:
        return None
    value = json.loads(path.read_text(encoding="utf-8"))
    return value if isinstance(value, dict) else None


def _library(path: Path) -> Watched | None:
    """Read the index of a library of spots; estimate the time left."""
    index = _json_object(path)
    if index is None or index.get("kind") != _LIBRARY:
        return None
    folder, spots = path.parent, index["spots"]
    solved = [each for each in spots if each["state"] == "solved"]
    left = len(spots) - len(solved)
    age = _age(path, *folder.glob("*.log.jsonl"), *folder.glob("*.checkpoint"))
    mean = sum(each["seconds"] for each in solved) / max(len(solved), 1)
    facts = {
        "spots": len(spots),
        "solved": len(solved),
        "under_way": [each.stem for each in sorted(folder.glob("*.checkpoint"))],
        "seconds_left": left * mean if left and solved else None,
    }
    share = len(solved) / len(spots) if spots else None
    state = state_of(not left, age)
    return Watched("library", folder.name, str(path), state, age, facts, share=share)


def _reproduction(path: Path) -> Watched | None:
    """Read the files of a reproduction."""
    folder = path.parent
    run, log = _json_object(path), folder / "log.jsonl"
    if run is None or "name" not in run:
        return None
    age = _age(path, log, *folder.glob("*.jsonl"), *folder.glob("*.checkpoint"))
    lines = [json.loads(line) for line in _tail(log)] if log.is_file() else []
    done = [each["step"] for each in lines if each.get("event") == "done"]
    steps = find_reproduction(run["name"]).steps
    begun = [each["step"] for each in lines if each.get("event") == "begun"]
    failed = bool(lines) and lines[-1].get("event") == "failed"
    over = (folder / "report.json").is_file()
    state = "failed" if failed and not over else state_of(over, age)
    facts = {
        "reproduction": run["name"],
        "effort": run.get("effort"),
        "steps": f"{len(set(done))} of {len(steps)}",
        "steps_done": done,
        "now": begun[-1] if begun and begun[-1] not in done and state == "running" else None,
        "seconds": sum(float(each.get("seconds", 0)) for each in lines),
    }
    share = len(set(done)) / len(steps) if steps else None
    return Watched("reproduction", folder.name, str(path), state, age, facts, share=share)


def _tail(path: Path) -> list[str]:
    """Return the last complete lines."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 100_000))
        lines = file.read().decode(errors="replace").splitlines()[-200:]
    return [line for line in lines if line.startswith("{") and line.endswith("}")]


def _report(path: Path) -> Watched | None:
    """Read a finished report of a reproduction or the demo."""
    report = _json_object(path)
    if report is None:
        return None
    facts = {name: report.get(name) for name in ("title", "effort", "seconds", "command")}
    page = path.with_name(REPORT_FILES[2])
    facts["page"] = str(page) if page.is_file() else None
    name = str(report.get("title") or path.parent.name)
    return Watched("report", name, str(path), "finished", _age(path), facts)
