"""Hands per second of Python bots, compared with PyPokerEngine in the same run.

Both sides check and call; every hand has eight decisions. Riverboat's figure is for a whole match:
views, decision times, duplicate deals, sums and confidence intervals. One process, CPU time. Run

    uv run --group peers python bench/arena.py
"""

import time
from collections.abc import Callable
from typing import Any

from peer_callers import pypokerengine_callers
from riverboat.arena import play_match
from riverboat.game import View

SECONDS = 3.0


class Fish:
    """Checks and calls."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def act(self, view: View) -> str:
        """Choose."""
        return "c" if view.to_call else "k"


class AllIn(Fish):
    """Bets everything."""

    def act(self, view: View) -> str:
        """Choose."""
        raise_to = view.legal.raise_to
        return super().act(view) if raise_to is None else f"b{raise_to[1]}"


def hands_per_second(play: Callable[[int], object], batch: int) -> float:
    """Run batches for some seconds; return the best speed by CPU time, since machines are busy."""
    play(batch)
    best, end = 0.0, time.process_time() + SECONDS
    while time.process_time() < end:
        start = time.process_time()
        play(batch)
        best = max(best, batch / (time.process_time() - start))
    return best


def match(bots: list[Any], **settings: Any) -> Callable[[int], object]:
    """Return a function that plays a match of so many hands."""
    return lambda hands: play_match(bots, hands=hands, seed=1, **settings)


def main() -> None:
    """Print the figures and the ratio."""
    peer = None
    try:
        peer = hands_per_second(pypokerengine_callers(stack=1000, small_blind=5), 50)
        print(f"{'PyPokerEngine, both call':44} {peer:10,.0f} hands/s")
    except ImportError:
        print("PyPokerEngine is not installed: run with --group peers")
    rows: list[tuple[str, Callable[[int], object], int]] = [
        ("Fish v Fish, own bots", match([Fish, Fish]), 4_000),
        ("checkcall v checkcall, built-in bots", match(["checkcall", "checkcall"]), 4_000),
        ("random v random", match(["random", "random"]), 4_000),
        ("All-In v Fish, all-in hands corrected", match([AllIn, Fish]), 4_000),
        ("All-In v Fish, not corrected", match([AllIn, Fish], correct=False), 4_000),
        ("six callers", match([Fish] * 6), 1_200),
    ]
    for name, play, batch in rows:
        speed = hands_per_second(play, batch)
        ratio = f"{speed / peer:8.1f} x PyPokerEngine" if peer else ""
        print(f"{name:44} {speed:10,.0f} hands/s {ratio}")


if __name__ == "__main__":
    main()
