"""What translation needs to know of a decision of a tree: its actions, and bets by their size."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from riverboat.tree import BET_ACTION, DECISION

if TYPE_CHECKING:
    from riverboat.tree import Tree

__all__ = ["MenuBet", "MenuNode", "MenuNodes"]


class MenuBet(NamedTuple):
    """A bet of the menu: the node it leads to, its share of the pot, whether it is all-in."""

    child: int
    share: float
    all_in: bool


class MenuNode(NamedTuple):
    """A decision of a tree.

    Attributes
    ----------
    player, street
        Who decides, and when.
    actions
        As text, in the order of a strategy row.
    children
        Node by action.
    passive
        Node after a check or call; -1 where a card may be swapped instead.
    bets
        The menu's bets, small to large.
    shares
        Their shares of the pot.
    """

    player: int
    street: int
    actions: tuple[str, ...]
    children: dict[str, int]
    passive: int
    bets: tuple[MenuBet, ...]
    shares: tuple[float, ...]


class MenuNodes:
    """The decisions of a tree, each worked out when first asked for.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.tree import Tree
    >>> nodes = MenuNodes(Tree(catalogue("nolimit-100bb"), "laptop"))
    >>> [(bet.share, bet.all_in) for bet in nodes[0].bets]
    [(0.75, False), (1.0, False), (49.5, True)]
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._known: dict[int, MenuNode] = {}

    def __getitem__(self, node: int) -> MenuNode:
        found = self._known.get(node)
        if found is None:
            found = self._known[node] = _menu_node(self.tree, node)
        return found

    def is_decision(self, node: int) -> bool:
        """Whether somebody decides at the node."""
        return node in self._known or int(self.tree.kind[node]) == DECISION


def _menu_node(tree: Tree, node: int) -> MenuNode:
    player, actions = int(tree.player[node]), tree.actions(node)
    children = dict(zip(actions, tree.children(node), strict=True))
    passive = children.get("k", children.get("c", -1))
    bets = tuple(
        _menu_bet(tree, node, child, passive)
        for child in children.values()
        if int(tree.action_kind[child]) == BET_ACTION
    )
    shares = tuple(bet.share for bet in bets)
    return MenuNode(player, int(tree.street[node]), actions, children, passive, bets, shares)


def _menu_bet(tree: Tree, node: int, child: int, passive: int) -> MenuBet:
    """Where a bet is possible a call is never short, so that it tells the price."""
    player = int(tree.player[node])
    before = tree.contributions[node].tolist()
    called = int(tree.contributions[passive, player]) - before[player]
    added = int(tree.contributions[child, player]) - before[player]
    share = (added - called) / max(sum(before) + called, 1)  # a game may have no forced bets
    all_in = int(tree.contributions[child, player]) == tree.spec.stacks[player]
    return MenuBet(child, share, all_in)
