"""What a run will cost, and refusals of what does not fit."""

from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from riverboat import runs
from riverboat.errors import RunError
from riverboat.game import catalogue
from riverboat.solve import (
    Sampling,
    Scheme,
    Solver,
    bucket_win_rates,
    bytes_per_entry,
    enumerate_public,
)
from riverboat.training import Plan, cost_of, load_recipe
from riverboat.tree import Tree


@pytest.mark.parametrize("sampling", get_args(Sampling))
def test_bytes_of_an_entry_are_those_of_the_solver(sampling: Sampling) -> None:
    deals = enumerate_public(Tree(catalogue("kuhn"), "min"))
    scheme = Scheme(sampling)
    solver = Solver(deals, scheme)
    assert solver.memory_bytes == deals.num_entries * bytes_per_entry(scheme)


def test_bytes_of_predictions() -> None:
    deals = enumerate_public(Tree(catalogue("kuhn"), "min"))
    for sampling in ("full", "public-chance"):
        scheme = Scheme(sampling, "predictive+")
        assert Solver(deals, scheme).memory_bytes == deals.num_entries * bytes_per_entry(scheme)


def test_sizes_of_the_laptop_recipe() -> None:
    """11,324 decisions with 169/200/200/200 buckets: the figures of docs/tree.md."""
    sizes = Plan.of(load_recipe("laptop")).sizes
    assert sizes.infosets == 7436 + 96_000 + 468_800 + 1_691_200
    assert sizes.entries == 46_491_208 // 8
    # One row of 1,326 for each of 1 + 1,755 + 16,432 + 134,459 boards, a byte a cell.
    assert sizes.bucket_bytes == (1 + 1_755 + 16_432 + 134_459) * 1_326


def test_recall_multiplies_buckets() -> None:
    assert Plan.of(load_recipe("pineapple")).sizes.cards == (3, 12, 36, 144)


def test_what_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riverboat.training._plan.available_memory", lambda: 1_000_000_000)
    recipe = load_recipe("laptop").changed({"cards": "percentile 169/9000/9000/9000"})
    with pytest.raises(RunError, match=r"needs .* GB.*are missing.*at most ([\d,]+) buckets"):
        Plan.of(recipe).check_memory()
    try:
        Plan.of(recipe).check_memory()
    except RunError as error:
        words = str(error)
    number = int(words.partition("at most ")[2].split()[0].replace(",", ""))
    for count, fits in ((number, True), (number + 1, False)):
        tried = recipe.changed({"cards": f"percentile 169/{count}/{count}/{count}"})
        if fits:
            Plan.of(tried).check_memory()
        else:
            with pytest.raises(RunError, match="missing"):
                Plan.of(tried).check_memory()


def test_what_fits_with_recall_is_in_buckets_that_one_writes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("riverboat.training._plan.available_memory", lambda: 700_000_000)
    recipe = load_recipe("laptop").changed({"cards": "percentile 9/30/30/30 recall"})
    with pytest.raises(RunError, match=r"buckets \(with recall\) on each") as refusal:
        Plan.of(recipe).check_memory()
    number = int(str(refusal.value).partition("at most ")[2].split()[0].replace(",", ""))
    assert 1 <= number < 30
    Plan.of(
        recipe.changed({"cards": f"percentile 9/{number}/{number}/{number} recall"})
    ).check_memory()
    more = number + 1
    with pytest.raises(RunError, match="missing"):
        Plan.of(
            recipe.changed({"cards": f"percentile 9/{more}/{more}/{more} recall"})
        ).check_memory()


def test_sizes_are_known_without_fitting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIVERBOAT_CACHE", str(tmp_path))
    cards = "lossless | semantic | distribution 200 | percentile 50"
    assert Plan.of(load_recipe("laptop").changed({"cards": cards})).sizes.cards == (
        169,
        560,
        200,
        50,
    )
    assert not list(tmp_path.iterdir())


def test_the_cost_of_an_ensemble_counts_members_and_combination() -> None:
    one = load_recipe("leduc").changed({"bound": {}})
    alone, four = (
        cost_of(one.changed({"ensemble": count}), calibration_seconds=0.1) for count in (1, 4)
    )
    assert four.checkpoint_bytes == 4 * alone.checkpoint_bytes
    assert four.blueprint_bytes == 5 * alone.blueprint_bytes
    assert alone.measuring_seconds > 0
    assert cost_of(one.changed({"bound": {"every": 0}}), 0.1).measuring_seconds == 0


def test_the_cost_of_a_small_game() -> None:
    found = cost_of(load_recipe("leduc"), calibration_seconds=0.2)
    assert found.sizes.entries == 672
    assert found.iterations == 5_000
    assert found.iterations_per_second > 0
    assert found.training_seconds == pytest.approx(5_000 / found.iterations_per_second)
    assert found.checkpoint_bytes == 672 * 16
    by_time = load_recipe("leduc").changed({"budget": {"seconds": 2.0}})
    found = cost_of(by_time, calibration_seconds=0.2)
    assert found.training_seconds == pytest.approx(2.0, rel=0.01)


def test_the_machine_has_memory_and_cores() -> None:
    assert 0 < runs.resident_memory() < 10**12
    assert runs.available_memory() > 10**7
    assert runs.num_cores() >= 1


def test_win_rates_of_leduc() -> None:
    """Against a random other card: a king wins or ties by counting all 120 deals by hand.

    With ranks J, Q, K twice each, the board drawn from the four cards left: for a king alone
    the other holds the second king (1/5, always a tie) or a lower card (4/5). Against a lower
    card the king loses only if the board pairs that card, 1 of the 4 cards left. So the win rate
    is 1/5 * 1/2 + 4/5 * 3/4 = 0.7; for a jack by symmetry of sums 1.5 - 0.7 - 0.5 = 0.3.
    """
    deals = enumerate_public(Tree(catalogue("leduc"), "min"))
    rates = bucket_win_rates(deals, 400_000, seed=1)
    # A share has a standard deviation of at most 1/2: four of its errors over a third of deals.
    error = 4 * 0.5 / np.sqrt(400_000 / 3)
    np.testing.assert_allclose(np.sort(rates[0]), [0.3, 0.5, 0.7], atol=error)
