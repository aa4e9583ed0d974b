"""Play the default bot against every opponent that it must beat: the tables of docs/default.md.

The matches are duplicate deals of no-limit hold'em, with 95 % confidence intervals, by default with
100 big blinds: `--depths 10 20 50 200` plays the table once for each. The random seed is one higher
for each opponent. Train the files of two opponents with

    riverboat train cardiff
    riverboat train husky --seconds 60

and print the table with

    uv run python bench/default.py --seed 81001 --cardiff cardiff.blueprint --husky husky.blueprint

Opponents without a file are left out and reported. `--json` prints one object per line: depth_bb,
bot, opponent, seed, hands, unit, units, mbb_per_hand (mean, interval_95), beaten.
"""

import argparse
import json
from collections.abc import Iterator
from typing import Any, Final

from riverboat.arena import Match, MatchResult, MatchSettings, play_matches, unit_of

RIVALS: Final = (
    "fish",
    "angry-fish",
    "all-in",
    "honest",
    "honest-pypokerengine",
    "shark",
    "matt",
    "mike",
    "killer",
    "killbot",
    "random",
    "random-pypokerengine",
    "rule-based",
    "montecarlo:samples=50",
    "montecarlo",
    "montecarlo-plus",
    "backup",
)
#: Caltech's variants; the deterministic one may tie.
STYLES: Final = (
    "aggressive",
    "tight",
    "random",
    "calling-machine",
    "tight-aggressive",
    "deterministic",
)


def opponents(bot: str, cardiff: str | None, husky: str | None) -> list[str]:
    """All opponents of a bot, in the order of the table."""
    trained = [f"{name}:{cardiff}" for name in ("cfrv1", "cfrv2") if cardiff]
    trained += [f"blueprint:{husky}"] if husky else []
    joint = "," if ":" in bot else ":"
    return [*RIVALS, *trained, *(f"{bot}{joint}style={style}" for style in STYLES)]


def table(rivals: list[str], options: Any) -> Iterator[MatchResult]:
    """Play one match after the other in one pool of processes; yield each result."""
    matches = [
        Match(
            MatchSettings(
                (options.bot, rival),
                game=f"nolimit-{depth}bb",
                hands=options.hands,
                seed=options.seed + number,
            )
        )
        for depth in options.depths
        for number, rival in enumerate(rivals)
    ]
    told = 0
    for _ in play_matches(matches, options.workers):
        while told < len(matches) and matches[told].over:
            yield matches[told].finish()
            told += 1


def as_values(result: MatchResult) -> dict[str, Any]:
    """A line of the table for a program."""
    spec = result.settings.spec
    blind = unit_of(spec)[0]
    estimate = result.best_estimate().scaled(1000 / blind)
    return {
        "depth_bb": spec.stacks[0] // spec.big_blind,
        "bot": result.settings.names[0],
        "opponent": result.settings.names[1],
        "seed": result.settings.seed,
        "hands": result.hands,
        "unit": result.unit,
        "units": estimate.units,
        "mbb_per_hand": estimate.as_values(),
        "beaten": estimate.interval[0] > 0,
    }


def main() -> None:
    """Read the options, play, print."""
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n", maxsplit=1)[0])
    parser.add_argument(
        "--bot", default="blueprint", help="bot to measure (default: the default bot)"
    )
    parser.add_argument("--depths", type=int, nargs="+", default=[100], help="stacks in big blinds")
    parser.add_argument("--hands", type=int, default=100_000, help="hands against each opponent")
    parser.add_argument("--seed", type=int, default=1, help="random seed of the first match")
    parser.add_argument("--workers", type=int, help="processes; one for each core by default")
    parser.add_argument("--cardiff", help="a file of `riverboat train cardiff`")
    parser.add_argument("--husky", help="a file of `riverboat train husky`")
    parser.add_argument("--only", nargs="*", help="only opponents that contain one of these words")
    parser.add_argument("--json", action="store_true", help="print JSON lines")
    options = parser.parse_args()
    rivals = opponents(options.bot, options.cardiff, options.husky)
    if options.only:
        rivals = [rival for rival in rivals if any(word in rival for word in options.only)]
    missing = [name for name in ("cardiff", "husky") if getattr(options, name) is None]
    for result in table(rivals, options):
        values = as_values(result)
        if options.json:
            print(json.dumps(values), flush=True)
            continue
        low, high = values["mbb_per_hand"]["interval_95"]
        print(
            f"{'' if values['beaten'] else '!':1} {values['depth_bb']:4} bb  "
            f"{values['opponent']:44} "
            f"{values['mbb_per_hand']['mean']:10,.0f}  [{low:8,.0f}, {high:8,.0f}] mbb/h  "
            f"{values['hands']:,} hands  seed {values['seed']}",
            flush=True,
        )
    if missing and not options.only:
        print(f"left out, because no file is given: {', '.join(f'--{name}' for name in missing)}")


if __name__ == "__main__":
    main()
