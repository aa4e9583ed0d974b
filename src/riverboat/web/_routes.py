"""Version 1 of the API: requests, solves, matches, tables."""
# ruff: noqa: TC001, TC002 - annotations of routes are evaluated when the route is added

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from fastapi import Request, WebSocket
from starlette.exceptions import HTTPException

from riverboat import __version__
from riverboat.errors import GameError
from riverboat.spots import Spot
from riverboat.web import _questions as questions
from riverboat.web._answers import Routes, follow
from riverboat.web._guard import COOKIE, Access, is_loopback
from riverboat.web._home import home_routes, session_routes
from riverboat.web._in_my_seat import Choice
from riverboat.web._journal import Begun
from riverboat.web._learn import learn_routes
from riverboat.web._luck import LuckFacts, LuckState, NewLuck
from riverboat.web._matches import MatchState, NewMatch
from riverboat.web._opponents import opponents
from riverboat.web._shelf import Strategy
from riverboat.web._solves import CardRow, Forecasted, NewSolve, SolveState, forecasted
from riverboat.web._study import Node, NodeAsked, node_of
from riverboat.web._table_state import NewTable, TableState
from riverboat.web._turns import check_quick

if TYPE_CHECKING:
    from collections.abc import Callable

    from riverboat.runs import Job, Jobs, Stop
    from riverboat.web._app import Parts
    from riverboat.web._table import Table


class About(msgspec.Struct, frozen=True):
    """The version of the server."""

    version: str
    api: int


_MOST_SEARCH: Final = 5.0  # seconds; a request may take ten, with waiting and preparation
ABOUT: Final = About(__version__, 1)


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move at a table."""

    version: int
    """Version of the table state that the move answers."""
    move: Annotated[str, msgspec.Meta(max_length=40)] = ""
    """`deal`, or an action: `f`, `k`, `c`, `b30`, `half`."""


class Invitation(msgspec.Struct, frozen=True):
    """The address for the second person at a table."""

    host: str
    """Host and port."""
    path: str
    """With the token of this table, where the server needs one; the page turns it into a cookie."""
    local: bool
    """Whether only this machine reaches the host."""


class CardsAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A decision on every possible next card."""

    line: Annotated[str, msgspec.Meta(max_length=400)]
    cards: Annotated[str, msgspec.Meta(max_length=8)] = ""


def question_routes(parts: Parts) -> Routes:
    """Return routes for requests that are answered at once."""
    routes = Routes("questions")

    @routes.get("/about")
    async def about() -> About:
        """Return the version of the server."""
        return ABOUT

    routes.get("/games")(questions.games)
    routes.get("/bots")(questions.bots)
    routes.get("/opponents")(opponents)
    routes.post("/evaluate")(questions.strength)
    routes.post("/range")(questions.ranged)
    routes.post("/menu")(questions.menu_of)

    @routes.post("/equity")
    async def equity(players: questions.EquityAsked, request: Request) -> questions.EquityFound:
        """Compute equities: exactly if that takes seconds at most, else from a million samples."""
        return await parts.work.do(request, partial(questions.equities, players))

    @routes.post("/strategy")
    async def strategy(state: questions.StateAsked, request: Request) -> questions.StrategyFound:
        """Return the probabilities of a bot's actions in a state."""
        bot = parts.shelf.bot(state.bot)
        check_quick(bot, _MOST_SEARCH)
        queue = parts.searches.turn(bot)
        return await parts.work.do(request, lambda _: questions.decided(state, parts.shelf), queue)

    return routes


def study_routes(parts: Parts) -> Routes:
    """Return routes for strategies and their decisions."""
    routes = Routes("study")

    @routes.get("/strategies")
    def strategies() -> list[Strategy]:
        """List the strategies and solutions."""
        return parts.shelf.all()

    @routes.post("/node")
    async def node(place: NodeAsked, request: Request) -> Node:
        """Return a decision for all hands."""

        def found(_: Stop) -> Node:
            return node_of(place.strategy, parts.shelf.open(place.strategy), place)

        return await parts.work.do(request, found)

    @routes.post("/spot")
    async def spot(place: NodeAsked, request: Request) -> Spot:
        """Return the spot of a strategy's decision: board, pot, stacks, ranges, bet menu."""

        def found(_: Stop) -> Spot:
            blueprint = parts.shelf.blueprint(place.strategy)
            return Spot.from_blueprint(blueprint, place.line, place.board)

        return await parts.work.do(request, found)

    return routes


# ---- Jobs


def solve_routes(parts: Parts) -> Routes:
    """Return routes for solves."""
    routes, solves = Routes("solve"), parts.solves

    @routes.post("/forecast")
    async def foretell(spot: NewSolve, request: Request) -> Forecasted:
        """Estimate the memory and time of a solve."""
        return await parts.trees.do(request, lambda _: forecasted(spot))

    @routes.post("/solves")
    async def new(spot: NewSolve, request: Request) -> SolveState:
        """Start or queue a solve."""
        return solves.state(await parts.trees.do(request, lambda _: solves.begin(spot)))

    _job_routes(routes, solves, "/solves", SolveState, solves.state)

    @routes.post("/solves/{number}/node")
    async def node(number: str, place: NodeAsked) -> Node:
        """Return a decision of a solve, also while it is running."""
        return await solves.node(_job(solves, number), place)

    @routes.post("/solves/{number}/cards")
    async def cards(number: str, place: CardsAsked, request: Request) -> list[CardRow]:
        """Return a decision on every possible card of its street."""
        job = _job(solves, number)
        return await parts.work.do(request, lambda _: solves.cards(job, place.line, place.cards))

    return routes


