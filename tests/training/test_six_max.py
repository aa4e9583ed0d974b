"""The six-max recipes: their games and sizes, and training that ends by coverage."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from riverboat.game import Rake
from riverboat.training import Plan, load_recipe, train
from training.test_holdem import TWO_STREETS

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("name", "stack", "decisions"),
    [("six-max", 1000, 95_667), ("six-max-40bb", 400, 57_566), ("six-max-rake", 1000, 95_667)],
)
def test_recipes(name: str, stack: int, decisions: int) -> None:
    """A prototype's tree without the small blind's limps and all-in opens has 95,129 decisions."""
    recipe = load_recipe(name)
    plan = Plan.of(recipe)
    assert (recipe.name, recipe.spec.stacks) == (name, (stack,) * 6)
    assert sum(plan.tree.num_decisions) == decisions
    assert plan.sizes.infosets == sum(plan.tree.num_infosets((169, 100, 100, 100)))
    assert plan.sizes.blueprint_bytes < 31e6  # without the information sets that are left out


def test_the_prototypes_tree() -> None:
    menu = "2.5x | 3.5x | a ; cap 3 ; limp never ; flop 3 / 66%, a ; cap 1"
    plan = Plan.of(load_recipe("six-max", {"menu": menu}))
    assert sum(plan.tree.num_decisions) == 95_129


def test_rake_is_in_the_payoffs() -> None:
    """5 % of a pot of 50, and 3 big blinds of a pot of 2,000; nothing without a flop."""
    recipe = load_recipe("six-max-rake")
    assert recipe.spec.rake == Rake(5, 30)
    tree = Plan.of(recipe).tree
    first_wins = [9, 1, 1, 1, 1, 1]
    small = tree.settle(tree.node("ffffcb25c/kk/kk/kk"), first_wins)
    assert small.tolist() == [25 - 2, -25, 0, 0, 0, 0]
    large = tree.settle(tree.node("ffffb1000c"), first_wins)
    assert large.tolist() == [1000 - 30, -1000, 0, 0, 0, 0]
    assert tree.settle(tree.node("fffff"), first_wins).tolist() == [-5, 5, 0, 0, 0, 0]


def test_training_ends_by_coverage(tmp_path: Path) -> None:
    changes = {"budget": {"seconds": 60, "coverage": 0.3}, "bound.every": 0, "every.report": 0.0}
    *_, last = train(load_recipe(TWO_STREETS, changes), tmp_path / "few", plot=False)
    assert last.event == "finished"
    assert last.coverage is not None
    assert last.coverage >= 0.3
    assert last.seconds < 60
