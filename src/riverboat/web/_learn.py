"""Routes to learn from: reviews of hands, the trainer, preflop charts, what runs."""
# ruff: noqa: TC001 - annotations of routes are read when they are added

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec
from starlette.responses import Response

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
from riverboat.web._watch import MOST, Watched, files_watched, process_folders
from riverboat.web._watch_ledger import LedgerWatch

if TYPE_CHECKING:
    from riverboat.blueprint import Blueprint
    from riverboat.learn import Deck, Grader
    from riverboat.web._app import Parts

#: In place of a strategy: all that there are.
ALL: Final = "all"


class Charts(msgspec.Struct, frozen=True):
    """The preflop charts of a strategy."""

    name: str
    depth_bb: float
    threshold: float
    charts: list[dict[str, Any]]


class DeckFound(msgspec.Struct, frozen=True):
    """Where questions can come from."""

    name: str
    kind: Literal["blueprint", "solution", "library"]
    game: str
    """Of a strategy: whole hands of it can be played; else empty."""
    spots: int
    """Solutions of a folder."""


class DrillAsked(Wanted, frozen=True, forbid_unknown_fields=True):
    """Which questions are wanted, and of what."""

    strategy: Annotated[str, msgspec.Meta(max_length=200)] = "default"


class Asked(msgspec.Struct, frozen=True):
    """A question."""

    question: Question
    again: bool


class DrillAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a person does at a question."""

    line: Annotated[str, msgspec.Meta(max_length=400)]
    board: Annotated[str, msgspec.Meta(max_length=20)]
    hole: Annotated[str, msgspec.Meta(max_length=8)]
    did: Annotated[str, msgspec.Meta(max_length=20)]
    strategy: Annotated[str, msgspec.Meta(max_length=200)] = "default"
    source: Annotated[str, msgspec.Meta(max_length=500)] = ""
    """Of the question: it tells solutions of one folder apart."""


class Graded(msgspec.Struct, frozen=True):
    """What came of an answer."""

    grade: dict[str, Any]
    rating: str
    loss_bb: float | None
    error_bb: float
    due: str


class DrillProgress(msgspec.Struct, frozen=True):
    """How well questions were answered."""

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
        """List what runs on this machine, and finished reports; what runs comes first."""
        places = dict.fromkeys([*parts.house.folders, Path.cwd(), *process_folders()])
        runs = [each for folder in places for each in files_watched(folder)]
        found = {each.place: each for each in (*ledger.runs(), *runs)}
        order = {"running": 0, "silent": 1, "finished": 2}
        return sorted(found.values(), key=lambda each: (order[each.state], each.seen))[:MOST]

    return routes


def _review_routes(routes: Routes, reviews: Reviews) -> None:
    @routes.get("/reviews")
    async def list_reviews() -> list[ReviewState]:
        """List the reviews."""
        return reviews.all()

    @routes.post("/reviews")
    def new(review: NewReview) -> ReviewState:
        """Review a file of hands, in a process of its own."""
        return reviews.state(reviews.begin(review))

    @routes.get("/reviews/{number}")
    async def state(number: str) -> ReviewState:
        """Say how a review stands, and what it found."""
        return reviews.state(reviews.find(number))

    @routes.get("/reviews/{number}/page")
    def page(number: str) -> Response:
        """Give the review as one HTML file to be saved."""
        return _download(reviews.page(number), "review.html")

    @routes.delete("/reviews/{number}")
    def forget(number: str) -> Deleted:
        """End a review and delete it with its hands."""
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
        """Of all strategies that have charts, the shallowest first."""
        found = []
        for each in parts.shelf.all():
            with suppress(RiverboatError):  # another game, or a solved spot
                found.append(book(each.name, palette))
        return sorted(found, key=lambda each: each.depth)

    @routes.get("/charts")
    def charts(strategy: str = "default", palette: Palette = "usual") -> Charts:
        """Give the preflop charts of a strategy, as it is played."""
        return msgspec.convert(book(strategy, palette).as_dict(), Charts)

    @routes.get("/charts/depths")
    def depths(palette: Palette = "usual") -> list[Charts]:
        """Give the preflop charts of all strategies, the shallowest first."""
        return [msgspec.convert(each.as_dict(), Charts) for each in books(palette)]

    @routes.get("/charts/page")
    def page(strategy: str = "default", palette: Palette = "usual") -> Response:
        """Give the charts as one HTML file to be printed; of `all` strategies by depth."""
        found = books(palette) if strategy == ALL else [book(strategy, palette)]
        return _download(charts_html(found).encode(), "charts.html")


def _drill_routes(routes: Routes, parts: Parts) -> None:
    def trainer(strategy: str, wanted: Wanted | None = None) -> Trainer:
        return Trainer(_deck(strategy, parts), parts.history(), wanted)

    @routes.get("/drill/decks")
    def decks() -> list[DeckFound]:
        """List where questions can come from: strategies, solutions and folders of solutions."""
        return _decks(parts)

    @routes.post("/drill/question")
    def question(wish: DrillAsked) -> Asked:
        """Ask for a decision: one that is due, else a new one."""
        return Asked(*trainer(wish.strategy, wish).ask())

    @routes.post("/drill/answer")
    def grade(given: DrillAnswer) -> Graded:
        """Grade an answer and remember it."""
        teacher = trainer(given.strategy)
        known = teacher.deck.again(given.line, given.board, given.hole, given.source)
        found = teacher.answer(known, _move(teacher.deck, known, given.did))
        told = msgspec.to_builtins(found.grade)
        return Graded(told, found.rating, found.loss_bb, found.error_bb, found.due.isoformat())

    @routes.get("/drill/progress")
    def progress() -> DrillProgress:
        """Say how well questions were answered, by street."""
        rows = progress_of(parts.history().answers())
        return DrillProgress([each.as_dict() for each in rows])

    @routes.get("/drill/export")
    def export() -> Response:
        """Give all answers as JSON."""
        rows = parts.history().answers()
        return answer({"answers": [msgspec.to_builtins(each) for each in rows]})

    @routes.delete("/drill")
    def delete() -> Deleted:
        """Delete all questions and answers."""
        return Deleted(parts.history().delete())


def _decks(parts: Parts) -> list[DeckFound]:
    shelf = parts.shelf
    files = [
        DeckFound(each.name, each.kind, each.game if each.kind == "blueprint" else "", 1)
        for each in shelf.all()
    ]
    folders = [
        DeckFound(name, "library", "", len(paths)) for name, paths in shelf.libraries().items()
    ]
    return [*files, *folders]


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
    """A move as people write it, such as `half`, as an action."""
    if text in question.options or not isinstance(deck, StrategyDeck):
        return text
    return str(read_move(text, deck.hand(question.line, question.board, question.hole)))


@lru_cache(maxsize=4)
def _grader(found: Blueprint, table: bool) -> Grader:
    """What grades by a strategy that is open, with its table of values if that is made."""
    del table  # once it is made, there is another grader
    return file_grader(found)
