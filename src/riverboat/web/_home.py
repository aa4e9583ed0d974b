"""Routes of the home page and of sessions."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

import msgspec
from anyio import to_thread
from fastapi import Request  # noqa: TC002 - FastAPI reads it
from starlette.responses import Response

from riverboat.blueprint import Blueprint, decisions_to
from riverboat.bots import all_bots
from riverboat.cards import built_strength, parse_cards
from riverboat.errors import ReviewError, RiverboatError
from riverboat.learn import Grader, StrategyDeck, Trainer, decisions_of, file_grader
from riverboat.report import hex_colour
from riverboat.web._answers import Routes
from riverboat.web._in_my_seat import Choice, in_my_seat
from riverboat.web._opponents import bot_of_name
from riverboat.web._reviews import NewReview, ReviewState
from riverboat.web._sessions import (
    SAMPLE,
    Asking,
    Format,
    Replayed,
    SessionFound,
    SessionRow,
    Sessions,
    own_seat,
)

if TYPE_CHECKING:
    from riverboat.histories import HandRecord
    from riverboat.web._app import Parts

_MOST_POINTS: Final = 400
_MOST_AGAIN: Final = 20  # mistakes of a session that the trainer takes over at once
_TWO: Final = 2
_SPOTS: Final = (
    ("Open the button", "Small blind, 100 bb", "", ""),
    ("Defend the big blind", "Against a raise to 2.5 bb", "b25", ""),
    ("Bet the flop", "Raised pot, in position", "b25c/k", "Ks7h2d"),
    ("Barrel the turn", "After a bet of half the pot", "b25c/kb25c/k", "Ks7h2d3c"),
)


class Example(msgspec.Struct, frozen=True):
    """A spot of the default strategy, with its matrix of 169 hands."""

    name: str
    words: str
    address: str
    """Its page in Study."""
    colours: list[str]
    """Of the actions."""
    cells: list[list[float]]
    """[169][actions]: frequencies; empty for hands that are never there."""


class Home(msgspec.Struct, frozen=True):
    """What the home page shows of this user."""

    due: int
    """Questions of the trainer that are due."""
    answers: int
    sessions: int
    sample: bool
    """Whether the only session is the one that ships."""
    last: SessionRow
    held: int
    """Hands with an AIVAT result."""
    graph: list[tuple[int, float, float, float]]
    """Hands, and big blinds over all sessions: won, with all-in EV, luck-adjusted."""


class Repeated(msgspec.Struct, frozen=True):
    """Mistakes that were handed to the trainer."""

    questions: int
    decisions: int
    """Decisions of the session that were looked at."""


def home_routes(parts: Parts) -> Routes:
    """Return routes of the home page."""
    routes = Routes("home")

    @routes.get("/home")
    def home() -> Home:
        """Return what is due, the last session and the graph over all sessions."""
        history, rows = parts.history(), parts.sessions.all(parts.tables.open)
        due = history.due("default", datetime.now(UTC))
        graph = _graph(parts.sessions, rows)
        sample = rows[0].id == SAMPLE
        sessions = 0 if sample else len(rows)
        held = sum(row.held for row in rows)
        return Home(len(due), len(history.answers()), sessions, sample, rows[0], held, graph)

    @routes.get("/examples")
    def examples() -> list[Example]:
        """Return four spots of the default strategy."""
        return _examples(parts.shelf.blueprint("default"))

    return routes


def _graph(sessions: Sessions, rows: list[SessionRow]) -> list[tuple[int, float, float, float]]:
    """Return winnings in big blinds over all hands, oldest first."""
    hands, won, expected, adjusted = 0, 0.0, 0.0, 0.0
    points = [(0, 0.0, 0.0, 0.0)]
    for row in reversed(rows):
        for each in sessions.session(row.id).rows:
            hands += 1
            won += each.won / row.unit
            expected += each.expected / row.unit
            fair = each.expected if each.adjusted is None else each.adjusted
            adjusted += fair / row.unit
            points.append((hands, round(won, 2), round(expected, 2), round(adjusted, 2)))
    step = max(1, len(points) // _MOST_POINTS)
    return [*points[:-1:step], points[-1]]


@lru_cache(maxsize=2)
def _examples(blueprint: Blueprint) -> list[Example]:
    return [_example(blueprint, *spot) for spot in _SPOTS]


def _example(blueprint: Blueprint, name: str, words: str, line: str, board: str) -> Example:
    node, threshold = blueprint.find_node(line), blueprint.threshold
    cards = tuple(parse_cards(board))
    decision = decisions_to(blueprint, node, cards, built_strength, threshold=threshold)[-1]
    cells = [
        [round(float(share), 3) for share in cell.shares] if cell.known and cell.reach > 0 else []
        for cell in decision.cells()
    ]
    address = "/study?" + urlencode({"line": line, "board": board}, safe="/")
    return Example(name, words, address, [hex_colour(key.colour) for key in decision.keys], cells)


def session_routes(parts: Parts) -> Routes:
    """Return routes of sessions."""
    routes, sessions = Routes("sessions"), parts.sessions

    @routes.get("/sessions")
    def every() -> list[SessionRow]:
        """List the sessions, newest first; without any, a sample."""
        return sessions.all(parts.tables.open)

    @routes.get("/sessions/{number}")
    async def one(number: str) -> SessionFound:
        """Return a session with its hands."""
        await parts.tables.saved(number)
        return await to_thread.run_sync(sessions.session, number)

    @routes.get("/sessions/{number}/hands/{place}")
    async def hand(number: str, place: int) -> Replayed:
        """Return a hand to step through."""
        await parts.tables.saved(number)
        return await to_thread.run_sync(sessions.hand, number, place)

    @routes.get("/sessions/{number}/hands/{place}/choices")
    async def choices(number: str, place: int, request: Request) -> list[Choice]:
        """Grade the user's decisions in a hand."""
        await parts.tables.saved(number)
        return await parts.work.do(request, lambda _: _choices(sessions.record(number, place)))

    @routes.get("/sessions/{number}/export")
    async def export(number: str, format: Format = "phh") -> Response:  # noqa: A002 - the option
        """Download the hands of a session as PHH or in the format of PokerStars."""
        await parts.tables.saved(number)
        text = await to_thread.run_sync(sessions.text, number, format)
        name = f"session.{'phhs' if format == 'phh' else 'txt'}"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(text, media_type="text/plain; charset=utf-8", headers=headers)

    @routes.post("/sessions/{number}/review")
    async def review(number: str, asked: Asking) -> ReviewState:
        """Start a review of a session."""
        await parts.tables.saved(number)
        return await to_thread.run_sync(_review, parts, number, asked.strategy)

    @routes.post("/sessions/{number}/again", Repeated)
    async def again(number: str, asked: Asking) -> Repeated:
        """Hand the mistakes of a session to the trainer, which asks them again."""
        await parts.tables.saved(number)
        return await to_thread.run_sync(_again, parts, number, asked.strategy)

    @routes.delete("/sessions/{number}")
    def delete(number: str) -> SessionRow:
        """Delete a session that is not being played; return the newest one left."""
        if number in parts.tables.open:
            raise ReviewError("the session is still being played: leave its table first")
        sessions.delete(number)
        return sessions.all(parts.tables.open)[0]

    return routes


