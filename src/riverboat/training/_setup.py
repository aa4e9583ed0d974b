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
    enumerate_public,
    holdem_deals,
    starting_regrets,
)
from riverboat.training._plan import Plan
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
            recipe.solver_scheme,
            seed=recipe.seed,
            threads=self.threads,
            starting_regrets=self.starting_regrets,
        )


def prepare(
    recipe: Recipe | Plan,
    progress: ProgressCall = no_progress,
    cards: CardAbstraction | None = None,
) -> Setup:
    """Build all that a recipe needs before the first iteration.

    Parameters
    ----------
    recipe
        What to train, resolved or not.
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
    plan = Plan.of(recipe)
    recipe = plan.recipe
    try:
        if plan.cards is not None:
            seed = recipe.cards_seed
            cards = cards or fitted_abstraction(plan.cards, seed=seed, progress=progress)
            deals = holdem_deals(plan.tree, bucket_tables(cards, progress=progress))
        else:
            public = recipe.solver_scheme.sampling == "public-chance"
            deals = enumerate_public(plan.tree) if public else plan.enumerated
        start = None
        if recipe.start is not None:
            rates = bucket_win_rates(deals)
            start = starting_regrets(deals, rates, recipe.start.iterations)
    except TrainingError:
        raise
    except RiverboatError as error:
        raise TrainingError(f"the recipe cannot be trained: {error}") from error
    return Setup(plan.tree, cards, deals, plan.threads, start)
