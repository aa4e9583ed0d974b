"""Real bets to menu bets: which size of the menu a bet counts as that is not on it.

Sizes are shares of the pot after calling, on top of the price. Between two sizes of the menu,
`pseudo-harmonic` draws one of them (Ganzfried and Sandholm, "Action Translation in
Extensive-Form Games with Large Action Spaces", IJCAI 2013): nobody can gain much by betting
just above or below a limit. `nearest-ratio` and `nearest-amount` take the nearer one by
quotient and by difference; they are exploitable, and good for comparisons. Below the menu's
smallest size the next smaller one is 0, no bet at all (the paper's A = 0); above the largest
a bet counts as the largest.

There is no hidden state: what is drawn is a hash of a seed, the line of play and the player's
own cards, so that the same hand seen again is read the same way.
"""

from bisect import bisect_right
from collections.abc import Sequence
from hashlib import blake2b
from typing import Final, Literal, get_args

from riverboat.errors import MenuError

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
        How it is translated.

    Examples
    --------
    >>> share_of_smaller(0.75, 0.5, 1.0)  # (1 - 0.75) (1 + 0.5) / ((1 - 0.5) (1 + 0.75))
    0.42857142857142855
    >>> share_of_smaller(0.75, 0.5, 1.0, "nearest-ratio")
    0.0
    """
    if not 0 <= smaller <= size <= larger or smaller == larger:
        raise MenuError(f"a bet of {size} pots does not lie between {smaller} and {larger}")
    if rule == "pseudo-harmonic":
        return (larger - size) * (1 + smaller) / ((larger - smaller) * (1 + size))
    if rule == "nearest-ratio":
        return float(size * size <= smaller * larger)
    if rule == "nearest-amount":
        return float(2 * size <= smaller + larger)
    raise MenuError(f"bets are translated by {', '.join(TRANSLATIONS)}, not {rule!r}")


def size_shares(
    size: float, sizes: Sequence[float], rule: Translation = "pseudo-harmonic"
) -> tuple[tuple[int, float], ...]:
    """Indices of the menu sizes that a bet counts as, with their probabilities; -1 is no bet.

    There are one or two, the smaller one first: a draw below its probability means that one.

    Parameters
    ----------
    size
        The bet, as a share of the pot.
    sizes
        The menu's, rising; at least one.
    rule
        How it is translated.

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
    """Number from 0 up to but not 1 that depends on its arguments alone.

    Parameters
    ----------
    seed
        Any whole number.
    line
        The line of play up to and with the bet.
    cards
        Of the player who reads the bet: without them a bet would be read alike in every hand.

    Examples
    --------
    >>> draw_for(1, "b40") == draw_for(1, "b40") != draw_for(2, "b40")
    True
    """
    text = f"{seed} {line} {','.join(map(str, sorted(cards)))}"
    digest = blake2b(text.encode(), digest_size=8).digest()
    return (int.from_bytes(digest, "little") >> 11) * 2.0**-53
