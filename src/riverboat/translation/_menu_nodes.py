"""What translation knows of a tree: whether it serves a table, and its bets by their size."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from riverboat.tree import BET_ACTION, DECISION

if TYPE_CHECKING:
    from riverboat.game import GameSpec
    from riverboat.tree import Tree


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


def _unit(spec: GameSpec) -> int:
    """What chips are counted in: big blinds, or least bets or antes where there are none."""
    return spec.big_blind or spec.compiled.min_bet or max(spec.antes) or 1


def chip_scale(tree: GameSpec, table: GameSpec) -> float:
    """Chips of the table for one chip of the tree."""
    return _unit(table) / _unit(tree)


def kind_difference(tree: GameSpec, table: GameSpec) -> str:
    """Say why a tree cannot serve a table; empty if it can.

    Seats, deck and showdown must be the same, blinds and antes in proportion, and the streets
    of the tree must deal as the first streets of the table do. Stacks, betting and caps on
    raises may differ.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> kind_difference(catalogue("cardiff"), catalogue("nolimit-100bb"))
    ''
    >>> kind_difference(catalogue("leduc"), catalogue("nolimit-100bb"))
    'the tree is for another deck or showdown'
    """
    if tree.players != table.players:
        return f"the tree is for {tree.players} players, the table has {table.players}"
    if (tree.showdown, tree.deck) != (table.showdown, table.deck):
        return "the tree is for another deck or showdown"
    scale = _unit(table), _unit(tree)
    for what in ("blinds", "antes"):
        ours, theirs = getattr(tree, what), getattr(table, what)
        if any(a * scale[0] != b * scale[1] for a, b in zip(ours, theirs, strict=True)):
            return f"the tree is for {what} of {ours}, the table has {theirs}"
    if len(tree.streets) > len(table.streets) or any(
        (a.hole, a.board, a.discard) != (b.hole, b.board, b.discard)
        for a, b in zip(tree.streets, table.streets, strict=False)
    ):
        return "the tree deals its streets differently"
    return ""


def same_rules(tree: GameSpec, table: GameSpec) -> bool:
    """Whether the games are one, but for names, rake and stacks."""
    return table.replace(name=tree.name, rake=tree.rake, stacks=tree.stacks) == tree