def match_routes(parts: Parts) -> Routes:
    """Return routes for matches."""
    routes, matches = Routes("matches"), parts.matches

    @routes.post("/matches")
    def new(match: NewMatch) -> MatchState:
        """Start or queue a match between bots."""
        return matches.state(matches.begin(match))

    _job_routes(routes, matches, "/matches", MatchState, matches.state)
    return routes


def luck_routes(parts: Parts) -> Routes:
    """Return routes for luck-adjusted results."""
    routes, luck = Routes("luck"), parts.luck

    @routes.get("/luck/hands")
    def facts() -> LuckFacts:
        """Return for how many hands of the sessions AIVAT holds."""
        return luck.facts()

    @routes.post("/luck")
    def new(asked: NewLuck) -> LuckState:
        """Score the hands of all sessions that are not scored yet, in a process."""
        del asked
        return luck.state(luck.begin())

    _job_routes(routes, luck, "/luck", LuckState, luck.state)
    return routes


def _job(jobs: Jobs[Any, Any], number: str) -> Job[Any, Any]:
    if number not in jobs:
        raise HTTPException(404, f"there is no {jobs.name} {number[:40]!r}")
    return jobs[number]


def _job_routes(
    routes: Routes,
    jobs: Jobs[Any, Any],
    path: str,
    kind: type[msgspec.Struct],
    state_of: Callable[[Job[Any, Any]], msgspec.Struct],
) -> None:
    """Add the routes that all jobs have: list, state, stop, resume, delete, progress."""
    one = f"{path}/{{number}}"

    async def jobs_of_a_kind() -> list[Any]:
        """List all jobs, oldest first."""
        return [state_of(job) for job in jobs]

    async def state(number: str) -> Any:
        """Return the state of a job."""
        return state_of(_job(jobs, number))

    def stop(number: str) -> Any:
        """Stop a job and keep its checkpoint."""
        return state_of(jobs.stop(_job(jobs, number).id))

    def resume(number: str) -> Any:
        """Resume a job that was stopped or failed."""
        return state_of(jobs.resume(_job(jobs, number).id))

    routes.get(path, list[kind])(jobs_of_a_kind)  # type: ignore[valid-type]
    routes.get(one, kind)(state)
    routes.post(f"{one}/stop", kind)(stop)
    routes.post(f"{one}/resume", kind)(resume)

    @routes.delete(one)
    def forget(number: str) -> About:
        """Delete a job and its files; the ledger keeps played hands."""
        jobs.forget(_job(jobs, number).id)
        return ABOUT

    @routes.router.websocket(f"{one}/progress")
    async def progress(socket: WebSocket, number: str) -> None:
        await socket.accept()
        if number not in jobs:
            await socket.close(1008, f"this {jobs.name} does not exist")
            return
        job = jobs[number]
        await follow(socket, job, lambda: state_of(job))


# ---- Tables


def table_routes(parts: Parts) -> Routes:
    """Return routes for tables."""
    routes = Routes("play")

    @routes.post("/tables")
    async def new(table: NewTable) -> TableState:
        """Set up a table."""
        return (await parts.tables.new(table)).state()

    @routes.get("/tables/{number}")
    async def state(number: str) -> TableState:
        """Return the state of a table."""
        table, chair = parts.seat(number)
        table.join(chair)
        return table.state(chair)

    @routes.get("/tables/{number}/invitation")
    async def invitation(number: str, request: Request) -> Invitation:
        """Return the address for the second person, to be given to them by the first."""
        table, chair = parts.seat(number)
        if chair or not table.begun.key:
            raise GameError("only the first of two people at a table can invite the other")
        return _invitation(parts.access, table.begun, request)

    @routes.post("/tables/{number}/move")
    async def move(number: str, what: Move) -> TableState:
        """Deal the next hand, or make a move."""
        table, chair = parts.seat(number)
        await _move(table, what, chair)
        return table.state(chair)

    @routes.get("/tables/{number}/choices")
    async def choices(number: str, hand: int = 0) -> list[Choice]:
        """Grade the user's decisions after a hand, by default the current one."""
        table, chair = parts.seat(number)
        return await table.in_my_seat(hand, chair)

    @routes.delete("/tables/{number}")
    async def leave(number: str) -> TableState:
        """Leave a table; the session is saved in the ledger."""
        table, chair = parts.seat(number)
        if chair:
            raise GameError("only the person who set up the table can close it")
        return (await parts.tables.leave(table.id)).state()

    @routes.router.websocket("/tables/{number}/play")
    async def play(socket: WebSocket, number: str) -> None:
        await socket.accept()
        try:
            table, chair = parts.tables.seat(number)
        except KeyError:
            await socket.close(1008, "this table does not exist")
            return
        table.join(chair)

        async def handle(text: str) -> None:
            await _move(table, msgspec.json.decode(text, type=Move), chair)

        await follow(socket, table, lambda: table.state(chair), handle)

    return routes


def _invitation(access: Access, begun: Begun, request: Request) -> Invitation:
    """Return the invitation to a table; the server asks for a token unless it is loopback only."""
    bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
    if access.token_hash and not any(
        map(access.is_token, (bearer, request.cookies.get(COOKIE, "")))
    ):
        raise GameError("a person who was invited cannot invite others")
    token = f"&token={begun.token}" if access.token_hash else ""
    place = access.address_for_others(request.headers["host"])
    local = is_loopback(place.rpartition(":")[0])
    return Invitation(place, f"/play?table={begun.key}{token}", local)


async def _move(table: Table, what: Move, chair: int) -> None:
    if what.move == "deal":
        await table.deal(what.version)
    else:
        await table.move(what.version, what.move, chair)


#: Each function returns routes under /api/v1.
ROUTES: Final = (
    question_routes,
    study_routes,
    solve_routes,
    table_routes,
    match_routes,
    luck_routes,
    learn_routes,
    home_routes,
    session_routes,
)
