"""Reviews of hand history files: one at a time, each in its own process.

The process reads the untrusted file, with limits on memory and time; the server never parses it.
The folder of a review has the uploaded file, `hands`, and the report, `page.html`.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
import numpy as np

from riverboat.blueprint import Blueprint
from riverboat.bots import BotRef, named_bot
from riverboat.errors import ReviewError
from riverboat.files import atomic_path
from riverboat.learn import (
    SolvedStore,
    file_grader,
    known_bot,
    luck_scorer,
    read_hands,
    review_hands,
    solve_review,
    write_review,
)
from riverboat.runs import Job, JobProcess, Jobs
from riverboat.statistics import mean_estimate
from riverboat.web._process import begin_process

if TYPE_CHECKING:
    from collections.abc import Callable

    from riverboat.blueprint import Query
    from riverboat.bots import Bot
    from riverboat.learn import Review, Source
    from riverboat.runs import JobPipe
    from riverboat.web._shelf import Shelf

    ReviewJob = Job["ReviewAsked", "ReviewFound"]

#: Size limit of an upload in characters: more than 50,000 hands.
MOST_UPLOAD: Final = 96_000_000
_MOST_KEPT: Final = 20
_MOST_ROWS: Final = 500
_MOST_POINTS: Final = 60
_EVERY: Final = 1.0  # second


class ReviewAsked(msgspec.Struct, frozen=True):
    """The request for a review, without its hands."""

    name: str
    strategy: str
    player: str = ""
    solve: bool = False
    against: str = ""
    """The bot that the opponent was, for AIVAT; empty if human or unknown."""


class ReviewFound(msgspec.Struct, frozen=True):
    """The progress and results of a review."""

    doing: str = ""
    """The step that `done` and `total` count: `reading`, `values`, `luck`, `hands` or `streets`."""
    done: int = 0
    total: int = 0
    seconds_left: float | None = None
    """Of this step."""
    player: str = ""
    hands: int = 0
    graded: int = 0
    multiway: int = 0
    refused: int = 0
    left_out: int = 0
    """Number of smaller mistakes that are not listed."""
    totals: list[dict[str, Any]] = []
    results: dict[str, Any] = {}
    decisions: list[dict[str, Any]] = []
    """Decisions with an EV loss, biggest mistakes first."""
    apart: list[dict[str, Any]] = []
    """Hands that were not graded, with the reason."""
    curve: list[tuple[float, ...]] = []
    """(hands, mean, low, high) of the EV loss in bb per 100 hands, with a 95 % interval."""


class NewReview(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of hands to be reviewed."""

    text: Annotated[str, msgspec.Meta(max_length=MOST_UPLOAD)]
    """Content of the file."""
    name: Annotated[str, msgspec.Meta(max_length=200)] = "hands"
    strategy: Annotated[str, msgspec.Meta(max_length=200)] = "default"
    player: Annotated[str, msgspec.Meta(max_length=100)] = ""
    solve: bool = False
    against: Annotated[
        str, msgspec.Meta(max_length=200, description="opponent, if it was a bot; used for AIVAT")
    ] = ""


class ReviewState(ReviewFound, frozen=True, kw_only=True):
    """The state and results of a review."""

    id: str
    name: str
    strategy: str
    state: str
    """`waiting`, `running`, `solving`, `finished`, `stopped` or `failed`."""
    error: str = ""


class Reviews(Jobs[ReviewAsked, ReviewFound]):
    """All reviews of a server.

    Parameters
    ----------
    folder
        The folder of all reviews.
    shelf
        The strategies that may be named.
    """

    def __init__(self, folder: Path, shelf: Shelf) -> None:
        super().__init__("review", folder, (ReviewAsked, ReviewFound), self._review)
        self._shelf, self._one = shelf, threading.Lock()

    def begin(self, asked: NewReview) -> ReviewJob:
        """Start a review; only the newest twenty are kept."""
        self._shelf.blueprint(asked.strategy)
        if asked.against:
            known_bot(self._shelf.bot(asked.against))
        request = ReviewAsked(asked.name, asked.strategy, asked.player, asked.solve, asked.against)
        with self._one:  # two requests at the same time must not both start
            if any(job.record.active for job in self):
                raise ReviewError("another review is running: wait for it, or delete it")
            for old in list(self)[: -(_MOST_KEPT - 1)]:
                self.forget(old.id)
            return self.new(request, lambda job: _write_hands(job, asked.text))

    @staticmethod
    def state(job: ReviewJob) -> ReviewState:
        """Return the state of a review."""
        record = job.record
        found = record.report or ReviewFound(doing="reading")
        solving = record.state == "running" and found.doing == "streets"
        return ReviewState(
            **msgspec.structs.asdict(found),
            id=record.id,
            name=record.asked.name,
            strategy=record.asked.strategy,
            state="solving" if solving else record.state,
            error=record.problem,
        )

    def all(self) -> list[ReviewState]:
        """Return all reviews, without their decisions, the newest first."""
        found = [self.state(job) for job in reversed(list(self))]
        return [msgspec.structs.replace(each, decisions=[], apart=[]) for each in found]

    def find(self, number: str) -> ReviewJob:
        """Return a review; an unknown number is an error."""
        if number not in self:
            raise ReviewError(f"there is no review {number[:40]!r}")
        return self[number]

    def page(self, number: str) -> bytes:
        """Return a review as one HTML file."""
        try:
            return (self.find(number).path() / "page.html").read_bytes()
        except OSError as error:
            raise ReviewError("the review is not finished") from error

    def _review(self, job: ReviewJob) -> bool | None:
        """Review in a process; files of the strategy and the bot are looked up in the server."""
        asked = job.asked
        file = str(self._shelf.blueprint(asked.strategy).path)
        against = self._shelf.bot(asked.against) if asked.against else ""
        given = msgspec.json.encode(asked), str(job.path()), file, against
        with JobProcess(review_here, *given) as process:
            for message in process.messages(job.stopping, process.kill):
                job.tell(msgspec.convert(message, ReviewFound))
        return None if job.stopping.is_set() else True


