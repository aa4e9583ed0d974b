"""The training and its measurements: figures 15 and 17 to 20, and the speed by streets."""

import time
from collections.abc import Iterator
from itertools import product, zip_longest
from pathlib import Path
from sys import getsizeof

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint import Blueprint, default_blueprint, prune, read_csv, write_csv
from riverboat.buckets import bucket_tables, make_abstraction
from riverboat.cards import board_cards, board_multiplicities
from riverboat.evaluate import exploitability, sampled_value
from riverboat.game import catalogue
from riverboat.reproductions._run import Found, ReproductionRun
from riverboat.reproductions._work import Measuring, do_jobs, train_recipe
from riverboat.reproductions.cardiff._recipe import DATA, FILES, toy_game, toy_recipe
from riverboat.runs import num_cores
from riverboat.solve import SCHEMES, Solver, enumerate_deals
from riverboat.statistics import Estimate
from riverboat.training import (
    Plan,
    Recipe,
    Setup,
    Until,
    iterate,
    prepare,
)
from riverboat.tree import DECISION, Tree

_MOST_RAISES = 6
_SHOWN = 3
_STARTING_HANDS = 169
_COMMONEST = 12 / 1326  # probability of an offsuit starting class
_NODES = 2_000
_ACTIONS = 3
#: Responses and values use other deals than the training.
_OTHER_SEED = 0x5DEECE66D
_SHOWN_ROWS = 6


def training_recipe(run: ReproductionRun) -> Recipe:
    """Return the training recipe: the thesis's game, bet menu, cards and algorithm."""
    iterations = DATA.amounts(run).iterations[-1]
    return toy_recipe(run, {"budget.iterations": iterations, "bound.every": 0})


def train_and_measure(run: ReproductionRun) -> Found:
    """Train, measure at some numbers of iterations, and write the strategy file."""
    recipe = training_recipe(run)
    measures = _Measures(run, prepare(recipe))
    setup, name = measures.setup, FILES[0].partition(".")[0]
    trained = train_recipe(run.part(0.0, 0.9), recipe, name, setup, measures)
    run.tell(0.95, "the EV of uniform play")
    uniform = setup.solver(recipe).strategy(np.float32)
    names = ("points", "sampled", "infosets", "table_bytes", "resident_bytes", "both_seats")
    return Found(
        {name: trained[name] for name in (*names, "blueprint_bytes")},
        uniform_value=measures.value(uniform),
        uniform_both_seats=measures.both_seats(uniform),
    )


class _Measures(Measuring):
    """Measures a training: `points` its average strategy, `sampled` its current strategy.

    The author printed the running mean of the current strategy's value.
    """

    def __init__(self, run: ReproductionRun, setup: Setup) -> None:
        wanted = DATA.amounts(run)
        super().__init__(sorted({*wanted.iterations, *wanted.sampled}), DATA.all_units)
        self.run, self.setup, self.seed = run, setup, run.seed ^ _OTHER_SEED
        self.found = Found(points=[], sampled=[])

    def look(self, solver: Solver) -> None:
        """Measure now; at the end also the mean over both seats, the author's figure."""
        wanted, sampled, points = DATA.amounts(self.run), self._sampled(solver), list[Found]()
        if solver.iterations in wanted.iterations:
            self.run.tell(0.0, f"measures at {solver.iterations:,} iterations")
            points = [self._point(solver)]
        if solver.iterations == self.at[-1]:
            self.found["both_seats"] = self.both_seats(solver.strategy(np.float32))
        self.found["sampled"] = [*self.found.sampled, sampled]
        self.found["points"] = [*self.found.points, *points]

    def value(self, strategy: NDArray[np.float32], seat: int = 0) -> Estimate:
        """Return the EV of a seat; each seat has its own deals, the same for every strategy."""
        deals, seed = DATA.amounts(self.run).value_deals, self.seed + 1 + seat
        return sampled_value(self.setup.deals, strategy, seat, score_deals=deals, seed=seed)

    def both_seats(self, strategy: NDArray[np.float32]) -> Estimate:
        """Return the mean of both seats' EV."""
        small, big = (self.value(strategy, seat) for seat in (0, 1))
        return small.minus(big.scaled(-1)).scaled(0.5)

    def _sampled(self, solver: Solver) -> Found:
        """Measure the current strategy on deals that no other point uses."""
        strategy, deals = solver.current_strategy(), DATA.amounts(self.run).sampled_deals
        small, big = (
            sampled_value(
                self.setup.deals, strategy, seat, score_deals=deals,
                seed=self.seed + 2 * solver.iterations + seat,
            )
            for seat in (0, 1)
        )  # fmt: skip
        return Found(iterations=solver.iterations, small_blind=small, big_blind=big)

    def _point(self, solver: Solver) -> Found:
        """Measure the average strategy."""
        now, strategy = solver.report(), solver.strategy(np.float32)
        how = {"seed": self.seed, "threads": self.setup.threads}
        bound = DATA.amounts(self.run).bound.bound(self.setup.deals, strategy, **how)
        return Found(
            iterations=now.iterations,
            seconds=now.seconds,
            value=self.value(strategy),
            bound=bound,
            visited=now.visited,
            trained=now.averaged,
        )


