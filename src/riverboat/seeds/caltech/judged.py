"""Sentences that judge, chosen by intervals."""

from riverboat.seeds._work import Won
from riverboat.seeds.caltech.fitting import Bounded

__all__ = ["by_sign", "difference", "verdict"]


def by_sign(sign: int, above: str, below: str, unsure: str) -> str:
    """Choose a sentence by where an interval lies: above zero, below, or around it.

    Examples
    --------
    >>> by_sign(Won(5.0, 2.0, 10).sign, "won", "lost", "open")
    'won'
    >>> by_sign(Won(5.0, 7.0, 10).sign, "won", "lost", "open")
    'open'
    """
    return {1: above, -1: below, 0: unsure}[sign]


def verdict(won: Won) -> str:
    """Say in a word or two how a match ended.

    Examples
    --------
    >>> verdict(Won(-300.0, 90.0, 100_000))
    'lost'
    """
    return by_sign(won.sign, "won", "lost", "undecided")


def difference(first: Bounded, second: Bounded) -> Won:
    """Return how much more exploitable the first is than the second, by the two bounds.

    Both were scored on the same deals, which makes the difference surer than its margin, taken as
    if they were independent, says.

    Examples
    --------
    >>> difference(Bounded(500.0, 30.0, 100), Bounded(420.0, 40.0, 100))
    Won(mean=80.0, margin=50.0, hands=100)
    """
    margin = float((first.margin**2 + second.margin**2) ** 0.5)
    return Won(first.mean - second.mean, margin, first.deals)
