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
        Whether the player can have it here.
    reach
        Mean over its hole pairs; 0 if it is impossible.
    strategy
        [actions] probabilities; NaN where untrained or impossible.
    bucket
        Bucket of its hole pairs; -1 if they are in several buckets, or it is unknown.
    visits
        Median training visits; NaN if unknown.
    few
        Whether the visits are few.
    equity, value, error
        Equity, EV in chips and its standard error; NaN if unknown.
    action_values, action_errors
        [actions] EV in chips, and standard errors; NaN if unknown.
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
        """Whether the hand has a strategy."""
        return not np.isnan(self.strategy[0])


def named_hands(text: str) -> list[tuple[str, NDArray[np.intp]]]:
    """Return names and hole pairs of the hands in a text: hole pairs, classes and ranges.

    Examples
    --------
    >>> [(name, len(holes)) for name, holes in named_hands("AhKh, QQ+ A4s-A3s")]
    [('AhKh', 1), ('AA', 6), ('KK', 6), ('QQ', 6), ('A4s', 4), ('A3s', 4)]
    """
    tokens = [part.strip() for part in text.split(",") if part.strip()]
    return list(chain.from_iterable(map(_read, tokens)))


def _read(token: str) -> list[tuple[str, NDArray[np.intp]]]:
    """Read the hands between two commas; blanks may separate hands, too."""
    if (exact := _single_hand(token)) is not None:
        return [exact]
    words = re.sub(r"\s*([-:])\s*", r"\1", token).split()
    if len(words) == 1:
        wanted = np.unique(HOLE_CLASS[Range.parse(token).weights > 0]).tolist()
        return [(class_text(index), CLASS_HOLES[index]) for index in wanted]
    return list(chain.from_iterable(map(_read, words)))


def _single_hand(word: str) -> tuple[str, NDArray[np.intp]] | None:
    """Read a hole pair or a class; None for other text."""
    with suppress(CardError):
        hole = parse_hole(word)
        return hole_text(hole), np.array([hole])
    with suppress(CardError):
        index = parse_class(word)
        return class_text(index), CLASS_HOLES[index]
    return None
