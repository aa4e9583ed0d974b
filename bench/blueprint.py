"""Time to open a strategy file of a gigabyte, and to read from it.

    uv run python bench/blueprint.py [--gigabytes 1.0]

Times are elapsed time; `busy` is CPU time divided by elapsed time. Opening is timed in a new
process each time, with the file in the page cache. A `row` is read at random places after every
block was read once; `first touch` includes the check of a block's checksum.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from riverboat.blueprint import Blueprint, Header, Layout, prune, quantise, verify, write_blueprint
from riverboat.game import catalogue
from riverboat.tree import DECISION, Tree

_OPEN = """
import sys, time
from riverboat.blueprint import Blueprint
began = time.perf_counter()
Blueprint.open(sys.argv[1])
print(time.perf_counter() - began)
"""


class Stopwatch:
    """Print elapsed and CPU time of a block."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def __exit__(self, *_: object) -> None:
        wall, cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu
        print(f"{self._what}: {wall:.2f} s (busy {cpu / wall:.2f})")


def write_random(path: Path, gigabytes: float) -> Blueprint:
    """Write a random strategy of about this size for the laptop tree, a third untrained."""
    tree = Tree(catalogue("nolimit-100bb"), "laptop")
    by_bucket = 4 * int(tree.group_entries.sum()) + 4 * int(tree.group_decisions.sum())
    buckets = (max(1, round(gigabytes * 1e9 / by_bucket)),) * len(tree.group_entries)
    layout = Layout(tree, buckets)
    rng = np.random.default_rng(1)
    table = rng.random(layout.num_entries, np.float32)
    for chunk in layout.chunks():
        rows = layout.groups[chunk.group]
        untrained = rng.random((chunk.num_buckets, len(rows.nodes))) < 1 / 3
        table[chunk.entries].reshape(untrained.shape[0], -1)[rows.spread(untrained)] = 0
    with Stopwatch(f"write {layout.num_entries:,} entries"):
        write_blueprint(path, Header.of(tree, buckets), tree, table)
    return Blueprint.open(path)


def time_opening(path: Path) -> None:
    """Print the time to open the file in new processes."""
    spent = [
        float(subprocess.check_output([sys.executable, "-c", _OPEN, str(path)])) for _ in range(5)
    ]
    size = path.stat().st_size / 1e9
    print(f"open {path.name}, {size:.2f} GB: best {min(spent) * 1e3:.2f} ms of 5, "
          f"worst {max(spent) * 1e3:.2f} ms")  # fmt: skip


def time_rows(path: Path, count: int = 100_000) -> None:
    """Print the time of one query: the first read of a block, then after all blocks were read."""
    blueprint = Blueprint.open(path)
    tree = blueprint.tree
    rng = np.random.default_rng(2)
    nodes = rng.choice(np.flatnonzero(tree.kind == DECISION), count).tolist()
    buckets = rng.integers(0, blueprint.num_buckets[0], count).tolist()
    first = []
    for node, bucket in zip(nodes[:200], buckets[:200], strict=True):
        began = time.perf_counter()
        blueprint.row(node, bucket)
        first.append(time.perf_counter() - began)
    questions = list(zip(nodes, buckets, strict=True))
    for node, bucket in questions:
        blueprint.row(node, bucket)
    began, cpu = time.perf_counter(), time.process_time()
    for node, bucket in questions:
        blueprint.row(node, bucket)
    wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    print(f"row, {path.name}: {wall / count * 1e6:.2f} us each ({cpu / count * 1e6:.2f} us of CPU "
          f"time); first touch, median: {np.median(first) * 1e6:.0f} us")  # fmt: skip


def main() -> None:
    """Run all of it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--gigabytes", type=float, default=1.0)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("whole", "pruned", "quantised")]
        whole = write_random(paths[0], chosen.gigabytes)
        with Stopwatch("prune"):
            prune(whole, paths[1])
        with Stopwatch("quantise"):
            quantise(Blueprint.open(paths[1]), paths[2])
        with Stopwatch("verify"):
            verify(Blueprint.open(paths[0]))
        for path in paths:
            time_opening(path)
            time_rows(path)


if __name__ == "__main__":
    main()
