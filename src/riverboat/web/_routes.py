"""The API of version 1: what is asked, who answers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from anyio import to_thread
from fastapi import APIRouter, Depends, WebSocket
from starlette.responses import Response  # noqa: TC002 - FastAPI reads it

from riverboat import __version__
from riverboat.errors import RiverboatError
from riverboat.spots import Spot
from riverboat.web import _questions as questions
from riverboat.web._answers import answer, asked, documented
from riverboat.web._in_my_seat import Choice
from riverboat.web._learn import learn_routes
from riverboat.web._matches import MatchState, NewMatch
from riverboat.web._shelf import Strategy
from riverboat.web._sockets import follow
from riverboat.web._solves import CardRow, Forecasted, NewSolve, Solve, SolveState, forecasted
from riverboat.web._study import Node, NodeAsked, node_of
from riverboat.web._table_state import NewTable, TableState

if TYPE_CHECKING:
    from riverboat.web._parts import Parts
    from riverboat.web._table import Table

__all__ = ["ROUTES"]

_MOST_SOLVES: Final = 200


class About(msgspec.Struct, frozen=True):
    """Who answers."""

    version: str
    api: int


ABOUT: Final = About(__version__, 1)


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a page sends to a table."""

    version: int
    move: Annotated[str, msgspec.Meta(max_length=40)] = ""
    """`deal`, or a move: `f`, `k`, `c`, `b30`, `half`."""


class CardsAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A decision on every card that can come."""

    line: Annotated[str, msgspec.Meta(max_length=400)]
    cards: Annotated[str, msgspec.Meta(max_length=8)] = ""


# ---- Questions


def question_routes(parts: Parts) -> APIRouter:
    """Return routes for questions that are answered at once."""
    routes = APIRouter(tags=["questions"])

    @routes.get("/about", responses=documented(About))
    async def about() -> Response:
        """Say which version answers."""
        return answer(ABOUT)

    @routes.get("/games", responses=documented(questions.Game, many=True))
    async def list_games() -> Response:
        """List the games of the catalogue."""
        return answer(questions.games())

    @routes.get("/bots", responses=documented(questions.Bot, many=True))
    async def list_bots() -> Response:
        """List the bots that can be seated."""
        return answer(await to_thread.run_sync(questions.bots))

    @routes.post("/strategy", responses=documented(questions.StrategyFound))
    async def strategy(
        state: Annotated[questions.StateAsked, Depends(asked(questions.StateAsked))],
    ) -> Response:
        """State in, strategy out: how often a bot does what."""
        async with parts.solver.turn(parts.shelf.bot(state.bot)):
            return answer(await to_thread.run_sync(questions.decided, state, parts.shelf))

    @routes.post("/equity", responses=documented(questions.EquityFound))
    async def equity(
        hands: Annotated[questions.EquityAsked, Depends(asked(questions.EquityAsked))],
    ) -> Response:
        """Work out how often each hand or range wins."""
        return answer(await to_thread.run_sync(questions.equities, hands))

    @routes.post("/evaluate", responses=documented(questions.Strength))
    async def evaluate(
        cards: Annotated[questions.StrengthAsked, Depends(asked(questions.StrengthAsked))],
    ) -> Response:
        """Say what five to seven cards are worth."""
        return answer(questions.strength(cards))

    @routes.post("/range", responses=documented(questions.RangeFound))
    async def read_range(
        given: Annotated[questions.RangeAsked, Depends(asked(questions.RangeAsked))],
    ) -> Response:
        """Read a range: text to weights, weights to text."""
        return answer(questions.ranged(given))

    @routes.post("/menu", responses=documented(questions.MenuFound))
    async def read_menu(
        given: Annotated[questions.MenuAsked, Depends(asked(questions.MenuAsked))],
    ) -> Response:
        """Read a menu of bets: text to streets, streets to text."""
        return answer(questions.menu_of(given))

    return routes


# ---- Strategies


def study_routes(parts: Parts) -> APIRouter:
    """Return routes for strategies and their decisions."""
    routes = APIRouter(tags=["study"])

    @routes.get("/strategies", responses=documented(Strategy, many=True))
    async def strategies() -> Response:
        """List the strategies and solutions that can be looked at."""
        return answer(await to_thread.run_sync(parts.shelf.all))

    @routes.post("/node", responses=documented(Node))
    async def node(place: Annotated[NodeAsked, Depends(asked(NodeAsked))]) -> Response:
        """Show a decision for all hands."""

        def found() -> Node:
            return node_of(place.strategy, parts.shelf.open(place.strategy), place)

        return answer(await to_thread.run_sync(found))

    @routes.post("/spot", responses=documented(Spot))
    async def spot(place: Annotated[NodeAsked, Depends(asked(NodeAsked))]) -> Response:
        """Make the spot of a strategy's decision: board, pot, stacks, both ranges, menu."""

        def found() -> Spot:
            blueprint = parts.shelf.blueprint(place.strategy)
            return Spot.from_blueprint(blueprint, place.line, place.board)

        return answer(await to_thread.run_sync(found))

    return routes


