"""Recipes: what ships, what is refused and how it is said."""

from pathlib import Path
from typing import Any

import pytest

from riverboat.errors import RunError
from riverboat.game import catalogue
from riverboat.training import Plan, load_recipe, recipe_names
from riverboat.tree import Tree

SMALL: dict[str, Any] = {"game": "leduc", "menu": "min", "budget": {"iterations": 5}}


def test_the_recipes_of_the_package_can_be_read() -> None:
    assert set(recipe_names()) >= {
        "caltech", "cardiff", "default", "demo", "husky", "kuhn", "laptop", "leduc", "pineapple",
        "default-10bb", "default-200bb", "slumbot", "yerevan",
    }  # fmt: skip
    assert "depths" not in recipe_names()  # the file of all depths
    for name in recipe_names():
        recipe = load_recipe(name)
        assert recipe.name == name
        assert recipe.budget.iterations or recipe.budget.seconds
        assert load_recipe(recipe.as_dict()) == recipe


@pytest.mark.parametrize(("name", "most"), [("default", 20), ("slumbot", 31)])
def test_files_are_small(name: str, most: int) -> None:
    recipe = load_recipe(name)
    assert Plan.of(recipe).sizes.blueprint_bytes < most * 1_000_000


def test_files_of_other_depths_are_small_together() -> None:
    depths = [load_recipe(name) for name in recipe_names() if name.startswith("default-")]
    assert [recipe.spec.stacks[0] / recipe.spec.big_blind for recipe in depths] == [
        10, 15, 20, 30, 50, 75, 150, 200,
    ]  # fmt: skip
    assert sum(Plan.of(recipe).sizes.blueprint_bytes for recipe in depths) < 24_000_000


def test_short_stacks_have_a_tree_of_their_own() -> None:
    """Limp, 2x, 2.5x and all-in first in; the file of 20 big blinds has one raise more."""
    for name in ("default-10bb", "default-15bb", "default-20bb"):
        recipe = load_recipe(name)
        all_in = f"b{recipe.spec.stacks[0]}"
        assert Tree(recipe.spec, recipe.menu).actions(0) == ("f", "c", "b20", "b25", all_in)
    assert load_recipe("default-12bb").menu == load_recipe("default-15bb").menu
    assert load_recipe("default-18bb").menu == load_recipe("default-20bb").menu


def test_any_depth_has_a_recipe() -> None:
    recipe = load_recipe("default-40bb", {"seed": 7})
    assert (recipe.name, recipe.spec, recipe.seed) == ("default-40bb", catalogue("nolimit-40bb"), 7)
    assert load_recipe("default-100bb") == load_recipe("default")
    for name in ("default-1bb", "default-1001bb"):
        with pytest.raises(RunError, match=f"no recipe '{name}': depths are from 2 to 1,000"):
            load_recipe(name)


