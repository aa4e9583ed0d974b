"""The tree that a street is solved on, and how its actions are those of the table.

In a spot both players have the smaller stack: a bet of more chips is all-in there.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from riverboat.bots import HandStrategies
from riverboat.cards import STREETS
from riverboat.game import Action, Hand, actions_of
from riverboat.spots import Spot

if TYPE_CHECKING:
    from riverboat.game import View
    from riverboat.search._street import Street
    from riverboat.tree import Tree

__all__ = ["Planned", "at_table", "legal_action", "planned"]

_ANY: Final = ("100%", "100%")


class Planned(NamedTuple):
    """A spot and its tree; lines are those of the street, as they were played at the table."""

    spot: Spot
    tree: Tree
    added: str

    def spot_line(self, line: str) -> str:
        """Return a line of the table as the spot has it."""
        if len(set(self.spot.stacks)) == 1:
            return line
        hand = Hand(self.spot.spec)
        for action in actions_of(line):
            move = Action(action)
            most = min(move.amount, hand.max_raise_to or 0)
            hand.do(f"b{most}" if move.kind == "bet" else move)
        return hand.line

    def has(self, line: str) -> bool:
        """Return whether the tree has a line of its first street."""
        node = 0
        for action in actions_of(self.spot_line(line)):
            actions = self.tree.actions(node)
            if action not in actions:
                return False
            node = self.tree.children(node)[actions.index(action)]
        return True

    def node(self, line: str) -> int:
        """Return the node of a line."""
        return self.tree.node(self.spot_line(line))

    def actions(self, line: str) -> tuple[str, ...]:
        """Return what the tree has after a line."""
        return self.tree.actions(self.node(line))


@lru_cache(maxsize=64)
def planned(street: Street, line: str, menu: str) -> Planned:
    """Return what a street is solved on, with a line of it that is in the tree in any case."""
    spot = Spot.from_hand(street.hand(line), _ANY, menu, STREETS[street.index])
    return Planned(spot, spot.tree(), line)


def legal_action(action: str, view: View) -> str:
    """Return a spot's action as the table allows it: with unequal stacks all-in may be more.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("nolimit-100bb")).view(0)
    >>> legal_action("b30", view), legal_action("b15", view)
    ('b30', 'b20')
    """
    move = Action(action)
    if move.kind != "bet":
        return action
    if view.legal.raise_to is None:
        return "k" if view.legal.check else "c"
    least, most = view.legal.raise_to
    return f"b{min(max(move.amount, least), most)}"


def at_table(rows: HandStrategies, view: View) -> HandStrategies:
    """Return rows of a spot with legal actions of the table, each once."""
    real = [legal_action(action, view) for action in rows.actions]
    actions = tuple(dict.fromkeys(real))
    if actions == rows.actions:
        return rows
    columns = np.zeros((len(actions), len(rows.rows)))
    for column, action in zip(rows.rows.T, real, strict=True):
        columns[actions.index(action)] += column
    return HandStrategies(actions, columns.T)
