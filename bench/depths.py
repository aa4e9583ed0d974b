"""Loss of a strategy that was trained for another stack size, at stacks of 75 big blinds.

One command runs everything, and continues where it was stopped:

    uv run python bench/depths.py --folder depths --minutes 10 --hands 200000

The script trains the same bet menu and card abstraction for stacks of 50, 75 and 100 big blinds,
for the same time. At stacks of 75 the strategy for 75 then plays against each of the other two, and
against a folder with both, from which the bot takes the nearest. Matches have duplicate deals and
95 % confidence intervals; `--aivat` reduces their variance, `--lbr` measures each strategy at its
own stack size by local best response. The script prints one JSON object per line.
"""

import argparse
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from riverboat.arena import play_match
from riverboat.evaluate import local_best_response
from riverboat.game import GameSpec
from riverboat.training import Recipe, load_recipe, train

DEPTHS: Final = (50, 75, 100)
MEASURED: Final = 75
MENU: Final = (
    "2.5x, 6x, a | 100%, a ; cap 4 / 50%, 100%, a | 100%, a ; cap 3"
    " / 50%, 100%, 250%, a | 100%, a ; cap 3"
)
CARDS: Final = "distribution 169/1000/800/500"
SCHEME: Final = {"sampling": "external", "rule": "linear", "averaging": "linear", "step": 100_000}
_BIG_BLIND: Final = 10


def recipe_of(depth: int, seconds: float, seed: int) -> Recipe:
    """Return the recipe for a stack size."""
    stacks = [depth * _BIG_BLIND] * 2
    game = {"name": f"nolimit-{depth}bb", "stacks": stacks, "blinds": [5, _BIG_BLIND]}
    return load_recipe("default", {
        "game": game, "menu": MENU, "cards": CARDS, "scheme": SCHEME, "threshold": 0.0,
        "budget": {"seconds": seconds}, "seed": seed,
        "every": {"report": 60.0}, "bound": {"every": 0.0},
    })  # fmt: skip


def trained(folder: Path, depth: int, seconds: float, seed: int) -> Path:
    """Return the strategy for a stack size; train it if its file does not exist."""
    path = folder / f"{depth}.blueprint"
    if not path.is_file():
        started = any(folder.glob(f"{depth}.*"))
        for step in train(recipe_of(depth, seconds, seed), path, resume=started, plot=False):
            print(f"{depth} bb: {step.event}, {step.iterations:,} iterations", flush=True)
    return path


def matches(paths: dict[int, Path], nearest: Path, options: Any) -> Iterator[dict[str, Any]]:
    """Play at 75 big blinds; yield the winnings of the strategy trained for them."""
    chips = MEASURED * _BIG_BLIND
    game = GameSpec((chips, chips), (5, _BIG_BLIND), name=f"nolimit-{MEASURED}bb")
    rivals = {"folder": nearest, **{f"{d} bb": paths[d] for d in DEPTHS if d != MEASURED}}
    for name, rival in rivals.items():
        result = play_match(
            [f"blueprint:{paths[MEASURED]}", f"blueprint:{rival}"],
            game, hands=options.hands, seed=options.seed, workers=options.workers,
            aivat=options.aivat,
        )  # fmt: skip
        estimate = result.best_estimate().scaled(1000 / _BIG_BLIND)
        yield {"against": name, "hands": result.hands, "mbb_per_hand": estimate.as_values()}


def exploited(paths: dict[int, Path], options: Any) -> Iterator[dict[str, Any]]:
    """Measure each strategy at its own stack size by local best response."""
    for depth, path in paths.items():
        game = recipe_of(depth, 1.0, 1).spec
        found = local_best_response(
            f"blueprint:{path}", "fcpa", game=game, hands=options.lbr, seed=options.seed,
            workers=options.workers,
        )  # fmt: skip
        yield {"depth": depth, "set": found.set, "hands": found.hands, "lbr": found.won.as_values()}


def main() -> None:
    """Train, play, print."""
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n", maxsplit=1)[0])
    parser.add_argument(
        "--folder", type=Path, default=Path("depths"), help="folder for the strategies"
    )
    parser.add_argument(
        "--minutes", type=float, default=10.0, help="minutes of training for each strategy"
    )
    parser.add_argument("--hands", type=int, default=200_000, help="hands of each match")
    parser.add_argument("--seed", type=int, default=1, help="random seed of training and matches")
    parser.add_argument("--workers", type=int, help="processes; one for each core by default")
    parser.add_argument(
        "--aivat", action="store_true", help="reduce the variance of matches by AIVAT"
    )
    parser.add_argument(
        "--lbr", type=int, default=0, help="hands of local best response (0 = none)"
    )
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    seconds = 60 * options.minutes
    paths = {d: trained(options.folder, d, seconds, options.seed) for d in DEPTHS}
    nearest = options.folder / "nearest"
    nearest.mkdir(exist_ok=True)
    for depth in DEPTHS:
        if depth != MEASURED:
            shutil.copyfile(paths[depth], nearest / f"{depth}.blueprint")
    for values in matches(paths, nearest, options):
        print(json.dumps(values), flush=True)
    for values in exploited(paths, options) if options.lbr else ():
        print(json.dumps(values), flush=True)


if __name__ == "__main__":
    main()
