"""Effect of distributed training on exploitability, simulated by copies of tables in one process.

Each worker runs a share of each slice on its copy, and the changes are merged, as
`riverboat.cluster` does on nodes; slices grow fourfold up to a length. The result is the
exploitability of the average strategy after the same total of iterations, compared with one copy:
on Leduc hold'em exact, in thousandths of a chip; in large games by a trained response, in
thousandths of a big blind.

    python bench/cluster.py --scheme external-linear --iterations 4000000 --seeds 3
    python bench/cluster.py --recipe laptop --iterations 6000000 --seeds 1 --lengths 25000 250000
"""

import argparse
import statistics
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.cluster import Change, slice_here
from riverboat.evaluate import exploitability, response_bound
from riverboat.solve import Deals
from riverboat.training import Recipe, load_recipe, prepare

LENGTHS = (1_000, 10_000, 100_000, 1_000_000)
WORKERS = (1, 2, 4)
#: Iterations of a trained response for each seat, and deals that score it.
RESPONSE, DEALS = 400_000, 40_000


def main() -> None:
    """Print exploitability by number of workers and length of slices."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--recipe", default="leduc")
    parser.add_argument("--iterations", type=int, default=1_000_000)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--lengths", type=int, nargs="+", default=LENGTHS, help="lengths of slices")
    parser.add_argument("--workers", type=int, nargs="+", default=WORKERS)
    parser.add_argument("--scheme", help="scheme (default: the recipe's)")
    parser.add_argument(
        "--bits", type=int, default=0, choices=[0, 16], help="bits of a change (0 = full)"
    )
    parser.add_argument("--sum", action="store_true", help="sum regrets, for comparison")
    options = parser.parse_args()
    for length in options.lengths:
        for workers in options.workers:
            found = list(apart(options, workers, length))
            spread = statistics.stdev(found) if len(found) > 1 else 0.0
            print(
                f"{workers} workers, slices of {length:,} iterations each: "
                f"{statistics.mean(found):.2f}, standard deviation {spread:.2f}",
                flush=True,
            )


def in_16_bits(change: Change) -> Change:
    """Return a change rounded to 16 bits: fractions of its largest entry."""
    largest = float(np.abs(change.values).max(initial=0.0)) or 1.0
    half = (change.values / largest).astype(np.float16)
    return Change(change.places, half.astype(change.values.dtype) * largest)


def apart(options: argparse.Namespace, workers: int, length: int) -> Iterator[float]:
    """Yield the exploitability of the average strategy for each random seed."""
    total: int = options.iterations
    other = {"scheme": options.scheme} if options.scheme else {}
    base = load_recipe(options.recipe).changed({"threads": 1, **other})
    setup = prepare(base)
    for seed in range(options.seeds):
        recipe = base.changed({"seed": seed})
        solvers = [setup.solver(recipe) for _ in range(workers)]
        tables = dict(solvers[0].state().arrays)
        first, wanted = 0, solvers[0].scheme.step_iterations
        while first < total:
            last = min(total, first + wanted)
            shares = [1.0 if options.sum else 1 / workers] * workers
            told = in_16_bits if options.bits else lambda change: change
            tables = slice_here(solvers, tables, first, last, shares, told)
            first, wanted = last, min(4 * wanted, length * workers)
        solvers[0].average[:] = tables["average"]
        yield exploited(setup.deals, solvers[0].strategy(), recipe, seed)


def exploited(deals: Deals, strategy: NDArray[Any], recipe: Recipe, seed: int) -> float:
    """Return the exploitability in thousandths; print the confidence interval of a bound."""
    if deals.num_deals is not None:
        return 1000 * exploitability(deals, strategy).exploitability
    bound = response_bound(
        deals, strategy, iterations=RESPONSE, score_deals=DEALS, seed=seed + 1000
    )
    mean, low, high = (
        1000 * chips / recipe.spec.big_blind for chips in (bound.bound.mean, *bound.interval)
    )
    print(f"seed {seed}: {low:.1f} to {high:.1f}", flush=True)
    return mean


if __name__ == "__main__":
    main()
