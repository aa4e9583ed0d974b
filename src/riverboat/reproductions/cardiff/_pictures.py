"""The thesis's drawings from the project's own data: sampling (figures 4, 5), bets (2, 3)."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from riverboat.game import Hand, catalogue
from riverboat.plain import Chance, Choice, External, Random, Sampling
from riverboat.report import COLOURS, new_panels, plain_ticks, save_figure
from riverboat.reproductions.cardiff._recipe import DATA, toy_game
from riverboat.tree import DECISION, Tree

_DEALS = ("J v Q", "J v K", "Q v J", "Q v K", "K v J", "K v Q")
_DEALT = 4  # the sampled deal, K v J
_STRENGTHS = (2, 0)
_SEED = 2

_WORDS = {"k": "check", "b": "bet", "c": "call", "f": "fold"}
_GREY = "0.75"
_FEW = 20  # raises that are labelled


class Visited(NamedTuple):
    """What a traversal of Kuhn poker for the first player visits, after the deal K v J."""

    nodes: frozenset[int]
    values: dict[int, float]
    """Value of each visited node for the first player, chips."""


def traverse(tree: Tree, sampling: Sampling, seed: int) -> Visited:
    """Traverse the tree with uniform play.

    Examples
    --------
    >>> kuhn = Tree(catalogue("kuhn"), "min")
    >>> [len(traverse(kuhn, each, 1).nodes) for each in (Chance(), External())]
    [9, 5]
    """
    random, values = Random(seed, 0), dict[int, float]()

    def walk(node: int) -> float:
        if tree.kind[node] != DECISION:
            values[node] = float(tree.settle(node, _STRENGTHS)[0])
            return values[node]
        count = int(tree.num_actions[node])
        strategy = np.full(count, 1 / count)
        choice = Choice(bool(tree.player[node] == 0), strategy, np.zeros(count))
        below = [
            (walk(tree.children(node)[action]), chance)
            for action, chance in sampling.walked(choice, random)
        ]
        values[node] = sum(value / count / chance for value, chance in below)
        return values[node]

    walk(0)
    return Visited(frozenset(values), values)


def draw_sampling(path: Path) -> None:
    """Draw what chance and external sampling visit of Kuhn poker, and the regrets that follow."""
    tree = Tree(catalogue("kuhn"), "min")
    figure, panels = new_panels(1, 2, (11.0, 5.6), shared=False)
    titles: dict[str, Sampling] = {
        "Chance sampling: one deal, all actions": Chance(),
        "External sampling: one action of player 2": External(),
    }
    for axes, (title, sampling) in zip(panels, titles.items(), strict=True):
        axes.set_title(title, fontsize="medium")
        axes.axis("off")
        _draw_traversal(axes, tree, traverse(tree, sampling, _SEED))
    save_figure(figure, path)


def _draw_traversal(axes: Any, tree: Tree, visited: Visited) -> None:
    places = dict(_places(tree))
    for index, deal in enumerate(_DEALS):
        x, taken = index * 1.1 - 2.75, index == _DEALT
        axes.plot([0, x], [1.9, 1.25], color=COLOURS[0] if taken else _GREY, lw=2.5 if taken else 1)
        axes.text(x, 1.12, deal, ha="center", va="center", fontsize=9)
        if taken:
            axes.plot([x, 0], [1.0, 0.1], color=COLOURS[0], lw=2.5)
    axes.text(0, 2.0, "cards", ha="center", va="bottom", fontsize=9)
    for node, (x, y) in places.items():
        parent = int(tree.parent[node])
        if node:
            _draw_edge(axes, places[parent], (x, y), seen=node in visited.nodes)
            word = _WORDS[_actions(tree, node)[-1]]
            middle = (places[parent][0] + x) / 2, (places[parent][1] + y) / 2
            axes.text(
                *middle, word, fontsize=8, ha="center", va="center", bbox={"fc": "white", "lw": 0}
            )
        _draw_node(axes, tree, visited, node, (x, y))


def _draw_edge(
    axes: Any, begin: tuple[float, float], end: tuple[float, float], *, seen: bool
) -> None:
    style = {"color": COLOURS[0], "lw": 2.5} if seen else {"color": _GREY, "lw": 1, "ls": "--"}
    axes.plot(*zip(begin, end, strict=True), **style)


def _draw_node(
    axes: Any, tree: Tree, visited: Visited, node: int, place: tuple[float, float]
) -> None:
    seen, (x, y) = node in visited.nodes, place
    if tree.kind[node] != DECISION:
        text = f"{visited.values[node]:+.0f}" if seen else "not visited"
        axes.text(
            x, y - 0.08, text, ha="center", va="top", fontsize=9, color="black" if seen else "0.5"
        )
        return
    player = int(tree.player[node])
    axes.plot(x, y, "o", ms=20, zorder=3, color=COLOURS[player + 1] if seen else _GREY)
    axes.text(x, y, f"P{player + 1}", ha="center", va="center", color="white", zorder=4)
    if player == 0 and seen:
        value = visited.values
        gains = {child: value[child] - value[node] for child in tree.children(node)}
        lines = [
            f"{_WORDS[_actions(tree, child)[-1]]} {gain:+.2g}" for child, gain in gains.items()
        ]
        text = "gains: " + ", ".join(lines)
        axes.text(x, y + 0.2, text, ha="center", fontsize=8, bbox={"fc": "white", "lw": 0})


def _places(tree: Tree) -> Iterator[tuple[int, tuple[float, float]]]:
    """Yield the place of each node: terminals side by side, decisions above their middle."""
    ends = [node for node in range(tree.num_nodes) if tree.kind[node] != DECISION]
    x = {node: 1.25 * index - 2.5 for index, node in enumerate(sorted(ends, key=tree.line))}
    for node in range(tree.num_nodes - 1, -1, -1):
        if node not in x:
            x[node] = float(np.mean([x[child] for child in _ends(tree, node)]))
    for node in range(tree.num_nodes):
        yield node, (x[node], -1.0 * len(_actions(tree, node)))


def _actions(tree: Tree, node: int) -> str:
    """Return the letters of a node's line, one per action."""
    return re.sub("[^a-z]", "", tree.line(node))


