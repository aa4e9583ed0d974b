"""One review in a process of its own, which is started with its folder as argument.

What strangers wrote is read here, with bounds on memory and time, never in the server. The folder
has `hands`, the file that was dropped, and `asked.json`; the process writes `state.json`, whole
each time, and `page.html`.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from riverboat.blueprint import Blueprint
from riverboat.errors import ReviewError, RiverboatError
from riverboat.evaluate import action_values, missing_action_values
from riverboat.files import atomic_path
from riverboat.review import (
    Grader,
    SolvedStore,
    read_hands,
    review_hands,
    solve_review,
    write_review,
)

if TYPE_CHECKING:
    from riverboat.evaluate import ActionValues
    from riverboat.review import Decision, Review

__all__ = ["MOST_ROWS", "ReviewAsked", "ReviewState", "main"]

MOST_ROWS: Final = 500
_MOST_MEMORY: Final = 4 << 30
_MOST_SECONDS: Final = 3600


class ReviewAsked(msgspec.Struct, frozen=True):
    """What the process is told."""

    name: str
    strategy: str
    file: str
    player: str = ""
    solve: bool = False


class ReviewState(msgspec.Struct, frozen=True):
    """How a review stands, and what it found."""

    id: str
    name: str
    strategy: str
    state: str
    """`running`, `solving`, `finished` or `failed`."""
    done: int = 0
    total: int = 0
    error: str = ""
    player: str = ""
    hands: int = 0
    graded: int = 0
    multiway: int = 0
    refused: int = 0
    left_out: int = 0
    """Decisions that cost less than those that are listed."""
    totals: list[dict[str, Any]] = []
    results: dict[str, Any] = {}
    decisions: list[dict[str, Any]] = []
    """Those that cost, the dearest first."""
    apart: list[dict[str, Any]] = []
    """Hands that are not graded, with the reason."""


class _Job:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        asked = (folder / "asked.json").read_bytes()
        self.asked = msgspec.json.decode(asked, type=ReviewAsked)

    def tell(self, state: str, **more: Any) -> None:
        """Write how it stands."""
        known = ReviewState(self.folder.name, self.asked.name, self.asked.strategy, state, **more)
        with atomic_path(self.folder / "state.json") as temporary:
            temporary.write_bytes(msgspec.json.encode(known))

    def run(self) -> None:
        """Read, grade, and solve if that is wanted."""
        source = read_hands(str(self.folder / "hands"))
        if not source.hands:
            why = f": {source.refused[0][1]}" if source.refused else ""
            raise ReviewError(f"there is no hand that can be reviewed{why}")
        blueprint = Blueprint.open(self.asked.file)
        query = blueprint.query(threshold=blueprint.threshold)

        def walked(done: int, total: int) -> None:
            self.tell("running", done=done, total=total)

        table = _table(blueprint, walked)
        review = review_hands(
            source.hands,
            Grader(query, table),
            player=self.asked.player,
            strategy=self.asked.strategy,
            refused=source.refused,
        )
        if self.asked.solve:
            for step in solve_review(review, source.hands, query, SolvedStore()):
                review = step.review
                self.found("solving", review, done=step.done, total=step.total)
        write_review(self.folder / "page.html", review, f"Review of {self.asked.name}")
        self.found("finished", review)

    def found(self, state: str, review: Review, **more: int) -> None:
        """Write what was found."""
        costly = review.costly
        apart = [each for each in review.hands if not each.graded and each.decisions]
        self.tell(
            state,
            player=review.player,
            hands=len(review.hands),
            graded=len(review.graded_hands),
            multiway=sum(each.multiway for each in review.hands),
            refused=len(review.refused),
            left_out=max(0, len(costly) - MOST_ROWS),
            totals=[each.as_dict() for each in review.totals()],
            results={name: each.as_values() for name, each in review.results().items()},
            decisions=[_row(each) for each in costly[:MOST_ROWS]],
            apart=[msgspec.to_builtins(each) for each in apart[:MOST_ROWS]],
            **more,
        )


def _row(each: Decision) -> dict[str, Any]:
    values: dict[str, Any] = msgspec.to_builtins(each)
    return values


def _table(blueprint: Blueprint, walked: Any) -> ActionValues | None:
    usual = blueprint.cards is not None and blueprint.tree.num_players == 2
    if not usual or blueprint.tree.spec.has_discards:
        return None
    missing = missing_action_values(blueprint, blueprint.threshold)
    return action_values(blueprint, blueprint.threshold, walked if missing else None)


def _limit() -> None:
    """Bound memory and time where the system can, and give way to others."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (_MOST_SECONDS, _MOST_SECONDS))
        os.nice(5)


def main() -> None:
    """Do the review of the folder that the command line names; what goes wrong is told there."""
    _limit()
    job = _Job(Path(sys.argv[1]))
    try:
        job.run()
    except RiverboatError as error:
        job.tell("failed", error=str(error))
    except MemoryError:
        job.tell("failed", error="the hands take more memory than a review may have: cut the file")
