"""Overhead of Ray on this machine: two nodes of one core compared with two processes or threads.

The two sides run in turns, because machines are noisy. For matches and libraries, `wall` is the
ratio of elapsed time (two processes over two nodes, median of the repetitions), and `processor` the
ratio of CPU time of all processes, including Ray's. For training, the script measures the seconds
until the average strategy on Leduc hold'em reaches a target of (exact) exploitability.

    python bench/cluster_nodes.py --repetitions 3
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from cluster_forecast import Cluster as Machines
from cluster_forecast import simulated_hours
from riverboat.arena import Match, MatchSettings, play_matches
from riverboat.cluster import Sliced, Walked, helpers, opened, ray_module
from riverboat.evaluate import exploitability
from riverboat.runs import run_jobs
from riverboat.spots import Library, SolveSettings, Spot, few_flops
from riverboat.training import load_recipe, prepare

_MOST = 50_000_000  # iterations
_TICKS = os.sysconf("SC_CLK_TCK")
_RECIPE = load_recipe("leduc").changed({"scheme": "external linear"})


class Options(NamedTuple):
    """Amount of work, and number of repetitions."""

    size: int
    repetitions: int


@contextmanager
def two_nodes() -> Iterator[list[int]]:
    """Start a head without cores and two nodes of one; yield their processes."""
    ray = ray_module()  # sets up the environment that Ray reads when imported
    store = 300 << 20
    head = {"num_cpus": 0, "object_store_memory": store, "include_dashboard": False}
    cluster = import_module("ray.cluster_utils").Cluster(initialize_head=True, head_node_args=head)
    try:
        nodes = [cluster.add_node(num_cpus=1, object_store_memory=store) for _ in range(2)]
        ray.init(cluster.address, log_to_driver=False, namespace="riverboat")
        kinds = [*cluster.head_node.all_processes.values()]
        kinds += [each for node in nodes for each in node.all_processes.values()]
        yield [each.process.pid for kind in kinds for each in kind]
    finally:
        ray.shutdown()
        cluster.shutdown()


def processor_seconds(roots: list[int]) -> dict[int, float]:
    """Return the CPU seconds of processes and their descendants, with our ended children."""
    parents, seconds = {}, {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        pid = int(place.parent.name)
        own = 4 if pid == os.getpid() else 2
        parents[pid] = int(fields[1])
        seconds[pid] = sum(map(int, fields[11 : 11 + own])) / _TICKS
    counted, more = set[int](), set(roots) & parents.keys()
    while more:
        counted |= more
        more = {pid for pid, parent in parents.items() if parent in counted} - counted
    return {pid: seconds[pid] for pid in counted}


def spent(before: dict[int, float], after: dict[int, float]) -> float:
    """Return the CPU seconds between two readings, without processes that ended in between."""
    return sum(seconds - before.get(pid, 0.0) for pid, seconds in after.items())


def match(hands: int) -> None:
    """Play on two workers."""
    settings = MatchSettings(("checkcall", "random"), "leduc", hands=hands, seed=1, session=500)
    for _ in play_matches([Match(settings)], workers=2):
        pass


def library(flops: int) -> None:
    """Solve on two workers."""
    spot = Spot(board="2s3h4d", pot=20, stack=10, oop="AA, QQ, 55", ip="KK, 99", menu="a")
    spots = [spot.changed({"board": board}) for board in few_flops(flops)]
    with tempfile.TemporaryDirectory() as folder:
        for _ in Library.of(folder, spots).solve_on_workers(
            SolveSettings(target=1e-9, iterations=200), workers=2
        ):
            pass


def compared(name: str, work: Callable[[int], None], nodes: list[int], options: Options) -> None:
    """Print the ratio of two nodes to two processes without start-up: large work minus small."""
    sides: dict[str, list[tuple[float, float]]] = {"local": [], "ray": []}
    small, large = options.size, 4 * options.size
    with opened("ray"):
        work(small)  # so that workers are there
    for _ in range(options.repetitions):
        for side, found in sides.items():
            with opened(side):
                first, second = (_cost(partial(work, size), nodes) for size in (small, large))
            found.append((second[0] - first[0], second[1] - first[1]))
    pairs = list(zip(sides["local"], sides["ray"], strict=True))
    wall, processor = ([here[at] / there[at] for here, there in pairs] for at in (0, 1))
    print(
        f"{name}: wall {_median(wall)}, processor {_median(processor)}; two processes took "
        f"{statistics.median(here[1] for here, _ in pairs):.1f} s of the processor",
        flush=True,
    )


def _cost(work: Callable[[], None], nodes: list[int]) -> tuple[float, float]:
    """Elapsed seconds and seconds of CPU time."""
    before, began = processor_seconds([os.getpid(), *nodes]), time.perf_counter()
    work()
    took = time.perf_counter() - began
    return took, spent(before, processor_seconds([os.getpid(), *nodes]))


def _median(ratios: list[float]) -> str:
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def jobs(count: int) -> None:
    """Print the cost of empty jobs with and without Ray: the first two, and each further one."""
    for side in ("local", "ray"):
        with opened(side):
            two, all_of_them = (_seconds(number) for number in (2, 2 + count))
        each = 1000 * (all_of_them - two) / count
        print(f"{side}: {two:.1f} s for two jobs, {each:.1f} ms for each more", flush=True)


def _seconds(count: int) -> float:
    began = time.perf_counter()
    list(run_jobs(abs, range(count), workers=2))
    return time.perf_counter() - began


class Reached(NamedTuple):
    """Training up to a target."""

    seconds: float
    processor: float
    iterations: int
    slices: list[tuple[float, list[Walked]]]
    """For nodes: seconds and speeds of the workers."""


def reached(seed: int, target: float, nodes: list[int] | None) -> Reached:
    """Train on two nodes or two threads until the exploitability reaches a target."""
    recipe = _RECIPE.changed({"seed": seed, "threads": 1 if nodes else 2})
    setup = prepare(recipe)
    solver, slices, processor, following = setup.solver(recipe), [], 0.0, 20_000

    def told(kernel: Sliced) -> None:
        slices.append((kernel.seconds, list(kernel.walked.values())))

    roots = [os.getpid(), *(nodes or [])]
    help_of = helpers(ray_module(), told=told)(recipe, setup, solver) if nodes else nullcontext()
    before: dict[int, float] | None = None
    with help_of:
        for _ in solver.driver.run({"iterations": _MOST}):
            before = before or processor_seconds(roots)  # workers are there after the first slice
            if solver.iterations >= following:
                processor += spent(before, processor_seconds(roots))
                following = round(1.1 * solver.iterations)
                if exploitability(setup.deals, solver.strategy()).exploitability <= target:
                    break
                before = processor_seconds(roots)
    seconds = sum(took for took, _ in slices) if nodes else solver.seconds  # without their start
    return Reached(seconds, processor, solver.iterations, slices)


def training(target: float, nodes: list[int], repetitions: int) -> None:
    """Print the times of two nodes and two threads to the target, and the simulated time."""
    pairs = []
    for seed in range(repetitions):
        here, there = reached(seed, target, None), reached(seed, target, nodes)
        pairs.append((here, there))
        print(
            f"seed {seed}: threads {here.seconds:.1f} s and {here.iterations:,} iterations, nodes "
            f"{there.seconds:.1f} s and {there.iterations:,}; {simulated(there)}",
            flush=True,
        )
    wall = [here.seconds / there.seconds for here, there in pairs]
    processor = [here.processor / there.processor for here, there in pairs]
    print(f"training: wall {_median(wall)}, processor {_median(processor)}", flush=True)


def simulated(run: Reached) -> str:
    """Compare a run with the simulation of its speeds, slices and exchanges."""
    walked = [each for _, workers in run.slices for each in workers]
    speed = sum(each.iterations for each in walked) / sum(each.seconds for each in walked)
    lengths = [max(each.seconds for each in workers) for _, workers in run.slices]
    took = [seconds for seconds, _ in run.slices]
    exchange = (sum(took) - sum(lengths)) / len(took)
    machines = Machines(nodes=2, cores=1, link=1.0, price=0.0)
    length = statistics.mean(lengths)
    hours = simulated_hours(machines, run.iterations, speed, exchange / 2, length)
    return (
        f"{len(took)} slices of {length:.2f} s, exchange {1000 * exchange:.0f} ms; simulated "
        f"{3600 * hours:.1f} s"
    )


def main() -> None:
    """Print all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=500)
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--flops", type=int, default=5)
    parser.add_argument("--target", type=float, default=0.003, help="chips")
    parser.add_argument("--only", nargs="+", help="jobs, match, library, training")
    options = parser.parse_args()
    began = time.perf_counter()
    with two_nodes() as nodes:
        print(f"three processes of Ray start in {time.perf_counter() - began:.1f} s", flush=True)
        began = time.perf_counter()
        with opened("ray"):
            print(f"nodes are asked what they are: {time.perf_counter() - began:.1f} s", flush=True)
        count = options.repetitions
        parts: dict[str, Callable[[], None]] = {
            "jobs": lambda: jobs(options.jobs),
            "match": lambda: compared("match", match, nodes, Options(options.hands, count)),
            "library": lambda: compared("library", library, nodes, Options(options.flops, count)),
            "training": lambda: training(options.target, nodes, count),
        }
        for part in options.only or parts:
            parts[part]()


if __name__ == "__main__":
    main()
