"""All-in EV: the expected result of an all-in hand over all runouts."""

from typing import Final

from riverboat import _core
from riverboat.game import Hand

#: Up to this number all runouts are enumerated; before the flop there are more: a sample is drawn.
MOST_EXACT_RUN_OUTS: Final = 20_000
SAMPLED_RUN_OUTS: Final = 1_000


def expected_payoffs(hand: Hand, seed: int) -> tuple[float, ...] | None:
    """Return the expected payoffs over all runouts; None if the hand was not all-in."""
    result = _core.expected_payoffs(hand, MOST_EXACT_RUN_OUTS, SAMPLED_RUN_OUTS, seed)
    return None if result is None else result[1]
