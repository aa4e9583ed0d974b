"""The matrix of hands in a terminal: cells, colours, marks."""

import re
from typing import Any

import numpy as np
from rich.console import Console

from riverboat.blueprint import (
    action_keys,
)
from riverboat.cli._matrix import Matrix, matrix_lines
from riverboat.game import catalogue
from riverboat.tree import Tree


def test_colours_fill_cells_by_shares() -> None:
    tree = Tree(catalogue("nolimit-100bb"), "2.5x, a ; cap 2")
    keys = action_keys(tree, 0)
    strategy = np.tile([0.6, 0.4, 0.0, 0.0], (169, 1))
    strategy[0] = [0, 0, 0, 1]
    strategy[1] = np.nan
    matrix = Matrix(strategy, np.ones(169, bool), np.ones(169), np.zeros(169, bool))
    console = Console(force_terminal=True, color_system="truecolor", width=80)
    rows = list(matrix_lines(matrix, keys, console))
    assert rows[0].plain.startswith("AA A  AKs?  AQsF6")
    backgrounds = [span.style.bgcolor for span in rows[1].spans[:5]]  # type: ignore[union-attr]  # a Style, not its name
    triplets = [tuple(colour.triplet) for colour in backgrounds if colour and colour.triplet]
    assert triplets == [keys[0].colour] * 3 + [keys[1].colour] * 2
    plain = Console(color_system=None, width=80)
    colourless = list(matrix_lines(matrix, keys, plain))
    assert [row.plain for row in colourless] == [row.plain for row in rows]
    assert not any(span.style.bgcolor for row in colourless for span in row.spans)  # type: ignore[union-attr]  # a Style, not its name
    blind = action_keys(tree, 0, "colour-blind")
    assert len({key.colour for key in blind}) == len({key.colour for key in keys}) == 4


def _drawn(matrix: Matrix, **console: Any) -> str:
    """What a terminal is sent."""
    keys = action_keys(Tree(catalogue("nolimit-100bb"), "2.5x, a ; cap 2"), 0)
    output = Console(force_terminal=True, width=80, **console)
    with output.capture() as captured:
        for line in matrix_lines(matrix, keys, output):
            output.print(line)
    return captured.get()


def test_cells_that_seldom_come_are_faint_and_few_visits_are_marked() -> None:
    strategy = np.tile([0.0, 0.3, 0.7, 0.0], (169, 1))
    emphasis, few = np.ones(169), np.zeros(169, bool)
    emphasis[1], emphasis[2], few[3] = 0.42, 0.6, True
    matrix = Matrix(strategy, np.ones(169, bool), emphasis, few)
    keys = action_keys(Tree(catalogue("nolimit-100bb"), "2.5x, a ; cap 2"), 0)
    terminal = Console(force_terminal=True, color_system="truecolor", width=80)
    first = next(iter(matrix_lines(matrix, keys, terminal)))
    assert first.plain.startswith("AA a7 AKsa. AQsa7 AJsa~ ATsa7")
    grounds = []
    for cell in range(3):
        end = 6 * cell + 5
        span = next(each for each in first.spans if each.start < end <= each.end)
        grounds.append(span.style.bgcolor)  # type: ignore[union-attr]  # a Style, not its name
    assert grounds[1] is None
    triplets = [ground.triplet or () for ground in grounds if ground is not None]
    often, seldom = (sum(abs(part - 150) for part in triplet) for triplet in triplets)
    assert often > seldom > 0
    uncoloured = _drawn(matrix, color_system="truecolor", no_color=True)
    assert "\x1b[2m" in uncoloured  # the attribute dim
    assert "48;2" not in uncoloured
    few_colours = _drawn(matrix, color_system="256")
    assert "48;5;" in few_colours
    assert "48;2" not in few_colours
    for action in range(4):  # faint ones are told apart even there, and from others
        strategy[13 * action : 13 * action + 13] = np.eye(4)[action]
    emphasis[:] = 0.42
    lines = _drawn(matrix, color_system="256").splitlines()[:4]
    assert len({re.findall(r"38;5;(\d+)", line)[0] for line in lines}) == 4
    assert "48;5;" not in "".join(lines)
