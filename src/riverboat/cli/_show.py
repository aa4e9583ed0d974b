"""The command that shows one decision of a strategy: matrix, frequencies, single hands."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from riverboat.blueprint import Blueprint, NodeView, find_blueprint, node_view
from riverboat.cards import NUM_CLASSES, STREETS, HandStrength, cards_text, class_text, table_path
from riverboat.cli._action_keys import ActionKey, Palette, action_keys
from riverboat.cli._output import JsonOption, console, print_json, status
from riverboat.cli._progress import counted
from riverboat.cli._show_buckets import bucket_rows, show_buckets
from riverboat.cli._show_hands import Line, hand_lines, show_hands
from riverboat.cli._show_matrix import MATRIX_COLUMNS, legend, matrix_lines
from riverboat.cli._show_path import find_node
from riverboat.errors import BlueprintError

__all__ = ["show_command"]


def show_command(
    file: Annotated[
        Path,
        typer.Argument(
            help="A strategy file; `default` is the shipped one.",
            parser=find_blueprint,
            metavar="file",
        ),
    ],
    path: Annotated[str, typer.Argument(help="Line of play, such as b25c/k.")] = "",
    board: Annotated[str, typer.Option(help="Public cards, such as Qh7c2d.")] = "",
    hands: Annotated[str, typer.Option(help="Hands to list: AhKh,QQ,A5s+.")] = "",
    plot: Annotated[Path | None, typer.Option(help="Draw it: a .png, .svg or .pdf.")] = None,
    colour_blind: Annotated[bool, typer.Option(help="Colours for colour-blind people.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show what a strategy does at one decision."""
    blueprint = Blueprint.open(file)
    node = find_node(blueprint.tree, path)
    palette: Palette = "colour-blind" if colour_blind else "usual"
    keys = action_keys(blueprint.tree, node, palette)
    facts = _facts(blueprint, node, path)
    if blueprint.cards is None:
        if board or hands or plot is not None:
            raise BlueprintError(
                f"{file} is a strategy of {facts['game'] or 'a small game'}: --board, --hands and "
                "--plot are for hold'em with card buckets; all buckets are listed"
            )
        _enumerated(blueprint, node, keys, facts, as_json)
        return
    with counted("hands on this board") as progress:
        view = node_view(blueprint, node, board, _built_tables, progress)
    lines = hand_lines(view, hands)
    if plot is not None:
        _plot(plot, facts, view, keys)
    if as_json:
        print_json({**facts, **_values(view, keys, lines)})
        return
    _show(facts, view, keys, lines)


def _built_tables() -> HandStrength | None:
    """The hand-strength tables if they are there: one board is not worth building them."""
    built = all(table_path(street).exists() for street in STREETS)
    return HandStrength() if built else None


def _facts(blueprint: Blueprint, node: int, path: str) -> dict[str, Any]:
    """What is known of the decision whatever the cards."""
    tree = blueprint.tree
    player = int(tree.player[node])
    contributions = tree.contributions[node].tolist()
    passive = next(child for child in tree.children(node) if tree.action_kind[child] in (1, 2, 4))
    return {
        "file": str(blueprint.path),
        "game": blueprint.header.game_name,
        "menu": blueprint.header.menu,
        "path": path,
        "line": tree.line(node),
        "node": node,
        "player": player,
        "street": int(tree.street[node]),
        "pot": sum(contributions),
        "to_call": int(tree.contributions[passive, player]) - contributions[player],
    }


def _title(facts: dict[str, Any], board: str = "") -> str:
    after = f"after {facts['line']}" if facts["line"] else "at the start"
    on = f" on {board}" if board else ""
    price = f", {facts['to_call']} to call" if facts["to_call"] else ""
    return f"{facts['game']} {after}{on}: seat {facts['player']}, pot {facts['pot']}{price}"


def _show(
    facts: dict[str, Any], view: NodeView, keys: Sequence[ActionKey], lines: Sequence[Line]
) -> None:
    _head(facts, cards_text(view.board))
    for row in matrix_lines(view.by_class(), ~np.isnan(view.class_reach()), keys, console):
        console.print(row)
    if console.width < MATRIX_COLUMNS:
        console.print(
            f"The matrix has {MATRIX_COLUMNS} columns, and {console.width} of them fit here: widen "
            "the window, or see --hands and --plot."
        )
    letter = keys[-1].letter
    console.print(f"AKs{letter} is always {letter}, AKs{letter}7 in about 70 %; ? is untrained.")
    for entry in legend(keys, view.frequencies(), console):
        console.print(entry)
    live = view.alive & (view.reach > 0)
    share = float(view.reach[view.trained].sum() / max(view.reach[live].sum(), 1e-300))
    console.print(
        f"How often, over all hands by how likely the seat comes here with them; "
        f"{share:.1%} of these are trained."
    )
    if lines:
        show_hands(lines, keys)


def _head(facts: dict[str, Any], board: str = "") -> None:
    console.print(_title(facts, board))
    if facts["path"].rstrip("/") != facts["line"].rstrip("/"):
        console.print(f"{facts['path']} is read as {facts['line'] or 'the start'}.")


def _values(view: NodeView, keys: Sequence[ActionKey], lines: Sequence[Line]) -> dict[str, Any]:
    """Everything the command knows, for programs."""
    strategy, reach = view.by_class(), view.class_reach()
    return {
        "board": cards_text(view.board),
        "actions": _actions(keys, view.frequencies()),
        "classes": [
            {
                "hand": class_text(index),
                "reach": None if np.isnan(reach[index]) else float(reach[index]),
                "strategy": None if np.isnan(strategy[index, 0]) else strategy[index].tolist(),
            }
            for index in range(NUM_CLASSES)
        ],
        "hands": [line.values() for line in lines],
    }


def _actions(keys: Sequence[ActionKey], frequencies: Any = None) -> list[dict[str, Any]]:
    shares = [None] * len(keys) if frequencies is None else frequencies.tolist()
    return [
        {
            "action": key.action,
            "words": key.words,
            "pot_share": key.share,
            "frequency": None if share is None or np.isnan(share) else share,
        }
        for key, share in zip(keys, shares, strict=True)
    ]


def _enumerated(
    blueprint: Blueprint,
    node: int,
    keys: Sequence[ActionKey],
    facts: dict[str, Any],
    as_json: bool,
) -> None:
    rows = bucket_rows(blueprint, node)
    if as_json:
        print_json({**facts, "actions": _actions(keys), "buckets": [row._asdict() for row in rows]})
        return
    _head(facts)
    show_buckets(rows, keys)


def _plot(path: Path, facts: dict[str, Any], view: NodeView, keys: Sequence[ActionKey]) -> None:
    from riverboat.cli._show_plot import plot_matrix  # noqa: PLC0415 - only pictures need it

    alive = ~np.isnan(view.class_reach())
    title = _title(facts, cards_text(view.board))
    plot_matrix(path, title, view.by_class(), alive, keys, view.frequencies())
    status.print(f"drawn into {path}")
