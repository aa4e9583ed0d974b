"""A decision as a 13x13 table for notebooks: bars of the actions, faint where hands seldom come."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

import numpy as np

from riverboat.cards import cards_text, class_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.blueprint._node_view import NodeView

__all__ = ["node_html"]

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


def node_html(view: NodeView) -> str:
    """Draw a decision: cells are faint by reach, and dashed with a `~` where visits were few."""
    cells = _cells(view)
    rows = ("".join(cells[first : first + 13]) for first in range(0, 169, 13))
    table = "".join(f"<tr>{row}</tr>" for row in rows)
    return (
        f"{_STYLE}<table class='riverboat-node'><caption>{_caption(view)}</caption>{table}</table>"
    )


def _caption(view: NodeView) -> str:
    board = f" on {cards_text(view.board)}" if view.board else ""
    keys = ", ".join(
        f"<span style='background: rgb{key.colour}; color: black'> {escape(key.words)} </span>"
        for key in view.keys
    )
    visits = (
        f"~ was visited fewer than {view.few} times in training"
        if view.visits_known
        else "visits in training are not known"
    )
    where = f"After {escape(view.line)}" if view.line else "At the start"
    return f"{where}{board}, {escape(view.shown)}: {keys}; faint hands seldom come here; {visits}"


def _cells(view: NodeView) -> list[str]:
    strategy, reach, few = view.by_class(), view.class_reach(), view.class_few()
    emphasis = view.class_emphasis()
    return [
        _cell(view, index, strategy[index], float(reach[index]), float(emphasis[index]), few[index])
        for index in range(169)
    ]


def _cell(  # noqa: PLR0913, PLR0917 - what a cell shows
    view: NodeView, index: int, row: NDArray[np.float64], reach: float, emphasis: float, few: bool
) -> str:
    name = class_text(index)
    if np.isnan(row[0]):
        why = "not possible on this board" if np.isnan(reach) else "untrained"
        return f"<td class='no' title='{name}: {why}'>{name}</td>"
    shares = ", ".join(
        f"{key.action} {100 * share:.1f} %" for key, share in zip(view.keys, row, strict=True)
    )
    ends = 100 * np.cumsum(row) / row.sum()
    stops = ", ".join(
        f"rgb({' '.join(map(str, key.colour))} / {emphasis:.2f}) {start:.1f}% {end:.1f}%"
        for key, start, end in zip(view.keys, [0.0, *ends[:-1]], ends, strict=True)
    )
    mark, kind = ("~", " class='few'") if few else ("", "")
    return (
        f"<td{kind} style='background: linear-gradient(to right, {stops})' "
        f"title='{name}: {shares}; comes here {100 * reach:.1f} %'>{name}{mark}</td>"
    )
