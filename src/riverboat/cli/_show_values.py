"""`riverboat show --ev`: what the actions of a strategy are worth, for classes and single hands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from rich.text import Text

from riverboat.blueprint import NodeValues, class_means
from riverboat.cards import NUM_CLASSES, RANKS
from riverboat.cli._matrix import hedged
from riverboat.cli._output import console, grid
from riverboat.cli._progress import abstraction_bar
from riverboat.cli._show_rows import named_hands

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from riverboat.blueprint import Blueprint, BucketValues
    from riverboat.cli._show_rows import BucketRow, Line

__all__ = [
    "HandEvs",
    "bucket_evs",
    "class_evs",
    "hand_evs",
    "node_values",
    "show_bucket_evs",
    "show_evs",
    "value_facts",
]

_CELL: Final = 6
_MATRIX: Final = 1 + 13 * _CELL
#: Hands that never come still tell what they would win.
_LEAST_WEIGHT: Final = 1e-9


class HandEvs(NamedTuple):
    """What a hand or class wins, and each action; None where it cannot be or meets nobody."""

    ev: float | None
    ev_error: float | None
    action_evs: list[float | None]
    action_errors: list[float | None]


def node_values(
    blueprint: Blueprint, node: int, board: str, threshold: float, samples: int | None
) -> NodeValues:
    """Find the values of a decision; tables that are missing are built first."""
    query = blueprint.query(threshold=threshold)
    values = query.all_values
    with abstraction_bar() as show:
        values.build_tables(show)
    return values.actions(node, board, samples=samples)


def value_facts(values: NodeValues) -> dict[str, Any]:
    """What holds for all hands, for programs."""
    return {"ev": _number(values.value), "found": values.found, "samples": values.samples}


def class_evs(values: NodeValues) -> list[dict[str, Any]]:
    """What each class wins, and its error, for programs."""
    weights = _weights(values)
    evs, errors = (class_means(of, weights) for of in (values.values, values.errors))
    pairs = zip(evs, errors, strict=True)
    return [{"ev": _number(ev), "ev_error": _number(error)} for ev, error in pairs]


def hand_evs(values: NodeValues, text: str) -> list[HandEvs]:
    """What the hands of a text win, one by one."""
    weights = _weights(values)

    def mean(of: NDArray[np.float64], holes: NDArray[np.intp]) -> float | None:
        known = np.where(np.isnan(of[holes]), 0.0, weights[holes])
        total = known.sum()
        return float(known @ np.nan_to_num(of[holes]) / total) if total > 0 else None

    return [
        HandEvs(
            mean(values.values, holes),
            mean(values.errors, holes),
            [mean(column, holes) for column in values.action_values.T],
            [mean(column, holes) for column in values.action_errors.T],
        )
        for _, holes in named_hands(text)
    ]


def show_evs(values: NodeValues, lines: Sequence[Line], evs: Sequence[HandEvs]) -> None:
    """Print what every class wins, and what single hands win by each action."""
    drawn = ", with standard errors" if values.samples and lines else ""
    console.print(f"EV: chips from here on with the share of the pot ({values.found}{drawn}).")
    if np.isnan(values.values).all():
        console.print("The other never comes here: there is nobody to win against.")
        return
    whole = "-" if np.isnan(values.value) else f"{values.value:,.2f}"
    console.print(f"Over all hands seat {values.player} wins {whole}; class by class:")
    if console.width < _MATRIX:
        console.print(f"The matrix of EV has {_MATRIX} columns: widen the window, or see --hole.")
    else:
        for row in _matrix(class_means(values.values, _weights(values))):
            console.print(row)
    if lines:
        console.print(_hand_table(values, lines, evs))


def _matrix(evs: NDArray[np.float64]) -> list[Text]:
    """Chips in 13 x 13 cells, suited hands above the diagonal; without a point from 1,000 on."""
    rows = [Text(" " + "".join(rank.rjust(_CELL) for rank in RANKS[::-1]))]
    for first in range(0, NUM_CLASSES, 13):
        cells = "".join(_cell(ev).rjust(_CELL) for ev in evs[first : first + 13])
        rows.append(Text(RANKS[12 - first // 13] + cells))
    return rows


def _cell(ev: float) -> str:
    if np.isnan(ev):
        return "-"
    digits = 1 if abs(ev) < 999.5 else 0
    return f"{round(ev, digits) + 0.0:.{digits}f}"  # no -0.0


def _hand_table(values: NodeValues, lines: Sequence[Line], evs: Sequence[HandEvs]) -> Any:
    """A row for each action of each hand."""
    drawn = values.samples > 0
    table = grid(["hand", "action", "%", "EV", *(["+-"] if drawn else [])], left=2)
    for line, told in zip(lines, evs, strict=True):
        shares = [None] * len(values.actions) if line.strategy is None else line.strategy
        actions = zip(values.actions, shares, told.action_evs, told.action_errors, strict=True)
        for action, share, ev, error in actions:
            played = "-" if share is None else hedged(share)
            table.add_row(line.hand, action, played, _chips(ev), *([_chips(error)] * drawn))
        table.add_row(
            line.hand, "strategy", "", _chips(told.ev), *([_chips(told.ev_error)] * drawn)
        )
    return table


def bucket_evs(values: BucketValues, row: BucketRow) -> dict[str, Any]:
    """What a bucket of a small game wins, for programs."""
    return {
        "ev": _number(values.values[row.bucket]),
        "action_evs": [_number(value) for value in values.action_values[row.bucket]],
    }


def show_bucket_evs(
    values: BucketValues, rows: Sequence[BucketRow], actions: Sequence[str]
) -> None:
    """Print what the buckets of a small game win."""
    console.print("EV: chips from here on with the share of the pot (exact).")
    table = grid(["cards", "bucket", "EV", *(f"EV {action}" for action in actions)], left=0)
    for row in rows[::-1]:
        told = bucket_evs(values, row)
        chips = map(_chips, (told["ev"], *told["action_evs"]))
        table.add_row(row.cards, str(row.bucket), *chips)
    console.print(table)


def _weights(values: NodeValues) -> NDArray[np.float64]:
    weights: NDArray[np.float64] = values.reach[values.player] + _LEAST_WEIGHT
    return weights


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _chips(value: float | None) -> str:
    return "-" if value is None else f"{round(value, 2) + 0.0:,.2f}"
