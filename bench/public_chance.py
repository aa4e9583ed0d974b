"""Public-chance sampling: iterations per second on Leduc and on the tree of limit hold'em.

    uv run python bench/public_chance.py [--seconds 5] [--buckets 200] [--threads 1]

An iteration is one public outcome and one traversal for each player. The buckets of limit
hold'em are random: the meaning of a bucket does not change the work, and random ones are the worst
case for the caches.
"""

import argparse

import numpy as np

from riverboat import _core
from riverboat.evaluate import exploitability
from riverboat.game import catalogue
from riverboat.solve import Deals, Scheme, Solver, enumerate_public
from riverboat.tree import Tree

BOARDS = (1, 1755, 16432, 134459)
SCHEMES = (
    Scheme("public-chance", "cfr"),
    Scheme("public-chance", "cfr+", "linear"),
    Scheme("public-chance", "dcfr", "quadratic"),
    Scheme("public-chance", "predictive+", "quadratic"),
)


def holdem_deals(num_buckets: int) -> Deals:
    """Limit hold'em with random buckets."""
    tree = Tree(catalogue("limit"), "min")
    rng = np.random.default_rng(0)
    tables = [rng.integers(0, num_buckets, (boards, 1326), np.uint16) for boards in BOARDS]
    return Deals(tree, _core.holdem_dealer(tree.compiled, tables, [num_buckets] * 4, []))


def report(name: str, deals: Deals, scheme: Scheme, seconds: float, threads: int) -> Solver:
    """Run a scheme for a while and print its speed."""
    solver = Solver(deals, scheme, seed=1, threads=threads)
    result = solver.run_all(seconds=seconds)
    print(
        f"{name:8} {scheme.name:44} {result.iterations / result.seconds:10,.1f} iterations/s "
        f"{result.nodes / result.seconds / 1e6:8.1f} M hand-nodes/s "
        f"{result.memory_bytes / 1e6:6.1f} MB of tables",
        end="",
    )
    return solver


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--buckets", type=int, default=200)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    leduc = enumerate_public(Tree(catalogue("leduc"), "min"))
    for scheme in SCHEMES:
        solver = report("leduc", leduc, scheme, given.seconds, given.threads)
        print(f"  exploitability {exploitability(leduc, solver.strategy()).exploitability:.2e}")
    limit = holdem_deals(given.buckets)
    for scheme in SCHEMES:
        report("limit", limit, scheme, given.seconds, given.threads)
        print()


if __name__ == "__main__":
    main()