def _ends(tree: Tree, node: int) -> list[int]:
    if tree.kind[node] != DECISION:
        return [node]
    return [end for child in tree.children(node) for end in _ends(tree, child)]


def draw_abstraction(path: Path) -> None:
    """Draw the small blind's legal raises, and those that two bet menus keep."""
    game = catalogue("nolimit-100bb")
    legal = Hand(game, seed=1)
    raises = list(range(legal.min_raise_to or 0, (legal.max_raise_to or 0) + 1))
    wide = Tree(game, DATA.variants["raises"].menu)
    all_sizes = f"{len(raises)} whole numbers from {raises[0]} to {raises[-1]:,}"
    rows = {
        f"all legal raises: the {all_sizes}": raises,
        f"future work: {DATA.variants['raises'].menu.split('|')[0].strip()}": _first_raises(wide),
        "as published: the minimum raise": _first_raises(Tree(toy_game(2), "min ; cap 3 each")),
    }
    figure, panels = new_panels(len(rows), 1, (8.5, 4.2))
    for axes, (title, sizes), colour in zip(panels, rows.items(), COLOURS, strict=False):
        few = len(sizes) <= _FEW
        if few:
            axes.vlines(sizes, 0, 1, color=colour, lw=3)
        else:  # a line each would overlap
            axes.fill_between([sizes[0], sizes[-1]], 0, 1, color=colour, lw=0)
        for size in sizes if few else (sizes[0], sizes[-1]):
            axes.text(size, 1.05, f"{size:,}", ha="center", va="bottom", fontsize=8)
        axes.set_xscale("log")
        plain_ticks(axes.xaxis)
        axes.set_ylim(0, 1.4)
        axes.set_yticks([])
        axes.set_title(title, fontsize="small", loc="left")
    axes.set_xlabel("the small blind raises to, chips (blinds 5 and 10)")
    save_figure(figure, path)


def _first_raises(tree: Tree) -> list[int]:
    """Return the sizes of the small blind's first raise, chips."""
    lines = [tree.line(child) for child in tree.children(0)]
    return [int(line[1:]) for line in lines if line.startswith("b")]