def _choices(record: HandRecord) -> list[Choice]:
    bots = list(map(bot_of_name, record.names))
    known = {kind.name for kind in all_bots()}
    bot = next((each for each in bots if each.partition(":")[0] in known), "blueprint")
    return in_my_seat(bot, record.hand(), own_seat(record))


def _review(parts: Parts, number: str, strategy: str) -> ReviewState:
    session = parts.sessions.session(number)
    text = parts.sessions.text(number, "phh")
    name = f"session of {session.began[:10]}" if session.began else "session"
    first = parts.sessions.record(number, 1)
    player = first.names[own_seat(first)]
    job = parts.reviews.begin(NewReview(text, name, strategy, player))
    return parts.reviews.state(job)


def _again(parts: Parts, number: str, strategy: str) -> Repeated:
    """Add decisions that the strategy never takes to the trainer's questions, each once."""
    found = parts.shelf.open(strategy)
    if not isinstance(found, Blueprint):
        raise ReviewError(f"{strategy!r} is a solution of a spot, not a strategy of a whole game")
    deck = StrategyDeck(strategy, _grader(found))
    history = parts.history()
    trainer, asked, seen = Trainer(deck, history), 0, 0
    known = {(each.source, each.line, each.board, each.hole) for each in history.answers()}
    for row in parts.sessions.session(number).rows:
        record = parts.sessions.record(number, row.number)
        if record.players != _TWO:
            continue
        seat = own_seat(record)
        for view, did in decisions_of(record.hand(), seat):
            seen += 1
            if asked == _MOST_AGAIN:
                continue
            try:
                question = deck.again(view.line, view.board_text, view.hole_text)
                key = question.source, question.line, question.board, question.hole
                if key in known:
                    continue
                grade = deck.grader.grade(view, did)
                if grade.graded and grade.rating == "again":
                    trainer.answer(question, did)
                    known.add(key)
                    asked += 1
            except RiverboatError:
                continue  # the strategy does not play this line
    return Repeated(asked, seen)


@lru_cache(maxsize=2)
def _grader(found: Blueprint) -> Grader:
    return file_grader(found)
