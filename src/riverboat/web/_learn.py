"""Routes for reviews, the trainer, preflop charts and the Watch page."""
# ruff: noqa: TC001 - annotations of routes are evaluated when the route is added

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec
from starlette.responses import Response

from riverboat.blueprint import shown_as
from riverboat.errors import RiverboatError
from riverboat.evaluate import missing_action_values
from riverboat.learn import (
    ChartBook,
    Question,
    SolutionDeck,
    StrategyDeck,
    Trainer,
    Wanted,
    charts_html,
    file_grader,
    progress_of,
)
from riverboat.report import Palette
from riverboat.spots import Solution
from riverboat.table import read_move
from riverboat.web._answers import Routes, answer
from riverboat.web._reviews import NewReview, Reviews, ReviewState
from riverboat.web._watch import MOST, Watched, files_watched
from riverboat.web._watch_jobs import jobs_watched
from riverboat.web._watch_ledger import LedgerWatch

if TYPE_CHECKING:
    from riverboat.blueprint import Blueprint
    from riverboat.learn import Deck, Grader
    from riverboat.web._app import Parts
    from riverboat.web._shelf import Strategy

#: Takes the place of a strategy name: all strategies.
ALL: Final = "all"


class Charts(msgspec.Struct, frozen=True):
    """The preflop charts of a strategy."""

    name: str
    depth_bb: float
    threshold: float
    shown: str
    """As trained, or as played, in words."""
    charts: list[dict[str, Any]]


class DeckFound(msgspec.Struct, frozen=True):
    """A source of questions."""

    name: str
    kind: Literal["blueprint", "solution", "library"]
    game: str
    """Game of a strategy, for playing whole hands; empty for solutions."""
    spots: int
    """Number of solutions; 1 for a single file."""
    shown: str = ""
    """How a strategy is asked: as trained, or as played, in words."""


class DrillAsked(Wanted, frozen=True, forbid_unknown_fields=True):
    """A request for a question."""

    strategy: Annotated[str, msgspec.Meta(max_length=200)] = "default"


class Asked(msgspec.Struct, frozen=True):
    """A question."""

    question: Question
    again: bool
    """Whether it was asked before."""


class DrillAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to a question."""

    line: Annotated[str, msgspec.Meta(max_length=400)]
    board: Annotated[str, msgspec.Meta(max_length=20)]
    hole: Annotated[str, msgspec.Meta(max_length=8)]
    did: Annotated[str, msgspec.Meta(max_length=20)]
    strategy: Annotated[str, msgspec.Meta(max_length=200)] = "default"
    source: Annotated[str, msgspec.Meta(max_length=500)] = ""
    """Source of the question; names the solution within a folder."""


class Graded(msgspec.Struct, frozen=True):
    """The grade of an answer."""

    grade: dict[str, Any]
    rating: str
    loss_bb: float | None
    error_bb: float
    due: str
    """When the question is asked again."""


class DrillProgress(msgspec.Struct, frozen=True):
    """Results of all answers, by street."""

    progress: list[dict[str, Any]]


class Deleted(msgspec.Struct, frozen=True):
    """How many answers were deleted."""

    answers: int


def learn_routes(parts: Parts) -> Routes:
    """Return routes for reviews, the trainer, charts and runs."""
    routes, ledger = Routes("learn"), LedgerWatch()
    _review_routes(routes, parts.reviews)
    _chart_routes(routes, parts)
    _drill_routes(routes, parts)

    @routes.get("/watch")
    def watch() -> list[Watched]:
        """List the runs and reports of this user's folders and ledger, running ones first."""
        places = dict.fromkeys([*parts.house.folders, Path.cwd()])
        runs = [each for folder in places for each in files_watched(folder)]
        jobs = [*jobs_watched(parts)]
        ours = {each.name for each in jobs if each.kind == "match"}
        entries = [e for e in ledger.runs() if e.state == "finished" or e.name not in ours]
        found = {each.place: each for each in (*jobs, *entries, *runs)}
        order = {"running": 0, "waiting": 0, "failed": 1, "stopped": 1, "silent": 2, "finished": 3}
        return sorted(found.values(), key=lambda each: (order[each.state], each.seen))[:MOST]

    return routes


def _review_routes(routes: Routes, reviews: Reviews) -> None:
    @routes.get("/reviews")
    async def list_reviews() -> list[ReviewState]:
        """List the reviews."""
        return reviews.all()

    @routes.post("/reviews")
    def new(review: NewReview) -> ReviewState:
        """Start a review of a file of hands, in its own process."""
        return reviews.state(reviews.begin(review))

    @routes.get("/reviews/{number}")
    async def state(number: str) -> ReviewState:
        """Return the state and results of a review."""
        return reviews.state(reviews.find(number))

    @routes.post("/reviews/{number}/stop")
    def stop(number: str) -> ReviewState:
        """Stop a review; solved spots are kept."""
        return reviews.state(reviews.stop(reviews.find(number).id))

    @routes.post("/reviews/{number}/resume")
    def resume(number: str) -> ReviewState:
        """Start a review again that was stopped or failed."""
        return reviews.state(reviews.resume(reviews.find(number).id))

    @routes.get("/reviews/{number}/page")
    def page(number: str) -> Response:
        """Download a review as one HTML file."""
        return _download(reviews.page(number), "review.html")

    @routes.delete("/reviews/{number}")
    def forget(number: str) -> Deleted:
        """Stop a review and delete it with its hands."""
        reviews.stop(reviews.find(number).id)
        reviews.forget(number)
        return Deleted(0)


