"""Re-solving at the table: each street is solved from its beginning to the end of the hand.

What is solved depends on what everybody sees, never on the own cards: so the strategy of every hand
is known, to the bot and to those who measure it.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from riverboat.bots import all_strategies
from riverboat.cards import HOLES
from riverboat.errors import GameError
from riverboat.search._likelihood import likelihood, spread
from riverboat.search._street import Street
from riverboat.search._subgame import Budget, Ranges, Subgame
from riverboat.spots import Spot

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from riverboat.bots import HandStrategies, RangeBot
    from riverboat.game import View

__all__ = ["Search", "Searcher"]

_MOST_BYTES: Final = 1_000_000_000
_ANY: Final = ("100%", "100%")

_Kept = dict[str, "NDArray[np.float64]"]


@dataclass(frozen=True, slots=True)
class Search:
    """How to search.

    Attributes
    ----------
    menus
        Bet menus by the street where a solve begins: the least of them is searched first.
    budget
        What one solve may take.
    even
        Share of the ranges that is spread evenly over all hands.
    threads
        Of the solver.
    """

    menus: Mapping[int, str]
    budget: Budget
    even: float = 0.1
    threads: int = 1

    @property
    def first(self) -> int:
        """The first street that is searched."""
        return min(self.menus)


class Searcher:
    """Solves what comes up in hands, and remembers it by public state.

    Parameters
    ----------
    base
        Plays the streets before; ranges come from its strategy.
    search
        How to search.
    """

    def __init__(self, base: RangeBot, search: Search) -> None:
        self.base, self.search = base, search
        self._kept: OrderedDict[tuple[object, ...], Subgame] = OrderedDict()

    def rows(self, view: View) -> HandStrategies:
        """Return what every hand of the seat to act does; the view's own cards do not count."""
        if view.street < self.search.first:
            return all_strategies(self.base, view)
        return self.subgame(view).rows(Street.of(view).line)

    def subgame(self, view: View) -> Subgame:
        """Return the solve that decides a view of a searched street."""
        if view.actor is None or view.street < self.search.first:
            raise GameError(f"nothing is searched at '{view.line}'")
        return self._solved(Street.of(view), view.actor)

    def _solved(self, street: Street, seat: int) -> Subgame:
        """The solve that a seat last went by on a street.

        A bet that the tree lacks is put into it, and all is solved again from the beginning of
        the street; what the seat did before stays as it was solved when it was done.
        """
        subgame: Subgame | None = None
        kept: _Kept = {}
        for line in street.decisions(seat):
            if subgame is None or not subgame.has(line):
                subgame = self._remembered(street, seat, line, kept)
            kept[line] = subgame.rows(line).rows
        if subgame is None:
            raise GameError(f"seat {seat} decides nothing on the last street of {street.lines}")
        return subgame

    def _remembered(self, street: Street, seat: int, line: str, kept: _Kept) -> Subgame:
        key = (street.key, seat, line)
        found = self._kept.pop(key, None) or self._solve(street, seat, line, kept)
        self._kept[key] = found
        while len(self._kept) > 1 and sum(s.bytes for s in self._kept.values()) > _MOST_BYTES:
            self._kept.popitem(last=False)
        return found

    def _solve(self, street: Street, seat: int, line: str, kept: _Kept) -> Subgame:
        spot = Spot.from_hand(street.hand(line), _ANY, self.search.menus[street.index])
        ranges = self._ranges(street, seat)
        return Subgame(spot, ranges, kept, self.search.budget, self.search.threads)

    def _ranges(self, street: Street, seat: int) -> Ranges:
        """Both ranges at the beginning of a street, out of position first."""
        if street.index == self.search.first:
            by_seat = self._base_reach(street)
            oop, ip = (by_seat[each] for each in street.seats)
        else:
            before = street.before
            oop, ip = self._solved(before, seat).ranges_after(before.line, street.new_cards)
        dead = np.isin(HOLES, street.board).any(axis=1)
        return spread(oop, dead, self.search.even), spread(ip, dead, self.search.even)

    def _base_reach(self, street: Street) -> list[NDArray[np.float64]]:
        """By seat, how often the base plays each hand as the streets before were played."""
        reach = [np.ones(len(HOLES)) for _ in street.stacks]
        for view, action in street.before.moves():
            reach[view.seat] *= likelihood(all_strategies(self.base, view), view, action)
        return reach
