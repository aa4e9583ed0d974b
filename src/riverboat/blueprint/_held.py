"""Which cards a seat held on earlier streets, in games where cards are swapped.

A view shows the own cards now and those given away, but not which pair they were: that is
remembered from the views of the same hand before. A seat is asked at every swap, so whoever
shows all his views is never without an answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from riverboat.game import GameSpec, View

__all__ = ["HeldCards"]

_Cards = tuple[int, ...]


class HeldCards:
    """Remembers the own cards of one hand by seat and street.

    Several bots may ask one strategy in turn, one in each seat.

    Parameters
    ----------
    spec
        The game.
    """

    def __init__(self, spec: GameSpec) -> None:
        self._swaps = frozenset(spec.swap_streets)
        self._held: list[dict[int, _Cards]] = [{} for _ in range(spec.players)]

    def look(self, view: View) -> None:
        """Take in a view; those of another hand replace what is remembered."""
        if not self._swaps:
            return
        held = self._held[view.seat]
        seen = {*view.hole, *view.discarded}
        known = {card for hole in held.values() for card in hole}
        if not known <= seen or view.street < max(held, default=0):
            held.clear()
        # Before his own swap a seat still holds what it held on the street before.
        street = view.street - bool(view.legal.discards)
        held[street] = view.hole
        while street > 0 and street not in self._swaps:
            street -= 1
            held[street] = view.hole

    def on(self, street: int, view: View) -> _Cards | None:
        """Return the cards held at the end of a street, or now on the view's own."""
        if street == view.street or not view.discarded:
            return view.hole
        return self._held[view.seat].get(street)
