"""Reviews that pages ask for: one at a time, each in a process of its own."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from riverboat.errors import ReviewError
from riverboat.files import atomic_path
from riverboat.learn import known_bot
from riverboat.runs import Job, JobProcess, Jobs
from riverboat.web._review_process import ReviewAsked, ReviewFound, review_here

if TYPE_CHECKING:
    from pathlib import Path

    from riverboat.web._shelf import Shelf

    ReviewJob = Job["ReviewAsked", "ReviewFound"]

#: Letters of a file of hands: more than 50,000 of them.
MOST_UPLOAD: Final = 96_000_000
_MOST_KEPT: Final = 20


class NewReview(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of hands to be reviewed."""

    text: Annotated[str, msgspec.Meta(max_length=MOST_UPLOAD)]
    """The file itself."""
    name: Annotated[str, msgspec.Meta(max_length=200)] = "hands"
    strategy: Annotated[str, msgspec.Meta(max_length=200)] = "default"
    player: Annotated[str, msgspec.Meta(max_length=100)] = ""
    solve: bool = False
    against: Annotated[
        str,
        msgspec.Meta(max_length=200, description="the bot that the other was: luck by AIVAT"),
    ] = ""


class ReviewState(ReviewFound, frozen=True, kw_only=True):
    """How a review stands, and what it found."""

    id: str
    name: str
    strategy: str
    state: str
    """`running`, `solving`, `finished` or `failed`."""
    error: str = ""

    @classmethod
    def of(cls, job: ReviewJob) -> ReviewState:
        """Return how a review stands."""
        record = job.record
        found = record.report or ReviewFound(doing="reading")
        state, error = str(record.state), record.problem
        if record.state == "running" and found.doing == "streets":
            state = "solving"
        elif record.state == "stopped":
            state, error = "failed", "it was ended: ask again, and it goes on with what is solved"
        return cls(
            **msgspec.structs.asdict(found),
            id=record.id,
            name=record.asked.name,
            strategy=record.asked.strategy,
            state=state,
            error=error,
        )


class Reviews:
    """All reviews of a server.

    Parameters
    ----------
    folder
        Where they are kept.
    shelf
        Strategies that may be asked for.
    """

    def __init__(self, folder: Path, shelf: Shelf) -> None:
        self.jobs = Jobs("review", folder, (ReviewAsked, ReviewFound), self._review)
        self._shelf, self._one = shelf, threading.Lock()

    def new(self, asked: NewReview) -> ReviewState:
        """Begin a review; the oldest beyond twenty are forgotten."""
        self._shelf.blueprint(asked.strategy)
        if asked.against:
            known_bot(self._shelf.bot(asked.against))
        told = ReviewAsked(asked.name, asked.strategy, asked.player, asked.solve, asked.against)
        with self._one:  # who asks at the same time is told of the other
            if any(job.record.active for job in self.jobs):
                raise ReviewError("another review runs: wait for it, or delete it")
            for old in list(self.jobs)[: -(_MOST_KEPT - 1)]:
                self.jobs.forget(old.id)
            return ReviewState.of(self.jobs.new(told, lambda job: _keep(job, asked.text)))

    def state(self, number: str) -> ReviewState:
        """Return how a review stands."""
        return ReviewState.of(self._job(number))

    def all(self) -> list[ReviewState]:
        """Return all reviews, without their decisions, the newest first."""
        found = [ReviewState.of(job) for job in reversed(list(self.jobs))]
        return [msgspec.structs.replace(each, decisions=[], apart=[]) for each in found]

    def page(self, number: str) -> bytes:
        """Return a review as one HTML file."""
        try:
            return (self._job(number).path() / "page.html").read_bytes()
        except OSError as error:
            raise ReviewError("the review is not finished") from error

    def forget(self, number: str) -> None:
        """End a review and delete all of it."""
        self._job(number)
        self.jobs.stop(number)
        self.jobs.forget(number)

    def _job(self, number: str) -> ReviewJob:
        if number not in self.jobs:
            raise ReviewError(f"there is no review {number[:40]!r}")
        return self.jobs[number]

    def _review(self, job: ReviewJob) -> bool | None:
        """Review in a process; strategy and bot are looked up here again."""
        asked = job.asked
        file = str(self._shelf.blueprint(asked.strategy).path)
        against = self._shelf.bot(asked.against) if asked.against else ""
        given = msgspec.json.encode(asked), str(job.path()), file, against
        with JobProcess(review_here, *given) as process:
            for message in process.messages(job.stopping, process.kill):
                job.tell(msgspec.convert(message, ReviewFound))
        return None if job.stopping.is_set() else True


def _keep(job: ReviewJob, text: str) -> None:
    """Write down what is to be reviewed."""
    with atomic_path(job.path() / "hands") as temporary:
        temporary.write_text(text, encoding="utf-8", newline="")
