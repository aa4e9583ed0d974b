"""Preflop charts: selection of decisions, contents, and files."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

import numpy as np

from riverboat.blueprint import decision_at, line_reach, shown_as
from riverboat.cards import (
    CLASS_COMBOS,
    HOLE_CLASS,
    NUM_CLASSES,
    Range,
    built_strength,
    class_text,
)
from riverboat.decision import cell_style
from riverboat.errors import BlueprintError, RiverboatError
from riverboat.files import atomic_path
from riverboat.game import Action, Hand, parse_line, position_names
from riverboat.learn._push_fold import solve_push_fold
from riverboat.report import hex_colour, how_many, percent
from riverboat.tree import DECISION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from riverboat.blueprint import Blueprint
    from riverboat.decision import ClassCell, Decision
    from riverboat.game import GameSpec
    from riverboat.report import Palette
    from riverboat.tree import Tree

ChartKind = Literal["open", "limp", "defence", "3-bet", "4-bet"]
#: The situation: first in, against a limp, a raise, a 3-bet, or a 4-bet and more.
CHART_KINDS: Final[tuple[ChartKind, ...]] = get_args(ChartKind)

_HEADS_UP: Final = 2
_AGAINST: Final = {"limp": "against a limp", "defence": "against a raise"}
#: Suffixes of chart files.
CHART_FILES: Final = (".html", ".csv", ".txt")
_HOW: Final = (
    "Each cell is a starting hand: pairs on the diagonal, suited hands above it. Colours show how "
    "often each action is taken. Faint: rarely reached."
)


@dataclass(frozen=True)
class Chart:
    """A decision before the flop.

    Attributes
    ----------
    position, kind
        The position of the player to act, and the situation. A chart of kind `3-bet` or `4-bet`
        is that of the player who faces it.
    raises
        Number of bets and raises so far, without the blinds.
    depth
        The smallest starting stack in big blinds.
    share
        Fraction of all hands in which the decision is reached.
    view
        The decision.
    big_blind
        Chips of the big blind.
    opener
        With three or more players the position of the last raiser, or of the last limper; else
        empty.
    callers
        Number of players who have called the last raise.
    """

    position: str
    kind: ChartKind
    raises: int
    depth: float
    share: float
    view: Decision
    big_blind: int
    opener: str = ""
    callers: int = 0

    @property
    def line(self) -> str:
        """The actions before the decision."""
        return self.view.line

    @property
    def title(self) -> str:
        """Position and situation in words.

        Examples
        --------
        >>> from riverboat.blueprint import Blueprint, default_blueprint
        >>> [each.title for each in preflop_charts(Blueprint.open(default_blueprint()))][:3]
        ['SB, open', 'BB, against a limp', 'BB, against a raise']
        """
        known = _AGAINST.get(self.kind, f"against a {self.raises + 1}-bet")
        by = f" by {self.opener}" if self.opener else ""
        callers = f", {how_many(self.callers, 'caller')}" if by and self.callers else ""
        what = "open" if self.kind == "open" else f"{known}{by}{callers}"
        return f"{self.position}, {what}"

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions as text, in the order of the strategy's last axis."""
        return self.view.actions

    @cached_property
    def classes(self) -> NDArray[np.float64]:
        """[169, actions] float64, strategy of each class; NaN where untrained."""
        return self.view.by_class()

    @cached_property
    def frequencies(self) -> NDArray[np.float64]:
        """[actions] float64, frequencies over all hands, weighted by reach."""
        return self.view.frequencies()

    def words(self, action: str) -> str:
        """Return the name of an action in this situation: `open`, `limp`, `3-bet`.

        Examples
        --------
        >>> from riverboat.blueprint import Blueprint, default_blueprint
        >>> chart = preflop_charts(Blueprint.open(default_blueprint()))[0]
        >>> [chart.words(action) for action in chart.actions]
        ['fold', 'limp', 'open to 2.5 bb', 'open to 6 bb', 'open all-in']
        """
        move = Action(action)
        if move.kind != "bet":
            passive = "limp" if self.kind == "open" else "call"
            return {"f": "fold", "k": "check"}.get(action, passive)
        named = {0: "raise" if self.kind == "limp" else "open"}
        verb = named.get(self.raises, f"{self.raises + 2}-bet")
        key = self.view.keys[self.actions.index(action)]
        size = "all-in" if key.letter == "A" else f"to {move.amount / self.big_blind:g} bb"
        return f"{verb} {size}"

    def range(self, action: str) -> Range:
        """Return the range of an action: each hand with its frequency, to a thousandth."""
        shares = np.nan_to_num(self.classes[:, self.actions.index(action)]).round(3)
        return Range(shares[HOLE_CLASS])

    def as_dict(self) -> dict[str, Any]:
        """Return the chart as JSON values."""
        reach = self.view.class_reach()
        return {
            "title": self.title,
            "position": self.position,
            "kind": self.kind,
            "opener": self.opener or None,
            "callers": self.callers,
            "line": self.line,
            "depth_bb": self.depth,
            "share": self.share,
            "actions": [
                {
                    "action": action,
                    "words": self.words(action),
                    "colour": hex_colour(key.colour),
                    "frequency": _known(frequency),
                    "range": str(self.range(action)),
                }
                for action, key, frequency in zip(
                    self.actions, self.view.keys, self.frequencies.tolist(), strict=True
                )
            ],
            "classes": [
                {
                    "hand": class_text(index),
                    "reach": _known(reach[index]),
                    "strategy": [_known(each) for each in self.classes[index]],
                }
                for index in range(NUM_CLASSES)
            ],
        }


