"""What an all-in hand was worth before its last cards fell."""

from typing import Final

from riverboat import _core
from riverboat.game import Hand

#: Run-outs that are enumerated; before the flop there are more, and some are sampled instead.
MOST_EXACT_RUN_OUTS: Final = 20_000
SAMPLED_RUN_OUTS: Final = 1_000


def expected_payoffs(hand: Hand, seed: int) -> tuple[float, ...] | None:
    """Return the expected payoffs over the cards to come; None if the hand was not all-in."""
    found = _core.expected_payoffs(hand, MOST_EXACT_RUN_OUTS, SAMPLED_RUN_OUTS, seed)
    return None if found is None else found[1]
