"""Single hands of a decision: `AhKh`, a class such as `A5s`, or each class of a range."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from riverboat.cards import (
    CLASS_HOLES,
    HOLE_CLASS,
    Range,
    class_text,
    hole_text,
    parse_class,
    parse_hole,
)
from riverboat.errors import CardError

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class HandRow:
    """One hand or class of a decision; means over its hole pairs are weighted by reach.

    Attributes
    ----------
    hand
        Such as `AhKh` or `AKs`.
    possible
        Whether it can be held here.
    reach
        Mean over its hole pairs; 0 if it cannot be held.
    strategy
        [actions] probabilities; NaN where untrained or impossible.
    bucket
        -1 if its hole pairs are in several, in none, or buckets are not known.
    visits
        Median visits in training; NaN where not known.
    few
        Whether these are few.
    equity, value, error
        Share of the pot without more bets; chips, and their standard error; NaN where not known.
    action_values, action_errors
        [actions] chips, and standard errors; NaN where not known.
    """

    hand: str
    possible: bool
    reach: float
    strategy: NDArray[np.float64]
    bucket: int
    visits: float
    few: bool
    equity: float
    value: float
    error: float
    action_values: NDArray[np.float64]
    action_errors: NDArray[np.float64]

    @property
    def trained(self) -> bool:
        """Whether there is a strategy for it."""
        return not np.isnan(self.strategy[0])


def named_hands(text: str) -> list[tuple[str, NDArray[np.intp]]]:
    """Return names and hole pairs of the hands in a text: pairs of cards, classes and ranges.

    Examples
    --------
    >>> [(name, len(holes)) for name, holes in named_hands("AhKh, QQ+ A4s-A3s")]
    [('AhKh', 1), ('AA', 6), ('KK', 6), ('QQ', 6), ('A4s', 4), ('A3s', 4)]
    """
    tokens = [part.strip() for part in text.split(",") if part.strip()]
    return list(chain.from_iterable(map(_read, tokens)))


def _read(token: str) -> list[tuple[str, NDArray[np.intp]]]:
    """Read what stands between two commas; blanks may separate hands, too."""
    if (exact := _exactly(token)) is not None:
        return [exact]
    words = re.sub(r"\s*([-:])\s*", r"\1", token).split()
    if len(words) == 1:
        wanted = np.unique(HOLE_CLASS[Range.parse(token).weights > 0]).tolist()
        return [(class_text(index), CLASS_HOLES[index]) for index in wanted]
    return list(chain.from_iterable(map(_read, words)))


def _exactly(word: str) -> tuple[str, NDArray[np.intp]] | None:
    """Read a pair of cards, or else a class."""
    with suppress(CardError):
        hole = parse_hole(word)
        return hole_text(hole), np.array([hole])
    with suppress(CardError):
        index = parse_class(word)
        return class_text(index), CLASS_HOLES[index]
    return None
