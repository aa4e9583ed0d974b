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

__all__ = [
    "TRANSLATIONS",
    "Translation",
    "choose_size",
    "counts_as_none",
    "draw_for",
    "share_of_smaller",
]

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


def choose_size(
    size: float, sizes: Sequence[float], draw: float, rule: Translation = "pseudo-harmonic"
) -> int:
    """Index of the menu size that a bet counts as.

    Parameters
    ----------
    size
        The bet, as a share of the pot.
    sizes
        The menu's, rising; at least one.
    draw
        From 0 up to but not 1; see `draw_for`.
    rule
        How it is translated.

    Examples
    --------
    >>> [choose_size(size, [0.5, 1.0], draw=0.4) for size in (0.3, 0.5, 0.75, 0.8, 7.0)]
    [0, 0, 0, 1, 1]
    """
    above = bisect_right(sizes, size)
    if above == 0:
        return 0
    if above == len(sizes) or sizes[above - 1] == size:
        return above - 1
    return above - (draw < share_of_smaller(size, sizes[above - 1], sizes[above], rule))


def counts_as_none(
    size: float, sizes: Sequence[float], draw: float, rule: Translation = "pseudo-harmonic"
) -> bool:
    """Whether a bet below the menu's smallest counts as no bet; arguments as in `choose_size`.

    Examples
    --------
    >>> counts_as_none(0.1, [0.5, 1.0], draw=0.7)  # (0.5 - 0.1) / (0.5 (1 + 0.1)) = 0.727
    True
    >>> [counts_as_none(size, [0.5, 1.0], draw=0.7) for size in (0.2, 0.5, 0.6)]
    [False, False, False]
    """
    return 0 <= size < sizes[0] and draw < share_of_smaller(size, 0.0, sizes[0], rule)


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
