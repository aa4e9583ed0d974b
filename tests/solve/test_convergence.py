"""Every scheme converges on solved games, and their known values come out."""

from __future__ import annotations

import json
from functools import cache
from typing import TypedDict

import numpy as np
import pytest

from riverboat.evaluate import exploitability
from riverboat.solve import Scheme, Solver
from sizes import slowly
from solve.games import classic
from solve.schemes import HERE, SCHEMES, THREE_PLAYERS, measured, runs, signature

TEST_SEED = 1000  # not one of those that were recorded


class Recorded(TypedDict):
    """One entry of recorded.json."""

    iterations: int
    exploitability: list[float]


@cache
def recorded() -> dict[str, dict[str, Recorded]]:
    """Exploitabilities by game and scheme; see schemes.py for how they were made."""
    found: dict[str, dict[str, Recorded]] = json.loads((HERE / "recorded.json").read_text())
    return found


def threshold(game: str, name: str) -> float:
    """Mean + 4 sigma over the recorded seeds; full width has no noise, only rounding."""
    found = recorded()[game][name]["exploitability"]
    if len(found) == 1:
        return found[0] * 1.001 + 1e-9
    return float(np.mean(found) + 4 * np.std(found, ddof=1))


def uniform_play(game: str) -> float:
    deals = classic(game)
    return exploitability(deals, Solver(deals, Scheme("external")).strategy()).exploitability


@pytest.mark.parametrize(("game", "name", "iterations"), runs())
def test_below_threshold(game: str, name: str, iterations: int) -> None:
    limit = threshold(game, name)
    assert recorded()[game][name]["iterations"] == iterations
    # A threshold is worth something only if play got much better than at the start.
    assert limit < uniform_play(game) / 5
    assert measured(game, name, iterations, TEST_SEED) <= limit


def median_of_two_threads(game: str, name: str) -> float:
    """Exploitability of the middle one of three runs, or five.

    Such runs are not repeatable, and outcome sampling has a long tail with any number of
    threads (1 run in 60 above mean + 4 sigma): one run would fail now and then.
    """
    iterations = recorded()[game][name]["iterations"]
    runs = 5 if SCHEMES[name][0].sampling == "outcome" else 3
    seeds = range(TEST_SEED, TEST_SEED + runs)
    return float(np.median([measured(game, name, iterations, seed, threads=2) for seed in seeds]))


# Threads share tables in the same way whatever the rule; outcome sampling takes long.
IN_THREADS = ("chance cfr", "external cfr", "average-strategy cfr", "pure cfr")
OTHERS_IN_THREADS = [n for n in SCHEMES if n not in IN_THREADS and SCHEMES[n][0].sampling != "full"]


@pytest.mark.parametrize("name", [*IN_THREADS, *slowly(*OTHERS_IN_THREADS)])
@pytest.mark.threads
def test_threads_converge(name: str) -> None:
    assert median_of_two_threads("leduc", name) <= threshold("leduc", name)


@pytest.mark.parametrize("name", [THREE_PLAYERS[0], *slowly(*THREE_PLAYERS[1:])])
@pytest.mark.threads
def test_threads_converge_with_three_players(name: str) -> None:
    assert median_of_two_threads("kuhn3", name) <= threshold("kuhn3", name)


def test_pure_converges_with_three_players() -> None:
    """Seeds 1 to 6 have a NashConv of 0.0135 on average, deviation 0.0024: mean + 4 sigma."""
    solver = Solver(classic("kuhn3"), Scheme("pure"), seed=TEST_SEED)
    solver.run_all(iterations=50_000)
    assert exploitability(solver.deals, solver.strategy()).nash_conv < 0.0135 + 4 * 0.0024


def test_kuhn_value() -> None:
    """The first player loses 1/18 (Kuhn 1950, "A simplified two-person poker")."""
    solver = Solver(classic("kuhn"), Scheme("full", "predictive+", "quadratic"))
    solver.run_all(iterations=5000)
    found = exploitability(solver.deals, solver.strategy())
    assert found.exploitability < 1e-8
    assert found.values[0] == pytest.approx(-1 / 18, abs=1e-8)
    assert found.values[1] == pytest.approx(1 / 18, abs=1e-8)


def test_leduc_value() -> None:
    """The first player loses 0.0856 (style.md 12; the same in OpenSpiel's game tests)."""
    solver = Solver(classic("leduc"), Scheme("full", "cfr+", "linear"))
    solver.run_all(iterations=10_000)
    found = exploitability(solver.deals, solver.strategy())
    assert found.exploitability < 1e-5
    assert found.values[0] == pytest.approx(-0.0856, abs=5e-5)


# NashConv of uniform play: OpenSpiel, python/algorithms/exploitability_test.py.
@pytest.mark.parametrize(("game", "nash_conv"), [("kuhn", 11 / 12), ("leduc", 4.747222)])
def test_uniform_play(game: str, nash_conv: float) -> None:
    assert 2 * uniform_play(game) == pytest.approx(nash_conv, abs=5e-7)


# OpenSpiel's CFR+ on the same game, NashConv / 2, as measured for this project.
@pytest.mark.parametrize(("iterations", "theirs"), [(100, 0.0134), (1000, 0.00026)])
def test_leduc_cfr_plus_like_openspiel(iterations: int, theirs: float) -> None:
    assert measured("leduc", "full cfr+", iterations, 0) < 1.05 * theirs


def test_signatures() -> None:
    """Regrets are the same bit for bit as when they were recorded, in both builds."""
    kept = json.loads((HERE / "signatures.json").read_text())
    assert {name: signature(name) for name in SCHEMES} == kept
