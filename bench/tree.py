"""Speed of building betting trees. Run: uv run python bench/tree.py.

Each figure is the best of 3 runs on one core, wall-clock, from (game, menu) to the finished
arrays. The target is 5 s for a million nodes.
"""

import time

from rich.console import Console

from riverboat._core import ISA
from riverboat.game import catalogue
from riverboat.report import Table, duration, print_table
from riverboat.tree import Tree

RUNS = 3
TREES = [
    ("leduc", None, "min"),
    ("limit", None, "yerevan"),
    ("nolimit-100bb", None, "laptop"),
    ("nolimit-200bb", None, "fcpa"),
    ("leduc", 3, "min"),
    ("discard-2017", None, "pineapple"),
    ("nolimit-100bb", None, "caltech"),
    ("nolimit-100bb", None, "2.5x, 100%, a ; cap 3 / 33%, 75%, 150%, a | 100%, a ; cap 3"),
]


def best_time(game: str, players: int | None, menu: str) -> tuple[Tree, float]:
    """Return the tree and the shortest build time of several, in seconds."""
    spec, times = catalogue(game, players), []
    for _ in range(RUNS):
        start = time.perf_counter()
        tree = Tree(spec, menu)
        times.append(time.perf_counter() - start)
    return tree, min(times)


def row(game: str, players: int | None, menu: str) -> tuple[str, ...]:
    """Measure one tree."""
    tree, seconds = best_time(game, players, menu)
    nodes = tree.num_nodes
    return (
        f"{game}, {tree.num_players} players, {menu}",
        f"{sum(tree.num_decisions):,}",
        f"{nodes:,}",
        duration(seconds),
        f"{nodes / seconds:,.0f}",
        f"{seconds / nodes * 1e6:.2f}",
    )


def main() -> None:
    """Print all speeds."""
    print(__doc__)
    columns = ("tree", "decisions", "nodes", "time", "nodes/s", "s/million")
    rows = tuple(row(*each) for each in TREES)
    print_table(Table(f"kernels: {ISA}", columns, rows), Console())


if __name__ == "__main__":
    main()
