"""Buckets in a player's words: made hand and kicker, texture of the board, draws.

After section 5 and figure 4 of Lin's journal (the Caltech source document): its text names made
hand, board texture, flush draws and straight draws, and keeps the 169 classes before the flop. The
figure adds the raises of earlier streets, which are in our tree. The text does not name the
figure's classes; those here are ours. A pair on the board alone is texture, not a made hand.

Nothing is fitted: a street's buckets are the combinations that occur, numbered in the order of
made hand, kicker, texture and draws.
"""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, ClassVar, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.buckets._fixed import ClassesRule
from riverboat.buckets._rule import AbstractionProgress, BucketKind, FitTask, Parameters, StreetRule
from riverboat.buckets._streets import AFTER_PREFLOP, num_boards, street_named
from riverboat.cards import CardsLike, HandStrength, StreetName, board_size, hole_and_board
from riverboat.errors import AbstractionError
from riverboat.runs import in_order

_KICKERS: Final = ("weak kicker", "medium kicker", "good kicker")
#: Descriptions of each made hand by kicker class, weakest first.
MADE_HANDS: Final[tuple[tuple[str, ...], ...]] = (
    ("plays the board",),
    tuple(
        f"no pair, {high_card}"
        for high_card in (
            "weak high card",
            "medium high card",
            "good high card",
            "best high card",
            "two overcards",
        )
    ),
    ("underpair",),
    tuple(f"low pair, {kicker}" for kicker in _KICKERS),
    ("middle pocket pair",),
    tuple(f"second pair, {kicker}" for kicker in _KICKERS),
    tuple(f"top pair, {kicker}" for kicker in _KICKERS),
    ("overpair",),
    ("low two pair", "top pair and a lower pair", "top two pair"),
    tuple(f"trips, {kicker}" for kicker in _KICKERS),
    ("set", "top set"),
    ("straight", "best straight"),
    ("low flush", "high flush", "best flush"),
    ("full house", "full house of the top card"),
    ("quads or straight flush",),
)
_PAIRED: Final = ("", "paired board", "twice paired board", "board with trips")
_SUITED: Final = (
    "rainbow board",
    "two-tone board",
    "three of a suit on the board",
    "four of a suit on the board",
    "five of a suit on the board",
)
_CONNECTED: Final = ("", "connected board", "four to a straight on the board")
_FLUSH_DRAWS: Final = ("", "flush draw", "best flush draw")
_STRAIGHT_DRAWS: Final = ("", "gutshot", "open-ended straight draw")


class SemanticFeatures(NamedTuple):
    """Features of a hand as numbers."""

    made: int
    """Index into `MADE_HANDS`."""
    kicker: int
    """Index into the descriptions of the made hand."""
    paired: int
    """Board: no pair, a pair, two pairs, trips or more."""
    suited: int
    """Board: largest number of cards of a suit, minus 1."""
    connected: int
    """Board: largest number of ranks within a straight: up to two, three, more."""
    flush_draw: int
    """No flush draw, a flush draw, a draw to the best flush. Never on the river."""
    straight_draw: int
    """Number of ranks that complete a straight: none, one, more. Never on the river."""

    def words(self, street: StreetName) -> str:
        """Describe the hand.

        Examples
        --------
        >>> SemanticFeatures(6, 2, 0, 1, 0, 1, 0).words("flop")
        'top pair, good kicker, two-tone board, flush draw'
        """
        no_flush = street == "river" and self.suited < 2
        parts = (
            MADE_HANDS[self.made][self.kicker],
            _PAIRED[self.paired],
            "no flush on the board" if no_flush else _SUITED[self.suited],
            _CONNECTED[self.connected],
            _FLUSH_DRAWS[self.flush_draw],
            _STRAIGHT_DRAWS[self.straight_draw],
        )
        return ", ".join(part for part in parts if part)


_SIZES: Final = _core.SEMANTIC_SIZES
_NUM_CODES: Final = prod(_SIZES)
_CHUNK: Final = 1_024  # boards: some hundredths of a second


