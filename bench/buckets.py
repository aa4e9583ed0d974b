"""Time and memory to build clustered and semantic buckets.

    uv run python bench/buckets.py [--json]

`distribution 169/200/200/200`, rivers of `ochs 800` and `semantic` are fitted and compiled into a
temporary folder. The hand-strength tables are the user's, built first if they are missing.
`quality.py` and `river_quality.py` in `tests/buckets` measure the quality of buckets.

With `--json` the script prints one object:

    machine   cores, python, isa (the kernels' instruction set), load (1-minute average)
    figures   a list, each with
        key      short name of the figure, the same in every version
        name     what was measured, in words
        unit     "s", "us", "MB", or "" for ratios and mean squared distances
        value    the figure; times are elapsed time
        cpu      CPU time of all threads in the same unit, or null
        target   the limit of the figure, or null
"""

import argparse
import json
import os
import platform
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial

import numpy as np
from rich.console import Console

from riverboat import _core
from riverboat.buckets import CardAbstraction, bucket_tables, make_abstraction
from riverboat.cards import STREETS, HandStrength
from riverboat.report import Table, print_table
from riverboat.runs import num_cores

TEXTS = {
    "distribution": "distribution 169/200/200/200",
    "ochs": "percentile 169/200/200 | ochs 800",
    "semantic": "semantic",
}
ON_THE_FLY_TARGETS = {"flop": 10_000.0, "turn": 1_000.0, "river": 100.0}


@dataclass
class Figure:
    """One line of the result."""

    key: str
    name: str
    unit: str
    value: float
    cpu: float | None = None
    target: float | None = None


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Elapsed seconds, and seconds of CPU time."""
    clock, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - clock, time.process_time() - cpu


def peak_megabytes() -> float:
    """Peak memory of this process, including memory-mapped files."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def fitting(kind: str, tables: HandStrength) -> tuple[list[Figure], CardAbstraction]:
    """Fit and compile one kind of buckets."""
    made: list[CardAbstraction] = []
    fit = timed(lambda: made.append(make_abstraction(TEXTS[kind], tables)))
    figures = [Figure(f"{kind}_fit", f"{TEXTS[kind]}: fit", "s", *fit)]
    with tempfile.TemporaryDirectory() as folder:
        fill = timed(lambda: bucket_tables(made[0], tables, folder))
    figures += [
        Figure(f"{kind}_compile", f"{TEXTS[kind]}: compile the tables", "s", *fill),
        Figure(
            f"{kind}_all", f"{TEXTS[kind]}: both", "s", fit[0] + fill[0], fit[1] + fill[1], 180.0
        ),
        Figure(
            f"{kind}_peak", f"peak memory after {kind}, with mapped tables", "MB", peak_megabytes()
        ),
    ]
    return figures, made[0]


def ask(abstraction: CardAbstraction, hands: list[list[int]]) -> None:
    """Find the bucket of each hand."""
    for hand in hands:
        abstraction.street_bucket(hand[:2], hand[2:])


def on_the_fly(kind: str, abstraction: CardAbstraction) -> Iterator[Figure]:
    """Mean time of one hand on each street."""
    rng = np.random.default_rng(1)
    for street, board, count in (("flop", 3, 100), ("turn", 4, 1_000), ("river", 5, 5_000)):
        hands = [rng.permutation(52)[: 2 + board].tolist() for _ in range(count)]
        clock, cpu = timed(partial(ask, abstraction, hands))
        name = f"{kind}: one hand on the {street}, no tables"
        target = ON_THE_FLY_TARGETS[street]
        each = clock / count * 1e6, cpu / count * 1e6
        yield Figure(f"{kind}_{street}_hand", name, "us", *each, target)


def measure() -> Iterator[Figure]:
    """Every figure."""
    tables = HandStrength()
    for street in STREETS:
        tables.cells(street)  # read and verified once, before the clock runs
    for kind in TEXTS:
        figures, abstraction = fitting(kind, tables)
        yield from figures
        yield from on_the_fly(kind, abstraction)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    wanted = parser.parse_args()
    machine = {
        "cores": num_cores(),
        "python": platform.python_version(),
        "isa": _core.ISA,
        "load": os.getloadavg()[0],
    }
    figures = list(measure())
    if wanted.json:
        print(json.dumps({"machine": machine, "figures": [asdict(figure) for figure in figures]}))
        return
    rows = tuple(
        (
            figure.name,
            f"{figure.value:.4g}",
            figure.unit,
            "" if figure.cpu is None else f"{figure.cpu:.4g}",
            "" if figure.target is None else f"{figure.target:g}",
        )
        for figure in figures
    )
    columns = ("figure", "value", "unit", "cpu", "target")
    print_table(Table(str(machine), columns, rows), Console(width=120))


if __name__ == "__main__":
    main()
