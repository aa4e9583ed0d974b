"""What a training across nodes costs, without nodes: copies of the tables in one process.

Leduc hold'em, where exploitability is exact. Workers walk a share of each slice on a copy, and
changes are added up, as `riverboat.cluster` does on nodes; slices grow fourfold up to a length.
What counts is exploitability after so many iterations of all workers together, beside one copy.

    python bench/cluster.py --iterations 4000000 --seeds 3
"""

import argparse
import statistics

from riverboat.cluster import added, base_of, change_of
from riverboat.evaluate import exploitability
from riverboat.game import catalogue
from riverboat.solve import Scheme, Solver, enumerate_deals
from riverboat.tree import Tree

LENGTHS = (1_000, 10_000, 100_000, 1_000_000)
WORKERS = (1, 2, 4)


def main() -> None:
    """Print exploitability, in thousandths of a chip, by workers and length of slices."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=1_000_000)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--scheme", default="linear", choices=["cfr", "linear"])
    options = parser.parse_args()
    scheme = Scheme(
        "external", options.scheme, averaging=None if options.scheme == "cfr" else "linear"
    )
    print("| slice of each worker | " + " | ".join(f"{count} workers" for count in WORKERS) + " |")
    print("| --- |" + " --- |" * len(WORKERS))
    for length in LENGTHS:
        cells = []
        for workers in WORKERS:
            found = [
                1000 * apart(scheme, workers, length, options.iterations, seed)
                for seed in range(options.seeds)
            ]
            spread = statistics.stdev(found) if len(found) > 1 else 0.0
            cells.append(f"{statistics.mean(found):.2f} ± {spread:.2f}")
        print(f"| {length:,} iterations | " + " | ".join(cells) + " |", flush=True)


def apart(scheme: Scheme, workers: int, length: int, total: int, seed: int) -> float:
    """Return how exploitable the average is after so many iterations of all workers."""
    deals = enumerate_deals(Tree(catalogue("leduc"), "min"))
    solvers = [Solver(deals, scheme, seed=seed) for _ in range(workers)]
    tables = solvers[0].state().arrays
    first, wanted = 0, scheme.step_iterations
    while first < total:
        last = min(total, first + wanted)
        base, changes = base_of(scheme, tables, first, last), []
        for index, solver in enumerate(solvers):
            own = solver.state(copy=False).arrays
            for name, table in own.items():
                table[:] = tables[name]
            solver.take_share(index / workers, (index + 1) / workers)
            solver.driver.iterations = first
            for _ in solver.driver.run({"iterations": last}):
                pass
            changes.append(change_of(base, own))
        tables = added(base, changes)
        first, wanted = last, min(4 * wanted, length * workers)
    solvers[0].average[:] = tables["average"]
    return exploitability(deals, solvers[0].strategy()).exploitability


if __name__ == "__main__":
    main()
