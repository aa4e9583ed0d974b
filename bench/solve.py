"""CFR on Leduc, side by side with other packages in one process.

    uv run --group peers python bench/solve.py [--json] [--plot docs/leduc.png]
    uv run --group peers --with LiteEFG python bench/solve.py     # LiteEFG too

The packages run in turns and the best round of each counts, because machines are noisy: compare
ratios. Keys of the JSON object: `rows` (name, package, unit, value), `ratios` (name, ratio,
target), `versions`.
"""

import argparse
import contextlib
import io
import json
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from rich.console import Console

from riverboat import _core
from riverboat.evaluate import exploitability
from riverboat.game import catalogue
from riverboat.report import Table, number, print_table
from riverboat.solve import Deals, Scheme, Solver, enumerate_public
from riverboat.spots import SCHEDULES, Engine, one_card_holes
from riverboat.tree import Tree

ROUNDS = 5
CURVES = [
    Scheme("full", "cfr"),
    Scheme("full", "cfr+", "linear"),
    Scheme("full", "linear", "linear"),
    Scheme("full", "dcfr", "quadratic"),
    Scheme("full", "predictive+", "quadratic"),
    Scheme("chance"),
    Scheme("external"),
    Scheme("external", "linear", "linear", step=1000),
    Scheme("outcome"),
    Scheme("average-strategy"),
    Scheme("pure"),
    Scheme("public-chance"),
]


def leduc() -> Deals:
    """Return all deals of Leduc hold'em."""
    return enumerate_public(Tree(catalogue("leduc"), "min"))


def per_second(work: Callable[[int], None], count: int) -> float:
    """Run `count` iterations and return iterations per second."""
    started = time.perf_counter()
    work(count)
    return count / (time.perf_counter() - started)


def ours(deals: Deals, scheme: Scheme, threads: int = 1) -> Callable[[int], None]:
    """Return a job that continues a scheme."""
    solver = Solver(deals, scheme, seed=1, threads=threads)
    return lambda count: void(solver.run_all(iterations=count))


def spot_engine() -> Engine:
    """Return the spot engine on Leduc as a public tree, with CFR+."""
    tree = Tree(catalogue("leduc"), "min", chance=True)
    cards = np.zeros(1326)
    cards[one_card_holes(tree.spec)] = 1
    return Engine(tree, (), (cards, cards), schedule=SCHEDULES["cfr+"])


def void(_: object) -> None:
    """Drop a result."""


def open_spiel_jobs() -> dict[tuple[str, str], tuple[Callable[[int], None], int]]:
    """Return OpenSpiel's solvers, in C++ and in Python."""
    import pyspiel
    from open_spiel.python.algorithms import cfr

    game = pyspiel.load_game("leduc_poker")
    full, plus = pyspiel.CFRSolver(game), pyspiel.CFRPlusSolver(game)
    external = pyspiel.ExternalSamplingMCCFRSolver(game, 1)
    slow = cfr.CFRSolver(game)

    def repeat(step: Callable[[], object]) -> Callable[[int], None]:
        def work(count: int) -> None:
            for _ in range(count):
                step()

        return work

    return {
        ("full CFR", "OpenSpiel C++"): (repeat(full.evaluate_and_update_policy), 20),
        ("full CFR+", "OpenSpiel C++"): (repeat(plus.evaluate_and_update_policy), 20),
        ("full CFR", "OpenSpiel Python"): (repeat(slow.evaluate_and_update_policy), 1),
        ("external sampling", "OpenSpiel C++"): (repeat(external.run_iteration), 5000),
    }


def lite_efg_jobs() -> dict[tuple[str, str], tuple[Callable[[int], None], int]]:
    """Return LiteEFG's CFR, where it is installed."""
    try:
        import LiteEFG
        import LiteEFG.baselines.CFR as lite_cfr
        import pyspiel
    except ImportError:
        return {}
    with contextlib.redirect_stdout(io.StringIO()):
        graph = lite_cfr.graph()
        game = pyspiel.load_game("leduc_poker")
        env = LiteEFG.OpenSpielEnv(game, traverse_type="Enumerate", regenerate=False)
        env.set_graph(graph)

    def work(count: int) -> None:
        for _ in range(count):
            graph.update_graph(env)
            env.update_strategy(graph.current_strategy())

    return {("full CFR", "LiteEFG"): (work, 100)}


