"""Train the default strategy for every stack depth, and measure it there (docs/default.md).

One command trains all depths, one after the other, and continues where Ctrl-C stopped it:

    uv run python bench/depths.py --folder depths

With `--lbr 4000` each file is then measured at its own depth by local best response, with `--at 25
--hands 20000` the bot that chooses between the files plays at 25 big blinds against the nearest
file alone. The script prints one JSON object per line.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from riverboat.arena import play_match
from riverboat.blueprint import DEFAULT_DEPTHS, Blueprint, default_name
from riverboat.evaluate import local_best_response
from riverboat.training import Recipe, load_recipe, train


def recipe_of(depth: int, options: Any) -> Recipe:
    """Return the recipe for a depth."""
    changes: dict[str, Any] = {"threads": options.threads, "every": {"report": 60.0}}
    if most := options.iterations:
        changes |= {"budget.iterations": most, "scheme.floor": [[most // 2, 0.01], [most, 0.001]]}
    return load_recipe(default_name(depth), changes)


def is_trained(path: Path, recipe: Recipe) -> bool:
    """Whether the file exists and has its whole budget."""
    if not path.is_file():
        return False
    return Blueprint.open(path).header.training.iterations >= (recipe.budget.iterations or 0)


def trained(depth: int, options: Any) -> Iterator[dict[str, Any]]:
    """Train a depth until its budget is used up; yield the reports."""
    path = options.folder / f"{default_name(depth)}.blueprint"
    recipe = recipe_of(depth, options)
    if is_trained(path, recipe):
        return
    begun = path.with_suffix(".checkpoint").exists() or path.exists()
    for step in train(recipe, path, resume=begun, plot=False):
        yield {"depth": depth, **step.as_dict()}
        if step.event == "stopped":
            raise SystemExit(f"stopped at {depth} big blinds: the same command continues")


def exploited(depth: int, options: Any) -> Iterator[dict[str, Any]]:
    """Measure a file at its own depth by local best response."""
    path = options.folder / f"{default_name(depth)}.blueprint"
    for actions in options.sets:
        found = local_best_response(
            f"blueprint:{path}", actions, game=f"nolimit-{depth}bb", hands=options.lbr,
            seed=options.seed, workers=options.workers, log=options.folder / "lbr.jsonl",
        )  # fmt: skip
        yield {"depth": depth, "size": path.stat().st_size, **found.as_dict()}


def between(depth: int, options: Any) -> dict[str, Any]:
    """Play the folder, which interpolates, against the file with the nearest depth."""
    nearest = min(options.depths, key=lambda each: max(each / depth, depth / each))
    bots = [
        f"blueprint:{options.folder}",
        f"blueprint:{options.folder / default_name(nearest)}.blueprint",
    ]
    result = play_match(
        bots, f"nolimit-{depth}bb", hands=options.hands, seed=options.seed,
        workers=options.workers, aivat=options.aivat,
    )  # fmt: skip
    estimate = result.best_estimate().scaled(100)  # a big blind is 10 chips
    return {"at": depth, "nearest": nearest, "hands": result.hands, "mbb": estimate.as_values()}


def main() -> None:
    """Train, measure, print."""
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n", maxsplit=1)[0])
    parser.add_argument("--folder", type=Path, default=Path("depths"), help="folder of the files")
    depths = [depth for depth in DEFAULT_DEPTHS if default_name(depth) != "default"]
    parser.add_argument(
        "--depths", type=int, nargs="+", default=depths, help="stacks in big blinds"
    )
    parser.add_argument(
        "--iterations", type=int, help="for a shorter trial; the floor falls after half of them"
    )
    parser.add_argument(
        "--threads", type=int, default=0, help="threads of a training (0 = all cores)"
    )
    parser.add_argument("--lbr", type=int, default=0, help="hands of local best response")
    parser.add_argument(
        "--sets", nargs="+", default=["fcpa-fcpa-fcpa-fcpa"], help="sets of local best response"
    )
    parser.add_argument("--at", type=int, default=[], nargs="+", help="depths of matches")
    parser.add_argument("--hands", type=int, default=20_000, help="hands of a match")
    parser.add_argument(
        "--aivat", action="store_true", help="reduce the variance of matches by AIVAT"
    )
    parser.add_argument("--seed", type=int, default=1, help="random seed of the measurements")
    parser.add_argument("--workers", type=int, help="processes; one for each core by default")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for depth in options.depths:
        for values in trained(depth, options):
            print(json.dumps(values), flush=True)
    for depth in options.depths if options.lbr else ():
        for values in exploited(depth, options):
            print(json.dumps(values), flush=True)
    for depth in options.at:
        print(json.dumps(between(depth, options)), flush=True)


if __name__ == "__main__":
    main()
