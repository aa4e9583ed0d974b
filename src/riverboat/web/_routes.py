"""The API of version 1: what is asked, who answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from anyio import to_thread
from fastapi import APIRouter, Depends, WebSocket
from starlette.exceptions import HTTPException
from starlette.responses import Response  # noqa: TC002 - FastAPI reads it

from riverboat import __version__
from riverboat.spots import Spot
from riverboat.web import _questions as questions
from riverboat.web._answers import answer, asked, documented
from riverboat.web._in_my_seat import Choice
from riverboat.web._learn import learn_routes
from riverboat.web._matches import MatchState, NewMatch
from riverboat.web._shelf import Strategy
from riverboat.web._sockets import follow
from riverboat.web._solves import CardRow, Forecasted, NewSolve, SolveState, forecasted
from riverboat.web._study import Node, NodeAsked, node_of
from riverboat.web._table_state import NewTable, TableState

if TYPE_CHECKING:
    from collections.abc import Callable

    from riverboat.runs import Job, Jobs
    from riverboat.web._parts import Parts
    from riverboat.web._table import Table


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
        async with parts.searches.turn(parts.shelf.bot(state.bot)):
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


# ---- Jobs


def solve_routes(parts: Parts) -> APIRouter:
    """Return routes for solves."""
    routes, solves = APIRouter(tags=["solve"]), parts.solves

    @routes.post("/forecast", responses=documented(Forecasted))
    async def foretell(spot: Annotated[NewSolve, Depends(asked(NewSolve))]) -> Response:
        """Say what memory and time a solve will take."""
        return answer(await to_thread.run_sync(forecasted, spot, limiter=parts.trees))

    @routes.post("/solves", responses=documented(SolveState))
    async def new(spot: Annotated[NewSolve, Depends(asked(NewSolve))]) -> Response:
        """Begin a solve, or put it into the queue."""
        return answer(await to_thread.run_sync(solves.new, spot, limiter=parts.trees))

    _job_routes(routes, solves.jobs, "/solves", SolveState, solves.state)

    @routes.post("/solves/{number}/node", responses=documented(Node))
    async def node(number: str, place: Annotated[NodeAsked, Depends(asked(NodeAsked))]) -> Response:
        """Show a decision of a solve, while it runs too."""
        return answer(await solves.node(_job(solves.jobs, number).id, place))

    @routes.post("/solves/{number}/cards", responses=documented(CardRow, many=True))
    async def cards(
        number: str, place: Annotated[CardsAsked, Depends(asked(CardsAsked))]
    ) -> Response:
        """Show a decision on every card that can come before it."""
        found = _job(solves.jobs, number).id, place.line, place.cards
        return answer(await to_thread.run_sync(solves.cards, *found))

    return routes


def match_routes(parts: Parts) -> APIRouter:
    """Return routes for matches."""
    routes, matches = APIRouter(tags=["matches"]), parts.matches

    @routes.post("/matches", responses=documented(MatchState))
    async def new(match: Annotated[NewMatch, Depends(asked(NewMatch))]) -> Response:
        """Play a match between bots."""

        def begun() -> MatchState:
            match.settings(parts.shelf)  # or refuse it
            return MatchState.of(matches.new(match))

        return answer(await to_thread.run_sync(begun))

    _job_routes(routes, matches, "/matches", MatchState, MatchState.of)
    return routes


def _job(jobs: Jobs[Any, Any], number: str) -> Job[Any, Any]:
    if number not in jobs:
        raise HTTPException(404, f"there is no {jobs.name} {number[:40]!r}")
    return jobs[number]


def _job_routes(
    routes: APIRouter,
    jobs: Jobs[Any, Any],
    path: str,
    kind: type[msgspec.Struct],
    state_of: Callable[[Job[Any, Any]], msgspec.Struct],
) -> None:
    """Add what every kind of job has: states, stop, resume, delete, progress."""
    one = f"{path}/{{number}}"

    @routes.get(path, responses=documented(kind, many=True))
    async def jobs_of_a_kind() -> Response:
        """List all of them, in the order in which they were asked for."""
        return answer([state_of(job) for job in jobs])

    @routes.get(one, responses=documented(kind))
    async def state(number: str) -> Response:
        """Say how it stands."""
        return answer(state_of(_job(jobs, number)))

    @routes.post(f"{one}/stop", responses=documented(kind))
    async def stop(number: str) -> Response:
        """Stop it and keep what there is."""
        return answer(state_of(await to_thread.run_sync(jobs.stop, _job(jobs, number).id)))

    @routes.post(f"{one}/resume", responses=documented(kind))
    async def resume(number: str) -> Response:
        """Continue it after it was stopped or failed."""
        return answer(state_of(await to_thread.run_sync(jobs.resume, _job(jobs, number).id)))

    @routes.delete(one, responses=documented(About))
    async def forget(number: str) -> Response:
        """Delete it and its files; the ledger keeps what was played."""
        await to_thread.run_sync(jobs.forget, _job(jobs, number).id)
        return answer(ABOUT)

    @routes.websocket(f"{one}/progress")
    async def progress(socket: WebSocket, number: str) -> None:
        await socket.accept()
        if number not in jobs:
            await socket.close(1008, f"there is no such {jobs.name}")
            return
        job = jobs[number]
        await follow(socket, job, lambda: state_of(job))


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

        await follow(socket, table, table.state, heed)

    return routes


async def _move(table: Table, what: Move) -> None:
    if what.move == "deal":
        await table.deal(what.version)
    else:
        await table.move(what.version, what.move)


#: Each gets what the server has, and returns routes under /api/v1.
ROUTES: Final = (
    question_routes,
    study_routes,
    solve_routes,
    table_routes,
    match_routes,
    learn_routes,
)
