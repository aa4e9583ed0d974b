"""What an opponent wins who shoves good hands before the flop and otherwise plays the same file.

The share of hands with which a strategy calls a shove says little: what counts is how much a player
wins who knows that. The shover goes all-in with the best hands at its first decision and plays the
strategy with the others, so without the shoves it would win 0. AIVAT takes luck out:

    uv run python bench/shover.py --shares 5 10 20 --hands 20000 --seed 1

The script prints one JSON object for each share of hands, in percent of all pairs.
"""

import argparse
import json
from collections.abc import Callable

from riverboat.arena import play_match
from riverboat.bots import Bot, make_bot
from riverboat.cards import best_holes, hole_index
from riverboat.game import Action, View


class Shover:
    """A bot that shoves the best hands before the flop."""

    def __init__(self, bot: Bot, share: float) -> None:
        self._bot = bot
        self._holes = frozenset(best_holes(share).tolist())

    def act(self, view: View) -> str | Action:
        """Go all-in with a good hand; otherwise ask the other bot."""
        limits = view.legal.raise_to
        if limits is not None and view.street == 0 and hole_index(*view.hole) in self._holes:
            return f"b{limits[1]}"
        return self._bot.act(view)


def shover(bot: str, share: float) -> Callable[[int], Bot]:
    """Return what makes the bot in a match."""

    def shoving(seed: int) -> Bot:
        return Shover(make_bot(bot, seed=seed), share)

    return shoving


def main() -> None:
    """Play a match for each share."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--bot", default="blueprint")
    parser.add_argument("--game", default="nolimit-100bb")
    parser.add_argument("--shares", type=float, nargs="+", default=[5.0, 10.0, 20.0])
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for share in given.shares:
        result = play_match(
            [shover(given.bot, share), given.bot], given.game,
            hands=given.hands, seed=given.seed, aivat=True,
        )  # fmt: skip
        row = {"share": share, "hands": result.hands, "seed": given.seed}
        won = result.best_estimate().scaled(1000 / result.settings.spec.big_blind).as_values()
        print(json.dumps({**row, "mbb_per_hand": won}), flush=True)


if __name__ == "__main__":
    main()
