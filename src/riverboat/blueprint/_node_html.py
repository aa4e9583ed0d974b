"""A decision as a 13x13 table for notebooks: bars of the actions, faint where hands seldom come."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from riverboat.cards import NUM_CLASSES, class_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from riverboat.blueprint._action_keys import ActionKey

__all__ = ["ClassCells", "node_html"]

_STYLE: Final = """<style>
.riverboat-node {border-collapse: separate; border-spacing: 2px; border: 0; color: inherit;
  font: 12px/1.15 ui-sans-serif, system-ui, sans-serif}
.riverboat-node caption {caption-side: bottom; padding: 4px 0; text-align: left; color: inherit}
.riverboat-node tr {background: none !important}
.riverboat-node td {width: 36px; height: 32px; min-width: 36px; padding: 0; border-radius: 3px;
  text-align: center; vertical-align: middle; border: 1px solid transparent; color: black}
.riverboat-node td.few {border: 1px dashed rgb(128,128,128)}
.riverboat-node td.no {background: rgba(128,128,128,.2); color: rgb(128,128,128)}
</style>"""


class ClassCells(NamedTuple):
    """What the cells show, [169] by class: see the methods of `NodeView`."""

    strategy: NDArray[np.float64]
    reach: NDArray[np.float64]
    emphasis: NDArray[np.float64]
    few: NDArray[np.bool_]


def node_html(cells: ClassCells, keys: Sequence[ActionKey], where: str, visits: str) -> str:
    """Draw a decision: cells are faint by reach, and dashed with a `~` where visits were few.

    Parameters
    ----------
    cells, keys
        What is shown, and the actions.
    where, visits
        Words for the caption: which decision of what, and what is known of visits.
    """
    drawn = [_cell(cells, index, keys) for index in range(NUM_CLASSES)]
    rows = ("".join(drawn[first : first + 13]) for first in range(0, NUM_CLASSES, 13))
    table = "".join(f"<tr>{row}</tr>" for row in rows)
    legend = ", ".join(
        f"<span style='background: rgb{key.colour}; color: black'> {escape(key.words)} </span>"
        for key in keys
    )
    words = f"{escape(where)}: {legend}; faint hands seldom come here; {escape(visits)}"
    return f"{_STYLE}<table class='riverboat-node'><caption>{words}</caption>{table}</table>"


def _cell(cells: ClassCells, index: int, keys: Sequence[ActionKey]) -> str:
    name, row, reach = class_text(index), cells.strategy[index], float(cells.reach[index])
    if np.isnan(row[0]):
        why = "not possible on this board" if np.isnan(reach) else "untrained"
        return f"<td class='no' title='{name}: {why}'>{name}</td>"
    shares = ", ".join(
        f"{key.action} {100 * share:.1f} %" for key, share in zip(keys, row, strict=True)
    )
    ends = 100 * np.cumsum(row) / row.sum()
    emphasis = f"{cells.emphasis[index]:.2f}"
    stops = ", ".join(
        f"rgb({' '.join(map(str, key.colour))} / {emphasis}) {start:.1f}% {end:.1f}%"
        for key, start, end in zip(keys, [0.0, *ends[:-1]], ends, strict=True)
    )
    mark, kind = ("~", " class='few'") if cells.few[index] else ("", "")
    return (
        f"<td{kind} style='background: linear-gradient(to right, {stops})' "
        f"title='{name}: {shares}; comes here {100 * reach:.1f} %'>{name}{mark}</td>"
    )
