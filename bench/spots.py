"""The spot solver on the spots of bench/spots, beside a rival program where one is given.

    uv run python bench/spots.py [NAME ...] [--anchor PROGRAM] [--threads 1] [--targets 0.3 0.1]

Without `--anchor` it prints our own times. With it, ratios (the rival's time over ours) that were
taken in turns in one run: of an iteration, and to each target, checks included on both sides.

The rival is any program that is called as

    PROGRAM SPOT (--iterations N | --target PERCENT) [--bits 16]

and prints one JSON object: `iterations`, `seconds` (in iterations), `check_seconds` (in checks),
`exploitability` (per cent of the pot), `ev` (chips of the players out of and in position, shares of
the pot included). The number of its threads is set in the environment, by
default as RAYON_NUM_THREADS. SPOT is a file of bench/spots; `docs/spots.md` has its keys.
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from riverboat.spots import Engine, Spot, solve

SPOTS = Path(__file__).parent / "spots"
SLICE = 0.4  # seconds of one measurement of an iteration


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


def seconds_to(path: Path, target: float, threads: int, bits: Any) -> tuple[float, int, float]:
    """Seconds of ours to a target (iterations and checks), iterations, the first player's value."""
    solving = solve(Spot.read(path), target=target / 100, threads=threads, bits=bits)
    begin = time.perf_counter()
    *_, last = solving
    assert last.values is not None
    return time.perf_counter() - begin, last.iteration, last.values[0]


def compare(path: Path, rival: Rival | None, given: argparse.Namespace) -> dict[str, float]:
    """Measure one spot and print a line; return the ratios."""
    bits = ("--bits", str(given.bits))
    engine = engine_of(path, given.threads, given.bits)
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(given.rounds):
        ours.append(per_iteration(engine))
        if rival:
            count = max(3, round(SLICE / (theirs[-1] if theirs else 5 * ours[-1])))
            theirs.append(rival(path, "--iterations", str(count), *bits)["seconds"] / count)
    del engine
    ratios: dict[str, float] = {}
    line = f"{path.stem:15} {1e3 * statistics.median(ours):9.3f} ms an iteration"
    if rival:
        ratios["iteration"] = statistics.median(theirs) / statistics.median(ours)
        line += f" {ratios['iteration']:5.2f}x"
    for target in given.targets:
        seconds, iterations, value = seconds_to(path, target, given.threads, given.bits)
        line += f" | {target:g} %: {seconds:7.3f} s, {iterations:4} iterations"
        if rival:
            other = rival(path, "--target", str(target), *bits)
            ratio = (other["seconds"] + other["check_seconds"]) / seconds
            ratios[f"{target:g} %"] = ratio
            line += f" {ratio:5.2f}x, values {value:.2f} and {other['ev'][0]:.2f}"
    print(line, flush=True)
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
