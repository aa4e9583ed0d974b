"""External sampling on the ACPC limit hold'em tree with about 430 MB of tables.

    uv run python bench/solve_holdem.py [--seconds 20] [--threads 1 2]

The script prints iterations per second for each number of threads, with the training time (later
iterations are slower, because strategies become mixed), and the speed of dealing alone. `busy` is
CPU time divided by elapsed time and threads: below 1, other processes used part of the machine, and
the figures per CPU second estimate the speed of an idle machine.
"""

import argparse
import tempfile
import time

import numpy as np

from riverboat import _core
from riverboat.buckets import bucket_tables, make_abstraction
from riverboat.cards import HandStrength
from riverboat.game import catalogue
from riverboat.solve import Deals, Scheme, Solver, holdem_deals
from riverboat.tree import Tree


def bench_dealer(deals: Deals, count: int = 1_000_000) -> None:
    """Time the dealer without traversals."""
    buckets = np.zeros((count, len(deals.tree.group_player)), np.uint32)
    strengths = np.zeros((count, 2, 1), np.uint32)
    began = time.process_time()
    _core.deals_into(deals.compiled, 1, 0, buckets, strengths)
    spent = time.process_time() - began
    print(f"dealer: {count / spent / 1e6:.2f} M deals/CPU-s, {spent / count * 1e9:.0f} ns each")


def bench_threads(deals: Deals, threads: int, seconds: float) -> float:
    """Train from nothing; return nodes a second."""
    solver = Solver(deals, Scheme("external"), seed=1, threads=threads)
    solver.run_all(iterations=1000)  # touches pages
    first_nodes, first = solver.nodes, solver.iterations
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in solver.run(seconds=seconds, every=float("inf")):
        pass
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    done = solver.iterations - first
    rate = done / cpu * threads
    print(
        f"external, {threads} thread(s): {done / wall:,.0f} iterations/s over {wall:.0f} s of "
        f"training ({rate:,.0f} by CPU time, busy {cpu / wall / threads:.2f}), "
        f"{(solver.nodes - first_nodes) / done:.0f} nodes an iteration"
    )
    return (solver.nodes - first_nodes) / wall


def main() -> None:
    """Run all of it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    chosen = parser.parse_args()
    tree = Tree(catalogue("limit"), "min")
    tables = HandStrength()
    began, cpu = time.perf_counter(), time.process_time()
    made = make_abstraction("percentile 169/3000/9000/2000", tables)
    with tempfile.TemporaryDirectory() as folder:
        abstraction = bucket_tables(made, tables, folder)
    wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    print(f"{abstraction.name}: built in {wall:.1f} s, {cpu:.1f} s of CPU time")
    deals = holdem_deals(tree, abstraction)
    decisions, megabytes = sum(tree.num_decisions), deals.num_entries * 12 / 1e6
    print(f"limit hold'em: {decisions:,} decision nodes, {megabytes:.0f} MB of tables")
    bench_dealer(deals)
    speeds = [bench_threads(deals, threads, chosen.seconds) for threads in chosen.threads]
    for threads, speed in zip(chosen.threads[1:], speeds[1:], strict=True):
        print(f"{threads} threads walk {speed / speeds[0]:.2f} x the nodes of {chosen.threads[0]}")


if __name__ == "__main__":
    main()
