"""Training of one strategy: iterate, measure its exploitability, write the file that plays.

Infosets that a training never reached are played from the starting weights, as the author's bot
did, or uniformly where there are none. So file and measurement hold a strategy for every infoset.
"""

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from riverboat.errors import RecipeError
from riverboat.evaluate import response_bound
from riverboat.seeds._run import Run
from riverboat.seeds.caltech.data import Amounts, Fit, amounts, data
from riverboat.solve import Solver
from riverboat.training import Recipe, Setup, check_memory, load_recipe, prepare, write_result
from riverboat.work import num_cores, resident_memory

__all__ = [
    "Bounded",
    "Fitted",
    "Workshop",
    "add_trace",
    "file_of",
    "finished",
    "fit_strategy",
    "seeds",
    "told",
]

#: Weight of the starting strategy in the average, by chip of the pot: it decides where nothing
#: else does, and nowhere else.
_TRACE: Final = 1e-9
#: Responses are trained and scored on other deals than the strategies.
_OTHER_SEED: Final = 0x9E3779B97F4A7C15


class Bounded(msgspec.Struct, frozen=True):
    """A lower bound on exploitability with its 95 % interval, thousandths of a big blind a hand."""

    mean: float
    margin: float
    deals: int
    """Fresh ones, the same for all strategies of a run."""


class Fitted(msgspec.Struct, frozen=True):
    """A strategy that was trained, and what it took."""

    name: str
    threads: int
    iterations: int
    seconds: float
    """Of iterating."""
    infosets: int
    trained: int
    table_bytes: int
    resident_bytes: int
    """Of the process while it trained."""
    file_bytes: int
    bound: Bounded


class Workshop:
    """What all trainings of a run share; the game is prepared when the first one needs it."""

    def __init__(self, run: Run) -> None:
        self.run = run

    @property
    def amounts(self) -> Amounts:
        """How much is computed."""
        return amounts(self.run)

    @property
    def threads(self) -> int:
        """Threads of every training but that on one: a thread for each core, two at least."""
        return max(2, self.run.workers or num_cores())

    @cached_property
    def recipe(self) -> Recipe:
        """The training recipe as this run needs it: in 8 bits, as all files of a run are."""
        changes = {**self.amounts.changes, "threads": self.threads, "file.values": "uint8"}
        return load_recipe(data().training).changed(changes)

    @cached_property
    def setup(self) -> Setup:
        """Tree, buckets, deals and starting weights."""
        check_memory(self.recipe)
        return prepare(self.recipe)

    def recipe_of(self, fit: Fit) -> Recipe:
        """Return the recipe of one training: what its file says of itself."""
        changes: dict[str, Any] = {
            "seed": self.run.seed + fit.seed,
            "ensemble": 1,
            "budget.iterations": self.amounts.iterations * fit.times,
            "scheme.rule": fit.rule,
            "scheme.averaging": fit.averaging,
            **({} if fit.step is None else {"scheme.step": fit.step}),
            **({} if fit.floor else {"scheme.floor": []}),
            **({} if fit.start else {"start": None}),
        }
        return self.recipe.changed(changes)

    def close(self) -> None:
        """Let go of the memory."""
        self.__dict__.pop("setup", None)

    def solver(self, fit: Fit, threads: int) -> Solver:
        """Make a solver as a training wants it."""
        recipe = self.recipe_of(fit)
        return Solver(
            self.setup.deals,
            recipe.solver_scheme(),
            seed=recipe.seed,
            threads=threads,
            starting_regrets=self.setup.starting_regrets if fit.start else None,
        )

    def measure(self, strategy: NDArray[np.float32]) -> Bounded:
        """Bound the exploitability of a strategy, [entries] probabilities, from below."""
        bound, deals = self.amounts.bound, self.setup.deals
        found = response_bound(
            deals,
            strategy,
            iterations=bound.iterations,
            score_deals=bound.deals,
            seed=self.run.seed ^ _OTHER_SEED,
            threads=self.threads,
        )
        unit = 1000 / deals.tree.spec.big_blind
        low, high = found.interval
        return Bounded(
            found.bound.mean * unit,
            (high - low) / 2 * unit,
            found.deals,
        )


def file_of(run: Run, name: str) -> Path:
    """Return where a strategy lies."""
    return run.path(f"{name}.blueprint")


def fit_strategy(shop: Workshop, fit: Fit) -> Fitted:
    """Train one strategy with all threads, measure it and write it."""
    solver = shop.solver(fit, shop.threads)
    told(shop.run, solver, shop.amounts.iterations * fit.times, fit.name, (0.0, 0.6))
    return finished(shop, solver, fit, fit.name)


def told(run: Run, solver: Solver, iterations: int, name: str, share: tuple[float, float]) -> None:
    """Iterate up to a number, and say how far it is: a part of the step."""
    for _ in solver.slices(iterations=max(0, iterations - solver.iterations)):
        done = solver.iterations / iterations
        run.tell(share[0] + (share[1] - share[0]) * done, f"trains {name}")


def finished(shop: Workshop, solver: Solver, fit: Fit, name: str) -> Fitted:
    """Write and measure what a solver has trained; its averages get the trace of the start."""
    report, memory = solver.report(), resident_memory()
    add_trace(solver.average, shop.setup.starting_regrets if fit.start else None)
    path = file_of(shop.run, name)
    try:
        write_result(path, shop.setup, shop.recipe_of(fit), solver)
    except OSError as error:
        raise RecipeError(f"{path} cannot be written: {error.strerror or error}") from error
    bound = shop.measure(solver.strategy(np.float32))
    return Fitted(
        name,
        solver.threads,
        solver.iterations,
        solver.seconds,
        report.infosets,
        report.averaged,
        solver.memory_bytes,
        memory,
        path.stat().st_size,
        bound,
    )


def add_trace(
    average: NDArray[np.float64], start: NDArray[np.float32] | None, times: int = 1
) -> None:
    """Add the starting strategy, or uniform play, to averages: enough where they are zero.

    Parameters
    ----------
    average
        [entries] weights, changed.
    start
        [entries] starting regrets, chips; None = uniform.
    times
        -1 takes it away again, and what was zero is zero.

    Examples
    --------
    >>> average = np.array([0.0, 0.0, 2.0, 6.0])
    >>> add_trace(average, np.array([30, 10, 10, 30], np.float32))
    >>> (average[:2] / average[:2].sum()).round(6), (average[2:] / 8).round(6)
    (array([0.75, 0.25]), array([0.25, 0.75]))
    """
    for begin in range(0, len(average), 1 << 20):  # no copy of the whole
        part = slice(begin, begin + (1 << 20))
        average[part] += times * (_TRACE if start is None else _TRACE * start[part])


def seeds(run: Run, fits: Iterable[Fit]) -> str:
    """Write the seeds of trainings.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     seeds(Run("caltech", Path(folder)), data().fits("member"))
    '2026 to 2029'
    """
    used = [run.seed + fit.seed for fit in fits]
    return f"{used[0]} to {used[-1]}"
