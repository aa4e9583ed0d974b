"""The training, measured on its way (figures 17 and 18), cleaned (19 and 20), and by streets."""

import time
from itertools import zip_longest
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint import Blueprint, prune, read_csv, write_csv
from riverboat.evaluate import sampled_value
from riverboat.reproductions._run import ReproductionRun, kept_value, write_json
from riverboat.reproductions._work import do_jobs, iterate_told
from riverboat.reproductions.cardiff._recipe import DATA, FILES, toy_game, toy_recipe
from riverboat.reproductions.cardiff._results import (
    Cleaned,
    Point,
    Sampled,
    StreetSpeed,
    StreetSpeeds,
    Training,
)
from riverboat.runs import resident_memory
from riverboat.solve import Solver
from riverboat.statistics import Estimate
from riverboat.training import (
    Plan,
    Recipe,
    RunFiles,
    Until,
    iterate,
    prepare,
    restore_checkpoint,
    save_checkpoint,
    write_result,
)

#: Responses and values are taken on other deals than the training's.
_OTHER_SEED = 0x5DEECE66D
_WORTH_SAVING = 5.0  # seconds of training; a checkpoint has half a gigabyte
_SHOWN_ROWS = 6


def training_recipe(run: ReproductionRun) -> Recipe:
    """Return what is trained: the thesis's game, menu, cards and algorithm."""
    return toy_recipe(run, {"budget.iterations": DATA.amounts(run).iterations[-1]})


def train_and_measure(run: ReproductionRun) -> Training:
    """Train, stop at some numbers of iterations to measure, and write the strategy file.

    It goes on from its last measurement if it was stopped.
    """
    shop, files = _Workshop(run), RunFiles.of(run.path(FILES[0]))
    solver = shop.solver()
    notes, resident = _measured(shop, solver, files.checkpoint)
    write_result(files.blueprint, shop.setup, shop.recipe, solver)
    infosets, table_bytes = solver.report().infosets, solver.memory_bytes
    strategy = solver.strategy(np.float32)
    del solver
    run.tell(0.95, "the value of a seat, and of both")
    uniform = shop.solver().strategy(np.float32)
    values = (shop.both_seats(strategy), shop.value(uniform), shop.both_seats(uniform))
    files.checkpoint.unlink(missing_ok=True)
    size = files.blueprint.stat().st_size
    noted = (tuple(notes.points), tuple(notes.sampled))
    return Training(*noted, infosets, table_bytes, resident, *values, size)


class _Notes(msgspec.Struct):
    """What is measured on the way; kept beside the checkpoint."""

    points: list[Point] = []
    sampled: list[Sampled] = []

    def until(self, iterations: int) -> "_Notes":
        """Return those of a training that has come so far."""
        points = [each for each in self.points if each.iterations <= iterations]
        return _Notes(points, [each for each in self.sampled if each.iterations <= iterations])


class _Workshop:
    """What the training and its measurements share."""

    def __init__(self, run: ReproductionRun) -> None:
        self.run, self.recipe = run, training_recipe(run)
        self.setup = prepare(self.recipe)
        self.seed = run.seed ^ _OTHER_SEED

    def solver(self) -> Solver:
        """Make one that has done nothing yet, and plays uniformly."""
        return self.setup.solver(self.recipe)

    def value(self, strategy: NDArray[np.float32], seat: int = 0) -> Estimate:
        """What a seat wins; each seat on deals of its own, the same for every strategy."""
        deals, seed = DATA.amounts(self.run).value_deals, self.seed + 1 + seat
        return sampled_value(self.setup.deals, strategy, seat, score_deals=deals, seed=seed)

    def sampled(self, solver: Solver) -> Sampled:
        """Value the strategy of the regrets on deals that no other point has."""
        strategy, deals = solver.current_strategy(), DATA.amounts(self.run).sampled_deals
        seats = (
            sampled_value(
                self.setup.deals, strategy, seat, score_deals=deals,
                seed=self.seed + 2 * solver.iterations + seat,
            )
            for seat in (0, 1)
        )  # fmt: skip
        return Sampled(solver.iterations, *seats)

    def both_seats(self, strategy: NDArray[np.float32]) -> Estimate:
        """Return the mean over both seats."""
        small, big = (self.value(strategy, seat) for seat in (0, 1))
        return small.minus(big.scaled(-1)).scaled(0.5)

    def point(self, solver: Solver) -> Point:
        """Measure the average strategy."""
        wanted, now, strategy = DATA.amounts(self.run), solver.report(), solver.strategy(np.float32)
        how = {"seed": self.seed, "threads": self.setup.threads}
        bound = wanted.bound.bound(self.setup.deals, strategy, **how)
        value = self.value(strategy)
        return Point(now.iterations, now.seconds, value, bound, now.visited, now.averaged)


