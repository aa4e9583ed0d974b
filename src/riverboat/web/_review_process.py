"""One review, in a process of its own.

What strangers wrote is read here, with bounds on memory and time, never in the server. Its folder
has `hands`, the file that was dropped; the process writes `page.html` beside it.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from riverboat.blueprint import Blueprint
from riverboat.bots import BotRef, named_bot
from riverboat.errors import ReviewError
from riverboat.learn import (
    SolvedStore,
    file_grader,
    luck_scorer,
    read_hands,
    review_hands,
    solve_review,
    write_review,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from riverboat.blueprint import Query
    from riverboat.bots import Bot
    from riverboat.learn import Review, Source
    from riverboat.runs import JobPipe

MOST_ROWS: Final = 500
_MOST_MEMORY: Final = 4 << 30
_MOST_SECONDS: Final = 3600
_EVERY: Final = 1.0  # second


class ReviewAsked(msgspec.Struct, frozen=True):
    """A review that is asked for, without its hands."""

    name: str
    strategy: str
    player: str = ""
    solve: bool = False
    against: str = ""
    """The bot that the other was, for AIVAT."""


class ReviewFound(msgspec.Struct, frozen=True):
    """How far a review is, and what it found."""

    doing: str = ""
    """What `done` and `total` count: `reading`, `values`, `luck`, `hands` or `streets`."""
    done: int = 0
    total: int = 0
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


class _Review:
    def __init__(
        self, pipe: JobPipe, asked: ReviewAsked, folder: Path, file: str, against: str
    ) -> None:
        self.pipe, self.asked, self.folder = pipe, asked, folder
        self.file, self.against = file, against

    def run(self) -> None:
        """Read, grade, and solve if that is wanted."""
        self.pipe.send(ReviewFound("reading"))
        source = read_hands(str(self.folder / "hands"))
        if not source.hands:
            why = f": {source.refused[0][1]}" if source.refused else ""
            raise ReviewError(f"there is no hand that can be reviewed{why}")
        blueprint, asked = Blueprint.open(self.file), self.asked
        grader = file_grader(blueprint, make=True, progress=self._counts("values"))
        scorer = None
        if self.against:
            scorer = luck_scorer(
                self.against, source.hands[0].spec, self._counts("luck"), self._bot
            )
        review = review_hands(
            source.hands,
            grader,
            player=asked.player,
            strategy=asked.strategy,
            refused=source.refused,
            scorer=scorer,
            progress=self._counts("hands"),
        )
        if asked.solve:
            review = self._solve(review, source, grader.query)
        write_review(self.folder / "page.html", review, f"Review of {asked.name}")
        self.found(review)

    def _bot(self, text: str, seed: int) -> Bot:
        """Make the opponent; its strategy file was chosen by the server."""
        file = BotRef.parse(text).file
        return named_bot(text, seed, "the review", [file] if file else [])

    def _solve(self, review: Review, source: Source, query: Query) -> Review:
        """Solve; what is found is shown now and then."""
        latest, shown = review, 0.0
        for step in solve_review(review, source.hands, query, SolvedStore()):
            if step.done == step.total or time.monotonic() > shown + _EVERY:
                latest = step.review
                self.found(latest, "streets", step.done, step.total)
                shown = time.monotonic()
        return latest

    def _counts(self, doing: str) -> Callable[[int, int], None]:
        """Tell how far something is, not oftener than a page looks."""
        shown = [0.0]

        def tell(done: int, total: int) -> None:
            if time.monotonic() > shown[0] + _EVERY:
                self.pipe.send(ReviewFound(doing, done, total))
                shown[0] = time.monotonic()

        return tell

    def found(self, review: Review, doing: str = "", done: int = 0, total: int = 0) -> None:
        """Send what was found."""
        costly = review.costly
        apart = [each for each in review.hands if not each.graded and each.decisions]
        found = ReviewFound(
            doing=doing,
            done=done,
            total=total,
            player=review.player,
            hands=len(review.hands),
            graded=len(review.graded_hands),
            multiway=sum(each.multiway for each in review.hands),
            refused=len(review.refused),
            left_out=max(0, len(costly) - MOST_ROWS),
            totals=[each.as_dict() for each in review.totals()],
            results={name: each.as_values() for name, each in review.results().items()},
            decisions=[msgspec.to_builtins(each) for each in costly[:MOST_ROWS]],
            apart=[msgspec.to_builtins(each) for each in apart[:MOST_ROWS]],
        )
        self.pipe.send(found)


def _limit() -> None:
    """Bound memory and time where the system can, and give way to others."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (_MOST_SECONDS, _MOST_SECONDS))
        os.nice(5)


def _end_with_server(pipe: JobPipe) -> None:
    """End where the server was killed: it holds the other end of the pipe."""
    with suppress(EOFError):
        while True:
            pipe.receive(None)
    os._exit(1)


def review_here(pipe: JobPipe, asked: bytes, folder: str, file: str, against: str) -> None:
    """Review the hands of a folder by a strategy file."""
    threading.Thread(target=_end_with_server, args=(pipe,), daemon=True).start()
    _limit()
    told = msgspec.json.decode(asked, type=ReviewAsked)
    _Review(pipe, told, Path(folder), file, against).run()
