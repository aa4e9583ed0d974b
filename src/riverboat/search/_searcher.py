"""Re-solving at the table: each street is solved from its start to the end of the hand.

A solve depends on public information only, never on the bot's own cards: so the strategy of every
hand is known, to the bot and to evaluations. Both ranges are updated by Bayes' rule: the bot's own
from the strategies that it really played, the opponent's from the same strategies in the opponent's
seat. This is "unsafe" re-solving; slumbot2019's notes found it best with coarse blueprints, and far
better from the start of a street than from every node.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from riverboat.cards import NUM_HOLES, STREETS
from riverboat.errors import GameError, GpuError, SpotError
from riverboat.search._bounds import base_bound, likelihood, solved_bound, spread
from riverboat.search._plan import LEAST_FLOP, NO_TIME, say, solver_of
from riverboat.search._sampled import flop_seconds
from riverboat.search._street import Street, planned
from riverboat.search._subgame import POOL, Subgame, at_table, legal_action
from riverboat.spots import GadgetMode

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from riverboat.bots import HandStrategies, RangeBot
    from riverboat.game import View
    from riverboat.search._plan import Plan, SubgameSolver
    from riverboat.search._street import Planned
    from riverboat.search._subgame import Pool, Ranges, SolveFacts
    from riverboat.spots import Device, Gadget

SearchMode = Literal["unsafe", GadgetMode]

# Share of a range that is spread uniformly, so that every hand has a strategy.
_FLOOR: Final = 1e-3
_MOST_FACTS: Final = 1000

_Kept = dict[str, "HandStrategies"]


@dataclass(frozen=True, slots=True)
class Search:
    """Settings of a search: everything besides the table that a solution depends on.

    Attributes
    ----------
    turn, river
        Bet menus of a solve by its first street; without one for the turn only rivers are solved.
    even
        Fraction of the opponent's range that is spread uniformly over all hands on the first
        searched street.
    mode
        `unsafe`: solve against the opponent's range alone. Otherwise the `riverboat.spots.Gadget`
        that bounds the opponent's hands by their values before: from the solve of the previous
        street, or from the base on the first searched street, from the turn on.
    base
        Identifies the base strategy, for the cache.
    budget
        Iterations and seconds of solves, for the cache.
    flop
        The bet menu of a solve from the flop on; without one search begins later.
    device
        Device for flop and turn; `gpu` also solves rivers, `auto` solves them on the CPU. The CPU
        samples the runouts of a flop.
    least_flop
        With fewer iterations of a sampled flop the base plays it.
    """

    turn: str
    river: str
    even: float = 0.1
    mode: SearchMode = "unsafe"
    base: object = None
    budget: tuple[float, ...] = ()
    flop: str = ""
    device: Device = "cpu"
    least_flop: int = LEAST_FLOP

    @property
    def first(self) -> int:
        """The first searched street."""
        return next(street for street in (1, 2, 3) if self.menu(street) or street == 3)

    def menu(self, street: int) -> str:
        """Return the bet menu of solves from a street on."""
        return {1: self.flop, 2: self.turn}.get(street, self.river)

    def solver(self, street: int) -> SubgameSolver:
        """Return what solves a street."""
        return solver_of(self.device, street)


class TooShort(Exception):  # noqa: N818 - not an error: the base plays
    """The time is too short for a minimal solve."""

    def __init__(self, base: RangeBot) -> None:
        super().__init__("there is no time to search")
        self.base = base


class Searcher:
    """Solves the streets of hands.

    Parameters
    ----------
    base
        Bot of the streets before search, whose strategy gives the ranges; None = unknown ranges.
    search
        Settings.
    threads
        Threads of a solve; they do not change the solution.
    tell
        Called after each solve; exploitability is then measured, too.
    pool
        Cache of solutions; by default the process's.

    Attributes
    ----------
    facts
        Facts of the last solves, the newest last.
    """

    def __init__(
        self,
        base: RangeBot | None,
        search: Search,
        threads: int = 1,
        *,
        tell: Callable[[SolveFacts], object] | None = None,
        pool: Pool = POOL,
    ) -> None:
        self.base, self.search, self.threads, self.pool = base, search, threads, pool
        self.facts: deque[SolveFacts] = deque(maxlen=_MOST_FACTS)
        self._tell = tell

    def rows(self, view: View, plan: Plan) -> HandStrategies:
        """Return the strategy of every hand of the seat to act; the view's cards do not matter.

        The base plays if there is no time for a solve.
        """
        try:
            return self._searched(view, plan)
        except TooShort as late:
            return late.base.strategies(view)

    def searched(self, view: View, plan: Plan) -> HandStrategies | None:
        """Return `rows` by search; None if there is no time for a solve and the base can play."""
        try:
            return self._searched(view, plan)
        except TooShort:
            return None

    def _searched(self, view: View, plan: Plan) -> HandStrategies:
        street = self._street(view)
        try:
            subgame = self.subgame(street, plan)
        except TooShort:
            self.skip(view)
            raise
        return at_table(subgame.rows(street.line), view)

    def skip(self, view: View) -> None:
        """Let the base play the rest of a street, because the clock does not pay for a solve."""
        street = self._street(view)
        self.pool.skip((self.search, street.key, street.actor))

    def needs_solve(self, view: View) -> bool:
        """Return whether a view needs another solve, and its street has not been skipped."""
        street = self._street(view)
        key = (self.search, street.key, street.actor)
        return not self.pool.skips(key, NO_TIME) and not self.knows(view)

    def knows(self, view: View) -> bool:
        """Return whether the strategy of a view is known without another solve."""
        if self.base is None:
            return False
        try:
            self.subgame(view, NO_TIME)
        except TooShort:
            return False
        return True

    def subgame(self, view: View | Street, plan: Plan, *, whole: bool = False) -> Subgame:
        """Return the solved subgame for a view of a searched street.

        `whole` requests its engine, too, which may otherwise be released.

        Raises
        ------
        TooShort
            If the plan has no time for a solve, and the base can play instead.
        """
        street = view if isinstance(view, Street) else self._street(view)
        if street.actor is None:
            raise GameError(f"there is no decision after '{'/'.join(street.lines)}'")
        with self.pool.lock:
            return self._find(street, street.actor, plan, whole=whole)

    def _street(self, view: View) -> Street:
        """Return the street of a view, which must be searched."""
        if view.actor is None or view.street < self.search.first:
            raise GameError(f"search does not apply after '{view.line}'")
        return Street.of(view)

    def menu(self, view: View) -> tuple[str, ...]:
        """Return the actions of the solve's tree for the seat to act."""
        street = Street.of(view)
        menu = self.search.menu(street.index)
        plan = planned(street.state, "", menu)
        if not plan.has(street.line):
            plan = planned(street.state, street.line, menu)
        actions = plan.actions(street.line)
        return tuple(dict.fromkeys(legal_action(action, view) for action in actions))

    # ---- Choosing the subgame

    def _find(self, street: Street, seat: int, plan: Plan, *, whole: bool = False) -> Subgame:
        """The subgame of a seat's last decision on a street, with its engine if needed.

        An off-tree bet is added to the tree, and the street is solved again from its start; the
        seat's earlier decisions are locked to the strategies that it played.
        """
        subgame: Subgame | None = None
        kept: _Kept = {}
        lines = list(street.decisions(seat))
        for line in lines:
            if subgame is None or not subgame.has(line):
                share = plan if line == lines[-1] else plan.half()
                subgame = self._remembered(street, seat, line, kept, share, whole)
            kept[line] = subgame.rows(line)
        if subgame is None:
            raise GameError(f"seat {seat} has no decision on the {street.name} of {street.lines}")
        if not subgame.has(street.line):  # the seat made an off-tree bet
            subgame = self._remembered(street, seat, street.line, kept, plan, whole)
        return subgame

    def _remembered(  # noqa: PLR0913, PLR0917 - internal
        self, street: Street, seat: int, line: str, kept: _Kept, plan: Plan, whole: bool
    ) -> Subgame:
        if planned(street.state, "", self.search.menu(street.index)).has(line):
            line = ""
        key = (self.search, street.key, seat)
        forbidden = plan is NO_TIME or self.pool.skips(key, plan)
        if forbidden and self.base is not None and (*key, line) not in self.pool:
            raise TooShort(self.base)
        solve = partial(self._solve, street, seat, line, kept, plan)
        return self.pool.get((*key, line), solve, whole=whole)

    def _solve(self, street: Street, seat: int, line: str, kept: _Kept, plan: Plan) -> Subgame:
        ranges, gadget = self._beginning(street, seat, plan)
        tree = planned(street.state, line, self.search.menu(street.index))
        solve = partial(self._solve_subgame, tree, ranges, kept, gadget, plan)
        try:
            subgame, facts = solve(self.search.solver(street.index))
        except (GpuError, SpotError) as error:  # maybe late: an exact check needs more memory
            if self.search.solver(street.index) != "gpu":
                raise
            say(f"search solves a {tree.state.street} on the CPU: {error}.")
            subgame, facts = solve(solver_of("cpu", street.index))
        self.facts.append(facts)
        if self._tell is not None:
            self._tell(facts)
        if self.base is not None and facts.too_short:
            raise TooShort(self.base)
        return subgame

    def _solve_subgame(  # noqa: PLR0913, PLR0917 - internal
        self,
        tree: Planned,
        ranges: Ranges,
        kept: _Kept,
        gadget: Gadget | None,
        plan: Plan,
        solver: SubgameSolver,
    ) -> tuple[Subgame, SolveFacts]:
        """Solve a subgame, unless it takes too long, by what solves of its kind took."""
        pace, kind = self.pool.pace, (STREETS.index(tree.state.street), solver)
        size = 1.0
        if solver == "sampled" and not plan.iterations:  # flops differ by a factor of ten
            size = self.search.least_flop * flop_seconds(tree, ranges, self.threads)
        if self.base is not None and not pace.allows(kind, plan, size):
            raise TooShort(self.base)
        least = 0 if self.base is None else self.search.least_flop  # nothing else plays
        subgame = Subgame(tree, ranges, kept, self.threads, gadget, solver=solver, least_flop=least)
        facts = subgame.solve(plan, explain=self._tell is not None)
        if self.base is not None and not plan.iterations:
            pace.learn(kind, subgame.least_seconds, size)
        return subgame, facts

    # ---- The start of a street

    def _beginning(self, street: Street, seat: int, plan: Plan) -> tuple[Ranges, Gadget | None]:
        """Return both ranges, out of position first, and the opponent's gadget."""
        before = self._solved_before(street.before, seat, plan)
        if before is None:
            by_seat = self.base_reach(street.before, seat)
            reach = (by_seat[street.seats[0]], by_seat[street.seats[1]])
            doubt = self.search.even
        else:
            reach, doubt = before.ranges_after(street.before.line), _FLOOR
        live = street.spec.live_holes(street.board)
        shares = [_FLOOR if player == seat else max(doubt, _FLOOR) for player in street.seats]
        ranges = spread(reach[0], live, shares[0]), spread(reach[1], live, shares[1])
        return ranges, self._gadget(before, street, seat, ranges, plan)

    def _gadget(
        self, before: Subgame | None, street: Street, seat: int, ranges: Ranges, plan: Plan
    ) -> Gadget | None:
        """Return the opponent's gadget, from the previous street's solve or from the base.

        Sampled runouts give no values, so after such a flop they are the base's.
        """
        mode = self.search.mode
        if mode == "unsafe":
            return None
        player = 1 - street.seats.index(seat)
        if before is not None and before.exact:
            return solved_bound(before, street, player, mode).gadget(player, mode)
        pace, kind = self.pool.pace, ("bound", street.index, mode)
        if not pace.allows(kind, plan):  # computing it would take too long
            return None
        began = time.perf_counter()
        bound = base_bound(self.base, street, seat, ranges, mode)
        pace.learn(kind, time.perf_counter() - began)
        return None if bound is None else bound.gadget(player, mode)

    def _solved_before(self, street: Street, seat: int, plan: Plan) -> Subgame | None:
        """The subgame of the previous street; None if it was not searched."""
        if street.index < self.search.first:
            return None
        try:
            return self._find(street, seat, plan.half(), whole=self.search.mode != "unsafe")
        except TooShort:
            return None

    def base_reach(self, street: Street, seat: int | None = None) -> list[NDArray[np.float64]]:
        """Return each seat's reach, `[1326]`, of the line under the base strategy.

        With `seat`, its decisions that were searched count as they were played: the clock may have
        left only the later ones of a street to the base.
        """
        reach = [np.ones(NUM_HOLES) for _ in street.stacks]
        if self.base is None:
            return reach
        for view, action in street.moves():
            searched = self._known_rows(view) if view.seat == seat else None
            rows = self.base.strategies(view) if searched is None else searched
            reach[view.seat] *= likelihood(rows, view, action)
        return reach

    def _known_rows(self, view: View) -> HandStrategies | None:
        """Return the rows of a view that is solved; None if it is not, or is not searched."""
        if view.street < self.search.first or not self.knows(view):
            return None
        return at_table(self.subgame(view, NO_TIME).rows(Street.of(view).line), view)
