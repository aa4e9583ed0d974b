"""Reports: one decision on every card that can come, or of many solutions; sets of flops.

Flops that differ only by the names of suits are one: 22,100 become 1,755. A few are taken evenly
from all 22,100 in an order by suits, pairs and ranks, so that each stands for as many as any other:
means over them are means over all flops, without weights. A report on many flops is grouped by the
texture of the flop.
"""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, get_args

import numpy as np

from riverboat.cards import RANKS, as_cards, canonical_boards, cards_text
from riverboat.errors import SpotError
from riverboat.files import atomic_path
from riverboat.report import COLOURS, Columns, Framed, hex_colour, new_panels, save_figure
from riverboat.spots._settings import SIDES, decision_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from riverboat.cards import CardsLike
    from riverboat.decision import ActionKey, Decision
    from riverboat.spots._solution import Solution

_FORMATS: Final = (".csv", ".json", ".png")
_MOST_LABELS: Final = 120

#: Flops that differ by more than the names of suits.
ALL_FLOPS: Final = 1755
#: What flops are told apart by.
Texture = Literal["suits", "pairs", "straights", "high"]
_ACE: Final = RANKS.index("A")
_STRAIGHT: Final = 5
_FLOP_CARDS: Final = 3


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

    @classmethod
    def of(cls, title: str, nodes: Iterable[tuple[str, Decision]]) -> SpotTable:
        """Put decisions of one player side by side: on cards, or of solutions of many boards."""
        keys: dict[str, ActionKey] = {}
        rows, sides = [], set()
        for name, node in nodes:
            keys = {key.action: key for key in node.keys} | keys
            rows.append(_row(name, node))
            sides.add(node.side)
        if len(sides) != 1:
            raise SpotError("a report is of one player: here both decide, by board")
        ordered = sorted(keys.values(), key=lambda key: (key.share is not None, key.share or 0.0))
        return cls(title, sides.pop(), tuple(ordered), tuple(rows))

    def by_texture(self, by: Texture) -> SpotTable:
        """Put boards together by their flops' texture, where boards name the rows.

        Rows become means by how often play comes there. Where all 1,755 flops are there, each also
        counts as often as it is dealt; a few that stand for all count alike.

        Parameters
        ----------
        by
            `suits`; `pairs`; `straights`, whether two cards can make one; `high`, the highest card.

        Examples
        --------
        >>> from riverboat.spots import ReportRow, SpotTable
        >>> boards = ("Ks7h2d", "QsQh2d")
        >>> rows = [ReportRow(board, 1.0, {}, (2.0, 3.0), (0.5, 0.5)) for board in boards]
        >>> table = SpotTable("At the start", "oop", (), rows)
        >>> [row.name for row in table.by_texture("pairs").rows]
        ['a pair', 'no pair']
        """
        groups: dict[str, list[ReportRow]] = defaultdict(list)
        weight = _flop_weights(self.rows)
        for row in self.rows:
            counted = row._replace(weight=row.weight * weight(row))
            groups[_texture_of(row.name, by)].append(counted)
        ordered = sorted(groups.items(), key=lambda each: _place(each[0]))
        parts = ((name, replace(self, rows=tuple(rows))) for name, rows in ordered)
        return replace(self, rows=tuple(part.mean._replace(name=name) for name, part in parts))

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

    @staticmethod
    def check_name(path: Path) -> None:
        """Refuse names that do not end in .csv, .json or .png."""
        if path.suffix.lower() not in _FORMATS:
            raise SpotError(f"a report is written as {', '.join(_FORMATS)}, not {path.name!r}")

    def write(self, path: Path) -> None:
        """Write a .csv, .json or .png file.

        Raises
        ------
        SpotError
            If its name ends otherwise.
        """
        self.check_name(path)
        kind = path.suffix.lower()
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
    return SpotTable.of(f"After {solution.tree.line(node)}{here}", seen)


