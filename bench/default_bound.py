"""Lower bound on the exploitability of the default strategy, as trained and as played.

    uv run python bench/default_bound.py

Responses are trained in the strategy's own buckets and bet menu, 20 s for each seat, and scored on
20,000 new deals. Results are in mbb/hand with 95 % confidence intervals.
"""

from riverboat.blueprint import Blueprint, default_blueprint
from riverboat.evaluate import response_bound
from riverboat.runs import num_cores
from riverboat.training import load_recipe, prepare

SECONDS, SEED = 20.0, 77


def main() -> None:
    """Measure both, and print."""
    recipe, blueprint = load_recipe("default"), Blueprint.open(default_blueprint())
    deals = prepare(recipe).deals
    unit = 1000 / recipe.spec.big_blind
    for threshold in (0.0, 0.3):
        strategy = blueprint.dense(threshold=threshold)
        found = response_bound(deals, strategy, seconds=SECONDS, seed=SEED, threads=num_cores())
        low, high = (chips * unit for chips in found.interval)
        print(
            f"threshold {threshold}: at least {found.bound.mean * unit:.0f} mbb/h "
            f"({low:.0f} to {high:.0f}), {found.deals:,} deals, seed {SEED}"
        )


if __name__ == "__main__":
    main()
