"""Time of a query to a strategy: `uv run python bench/query.py`.

The strategy of no-limit hold'em (menu `laptop`) has suitless buckets up to the flop and random
entries; the views are those of one seat through whole hands. Times are CPU time, the best of five
runs.
"""

import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from riverboat.blueprint import Blueprint, Header, write_blueprint
from riverboat.buckets import make_abstraction
from riverboat.game import Hand, View, catalogue
from riverboat.tree import Tree

HANDS = 1500


def make_blueprint(folder: Path) -> Blueprint:
    """Fill a strategy at random."""
    spec = catalogue("nolimit-100bb")
    tree = Tree(spec.replace(streets=spec.streets[:2]), "laptop")
    cards = make_abstraction("suitless 2")
    header = Header.of(tree, cards)
    table = np.random.default_rng(1).integers(1, 100, header.entries, np.uint8)
    write_blueprint(folder / "bench", header, tree, table.astype(np.float32), cards)
    return Blueprint.open(folder / "bench")


def views_of(blueprint: Blueprint, stacks: tuple[int, int], on_menu: bool) -> list[View]:
    """Views of seat 0 through some hands; bets are on the menu or up to 3x the minimum."""
    rng, views = random.Random(1), []  # noqa: S311 - a bench, no secret
    for seed in range(HANDS):
        hand = Hand(blueprint.tree.spec, seed=seed, stacks=stacks)
        while hand.actor is not None:
            view = hand.view(hand.actor)
            if hand.actor == 0:
                views.append(view)
            passive = "k" if view.legal.check else "c"
            moves = [move for move, _ in blueprint.strategy(view).actions if move != "f"]
            if (not on_menu or not moves) and view.legal.raise_to is not None:
                low, high = view.legal.raise_to
                moves = [f"b{rng.randint(low, min(high, 3 * low))}", passive]
            hand.do(rng.choice(moves or [passive]))
    return views


def microseconds(call: Callable[[View], object], views: list[View]) -> float:
    """CPU time of one call, the best of five runs."""
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        for view in views:
            call(view)
        best = min(best, time.process_time() - start)
    return best / len(views) * 1e6


def main() -> None:
    """Print a line for each kind of table."""
    with tempfile.TemporaryDirectory() as folder:
        blueprint = make_blueprint(Path(folder))
        for name, stacks, on_menu in (
            ("the tree's stacks, bets on the menu", (1000, 1000), True),
            ("the tree's stacks, any bets", (1000, 1000), False),
            ("three times as deep, bets on the menu", (3000, 3000), True),
        ):
            views, query = views_of(blueprint, stacks, on_menu), blueprint.query()
            find = microseconds(query.tracker.find, views)
            ask = microseconds(query.strategy, views)
            print(f"{name}: node {find:.1f} us, strategy(view) {ask:.1f} us, {len(views)} views")


if __name__ == "__main__":
    main()
