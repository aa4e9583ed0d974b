"""Tables of a decision in the terminal: hands with their EV, or the buckets of a small game."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from riverboat.blueprint import Blueprint, BucketValues, without_rare
from riverboat.cards import NUM_CLASSES, RANKS
from riverboat.cli._output import console, grid
from riverboat.decision import ActionKey, Decision, HandRow
from riverboat.report import hedged

_CELL: Final = 6
_MATRIX: Final = 1 + 13 * _CELL


def hand_lines(decision: Decision, rows: Sequence[HandRow]) -> Iterator[Table | str]:
    """Yield the strategy of each hand, and the EV of its actions if it is known."""
    if not rows:
        return
    facts = _facts(decision)
    table = grid(["hand", *facts, *(key.action for key in decision.keys)], left=1)
    absent = "not in the range" if not decision.buckets.size else "on the board"
    for row in rows:
        if row.possible:
            cells = [_fact(name, row) for name in facts]
        else:
            cells = [absent if console.width >= _MATRIX else "-"] + [""] * (len(facts) - 1)
        table.add_row(row.hand, *cells, *(share(frequency) for frequency in row.strategy))
    yield table
    marked = ""
    if any(row.few for row in rows):
        marked = f" ~: fewer than {decision.few} visits, not reliable."
    visits = f" Visits are counted in training.{marked}" if "visits" in facts else ""
    yield f"Reach and actions are in per cent; - is untrained or impossible.{visits}"
    if decision.action_values.size:
        yield _value_table(decision, rows)


def _facts(decision: Decision) -> list[str]:
    known = {
        "reach": True,
        "bucket": decision.buckets.size > 0,
        "visits": decision.visits.size > 0,
        "equity": decision.has_equity,
        "EV": decision.values.size > 0,
    }
    return [name for name, is_known in known.items() if is_known]


def _fact(name: str, row: HandRow) -> str:
    return {
        "reach": hedged(row.reach),
        "bucket": "several" if row.bucket < 0 else str(row.bucket),
        "visits": visits_text(row.visits, row.few),
        "equity": share(row.equity),
        "EV": chips(row.value),
    }[name]


def visits_text(visits: float, few: bool) -> str:
    """Write visits; `~` marks few visits, `?` an unknown number."""
    return "?" if np.isnan(visits) else f"{visits:,.0f}{'~' if few else ''}"


def _value_table(decision: Decision, rows: Sequence[HandRow]) -> Table:
    """A row for each action of each hand."""
    sampled = decision.samples > 0
    table = grid(["hand", "action", "%", "EV", *(["+-"] if sampled else [])], left=2)
    for row in rows:
        cells = zip(
            decision.actions, row.strategy, row.action_values, row.action_errors, strict=True
        )
        lines = [(action, share(played), ev, error) for action, played, ev, error in cells]
        if not np.isnan(row.value):
            lines.append(("strategy", "", row.value, row.error))
        for action, played, ev, error in lines:
            table.add_row(row.hand, action, played, chips(ev), *([chips(error)] * sampled))
    return table


def value_lines(decision: Decision) -> Iterator[Text | str]:
    """Yield the EV of each hand class as a matrix."""
    own = decision.own_values
    yield f"EV in chips from here on, including the share of the pot ({decision.found}):"
    if np.isnan(own).all():
        yield "EVs are not defined: the opponent never reaches this decision."
    elif console.width < _MATRIX:
        yield f"The EV matrix needs {_MATRIX} columns: widen the window, or list hands by --hole."
    else:
        yield from _matrix(decision.class_mean(own))


def _matrix(evs: NDArray[np.float64]) -> Iterator[Text]:
    """Draw EVs as a 13x13 matrix, suited hands above the diagonal; no decimals from 1,000 on."""
    yield Text(" " + "".join(rank.rjust(_CELL) for rank in RANKS[::-1]))
    for first in range(0, NUM_CLASSES, 13):
        cells = "".join(_cell(ev).rjust(_CELL) for ev in evs[first : first + 13])
        yield Text(RANKS[12 - first // 13] + cells)


def _cell(ev: float) -> str:
    if np.isnan(ev):
        return "-"
    digits = 1 if abs(ev) < 999.5 else 0
    return f"{round(ev, digits) + 0.0:.{digits}f}"  # no -0.0


def share(value: float) -> str:
    """Write a share in per cent, `-` if it is unknown."""
    return "-" if np.isnan(value) else hedged(float(value))


def chips(value: float) -> str:
    """Write chips, `-` if they are unknown."""
    return "-" if np.isnan(value) else f"{round(float(value), 2) + 0.0:,.2f}"


# ---- Buckets of a small game

_MOST_ROWS: Final = 200


class BucketRow(NamedTuple):
    """One bucket: its cards, strategy and visits; None if untrained."""

    bucket: int
    cards: str
    strategy: list[float] | None
    visits: float | None
    few_visits: bool | None


class BucketNode(NamedTuple):
    """All buckets at a decision."""

    keys: tuple[ActionKey, ...]
    rows: list[BucketRow]
    few: int | None
    values: BucketValues | None

    @classmethod
    def of(
        cls,
        blueprint: Blueprint,
        node: int,
        keys: tuple[ActionKey, ...],
        threshold: float,
        with_values: bool,
    ) -> "BucketNode":
        """Read a decision; bets and folds below the threshold are left out."""
        group, scale = int(blueprint.tree.group[node]), blueprint.visit_scale
        texts = blueprint.bucket_texts[group]
        rows = [
            _row(blueprint, node, bucket, "" if texts is None else texts[bucket], threshold)
            for bucket in range(blueprint.num_buckets[group])
        ]
        values = None
        if with_values:
            values = blueprint.query(threshold=threshold).bucket_values.actions(node)
        return cls(keys, rows, None if scale is None else scale.few, values)

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        actions = [
            {"action": key.action, "words": key.words, "pot_share": key.share, "frequency": None}
            for key in self.keys
        ]
        return {
            "actions": actions,
            "buckets": [row._asdict() | self._evs(row) for row in self.rows],
        }

    def _evs(self, row: BucketRow) -> dict[str, Any]:
        if self.values is None:
            return {}
        evs = [self.values.values[row.bucket], *self.values.action_values[row.bucket]]
        own, *actions = [None if np.isnan(ev) else float(ev) for ev in evs]
        return {"ev": own, "action_evs": actions}

    def parts(self) -> Iterator[RenderableType]:
        """Yield the table of buckets, at most the first 200."""
        nan = float("nan")
        table = grid(["cards", "bucket", "visits", *(key.words for key in self.keys)], left=0)
        for row in self.rows[::-1][:_MOST_ROWS]:  # aces first, as in the matrix
            shares = [share(value) for value in row.strategy or [nan] * len(self.keys)]
            visits = visits_text(nan if row.visits is None else row.visits, bool(row.few_visits))
            table.add_row(row.cards, str(row.bucket), visits, *shares)
        yield table
        few = any(row.few_visits for row in self.rows)
        marked = f"; ~: fewer than {self.few} visits, not reliable" if few else ""
        yield f"Actions in per cent; visits in training (?: unknown{marked}); - is untrained."
        if len(self.rows) > _MOST_ROWS:
            yield f"{len(self.rows) - _MOST_ROWS:,} more buckets; --json lists all."
        if self.values is not None:
            yield "EV in chips from here on, including the share of the pot (exact):"
            yield self._value_table()

    def _value_table(self) -> Table:
        heads = ["cards", "bucket", "EV", *(f"EV {key.action}" for key in self.keys)]
        table = grid(heads, left=0)
        for row in self.rows[::-1]:
            known = self._evs(row)
            evs = (known["ev"], *known["action_evs"])
            cells = (chips(float("nan") if ev is None else ev) for ev in evs)
            table.add_row(row.cards, str(row.bucket), *cells)
        return table


def _row(blueprint: Blueprint, node: int, bucket: int, text: str, threshold: float) -> BucketRow:
    row, visits = blueprint.row(node, bucket), blueprint.visits(node, bucket)
    shares = None if row is None else row.tolist()
    if shares is not None and threshold:
        named = dict(zip(blueprint.tree.actions(node), shares, strict=True))
        shares = list(without_rare(named, threshold).values())
    scale = blueprint.visit_scale
    few = None if visits is None or scale is None else visits < scale.few
    return BucketRow(bucket, text, shares, visits, few)
