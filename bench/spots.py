"""Speed of the spot solver on the spots of bench/spots, alone or compared with another program.

    uv run python bench/spots.py [NAME ...] [--anchor PROGRAM] [--threads 1] [--targets 0.3 0.1]

Without `--anchor` the script prints our own times. With it, it prints ratios (the rival's over
ours) of an iteration, of the time to each target, and of memory; the two programs run in turns.

The time to a target includes, on both sides, iterations and the checks of exploitability; ours is
measured around the calls of the core from Python. It does not include reading the spot, building
the tree, allocating memory, and the values at the end. For runs of milliseconds the fastest of
several counts, on both sides; the rival starts a process for each, and we do not. Our memory is the
estimate (tables, boards, scratch of all threads); the rival reports its own.

The rival is any program that is called as

    PROGRAM SPOT (--iterations N | --target PERCENT) [--bits 16]

and prints one JSON object: `iterations`, `seconds` (in iterations), `check_seconds` (in checks),
`exploitability` (per cent of the pot), `ev` (chips of the players out of position and in position,
including their shares of the pot), `bytes` and `bytes_16` (memory with 32 and 16 bits). An
environment variable, by default RAYON_NUM_THREADS, sets its number of threads. SPOT is a file of
bench/spots; `docs/spots.md` explains its keys.
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from riverboat.spots import Engine, SolveSettings, Spot, SpotReport, forecast, solve

SPOTS = Path(__file__).parent / "spots"
SLICE = 0.4  # seconds of one measurement
MOST_RUNS = 20
Ratios: TypeAlias = dict[str, float]


@dataclass(frozen=True)
class Rival:
    """Another solver."""

    program: str
    variable: str
    threads: int

    def __call__(self, spot: Path, *options: str) -> dict[str, Any]:
        """Run it."""
        done = subprocess.run(
            [self.program, str(spot), *options],
            env=os.environ | {self.variable: str(self.threads)},
            capture_output=True,
            text=True,
            check=True,
        )
        return dict(json.loads(done.stdout))


def engine_of(path: Path, threads: int, bits: Any) -> Engine:
    """Return a warm engine."""
    spot = Spot.read(path)
    weights = [each.weights for each in spot.ranges]
    engine = Engine(spot.tree(), spot.cards, (weights[0], weights[1]), threads=threads, bits=bits)
    engine.run(3)
    return engine


def per_iteration(engine: Engine) -> float:
    """Seconds of an iteration of ours."""
    count, begin = 0, time.perf_counter()
    while (spent := time.perf_counter() - begin) < SLICE:
        step = max(1, count)
        engine.run(step)
        count += step
    return spent / count


def best_of(once: Callable[[], tuple[float, Any]], spend: float = SLICE) -> tuple[float, Any]:
    """Return the fastest of some runs, until they took so many seconds together."""
    best = once()
    spent, runs = best[0], 1
    while spent < spend and runs < MOST_RUNS:
        now = once()
        spent, runs = spent + now[0], runs + 1
        best = min(best, now, key=lambda run: run[0])
    return best


def ours_to(path: Path, target: float, given: argparse.Namespace) -> tuple[float, SpotReport]:
    """Seconds of ours to a target, iterations and checks, and the last report."""
    spot = Spot.read(path)
    *_, last = solve(
        spot, SolveSettings(target=target / 100, threads=given.threads, bits=given.bits)
    )
    return last.seconds, last


def theirs_to(rival: Rival, path: Path, *options: str) -> tuple[float, dict[str, Any]]:
    """Seconds of the rival to a target, and what it printed."""
    printed = rival(path, *options)
    return printed["seconds"] + printed["check_seconds"], printed


def compare_iterations(path: Path, rival: Rival | None, given: argparse.Namespace) -> Ratios:
    """Measure an iteration in turns; print it."""
    engine = engine_of(path, given.threads, given.bits)
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(given.rounds):
        ours.append(per_iteration(engine))
        if rival:
            count = max(3, round(SLICE / (theirs[-1] if theirs else 5 * ours[-1])))
            options = ("--iterations", str(count), "--bits", str(given.bits))
            theirs.append(rival(path, *options)["seconds"] / count)
    print(f"{path.stem:15} {1e3 * statistics.median(ours):9.3f} ms an iteration", end="")
    if not rival:
        return {}
    ratio = statistics.median(theirs) / statistics.median(ours)
    print(f" {ratio:5.2f}x", end="")
    return {"iteration": ratio}


def compare_memory(path: Path, rival: Rival | None, given: argparse.Namespace) -> Ratios:
    """Print our memory, and the ratio of the rival's to ours."""
    taken = forecast(Spot.read(path), SolveSettings(threads=given.threads, bits=given.bits)).engine
    print(f" | {taken.bytes / 1e6:.2f} MB, {taken.scratch_bytes / 1e6:.2f} of it scratch", end="")
    if not rival:
        return {}
    key = "bytes_16" if given.bits == 16 else "bytes"
    ratio = rival(path, "--iterations", "1", "--bits", str(given.bits))[key] / taken.bytes
    print(f" {ratio:5.2f}x", end="")
    return {"memory": ratio}


def compare_target(
    path: Path, target: float, rival: Rival | None, given: argparse.Namespace
) -> Ratios:
    """Measure the time to a target; print it."""
    seconds, last = best_of(lambda: ours_to(path, target, given))
    print(f" | {target:g} %: {1e3 * seconds:.2f} ms, {last.iteration} iterations", end="")
    if not rival:
        return {}
    options = ("--target", str(target), "--bits", str(given.bits))
    theirs, printed = best_of(lambda: theirs_to(rival, path, *options))
    values = f"values {last.values[0]:.2f} and {printed['ev'][0]:.2f}"
    print(f" {theirs / seconds:5.2f}x, {values}", end="")
    return {f"{target:g} %": theirs / seconds}


def compare(path: Path, rival: Rival | None, given: argparse.Namespace) -> Ratios:
    """Measure one spot and print a line; return the ratios."""
    ratios = compare_iterations(path, rival, given) | compare_memory(path, rival, given)
    for target in given.targets:
        ratios |= compare_target(path, target, rival, given)
    print(flush=True)
    return ratios


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("spots", nargs="*", help="names of bench/spots; all if none")
    parser.add_argument("--anchor", help="a rival program")
    parser.add_argument("--variable", default="RAYON_NUM_THREADS", help="its number of threads")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--bits", type=int, choices=(32, 16), default=32)
    parser.add_argument("--targets", type=float, nargs="*", default=[0.3, 0.1])
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    rival = Rival(given.anchor, given.variable, given.threads) if given.anchor else None
    paths = [SPOTS / f"{name}.spot" for name in given.spots] or sorted(SPOTS.glob("*.spot"))
    found = [compare(path, rival, given) for path in paths]
    for key in found[0]:
        values = [ratios[key] for ratios in found]
        mean = math.exp(statistics.fmean(map(math.log, values)))
        print(f"{key}: geometric mean {mean:.2f}x, least {min(values):.2f}x")


if __name__ == "__main__":
    main()
