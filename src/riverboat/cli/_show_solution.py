"""`riverboat show` of a solved spot: matrix, frequencies, EV, single hands, another strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riverboat.cards import NUM_CLASSES, cards_text, class_text
from riverboat.cli._matrix import Matrix, hedged, legend, matrix_lines, plot_matrix
from riverboat.cli._output import console, grid, print_json, status
from riverboat.cli._show_rows import named_hands
from riverboat.report import percent
from riverboat.spots import Solution

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from riverboat.blueprint import NodeView
    from riverboat.report import Palette
    from riverboat.spots import SpotNode

__all__ = ["SolutionQuery", "show_solution"]

_SIDES = ("oop", "ip")
_WIDE = 80


class SolutionQuery(NamedTuple):
    """What is to be shown of a solution."""

    file: Path
    line: str
    cards: str
    hands: str
    plot: Path | None
    palette: Palette
    other: Callable[[tuple[int, ...]], NodeView] | None
    """Another strategy's decision on a board."""


class _Row(NamedTuple):
    """One hand or class of the player who decides; None where it cannot be, or meets nobody."""

    hand: str
    reach: float | None
    equity: float | None
    ev: float | None
    strategy: list[float | None] | None
    action_evs: list[float | None] | None


def show_solution(query: SolutionQuery, as_json: bool) -> None:
    """Show a decision of a solution."""
    solution = Solution.open(query.file)
    node = solution.node(query.line, query.cards, query.palette)
    other = query.other(node.board) if query.other else None
    rows = [_row(node, name, holes) for name, holes in named_hands(query.hands)]
    if query.plot is not None:
        title = f"{node.where}\nexploitable by {100 * solution.share:.2g} % of the pot"
        plot_matrix(query.plot, title, Matrix.of(node), node.keys, node.frequencies())
        status.print(f"drawn into {query.plot}")
    if as_json:
        print_json(_values(query, solution, node, rows, other))
        return
    _show(solution, node, rows, other)


def _row(node: SpotNode, name: str, holes: NDArray[np.intp]) -> _Row:
    live = holes[node.alive[holes]]
    if not len(live):
        return _Row(name, None, None, None, None, None)
    weights = node.reach[node.player][live] + 1e-9

    def mean(of: NDArray[np.float64]) -> float | None:
        known = np.where(np.isnan(of[live]), 0.0, weights)
        total = known.sum()
        return float((known * np.nan_to_num(of[live])).sum() / total) if total > 0 else None

    return _Row(
        name,
        float(node.reach[node.player][live].mean()),
        mean(node.equity[node.player]),
        mean(node.values[node.player]),
        [mean(column) for column in node.strategy.T],
        [mean(column) for column in node.action_values.T],
    )


def _show(solution: Solution, node: SpotNode, rows: list[_Row], other: NodeView | None) -> None:
    price = f", {node.to_call:,} to call" if node.to_call else ""
    console.print(f"{node.where}{price}")
    console.print(_solved(solution))
    for line in matrix_lines(Matrix.of(node), node.keys, console):
        console.print(line)
    for entry in legend(node.keys, node.frequencies(), console, "-"):
        console.print(entry)
    if node.weight <= 0:
        console.print("Play never comes here.")
    for player, side in enumerate(_SIDES) if node.weight > 0 else ():
        equity = percent(node.mean(player, node.equity[player]))
        console.print(f"{side}: equity {equity}, EV {node.value(player):,.2f} chips")
    for table in _hand_tables(node, rows) if rows else ():
        console.print(table)
    if other is not None:
        console.print(_other_table(node, other))


def _solved(solution: Solution) -> str:
    facts = solution.facts
    locked = f", {len(facts.locks)} locked" if facts.locks else ""
    best = f"; {facts.exploited} plays the best response" if facts.exploited else ""
    if facts.against:
        return f"{facts.exploited} plays the best response to {facts.against}{locked}."
    return (
        f"{facts.iterations:,} iterations, exploitable by {100 * solution.share:.3g} % of the "
        f"pot{locked}{best}."
    )


