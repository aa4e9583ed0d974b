"""The claim that each street fewer makes an iteration about ten times quicker, tested."""

import time

import msgspec

from riverboat.report import Compared, Comparison, Section, Table, Text, number
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.cardiff.data import amounts, data, toy_game
from riverboat.solve import Solver
from riverboat.training import Recipe, load_recipe, prepare, sizes_of
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

    def steps(self) -> list[tuple[int, float]]:
        """Return the streets after each step, and how much slower it makes chance sampling."""
        pairs = zip(self.rows, self.rows[1:], strict=False)
        return [(after.streets, before.chance / after.chance) for before, after in pairs]

    def factor(self, scheme: str = "chance") -> float | None:
        """Return how much slower a street more makes a scheme, geometric mean."""
        first, last = self.rows[0], self.rows[-1]
        if first is last:
            return None
        ratio = getattr(first, scheme) / getattr(last, scheme)
        return float(ratio ** (1 / (last.streets - first.streets)))


def measure_streets(run: Reproduction) -> StreetSpeeds:
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


def _recipe(run: Reproduction, streets: int, scheme: str) -> Recipe:
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
        f"{number(found.seconds)} s of processor time, on tables that were touched before",
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
        note=f"{published.where}; ours is the geometric mean of the steps",
    )
    return Section(
        title,
        (
            Text(_judged(found, factor)),
            Text(_external(factor, found.factor("external") or factor)),
            Comparison("Tenfold per street", (compared,)),
            table,
            Text(
                "With the author's cards on the turn and the river the tables alone would need "
                "the memory of the last column; that is why the speeds were taken with strength "
                f"buckets there (`{' | '.join(_CARDS)}`). So the cards change with the streets, "
                "and with them the tables' memory and the work to find a bucket: a part of a step "
                "may be that, not the size of the betting tree."
            ),
        ),
    )


#: Measured factors that we call about tenfold, and those that count as equal to each other.
_TENFOLD = (7.0, 14.0)
_ALIKE = 1.1


def _judged(found: StreetSpeeds, factor: float) -> str:
    """Judge the claim by every step; a mean can hide that they differ."""
    low, high = _TENFOLD
    steps = found.steps()
    said = ", ".join(f"{number(slower)} times to {streets} streets" for streets, slower in steps)
    mean = f"; the geometric mean is {number(factor)} times" if len(steps) > 1 else ""
    return (
        f'We call a step "about tenfold" if a street more makes an iteration {low:g} to {high:g} '
        f"times slower. Measured: {said}{mean}. {_verdict(steps, factor)}"
    )


def _verdict(steps: list[tuple[int, float]], factor: float) -> str:
    low, high = _TENFOLD
    inside = [streets for streets, slower in steps if low <= slower <= high]
    if len(inside) == len(steps):
        return "The claim holds here: every step lies in that range."
    if inside:
        names = " and ".join(map(str, inside))
        return f"The claim holds in part: only the step to {names} streets lies in that range."
    if low <= factor <= high:
        return "No step lies in that range, only their mean does: the claim holds on average only."
    side = "above" if factor > high else "below"
    return f"The claim does not hold here: no step lies in that range, and their mean is {side} it."


def _external(factor: float, external: float) -> str:
    """Compare the other algorithm, and say why they differ."""
    if external * _ALIKE < factor:
        second = "slows down less"
    elif external > factor * _ALIKE:
        second = "slows down more"
    else:
        second = "slows down about as much"
    return (
        "Chance sampling walks the whole betting tree in every iteration, and a street "
        "multiplies that tree by the lines that lead into it; external sampling walks one line "
        f"of the opponent's and {second}, {number(external)} times for each street."
    )


def _size(count: int) -> str:
    """Write bytes: MB as elsewhere in the report, GB where these are too many digits."""
    return f"{count / 1e6:,.0f} MB" if count < 1e9 else f"{count / 1e9:,.1f} GB"


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
        _size(row.suitless_bytes),
    )
