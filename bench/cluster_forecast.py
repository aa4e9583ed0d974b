"""Estimate hours and cost on a cluster by a formula and a simulation, from measured figures.

Training: after each slice of T seconds of iterations the nodes exchange changes. Every node sends
its changes (at most the tables, M bytes) and the parts that it has summed, and receives as much.
Over a link of B bytes per second that takes 2 M / B, so that iterations get T / (T + 2 M / B) of
the time.

A library: jobs run on all cores, the longest first; one driver receives the files over its link.

    python bench/cluster_forecast.py --nodes 10 100 --cores 32 --price 0.04
"""

import argparse
import heapq
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riverboat.cluster import Ranges

_SLICES = 200
_UNITS = 10_000  # of a node's work in a slice


@dataclass(frozen=True)
class Cluster:
    """A cluster of identical machines."""

    nodes: int
    cores: int
    link: float
    """Bytes a second of each node."""
    price: float
    """Of a core for an hour."""

    def cost(self, hours: float) -> float:
        """Return the cost of so many hours of all cores."""
        return hours * self.nodes * self.cores * self.price


def training_hours(
    cluster: Cluster, iterations: float, speed: float, table: float, length: float
) -> float:
    """Return the hours of training by the formula; `speed` is iterations per second and core."""
    walking = iterations / (cluster.nodes * cluster.cores * speed)
    exchange = 0.0 if cluster.nodes == 1 else 2 * table / cluster.link
    return walking * (1 + exchange / length) / 3600


def simulated_hours(
    cluster: Cluster, iterations: float, speed: float, table: float, length: float
) -> float:
    """Return the same by simulated slices; node speeds differ by 5 %, ranges as in training."""
    draws = np.random.default_rng(1)
    believed, seconds = np.ones(cluster.nodes), 0.0
    whole = cluster.nodes * cluster.cores * speed * length
    exchange = 0.0 if cluster.nodes == 1 else 2 * table / cluster.link
    for _ in range(_SLICES):  # the rest is like these
        real = np.clip(draws.normal(1, 0.05, cluster.nodes), 0.5, 1.5)
        seconds += length * _slice_seconds(believed, real) + exchange
        believed = real
    return seconds / 3600 * iterations / (_SLICES * whole)


def _slice_seconds(believed: NDArray[np.float64], real: NDArray[np.float64]) -> float:
    """Return the time of a slice that would take nodes of speed 1 a second."""
    ranges = Ranges(0, _UNITS * len(real), {str(node): at for node, at in enumerate(believed)})
    clocks = [(0.0, node) for node in range(len(real))]
    over = 0.0
    while clocks:
        now, node = heapq.heappop(clocks)
        taken = ranges.take(str(node))
        over = max(over, now)
        if taken is not None:
            heapq.heappush(clocks, (now + (taken[1] - taken[0]) / _UNITS / real[node], node))
    return over


def library_hours(cluster: Cluster, jobs: list[float], size: float) -> float:
    """Return the hours of a library: jobs of so many seconds, files of so many bytes each."""
    free = [0.0] * min(len(jobs), cluster.nodes * cluster.cores)
    for seconds in sorted(jobs, reverse=True):
        heapq.heapreplace(free, free[0] + seconds)
    return max(*free, len(jobs) * size / cluster.link) / 3600


def main() -> None:
    """Print both as tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--nodes", type=int, nargs="+", default=[1, 10, 100])
    add("--cores", type=int, default=32)
    add("--link", type=float, default=1.25e9, help="bytes a second of a node")
    add("--price", type=float, default=0.04, help="of a core-hour")
    add("--table", type=float, default=10e9, help="bytes of the tables")
    add("--iterations", type=float, default=1e12)
    add("--speed", type=float, default=10_000, help="iterations a second of a core")
    add("--slice", type=float, default=30, help="seconds of walking")
    add("--flops", type=int, default=1755)
    add("--flop-seconds", type=float, default=600, help="of one core, for one flop")
    add("--flop-bytes", type=float, default=50e6)
    options = parser.parse_args()
    print("| nodes | training, formula | simulated | cost | all flops | cost |")
    print("| --- | --- | --- | --- | --- | --- |")
    spread = np.random.default_rng(2).lognormal(0, 0.3, options.flops)
    jobs = (options.flop_seconds * spread / spread.mean()).tolist()
    for nodes in options.nodes:
        cluster = Cluster(nodes, options.cores, options.link, options.price)
        work = (cluster, options.iterations, options.speed, options.table, options.slice)
        hours, seen = training_hours(*work), simulated_hours(*work)
        flops = library_hours(cluster, jobs, options.flop_bytes)
        print(
            f"| {nodes} | {hours:,.1f} h | {seen:,.1f} h | {cluster.cost(seen):,.0f} "
            f"| {flops:,.2f} h | {cluster.cost(flops):,.0f} |"
        )


if __name__ == "__main__":
    main()
