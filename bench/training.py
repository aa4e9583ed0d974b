"""Speed, memory and file size of training the cardiff and the laptop recipe.

    uv run python bench/training.py [--seconds 30] [--threads 2] [cardiff] [laptop]
    uv run python bench/training.py --scaling 1 2 4 8 16 [--seconds 30] [laptop]

Each recipe is measured in a process of its own. Speeds are per second of elapsed time and of CPU
time. `busy` is CPU time divided by elapsed time and threads: below 1, other processes used part of
the machine, and the figures per CPU second estimate the speed of an idle machine. Targets: cardiff
300,000 traversals/s, below 1 GB, file below 100 MB; laptop 120,000 iterations/s in the first 30 s.

`--scaling` trains from scratch with each number of threads and prints `busy` and the speed-up over
the first number, by elapsed time (with the time that threads wait for each other) and by CPU time
(which shows the cost of shared tables and memory). Speeds are in nodes, not iterations: later
iterations are slower, because strategies become mixed, and a faster run gets to later iterations.
Targets on 16 cores: busy 0.95, 11 times.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from riverboat.runs import Timing, resident_memory, speed_up
from riverboat.solve import Solver
from riverboat.training import RunFiles, load_recipe, prepare, train


def bench_speed(name: str, seconds: float, threads: int) -> None:
    """Train from scratch; print iterations per second, memory, and the cost of reports."""
    recipe = load_recipe(name).changed({"threads": threads})
    began = time.perf_counter()
    setup = prepare(recipe)
    print(f"{name}: cards ready in {time.perf_counter() - began:.1f} s")
    solver = Solver(setup.deals, recipe.solver_scheme, seed=1, threads=threads)
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in solver.slices(seconds=seconds):
        pass
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    counting = time.perf_counter()
    report = solver.report()
    counting = time.perf_counter() - counting
    rate, by_cpu = solver.iterations / wall, solver.iterations / cpu * threads
    print(
        f"  {recipe.solver_scheme.name}, {threads} threads, first {wall:.0f} s: "
        f"{rate:,.0f} iterations/s ({by_cpu:,.0f} by CPU time, busy {cpu / wall / threads:.2f}) = "
        f"{2 * rate:,.0f} traversals/s ({2 * by_cpu:,.0f} by CPU time); "
        f"{solver.nodes / solver.iterations:.0f} nodes an iteration"
    )
    print(
        f"  tables {solver.memory_bytes / 1e6:.0f} MB, resident {resident_memory() / 1e6:.0f} MB; "
        f"{report.visited:,} of {report.infosets:,} infosets; counting them takes "
        f"{counting * 1e3:.0f} ms"
    )


def bench_scaling(name: str, seconds: float, counts: list[int]) -> None:
    """Train with each number of threads; print busy shares and speeds beside the first."""
    recipe = load_recipe(name)
    deals = prepare(recipe).deals
    first: Timing | None = None
    print(f"{name}: threads, nodes/s, busy, times the first by wall clock and by CPU time")
    for threads in counts:
        solver = Solver(deals, recipe.solver_scheme, seed=1, threads=threads)
        wall, cpu = time.perf_counter(), time.process_time()
        for _ in solver.slices(seconds=seconds):
            pass
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        now = Timing(threads, solver.nodes, wall, cpu)
        first = first or now
        gain = speed_up(first, now)
        by_cpu = now.work / now.cpu_seconds * threads / (first.work / first.cpu_seconds)
        print(
            f"  {threads:3} {now.work / wall:14,.0f} {cpu / wall / threads:5.2f} "
            f"{'refused' if gain is None else f'{gain:7.2f}':>7} {by_cpu / first.threads:6.2f}",
            flush=True,
        )
        if now.loaded:
            print(f"  other programs: one thread waited {now.waited:.0%} of the time")


def bench_run(name: str, seconds: float, threads: int) -> None:
    """Do a whole run with its files; print overhead, memory peak and sizes."""
    recipe = load_recipe(name).changed(
        {"threads": threads, "budget": {"seconds": seconds}, "every.checkpoint": seconds / 2}
    )
    with tempfile.TemporaryDirectory() as folder:
        files = RunFiles.of(Path(folder) / name)
        began = time.perf_counter()
        *_, last = train(recipe, files.blueprint)
        wall = time.perf_counter() - began
        size, checkpoint = files.blueprint.stat().st_size, files.checkpoint.stat().st_size
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(
        f"  whole run: {last.seconds:.0f} s of training in {wall:.0f} s, peak {peak:,.0f} MB, "
        f"blueprint {size / 1e6:.0f} MB, checkpoint {checkpoint / 1e6:.0f} MB"
    )
    if last.measured is not None:
        print(f"  exploitability at least {last.measured.exploitability:.3f} chips a hand")


def main() -> None:
    """Run all of it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=["cardiff", "laptop"])
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--part", choices=["speed", "run"])
    parser.add_argument("--scaling", type=int, nargs="+", metavar="THREADS")
    chosen = parser.parse_args()
    if chosen.scaling:
        for name in chosen.names:
            bench_scaling(name, chosen.seconds, chosen.scaling)
        return
    if chosen.part:
        bench = {"speed": bench_speed, "run": bench_run}[chosen.part]
        bench(chosen.names[0], chosen.seconds, chosen.threads)
        return
    for name in chosen.names:
        for part in ("speed", "run"):
            options = ["--seconds", str(chosen.seconds), "--threads", str(chosen.threads)]
            command = [sys.executable, __file__, name, "--part", part, *options]
            subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