def clean(run: ReproductionRun) -> Found:
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
    run.tell(0.9, "writes a strategy file")
    strategy.save(from_csv, values="uint8", pruned=True)
    return Found(
        infosets=report.infosets,
        before=before,
        after=after,
        bytes_before=raw.stat().st_size,
        bytes_after=small.stat().st_size,
        blueprint_bytes=report.bytes_after,
        write_seconds=write_seconds,
        read_seconds=read_seconds,
        rows_read=strategy.report.read,
        last_rows=list(zip_longest(_last_rows(raw), _last_rows(small), fillvalue="")),
    )


def _write(files: tuple[Path, Path]) -> tuple[int, float]:
    """Write a strategy as CSV; return the number of rows and the seconds."""
    began = time.perf_counter()
    blueprint, path = files
    return write_csv(Blueprint.open(blueprint), path), time.perf_counter() - began


def _last_rows(path: Path) -> list[str]:
    """Return the last rows of the flop in a CSV file."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 20_000))
        lines = file.read().decode("ascii").splitlines()
    flop = [line for line in lines[1:] if line.split(",")[0].count(" ") == 2]
    return (flop or lines)[-_SHOWN_ROWS:]


def measure_streets(run: ReproductionRun) -> Found:
    """Measure the speed of both algorithms with two, three and four streets."""
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
            Found(
                streets=streets,
                decisions=decisions,
                chance=chance,
                external=external,
                suitless_infosets=sizes.infosets,
                suitless_bytes=sizes.table_bytes,
            )
        )
    return Found(rows=rows, seconds=wanted.street_seconds)


def _speed(recipe: Recipe, seconds: float) -> float:
    """Return iterations per second of CPU time on one core, independent of other programs.

    The tables are written first, because allocating memory takes longer than many iterations.
    """
    solver = prepare(recipe).solver(recipe)
    solver.regrets.fill(0)
    solver.average.fill(0)
    *_, before = iterate(solver, Until(processor_seconds=seconds / 4))
    *_, now = iterate(solver, Until(processor_seconds=seconds))
    return (now.iterations - before.iterations) / now.processor_seconds


def count_rows(run: ReproductionRun) -> Found:
    """Search the caps on raises for trees with about as many rows as figure 19."""
    run.tell(0.0, "counts rows")
    chances, wanted = _flop_chances(), DATA.published["rows_before"].value
    counts = [_row_count(menu, _decisions(menu), chances) for menu in _menus()]
    nearest = sorted(counts, key=lambda each: abs(each.rows.mean - wanted))
    own = next(each for each in counts if each.menu == DATA.effort["full"].menu)
    half = _row_count("min ; cap 5", _half_tree("min ; cap 5"), chances)
    nearest = [*nearest[:_SHOWN], own]
    return Found(classes=len(chances), tried=len(counts), nearest=nearest, half=half)


def _menus() -> Iterator[str]:
    """Yield bet menus with caps for both players together, by street, and with caps per player."""
    for before, after in product(range(1, _MOST_RAISES + 1), repeat=2):
        yield f"min ; cap {before} / min ; cap {after}"
    for before, after in product(range(1, _MOST_RAISES // 2 + 1), repeat=2):
        same = before == after
        yield f"min ; cap {before} each" + ("" if same else f" / min ; cap {after} each")


def _decisions(menu: str) -> tuple[int, int]:
    before, flop = Tree(toy_game(2), menu).num_decisions
    return before, flop


def _half_tree(menu: str) -> tuple[int, int]:
    """Count only the flop decisions after a call or check of the second player."""
    tree = Tree(toy_game(2), menu)
    decisions = np.flatnonzero((tree.kind == DECISION) & (tree.street == 1))
    lines = [tree.line(node).partition("/")[0] for node in decisions.tolist()]
    closed = sum(1 for line in lines if sum(map(line.count, "kcb")) % 2 == 0)
    return tree.num_decisions[0], closed


def _flop_chances() -> NDArray[np.float64]:
    """Return [hands] probabilities of the hands of the author's card abstraction on the flop."""
    cells = bucket_tables(make_abstraction("suitless 2")).tables[1]
    high, low = np.tril_indices(52, -1)
    boards = board_cards(3)[:, :, None]
    dead = ((boards == high) | (boards == low)).any(axis=1)
    weights = np.where(dead, 0, board_multiplicities(3)[:, None]).astype(np.float64)
    counts = np.bincount(cells.ravel(), weights.ravel())
    chances: NDArray[np.float64] = counts[counts > 0] / counts.sum()
    return chances