def _known(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 5)


def preflop_charts(
    blueprint: Blueprint,
    *,
    least: float = 0.002,
    threshold: float = 0.0,
    palette: Palette = "usual",
) -> tuple[Chart, ...]:
    """Return the charts of a hold'em strategy, opens first.

    Parameters
    ----------
    blueprint
        The strategy.
    least
        Minimum fraction of hands in which a decision is reached; rarer ones are skipped.
    threshold
        Bets and folds rarer than this are left out; 0 = as trained.
    palette
        Colours of actions.
    """
    tree = blueprint.tree
    if blueprint.cards is None or blueprint.header.spec.has_swaps or not any(tree.spec.blinds):
        name = blueprint.header.game_name or "this game"
        raise BlueprintError(
            f"preflop charts need hold'em with blinds and card buckets, not {name}"
        )
    decisions = np.flatnonzero((tree.kind == DECISION) & (tree.street == 0)).tolist()
    charts, rare = [], set[int]()
    for node in decisions:  # parents come before children
        if int(tree.parent[node]) in rare:
            rare.add(node)
            continue
        reach = line_reach(blueprint, node, "", built_strength, threshold)
        share = float(np.prod(reach.mean(axis=1)))
        if share >= least:
            view = decision_at(
                blueprint, node, "", built_strength, threshold=threshold, palette=palette
            )
            charts.append(_chart(tree, view, share))
        else:
            rare.add(node)
    return tuple(sorted(charts, key=partial(_order, tree.spec)))


def _order(spec: GameSpec, chart: Chart) -> tuple[float, ...]:
    """Return the place of a chart: by situation; with many players by opener and position."""
    kind = CHART_KINDS.index(chart.kind), chart.raises
    if spec.players == _HEADS_UP:
        return *kind, -chart.share
    names = position_names(spec)
    acting = [names[(seat + _HEADS_UP) % spec.players] for seat in range(spec.players)]
    opener = acting.index(chart.opener) if chart.opener else -1
    return *kind, chart.callers, opener, acting.index(chart.position), -chart.share


def _before(spec: GameSpec, line: str) -> tuple[str, int]:
    """Return the position of the last raiser (or limper), and the number of callers since."""
    last, callers = -1, 0
    for event in Hand.from_line(spec, line).events:
        if event.action.kind == "bet" or (event.action.kind == "call" and last < 0):
            last, callers = event.seat, 0
        elif event.action.kind == "call":
            callers += 1
    return position_names(spec)[last] if last >= 0 else "", callers


def _chart(tree: Tree, view: Decision, share: float) -> Chart:
    before = [action.kind for action in parse_line(view.line)[0]]
    raises, limped = before.count("bet"), "call" in before
    unraised: ChartKind = "limp" if limped else "open"
    raised: tuple[ChartKind, ...] = ("defence", "3-bet", "4-bet")
    spec, kind = tree.spec, unraised if not raises else raised[min(raises, 3) - 1]
    blind = max(spec.blinds)
    position = position_names(spec)[view.player]
    by = ("", 0) if spec.players == _HEADS_UP else _before(spec, view.line)
    return Chart(position, kind, raises, min(spec.stacks) / blind, share, view, blind, *by)


@dataclass(frozen=True)
class ChartBook:
    """The charts of one strategy."""

    name: str
    depth: float
    """Stack in big blinds."""
    threshold: float
    charts: tuple[Chart, ...]
    note: str = ""
    """How the charts were computed, if not by training."""

    @classmethod
    def push_fold(
        cls, name: str, depth: float, ante: float = 0.0, palette: Palette = "usual"
    ) -> ChartBook:
        """Return the two charts of push or fold; see `solve_push_fold`.

        Examples
        --------
        >>> book = ChartBook.push_fold("push-fold-10bb", 10)
        >>> [(chart.title, chart.words(chart.actions[-1])) for chart in book.charts]
        [('SB, open', 'open all-in'), ('BB, against a raise', 'call')]
        """
        found = solve_push_fold(depth, ante)
        shares = 1.0, _mean_reach(found.strategy[0])
        charts = tuple(
            _chart(found.tree, view, share)
            for view, share in zip(found.decisions(palette), shares, strict=True)
        )
        antes = f", ante {ante:g} bb" if ante else ""
        note = f"push or fold{antes}, exploitability {found.exploitability:.2g} mbb/hand"
        return cls(name, depth, 0.0, charts, note)

    @classmethod
    def of(
        cls,
        blueprint: Blueprint,
        name: str,
        *,
        least: float = 0.002,
        threshold: float = 0.0,
        palette: Palette = "usual",
    ) -> ChartBook:
        """Compute the charts of a strategy; see `preflop_charts`."""
        charts = preflop_charts(blueprint, least=least, threshold=threshold, palette=palette)
        return cls(name, charts[0].depth, threshold, charts)

    @property
    def shown(self) -> str:
        """Whether the strategy is shown as trained or as played, in words."""
        return self.note or shown_as(self.threshold)

    def as_dict(self) -> dict[str, Any]:
        """Return all charts as JSON values."""
        charts = [chart.as_dict() for chart in self.charts]
        return {
            "name": self.name,
            "depth_bb": self.depth,
            "threshold": self.threshold,
            "shown": self.shown,
            "charts": charts,
        }


