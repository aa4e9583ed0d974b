"""`riverboat tree`: count or draw a betting tree before training on it."""

import time
from pathlib import Path
from typing import Annotated, Any

from riverboat.cli._command import option
from riverboat.cli._options import MenuOption, TableGameOption
from riverboat.cli._output import Answer, grid
from riverboat.errors import GameError
from riverboat.files import atomic_path
from riverboat.game import GameSpec, find_game
from riverboat.report import duration, size
from riverboat.tree import MAX_NODES, Tree, draw_tree

#: A regret of 4 bytes and an average-strategy weight of 8.
BYTES_PER_ENTRY = 12


def tree_command(
    game: TableGameOption,
    menu: MenuOption,
    buckets: Annotated[
        str, option("Number of buckets by street, such as 169,200,200,200, or one number.")
    ] = "",
    players: Annotated[int | None, option("Number of players (default: the game's).")] = None,
    max_nodes: Annotated[int, option("Maximum number of nodes.")] = MAX_NODES,
    draw: Annotated[Path | None, option("Draw the tree into this .svg file.")] = None,
    levels: Annotated[
        int | None, option("Number of actions from the root that --draw shows.", least=1)
    ] = None,
    deals: Annotated[bool, option("Draw chance nodes, too (small games such as kuhn).")] = False,
) -> Answer:
    """Count or draw the betting tree of a game and a bet menu."""
    spec = find_game(game, players)
    counts = _parse_buckets(buckets, spec)
    start = time.perf_counter()
    tree = Tree(spec, menu, max_nodes)
    seconds = time.perf_counter() - start
    if draw is not None:
        _draw(tree, draw, levels, deals=deals)
    elif levels is not None or deals:
        raise GameError("--levels and --deals need --draw FILE.svg")
    return _answer(tree, counts, seconds)


def _draw(tree: Tree, path: Path, levels: int | None, *, deals: bool) -> None:
    """Draw a tree into a file."""
    if path.suffix != ".svg":
        raise GameError(f"--draw writes .svg files, not {path.name!r}")
    picture = draw_tree(tree, levels, deals=deals)
    with atomic_path(path) as temporary:
        temporary.write_text(picture, encoding="utf-8")


def _parse_buckets(text: str, spec: GameSpec) -> list[int] | None:
    """Bucket counts by street; None if none are given."""
    words = text.replace(",", " ").split()
    if not words:
        return None
    streets = len(spec.streets)
    good = all(w.isascii() and w.isdigit() and len(w) <= 9 and int(w) > 0 for w in words)
    if not good or len(words) not in (1, streets):
        raise GameError(
            f"--buckets takes one whole number above 0, or {streets} of them (one for each "
            f"street), not {text!r}"
        )
    return [int(word) for word in words] * (streets if len(words) == 1 else 1)


def _answer(tree: Tree, buckets: list[int] | None, seconds: float) -> Answer:
    streets = {
        "decisions": tree.num_decisions,
        "folds": tree.num_folds,
        "showdowns": tree.num_showdowns,
    }
    trained: dict[str, Any] = {"infosets": None, "entries": None, "training_bytes": None}
    columns, memory = streets, "Give --buckets for information sets and memory."
    if buckets is not None:
        counts = {"infosets": tree.num_infosets(buckets), "entries": tree.num_entries(buckets)}
        trained = {**counts, "training_bytes": tree.memory(buckets, BYTES_PER_ENTRY)}
        columns = streets | counts
        memory = (
            f"With {', '.join(f'{count:,}' for count in buckets)} buckets, training needs "
            f"{size(trained['training_bytes'])} of memory: for each entry a regret of 4 bytes and "
            "an average-strategy weight of 8 bytes."
        )
    values = {
        "game": tree.spec.name,
        "menu": str(tree.menu),
        "nodes": tree.num_nodes,
        **streets,
        "groups": len(tree.group_player),
        "buckets": buckets,
        **trained,
        "build_seconds": seconds,
    }
    table = grid(["street", *columns], left=0)
    for street in range(tree.num_streets):
        table.add_row(str(street), *(f"{column[street]:,}" for column in columns.values()))
    table.add_section()
    table.add_row("all", *(f"{sum(column):,}" for column in columns.values()))
    nodes = f"{tree.num_nodes:,} nodes, built in {duration(seconds)}"
    return Answer(values, f"{tree.spec.name}, menu {tree.menu}", table, nodes, memory)