def _row_count(menu: str, decisions: tuple[int, int], chances: NDArray[np.float64]) -> Found:
    """Return the expected number of visited rows; a traversal visits all lines of both hands."""
    before, flop = decisions
    found = []
    for deals in (1, 2):
        missed = np.exp(-chances * deals * DATA.published["iterations"].value)
        rows = before * _STARTING_HANDS + flop * float((1 - missed).sum())
        error = flop * float((missed * (1 - missed)).sum()) ** 0.5
        found.append(Estimate(rows, error, 0, "normal"))
    return Found(menu=menu, decisions=decisions, rows=found[0], rows_of_two=found[1])


def compare_precision(run: ReproductionRun) -> Found:
    """Train Leduc hold'em with both dtypes, and measure the memory of the author's infosets."""
    iterations, found = DATA.amounts(run).precision_iterations, dict[str, float]()
    dtypes: tuple[type[np.floating], ...] = (np.float64, np.float32)
    for part, dtype in run.parts(dtypes):
        part.tell(0.0, np.dtype(dtype).name)
        found[np.dtype(dtype).name] = _rounded_training(iterations, dtype)
    weights = {np.dtype(dtype).name: _node_bytes(dtype) for dtype in dtypes}
    visits = _COMMONEST * DATA.published["iterations"].value
    return Found(
        iterations=iterations, exploitability=found, node_bytes=weights, most_visits=visits
    )


def _rounded_training(iterations: int, dtype: type[np.floating]) -> float:
    """Return the exploitability of CFR whose sums are rounded to a dtype after each iteration."""
    solver = Solver(enumerate_deals(Tree(catalogue("leduc"), "min")), SCHEMES["cfr"])
    for _ in range(iterations):
        solver.run_all(iterations=1)
        for table in (solver.regrets, solver.average):
            table[:] = table.astype(dtype)
    return exploitability(solver.deals, solver.strategy()).exploitability


def _node_bytes(dtype: type[np.floating]) -> float:
    """Return the bytes of one information set with two small arrays in Python."""
    kept = {
        f"AKs 234 rrc{number:04}": (np.zeros(_ACTIONS, dtype), np.zeros(_ACTIONS, dtype))
        for number in range(_NODES)
    }
    parts = (part for key, arrays in kept.items() for part in (key, arrays, *arrays))
    return (getsizeof(kept) + sum(map(getsizeof, parts))) / _NODES


def setting(run: ReproductionRun) -> Found:
    """Return the settings of this run for the report."""
    recipe, default = training_recipe(run), Blueprint.open(default_blueprint()).header
    plan = Plan.of(recipe)
    return Found(
        menu=recipe.menu,
        iterations=recipe.budget.iterations or 0,
        hands=run.found.table.hands,
        engine_hands=run.found.engine.get("hands", 0),
        workers=run.workers or num_cores(),
        buckets=plan.sizes.cards or (),
        decisions=plan.tree.num_decisions,
        default_streets=len(default.spec.streets),
        default_menu=default.menu,
        lossless_bytes=Plan.of(recipe.changed({"cards": "lossless 2"})).sizes.table_bytes,
    )
