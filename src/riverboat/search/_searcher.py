"""Re-solving at the table: each street is solved from its beginning to the end of the hand.

What is solved depends on what everybody sees, never on the own cards: so the strategy of every hand
is known, to the bot and to those who measure it. Ranges come by Bayes: the own one from what was
really played, the opponent's from what the same strategy does in his place. That is plain
("unsafe") re-solving; slumbot2019's notes found it best from coarse blueprints, and far better
from the beginning of a street than from every node of it.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from riverboat.cards import NUM_HOLES
from riverboat.errors import GameError, GpuError, SpotError
from riverboat.search._bounds import base_bound, likelihood, solved_bound, spread
from riverboat.search._plan import on_card, say
from riverboat.search._street import Street, planned
from riverboat.search._subgame import POOL, Subgame, at_table, legal_action
from riverboat.spots import GadgetMode

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from riverboat.bots import HandStrategies, RangeBot
    from riverboat.game import View
    from riverboat.search._plan import Plan
    from riverboat.search._street import Planned
    from riverboat.search._subgame import Pool, Ranges, SolveFacts
    from riverboat.spots import Device, Gadget

SearchMode = Literal["unsafe", GadgetMode]

# Share of a range that is known: no hand of it may be left without a strategy.
_FLOOR: Final = 1e-3
_MOST_FACTS: Final = 1000

_Kept = dict[str, "HandStrategies"]


@dataclass(frozen=True, slots=True)
class Search:
    """How to search; what a solution depends on besides the table.

    Attributes
    ----------
    turn, river
        Bet menus of a solve, by the street where it begins; without one for the turn only
        rivers are solved.
    even
        Share of the opponent's range that is spread evenly over all hands where search begins.
    mode
        How a street is solved: `unsafe`, against the opponent's range alone; else with the
        `riverboat.spots.Gadget` of that name, so that his hands get no more than before: by the
        solve of the street before, or where search begins by the base, from the turn on.
    base
        Tells strategies before the search from one another.
    budget
        Iterations and seconds of a solve, to tell solutions apart.
    flop
        The menu of a solve that begins on the flop; without one search begins later.
    device
        Where flop and turn are solved; `gpu` solves rivers there, too, `auto` on the CPU.
    """

    turn: str
    river: str
    even: float = 0.1
    mode: SearchMode = "unsafe"
    base: object = None
    budget: tuple[int, float] = (0, 0.0)
    flop: str = ""
    device: Device = "cpu"

    @property
    def first(self) -> int:
        """The first street that is searched."""
        return next(street for street in (1, 2, 3) if self.menu(street) or street == 3)

    def menu(self, street: int) -> str:
        """Return the bet menu of solves that begin on a street."""
        return {1: self.flop, 2: self.turn}.get(street, self.river)

    def on_card(self, street: int) -> bool:
        """Return whether a graphics card solves what begins on a street."""
        return on_card(self.device, street)


class TooShort(Exception):  # noqa: N818 - no error: the base plays
    """There is no time for a solve that is worth playing."""

    def __init__(self, base: RangeBot) -> None:
        super().__init__("there is no time to search")
        self.base = base


class Searcher:
    """Solves what comes up in hands.

    Parameters
    ----------
    base
        Plays the streets before; ranges come from its strategy. None: nothing is known of them.
    search
        How to search.
    threads
        Of the solver; they change the time, not the solution.
    tell
        Called after each solve, which then is measured, too.
    pool
        Remembers solutions; the process's own by default.

    Attributes
    ----------
    facts
        How the last subgames were solved, newest last.
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
        """Return what every hand of the seat to act does; the view's own cards do not count."""
        street = self._street(view)
        try:
            subgame = self.subgame(street, plan)
        except TooShort as late:
            return late.base.strategies(view)
        return at_table(subgame.rows(street.line), view)

    def subgame(self, view: View | Street, plan: Plan, *, whole: bool = False) -> Subgame:
        """Return the solve that decides a view of a searched street.

        `whole` has its solver with it, which is else given back after a while.

        Raises
        ------
        TooShort
            Where the plan leaves no time for one, and the base can play in its place.
        """
        street = view if isinstance(view, Street) else self._street(view)
        if street.actor is None:
            raise GameError(f"nobody decides after '{'/'.join(street.lines)}'")
        with self.pool.lock:
            return self._solved(street, street.actor, plan, whole=whole)

    def _street(self, view: View) -> Street:
        """Return the street of a view, which must be searched."""
        if view.actor is None or view.street < self.search.first:
            raise GameError(f"nothing is searched at '{view.line}'")
        return Street.of(view)

    def menu(self, view: View) -> tuple[str, ...]:
        """Return the actions that a solve knows for the seat to act, whoever that is."""
        street = Street.of(view)
        menu = self.search.menu(street.index)
        found = planned(street.state, "", menu)
        if not found.has(street.line):
            found = planned(street.state, street.line, menu)
        actions = found.actions(street.line)
        return tuple(dict.fromkeys(legal_action(action, view) for action in actions))

    # ---- Which subgame decides

    def _solved(self, street: Street, seat: int, plan: Plan, *, whole: bool = False) -> Subgame:
        """The solve that a seat last went by on a street, with its solver where that is needed.

        A bet that the tree lacks is put into it, and all is solved again from the beginning of
        the street; what the seat did before stays as it was solved when it was done.
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
            raise GameError(f"seat {seat} decides nothing on the {street.name} of {street.lines}")
        if not subgame.has(street.line):  # the seat bet what it never bets
            subgame = self._remembered(street, seat, street.line, kept, plan, whole)
        return subgame

    def _remembered(  # noqa: PLR0913, PLR0917 - which, with what was kept, how
        self, street: Street, seat: int, line: str, kept: _Kept, plan: Plan, whole: bool
    ) -> Subgame:
        if planned(street.state, "", self.search.menu(street.index)).has(line):
            line = ""
        key = (self.search, street.key, seat, line)
        return self.pool.get(key, lambda: self._solve(street, seat, line, kept, plan), whole=whole)

    def _solve(self, street: Street, seat: int, line: str, kept: _Kept, plan: Plan) -> Subgame:
        ranges, gadget = self._beginning(street, seat, plan)
        on_card = self.search.on_card(street.index)
        pace = street.index, on_card
        if self.base is not None and not self.pool.pace.allows(pace, plan):
            raise TooShort(self.base)
        tree = planned(street.state, line, self.search.menu(street.index))
        subgame, facts = self._made(tree, ranges, kept, gadget, plan, on_card)
        self.pool.pace.learn(pace, subgame.least_seconds)
        self.facts.append(facts)
        if self._tell is not None:
            self._tell(facts)
        if self.base is not None and facts.too_short:
            raise TooShort(self.base)
        return subgame

    def _made(  # noqa: PLR0913, PLR0917 - what, and how
        self,
        tree: Planned,
        ranges: Ranges,
        kept: _Kept,
        gadget: Gadget | None,
        plan: Plan,
        on_card: bool,
    ) -> tuple[Subgame, SolveFacts]:
        """A solved subgame: by the CPU where the card's memory does not suffice."""
        explain = self._tell is not None
        if on_card:
            try:
                subgame = Subgame(tree, ranges, kept, self.threads, gadget, on_card=True)
                return subgame, subgame.solve(plan, explain=explain)
            except (GpuError, SpotError) as error:  # an exact check takes more: it may come late
                say(f"search solves a {tree.state.street} on the CPU: {error}.")
        subgame = Subgame(tree, ranges, kept, self.threads, gadget)
        return subgame, subgame.solve(plan, explain=explain)

    # ---- How a street begins

    def _beginning(self, street: Street, seat: int, plan: Plan) -> tuple[Ranges, Gadget | None]:
        """Both ranges, out of position first, and what bounds the opponent's values."""
        before = self._solved_before(street.before, seat, plan)
        if before is None:
            by_seat = self.base_reach(street.before)
            reach = (by_seat[street.seats[0]], by_seat[street.seats[1]])
            doubt = self.search.even
        else:
            reach, doubt = before.ranges_after(street.before.line), _FLOOR
        live = street.spec.live_holes(street.board)
        shares = [_FLOOR if each == seat else max(doubt, _FLOOR) for each in street.seats]
        ranges = spread(reach[0], live, shares[0]), spread(reach[1], live, shares[1])
        return ranges, self._gadget(before, street, seat, ranges, plan)

    def _gadget(
        self, before: Subgame | None, street: Street, seat: int, ranges: Ranges, plan: Plan
    ) -> Gadget | None:
        """What bounds the opponent's values, by the solve before or by the base."""
        mode = self.search.mode
        if mode == "unsafe":
            return None
        player = 1 - street.seats.index(seat)
        if before is not None:
            return solved_bound(before, street, player, mode).gadget(player, mode)
        pace, kind = self.pool.pace, ("bound", street.index, mode)
        if not pace.allows(kind, plan):  # it would take too long to find
            return None
        began = time.perf_counter()
        bound = base_bound(self.base, street, seat, ranges, mode)
        pace.learn(kind, time.perf_counter() - began)
        return None if bound is None else bound.gadget(player, mode)

    def _solved_before(self, street: Street, seat: int, plan: Plan) -> Subgame | None:
        """The solve of the street before; None if it was not searched."""
        if street.index < self.search.first:
            return None
        try:
            return self._solved(street, seat, plan.half(), whole=self.search.mode != "unsafe")
        except TooShort:
            return None

    def base_reach(self, street: Street) -> list[NDArray[np.float64]]:
        """Return by seat, `[1326]`, how often the base plays each hand as it was played so far."""
        reach = [np.ones(NUM_HOLES) for _ in street.stacks]
        if self.base is None:
            return reach
        for view, action in street.moves():
            reach[view.seat] *= likelihood(self.base.strategies(view), view, action)
        return reach
