"""The same comparison where exploitability is exact: a smaller tree, a table of deals for all."""

import msgspec

from riverboat.evaluate import exploitability
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.pineapple.clock import processor_slices
from riverboat.seeds.pineapple.data import Sampled, amounts, data
from riverboat.seeds.pineapple.tabulated import tabulated
from riverboat.seeds.pineapple.work import prepared, recipe_of
from riverboat.solve import Deals, Solver

__all__ = ["Descent", "Exact", "measure_exactly"]


class Descent(msgspec.Struct, frozen=True):
    """Exploitability of a scheme over its time."""

    name: str
    seconds: tuple[float, ...]
    """Of processor time."""
    iterations: tuple[int, ...]
    exploitability: tuple[float, ...]
    """Chips a hand."""


class Exact(msgspec.Struct, frozen=True):
    """All schemes on the smaller tree."""

    menu: str
    decisions: int
    infosets: int
    deals: int
    uniform: float
    """Exploitability of uniform play, chips a hand."""
    rows: tuple[Descent, ...]


def measure_exactly(run: Reproduction) -> Exact:
    """Train each scheme on the smaller tree and follow its exploitability."""
    return run.step("exact", Exact, lambda: _measure(run))


def _measure(run: Reproduction) -> Exact:
    own, schemes = amounts(run), data().samplings
    menu = data().exact.menu
    setup = prepared(recipe_of(run).changed({"menu": menu}), threads=1)
    deals = tabulated(setup.deals, own.exact_deals, recipe_of(run).seed)
    first = Solver(deals, recipe_of(run).solver_scheme())
    uniform = exploitability(deals, first.strategy()).exploitability
    rows = []
    for index, scheme in enumerate(schemes):
        run.tell(index / len(schemes), scheme.name)
        rows.append(_descent(run, deals, scheme, own.exact_seconds))
    decisions, infosets = sum(setup.tree.num_decisions), first.report().infosets
    return Exact(menu, decisions, infosets, own.exact_deals, uniform, tuple(rows))


def _descent(run: Reproduction, deals: Deals, scheme: Sampled, times: tuple[float, ...]) -> Descent:
    recipe = recipe_of(run).changed({"scheme": scheme.scheme})
    solver = Solver(deals, recipe.solver_scheme(), seed=recipe.seed)
    seconds, iterations, found = [], [], []
    spent = 0.0
    for until in times:
        if spent < until:
            *_, more = processor_slices(solver, until - spent)
            spent += more
        seconds.append(spent)
        iterations.append(solver.iterations)
        found.append(exploitability(deals, solver.strategy()).exploitability)
    return Descent(scheme.name, tuple(seconds), tuple(iterations), tuple(found))
