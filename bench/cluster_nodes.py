"""What Ray costs on this machine: two nodes of one core against two processes, or two threads.

Sides take turns, since machines are busy with other things. For matches and libraries `wall` is the
clock's ratio of two processes to two nodes, the median of the repetitions, and `processor` that of
the processor seconds of all processes that took part. Training: the seconds after which the
average on Leduc hold'em, where exploitability is exact, is exploitable by a target.

    python bench/cluster_nodes.py --repetitions 3
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import ray
from ray.cluster_utils import Cluster

from cluster_forecast import Cluster as Machines
from cluster_forecast import simulated_hours
from riverboat.arena import Match, MatchSettings, play_matches
from riverboat.cluster import Sliced, helpers, opened
from riverboat.evaluate import exploitability
from riverboat.spots import Library, Spot, few_flops
from riverboat.training import load_recipe, prepare, train
from riverboat.work import run_jobs

_TICKS = os.sysconf("SC_CLK_TCK")
_RECIPE = load_recipe("leduc").changed(
    {"scheme": "external linear", "bound.every": 0, "every.checkpoint": 1e6}
)


@contextmanager
def two_nodes() -> Iterator[list[int]]:
    """Start a head without cores and two nodes of one; yield their processes."""
    store = 300 << 20
    head = {"num_cpus": 0, "object_store_memory": store, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        nodes = [cluster.add_node(num_cpus=1, object_store_memory=store) for _ in range(2)]
        ray.init(cluster.address, log_to_driver=False, namespace="riverboat")
        kinds = [*cluster.head_node.all_processes.values()]
        kinds += [each for node in nodes for each in node.all_processes.values()]
        yield [each.process.pid for kind in kinds for each in kind]
    finally:
        ray.shutdown()
        cluster.shutdown()


def processor_seconds(roots: list[int]) -> float:
    """Return what processes, and those below them, took of the processor, ended ones included."""
    known: dict[int, tuple[int, int]] = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        known[int(place.parent.name)] = (int(fields[1]), sum(map(int, fields[11:15])))
    counted, grown = set(roots), True
    while grown:
        more = {pid for pid, (parent, _) in known.items() if parent in counted} - counted
        counted, grown = counted | more, bool(more)
    return sum(known[pid][1] for pid in counted if pid in known) / _TICKS


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
        for _ in Library.of(folder, spots).solve_on_workers(workers=2, target=1e-5):
            pass


def compared(name: str, work: Callable[[], None], nodes: list[int], repetitions: int) -> None:
    """Print how two nodes do beside two processes."""
    sides: dict[str, list[tuple[float, float]]] = {"local": [], "ray": []}
    with opened("ray"):
        work()  # so that workers are there
    for _ in range(repetitions):
        for side, found in sides.items():
            before, began = processor_seconds([os.getpid(), *nodes]), time.perf_counter()
            with opened(side):
                work()
            spent = processor_seconds([os.getpid(), *nodes]) - before
            found.append((time.perf_counter() - began, spent))
    pairs = list(zip(sides["local"], sides["ray"], strict=True))
    wall, processor = ([here[at] / there[at] for here, there in pairs] for at in (0, 1))
    print(
        f"{name}: wall {_median(wall)}, processor {_median(processor)}; two processes took "
        f"{statistics.median(here[0] for here, _ in pairs):.1f} s",
        flush=True,
    )


def _median(ratios: list[float]) -> str:
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def jobs(count: int) -> None:
    """Print what a job costs that does nothing, with Ray and without."""
    for side in ("local", "ray"):
        with opened(side):
            list(run_jobs(abs, range(2), workers=2))
            began = time.perf_counter()
            list(run_jobs(abs, range(count), workers=2))
            each = (time.perf_counter() - began) / count
        print(f"{side}: {1000 * each:.2f} ms a job, of {count:,}", flush=True)


def reached(kind: str, seed: int, target: float, most: int) -> tuple[float, int, list[Any]]:
    """Train on two threads or two nodes; return seconds and iterations to the target; slices."""
    threads = 2 if kind == "threads" else 1
    budget = {"iterations": most, "seconds": None}
    recipe = _RECIPE.changed({"seed": seed, "threads": threads, "budget": budget})
    setup, slices = prepare(recipe), []

    def told(kernel: Sliced) -> None:
        slices.append((kernel.seconds, list(kernel.walked.values())))

    made = helpers(ray, told=told)
    found: list[tuple[float, int]] = []

    @contextmanager
    def watched(recipe: Any, setup: Any, solver: Any) -> Iterator[None]:
        run, driver = solver.driver.run, solver.driver

        def until_target(*given: Any, **more: Any) -> Iterator[Any]:
            following = 20_000
            for due in run(*given, **more):
                if driver.iterations >= following:
                    following = round(1.1 * driver.iterations)
                    if exploitability(setup.deals, solver.strategy()).exploitability <= target:
                        found.append((driver.seconds, driver.iterations))
                        return
                yield due

        driver.run = until_target
        if kind == "threads":
            yield
        else:
            with made(recipe, setup, solver):
                yield

    with tempfile.TemporaryDirectory() as folder:
        for _ in train(recipe, f"{folder}/one", setup=setup, helped=watched, plot=False):
            pass
    return (*(found or [(float("inf"), most)])[0], slices)


def training(target: float, repetitions: int, most: int) -> None:
    """Print how soon two nodes are where two threads are, and what the simulation says."""
    ratios = []
    for seed in range(repetitions):
        here = reached("threads", seed, target, most)
        there = reached("nodes", seed, target, most)
        ratios.append(here[0] / there[0])
        walked = [each for _, workers in there[2] for each in workers]
        speed = sum(each.iterations for each in walked) / sum(each.seconds for each in walked)
        took = [seconds for seconds, _ in there[2]]
        lengths = [max(each.seconds for each in workers) for _, workers in there[2]]
        exchange = statistics.median(
            seconds - length for seconds, length in zip(took, lengths, strict=True)
        )
        machines = Machines(2, 1, link=1.0, price=0.0)
        work = (machines, there[1], speed, exchange / 2, statistics.mean(lengths))
        print(
            f"seed {seed}: threads {here[0]:.1f} s and {here[1]:,} iterations, nodes "
            f"{there[0]:.1f} s and {there[1]:,}; exchange {1000 * exchange:.0f} ms after slices of "
            f"{statistics.median(lengths):.2f} s; simulated {3600 * simulated_hours(*work):.1f} s",
            flush=True,
        )
    print(f"training: {_median(ratios)} of two threads", flush=True)


def main() -> None:
    """Print all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--hands", type=int, default=60_000)
    parser.add_argument("--flops", type=int, default=60)
    parser.add_argument("--target", type=float, default=0.01, help="chips")
    parser.add_argument("--most", type=int, default=20_000_000, help="iterations of a training")
    options = parser.parse_args()
    began = time.perf_counter()
    with two_nodes() as nodes:
        print(f"three processes of Ray start in {time.perf_counter() - began:.1f} s", flush=True)
        began = time.perf_counter()
        with opened("ray"):
            print(f"nodes are asked what they are: {time.perf_counter() - began:.1f} s", flush=True)
        jobs(500)
        compared("match", lambda: match(options.hands), nodes, options.repetitions)
        compared("library", lambda: library(options.flops), nodes, options.repetitions)
        training(options.target, options.repetitions, options.most)


if __name__ == "__main__":
    main()
