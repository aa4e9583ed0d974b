"""A decision as a 13x13 table of HTML: bars of the actions, faint where reach is low."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

import numpy as np

from riverboat.report import hedged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from riverboat.decision._action_keys import ActionKey
    from riverboat.decision._cells import ClassCell

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


def html_table(
    cells: Sequence[ClassCell],
    keys: Sequence[ActionKey],
    frequencies: NDArray[np.float64],
    title: str,
    words: str,
) -> str:
    """Draw the matrix: cells are faint by reach, and dashed with a `~` where visits were few."""
    drawn = [_cell(cell, keys) for cell in cells]
    rows = ("".join(drawn[first : first + 13]) for first in range(0, len(drawn), 13))
    table = "".join(f"<tr>{row}</tr>" for row in rows)
    legend = " ".join(
        f"<span style='background: rgb{key.colour}; color: black'> {escape(key.words)} </span>"
        + ("" if np.isnan(share) else f" {hedged(share)} %")
        for key, share in zip(keys, frequencies.tolist(), strict=True)
    )
    caption = f"<caption>{escape(title)}<br>{legend}<br>{escape(words)}</caption>"
    return f"{_STYLE}<table class='riverboat-node'>{caption}{table}</table>"


def _cell(cell: ClassCell, keys: Sequence[ActionKey]) -> str:
    if not cell.known:
        why = "untrained" if cell.alive else "impossible here"
        return f"<td class='no' title='{cell.name}: {why}'>{cell.name}</td>"
    shares = ", ".join(
        f"{key.action} {100 * share:.1f} %" for key, share in zip(keys, cell.shares, strict=True)
    )
    mark, kind = ("~", " class='few'") if cell.few else ("", "")
    return (
        f"<td{kind} style='{cell_style(cell, keys)}' "
        f"title='{cell.name}: {shares}; reach {100 * cell.reach:.1f} %'>{cell.name}{mark}</td>"
    )


def cell_style(cell: ClassCell, keys: Sequence[ActionKey]) -> str:
    """Return the CSS of a cell: a bar for each action; empty where the strategy is not known."""
    if not cell.known:
        return ""
    ends = 100 * np.cumsum(cell.shares) / cell.shares.sum()
    stops = ", ".join(
        f"rgb({' '.join(map(str, key.colour))} / {cell.emphasis:.2f}) {start:.1f}% {end:.1f}%"
        for key, start, end in zip(keys, [0.0, *ends[:-1]], ends, strict=True)
        if end > start
    )
    return f"background: linear-gradient(to right, {stops})"