def _measured(shop: _Workshop, solver: Solver, checkpoint: Path) -> tuple[_Notes, int]:
    """Train; return what was measured at each stop, and the most memory between slices."""
    run, identity, wanted = shop.run, shop.recipe.identity(), DATA.amounts(shop.run)
    stops = sorted({*wanted.iterations, *wanted.sampled})
    kept, notes = run.path("cardiff.points.json"), _Notes([], [])
    if checkpoint.exists() and kept.exists():
        restore_checkpoint(checkpoint, solver, identity)
        notes = kept_value(kept, _Notes).until(solver.iterations)
    resident, saved = resident_memory(), solver.seconds
    course = [Until(iterations=count) for count in stops]
    for now in iterate_told(run.part(0.0, 0.9), solver, course, "trains"):
        resident = max(resident, resident_memory())
        if now.stop is None:
            continue
        notes.sampled.append(shop.sampled(solver))
        if now.iterations not in wanted.iterations:
            continue
        run.tell(0.0, f"measures at {now.iterations:,} iterations")
        notes.points.append(shop.point(solver))
        if solver.seconds - saved >= _WORTH_SAVING and now.share < 1:
            save_checkpoint(checkpoint, solver, identity, shop.setup.cards)
            write_json(kept, notes)
            saved = solver.seconds
    return notes, resident


def clean(run: ReproductionRun) -> Cleaned:
    """Drop uniform rows, write CSV files before and after, and read the cleaned one back."""
    original, cleaned, from_csv = (run.path(name) for name in FILES)
    raw, small = run.path("cardiff.csv"), run.path("cardiff-clean.csv")
    run.tell(0.01, "drops uniform rows")
    report = prune(Blueprint.open(original), cleaned, uniform=True)
    run.tell(0.1, "writes CSV files")
    files = [(original, raw), (cleaned, small)]
    written = do_jobs(run.part(0.1, 0.5), _write, files, "writes CSV files")
    (before, _), (after, write_seconds) = written
    run.tell(0.5, "reads the CSV file")
    began = time.perf_counter()
    strategy = read_csv(small, menu=DATA.amounts(run).menu)
    read_seconds = time.perf_counter() - began
    run.tell(0.9, "makes a strategy file of it")
    strategy.save(from_csv, values="uint8", pruned=True)
    sizes = (raw.stat().st_size, small.stat().st_size, report.bytes_after)
    times = (write_seconds, read_seconds)
    last = tuple(zip_longest(_last_rows(raw), _last_rows(small), fillvalue=""))
    return Cleaned(report.infosets, before, after, *sizes, *times, strategy.report.read, last)


def _write(files: tuple[Path, Path]) -> tuple[int, float]:
    """Write a strategy as CSV; return its rows and the seconds that it took."""
    began = time.perf_counter()
    blueprint, path = files
    return write_csv(Blueprint.open(blueprint), path), time.perf_counter() - began


def _last_rows(path: Path) -> list[str]:
    """Return the last rows of the flop: those of the starting hand that comes last."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 20_000))
        lines = file.read().decode("ascii").splitlines()
    flop = [line for line in lines[1:] if line.split(",")[0].count(" ") == 2]
    return (flop or lines)[-_SHOWN_ROWS:]


def measure_streets(run: ReproductionRun) -> StreetSpeeds:
    """Take the speed of both algorithms with two, three and four streets."""
    wanted, rows = DATA.amounts(run), []
    for part, streets in run.parts(wanted.streets):
        part.tell(0.0, f"{streets} streets")
        whole = toy_recipe(run, {"cards": f"suitless {streets}"}, toy_game(streets))
        cards = " | ".join(DATA.street_cards[:streets])
        chance, external = (
            _speed(whole.changed({"cards": cards, "scheme": scheme}), wanted.street_seconds)
            for scheme in ("chance", "external")
        )
        plan = Plan.of(whole)
        sizes, decisions = plan.sizes, sum(plan.tree.num_decisions)
        rows.append(
            StreetSpeed(streets, decisions, chance, external, sizes.infosets, sizes.table_bytes)
        )
    return StreetSpeeds(tuple(rows), wanted.street_seconds)


def _speed(recipe: Recipe, seconds: float) -> float:
    """Iterations a second of one core, by processor time: other programs do not slow it down.

    The tables are touched beforehand: new memory costs more than many iterations.
    """
    solver = prepare(recipe).solver(recipe)
    solver.regrets.fill(0)
    solver.average.fill(0)
    *_, before = iterate(solver, Until(processor_seconds=seconds / 4))
    *_, now = iterate(solver, Until(processor_seconds=seconds))
    return (now.iterations - before.iterations) / now.processor_seconds
