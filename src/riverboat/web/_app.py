"""The server put together: pages, the API of version 1, sockets."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Depends, FastAPI, WebSocket
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response

from riverboat import __version__
from riverboat.errors import RiverboatError
from riverboat.spots import Spot
from riverboat.web import _questions as questions
from riverboat.web._answers import answer, asked, documented, tell_errors
from riverboat.web._guard import Access, Guard
from riverboat.web._in_my_seat import Choice
from riverboat.web._matches import Matches, MatchState, NewMatch
from riverboat.web._shelf import Shelf, Strategy
from riverboat.web._sockets import follow
from riverboat.web._solver import Solver
from riverboat.web._solves import CardRow, Forecasted, NewSolve, Solve, SolveState, forecasted
from riverboat.web._study import Node, NodeAsked, node_of
from riverboat.web._table_state import NewTable, TableState
from riverboat.web._tables import Tables

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from riverboat.web._table import Table

__all__ = ["House", "make_app"]

_MOST_SOLVES: Final = 200
_KINDS: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}


@dataclass(frozen=True, slots=True)
class House:
    """Where a server keeps things.

    Attributes
    ----------
    data
        Tables and solves: what must outlive a server.
    folders
        Strategies and solutions to look at.
    """

    data: Path
    folders: tuple[Path, ...] = ()

    def room(self, name: str) -> Path:
        """Return a folder of the data; it is made where it is missing."""
        found = self.data / name
        found.mkdir(parents=True, exist_ok=True)
        return found


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a page sends to a table."""

    version: int
    move: Annotated[str, msgspec.Meta(max_length=40)] = ""
    """`deal`, or a move: `f`, `k`, `c`, `b30`, `half`."""


class CardsAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A decision on every card that can come."""

    line: Annotated[str, msgspec.Meta(max_length=400)]
    cards: Annotated[str, msgspec.Meta(max_length=8)] = ""


def make_app(house: House, access: Access) -> FastAPI:
    """Return the server as an ASGI application."""
    parts = _Parts(house)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        parts.begin()
        tidy = asyncio.create_task(parts.tables.tidy())
        yield
        tidy.cancel()
        await parts.end()

    app = FastAPI(
        title="Riverboat",
        version="1",
        description=f"Riverboat {__version__}: play, study and solve hold'em.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
    )
    tell_errors(app)
    for router in (_question_routes(parts), _study_routes(parts), _solve_routes(parts)):
        app.include_router(router, prefix="/api/v1")
    for router in (_table_routes(parts), _match_routes(parts)):
        app.include_router(router, prefix="/api/v1")
    app.include_router(_page_routes())
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.add_middleware(Guard, access=access)
    return app


class _Parts:
    """What routes share."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.shelf = Shelf((*house.folders, house.room("solves")))

    def begin(self) -> None:
        """Set up what needs the running loop."""
        #: Trees that are too large are found out in seconds and gigabytes: one at a time.
        self.trees = CapacityLimiter(1)
        self.solver = Solver()
        self.tables = Tables(self.house.room("tables"), self.solver, self.shelf)
        self.tables.restore()
        self.matches = Matches(self.shelf)
        kept = Solve.kept(self.house.room("solves"), self.solver)
        self.solves = {solve.id: solve for solve in kept}

    async def end(self) -> None:
        """Keep everything for the next server."""
        self.tables.suspend()
        self.matches.end()
        for solve in self.solves.values():
            solve.stop()
        for solve in self.solves.values():
            await solve.ended()

    def solve(self, number: str) -> Solve:
        """Return a solve."""
        if number not in self.solves:
            raise HTTPException(404, f"there is no solve {number[:40]!r}")
        return self.solves[number]


# ---- Questions


def _question_routes(parts: _Parts) -> APIRouter:
    routes = APIRouter(tags=["questions"])

    @routes.get("/about", responses=documented(About))
    async def about() -> Response:
        """Say which version answers."""
        return answer(About(__version__, 1))

    @routes.get("/games", responses=documented(questions.Game, many=True))
    async def list_games() -> Response:
        """List the games of the catalogue."""
        return answer(questions.games())

    @routes.get("/bots", responses=documented(questions.Bot, many=True))
    async def list_bots() -> Response:
        """List the bots that can be seated."""
        return answer(await to_thread.run_sync(questions.bots))

    @routes.post("/strategy", responses=documented(questions.Decision))
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

    return routes


class About(msgspec.Struct, frozen=True):
    """Who answers."""

    version: str
    api: int


# ---- Strategies


def _study_routes(parts: _Parts) -> APIRouter:
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


def _solve_routes(parts: _Parts) -> APIRouter:
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
        return answer(About(__version__, 1))

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


def _table_routes(parts: _Parts) -> APIRouter:
    routes = APIRouter(tags=["play"])

    @routes.post("/tables", responses=documented(TableState))
    async def new(table: Annotated[NewTable, Depends(asked(NewTable))]) -> Response:
        """Set up a table."""
        return answer((await parts.tables.new(table)).state())

    @routes.get("/tables/{number}", responses=documented(TableState))
    async def state(number: str) -> Response:
        """Say how a table stands."""
        return answer(_table(parts, number).state())

    @routes.post("/tables/{number}/move", responses=documented(TableState))
    async def move(number: str, what: Annotated[Move, Depends(asked(Move))]) -> Response:
        """Deal, or make a move."""
        table = _table(parts, number)
        await _move(table, what)
        return answer(table.state())

    @routes.get("/tables/{number}/choices", responses=documented(Choice, many=True))
    async def choices(number: str) -> Response:
        """Say what the bot would have done in the person's seat in the hand that is over."""
        return answer(await _table(parts, number).in_my_seat())

    @routes.delete("/tables/{number}", responses=documented(TableState))
    async def leave(number: str) -> Response:
        """Leave a table; the session goes into the ledger."""
        _table(parts, number)
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


def _table(parts: _Parts, number: str) -> Table:
    try:
        return parts.tables[number]
    except KeyError:
        raise HTTPException(404, f"there is no table {number[:40]!r}") from None


# ---- Matches


def _match_routes(parts: _Parts) -> APIRouter:
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
        try:
            return answer(parts.matches[number])
        except KeyError:
            raise HTTPException(404, f"there is no match {number[:40]!r}") from None

    return routes


# ---- Pages


def _page_routes() -> APIRouter:
    routes = APIRouter(include_in_schema=False)
    pages = files("riverboat.web") / "pages"
    names = ("play", "study", "solve", "docs")

    @routes.get("/")
    @routes.get("/{name}")
    async def page(name: str = "play") -> Response:
        """A page: all of them are one document, and the address says what it shows."""
        if name not in names:
            raise HTTPException(
                404, f"there is no page {name[:40]!r}: pages are {', '.join(names)}"
            )
        return Response((pages / "index.html").read_bytes(), media_type=_KINDS[".html"])

    @routes.get("/static/{name}")
    async def static(name: str) -> Response:
        """A script, a style or a picture."""
        found = pages / name
        kind = _KINDS.get("." + name.rpartition(".")[2])
        if kind is None or "/" in name or not found.is_file():
            raise HTTPException(404, f"there is no file {name[:40]!r}")
        return Response(found.read_bytes(), media_type=kind, headers={"cache-control": "no-cache"})

    return routes