def _download(content: bytes, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type="text/html; charset=utf-8", headers=headers)


def _chart_routes(routes: Routes, parts: Parts) -> None:
    def book(strategy: str, palette: Palette) -> ChartBook:
        blueprint = parts.shelf.blueprint(strategy)
        return ChartBook.of(blueprint, strategy, threshold=blueprint.threshold, palette=palette)

    def books(palette: Palette) -> list[ChartBook]:
        """Return the charts of all strategies that have them, smallest stacks first."""
        found = []
        for each in parts.shelf.all():
            with suppress(RiverboatError):  # another game, or a solution
                found.append(book(each.name, palette))
        return sorted(found, key=lambda each: each.depth)

    @routes.get("/charts")
    def charts(strategy: str = "default", palette: Palette = "usual") -> Charts:
        """Return the preflop charts of a strategy, as played."""
        return msgspec.convert(book(strategy, palette).as_dict(), Charts)

    @routes.get("/charts/depths")
    def depths(palette: Palette = "usual") -> list[Charts]:
        """Return the preflop charts of all strategies, smallest stacks first."""
        return [msgspec.convert(each.as_dict(), Charts) for each in books(palette)]

    @routes.get("/charts/page")
    def page(strategy: str = "default", palette: Palette = "usual") -> Response:
        """Download charts as one printable HTML file; strategy `all` compares stack depths."""
        found = books(palette) if strategy == ALL else [book(strategy, palette)]
        return _download(charts_html(found).encode(), "charts.html")


def _drill_routes(routes: Routes, parts: Parts) -> None:
    def trainer(strategy: str, wanted: Wanted | None = None) -> Trainer:
        return Trainer(_deck(strategy, parts), parts.history(), wanted)

    @routes.get("/drill/decks")
    def decks() -> list[DeckFound]:
        """List the sources of questions: strategies, solutions and folders of solutions."""
        return _decks(parts)

    @routes.post("/drill/question")
    def question(wish: DrillAsked) -> Asked:
        """Return a question: one that is due, else a new one."""
        return Asked(*trainer(wish.strategy, wish).ask())

    @routes.post("/drill/answer")
    def grade(given: DrillAnswer) -> Graded:
        """Grade an answer and save it."""
        teacher = trainer(given.strategy)
        known = teacher.deck.again(given.line, given.board, given.hole, given.source)
        result = teacher.answer(known, _move(teacher.deck, known, given.did))
        grades = msgspec.to_builtins(result.grade)
        due = result.due.isoformat()
        return Graded(grades, result.rating, result.loss_bb, result.error_bb, due)

    @routes.get("/drill/progress")
    def progress() -> DrillProgress:
        """Return the results of all answers, by street."""
        rows = progress_of(parts.history().answers())
        return DrillProgress([each.as_dict() for each in rows])

    @routes.get("/drill/export")
    def export() -> Response:
        """Return all answers as JSON."""
        rows = parts.history().answers()
        return answer({"answers": [msgspec.to_builtins(each) for each in rows]})

    @routes.delete("/drill")
    def delete() -> Deleted:
        """Delete all questions and answers."""
        return Deleted(parts.history().delete())


def _decks(parts: Parts) -> list[DeckFound]:
    shelf = parts.shelf
    files = [_deck_found(shelf.open(each.name), each) for each in shelf.all()]
    folders = [
        DeckFound(name, "library", "", len(paths)) for name, paths in shelf.libraries().items()
    ]
    return [*files, *folders]


def _deck_found(found: Blueprint | Solution, each: Strategy) -> DeckFound:
    if isinstance(found, Solution):
        return DeckFound(each.name, each.kind, "", 1)
    return DeckFound(each.name, each.kind, each.game, 1, shown_as(found.threshold))


def _deck(strategy: str, parts: Parts) -> Deck:
    library = parts.shelf.libraries().get(strategy)
    if library is not None:
        return SolutionDeck(strategy, library)
    found = parts.shelf.open(strategy)
    if isinstance(found, Solution):
        return SolutionDeck(strategy, [parts.shelf.paths()[strategy]])
    table = not missing_action_values(found, found.threshold)
    return StrategyDeck(strategy, _grader(found, table))


def _move(deck: Deck, question: Question, text: str) -> str:
    """Translate a move such as `half` into an action."""
    if text in question.options or not isinstance(deck, StrategyDeck):
        return text
    return str(read_move(text, deck.hand(question.line, question.board, question.hole)))


@lru_cache(maxsize=4)
def _grader(found: Blueprint, table: bool) -> Grader:
    """Return a grader of an open strategy; `table` says whether its EV table exists."""
    del table  # part of the cache key only
    return file_grader(found)
