"""What a training across nodes costs, without nodes: copies of the tables in one process.

Leduc hold'em, where exploitability is exact. Workers walk a share of each slice on a copy, and
changes are put together, as `riverboat.cluster` does on nodes; slices grow fourfold up to a length.
What counts is exploitability after so many iterations of all workers together, beside one copy.

    python bench/cluster.py --iterations 4000000 --seeds 3
"""

import argparse
import statistics

import numpy as np

from riverboat.cluster import Change, slice_here
from riverboat.evaluate import exploitability
from riverboat.game import catalogue
from riverboat.solve import Averaging, Scheme, Solver, enumerate_deals
from riverboat.tree import Tree

LENGTHS = (1_000, 10_000, 100_000, 1_000_000)
WORKERS = (1, 2, 4)


def main() -> None:
    """Print exploitability, in thousandths of a chip, by workers and length of slices."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=1_000_000)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--scheme", default="linear", choices=["cfr", "linear"])
    parser.add_argument(
        "--bits", type=int, default=0, choices=[0, 16], help="of changes; 0 = whole"
    )
    parser.add_argument("--sum", action="store_true", help="add regrets up, for comparison")
    options = parser.parse_args()
    print("| slice of each worker | " + " | ".join(f"{count} workers" for count in WORKERS) + " |")
    print("| --- |" + " --- |" * len(WORKERS))
    for length in LENGTHS:
        cells = []
        for workers in WORKERS:
            found = [1000 * apart(options, workers, length, seed) for seed in range(options.seeds)]
            spread = statistics.stdev(found) if len(found) > 1 else 0.0
            cells.append(f"{statistics.mean(found):.2f} ± {spread:.2f}")
        print(f"| {length:,} iterations | " + " | ".join(cells) + " |", flush=True)


def in_16_bits(change: Change) -> Change:
    """Return a change as it comes out of 16 bits: parts of its largest entry."""
    largest = float(np.abs(change.values).max(initial=0.0)) or 1.0
    half = (change.values / largest).astype(np.float16)
    return Change(change.places, half.astype(change.values.dtype) * largest)


def apart(options: argparse.Namespace, workers: int, length: int, seed: int) -> float:
    """Return how exploitable the average is after so many iterations of all workers."""
    averaging: Averaging = "linear" if options.scheme == "linear" else "uniform"
    scheme = Scheme("external", options.scheme, averaging)
    total: int = options.iterations
    deals = enumerate_deals(Tree(catalogue("leduc"), "min"))
    solvers = [Solver(deals, scheme, seed=seed) for _ in range(workers)]
    tables = dict(solvers[0].state().arrays)
    first, wanted = 0, scheme.step_iterations
    while first < total:
        last = min(total, first + wanted)
        shares = [1.0 if options.sum else 1 / workers] * workers
        told = in_16_bits if options.bits else lambda change: change
        tables = slice_here(solvers, tables, first, last, shares, told)
        first, wanted = last, min(4 * wanted, length * workers)
    solvers[0].average[:] = tables["average"]
    return exploitability(deals, solvers[0].strategy()).exploitability


if __name__ == "__main__":
    main()
