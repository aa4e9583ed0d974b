"""The words of the semantic buckets.

Each tuple is indexed by the number that the kernel (core/buckets/semantic.hpp) gives to that
feature; the tests compare both with a twin written in plain Python.
"""

from typing import Final, NamedTuple

from riverboat.cards import StreetName

__all__ = ["MADE_HANDS", "SemanticFeatures"]

_KICKERS: Final = ("weak kicker", "medium kicker", "good kicker")
#: Words of each made hand by its kicker class, weakest first.
MADE_HANDS: Final[tuple[tuple[str, ...], ...]] = (
    ("plays the board",),
    tuple(
        f"no pair, {rest}"
        for rest in (
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
    """A hand in numbers."""

    made: int
    """Into `MADE_HANDS`."""
    kicker: int
    """Into the words of the made hand."""
    paired: int
    """Of the board: no pair, a pair, two pairs, trips or more."""
    suited: int
    """Of the board: most cards of a suit, less 1."""
    connected: int
    """Of the board: most ranks within a straight: up to two, three, more."""
    flush_draw: int
    """None, some, to the best flush. Never on the river."""
    straight_draw: int
    """Ranks that complete a straight: none, one, more. Never on the river."""

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
