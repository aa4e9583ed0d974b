"""Clustered and semantic buckets: how long they take, how good they are.

    uv run python bench/buckets.py [--quality] [--json]

Times are of `distribution 169/200/200/200` and `semantic`, fitted and compiled into a folder that
is thrown away; the hand-strength tables are the user's, built first where they are missing. With
`--quality` k-means is compared with percentiles, a sample with all hands, and a flop that knows
the turn with one that does not (some minutes).

With `--json` one object is printed:

    machine   cores, python, isa (the kernels' instruction set), load (1-minute average)
    figures   a list, each with
        key      short name of the figure, the same in every version
        name     what was measured, in words
        unit     "s", "us", "MB", or "" for ratios and mean squared distances
        value    the figure; times are by the clock
        cpu      processor time of all threads in the same unit, or null
        target   the figure to stay below, or null
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
from riverboat.buckets import (
    KINDS,
    CardAbstraction,
    FitTask,
    Points,
    StreetRule,
    assigned,
    bucket_tables,
    dead_holes,
    distribution_units,
    fit_clusters,
    make_abstraction,
    no_progress,
    num_boards,
    sampled_points,
    squared_error,
)
from riverboat.cards import NUM_HOLES, STREETS, HandStrength, StreetName
from riverboat.report import Table, print_table
from riverboat.runs import num_cores

TEXTS = {"distribution": "distribution 169/200/200/200", "semantic": "semantic"}
ON_THE_FLY_TARGETS = {"flop": 10_000.0, "turn": 1_000.0, "river": 100.0}
SAMPLES = (60_000, 125_000, 250_000, 500_000)


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
    """Seconds by the clock, and of all processors."""
    clock, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - clock, time.process_time() - cpu


def peak_megabytes() -> float:
    """Most memory that this process has held, mapped files included."""
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


def labels_of(rule: StreetRule, street: StreetName, tables: HandStrength) -> np.ndarray:
    """Bucket of every live hole on every board, in the order of `sampled_points` without sample."""
    table = np.zeros((num_boards(street), NUM_HOLES), np.uint16)
    rule.fill(tables, 0, table)
    return table[~dead_holes(street, 0, len(table))]


def parts_of(points: Points) -> dict[str, Points]:
    """The two halves of a flop's feature."""
    return {
        "river": Points(np.ascontiguousarray(points.rows[:, :48]), points.weights),
        "next": Points(np.ascontiguousarray(points.rows[:, 48:]), points.weights),
    }


def quality(tables: HandStrength) -> Iterator[Figure]:
    """Mean squared distance over all flops, in shares of certainty."""
    units = distribution_units("flop")
    task = FitTask("flop", 200, lambda: tables, 0, no_progress)
    every = sampled_points(tables, "flop", units, sample=None, seed=0)
    full = assigned(every, fit_clusters(task, sample=None).centroids)[1]
    yield Figure("flop_full_fit", "flop, k-means on all hands", "", full / units[0] ** 2)
    for sample in SAMPLES:
        fitted = fit_clusters(task, sample=sample)
        error = assigned(every, fitted.centroids)[1]
        name = f"flop, k-means on {sample:,} hands, against all"
        target = 1.02 if sample == 250_000 else None
        yield Figure(f"flop_sample_{sample}", name, "", error / full, target=target)
    for name, kind in (("E[HS]", "percentile"), ("E[HS^2]", "percentile-squared")):
        error = squared_error(every, labels_of(KINDS[kind].fit(task), "flop", tables), 200)
        yield Figure(
            f"flop_percentile_{name}",
            f"flop, percentiles of {name}, against k-means",
            "",
            error / full,
        )
    parts = parts_of(every)
    for potential in (0.0, 0.5, 1.0):
        labels = labels_of(fit_clusters(task, potential=potential), "flop", tables)
        for part, points in parts.items():
            error = squared_error(points, labels, 200) / units[0] ** 2
            name = f"flop, potential {potential}: distance in the {part} part"
            yield Figure(f"flop_potential_{potential}_{part}", name, "", error)


def turn_quality(tables: HandStrength) -> Iterator[Figure]:
    """The same on a large sample of turns, drawn apart from the fit."""
    units = distribution_units("turn")
    task = FitTask("turn", 200, lambda: tables, 0, no_progress)
    fresh = sampled_points(tables, "turn", units, sample=2_000_000, seed=99)
    full = assigned(fresh, fit_clusters(task, sample=2_000_000).centroids)[1]
    yield Figure("turn_full_fit", "turn, k-means on 2,000,000 hands", "", full / units[0] ** 2)
    for sample in SAMPLES:
        error = assigned(fresh, fit_clusters(task, sample=sample).centroids)[1]
        name = f"turn, k-means on {sample:,} hands, against 2,000,000"
        target = 1.02 if sample == 250_000 else None
        yield Figure(f"turn_sample_{sample}", name, "", error / full, target=target)


def measure(with_quality: bool) -> Iterator[Figure]:
    """Every figure."""
    tables = HandStrength()
    for street in STREETS:
        tables.cells(street)  # read and verified once, before the clock runs
    for kind in TEXTS:
        figures, abstraction = fitting(kind, tables)
        yield from figures
        yield from on_the_fly(kind, abstraction)
    if with_quality:
        yield from quality(tables)
        yield from turn_quality(tables)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quality", action="store_true", help="also how good they are")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    wanted = parser.parse_args()
    machine = {
        "cores": num_cores(),
        "python": platform.python_version(),
        "isa": _core.ISA,
        "load": os.getloadavg()[0],
    }
    figures = list(measure(wanted.quality))
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
