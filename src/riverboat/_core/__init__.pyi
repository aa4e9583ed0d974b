# What the bindings in core/bindings/ offer. Arrays are C-contiguous; `*_into`
# functions write into the arrays that they are given.
from collections.abc import Iterable
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

ISA: str

def evaluate(hand: str | Iterable[SupportsIndex | str], short_deck: bool = False) -> int:
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

# Canonical boards.
def find_boards_into(
    cards: NDArray[np.uint8], ids: NDArray[np.uint32], permutations: NDArray[np.uint8]
) -> None: ...
def board_cards_into(cards: NDArray[np.uint8]) -> None: ...
def board_multiplicities_into(num_cards: int, out: NDArray[np.uint8]) -> None: ...
def hole_class_counts_into(num_cards: int, out: NDArray[np.uint16]) -> None: ...
def hole_permutations_into(out: NDArray[np.uint16]) -> None: ...

# Hand-strength tables.
def river_strengths_into(begin: int, cells: NDArray[np.uint16]) -> None: ...
def turn_strengths_into(
    begin: int, river: NDArray[np.uint16], cells: NDArray[np.uint16], square: NDArray[np.uint32]
) -> None: ...
def flop_strengths_into(
    begin: int,
    turn: NDArray[np.uint16],
    turn_square: NDArray[np.uint32],
    cells: NDArray[np.uint32],
    square: NDArray[np.uint32],
) -> None: ...
def preflop_strengths_into(
    flop: NDArray[np.uint32],
    flop_square: NDArray[np.uint32],
    cells: NDArray[np.uint32],
    square: NDArray[np.uint64],
) -> None: ...
def run_out_histograms_into(
    num_cards: int,
    boards: NDArray[np.uint32],
    river: NDArray[np.uint16],
    bin_of: NDArray[np.uint16],
    histograms: NDArray[np.uint16],
) -> None: ...

# Equity. `sums` is [4, players]: win, tie, share, share squared; the total is returned.
class EquityTable:
    def __init__(
        self, players: NDArray[np.float64], board: NDArray[np.uint8], dead: NDArray[np.uint8]
    ) -> None: ...
    def exact_work(self) -> float: ...
    def exact_into(self, begin: int, end: int, sums: NDArray[np.float64]) -> float: ...
    def sample_into(
        self, samples: int, seed: int, stream: int, sums: NDArray[np.float64]
    ) -> float: ...
