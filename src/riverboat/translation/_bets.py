"""Translate real bets to bets of the menu, and menu actions to real ones.

A bet off the menu counts as a bet of the menu. Sizes are shares of the pot after a call, on top of
the call. Between two sizes of the menu, `pseudo-harmonic` draws one of them at random (Ganzfried
and Sandholm, "Action Translation in Extensive-Form Games with Large Action Spaces", IJCAI 2013), so
that betting just above or below a limit gains little. `nearest-ratio` and `nearest-amount` take the
nearer size by quotient or difference; they are exploitable, and useful for comparisons. The size
below the menu's smallest is 0, no bet (the paper's A = 0); a bet above the largest counts as the
largest. There is no hidden state: the draw is a hash of the random seed, the line and the player's
own cards, so that the same hand always gets the same translation.

A menu action becomes a legal one. A bet keeps its share of the pot, at the table's pot. An all-in
stays all-in; if the table's stacks are deeper than the tree's, it bets the tree's stack. A bet
below the minimum raise becomes the minimum raise, a bet above the maximum the maximum, and an
illegal raise a call. A fold becomes a check if there is no bet.
"""

from __future__ import annotations

from bisect import bisect_right
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, Literal, get_args

from riverboat.errors import IllegalActionError, MenuError
from riverboat.game import Action
from riverboat.translation._menu_nodes import chip_scale

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riverboat.game import GameSpec, View
    from riverboat.translation._menu_nodes import MenuBet, MenuNode

Translation = Literal["pseudo-harmonic", "nearest-ratio", "nearest-amount"]

TRANSLATIONS: Final[tuple[Translation, ...]] = get_args(Translation)


def share_of_smaller(
    size: float, smaller: float, larger: float, rule: Translation = "pseudo-harmonic"
) -> float:
    """Probability that a bet between two sizes of a menu counts as the smaller one.

    Parameters
    ----------
    size, smaller, larger
        Shares of the pot, in the order `smaller <= size <= larger`, `smaller < larger`.
    rule
        The translation rule.

    Examples
    --------
    >>> share_of_smaller(0.75, 0.5, 1.0)  # (1 - 0.75) (1 + 0.5) / ((1 - 0.5) (1 + 0.75))
    0.42857142857142855
    >>> share_of_smaller(0.75, 0.5, 1.0, "nearest-ratio")
    0.0
    """
    if not 0 <= smaller <= size <= larger or smaller == larger:
        raise MenuError(f"a bet of {size} pots must be between {smaller} and {larger}")
    if rule == "pseudo-harmonic":
        return (larger - size) * (1 + smaller) / ((larger - smaller) * (1 + size))
    if rule == "nearest-ratio":
        return float(size * size <= smaller * larger)
    if rule == "nearest-amount":
        return float(2 * size <= smaller + larger)
    raise MenuError(f"translation must be one of {', '.join(TRANSLATIONS)}, not {rule!r}")


def size_shares(
    size: float, sizes: Sequence[float], rule: Translation = "pseudo-harmonic"
) -> tuple[tuple[int, float], ...]:
    """Return the indices of the menu sizes of a bet, with probabilities; -1 is no bet.

    One or two sizes, the smaller first: a draw below its probability selects it.

    Parameters
    ----------
    size
        The bet, as a share of the pot.
    sizes
        The menu's sizes, in ascending order; at least one.
    rule
        The translation rule.

    Examples
    --------
    >>> size_shares(0.75, [0.5, 1.0]), size_shares(7.0, [0.5, 1.0])
    (((0, 0.42857142857142855), (1, 0.5714285714285714)), ((1, 1.0),))
    """
    above = bisect_right(sizes, size)
    if above == len(sizes) or (above and sizes[above - 1] == size) or size < 0:
        return ((max(above - 1, 0), 1.0),)
    share = share_of_smaller(size, sizes[above - 1] if above else 0.0, sizes[above], rule)
    both = ((above - 1, share), (above, 1 - share))
    return tuple(pair for pair in both if pair[1] > 0)


def draw_for(seed: int, line: str, cards: Sequence[int] = ()) -> float:
    """Return a pseudo-random number in [0, 1) that depends on the arguments only.

    Parameters
    ----------
    seed
        The random seed, any whole number.
    line
        The line including the bet.
    cards
        Hole cards of the translating player, so that hands draw differently.

    Examples
    --------
    >>> draw_for(1, "b40") == draw_for(1, "b40") != draw_for(2, "b40")
    True
    """
    text = f"{seed} {line} {','.join(map(str, sorted(cards)))}"
    digest = blake2b(text.encode(), digest_size=8).digest()
    return (int.from_bytes(digest, "little") >> 11) * 2.0**-53


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
        View of the seat to act.
    swap
        The discard of a swap, such as `dAh`; the first card by default.
    scale
        Chips of the table per chip of the tree, if known.

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
        discard = swap or next(move for move in legal if Action(move).kind == "discard")
        return tuple("s" if action == "s" and legal.stand else discard for action in node.actions)
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
    """Return the chips of a bet of a share of the pot, on top of the call.

    Examples
    --------
    >>> share_amount(0.75, 20)
    15
    """
    return int(share * pot + 0.5)


def _amount(bet: MenuBet, stack: int, view: View) -> int:
    """Return the bet's total on this street; `stack` is the tree's, in chips of the table."""
    own = view.bets[view.seat]
    if bet.all_in:
        earlier = view.starting_stacks[view.seat] - view.stacks[view.seat] - own
        wanted = stack - earlier
    else:
        wanted = own + view.to_call + share_amount(bet.share, view.pot + view.to_call)
    least, most = view.legal.raise_to or (0, 0)
    return min(max(wanted, least), most)
