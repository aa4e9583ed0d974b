"""Aggregated reports: one decision on every next card, or on the flops of a library; flop subsets.

Up to isomorphism the 22,100 flops are 1,755. A subset takes flops at even steps from all 22,100,
sorted by suits, pairs and ranks, so that each flop represents equally many: unweighted means over
the subset estimate means over all flops. A report can be grouped by the texture of the flop.
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

#: Flops that are not isomorphic.
ALL_FLOPS: Final = 1755
#: Ways to group flops.
Texture = Literal["suits", "pairs", "straights", "high"]
_ACE: Final = RANKS.index("A")
_STRAIGHT: Final = 5
_FLOP_CARDS: Final = 3


class ReportRow(NamedTuple):
    """One row of a report: a decision on one board."""

    name: str
    """Cards since the spot's board, or the board."""
    weight: float
    """Reach of the decision, relative to the other rows."""
    frequencies: dict[str, float]
    """Frequency of each action."""
    values: tuple[float, float]
    """EV in chips: oop, ip."""
    equities: tuple[float, float]
    """Equity as a fraction of the pot: oop, ip."""


@dataclass(frozen=True)
class SpotTable(Framed):
    """Aggregated report: action frequencies, EV and equity, one row per board.

    Attributes
    ----------
    title
        Title, which names the decision.
    player
        The player who decides: `oop` or `ip`.
    keys
        The actions of all rows, from fold to the largest bet.
    rows
        One row per board.
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
        """Mean of all rows, weighted by reach; nan if the total reach is 0."""
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
        """Build a report from decisions of one player on several boards."""
        keys: dict[str, ActionKey] = {}
        rows, sides = [], set()
        for name, node in nodes:
            keys = {key.action: key for key in node.keys} | keys
            rows.append(_row(name, node))
            sides.add(node.side)
        if len(sides) != 1:
            raise SpotError("a report needs the same player to decide on all boards")
        ordered = sorted(keys.values(), key=lambda key: (key.share is not None, key.share or 0.0))
        return cls(title, sides.pop(), tuple(ordered), tuple(rows))

    def by_texture(self, by: Texture) -> SpotTable:
        """Group the rows by flop texture; the rows' names must be boards.

        A group's row is the mean weighted by reach. With all 1,755 flops each is also weighted by
        the number of flops isomorphic to it; the flops of a subset count equally.

        Parameters
        ----------
        by
            `suits`; `pairs`; `straights`: whether two cards complete one; `high`: the highest card.

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
        ordered = sorted(groups.items(), key=lambda group: _place(group[0]))
        parts = ((name, replace(self, rows=tuple(rows))) for name, rows in ordered)
        return replace(self, rows=tuple(part.mean._replace(name=name) for name, part in parts))

    def frame_columns(self) -> Columns:
        """Return the report as columns, a row per board."""
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
        """Return the report as plain values; None where reach is 0."""
        return {
            "title": self.title,
            "player": self.player,
            "actions": list(self.actions),
            "rows": [_plain(row) for row in self.rows],
            "mean": _plain(self.mean),
        }

    @staticmethod
    def check_name(path: Path) -> None:
        """Refuse a name that does not end in .csv, .json or .png."""
        if path.suffix.lower() not in _FORMATS:
            raise SpotError(f"a report's name must end in {', '.join(_FORMATS)}, not {path.name!r}")

    def write(self, path: Path) -> None:
        """Write a .csv, .json or .png file.

        Raises
        ------
        SpotError
            If the name ends otherwise.
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
    """A number for JSON, which has no nan."""
    return None if np.isnan(value) else value


def card_report(solution: Solution, line: str = "", cards: CardsLike = "") -> SpotTable:
    """Return an aggregated report of a decision on every next card.

    Parameters
    ----------
    solution
        A solution of a flop or a turn.
    line
        A line to a decision on a later street: `kk`, `kb60c/k`.
    cards
        Fixed cards: the turn of a flop solution, for a report over rivers.

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
            f"no card is dealt between {cards_text(given) or 'the board'} and '{line}': a report "
            "needs a line to a later street, such as 'kk'"
        )
    seen = [
        (cards_text(dealt[len(given) :]), solution.node(line, dealt))
        for dealt in _runouts(solution, given, missing)
    ]
    here = f" on {cards_text([*solution.spot.cards, *given])}"
    return SpotTable.of(f"After {solution.tree.line(node)}{here}", seen)


