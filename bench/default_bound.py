"""How exploitable the shipped strategy is at least: whole, and as the bot plays it.

    uv run python bench/default_bound.py

Responses are trained in the strategy's own buckets and bets, 20 s for each seat, and scored on
20,000 fresh deals. Thousandths of a big blind a hand, 95 % intervals.
"""

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint import Blueprint, default_blueprint
from riverboat.blueprint._rare_actions import block_without_rare
from riverboat.evaluate import response_bound
from riverboat.training import load_recipe, prepare
from riverboat.work import num_cores

SECONDS, SEED = 20.0, 77


def without_rare(blueprint: Blueprint, threshold: float) -> NDArray[np.float32]:
    """Return the strategy, [entries], as a bot plays it."""
    strategy = blueprint.dense()
    for chunk, rows, block, _ in blueprint.chunks():
        strategy[chunk.entries] = block_without_rare(block, rows, threshold).ravel()
    return strategy


def main() -> None:
    """Measure both, and print."""
    recipe, blueprint = load_recipe("demo"), Blueprint.open(default_blueprint())
    deals = prepare(recipe).deals
    unit = 1000 / recipe.spec().big_blind
    for threshold in (0.0, 0.3):
        strategy = without_rare(blueprint, threshold)
        found = response_bound(deals, strategy, seconds=SECONDS, seed=SEED, threads=num_cores())
        low, high = (chips * unit for chips in found.interval)
        print(
            f"threshold {threshold}: at least {found.bound.mean * unit:.0f} mbb/h "
            f"({low:.0f} to {high:.0f}), {found.deals:,} deals, seed {SEED}"
        )


if __name__ == "__main__":
    main()
