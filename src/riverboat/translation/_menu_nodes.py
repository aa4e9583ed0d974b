"""Facts of a tree for action translation: compatibility with a table, and bets by size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from riverboat.tree import BET_ACTION, DECISION

if TYPE_CHECKING:
    from riverboat.game import GameSpec
    from riverboat.tree import Tree


_PASSIVE: Final = (1, 2)  # kinds of actions: check, call
_HEADS_UP: Final = 2


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
        Player to act, and street.
    actions
        Actions as text, in the order of a strategy row.
    children
        Next node by action.
    passive
        Node after a check or call; -1 at a swap, and where the menu's rules exclude the call.
    swap
        Whether the decision is a swap.
    bets
        The menu's bets, small to large.
    shares
        The bets' shares of the pot.
    """

    player: int
    street: int
    actions: tuple[str, ...]
    children: dict[str, int]
    passive: int
    swap: bool
    bets: tuple[MenuBet, ...]
    shares: tuple[float, ...]


class MenuNodes:
    """The decisions of a tree, computed on first use.

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
        menu_node = self._known.get(node)
        if menu_node is None:
            menu_node = self._known[node] = _menu_node(self.tree, node)
        return menu_node

    def is_decision(self, node: int) -> bool:
        """Whether the node is a decision."""
        return node in self._known or int(self.tree.kind[node]) == DECISION


def _menu_node(tree: Tree, node: int) -> MenuNode:
    player, actions = int(tree.player[node]), tree.actions(node)
    children = dict(zip(actions, tree.children(node), strict=True))
    passive = children.get("k", children.get("c", -1))
    bets = tuple(
        _menu_bet(tree, node, child)
        for child in children.values()
        if int(tree.action_kind[child]) == BET_ACTION
    )
    shares = tuple(bet.share for bet in bets)
    swap, street = "d" in children, int(tree.street[node])
    return MenuNode(player, street, actions, children, passive, swap, bets, shares)


def _menu_bet(tree: Tree, node: int, child: int) -> MenuBet:
    """Return a bet; where a bet is possible a call is never short of the price."""
    player = int(tree.player[node])
    before = tree.contributions[node].tolist()
    called = _to_call(tree, node, before, player)
    added = int(tree.contributions[child, player]) - before[player]
    share = (added - called) / max(sum(before) + called, 1)  # without forced bets the pot may be 0
    all_in = int(tree.contributions[child, player]) == tree.spec.stacks[player]
    return MenuBet(child, share, all_in)


def _to_call(tree: Tree, node: int, before: list[int], player: int) -> int:
    """Return the price of a call; unequal antes are not part of it."""
    passive = next(
        (child for child in tree.children(node) if int(tree.action_kind[child]) in _PASSIVE), -1
    )
    if passive >= 0:
        return int(tree.contributions[passive, player]) - before[player]
    antes = tree.spec.antes
    paid = [chips - ante for chips, ante in zip(before, antes, strict=True)]
    return max(paid) - paid[player]


def _unit(spec: GameSpec) -> int:
    """Unit of chips: the big blind, or without one the minimum bet or the ante."""
    return spec.big_blind or spec.compiled.min_bet or max(spec.antes) or 1


def chip_scale(tree: GameSpec, table: GameSpec) -> float:
    """Chips of the table per chip of the tree."""
    return _unit(table) / _unit(tree)


def kind_difference(tree: GameSpec, table: GameSpec) -> str:
    """Return why a tree does not fit a table; empty if it fits.

    Deck and showdown must be the same, and the tree's streets must deal like the table's first
    streets. Stacks, betting and caps on raises may differ. Seats must be the same, and blinds and
    antes in proportion; but a tree with blinds for three or more players fits all tables with
    blinds and at least three seats (`ManyTracker`).

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> kind_difference(catalogue("cardiff"), catalogue("nolimit-100bb"))
    ''
    >>> kind_difference(catalogue("leduc"), catalogue("nolimit-100bb"))
    'the tree is for another deck or showdown'
    """
    many = for_many(tree) and for_many(table)
    if tree.players != table.players and not many:
        return f"the tree is for {tree.players} players, the table has {table.players}"
    if (tree.showdown, tree.deck) != (table.showdown, table.deck):
        return "the tree is for another deck or showdown"
    scale = _unit(table), _unit(tree)
    for what in () if many else ("blinds", "antes"):
        ours, theirs = getattr(tree, what), getattr(table, what)
        if any(a * scale[0] != b * scale[1] for a, b in zip(ours, theirs, strict=True)):
            return f"the tree is for {what} of {ours}, the table has {theirs}"
    if len(tree.streets) > len(table.streets) or any(
        (a.hole, a.board, a.discard) != (b.hole, b.board, b.discard)
        for a, b in zip(tree.streets, table.streets, strict=False)
    ):
        return "the tree deals its streets differently"
    return ""


def for_many(spec: GameSpec) -> bool:
    """Whether a game has blinds and three or more seats."""
    return spec.players > _HEADS_UP and spec.big_blind > 0


def same_rules(tree: GameSpec, table: GameSpec) -> bool:
    """Whether the games are equal except for name, rake and stacks."""
    alike = table.players == tree.players
    return alike and table.replace(name=tree.name, rake=tree.rake, stacks=tree.stacks) == tree
