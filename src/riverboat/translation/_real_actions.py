"""Menu actions to real ones: what a player of the tree does at a real table, always legal.

A bet keeps its share of the pot, reckoned with the table's pot. An all-in stays all-in; where the
table is deeper than the tree, it is the tree's stack instead. What is below the least raise
becomes the least raise, what is above the greatest the greatest, and a raise that is not allowed
a call. A fold is a check where that is free.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverboat.errors import IllegalActionError
from riverboat.game import Action
from riverboat.translation._menu_nodes import chip_scale

if TYPE_CHECKING:
    from riverboat.game import GameSpec, View
    from riverboat.translation._menu_nodes import MenuBet, MenuNode


def real_actions(
    tree: GameSpec, node: MenuNode, view: View, swap: str = "", scale: float | None = None
) -> tuple[str, ...]:
    """Return the real action for each menu action of a decision; several may be the same.

    Parameters
    ----------
    tree
        The tree's game.
    node
        The decision.
    view
        Of the seat that is to act.
    swap
        The discard that a swap means, such as `dAh`; the first card by default.
    scale
        Chips of the table for one of the tree, if it is known already.

    Examples
    --------
    >>> from riverboat.translation import MenuNodes
    >>> from riverboat.game import Hand, catalogue
    >>> from riverboat.tree import Tree
    >>> game = catalogue("nolimit-100bb")
    >>> node = MenuNodes(Tree(game, "laptop"))[0]
    >>> deep = Hand(game, stacks=[5000, 5000], seed=1)
    >>> real_actions(game, node, deep.view(0))
    ('f', 'c', 'b25', 'b30', 'b1000')
    """
    legal = view.legal
    if view.actor != view.seat:
        raise IllegalActionError(f"seat {view.seat} is not to act")
    if legal.discards:
        gone = swap or next(move for move in legal if Action(move).kind == "discard")
        return tuple("s" if action == "s" and legal.stand else gone for action in node.actions)
    passive = "k" if legal.check else "c"
    stack = tree.stacks[node.player] * (chip_scale(tree, view.spec) if scale is None else scale)
    bets = iter(node.bets)
    real = []
    for action in node.actions:
        if Action(action).kind == "bet":
            bet = next(bets)
            real.append(f"b{_amount(bet, round(stack), view)}" if legal.raise_to else passive)
        else:
            real.append("f" if action == "f" and legal.fold else passive)
    return tuple(real)


def share_amount(share: float, pot: int) -> int:
    """Chips that a bet of a share of the pot puts in on top of the price.

    Examples
    --------
    >>> share_amount(0.75, 20)
    15
    """
    return int(share * pot + 0.5)


def _amount(bet: MenuBet, stack: int, view: View) -> int:
    """Chips in on this street after the bet; `stack` is the tree's in chips of the table."""
    own = view.bets[view.seat]
    if bet.all_in:
        earlier = view.starting_stacks[view.seat] - view.stacks[view.seat] - own
        wanted = stack - earlier
    else:
        wanted = own + view.to_call + share_amount(bet.share, view.pot + view.to_call)
    least, most = view.legal.raise_to or (0, 0)
    return min(max(wanted, least), most)