class SemanticRule(StreetRule):
    """Buckets of one street after the flop: the combinations of features that occur.

    Parameters
    ----------
    street
        `flop`, `turn` or `river`.
    codes
        [buckets] whole numbers, ascending: the features of each bucket as one number.
    """

    name: ClassVar[str] = "semantic"
    needs_tables: ClassVar[bool] = False

    def __init__(self, street: StreetName, codes: NDArray[Any]) -> None:
        self._street = street_named(street, AFTER_PREFLOP)
        array = np.asarray(codes)
        if array.ndim != 1 or array.dtype.kind not in "iu" or not len(array):
            raise AbstractionError("codes of semantic buckets must be a list of whole numbers")
        ordered = array.astype(np.int64)
        if (np.diff(ordered) <= 0).any() or ordered[0] < 0 or ordered[-1] >= _NUM_CODES:
            raise AbstractionError(
                f"codes of semantic buckets must ascend and be from 0 to {_NUM_CODES - 1:,}"
            )
        self._codes = ordered.astype(np.uint16)
        self._numbers = np.zeros(_NUM_CODES, np.uint16)
        self._numbers[ordered] = np.arange(len(ordered))

    @property
    def num_buckets(self) -> int:
        """One bucket for each combination."""
        return len(self._codes)

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """Return the bucket of one hand."""
        code = 0
        features = _core.semantic_features((int(hole[0]), int(hole[1])), list(board))
        for feature, size in zip(features, _SIZES, strict=True):
            code = code * size + feature
        return int(self._numbers[code])

    def fill(self, tables: HandStrength | None, begin: int, out: NDArray[Any]) -> None:  # noqa: ARG002 - the interface of rules
        """Write the buckets of canonical boards begin, begin + 1, .. into [boards, 1326]."""
        rows = out if out.dtype == np.uint16 else np.empty(out.shape, np.uint16)
        _core.semantic_buckets_into(board_size(self._street), begin, self._numbers, rows)
        if rows is not out:
            out[:] = rows

    def features(self, bucket: int) -> SemanticFeatures:
        """Return the features that all hands of a bucket share."""
        if not 0 <= bucket < len(self._codes):
            raise AbstractionError(
                f"the {self._street} has no bucket {bucket}: they are 0 to {len(self._codes) - 1}"
            )
        return SemanticFeatures(
            *(int(part) for part in np.unravel_index(int(self._codes[bucket]), _SIZES))
        )

    def explain(self, bucket: int) -> str:
        """Describe a bucket, such as `top pair, good kicker, two-tone board, flush draw`."""
        return self.features(bucket).words(self._street)

    def parameters(self) -> Parameters:
        """Return the street."""
        return {"street": self._street}

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Return the codes."""
        return {"codes": self._codes}

    @classmethod
    def restore(cls, parameters: Parameters, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Restore the rule."""
        return cls(parameters["street"], arrays["codes"])


class Semantic(BucketKind):
    """The 169 classes, then the combinations of features that occur."""

    name: ClassVar[str] = "semantic"
    sentence: ClassVar[str] = "made hand, kicker, texture of the board and draws, in words"
    rules: ClassVar[tuple[type[StreetRule], ...]] = (ClassesRule, SemanticRule)
    counted: ClassVar[bool] = False
    numbers: ClassVar[tuple[int, ...]] = (169, 560, 1_678, 626)

    def fit(self, task: FitTask) -> StreetRule:
        """Number the combinations."""
        return ClassesRule.lossless() if task.street == "preflop" else fit_semantic(task)


def fit_semantic(task: FitTask) -> SemanticRule:
    """Enumerate the hands of a street and number the combinations that occur."""
    street = street_named(task.street, AFTER_PREFLOP)
    size, boards = board_size(street), num_boards(street)

    def codes_of(begin: int) -> NDArray[np.uint8]:
        seen = np.zeros(_NUM_CODES, np.uint8)
        _core.semantic_codes_seen(size, begin, min(begin + _CHUNK, boards), seen)
        return seen

    occur = np.zeros(_NUM_CODES, np.uint8)
    for done, seen in enumerate(in_order(codes_of, range(0, boards, _CHUNK)), start=1):
        occur |= seen
        task.progress(AbstractionProgress("fit", street, min(done * _CHUNK, boards), boards))
    return SemanticRule(street, np.flatnonzero(occur))


def semantic_features(hole: CardsLike, board: CardsLike) -> SemanticFeatures:
    """Return the features of one hand.

    Parameters
    ----------
    hole
        Two cards.
    board
        3, 4 or 5 cards.

    Examples
    --------
    >>> semantic_features("AcTc", "Ts5c2c").words("flop")
    'top pair, good kicker, two-tone board, best flush draw'
    """
    return SemanticFeatures(*_core.semantic_features(*hole_and_board(hole, board, (3, 4, 5))))
