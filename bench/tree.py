"""Speed of building betting trees. Run: uv run python bench/tree.py.

Each figure is the best of 3 runs on one core, wall-clock, from (game, menu) to the finished
arrays. The last tree has more than a million nodes; the target is 5 s for a million.
"""

import time

from riverboat._core import ISA
from riverboat.game import catalogue
from riverboat.tree import Tree

RUNS = 3
TREES = [
    ("leduc", None, "min"),
    ("limit", None, "yerevan"),
    ("nolimit-100bb", None, "laptop"),
    ("nolimit-200bb", None, "fcpa"),
    ("limit", 3, "yerevan"),
    ("nolimit-100bb", None, "caltech"),
    ("nolimit-100bb", None, "2.5x, 50%, 100%, a ; cap 4 / 33%, 75%, 150%, a | 50%, 100%, a ; cap 3"),
]


def best_time(game: str, players: int | None, menu: str) -> tuple[Tree, float]:
    """Return the tree and the shortest of some builds, seconds."""
    spec, times = catalogue(game, players), []
    for _ in range(RUNS):
        start = time.perf_counter()
        tree = Tree(spec, menu)
        times.append(time.perf_counter() - start)
    return tree, min(times)


def main() -> None:
    """Print all speeds."""
    print(__doc__)
    print(f"kernels: {ISA}")
    print(f"{'decisions':>11}{'nodes':>12}{'s':>9}{'nodes/s':>13}{'s/million':>11}   tree")
    for game, players, menu in TREES:
        tree, seconds = best_time(game, players, menu)
        nodes = tree.num_nodes
        print(
            f"{sum(tree.num_decisions):>11,}{nodes:>12,}{seconds:>9.4f}{nodes / seconds:>13,.0f}"
            f"{seconds / nodes * 1e6:>11.2f}   {game}, {tree.num_players} players, {menu}"
        )


if __name__ == "__main__":
    main()
