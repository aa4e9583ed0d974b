"""Compare schemes: exact exploitability by iterations and time, as files and plots."""

import csv
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from riverboat.errors import SolveError
from riverboat.evaluate._exact import exploitability
from riverboat.files import atomic_path
from riverboat.game import catalogue
from riverboat.report import (
    Columns,
    Curve,
    Framed,
    columns_of,
    new_panels,
    plain_ticks,
    plot_curves,
    save_figure,
)
from riverboat.runs import Clock, Due
from riverboat.solve import (
    SCHEMES,
    BaseSolver,
    Deals,
    Scheme,
    Solver,
    check_enumerable,
    enumerate_deals,
    enumerate_public,
    find_scheme,
    real_number,
    whole_number,
)
from riverboat.tree import Tree

_SUFFIXES: Final = (".csv", ".json", ".parquet", ".png")
_PANELS: Final = {"iterations": "iterations", "seconds": "seconds of iterating"}

Rows = Sequence[Mapping[str, Any]]


def check_comparison_path(path: Path) -> str:
    """Return the suffix of an output file; refuse suffixes that are not supported.

    Examples
    --------
    >>> check_comparison_path(Path("leduc.PNG"))
    '.png'
    """
    suffix = path.suffix.lower()
    if suffix not in _SUFFIXES:
        raise SolveError(f"{path} has an unknown suffix: use {', '.join(_SUFFIXES)}")
    if suffix == ".parquet":
        _parquet()
    return suffix


def _parquet() -> tuple[Any, Any]:
    try:
        import pyarrow  # noqa: PLC0415 - an extra, slow to import
        from pyarrow import parquet  # noqa: PLC0415 - an extra, slow to import
    except ImportError as error:
        raise SolveError(
            "Parquet needs the package pyarrow: pip install 'riverboat[arrow]'"
        ) from error
    return pyarrow, parquet


def draw_convergence(title: str, rows: Rows, path: Path) -> None:
    """Plot exploitability by iterations and by time, with a curve for each scheme."""
    figure, panels = new_panels(1, 2, (10.5, 4.4), shared=False)
    panels[1].sharey(panels[0])
    shown = [row for row in rows if row["exploitability"] > 0 and row["seconds"] > 0]
    schemes = list(dict.fromkeys(row["scheme"] for row in shown))
    for axes, (key, label) in zip(panels, _PANELS.items(), strict=True):
        plot_curves(axes, [_curve(name, key, shown) for name in schemes], most_points=100)
        axes.set_xscale("log")
        axes.set_yscale("log")
        plain_ticks(axes.xaxis)
        plain_ticks(axes.yaxis)
        axes.set_xlabel(label)
    panels[0].set_ylabel("exploitability, chips/hand")
    if schemes:
        panels[0].legend(fontsize="small")
    figure.suptitle(title, fontsize="medium")
    save_figure(figure, path)


def _curve(scheme: str, key: str, rows: Rows) -> Curve:
    points = [row for row in rows if row["scheme"] == scheme]
    return Curve(scheme, [row[key] for row in points], [row["exploitability"] for row in points])


_MOST_ITERATIONS: Final = 10**15

#: Progress of a comparison: called with the scheme and the used share of its budget.
CompareProgress = Callable[[str, float], None]
#: A scheme, its name, or a function that creates a solver from deals and a seed.
Competitor = str | Scheme | Callable[[Deals, int], BaseSolver]
_Chosen = Scheme | Callable[[Deals, int], BaseSolver]


@dataclass(frozen=True, slots=True)
class Measured:
    """Exploitability of a strategy after some iterations."""

    iterations: int
    seconds: float
    """Elapsed time of the iterations, without the measurements."""
    nodes: int
    """Number of visited decision nodes."""
    exploitability: float
    """Exact, in chips per hand: NashConv divided by the number of seats."""


@dataclass(frozen=True, slots=True)
class SchemeCurve:
    """Convergence of one scheme."""

    scheme: str
    points: tuple[Measured, ...]


@dataclass(frozen=True, slots=True)
class Convergence(Framed):
    """Convergence of several schemes on one game."""

    game: str
    seed: int
    curves: tuple[SchemeCurve, ...]
    finished: bool
    """Whether all schemes used their whole budget; false after Ctrl-C."""

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for each point: scheme, iterations, seconds, nodes, exploitability."""
        return [
            {
                "scheme": curve.scheme,
                "iterations": point.iterations,
                "seconds": point.seconds,
                "nodes": point.nodes,
                "exploitability": point.exploitability,
            }
            for curve in self.curves
            for point in curve.points
        ]

    def frame_columns(self) -> Columns:
        """Return a row for each point."""
        return columns_of(self.to_rows())

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON values, as `riverboat compare --json` prints it."""
        return {
            "game": self.game,
            "seed": self.seed,
            "finished": self.finished,
            "schemes": [asdict(curve) for curve in self.curves],
        }

    def plot(self, path: Path | str) -> None:
        """Plot each scheme's curve by iterations and by time, as a PNG file."""
        title = f"Convergence on {self.game}, seed {self.seed}"
        draw_convergence(title, self.to_rows(), Path(path))

    def write(self, path: Path | str) -> None:
        """Write to a file, by its suffix: .csv, .parquet (an extra), .json or .png."""
        path = Path(path)
        suffix, rows = check_comparison_path(path), self.to_rows()
        if suffix == ".png":
            self.plot(path)
            return
        with atomic_path(path) as temporary:
            if suffix == ".json":
                text = json.dumps(self.as_dict(), indent=1) + "\n"
                temporary.write_text(text, encoding="utf-8")
            elif suffix == ".csv":
                with temporary.open("w", newline="", encoding="utf-8") as file:
                    writer = csv.DictWriter(file, list(rows[0]) if rows else [])
                    writer.writeheader()
                    writer.writerows(rows)
            else:
                arrow, parquet = _parquet()
                parquet.write_table(arrow.Table.from_pylist(rows), temporary)