# ---- Solves


def solve_routes(parts: Parts) -> APIRouter:
    """Return routes for solves."""
    routes = APIRouter(tags=["solve"])

    @routes.post("/forecast", responses=documented(Forecasted))
    async def foretell(spot: Annotated[NewSolve, Depends(asked(NewSolve))]) -> Response:
        """Say what memory and time a solve will take."""
        return answer(await to_thread.run_sync(forecasted, spot, limiter=parts.trees))

    @routes.get("/solves", responses=documented(SolveState, many=True))
    async def solves() -> Response:
        """List all solves."""
        return answer([solve.state() for solve in parts.solves.values()])

    @routes.post("/solves", responses=documented(SolveState))
    async def new(spot: Annotated[NewSolve, Depends(asked(NewSolve))]) -> Response:
        """Begin a solve, or put it into the queue."""
        if len(parts.solves) >= _MOST_SOLVES:
            raise RiverboatError(f"{_MOST_SOLVES} solves are kept: delete one first")
        folder = parts.house.room("solves")
        make = partial(Solve.new, spot, folder, parts.solver)
        solve = await to_thread.run_sync(make, limiter=parts.trees)
        parts.solves[solve.id] = solve
        solve.start()
        return answer(solve.state())

    @routes.get("/solves/{number}", responses=documented(SolveState))
    async def state(number: str) -> Response:
        """Say how a solve stands."""
        return answer(parts.solve(number).state())

    @routes.post("/solves/{number}/stop", responses=documented(SolveState))
    async def stop(number: str) -> Response:
        """End a solve and keep what there is."""
        solve = parts.solve(number)
        solve.stop()
        await solve.ended()
        return answer(solve.state())

    @routes.post("/solves/{number}/resume", responses=documented(SolveState))
    async def resume(number: str) -> Response:
        """Go on with a solve that was stopped."""
        solve = parts.solve(number)
        await solve.settled()
        solve.start()
        return answer(solve.state())

    @routes.delete("/solves/{number}", responses=documented(About))
    async def forget(number: str) -> Response:
        """Delete a solve and its files."""
        solve = parts.solve(number)
        await solve.settled()
        solve.forget()
        del parts.solves[number]
        return answer(ABOUT)

    @routes.post("/solves/{number}/node", responses=documented(Node))
    async def node(number: str, place: Annotated[NodeAsked, Depends(asked(NodeAsked))]) -> Response:
        """Show a decision of a solve, while it runs too."""
        return answer(await parts.solve(number).node(place))

    @routes.post("/solves/{number}/cards", responses=documented(CardRow, many=True))
    async def cards(
        number: str, place: Annotated[CardsAsked, Depends(asked(CardsAsked))]
    ) -> Response:
        """Show a decision on every card that can come before it."""
        return answer(await parts.solve(number).cards(place.line, place.cards))

    @routes.websocket("/solves/{number}/progress")
    async def progress(socket: WebSocket, number: str) -> None:
        await socket.accept()
        if number not in parts.solves:
            await socket.close(1008, "there is no such solve")
            return
        await follow(socket, parts.solves[number])

    return routes