def measure(deals: Deals) -> dict[tuple[str, str], float]:
    """Iterations a second of every job, best of interleaved rounds."""
    jobs: dict[tuple[str, str], tuple[Callable[[int], None], int]] = {
        ("full CFR", "Riverboat"): (ours(deals, Scheme("full")), 4000),
        ("full CFR+", "Riverboat"): (ours(deals, Scheme("full", "cfr+", "linear")), 4000),
        ("full CFR+", "Riverboat, spots"): (spot_engine().run, 4000),
        ("external sampling", "Riverboat"): (ours(deals, Scheme("external")), 400_000),
        ("chance sampling", "Riverboat"): (ours(deals, Scheme("chance")), 100_000),
        ("outcome sampling", "Riverboat"): (ours(deals, Scheme("outcome")), 400_000),
        ("average-strategy", "Riverboat"): (ours(deals, Scheme("average-strategy")), 200_000),
        ("pure CFR", "Riverboat"): (ours(deals, Scheme("pure")), 400_000),
        **open_spiel_jobs(),
        **lite_efg_jobs(),
    }
    best: dict[tuple[str, str], float] = dict.fromkeys(jobs, 0.0)
    for _ in range(ROUNDS):
        for name, (work, count) in jobs.items():
            best[name] = max(best[name], per_second(work, count))
    return best


def best_milliseconds(work: Callable[[], object]) -> float:
    """Time of one call, best of many."""
    times = []
    for _ in range(100):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times) * 1e3


def best_response_rows(deals: Deals) -> list[dict[str, Any]]:
    """Times of an exact exploitability of Leduc, by both traversals."""
    strategy, engine = Solver(deals, Scheme("full")).strategy(), spot_engine()
    work = {
        "Riverboat": lambda: exploitability(deals, strategy),
        "Riverboat, spots": engine.exploitability,
    }
    return [
        {
            "name": "exploitability",
            "package": package,
            "unit": "ms",
            "value": best_milliseconds(measured),
        }
        for package, measured in work.items()
    ]


def curve(deals: Deals, scheme: Scheme, seconds: float) -> list[tuple[float, float]]:
    """Return (seconds of iterating, exploitability) of a run, at growing intervals."""
    solver = Solver(deals, scheme, seed=1)
    points, iterations = [], 10
    while solver.seconds < seconds:
        solver.run_all(iterations=iterations)
        exact = exploitability(deals, solver.strategy()).exploitability
        points.append((solver.seconds, exact))
        iterations = max(10, solver.iterations // 3)
    return points


def plot(deals: Deals, path: str) -> None:
    """Draw time to exploitability of all schemes."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(9, 6), layout="constrained")
    colours = [*(f"C{i}" for i in range(10)), "black", "darkgreen"]
    for index, scheme in enumerate(CURVES):
        points = curve(deals, scheme, seconds=3.0)
        style = "-" if scheme.sampling == "full" else "--"
        axes.loglog(*zip(*points, strict=True), style, label=scheme.name, color=colours[index])
    axes.set_xlabel("seconds on one core")
    axes.set_ylabel("exploitability, chips a hand (NashConv / 2)")
    axes.set_title("Leduc hold'em: exploitability against time")
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend(fontsize="small")
    figure.savefig(path, dpi=120)


def ratios(best: dict[tuple[str, str], float]) -> list[dict[str, Any]]:
    """Return our speed over each peer's, with the target where there is one."""
    targets = {
        ("full CFR", "OpenSpiel C++"): 400,
        ("full CFR+", "OpenSpiel C++"): 400,
        ("full CFR", "LiteEFG"): 60,
    }
    return [
        {
            "name": f"{work} v {package}",
            "ratio": best[work, "Riverboat"] / value,
            "target": targets.get((work, package)),
        }
        for (work, package), value in best.items()
        if package != "Riverboat"
    ]


def main() -> None:
    """Measure, print, and plot if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--plot")
    arguments = parser.parse_args()
    deals = leduc()
    best = measure(deals)
    if arguments.plot:
        plot(deals, arguments.plot)
    rows: list[dict[str, Any]] = [
        {"name": work, "package": package, "unit": "iterations/s", "value": value}
        for (work, package), value in best.items()
    ]
    rows += best_response_rows(deals)
    if arguments.json:
        print(json.dumps({"rows": rows, "ratios": ratios(best), "versions": versions()}))
        return
    console = Console()
    lines = tuple(
        (row["name"], row["package"], f"{number(row['value'])} {row['unit']}") for row in rows
    )
    title = f"Leduc hold'em ({_core.ISA} kernels)"
    print_table(Table(title, ("work", "package", "figure"), lines), console)
    for row in ratios(best):
        target = f" (target {row['target']})" if row["target"] else ""
        console.print(f"{row['name']}: {row['ratio']:,.0f}x{target}")


def versions() -> dict[str, str]:
    """Versions of the compared packages."""
    found = {}
    for package in ("riverboat", "open_spiel", "LiteEFG"):
        with contextlib.suppress(PackageNotFoundError):
            found[package] = version(package)
    return found


if __name__ == "__main__":
    main()
