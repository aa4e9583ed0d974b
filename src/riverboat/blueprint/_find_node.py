"""The decision of a tree that a line of play leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverboat.errors import BlueprintError, MenuError
from riverboat.game import Hand
from riverboat.translation import Tracker
from riverboat.tree import DECISION

if TYPE_CHECKING:
    from riverboat.tree import Tree

__all__ = ["find_node"]


def find_node(tree: Tree, line: str) -> int:
    """Return the decision at the end of a line; bets off the menu count as the nearest ones.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.tree import Tree
    >>> tree = Tree(catalogue("nolimit-100bb"), "laptop")
    >>> tree.line(find_node(tree, "b25c/kb30"))
    'b25c/kb25'
    """
    try:
        node = tree.node(line)
    except MenuError:
        hand = Hand(tree.spec)
        hand.play(line)
        if hand.actor is None:
            raise BlueprintError(f"the hand is over after '{line}': nobody decides") from None
        place = Tracker(tree, "nearest-ratio").find(hand.view(hand.actor))
        if place.node < 0:
            raise BlueprintError(f"'{line}' leaves the tree: {place.reason}") from None
        return place.node
    if tree.kind[node] != DECISION:
        raise BlueprintError(f"the hand is over after '{line}': nobody decides")
    return node
