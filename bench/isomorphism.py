"""Speed of the hand index. Run: uv run python bench/isomorphism.py [hands].

The script measures these, each the best of 7 runs on one core, in elapsed time:

* batch index: `HandIndexer.index_batch` on an [n, k] uint8 array of uniformly
  random hands, with the check of every card; ns per hand.
* batch unindex: `HandIndexer.unindex_batch` on n uniformly random indices of
  the round, which are spread over the hand classes and not over the hands.
* single: one call from Python for one hand (a list of ints, or text) or one
  index, over 20,000 different ones, with the loop around it.
* build: the constructor.
"""

import sys
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from riverboat._core import ISA
from riverboat.cards import HandIndexer
from riverboat.report import Table, print_table

PERFECT_RECALL: tuple[int, ...] = (2, 3, 1, 1)
RUNS = 7
SINGLE_CALLS = 20_000


def best_time(run: Callable[[], object]) -> float:
    """Shortest of some runs, seconds."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def random_hands(num_hands: int, num_cards: int) -> NDArray[np.uint8]:
    """Random hands, [num_hands, num_cards] uint8."""
    keys = np.random.default_rng(1).random((num_hands, 52), dtype=np.float32)
    return np.ascontiguousarray(np.argsort(keys, axis=1)[:, :num_cards].astype(np.uint8))


def batch_speeds(indexer: HandIndexer, round_index: int, num_hands: int) -> tuple[float, float]:
    """Nanoseconds per hand of index_batch and of unindex_batch."""
    hands = random_hands(num_hands, sum(indexer.rounds[: round_index + 1]))
    indices = np.random.default_rng(2).integers(
        0, indexer.size(round_index), num_hands, dtype=np.uint64
    )
    index = best_time(lambda: indexer.index_batch(hands))
    unindex = best_time(lambda: indexer.unindex_batch(round_index, indices))
    return index / num_hands * 1e9, unindex / num_hands * 1e9


def print_batches(num_hands: int) -> None:
    """Print the batch speeds of the usual rounds."""
    rows = []
    settings = [(PERFECT_RECALL, last) for last in range(4)]
    settings += [(rounds, 1) for rounds in ((2, 4), (2, 5))]
    for rounds, last in settings:
        indexer = HandIndexer(rounds)
        index, unindex = batch_speeds(indexer, last, num_hands)
        cards = sum(rounds[: last + 1])
        figures = (f"{indexer.size(last):,}", f"{index:.1f}", f"{unindex:.1f}")
        rows.append((str(rounds), str(cards), *figures))
    columns = ("rounds", "cards", "classes", "index", "unindex")
    print_table(Table("ns per hand", columns, tuple(rows)), Console())


def print_single_calls() -> None:
    """Print the speed of single calls for 7 cards."""
    indexer = HandIndexer()
    batch = random_hands(SINGLE_CALLS, 7)
    hands = batch.tolist()
    texts = ["".join("23456789TJQKA"[c // 4] + "cdhs"[c % 4] for c in hand) for hand in hands]
    indices = indexer.index_batch(batch).tolist()
    runs: dict[str, Callable[[], object]] = {
        "index, list of ints": lambda: [indexer.index(hand) for hand in hands],
        "index, text": lambda: [indexer.index(text) for text in texts],
        "unindex": lambda: [indexer.unindex(3, index) for index in indices],
    }
    for name, run in runs.items():
        print(f"single {name:<22}{best_time(run) / SINGLE_CALLS * 1e9:>8.0f} ns per call, 7 cards")
    print(f"build {PERFECT_RECALL!s:<23}{best_time(HandIndexer) * 1e3:>8.2f} ms")


def main() -> None:
    """Print all speeds."""
    print(__doc__)
    num_hands = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    print(f"kernels: {ISA}; {num_hands:,} hands a batch")
    print_batches(num_hands)
    print_single_calls()


if __name__ == "__main__":
    main()