def test_seeds_settings() -> None:
    """As in the authors' texts: chance-sampled, 10 M; epsilon 0.1 and beta 10; floors; pure."""
    cardiff = load_recipe("cardiff")
    assert cardiff.solver_scheme.sampling == "chance"
    assert cardiff.budget.iterations == 10_000_000
    pineapple = load_recipe("pineapple").solver_scheme
    assert (pineapple.sampling, pineapple.exploration) == ("average-strategy", 0.1)
    assert (pineapple.tau, pineapple.beta_offset) == (1.0, 10.0)
    caltech = load_recipe("caltech")
    assert caltech.solver_scheme.floor == ((100_000, 0.05), (150_000, 0.01))
    assert caltech.ensemble == 4
    assert load_recipe("yerevan").solver_scheme.sampling == "pure"
    husky = load_recipe("husky")
    assert husky.solver_scheme.sampling == "chance"
    # Raises of one and two big blinds, before the flop and after it.
    tree = Tree(husky.spec, husky.menu)
    assert tree.actions(0) == ("f", "c", "b20", "b30")
    assert tree.actions(tree.node("ck/")) == ("k", "b10", "b20")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sede": 1}, ["'sede'", "seed"]),
        ({"menu": None}, ["menu=None", "text"]),
        ({"seed": "one"}, ["seed='one'", "whole number"]),
        ({"seed": -1}, ["seed=-1", "0 to"]),
        ({"budget": {"iteration": 5}}, ["'budget.iteration'", "iterations (", "seconds ("]),
        ({"budget": {"iterations": 0}}, ["budget.iterations=0", "1 to"]),
        ({"budget": {"iterations": "many"}}, ["budget.iterations='many'", "whole number"]),
        ({"bound": {"deals": 1}}, ["bound.deals=1", "2 to"]),
        ({"start": {}}, ["lacks", "'start.iterations'"]),
        ({"game": "leduk"}, ["'leduk'", "leduc"]),
        ({"game": {"stacks": [1]}}, ["2 to 10 players"]),
        ({"game": {"stacks": [9, 9], "blindz": [1, 2]}}, ["'blindz'", "blinds"]),
        ({"game": {"stacks": [9, 9], "streets": [{"hol": 2}]}}, ["'hol'", "hole"]),
        ({"menu": "9"}, ["'9'", "unit"]),
        ({"scheme": "pure cfr+"}, ["not sound"]),
        ({"scheme": "externally"}, ["'externally'", "external"]),
        ({"scheme": {"samplin": "pure"}}, ["'samplin'", "sampling"]),
        ({"fallback": "pray"}, ["fallback='pray'", "uniform"]),
        ({"ensemble": 0}, ["ensemble=0", "1 to"]),
        ({"file": {"values": "int4"}}, ["file.values='int4'", "float32 or uint8"]),
    ],
)
def test_a_wrong_recipe_is_refused_with_a_sentence(
    change: dict[str, Any], words: list[str]
) -> None:
    with pytest.raises(RunError) as refused:
        load_recipe({**SMALL, **change})
    for word in words:
        assert word in str(refused.value)


def test_a_key_that_is_missing_is_named() -> None:
    with pytest.raises(RunError, match="the recipe lacks the setting 'menu': it must be text"):
        load_recipe({"game": "leduc"})


def test_files_that_are_no_recipes(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="laptop, leduc"):
        load_recipe("laptopp")
    bad = tmp_path / "bad.toml"
    bad.write_text("game = \n")
    with pytest.raises(RunError, match=r"bad\.toml.* cannot be read"):
        load_recipe(bad)


def test_a_game_file_and_a_game_table(tmp_path: Path) -> None:
    from riverboat.game import write_acpc_game  # noqa: PLC0415 - for one test

    (tmp_path / "own.game").write_text(write_acpc_game(catalogue("limit")))
    recipe = tmp_path / "own.toml"
    recipe.write_text('game = "own.game"\nmenu = "min"\ncards = "percentile 169/9/9/9"\n')
    read = load_recipe(recipe)
    assert read.spec.replace(name="") == catalogue("limit").replace(name="")
    assert load_recipe(read.as_dict()) == read  # it no longer needs the file
    inline = load_recipe({"game": {"stacks": [1000, 1000], "blinds": [5, 10]}, "menu": "laptop"})
    assert inline.identity()["game"] == load_recipe("laptop").identity()["game"]


def test_options_change_a_recipe() -> None:
    recipe = load_recipe("leduc").changed({"seed": 7, "budget.seconds": 2.5})
    assert (recipe.seed, recipe.budget.seconds, recipe.budget.iterations) == (7, 2.5, 5000)
    with pytest.raises(RunError, match="leduc: seed=-7 is not allowed"):
        recipe.changed({"seed": -7})


def test_budget_and_intervals_do_not_belong_to_the_identity() -> None:
    """A run may be resumed with a larger budget or on another number of threads."""
    recipe = load_recipe("laptop")
    longer = recipe.changed({"budget.seconds": 9.0, "threads": 3, "every.report": 5.0})
    assert longer.identity() == recipe.identity()
    for other in ({"seed": 9}, {"menu": "fcpa"}, {"cards": "percentile 169/9/9/9"}):
        assert recipe.changed(other).identity() != recipe.identity()
