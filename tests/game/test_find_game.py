"""A game by name or by file, the same in every room."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cli.typed import riverboat
from riverboat.arena import MatchSettings, play_match
from riverboat.blueprint import Blueprint
from riverboat.errors import GameError
from riverboat.game import catalogue, find_game, game_from_table, write_acpc_game
from riverboat.table import Session
from riverboat.training import load_recipe, train

if TYPE_CHECKING:
    from pathlib import Path

TOY = """
[game]
stacks = [4, 4]
antes = [1, 1]
betting = "fixed-limit"
ranks = "TJQK"
suits = "s"
showdown = "one-card"
streets = [{ hole = 1, bet_size = 1, max_raises = 2 }]
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A small game of one's own."""
    file = tmp_path / "toy.toml"
    file.write_text(TOY)
    return file


def test_a_name_stays_a_name() -> None:
    assert find_game("Leduc", 3) == catalogue("leduc", 3)
    with pytest.raises(GameError, match="'chess' is not a game"):
        find_game("chess")


def test_a_table_of_a_file(toy: Path) -> None:
    spec = find_game(str(toy))
    assert (spec.name, spec.stacks, len(spec.deck)) == ("toy", (4, 4), 4)
    assert find_game("toy.toml", folder=toy.parent) == spec
    with pytest.raises(GameError, match="for 2 players, not 3"):
        find_game(str(toy), 3)


def test_a_recipe_and_a_definition(tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text('game = "leduc"\nmenu = "min"\n')
    assert find_game(str(recipe)) == catalogue("leduc")
    definition = tmp_path / "limit.game"
    definition.write_text(write_acpc_game(catalogue("limit")))
    assert find_game(str(definition)) == catalogue("limit")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("menu = 'min'\n", r"no table \[game\]"),
        ("[game\n", "cannot be read"),
        ("game = 'own.toml'\n", r"no table \[game\]"),
        ("[game]\nstacks = [4, 4]\nantez = [1, 1]\n", "no key 'antez': its keys are stacks, "),
        ("[game]\nstacks = ['a', 4]\n", "a game is a table with stacks"),
        ("[game]\nstacks = [4, 4]\nrake = { percents = 5 }\n", "a rake has no key 'percents'"),
    ],
)
def test_what_is_wrong_is_told_with_the_file(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "own.toml"
    file.write_text(text)
    with pytest.raises(GameError, match=sentence) as caught:
        find_game(str(file))
    assert "own.toml" in str(caught.value)


def test_a_table_without_a_file() -> None:
    assert game_from_table({"stacks": [9, 9], "blinds": [1, 2]}).players == 2


def test_matches_tables_and_training_take_it(toy: Path) -> None:
    spec = find_game(str(toy))
    assert MatchSettings(("fish", "random"), str(toy), hands=2).spec == spec
    assert Session(str(toy), [None, "fish"], seed=1).spec == spec
    values = {"game": str(toy), "menu": "min", "budget": {"iterations": 5}, "threads": 1}
    recipe = load_recipe(values)
    assert recipe.spec == spec
    strategy = toy.parent / "toy.blueprint"
    for _ in train(recipe, strategy, plot=False):
        pass
    assert Blueprint.open(strategy).header.spec == spec
    shown = riverboat("show", str(strategy)).stdout
    assert shown.startswith("toy ")
    result = play_match([f"blueprint:{strategy}", "fish"], str(toy), hands=20, seed=1)
    assert result.errors(0) == {}


def test_a_file_whose_name_is_no_text(tmp_path: Path) -> None:
    """Bytes that are not UTF-8 arrive as half a surrogate pair, which no database takes."""
    path = tmp_path / "g\udcff.toml"
    path.write_text("[game]\nstacks = [500, 500]\nblinds = [5, 10]\n")
    assert find_game(str(path)).name == r"g\udcff"
    with pytest.raises(GameError, match="must be valid text"):
        game_from_table({"name": "\ud800", "stacks": [500, 500], "blinds": [5, 10]})
