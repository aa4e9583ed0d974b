"""Single hands and classes of a decision, in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from rich import box
from rich.table import Table

from riverboat.cards import (
    CLASS_HOLES,
    HOLE_CLASS,
    Range,
    class_text,
    hole_text,
    parse_class,
    parse_hole,
)
from riverboat.cli._output import console
from riverboat.cli._show_matrix import percent
from riverboat.errors import CardError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from riverboat.blueprint import NodeView
    from riverboat.cli._action_keys import ActionKey

__all__ = ["Line", "hand_lines", "show_hands"]


class Line(NamedTuple):
    """One hand or class: its bucket if it is one, reach, and strategy (None = untrained)."""

    hand: str
    bucket: int | None
    reach: float
    strategy: list[float] | None
    possible: bool

    def values(self) -> dict[str, Any]:
        """For programs."""
        state = "trained" if self.strategy is not None else "untrained"
        return {
            "hand": self.hand,
            "status": state if self.possible else "not possible on this board",
            "bucket": self.bucket,
            "reach": self.reach if self.possible else None,
            "strategy": self.strategy,
        }


def hand_lines(view: NodeView, text: str) -> list[Line]:
    """Read hands such as `AhKh, QQ, A5s+`: pairs of cards, classes and ranges of classes."""
    lines: list[Line] = []
    for token in (part.strip() for part in text.split(",")):
        if token:
            lines += [_line(view, name, holes) for name, holes in _holes_of(token)]
    return lines


def _holes_of(token: str) -> Iterator[tuple[str, NDArray[np.intp]]]:
    """Names and hole pairs of what a token means."""
    try:
        hole = parse_hole(token)
    except CardError:
        pass
    else:
        yield hole_text(hole), np.array([hole])
        return
    try:
        index = parse_class(token)
    except CardError:
        for wanted in np.unique(HOLE_CLASS[Range.parse(token).weights > 0]).tolist():
            yield class_text(wanted), CLASS_HOLES[wanted]
    else:
        yield class_text(index), CLASS_HOLES[index]


def _line(view: NodeView, name: str, holes: NDArray[np.intp]) -> Line:
    live, trained = holes[view.alive[holes]], holes[view.trained[holes]]
    buckets = np.unique(view.buckets[live]).tolist()
    return Line(
        name,
        buckets[0] if len(buckets) == 1 else None,
        float(view.reach[live].mean()) if len(live) else 0.0,
        view.strategy[trained].mean(axis=0).tolist() if len(trained) else None,
        len(live) > 0,
    )


def show_hands(lines: Sequence[Line], keys: Sequence[ActionKey]) -> None:
    """Print the lines as a table."""
    table = Table(box=box.SIMPLE, pad_edge=False)
    for name in ("hand", "bucket", "comes here", *(key.action for key in keys)):
        table.add_column(name, justify="right")
    for line in lines:
        shares = ["-"] * len(keys) if line.strategy is None else map(percent, line.strategy)
        bucket = "several" if line.bucket is None else str(line.bucket)
        if not line.possible:
            bucket = "on the board"
        table.add_row(line.hand, bucket, percent(line.reach), *shares)
    console.print(table)
    console.print("Per cent; - is untrained.")
