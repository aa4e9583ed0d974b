"""A run that is stopped, saved and restored is the run that was never stopped."""

from __future__ import annotations

import dataclasses
import json
import math
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from riverboat.errors import SolveError
from riverboat.game import catalogue
from riverboat.solve import (
    Prune,
    Scheme,
    Solver,
    SolverState,
    enumerate_public,
)
from riverboat.tree import Tree
from solve.games import classic
from solve.schemes import SCHEMES

if TYPE_CHECKING:
    from pathlib import Path

# Steps, floors and pruning change while the run goes on.
RUNS = {name: scheme for name, (scheme, _) in SCHEMES.items()} | {
    "external options": Scheme(
        "external",
        "linear",
        "linear",
        step=70,
        floor=((130, 0.05), (290, 0.01)),
        prune=Prune(-5.0, after=210),
    ),
    "public-chance dcfr": Scheme("public-chance", "dcfr", step=30),
    "public-chance predictive+": Scheme("public-chance", "predictive+", "quadratic", step=30),
}


def same(first: SolverState, second: SolverState) -> bool:
    return (
        (first.iterations, first.nodes) == (second.iterations, second.nodes)
        and first.arrays.keys() == second.arrays.keys()
        and all(
            first.arrays[name].tobytes() == second.arrays[name].tobytes() for name in first.arrays
        )
    )


@pytest.mark.parametrize("name", RUNS)
def test_a_restored_run_is_the_same_run(name: str) -> None:
    public = name.startswith("public")
    deals = enumerate_public(Tree(catalogue("kuhn"), "min")) if public else classic("leduc")
    whole, first, second = (Solver(deals, RUNS[name], seed=9) for _ in range(3))
    whole.run_all(iterations=400)
    first.run_all(iterations=157)
    state = first.state()
    first.run_all(iterations=10)  # the state is a copy: this changes nothing in it
    second.restore(state)
    assert same(second.state(), state)
    second.run_all(iterations=243)
    assert same(second.state(), whole.state())
    assert ("predictions" in state.arrays) == (RUNS[name].rule == "predictive+")


ELSEWHERE = """
    import json, sys
    import numpy as np
    from riverboat.game import catalogue
    from riverboat.solve import Scheme, Solver, SolverState, enumerate_deals
    from riverboat.tree import Tree

    folder = sys.argv[1]
    saved = json.loads(open(folder + "/run.json").read())
    arrays = {name: np.load(f"{folder}/{name}.npy") for name in saved["arrays"]}
    deals = enumerate_deals(Tree(catalogue("leduc"), "min"))
    solver = Solver(deals, Scheme.from_dict(saved["scheme"]), seed=saved["seed"])
    solver.restore(SolverState(saved["iterations"], 0.5, saved["nodes"], arrays))
    solver.run_all(iterations=300)
    for name, array in solver.state().arrays.items():
        np.save(f"{folder}/{name}.npy", array)
"""


@pytest.mark.parametrize("name", ["full predictive+", "external options"])
def test_in_another_process(name: str, tmp_path: Path) -> None:
    whole, first = (Solver(classic("leduc"), RUNS[name], seed=4) for _ in range(2))
    whole.run_all(iterations=500)
    first.run_all(iterations=200)
    state = first.state()
    for key, array in state.arrays.items():
        np.save(tmp_path / f"{key}.npy", array)
    saved = {
        "scheme": RUNS[name].as_dict(),
        "seed": 4,
        "iterations": state.iterations,
        "nodes": state.nodes,
        "arrays": list(state.arrays),
    }
    (tmp_path / "run.json").write_text(json.dumps(saved))
    program = [sys.executable, "-c", textwrap.dedent(ELSEWHERE), str(tmp_path)]
    subprocess.run(program, check=True, timeout=120)
    for key, array in whole.state().arrays.items():
        assert np.load(tmp_path / f"{key}.npy").tobytes() == array.tobytes()


def test_states_between_slices_can_be_gone_on_with() -> None:
    scheme = Scheme("external", "linear", "linear", step=100)
    first, second = (Solver(classic("leduc"), scheme, seed=3) for _ in range(2))
    saved = [first.state() for _ in first.slices(iterations=5000)]
    assert len(saved) > 1
    assert saved[-1].iterations == 5000
    assert saved[0].iterations < 5000
    second.restore(saved[0])
    second.run_all(iterations=5000 - saved[0].iterations)
    assert same(second.state(), first.state())


def test_views_are_the_tables() -> None:
    solver = Solver(classic("kuhn"), Scheme("external"), seed=3)
    view, copied = solver.state(copy=False), solver.state()
    solver.run_all(iterations=10)
    assert np.shares_memory(view.arrays["regrets"], solver.regrets)
    assert view.arrays["regrets"].any()
    assert not copied.arrays["regrets"].any()
    with pytest.raises(dataclasses.FrozenInstanceError):
        view.iterations = 3  # type: ignore[misc]  # frozen on purpose


def changed(state: SolverState, **arrays: Any) -> SolverState:
    return dataclasses.replace(state, arrays={**state.arrays, **arrays})


def test_states_that_do_not_fit_are_refused() -> None:
    solver = Solver(classic("kuhn"), Scheme("external"), seed=3)
    solver.run_all(iterations=50)
    good, size = solver.state(), solver.deals.num_entries
    bad: list[tuple[object, str]] = [
        (good.arrays, "is not a SolverState"),
        (
            changed(good, regrets=np.zeros(3, np.float32)),
            rf"regrets .* \[{size}\] float32, not \[3\]",
        ),
        (
            changed(good, average=np.zeros(size, np.float32)),
            rf"average .* float64, not \[{size}\] fl",
        ),
        (
            changed(good, average=np.full(size, -1.0)),
            "average of a state contains an impossible number",
        ),
        (changed(good, regrets=np.full(size, math.nan, np.float32)), "regrets of a state contains"),
        (changed(good, average=[0.0] * size), "average of a state must be an array, not"),
        (changed(good, predictions=np.zeros(size)), "must have the arrays regrets, average, not"),
        (dataclasses.replace(good, arrays={}), "must have the arrays regrets, average, not"),
        (dataclasses.replace(good, iterations=-1), "iterations=-1"),
        (dataclasses.replace(good, iterations=2.0), "iterations=2.0"),  # type: ignore[arg-type]  # wrong on purpose
        (dataclasses.replace(good, seconds=math.nan), "seconds=nan"),
        (dataclasses.replace(good, nodes=None), "nodes=None"),  # type: ignore[arg-type]  # wrong on purpose
    ]
    for state, sentence in bad:
        with pytest.raises(SolveError, match=sentence):
            solver.restore(state)  # type: ignore[arg-type]  # wrong on purpose
        assert same(solver.state(), good)
