"""A range: a weight for each of the 1,326 hole pairs."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from riverboat.cards._card import as_cards
from riverboat.cards._holes import (
    CLASS_COMBOS,
    HOLE_CLASS,
    HOLES,
    NUM_CLASSES,
    NUM_HOLES,
    class_text,
    hole_text,
)
from riverboat.cards._range_text import parse_weights, weights_text
from riverboat.errors import RangeError
from riverboat.report import Columns, Framed

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Range(Framed):
    """A weight from 0 to 1 for each hole pair; immutable.

    A terminal (`rich.print`) or a notebook shows it as a 13x13 grid.

    Parameters
    ----------
    weights
        `[1326]` numbers from 0 to 1, the weight of each hole pair by its index.

    Attributes
    ----------
    weights : ndarray
        `[1326] float64`, read-only.

    Raises
    ------
    RangeError
        If the weights have another shape, are not real numbers, or lie outside 0 to 1.

    Examples
    --------
    >>> villain = Range.parse("22+, A2s+, KTo+, 76s-54s, AhKh, QQ:0.25")
    >>> villain.num_combos
    169.5
    >>> str(villain.without("Qs 7h 2h"))[:29]
    'KK+, JJ-88, 66-33, AKs, AJs-A'
    """

    weights: NDArray[np.float64]

    def __post_init__(self) -> None:
        # An array over bytes stays read-only: its writeable flag cannot be switched on.
        frozen = np.frombuffer(_checked(self.weights).tobytes(), dtype=np.float64)
        object.__setattr__(self, "weights", frozen)

    @classmethod
    def parse(cls, text: str) -> "Range":
        """Read a range from text such as `22+, A2s+, KTo+, 76s-54s, AhKh, QQ:0.25`.

        Parameters
        ----------
        text
            Tokens separated by commas or spaces: `QQ`, `QQ+`, `JJ-77`, `AK`, `AKs`, `AKo`, `A2s+`
            (the kicker rises), `A5s-A2s` (one high card), `76s-54s` (one gap), `AhKh`,
            `random`, `15%` (the best hands against a random hand, in whole classes); each may
            have a weight such as `:0.25`. A later token overrides an earlier one for combos
            that are in both. Empty text is the empty range.

        Raises
        ------
        RangeError
            If a token cannot be read; the message points at it.

        Examples
        --------
        >>> Range.parse("random, 72o:0").num_combos
        1314.0
        >>> Range.parse("5%")
        Range.parse('77+, AJs+, AKo')
        """
        return cls(parse_weights(text))

    @classmethod
    def from_weights(cls, weights: ArrayLike) -> "Range":
        """Make a range from `[1326]` weights from 0 to 1; they are copied.

        Examples
        --------
        >>> Range.from_weights([0.5] * 1326)
        Range.parse('random:0.5')
        """
        return cls(np.asarray(_as_array(weights)))

    @classmethod
    def full(cls) -> "Range":
        """Return the range of all hole pairs with weight 1.

        Examples
        --------
        >>> len(Range.full())
        1326
        """
        return cls(np.ones(NUM_HOLES))

    @classmethod
    def empty(cls) -> "Range":
        """Return the range without any hole pair.

        Examples
        --------
        >>> len(Range.empty())
        0
        """
        return cls(np.zeros(NUM_HOLES))

    @property
    def num_combos(self) -> float:
        """Sum of the weights, in combos.

        Examples
        --------
        >>> Range.parse("AKs, QQ:0.25").num_combos
        5.5
        """
        return float(self.weights.sum())

    @property
    def support(self) -> int:
        """Number of hole pairs with a weight above 0, also `len(range)`.

        Examples
        --------
        >>> Range.parse("AKs, QQ:0.25").support
        10
        """
        return int(np.count_nonzero(self.weights))

    def without(self, dead_cards: str | Iterable[SupportsIndex | str]) -> "Range":
        """Return the range without the hole pairs that contain a dead card, such as the board's.

        Examples
        --------
        >>> Range.parse("AA").without("Ah")
        Range.parse('AsAd, AsAc, AdAc')
        """
        dead = np.zeros(52, dtype=bool)
        dead[as_cards(dead_cards)] = True
        return Range(np.where(dead[HOLES[:, 0]] | dead[HOLES[:, 1]], 0.0, self.weights))

    def class_weights(self) -> NDArray[np.float64]:
        """Return the mean weight of each starting class: `[169] float64`.

        Examples
        --------
        >>> float(Range.parse("AhKh").class_weights()[1])
        0.25
        """
        return np.bincount(HOLE_CLASS, self.weights, minlength=NUM_CLASSES) / CLASS_COMBOS

    def matrix(self) -> NDArray[np.float64]:
        """Return the mean weight of each starting class as a grid: `[13, 13] float64`.

        Aces first, pairs on the diagonal, suited hands above it and offsuit hands below it.

        Examples
        --------
        >>> Range.parse("AKs").matrix()[0, :3].tolist()
        [0.0, 1.0, 0.0]
        """
        return self.class_weights().reshape(13, 13)

    def to_text(self) -> str:
        """Return short text that `parse` reads, the same for equal ranges.

        Examples
        --------
        >>> Range.parse("54s 65s 76s AA KK AKo AKs").to_text()
        'KK+, AK, 76s-54s'
        """
        return weights_text(self.weights)

    def frame_columns(self) -> Columns:
        """Return a row for each hole pair with a weight above 0: cards, class and weight."""
        held = np.flatnonzero(self.weights)
        return {
            "hole": [hole_text(index) for index in held],
            "class": [class_text(HOLE_CLASS[index]) for index in held],
            "weight": self.weights[held],
        }

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        text = self.to_text()
        if len(text) <= 200:
            return f"Range.parse({text!r})"
        return f"<Range of {self.support} hole pairs, {self.num_combos:.6g} combos: {text[:60]}…>"

    def __len__(self) -> int:
        return self.support

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Range):
            return NotImplemented
        return np.array_equal(self.weights, other.weights)

    def __hash__(self) -> int:
        return hash(self.weights.tobytes())

    def __or__(self, other: "Range") -> "Range":
        """Return the larger weight of each hole pair."""
        if not isinstance(other, Range):
            return NotImplemented
        return Range(np.maximum(self.weights, other.weights))

    def __and__(self, other: "Range") -> "Range":
        """Return the smaller weight of each hole pair."""
        if not isinstance(other, Range):
            return NotImplemented
        return Range(np.minimum(self.weights, other.weights))

    def __reduce__(self) -> tuple[type["Range"], tuple[NDArray[np.float64]]]:
        # The constructor makes copies and unpickled ranges read-only too.
        return Range, (self.weights,)

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        from riverboat.cards._range_display import range_lines  # noqa: PLC0415 - loads rich

        return range_lines(self.class_weights(), self.num_combos, console, options)

    def _repr_html_(self) -> str:
        from riverboat.cards._range_display import range_html  # noqa: PLC0415 - loads rich

        return range_html(self.class_weights(), self.num_combos)


def _as_array(weights: ArrayLike) -> NDArray[np.generic]:
    try:
        return np.asarray(weights)
    except (TypeError, ValueError) as error:  # such as rows of different lengths
        raise RangeError(f"the weights are not an array of numbers: {error}") from error


def _checked(weights: ArrayLike) -> NDArray[np.float64]:
    """Return weights as `[1326] float64`; the error names the first bad one."""
    array = _as_array(weights)
    if array.shape != (NUM_HOLES,):
        raise RangeError(f"a range has weights of shape ({NUM_HOLES},), not {array.shape}")
    if array.dtype.kind not in "biuf":
        raise RangeError(f"weights are real numbers from 0 to 1, not {array.dtype} values")
    numbers = array.astype(np.float64) + 0.0  # -0.0 becomes 0.0: equal ranges have equal bytes
    bad = np.flatnonzero(~((numbers >= 0) & (numbers <= 1)))  # NaN is bad too
    if bad.size:
        first = int(bad[0])
        raise RangeError(
            f"the weight of {hole_text(first)} (hole pair {first}) is {numbers[first]}: "
            "weights are 0 to 1"
        )
    return numbers
