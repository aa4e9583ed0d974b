"""A decision as a matrix of 13x13 hands: in a terminal of 80 columns, and as a picture.

Fold is blue, check and call green, bets go from amber over red to purple by their share of the
pot. Letters tell everything that colours do.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from rich.color import Color
from rich.style import Style
from rich.text import Text

from riverboat.cards import NUM_CLASSES, class_text
from riverboat.errors import BlueprintError
from riverboat.files import atomic_path
from riverboat.report import Palette, Rgb, action_colour, hex_colour, percent
from riverboat.translation import MenuNodes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import Any

    from numpy.typing import NDArray
    from rich.console import Console

    from riverboat.tree import Tree

__all__ = [
    "MATRIX_COLUMNS",
    "ActionKey",
    "action_keys",
    "hedged",
    "legend",
    "matrix_lines",
    "plot_matrix",
]

_PLAIN = {
    "f": ("F", "fold"),
    "k": ("K", "check"),
    "c": ("C", "call"),
    "s": ("S", "stand pat"),
    "d": ("D", "swap a card"),
}
_BET_LETTERS = "abcdefghijklmnop"

_CELL = 5
#: Thirteen cells with a blank between two.
MATRIX_COLUMNS: Final = 13 * (_CELL + 1) - 1
_ALWAYS = 0.995  # what rounds to all is shown as all
_GREY = Style(color=Color.from_rgb(130, 130, 130))
_FORMATS = ("png", "svg", "pdf")

_UNTRAINED = "#d9d9d9"
_DEAD = "#f4f4f4"


class ActionKey(NamedTuple):
    """One action: its text, a letter for cells, words, colour, and share of the pot (bets)."""

    action: str
    letter: str
    words: str
    colour: Rgb
    share: float | None


def action_keys(tree: Tree, node: int, palette: Palette = "usual") -> tuple[ActionKey, ...]:
    """Return the keys of a decision's actions, in their order.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.tree import Tree
    >>> tree = Tree(catalogue("nolimit-100bb"), "laptop")
    >>> [(key.letter, key.words) for key in action_keys(tree, tree.node("b25c/"))][:2]
    [('K', 'check'), ('a', 'bet 25 (50 % of the pot)')]
    >>> [key.letter for key in action_keys(tree, 0)]
    ['F', 'C', 'a', 'b', 'A']
    """
    decision = MenuNodes(tree)[node]
    bets = iter(zip(decision.bets, _BET_LETTERS, strict=False))
    keys = []
    for action in decision.actions:
        if action[0] == "b":
            bet, letter = next(bets)
            verb = "bet" if "k" in decision.children else "raise to"
            words = f"{verb} {action[1:]} ({percent(bet.share, 0)} of the pot)"
            if bet.all_in:
                letter, words = "A", f"all-in {action[1:]}"
            colour = action_colour("bet", math.inf if bet.all_in else bet.share, palette)
            keys.append(ActionKey(action, letter, words, colour, bet.share))
            continue
        letter, words = _PLAIN[action]
        keys.append(ActionKey(action, letter, words, action_colour(words, palette=palette), None))
    return tuple(keys)


def hedged(share: float) -> str:
    """Per cent with one digit; what is not all or nothing never looks so.

    Examples
    --------
    >>> hedged(0.5), hedged(0.9999), hedged(1.0)
    ('50.0', '99.9', '100.0')
    """
    if 0 < share < 1:
        return f"{min(max(100 * share, 0.1), 99.9):.1f}"
    return f"{100 * share:.1f}"


def matrix_lines(
    strategy: NDArray[np.float64],
    alive: NDArray[np.bool_],
    keys: Sequence[ActionKey],
    console: Console,
) -> Iterator[Text]:
    """Draw the matrix.

    Parameters
    ----------
    strategy
        [169, actions] by class; NaN where untrained.
    alive
        [169] whether any hand of the class is possible.
    keys
        Of the actions.
    console
        Where it is shown: with colours or without.
    """
    coloured = console.color_system is not None and not console.no_color
    for first in range(0, NUM_CLASSES, 13):
        cells = [
            _cell(index, strategy[index], bool(alive[index]), keys, coloured)
            for index in range(first, first + 13)
        ]
        line = Text(" ").join(cells)
        line.no_wrap, line.overflow = True, "crop"
        yield line


def _cell(
    index: int, row: NDArray[np.float64], alive: bool, keys: Sequence[ActionKey], coloured: bool
) -> Text:
    name = class_text(index)
    if not alive:
        return Text("  -".ljust(_CELL), _GREY)
    if np.isnan(row[0]):
        return Text(f"{name:3}?".ljust(_CELL), _GREY)
    best = int(row.argmax())
    tens = "" if row[best] >= _ALWAYS else str(min(int(10 * row[best] + 0.5), 9))
    cell = Text(f"{name:3}{keys[best].letter}{tens}".ljust(_CELL))
    if coloured:
        for place, action in enumerate(_stripes(row)):
            colour = keys[action].colour
            cell.stylize(
                Style(color=Color.from_rgb(0, 0, 0), bgcolor=Color.from_rgb(*colour)),
                place,
                place + 1,
            )
    return cell


def _stripes(row: NDArray[np.float64]) -> list[int]:
    """Which action colours each character of a cell: by their shares, largest remainders first."""
    exact = row / row.sum() * _CELL
    counts = np.floor(exact).astype(int)
    for action in np.argsort(counts - exact, kind="stable")[: _CELL - counts.sum()]:
        counts[action] += 1
    return [action for action, count in enumerate(counts.tolist()) for _ in range(count)]


def legend(
    keys: Sequence[ActionKey], frequencies: NDArray[np.float64], console: Console
) -> Iterator[Text]:
    """Say what letters and colours mean, and how often each action is taken."""
    coloured = console.color_system is not None and not console.no_color
    for key, share in zip(keys, frequencies.tolist(), strict=True):
        style = Style(color=Color.from_rgb(0, 0, 0), bgcolor=Color.from_rgb(*key.colour))
        mark = Text(f" {key.letter} ", style if coloured else Style())
        shown = "  untrained" if np.isnan(share) else f"{hedged(share):>6} %"
        yield Text.assemble(mark, f" {shown}  {key.words}")


def plot_matrix(
    path: Path,
    title: str,
    strategy: NDArray[np.float64],
    alive: NDArray[np.bool_],
    keys: Sequence[ActionKey],
    frequencies: NDArray[np.float64],
) -> None:
    """Draw the matrix into a file: each cell is a bar of the actions' shares.

    Parameters
    ----------
    path
        Ends in .png, .svg or .pdf.
    title
        Above the picture.
    strategy, alive
        [169, actions] and [169], by class; NaN where untrained.
    keys, frequencies
        Of the actions, and how often each is taken.
    """
    if path.suffix.lower().lstrip(".") not in _FORMATS:
        raise BlueprintError(f"a picture ends in {', '.join(_FORMATS)}, not {path.name!r}")
    # Loaded here: it takes half a second, and only pictures need it.
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 - slow to import
    from matplotlib.figure import Figure  # noqa: PLC0415 - slow to import

    figure = Figure(figsize=(8.2, 8.8), dpi=110)
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for index in range(NUM_CLASSES):
        _draw_cell(axes, index, strategy[index], bool(alive[index]), keys)
    axes.set(xlim=(0, 13), ylim=(13, 0), aspect="equal")
    axes.axis("off")
    axes.set_title(title, fontsize=11, pad=10)
    _draw_legend(axes, keys, frequencies)
    with atomic_path(path) as temporary:
        kind = path.suffix.lower().lstrip(".")
        figure.savefig(temporary, format=kind, bbox_inches="tight", pad_inches=0.15)


def _draw_cell(
    axes: Any, index: int, row: NDArray[np.float64], alive: bool, keys: Sequence[ActionKey]
) -> None:
    top, left = divmod(index, 13)
    if not alive or np.isnan(row[0]):
        axes.barh(top + 0.5, 0.94, 0.94, left + 0.03, color=_UNTRAINED if alive else _DEAD)
    else:
        widths = 0.94 * row / row.sum()
        starts = left + 0.03 + np.cumsum(widths) - widths
        colours = [hex_colour(key.colour) for key in keys]
        axes.barh([top + 0.5] * len(keys), widths, 0.94, starts, color=colours)
    shade = "black" if alive else "#b0b0b0"
    axes.text(left + 0.5, top + 0.5, class_text(index), ha="center", va="center", color=shade)


def _draw_legend(axes: Any, keys: Sequence[ActionKey], frequencies: NDArray[np.float64]) -> None:
    from matplotlib.patches import Patch  # noqa: PLC0415 - slow to import

    handles = [
        Patch(
            color=hex_colour(key.colour),
            label=key.words + ("" if np.isnan(share) else f": {hedged(share)} %"),
        )
        for key, share in zip(keys, frequencies.tolist(), strict=True)
    ]
    handles.append(Patch(color=_UNTRAINED, label="untrained"))
    axes.legend(
        handles=handles,
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        ncols=min(3, len(handles)),
        frameon=False,
        fontsize=9,
    )
