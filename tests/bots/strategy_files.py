"""Small strategy files for bots that play from one."""

from pathlib import Path

from blueprint.strategies import random_table
from riverboat.blueprint import Header, Layout, write_blueprint
from riverboat.buckets import make_abstraction
from riverboat.cards import HandStrength
from riverboat.game import GameSpec, catalogue
from riverboat.training import load_recipe, train
from riverboat.tree import Tree
from training.test_holdem import TWO_STREETS

__all__ = ["random_strategy", "trained_to_the_flop"]


def random_strategy(
    path: Path, game: str | GameSpec, menu: str, cards: str, tables: HandStrength
) -> Path:
    """Write a strategy of random rows, a fifth of them untrained: every action comes up."""
    tree = Tree(catalogue(game) if isinstance(game, str) else game, menu)
    abstraction = make_abstraction(cards, tables)
    buckets = Header.of(tree, abstraction).num_buckets
    header = Header.of(tree, buckets, fallback="check-fold")
    write_blueprint(path, header, tree, random_table(Layout(tree, buckets), 1), abstraction)
    return path


def trained_to_the_flop(path: Path) -> Path:
    """Train hold'em with one bet a street up to the flop, as Cardiff's bots use it."""
    recipe = load_recipe({**TWO_STREETS, "bound": {"every": 0}, "fallback": "monte-carlo"})
    list(train(recipe, path, plot=False))
    return path
