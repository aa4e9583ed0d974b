"""Converts the jobs of a 0.2 data folder to the files of `riverboat.runs.Jobs`.

In 0.2 a match was one file, a solve a request next to its solution and log, a review a folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from riverboat.errors import DamagedFileError, RiverboatError, in_words
from riverboat.runs import JobRecord, thinned
from riverboat.spots import SolveFiles
from riverboat.web._matches import MatchState, Played
from riverboat.web._reviews import ReviewAsked, ReviewFound
from riverboat.web._solves import NewSolve, point_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from riverboat.runs import JobState
    from riverboat.web._house import House

_MATCH: Final = ".match.json"
_SOLVE: Final = ".solve.json"


class _OldReview(ReviewFound, frozen=True, kw_only=True):
    """The `state.json` of a review in 0.2."""

    id: str
    state: Literal["running", "solving", "finished", "failed"]
    error: str = ""


def convert_jobs(house: House) -> None:
    """Convert the files of all jobs; damaged ones are set aside."""
    for path in sorted(house.room("matches").glob(f"*{_MATCH}")):
        _convert(house, path, _match)
    for path in sorted(house.room("solves").glob(f"*{_SOLVE}")):
        _convert(house, path, _solve)
    for path in sorted(house.room("reviews").glob("*/asked.json")):
        _convert(house, path.parent, _review)


def _convert(house: House, path: Path, read: Callable[[Path, House], JobRecord[Any, Any]]) -> None:
    try:
        record = read(path, house)
        record.write(path.parent)
        leftovers = (path / name for name in ("asked.json", "state.json", "ended"))
        for old in leftovers if path.is_dir() else (path, path.parent / f"{record.id}.stopped"):
            old.unlink(missing_ok=True)
    except Exception as error:  # one damaged job must not stop the conversion
        house.set_aside(path, in_words(error))


def _match(path: Path, house: House) -> JobRecord[Any, Any]:
    del house
    old = msgspec.json.decode(path.read_bytes(), type=MatchState)
    if old.id != path.name.removesuffix(_MATCH):
        raise DamagedFileError(f"it names the match {old.id[:40]!r}")
    return JobRecord(
        id=old.id,
        began=path.stat().st_mtime,
        asked=old.asked,
        state=old.state,
        report=Played(old.done, old.deals),
        result=old.result,
        problem=old.problem,
    )


def _solve(path: Path, house: House) -> JobRecord[Any, Any]:
    asked = msgspec.json.decode(path.read_bytes(), type=NewSolve)
    number = path.name.removesuffix(_SOLVE)
    files = SolveFiles.of(path.with_name(number))
    report: dict[str, Any] | None = None
    points: list[tuple[float, ...]] = []
    try:
        for report in files.read_log():
            points = [*(old for old in points if old[0] < report["iteration"]), point_of(report)]
    except (RiverboatError, OSError, ValueError, KeyError, TypeError) as error:
        house.set_aside(files.log, in_words(error))
        report, points = None, []
    state: JobState = "waiting"  # not stopped by a user: the server was killed
    if files.solution.exists() and not files.checkpoint.exists():
        state = "finished"
    elif path.with_name(f"{number}.stopped").exists():
        state = "stopped"
    return JobRecord(
        id=number,
        began=path.stat().st_mtime,
        asked=asked,
        state=state,
        report=report,
        points=thinned(points),
    )


def _review(room: Path, house: House) -> JobRecord[Any, Any]:
    asked = msgspec.json.decode((room / "asked.json").read_bytes(), type=ReviewAsked)
    state: JobState = "waiting"
    found, problem = None, ""
    try:
        old = msgspec.json.decode((room / "state.json").read_bytes(), type=_OldReview)
        found = msgspec.convert(msgspec.structs.asdict(old), ReviewFound)
        if old.state == "finished" or old.state == "failed":  # noqa: PLR1714 - for its type
            state, problem = old.state, old.error
    except FileNotFoundError:
        pass  # the review had not started
    except (OSError, ValueError, RecursionError) as error:
        house.set_aside(room / "state.json", in_words(error))
    if state == "waiting" and (room / "ended").exists():
        state = "stopped"
    return JobRecord(
        id=room.name,
        began=(room / "asked.json").stat().st_mtime,
        asked=asked,
        state=state,
        report=found,
        problem=problem,
    )
