"""From a recipe to what a solver needs: tree, cards, deals, starting regrets."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riverboat.abstraction import CardAbstraction, bucket_tables, make_abstraction
from riverboat.abstraction.fitting import ProgressCall, no_progress
from riverboat.errors import RiverboatError, TrainingError
from riverboat.game import GameSpec
from riverboat.solve import (
    Deals,
    enumerate_deals,
    enumerate_public,
    holdem_deals,
    starting_regrets,
)
from riverboat.training.machine import num_cores
from riverboat.training.recipe import Recipe
from riverboat.training.win_rates import bucket_win_rates
from riverboat.tree import Tree

__all__ = ["Setup", "card_text", "is_holdem", "prepare", "solver_threads"]


@dataclass(frozen=True)
class Setup:
    """What a solver needs; members of an ensemble share it."""

    tree: Tree
    cards: CardAbstraction | None
    """None where deals are enumerated."""
    deals: Deals
    threads: int
    starting_regrets: NDArray[np.float32] | None


def prepare(
    recipe: Recipe, progress: ProgressCall = no_progress, cards: CardAbstraction | None = None
) -> Setup:
    """Build all that a recipe needs before the first iteration.

    Parameters
    ----------
    recipe
        What to train.
    progress
        Called while hand-strength tables, buckets and their tables are made.
    cards
        The card abstraction of an earlier run; else it is fitted as the recipe says.

    Raises
    ------
    TrainingError
        If game, menu, cards and scheme do not go together; the reason is named.

    Examples
    --------
    >>> from riverboat.training import load_recipe
    >>> prepare(load_recipe("leduc")).deals.num_deals
    24
    """
    spec, scheme = recipe.spec(), recipe.solver_scheme()
    try:
        tree = Tree(spec, recipe.menu)
        if is_holdem(spec):
            text = card_text(recipe)
            cards = cards or make_abstraction(text, seed=recipe.cards_seed, progress=progress)
            deals = holdem_deals(tree, bucket_tables(cards, progress=progress))
        elif card_text(recipe) == "lossless":
            public = scheme.sampling == "public-chance"
            deals = enumerate_public(tree) if public else enumerate_deals(tree)
        start = None
        if recipe.start is not None:
            rates = bucket_win_rates(deals)
            start = starting_regrets(deals, rates, recipe.start.iterations)
    except RiverboatError as error:
        raise TrainingError(f"the recipe cannot be trained: {error}") from error
    return Setup(tree, cards, deals, solver_threads(recipe), start)


def is_holdem(spec: GameSpec) -> bool:
    """Whether cards are dealt from the deck of 52 and fall into buckets by tables."""
    return (
        spec.showdown == "high"
        and len(spec.deck) == 52
        and spec.streets[0].hole == 2
        and not any(street.hole for street in spec.streets[1:])
    )


def card_text(recipe: Recipe) -> str:
    """The card abstraction's text; small games know `lossless` only."""
    spec, text = recipe.spec(), recipe.cards.strip()
    if is_holdem(spec):
        return f"lossless {len(spec.streets)}" if text == "lossless" else text
    if text != "lossless":
        raise TrainingError(
            f"cards = {text!r} is for hold'em with the deck of 52: "
            f"{spec.name or 'this game'} is trained with 'lossless'"
        )
    return text


def solver_threads(recipe: Recipe) -> int:
    """Threads of the solver: full-width schemes have one."""
    if recipe.solver_scheme().sampling == "full":
        return 1
    return recipe.threads or num_cores()
