"""What a strategy for another depth loses: stacks of 75 big blinds, trained for and not.

One command does it all, and goes on where it was stopped:

    uv run python bench/depths.py --folder depths --minutes 10 --hands 200000

It trains one menu and one card abstraction with stacks of 50, 75 and 100 big blinds, equally long,
and lets play at 75: the strategy of 75 against a folder of the two others, from which the bot takes
the nearest, and against each of these. Duplicate hands, 95 % intervals; `--aivat` takes luck out of
them, `--lbr` measures each strategy at its own depth by local best response. It prints one JSON
object a line.
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
    """Return what is trained for a depth."""
    stacks = [depth * _BIG_BLIND] * 2
    game = {"name": f"nolimit-{depth}bb", "stacks": stacks, "blinds": [5, _BIG_BLIND]}
    return load_recipe("default", {
        "game": game, "menu": MENU, "cards": CARDS, "scheme": SCHEME, "threshold": 0.0,
        "budget": {"seconds": seconds}, "seed": seed,
        "every": {"report": 60.0}, "bound": {"every": 0.0},
    })  # fmt: skip


def trained(folder: Path, depth: int, seconds: float, seed: int) -> Path:
    """Return the strategy of a depth; one that is there is taken."""
    path = folder / f"{depth}.blueprint"
    if not path.is_file():
        started = any(folder.glob(f"{depth}.*"))
        for step in train(recipe_of(depth, seconds, seed), path, resume=started, plot=False):
            print(f"{depth} bb: {step.event}, {step.iterations:,} iterations", flush=True)
    return path


def matches(paths: dict[int, Path], nearest: Path, options: Any) -> Iterator[dict[str, Any]]:
    """Play at the measured depth; yield what the strategy of that depth wins."""
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
    """Measure each strategy at its own depth by local best response."""
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
    parser.add_argument("--folder", type=Path, default=Path("depths"), help="for the strategies")
    parser.add_argument("--minutes", type=float, default=10.0, help="of training, each")
    parser.add_argument("--hands", type=int, default=200_000, help="of each match")
    parser.add_argument("--seed", type=int, default=1, help="of training and matches")
    parser.add_argument("--workers", type=int, help="processes; one for each core by default")
    parser.add_argument("--aivat", action="store_true", help="take luck out of the matches")
    parser.add_argument("--lbr", type=int, default=0, help="hands of local best response; 0: none")
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