# ---- Tables


def table_routes(parts: Parts) -> APIRouter:
    """Return routes for tables."""
    routes = APIRouter(tags=["play"])

    @routes.post("/tables", responses=documented(TableState))
    async def new(table: Annotated[NewTable, Depends(asked(NewTable))]) -> Response:
        """Set up a table."""
        return answer((await parts.tables.new(table)).state())

    @routes.get("/tables/{number}", responses=documented(TableState))
    async def state(number: str) -> Response:
        """Say how a table stands."""
        return answer(parts.table(number).state())

    @routes.post("/tables/{number}/move", responses=documented(TableState))
    async def move(number: str, what: Annotated[Move, Depends(asked(Move))]) -> Response:
        """Deal, or make a move."""
        table = parts.table(number)
        await _move(table, what)
        return answer(table.state())

    @routes.get("/tables/{number}/choices", responses=documented(Choice, many=True))
    async def choices(number: str) -> Response:
        """Say what the bot would have done in the person's seat in the hand that is over."""
        return answer(await parts.table(number).in_my_seat())

    @routes.delete("/tables/{number}", responses=documented(TableState))
    async def leave(number: str) -> Response:
        """Leave a table; the session goes into the ledger."""
        parts.table(number)
        return answer((await parts.tables.leave(number)).state())

    @routes.websocket("/tables/{number}/play")
    async def play(socket: WebSocket, number: str) -> None:
        await socket.accept()
        try:
            table = parts.tables[number]
        except KeyError:
            await socket.close(1008, "there is no such table")
            return

        async def heed(text: str) -> None:
            await _move(table, msgspec.json.decode(text, type=Move))

        await follow(socket, table, heed)

    return routes


async def _move(table: Table, what: Move) -> None:
    if what.move == "deal":
        await table.deal(what.version)
    else:
        await table.move(what.version, what.move)


# ---- Matches


def match_routes(parts: Parts) -> APIRouter:
    """Return routes for matches."""
    routes = APIRouter(tags=["matches"])

    @routes.get("/matches", responses=documented(MatchState, many=True))
    async def matches() -> Response:
        """List the matches that were asked for."""
        return answer(parts.matches.all())

    @routes.post("/matches", responses=documented(MatchState))
    async def new(match: Annotated[NewMatch, Depends(asked(NewMatch))]) -> Response:
        """Play a match between bots."""
        return answer(parts.matches.new(match))

    @routes.get("/matches/{number}", responses=documented(MatchState))
    async def state(number: str) -> Response:
        """Say how a match stands."""
        return answer(parts.match(number).state())

    @routes.post("/matches/{number}/stop", responses=documented(MatchState))
    async def stop(number: str) -> Response:
        """Stop a match; what was played is kept."""
        parts.match(number)
        return answer(await parts.matches.stop(number))

    @routes.post("/matches/{number}/resume", responses=documented(MatchState))
    async def resume(number: str) -> Response:
        """Go on with a match that was stopped."""
        parts.match(number)
        return answer(parts.matches.resume(number))

    @routes.delete("/matches/{number}", responses=documented(About))
    async def forget(number: str) -> Response:
        """Delete a match; the ledger keeps what was played."""
        parts.match(number)
        parts.matches.forget(number)
        return answer(ABOUT)

    @routes.websocket("/matches/{number}/progress")
    async def progress(socket: WebSocket, number: str) -> None:
        await socket.accept()
        try:
            match = parts.matches[number]
        except KeyError:
            await socket.close(1008, "there is no such match")
            return
        await follow(socket, match)

    return routes


#: Each gets what the server has, and returns routes under /api/v1.
ROUTES: Final = (
    question_routes,
    study_routes,
    solve_routes,
    table_routes,
    match_routes,
    learn_routes,
)
