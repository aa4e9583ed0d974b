"""Bets of a menu in words: how many sizes, how many raises."""

from riverboat.seeds.caltech.data import data
from riverboat.tree import BetMenu, StreetMenu

__all__ = ["caps_words", "fewer_words", "first_and_later", "most_words"]


def first_and_later(menu: str) -> tuple[StreetMenu, StreetMenu]:
    """Return the bets before the flop and those of later streets.

    Examples
    --------
    >>> [street.cap for street in first_and_later("1bb, 2bb ; cap 2 / 50% ; cap 1")]
    [2, 1]
    """
    streets = BetMenu.parse(menu).streets
    return streets[0], streets[-1]


def most_words(street: StreetMenu) -> str:
    """Say how many raises a street allows.

    Examples
    --------
    >>> [most_words(street) for street in first_and_later("min ; cap 3 / min")]
    ['at most 3 a street', 'any number a street']
    """
    return "any number a street" if street.cap is None else f"at most {street.cap} a street"


def caps_words(menu: str) -> str:
    """Say how raises are capped.

    Examples
    --------
    >>> caps_words("min ; cap 2 / min ; cap 1")
    'before the flop at most 2 a street, later at most 1 a street'
    """
    first, later = first_and_later(menu)
    return f"before the flop {most_words(first)}, later {most_words(later)}"


def fewer_words(menu: str) -> str:
    """Say where a menu has not as many sizes as the author's.

    Examples
    --------
    >>> fewer_words("1bb, 2bb, 4bb, 8bb, 16bb / 50%, 100% ; cap 1")
    'After the flop this run has 2 sizes of raises instead of 6. '
    """
    names = ("Before the flop", "After the flop")
    counts = zip(names, _num_sizes(menu), _num_sizes(data().uncapped.menu), strict=True)
    return "".join(
        f"{name} this run has {ours} sizes of raises instead of {theirs}. "
        for name, ours, theirs in counts
        if ours != theirs
    )


def _num_sizes(menu: str) -> tuple[int, ...]:
    return tuple(len(street.by_depth[0]) for street in first_and_later(menu))
