"""From a recipe to what a solver needs: tree, cards, deals, starting regrets."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riverboat.buckets import (
    CardAbstraction,
    ProgressCall,
    bucket_tables,
    fitted_abstraction,
    no_progress,
)
from riverboat.errors import RiverboatError, TrainingError
from riverboat.solve import (
    Deals,
    Solver,
    bucket_win_rates,
    enumerate_deals,
    enumerate_public,
    holdem_deals,
    starting_regrets,
)
from riverboat.training._parts import card_text, check_parts, solver_threads
from riverboat.training._recipe import Recipe
from riverboat.tree import Tree

__all__ = ["Setup", "prepare"]


@dataclass(frozen=True)
class Setup:
    """What a solver needs; members of an ensemble share it."""

    tree: Tree
    cards: CardAbstraction | None
    """None where deals are enumerated."""
    deals: Deals
    threads: int
    starting_regrets: NDArray[np.float32] | None

    def solver(self, recipe: Recipe) -> Solver:
        """Make a solver as a recipe wants it; it has done nothing yet.

        Examples
        --------
        >>> from riverboat.training import load_recipe
        >>> recipe = load_recipe("leduc")
        >>> prepare(recipe).solver(recipe).iterations
        0
        """
        return Solver(
            self.deals,
            recipe.solver_scheme(),
            seed=recipe.seed,
            threads=self.threads,
            starting_regrets=self.starting_regrets,
        )


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
        check_parts(recipe, tree)
        if spec.has_holdem_cards:
            text = card_text(recipe)
            cards = cards or fitted_abstraction(text, seed=recipe.cards_seed, progress=progress)
            deals = holdem_deals(tree, bucket_tables(cards, progress=progress))
        else:
            public = scheme.sampling == "public-chance"
            deals = enumerate_public(tree) if public else enumerate_deals(tree)
        start = None
        if recipe.start is not None:
            rates = bucket_win_rates(deals)
            start = starting_regrets(deals, rates, recipe.start.iterations)
    except TrainingError:
        raise
    except RiverboatError as error:
        raise TrainingError(f"the recipe cannot be trained: {error}") from error
    return Setup(tree, cards, deals, solver_threads(recipe), start)
