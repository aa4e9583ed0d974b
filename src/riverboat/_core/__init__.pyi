# What the bindings in core/bindings/ offer. Arrays are C-contiguous; `*_into`
# functions write into the arrays that they are given.
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

ISA: str

def evaluate(hand: str | Sequence[int] | Sequence[str], short_deck: bool = False) -> int:
    """Strength of the best five of 5, 6 or 7 cards; bigger is better."""

def evaluate_batch_into(
    cards: NDArray[np.uint8], out: NDArray[np.uint16], short_deck: bool
) -> None: ...
def count_strengths_into(
    counts: NDArray[np.int64], count: int, first_begin: int, first_end: int, short_deck: bool
) -> None: ...
def hand_classes_into(
    categories: NDArray[np.uint8], ranks: NDArray[np.uint8], short_deck: bool
) -> None: ...
def num_strengths(short_deck: bool) -> int: ...