def _mean_reach(classes: NDArray[np.float64]) -> float:
    """Return the share of all hands, from the probability of each class."""
    return float(classes[HOLE_CLASS].mean())


def write_charts(path: Path, books: Sequence[ChartBook], title: str = "Preflop charts") -> None:
    """Write charts to a .html, .csv or .txt file, atomically."""
    forms = {
        ".html": lambda: charts_html(books, title),
        ".csv": lambda: _csv(books),
        ".txt": lambda: _text(books),
    }
    form = forms.get(path.suffix.lower())
    if form is None:
        raise RiverboatError(f"a chart file ends in {', '.join(CHART_FILES)}, not {path.name!r}")
    with atomic_path(path) as temporary:
        temporary.write_text(form(), encoding="utf-8", newline="")


def _csv(books: Sequence[ChartBook]) -> str:
    """Return CSV with a row for each chart, hand and action."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    head = "strategy depth_bb position chart line hand combos reach action words probability"
    writer.writerow(head.split())
    writer.writerows(row for book in books for chart in book.charts for row in _rows(book, chart))
    return text.getvalue()


def _rows(book: ChartBook, chart: Chart) -> Iterator[list[object]]:
    reach = chart.view.class_reach()
    facts = [book.name, f"{book.depth:g}", chart.position, chart.title, chart.line]
    for index in range(NUM_CLASSES):
        if np.isnan(chart.classes[index, 0]):
            continue
        hand = [class_text(index), CLASS_COMBOS[index], f"{reach[index]:.4f}"]
        for action, share in zip(chart.actions, chart.classes[index], strict=True):
            yield [*facts, *hand, action, chart.words(action), f"{share:.4f}"]


def _text(books: Sequence[ChartBook]) -> str:
    """Return the range of each action of each chart, as text for solvers and calculators."""
    lines = []
    for book in books:
        for chart in book.charts:
            after = f" after {chart.line}" if chart.line else ""
            lines.append(f"# {book.name}, {book.depth:g} bb: {chart.title}{after}")
            for action in chart.actions:
                lines += [f"# {chart.words(action)}", str(chart.range(action)) or "# no hand"]
            lines.append("")
    return "\n".join(lines)


def charts_html(books: Sequence[ChartBook], title: str = "Preflop charts") -> str:
    """Return all charts as one self-contained page for printing.

    Examples
    --------
    >>> from riverboat.blueprint import Blueprint, default_blueprint
    >>> book = ChartBook.of(Blueprint.open(default_blueprint()), "default")
    >>> charts_html([book]).count("<table") == len(book.charts)
    True
    """
    return page_of("charts", {"rows": _cells, "keys": _keys}, books=books, title=title, how=_HOW)


def page_of(name: str, filters: Mapping[str, Callable[..., Any]], /, **values: object) -> str:
    """Render an HTML template of this package."""
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415 - slow to import

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= filters
    page = (files("riverboat.learn") / f"{name}.html.j2").read_text(encoding="utf-8")
    return environment.from_string(page).render(values)


def _cells(chart: Chart) -> list[list[dict[str, str]]]:
    cells = [_cell(chart, cell) for cell in chart.view.cells()]
    return [cells[first : first + 13] for first in range(0, NUM_CLASSES, 13)]


def _cell(chart: Chart, cell: ClassCell) -> dict[str, str]:
    actions = ", ".join(
        f"{chart.words(action)} {percent(float(share))}"
        for action, share in zip(chart.actions, cell.shares, strict=True)
    )
    title = f"{cell.name}: {actions if cell.known else 'untrained'}"
    return {"name": cell.name, "style": cell_style(cell, chart.view.keys), "title": title}


def _keys(chart: Chart) -> list[dict[str, str]]:
    return [
        {
            "colour": hex_colour(key.colour),
            "words": chart.words(key.action),
            "share": "" if np.isnan(share) else percent(float(share)),
        }
        for key, share in zip(chart.view.keys, chart.frequencies, strict=True)
    ]