def _run_outs(
    solution: Solution, dealt: tuple[int, ...], missing: int
) -> Iterator[tuple[int, ...]]:
    if not missing:
        yield dealt
        return
    for card in reversed(solution.next_cards(dealt)):  # aces first
        yield from _run_outs(solution, (*dealt, card), missing - 1)


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


@lru_cache(maxsize=1)
def _flop_counts() -> dict[str, int]:
    """Return every flop, and how many it stands for; in the order in which a few are taken."""
    flops = list(combinations(range(52), 3))
    numbers, _ = canonical_boards(np.array(flops, np.uint8))
    counts = Counter(numbers.tolist())
    first = dict(zip(reversed(numbers.tolist()), reversed(flops), strict=True))
    found = sorted(((_texture(flop), counts[number], flop) for number, flop in first.items()))
    return {cards_text(flop): count for _, count, flop in found}


def _texture(flop: tuple[int, ...]) -> tuple[int, ...]:
    """Suits from rainbow to one, ranks from three to one, then ranks from the highest down."""
    ranks = sorted((card // 4 for card in flop), reverse=True)
    suits = len({card % 4 for card in flop})
    return (-suits, -len(set(ranks)), *ranks)


def few_flops(number: int = ALL_FLOPS) -> tuple[str, ...]:
    """Return so many flops that stand for all; by default all that differ.

    Examples
    --------
    >>> len(few_flops(25)), few_flops(25)[:3]
    (25, ('4c6d7h', '7c8d9h', '4c6dJh'))
    """
    if not 1 <= number <= ALL_FLOPS:
        raise SpotError(f"a set has 1 to {ALL_FLOPS:,} flops, not {number:,}")
    flops = list(_flop_counts())
    if number == ALL_FLOPS:
        return tuple(flops)
    ends = np.cumsum(list(_flop_counts().values()))
    places = (np.arange(number) + 0.5) * ends[-1] / number
    chosen = dict.fromkeys(np.searchsorted(ends, places, side="right").tolist())
    for spare in range(len(flops)):  # one that stands for many may be hit twice
        if len(chosen) == number:
            break
        chosen.setdefault(spare)
    return tuple(flops[place] for place in sorted(chosen))


def _texture_of(board: str, by: Texture) -> str:
    """Name the texture of a board's first three cards."""
    if by not in get_args(Texture):
        raise SpotError(f"textures are {', '.join(get_args(Texture))}, not {by!r}")
    cards = as_cards(board)[:_FLOP_CARDS]
    ranks, suits = {card // 4 for card in cards}, {card % 4 for card in cards}
    match by:
        case "suits":
            return ("one suit", "two suits", "rainbow")[len(suits) - 1]
        case "pairs":
            return ("three of a rank", "a pair", "no pair")[len(ranks) - 1]
        case "straights":
            return "a straight can be" if _connected(ranks) else "no straight"
        case "high":
            return f"{RANKS[max(ranks)]} high"


def _connected(ranks: set[int]) -> bool:
    """Whether three ranks are of one straight; an ace is high or low."""
    low = {-1 if rank == _ACE else rank for rank in ranks}
    return len(ranks) == _FLOP_CARDS and any(
        max(each) - min(each) < _STRAIGHT for each in (ranks, low)
    )


def _flop_weights(rows: Sequence[ReportRow]) -> Callable[[ReportRow], int]:
    """How many flops a row stands for, where all are there."""
    counts = {cards_text(sorted(as_cards(flop))): n for flop, n in _flop_counts().items()}
    names = {row.name: cards_text(sorted(as_cards(row.name))) for row in rows}
    if len(rows) != ALL_FLOPS or set(names.values()) != counts.keys():
        return lambda _: 1
    return lambda row: counts[names[row.name]]


def _place(name: str) -> tuple[int, str]:
    """High cards from the ace down; other textures by name."""
    return (-RANKS.index(name[0]), "") if name.endswith(" high") else (0, name)
