"""The claim that each street fewer makes an iteration about ten times quicker, tested."""

import time

import msgspec

from riverboat.recipes.cardiff.data import amounts, data, toy_game
from riverboat.recipes.report import Compared, Comparison, Section, Table, Text
from riverboat.recipes.run import Run
from riverboat.recipes.words import number
from riverboat.solve import Solver
from riverboat.training import Recipe, load_recipe, prepare
from riverboat.training.sizes import sizes_of
from riverboat.tree import Tree

__all__ = ["StreetSpeed", "StreetSpeeds", "measure_streets", "streets_section"]

#: Cards that fit into memory: as published to the flop, 200 buckets a street after it.
_CARDS = ("suitless", "suitless", "percentile 200", "percentile 200")
_SCHEMES = ("chance", "external")


class StreetSpeed(msgspec.Struct, frozen=True):
    """One number of streets."""

    streets: int
    decisions: int
    """Of the betting tree."""
    chance: float
    """Iterations a second of one core by chance sampling, as in the thesis."""
    external: float
    """By external sampling."""
    suitless_infosets: int
    """With the thesis's cards on every street."""
    suitless_bytes: int
    """Of the tables that they would need."""


class StreetSpeeds(msgspec.Struct, frozen=True):
    """Speeds by the number of streets."""

    rows: tuple[StreetSpeed, ...]
    seconds: float
    """Each speed was taken over."""

    def factor(self, scheme: str = "chance") -> float | None:
        """Return how much slower a street more makes a scheme, geometric mean."""
        first, last = self.rows[0], self.rows[-1]
        if first is last:
            return None
        ratio = getattr(first, scheme) / getattr(last, scheme)
        return float(ratio ** (1 / (last.streets - first.streets)))


def measure_streets(run: Run) -> StreetSpeeds:
    """Take the speed of both algorithms with two, three and four streets."""
    wanted = amounts(run)
    rows = []
    for index, streets in enumerate(wanted.streets):
        run.tell(index / len(wanted.streets), f"{streets} streets")
        chance, external = (
            _speed(_recipe(run, streets, scheme), wanted.street_seconds) for scheme in _SCHEMES
        )
        whole = _recipe(run, streets, "chance").changed({"cards": f"suitless {streets}"})
        sizes = sizes_of(whole)
        decisions = sum(Tree(whole.spec(), whole.menu).num_decisions)
        rows.append(
            StreetSpeed(streets, decisions, chance, external, sizes.infosets, sizes.table_bytes)
        )
    return StreetSpeeds(tuple(rows), wanted.street_seconds)


def _recipe(run: Run, streets: int, scheme: str) -> Recipe:
    cards = " | ".join(_CARDS[:streets]) if streets > 2 else "suitless 2"
    return load_recipe("cardiff").changed(
        {
            "game": msgspec.to_builtins(toy_game(streets)),
            "menu": amounts(run).menu,
            "cards": cards,
            "scheme": scheme,
            "threads": run.workers,
            "seed": run.seed,
        }
    )


def _speed(recipe: Recipe, seconds: float) -> float:
    """Iterations a second of one core, by processor time: other programs do not slow it down.

    The tables are touched beforehand: new memory costs more than many iterations.
    """
    setup = prepare(recipe)
    solver = Solver(setup.deals, recipe.solver_scheme(), seed=recipe.seed, threads=setup.threads)
    solver.regrets.fill(0)
    solver.average.fill(0)
    _run_for(solver, seconds / 4)
    iterations, began = solver.iterations, time.process_time()
    _run_for(solver, seconds)
    return (solver.iterations - iterations) / max(time.process_time() - began, 1e-9)


def _run_for(solver: Solver, seconds: float) -> None:
    """Iterate for so many seconds of processor time."""
    end = time.process_time() + seconds
    for _ in solver.slices(seconds=60 * seconds + 1):
        if time.process_time() >= end:
            break


def streets_section(found: StreetSpeeds) -> Section:
    """Show the speeds, and judge the claim."""
    title = "The claim of tenfold per street"
    rows = [_row(found, index) for index in range(len(found.rows))]
    table = Table(
        "Speed of one core by the number of streets, each taken over "
        f"{number(found.seconds)} s of processor time",
        (
            "streets",
            "decisions in the betting tree",
            "chance sampling, iterations/s",
            "slower by",
            "external sampling, iterations/s",
            "slower by",
            "infosets, suitless cards",
            "tables, suitless cards",
        ),
        tuple(rows),
    )
    factor = found.factor()
    if factor is None:
        return Section(title, (table,))
    published = data().published["street_factor"]
    compared = Compared(
        "slower for each street more, chance sampling",
        published.value,
        factor,
        "times",
        note=published.where,
    )
    return Section(
        title,
        (
            Text(_judged(factor, found.factor("external") or factor)),
            Comparison("Tenfold per street", (compared,)),
            table,
            Text(
                "With the author's cards on the turn and the river the tables alone would need "
                "the memory of the last column; that is why the speeds were taken with strength "
                f"buckets there (`{' | '.join(_CARDS)}`)."
            ),
        ),
    )


#: Measured factors that still count as tenfold, and those that count as equal to each other.
_TENFOLD = (7.0, 14.0)
_ALIKE = 1.1


def _judged(factor: float, external: float) -> str:
    low, high = _TENFOLD
    if low <= factor <= high:
        first = f"The claim holds: {number(factor)} times slower for each street."
    else:
        more = "more" if factor > high else "less"
        first = f"We find {more} than tenfold: {number(factor)} times for each street."
    if external * _ALIKE < factor:
        second = "slows down less"
    elif external > factor * _ALIKE:
        second = "slows down more"
    else:
        second = "slows down about as much"
    return (
        f"{first} Chance sampling walks the whole betting tree in every iteration, and a street "
        "multiplies that tree by the lines that lead into it; external sampling walks one line "
        f"of the opponent's and {second}, {number(external)} times for each street."
    )


def _row(found: StreetSpeeds, index: int) -> tuple[str, ...]:
    row, before = found.rows[index], found.rows[index - 1] if index else None
    slower = [
        f"{getattr(before, name) / getattr(row, name):.1f}x" if before else "" for name in _SCHEMES
    ]
    return (
        str(row.streets),
        f"{row.decisions:,}",
        number(row.chance),
        slower[0],
        number(row.external),
        slower[1],
        f"{row.suitless_infosets:,}",
        f"{row.suitless_bytes / 1e9:,.2f} GB",
    )