def _hand_tables(node: SpotNode, rows: list[_Row]) -> list[Any]:
    """What each hand does and what each action is worth: in two tables where one is too wide."""
    heads = [head for key in node.keys for head in (key.action, "EV")]
    cells = [
        [cell for pair in zip(_shares(row), _evs(row), strict=True) for cell in pair]
        for row in rows
    ]
    whole = _hand_table(rows, heads, cells)
    unbounded = console.options.update(width=10_000)
    if console.measure(whole, options=unbounded).maximum <= console.width:
        return [whole]
    actions = [key.action for key in node.keys]
    values = [f"EV {action}" for action in actions]
    return [
        _hand_table(rows, actions, [_shares(row) for row in rows]),
        grid(["hand", *values], [(row.hand, *_evs(row)) for row in rows if row.action_evs]),
    ]


def _hand_table(rows: list[_Row], heads: list[str], cells: list[list[str]]) -> Any:
    table = grid(["hand", "comes here", "equity", "EV", *heads], left=1)
    for row, told in zip(rows, cells, strict=True):
        if row.strategy is None:
            absent = "not in the range" if console.width >= _WIDE else "-"
            table.add_row(row.hand, absent, "", "", *[""] * len(heads))
            continue
        table.add_row(row.hand, hedged(row.reach or 0), _share(row.equity), _chips(row.ev), *told)
    return table


def _shares(row: _Row) -> list[str]:
    return [_share(share) for share in row.strategy or ()]


def _evs(row: _Row) -> list[str]:
    return [_chips(ev) for ev in row.action_evs or ()]


def _share(value: float | None) -> str:
    return "-" if value is None else hedged(value)


def _chips(value: float | None) -> str:
    return "-" if value is None else f"{value:,.2f}"


def _other_shares(node: SpotNode, other: NodeView) -> dict[str, float | None]:
    """How often another strategy takes each action with the hands that come here."""
    known = np.where(np.isnan(other.strategy[:, :1]), 0.0, 1.0)[:, 0]
    total = node.mean(node.player, known)
    if not total > 0:
        return dict.fromkeys(other.actions)
    shares = [node.mean(node.player, column) / total for column in other.strategy.T]
    return dict(zip(other.actions, shares, strict=True))


def _other_table(node: SpotNode, other: NodeView) -> Any:
    """Both strategies side by side; bets that only one has are in a row of their own."""
    own = dict(zip(node.actions, map(_number, node.frequencies()), strict=True))
    others = _other_shares(node, other)
    names = [*own, *(action for action in others if action not in own)]
    rows = [(name, *(_share(each.get(name)) for each in (own, others))) for name in names]
    return grid(["action", "solution, %", "strategy, %"], rows)


def _values(
    query: SolutionQuery,
    solution: Solution,
    node: SpotNode,
    rows: list[_Row],
    other: NodeView | None,
) -> dict[str, Any]:
    """Everything the command knows, for programs."""
    facts = solution.facts
    return {
        "file": str(query.file),
        "spot": facts.spot,
        "iterations": facts.iterations,
        "exploitability": facts.exploitability,
        "share": solution.share,
        "locks": list(facts.locks),
        "exploited": facts.exploited or None,
        "against": facts.against or None,
        "line": node.line,
        "board": cards_text(node.board),
        "player": node.side,
        "pot": node.pot,
        "to_call": node.to_call,
        "values": [_number(node.value(player)) for player in (0, 1)],
        "equities": [_number(node.mean(p, node.equity[p])) for p in (0, 1)],
        "actions": [
            {
                "action": key.action,
                "words": key.words,
                "pot_share": key.share,
                "frequency": _number(share),
            }
            for key, share in zip(node.keys, node.frequencies(), strict=True)
        ],
        "classes": _classes(node),
        "hands": [row._asdict() for row in rows],
        "other": None if other is None else _other_shares(node, other),
    }


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _classes(node: SpotNode) -> list[dict[str, Any]]:
    strategy, reach = node.by_class(), node.class_reach()
    ev, equity = (node.class_mean(each[node.player]) for each in (node.values, node.equity))
    return [
        {
            "hand": class_text(index),
            "reach": _number(reach[index]),
            "equity": _number(equity[index]),
            "ev": _number(ev[index]),
            "strategy": None if np.isnan(strategy[index, 0]) else strategy[index].tolist(),
        }
        for index in range(NUM_CLASSES)
    ]
