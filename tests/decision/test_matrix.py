"""The matrix of hands in a terminal: cells, colours, marks."""

import io
import re
from dataclasses import replace
from typing import Any

import numpy as np
from rich.console import Console

from riverboat.cards import HOLE_CLASS
from riverboat.decision import Decision, action_keys, of_ranges
from riverboat.game import catalogue
from riverboat.report import Palette
from riverboat.tree import Tree

_TREE = Tree(catalogue("nolimit-100bb"), "2.5x, a ; cap 2")


def drawn_as(
    classes: np.ndarray, reach: np.ndarray | None = None, few: int = -1, palette: Palette = "usual"
) -> Decision:
    """A decision with a strategy for each class, [169, 4], and perhaps its reach."""
    visits = np.where(few == HOLE_CLASS, 1.0, 500.0)
    weights = np.ones(1326) if reach is None else reach[HOLE_CLASS]
    return replace(
        of_ranges({"c": "22+"}),
        keys=action_keys(_TREE, 0, palette),
        strategy=classes[HOLE_CLASS],
        reach=np.array([weights, np.ones(1326)]),
        visits=visits,
        few=100,
    )


def lines_of(decision: Decision, **console: Any) -> list[Any]:
    terminal = Console(force_terminal=True, width=80, **console)
    return list(decision.matrix(terminal))


def test_colours_fill_cells_by_shares() -> None:
    strategy = np.tile([0.6, 0.4, 0.0, 0.0], (169, 1))
    strategy[0] = [0, 0, 0, 1]
    strategy[1] = np.nan
    decision = drawn_as(strategy)
    keys = decision.keys
    rows = lines_of(decision, color_system="truecolor")[:13]
    assert rows[0].plain.startswith("AA A  AKs?  AQsF6")
    backgrounds = [span.style.bgcolor for span in rows[1].spans[:5]]
    triplets = [tuple(colour.triplet) for colour in backgrounds if colour and colour.triplet]
    assert triplets == [keys[0].colour] * 3 + [keys[1].colour] * 2
    colourless = lines_of(decision, color_system=None)[:13]
    assert [row.plain for row in colourless] == [row.plain for row in rows]
    assert not any(span.style.bgcolor for row in colourless for span in row.spans)
    blind = drawn_as(strategy, palette="colour-blind").keys
    assert len({key.colour for key in blind}) == len({key.colour for key in keys}) == 4


def sent(decision: Decision, **console: Any) -> str:
    """What a terminal is sent."""
    output = Console(force_terminal=True, width=80, **console)
    with output.capture() as captured:
        output.print(decision)
    return captured.get()


def test_cells_that_are_rarely_reached_are_faint_and_few_visits_are_marked() -> None:
    strategy = np.tile([0.0, 0.3, 0.7, 0.0], (169, 1))
    reach = np.ones(169)
    reach[1], reach[2] = 0.0, 0.1
    decision = drawn_as(strategy, reach, few=3)
    first = lines_of(decision, color_system="truecolor")[0]
    assert first.plain.startswith("AA a7 AKsa. AQsa7 AJsa~ ATsa7")
    grounds = []
    for cell in range(3):
        end = 6 * cell + 5
        span = next(each for each in first.spans if each.start < end <= each.end)
        grounds.append(span.style.bgcolor)
    assert grounds[1] is None
    triplets = [ground.triplet or () for ground in grounds if ground is not None]
    often, seldom = (sum(abs(part - 150) for part in triplet) for triplet in triplets)
    assert often > seldom > 0
    uncoloured = sent(decision, color_system="truecolor", no_color=True)
    assert "\x1b[2m" in uncoloured  # the attribute dim
    assert "48;2" not in uncoloured
    few_colours = sent(decision, color_system="256")
    assert "48;5;" in few_colours
    assert "48;2" not in few_colours
    told = " ".join(re.sub(r"\x1b\[[\d;]*m", "", uncoloured).split())
    assert "~: fewer than 100 training visits; faint, with a dot: rarely reached." in told
    for action in range(4):  # faint ones are told apart even there, and from others
        strategy[13 * action : 13 * action + 13] = np.eye(4)[action]
    faint = drawn_as(strategy, np.full(169, 1e-9))
    lines = [each for each in sent(faint, color_system="256").splitlines() if "." in each]
    cells = lines[1:5] if "decides" in lines[0] else lines[:4]
    assert len({re.findall(r"38;5;(\d+)", line)[0] for line in cells}) == 4
    assert "48;5;" not in "".join(cells)


def test_only_the_signs_that_are_there_are_explained() -> None:
    output = Console(file=io.StringIO(), width=80, color_system=None)
    output.print(of_ranges({"c": "22+"}, pot=10))
    shown = output.file.getvalue()  # type: ignore[attr-defined]  # a StringIO
    assert "At the start: seat 0 decides, pot 10" in shown
    assert "AKsF: AKs always plays F, AKsF7: about 70 % of the time." in shown
    assert "rarely" not in shown
    assert "untrained" not in shown