def _runouts(solution: Solution, dealt: tuple[int, ...], missing: int) -> Iterator[tuple[int, ...]]:
    if not missing:
        yield dealt
        return
    for card in reversed(solution.next_cards(dealt)):  # aces first
        yield from _runouts(solution, (*dealt, card), missing - 1)


def _row(name: str, node: Decision) -> ReportRow:
    return ReportRow(
        name,
        node.weight,
        dict(zip(node.actions, node.frequencies().tolist(), strict=True)),
        (node.value(0), node.value(1)),
        (node.mean(0, node.equity[0]), node.mean(1, node.equity[1])),
    )


def _draw(path: Path, table: SpotTable) -> None:
    """Draw frequencies as bars, and EV below, one column per board."""
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
    """Return each flop and the number isomorphic to it, in the order for subsets."""
    flops = list(combinations(range(52), 3))
    numbers, _ = canonical_boards(np.array(flops, np.uint8))
    counts = Counter(numbers.tolist())
    first = dict(zip(reversed(numbers.tolist()), reversed(flops), strict=True))
    ordered = sorted(((_texture(flop), counts[number], flop) for number, flop in first.items()))
    return {cards_text(flop): count for _, count, flop in ordered}


def _texture(flop: tuple[int, ...]) -> tuple[int, ...]:
    """Sort key: suits from rainbow to one, ranks from three to one, then ranks, highest first."""
    ranks = sorted((card // 4 for card in flop), reverse=True)
    suits = len({card % 4 for card in flop})
    return (-suits, -len(set(ranks)), *ranks)


def few_flops(number: int = ALL_FLOPS) -> tuple[str, ...]:
    """Return a subset of flops that represents all; by default all 1,755.

    Examples
    --------
    >>> len(few_flops(25)), few_flops(25)[:3]
    (25, ('4c6d7h', '7c8d9h', '4c6dJh'))
    """
    if not 1 <= number <= ALL_FLOPS:
        raise SpotError(f"a set of flops must have 1 to {ALL_FLOPS:,} flops, not {number:,}")
    flops = list(_flop_counts())
    if number == ALL_FLOPS:
        return tuple(flops)
    ends = np.cumsum(list(_flop_counts().values()))
    places = (np.arange(number) + 0.5) * ends[-1] / number
    chosen = dict.fromkeys(np.searchsorted(ends, places, side="right").tolist())
    for spare in range(len(flops)):  # steps may hit a flop with many isomorphic ones twice
        if len(chosen) == number:
            break
        chosen.setdefault(spare)
    return tuple(flops[place] for place in sorted(chosen))


def _texture_of(board: str, by: Texture) -> str:
    """Name the texture of a board's first three cards."""
    if by not in get_args(Texture):
        raise SpotError(f"texture must be one of {', '.join(get_args(Texture))}, not {by!r}")
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
    """Whether three ranks fit into one straight; an ace is high or low."""
    low = {-1 if rank == _ACE else rank for rank in ranks}
    return len(ranks) == _FLOP_CARDS and any(
        max(three) - min(three) < _STRAIGHT for three in (ranks, low)
    )


def _flop_weights(rows: Sequence[ReportRow]) -> Callable[[ReportRow], int]:
    """Weights of rows: the isomorphic flops if the report has all flops, otherwise 1."""
    counts = {cards_text(sorted(as_cards(flop))): n for flop, n in _flop_counts().items()}
    names = {row.name: cards_text(sorted(as_cards(row.name))) for row in rows}
    if len(rows) != ALL_FLOPS or set(names.values()) != counts.keys():
        return lambda _: 1
    return lambda row: counts[names[row.name]]


def _place(name: str) -> tuple[int, str]:
    """Sort key of textures: high cards from the ace down, others by name."""
    return (-RANKS.index(name[0]), "") if name.endswith(" high") else (0, name)