def compare(  # noqa: PLR0913 - options by keyword
    game: str | Tree | Deals,
    schemes: str | Sequence[str] | Mapping[str, Competitor],
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    marks: int = 8,
    progress: CompareProgress | None = None,
) -> Convergence:
    """Run schemes on a small game, one after the other, and measure how they converge.

    Parameters
    ----------
    game
        A name from the catalogue, a tree, or deals; all deals must be enumerable.
    schemes
        Names of schemes (`riverboat.solve.find_scheme`) or of regret rules of installed
        packages, as a list or comma-separated. Or a mapping from the name of a curve to a name, a
        `Scheme`, or a function that creates a solver from deals and a seed, such as
        `riverboat.plain.Solver` with your own rule.
    iterations, seconds
        Budget of each scheme, whichever is reached first; at least one is required. Seconds
        count iterations only, not measurements.
    seed
        Random seed of all runs.
    marks
        Number of measurements while the iterations grow tenfold; the first and the last
        iteration are measured, too.
    progress
        Called from time to time with the scheme and the used share of its budget.

    Returns
    -------
    Convergence
        After Ctrl-C, the measurements so far.

    Examples
    --------
    >>> found = compare("kuhn", "cfr, cfr+", iterations=100, marks=1)
    >>> [point.iterations for point in found.curves[0].points]
    [1, 10, 100]
    >>> found.curves[1].points[-1].exploitability < found.curves[0].points[-1].exploitability
    True
    """
    until = _budget(iterations, seconds)
    at = _geometric(whole_number("marks", marks, 1, 1000))
    chosen = _competitors(schemes)
    deals = _deals(game, public=any(map(_is_public, chosen.values())))
    runs = {name: _solver(given, deals, seed) for name, given in chosen.items()}
    points: dict[str, list[Measured]] = {name: [] for name in runs}
    finished = False
    with suppress(KeyboardInterrupt):
        for name, run in runs.items():
            for share, point in _converge(run, until, at):
                points[name] += [point] if point is not None else []
                if progress is not None:
                    progress(name, share)
        finished = True
    curves = tuple(SchemeCurve(name, tuple(found)) for name, found in points.items() if found)
    return Convergence(deals.tree.spec.name, seed, curves, finished)


def _budget(iterations: int | None, seconds: float | None) -> dict[Clock, float]:
    if iterations is None and seconds is None:
        raise SolveError("give a budget for each scheme: iterations, seconds or both")
    until: dict[Clock, float] = {}
    if iterations is not None:
        until["iterations"] = whole_number("iterations", iterations, 1, _MOST_ITERATIONS)
    if seconds is not None:
        until["seconds"] = real_number("seconds", seconds, 0.001, 1e9)
    return until


def _geometric(marks: int) -> tuple[int, ...]:
    """Return iteration counts from 1, `marks` per power of ten."""
    last = marks * round(math.log10(_MOST_ITERATIONS))
    return tuple(sorted({round(10 ** (index / marks)) for index in range(last + 1)}))


def _competitors(schemes: str | Sequence[str] | Mapping[str, Competitor]) -> dict[str, _Chosen]:
    """Return schemes and solver functions by the name of their curve."""
    if isinstance(schemes, str):
        schemes = [name.strip() for name in schemes.split(",") if name.strip()]
    if not isinstance(schemes, Mapping):
        schemes = dict(zip(schemes, schemes, strict=True))
    if not schemes:
        raise SolveError("give at least one scheme, such as cfr+ or external")
    return {
        name: _named(given) if isinstance(given, str) else given for name, given in schemes.items()
    }


def _named(name: str) -> _Chosen:
    """A scheme, or a regret rule of an installed package."""
    if name not in SCHEMES:
        from riverboat.plain import solver_maker  # noqa: PLC0415 - only for rules of installed packages

        maker = solver_maker(name)
        if maker is not None:
            return maker
    return find_scheme(name)


def _is_public(chosen: _Chosen) -> bool:
    return isinstance(chosen, Scheme) and chosen.sampling == "public-chance"


def _deals(game: str | Tree | Deals, *, public: bool) -> Deals:
    """Enumerate the deals of a game; refuse large games before their tree is built."""
    if isinstance(game, Deals):
        return game
    if isinstance(game, str):
        spec = catalogue(game)
        check_enumerable(spec)
        game = Tree(spec, "min")
    return enumerate_public(game) if public else enumerate_deals(game)


def _solver(chosen: _Chosen, deals: Deals, seed: int) -> BaseSolver:
    if isinstance(chosen, Scheme):
        return Solver(deals, chosen, seed=seed)
    return chosen(deals, seed)


def _converge(
    run: BaseSolver, until: Mapping[Clock, float], at: tuple[int, ...]
) -> Iterator[tuple[float, Measured | None]]:
    """Yield the used budget after each slice, and measurements at marks and at the end."""
    for due in run.driver.run(until, [Due("mark", clock="iterations", at=at)]):
        ended = run.driver.reached(until)
        point = _measured(run) if due or ended else None
        yield max(run.driver.read(clock) / limit for clock, limit in until.items()), point


def _measured(run: BaseSolver) -> Measured:
    exact = exploitability(run.deals, run.strategy()).exploitability
    return Measured(run.iterations, run.seconds, run.nodes, exact)
