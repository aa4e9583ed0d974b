"""Reports: one decision of a solution on every card that can come, or of many solutions."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from riverboat.cards import as_cards, cards_text
from riverboat.errors import SpotError
from riverboat.files import atomic_path
from riverboat.report import COLOURS, Columns, Framed, hex_colour, new_panels, save_figure
from riverboat.spots._facts import SIDES
from riverboat.spots._locks import decision_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from riverboat.cards import CardsLike
    from riverboat.decision import ActionKey, Decision
    from riverboat.spots._solution import Solution

#: How the files that `SpotTable.write` makes end.
REPORT_FORMATS: Final = (".csv", ".json", ".png")
_MOST_LABELS: Final = 120


class ReportRow(NamedTuple):
    """A decision on one board."""

    name: str
    """The cards since the spot's board, or the board."""
    weight: float
    """How often play comes there, against the other rows."""
    frequencies: dict[str, float]
    """By action."""
    values: tuple[float, float]
    """Chips: oop, ip."""
    equities: tuple[float, float]
    """Shares of the pot: oop, ip."""


@dataclass(frozen=True)
class SpotTable(Framed):
    """Rows of a report: frequencies of the actions, EV and equity.

    Attributes
    ----------
    title
        Which decision.
    player
        Who decides: `oop` or `ip`.
    keys
        The actions of all rows, from fold to the largest bet.
    rows
        A board each.
    """

    title: str
    player: str
    keys: tuple[ActionKey, ...]
    rows: tuple[ReportRow, ...]

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions as text."""
        return tuple(key.action for key in self.keys)

    @property
    def mean(self) -> ReportRow:
        """All rows by how often play comes there; nan where it never does."""
        weights = np.array([row.weight for row in self.rows])
        total = float(weights.sum())

        def mean(of: Sequence[float]) -> float:
            return float(weights @ np.nan_to_num(of)) / total if total > 0 else float("nan")

        return ReportRow(
            "all",
            total,
            {a: mean([row.frequencies.get(a, 0.0) for row in self.rows]) for a in self.actions},
            (mean([r.values[0] for r in self.rows]), mean([r.values[1] for r in self.rows])),
            (mean([r.equities[0] for r in self.rows]), mean([r.equities[1] for r in self.rows])),
        )

    def frame_columns(self) -> Columns:
        """Return a row for each board."""
        return {
            "cards": [row.name for row in self.rows],
            "weight": [row.weight for row in self.rows],
            **{a: [row.frequencies.get(a, 0.0) for row in self.rows] for a in self.actions},
            **{
                f"{what} {side}": [getattr(row, field)[place] for row in self.rows]
                for what, field in (("ev", "values"), ("equity", "equities"))
                for place, side in enumerate(SIDES)
            },
        }

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain values; None where play never comes."""
        return {
            "title": self.title,
            "player": self.player,
            "actions": list(self.actions),
            "rows": [_plain(row) for row in self.rows],
            "mean": _plain(self.mean),
        }

    def write(self, path: Path) -> None:
        """Write a .csv, .json or .png file.

        Raises
        ------
        SpotError
            If its name ends otherwise.
        """
        kind = path.suffix.lower()
        if kind not in REPORT_FORMATS:
            raise SpotError(
                f"a report is written as {', '.join(REPORT_FORMATS)}, not {path.name!r}"
            )
        if kind == ".png":
            _draw(path, self)
            return
        with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as f:
            if kind == ".json":
                json.dump(self.as_dict(), f)
                return
            columns = self.frame_columns()
            writer = csv.writer(f, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows(zip(*columns.values(), strict=True))


def _plain(row: ReportRow) -> dict[str, Any]:
    return {
        **row._asdict(),
        "frequencies": {action: _number(share) for action, share in row.frequencies.items()},
        "values": [_number(chips) for chips in row.values],
        "equities": [_number(share) for share in row.equities],
    }


def _number(value: float) -> float | None:
    """A number as JSON has it."""
    return None if np.isnan(value) else value


def card_report(solution: Solution, line: str = "", cards: CardsLike = "") -> SpotTable:
    """Look at a decision on every card that can come before it.

    Parameters
    ----------
    solution
        Of a flop or a turn.
    line
        To a decision on a later street: `kk`, `kb60c/k`.
    cards
        Those that are fixed: of two that come, the first one; the rest is every card.

    Examples
    --------
    >>> from riverboat.spots import SolveSettings, Spot, card_report, solve
    >>> spot = Spot(board="Ks7h2d3c", pot=20, stack=30, oop="QQ, 77", ip="AK", menu="a")
    >>> table = card_report(solve(spot, SolveSettings(target=0.02)).finish(), "kk")
    >>> len(table.rows), table.actions
    (48, ('k', 'b30'))
    """
    given = tuple(as_cards(cards))
    node = decision_at(solution.tree, line)
    missing = int(solution.tree.street[node]) - len(given)
    if missing < 1:
        raise SpotError(
            f"a report is over cards that come, and '{line}' needs none besides "
            f"{cards_text(given) or 'the board'}: take a line to a later street, such as 'kk'"
        )
    seen = [
        (cards_text(dealt[len(given) :]), solution.node(line, dealt))
        for dealt in _run_outs(solution, given, missing)
    ]
    here = f" on {cards_text([*solution.spot.cards, *given])}"
    return spot_table(f"After {solution.tree.line(node)}{here}", seen)


def _run_outs(
    solution: Solution, dealt: tuple[int, ...], missing: int
) -> Iterator[tuple[int, ...]]:
    if not missing:
        yield dealt
        return
    for card in reversed(solution.next_cards(dealt)):  # aces first
        yield from _run_outs(solution, (*dealt, card), missing - 1)


def spot_table(title: str, nodes: Sequence[tuple[str, Decision]]) -> SpotTable:
    """Put decisions of one player side by side: of cards, or of solutions of many boards."""
    keys: dict[str, ActionKey] = {}
    rows = []
    for name, node in nodes:
        keys.update((key.action, key) for key in node.keys if key.action not in keys)
        rows.append(_row(name, node))
    sides = {node.side for _, node in nodes}
    if len(sides) != 1:
        raise SpotError("a report is of one player: here both decide, by board")
    ordered = sorted(keys.values(), key=lambda key: (key.share is not None, key.share or 0.0))
    return SpotTable(title, sides.pop(), tuple(ordered), tuple(rows))


def _row(name: str, node: Decision) -> ReportRow:
    return ReportRow(
        name,
        node.weight,
        dict(zip(node.actions, node.frequencies().tolist(), strict=True)),
        (node.value(0), node.value(1)),
        (node.mean(0, node.equity[0]), node.mean(1, node.equity[1])),
    )


def _draw(path: Path, table: SpotTable) -> None:
    """Draw frequencies as bars and EV below, a column for each board."""
    count = len(table.rows)
    width = min(max(6.0, 0.24 * count + 1.5), 30.0)
    figure, (bars, lines) = new_panels(2, 1, (width, 6.2), shared=False)
    places, below = np.arange(count), np.zeros(count)
    for key in table.keys:
        shares = np.nan_to_num([100 * row.frequencies.get(key.action, 0.0) for row in table.rows])
        colour = hex_colour(key.colour)
        bars.bar(places, shares, 0.9, bottom=below, color=colour, label=key.words)
        below += shares
    bars.margins(x=0.01)
    bars.set(title=f"{table.title}: {table.player} decides", ylabel="%", ylim=(0, 100))
    bars.legend(fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0))
    for place, side in enumerate(SIDES):
        values = [row.values[place] for row in table.rows]
        lines.plot(places, values, "o-", markersize=3, color=COLOURS[place], label=f"EV {side}")
    lines.set(ylabel="chips", xlim=bars.get_xlim())
    lines.legend(fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0))
    names = [row.name for row in table.rows] if count <= _MOST_LABELS else []
    for axes in (bars, lines):
        axes.set_xticks(places[: len(names)], names, rotation=90, fontsize="small")
    save_figure(figure, path)