def _write_hands(job: ReviewJob, text: str) -> None:
    """Save the uploaded file."""
    with atomic_path(job.path() / "hands") as temporary:
        temporary.write_text(text, encoding="utf-8", newline="")


# ---- In the process of a review


class _Review:
    def __init__(
        self, pipe: JobPipe, asked: ReviewAsked, folder: Path, file: str, against: str
    ) -> None:
        self.pipe, self.asked, self.folder = pipe, asked, folder
        self.file, self.against = file, against

    def run(self) -> None:
        """Read and grade the hands, and solve if requested."""
        self.pipe.send(ReviewFound("reading"))
        source = read_hands(str(self.folder / "hands"))
        if not source.hands:
            why = f": {source.refused[0][1]}" if source.refused else ""
            raise ReviewError(f"the file has no hand that can be reviewed{why}")
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
        self.send(review)

    def _bot(self, text: str, seed: int) -> Bot:
        """Create the opponent; the server has chosen its strategy file."""
        return named_bot(text, seed, "the review", BotRef.parse(text).files)

    def _solve(self, review: Review, source: Source, query: Query) -> Review:
        """Solve turns and rivers; send results about once a second."""
        latest, shown, began = review, 0.0, time.monotonic()
        for step in solve_review(review, source.hands, query, SolvedStore()):
            if step.done == step.total or time.monotonic() > shown + _EVERY:
                latest = step.review
                self.send(latest, _step("streets", step.done, step.total, began))
                shown = time.monotonic()
        return latest

    def _counts(self, doing: str) -> Callable[[int, int], None]:
        """Return a function that sends the progress, at most once a second."""
        shown, began = [0.0], time.monotonic()

        def send(done: int, total: int) -> None:
            if time.monotonic() > shown[0] + _EVERY:
                self.pipe.send(_step(doing, done, total, began))
                shown[0] = time.monotonic()

        return send

    def send(self, review: Review, step: ReviewFound | None = None) -> None:
        """Send the results, and the progress of a step."""
        costly = review.costly
        ungraded = [hand for hand in review.hands if not hand.graded and hand.decisions]
        results = msgspec.structs.replace(
            step or ReviewFound(),
            player=review.player,
            hands=len(review.hands),
            graded=len(review.graded_hands),
            multiway=sum(each.multiway for each in review.hands),
            refused=len(review.refused),
            left_out=max(0, len(costly) - _MOST_ROWS),
            totals=[each.as_dict() for each in review.totals()],
            results={name: each.as_values() for name, each in review.results().items()},
            decisions=[msgspec.to_builtins(each) for each in costly[:_MOST_ROWS]],
            apart=[msgspec.to_builtins(each) for each in ungraded[:_MOST_ROWS]],
            curve=_curve(review),
        )
        self.pipe.send(results)


def _step(doing: str, done: int, total: int, began: float) -> ReviewFound:
    """Return the progress of a step, with the time left."""
    left = (time.monotonic() - began) * (total - done) / done if done else None
    return ReviewFound(doing, done, total, left)


def _curve(review: Review) -> list[tuple[float, ...]]:
    """Return the EV loss in bb per 100 hands after some of the graded hands, in their order."""
    losses = np.array([each.loss_bb for each in review.graded_hands])
    points: list[tuple[float, ...]] = []
    for hands in np.unique(np.linspace(2, len(losses), _MOST_POINTS).astype(int)).tolist():
        found = mean_estimate(losses[:hands]).scaled(100)
        points.append((hands, found.mean, *found.interval))
    return points if len(losses) > 1 else []


def review_here(pipe: JobPipe, asked: bytes, folder: str, file: str, against: str) -> None:
    """Review the hands of a folder with a strategy file."""
    begin_process(pipe)
    request = msgspec.json.decode(asked, type=ReviewAsked)
    _Review(pipe, request, Path(folder), file, against).run()
