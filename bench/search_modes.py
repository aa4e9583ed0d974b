"""Winnings of a best response on rivers that search solved, by mode: exact, hand by hand.

    uv run python bench/search_modes.py --rivers 200 --iterations 157

The default strategy plays itself to the river. There each seat in turn solves as `search` does with
`first=river`, and its opponent plays the best response with every hand, by the bet sizes of the
solve. The opponent's winnings are averaged over hands in two ways: by the range that the solve
expects, and evenly over all hands, for an opponent with another range. The script prints one JSON
object per line: shares in percent of the pot with 95 % confidence intervals, also of the difference
from `unsafe`.
"""

import argparse
import json
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from riverboat.bots import make_bot
from riverboat.cards import hands_met
from riverboat.game import Hand, View, catalogue
from riverboat.search import Plan, SearchBot

MODES: Final = ("unsafe", "resolve", "maxmargin", "reach", "combined")
NAMES: Final = ("expected", "even")
_RIVER: Final = 3


def rivers(count: int, seed: int) -> Iterator[View]:
    """Yield the first decisions of both seats on rivers that the strategy reaches."""
    bots = [make_bot("blueprint", seed + seat) for seat in (0, 1)]
    found = 0
    while found < count:
        seed += 1
        hand = Hand(catalogue("nolimit-100bb"), seed=seed)
        while hand.actor is not None and hand.street < _RIVER:
            hand.do(bots[hand.actor].act(hand.view(hand.actor)))
        if hand.actor is not None:
            found += 1
            yield hand.view(hand.actor)
            hand.do("k")
            yield hand.view(hand.actor)


def shares(bot: SearchBot, view: View, iterations: int) -> tuple[float, float]:
    """Return the winnings of the best response in pots: by the expected range, and evenly."""
    searcher = bot.searcher(view.spec)
    assert searcher is not None
    found = searcher.subgame(view, Plan(iterations), whole=True)
    player = 0 if view.line.endswith("k") and view.line.count("/") == _RIVER else 1
    best = np.nan_to_num(found.engine.best_values(player, 0)) / found.planned.state.pot
    expected = found.ranges[player]
    met = np.where(expected > 0, hands_met(found.ranges[1 - player]), 0.0)
    weights = expected * met
    return float(weights @ best / weights.sum()), float(met @ best / met.sum())


def mean_and_margin(of: NDArray[np.float64]) -> list[float]:
    """Mean and half-width of the 95 % confidence interval over rivers, in percent."""
    percent = 100 * of
    wide = 1.96 * percent.std(ddof=1) / len(of) ** 0.5
    return [round(float(percent.mean()), 2), round(float(wide), 2)]


def measured(options: Any) -> Iterator[dict[str, Any]]:
    """Measure all modes on the same rivers."""
    views = list(rivers(options.rivers, options.seed))
    unsafe: NDArray[np.float64] | None = None
    for mode in MODES:
        bot = make_bot(f"search:first=river,mode={mode},iterations={options.iterations}", 1)
        assert isinstance(bot, SearchBot)
        each = np.array([shares(bot, view, options.iterations) for view in views])
        of_rivers = each.reshape(options.rivers, 2, 2).mean(axis=1)  # both seats
        unsafe = of_rivers if unsafe is None else unsafe
        shown = {
            name: {"share": mean_and_margin(now), "above_unsafe": mean_and_margin(now - plain)}
            for name, now, plain in zip(NAMES, of_rivers.T, unsafe.T, strict=True)
        }
        yield {"mode": mode, **vars(options), **shown}


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rivers", type=int, default=200)
    parser.add_argument("--iterations", type=int, default=157)
    parser.add_argument("--seed", type=int, default=1)
    for line in measured(parser.parse_args()):
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
