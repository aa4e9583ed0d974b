"""`riverboat show`: one decision of a strategy, as matrix, frequencies and single hands."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np

from riverboat.blueprint import (
    ActionKey,
    Blueprint,
    NodeValues,
    NodeView,
    action_keys,
    find_node,
    node_view,
    shown_as,
)
from riverboat.cards import NUM_CLASSES, built_strength, cards_text, class_text
from riverboat.cli._command import argument, option
from riverboat.cli._completion import decisions
from riverboat.cli._matrix import (
    LEAST_COLUMNS,
    MATRIX_COLUMNS,
    Matrix,
    legend,
    matrix_lines,
    plot_matrix,
)
from riverboat.cli._opened import opened, opened_at
from riverboat.cli._options import JsonOption
from riverboat.cli._output import check_place, console, print_json, status
from riverboat.cli._progress import counted
from riverboat.cli._show_rows import Line, bucket_rows, hand_lines, show_buckets, show_hands
from riverboat.cli._show_solution import SolutionQuery, show_solution
from riverboat.cli._show_values import (
    HandEvs,
    bucket_evs,
    class_evs,
    hand_evs,
    node_values,
    show_bucket_evs,
    show_evs,
    value_facts,
)
from riverboat.errors import BlueprintError
from riverboat.files import is_file
from riverboat.report import Palette, percent
from riverboat.spots import is_solution

__all__ = ["show_command"]


def show_command(
    strategy: Annotated[
        str,
        argument(
            "A strategy file, a bot that plays from one (default, blueprint:FILE), or a solution.",
            metavar="file",
            complete=decisions,
        ),
    ],
    path: Annotated[str, argument("Line of play, such as b25c/k.")] = "",
    board: Annotated[
        str,
        option("Public cards, such as Qh7c2d; of a solution the new ones.", "--board", "--cards"),
    ] = "",
    hands: Annotated[str, option("Hands to list: AhKh, QQ, A5s+.", "--hole")] = "",
    as_played: Annotated[
        bool | None,
        option(
            "Without the rare actions that the bot leaves out, or as the file has it. A bot "
            "is shown as played, a file as trained.",
            "--as-played/--as-trained",
        ),
    ] = None,
    other: Annotated[
        str,
        option(
            "Of a solution: a strategy to put beside it, and the line that leads it to the "
            "spot: 'default b25c'.",
            "--with",
        ),
    ] = "",
    ev: Annotated[
        bool, option("What each action is worth, chips; a solution always says.")
    ] = False,
    samples: Annotated[
        int | None,
        option(
            "With --ev: run-outs to draw where more than one card is to come (200); 0 takes "
            "all, from the flop on.",
            least=0,
        ),
    ] = None,
    plot: Annotated[Path | None, option("Draw it: a .png, .svg or .pdf.")] = None,
    colour_blind: Annotated[bool, option("Colours for colour-blind people.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show what a strategy or a solution does at one decision."""
    if plot is not None:
        check_place(plot)
    if samples is not None and not ev:
        raise BlueprintError(f"--samples {samples} is for --ev: say that as well")
    palette: Palette = "colour-blind" if colour_blind else "usual"
    if is_file(Path(strategy)) and is_solution(Path(strategy)):
        beside = _beside(other, path) if other else None
        query = SolutionQuery(Path(strategy), path, board, hands, plot, palette, beside)
        show_solution(query, as_json)
        return
    if other:
        raise BlueprintError(f"--with is for solutions: {strategy} is none")
    blueprint, threshold = opened(strategy, as_played)
    node = find_node(blueprint.tree, path)
    facts = _facts(blueprint, node, path, threshold)
    if blueprint.cards is None:
        if board or hands or plot is not None:
            raise BlueprintError(
                f"{strategy} is a strategy of {facts['game'] or 'a small game'}: --board, --hole "
                "and --plot are for hold'em with card buckets; all buckets are listed"
            )
        keys = action_keys(blueprint.tree, node, palette)
        _enumerated(blueprint, node, keys, facts, _Output(as_json, ev))
        return
    with counted("hands on this board") as progress:
        view = node_view(
            blueprint, node, board, built_strength, progress, threshold=threshold, palette=palette
        )
    values = node_values(blueprint, node, board, threshold, samples) if ev else None
    lines = hand_lines(view, hands)
    evs = None if values is None else hand_evs(values, hands)
    if plot is not None:
        _plot(plot, facts, view)
    if as_json:
        told = _values(view, lines)
        print_json({**facts, **(told if values is None else _with_evs(told, values, evs or []))})
        return
    _show(facts, view, lines)
    if values is not None:
        show_evs(values, lines, evs or [])


def _beside(text: str, line: str) -> Callable[[tuple[int, ...]], NodeView]:
    """Find a strategy's decision after the line that leads to a spot, and then on."""
    blueprint, threshold, before = opened_at(text, "--with")
    node = find_node(blueprint.tree, f"{before}/{line}".strip("/"))

    def view(board: tuple[int, ...]) -> NodeView:
        size = blueprint.tree.spec.board_sizes[int(blueprint.tree.street[node])]
        if len(board) != size:
            raise BlueprintError(
                f"'{before}' of --with leads to a board of {size} cards, and this decision is on "
                f"{cards_text(board)}: give the line from the start of the hand to the spot"
            )
        with counted("hands on this board") as progress:
            return node_view(blueprint, node, board, built_strength, progress, threshold=threshold)

    return view


def _facts(blueprint: Blueprint, node: int, path: str, threshold: float) -> dict[str, Any]:
    """What is known of the decision whatever the cards."""
    tree = blueprint.tree
    player = int(tree.player[node])
    contributions = tree.contributions[node].tolist()
    scale = blueprint.visit_scale
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
        "shown": "as played" if threshold else "as trained",
        "threshold": threshold,
        "played_threshold": blueprint.threshold,
        "few_visits_below": None if scale is None else scale.few,
    }


def _title(facts: dict[str, Any], board: str = "") -> str:
    after = f"after {facts['line']}" if facts["line"] else "at the start"
    on = f" on {board}" if board else ""
    price = f", {facts['to_call']} to call" if facts["to_call"] else ""
    return f"{facts['game']} {after}{on}: seat {facts['player']}, pot {facts['pot']}{price}"


def _show(facts: dict[str, Any], view: NodeView, lines: Sequence[Line]) -> None:
    _head(facts, cards_text(view.board))
    for row in matrix_lines(Matrix.of(view), view.keys, console):
        console.print(row)
    _explain_cells(view)
    for entry in legend(view.keys, view.frequencies(), console):
        console.print(entry)
    enough = f" by {view.few} visits or more" if view.visits_known else ""
    console.print(
        f"How often, over all hands by how likely the seat comes here with them; "
        f"{percent(view.share_visited())} of these are trained{enough}."
    )
    if lines:
        show_hands(lines, view.keys, view.few)


def _explain_cells(view: NodeView) -> None:
    """Say how to read a cell."""
    if console.width < LEAST_COLUMNS:
        console.print(
            f"The matrix has {LEAST_COLUMNS} columns, and {console.width} of them fit here: widen "
            "the window, or see --hole and --plot."
        )
    letter = view.keys[-1].letter
    cell = "AKs" + letter if console.width >= MATRIX_COLUMNS else letter
    suited = "" if console.width >= MATRIX_COLUMNS else "Suited hands are above the diagonal. "
    few = (
        f"~ was visited fewer than {view.few} times in training"
        if view.visits_known
        else "how often training came here is not known"
    )
    console.print(
        f"{suited}{cell} is always {letter}, {cell}7 in about 70 %; ? is untrained; {few}; "
        "faint cells and . hardly come here."
    )


def _head(facts: dict[str, Any], board: str = "") -> None:
    console.print(_title(facts, board))
    if facts["path"].rstrip("/") != facts["line"].rstrip("/"):
        console.print(f"{facts['path']} is read as {facts['line'] or 'the start'}.")
    other = ""
    if facts["threshold"]:
        other = " (--as-trained shows the file)"
    elif facts["played_threshold"]:
        other = " (--as-played shows what a bot does)"
    console.print(f"Shown {shown_as(facts['threshold'])}{other}.")


def _values(view: NodeView, lines: Sequence[Line]) -> dict[str, Any]:
    """Everything the command knows, for programs."""
    strategy, reach = view.by_class(), view.class_reach()
    visits, few = view.class_visits(), view.class_few()
    return {
        "board": cards_text(view.board),
        "actions": _actions(view.keys, view.frequencies()),
        "visited": view.share_visited(),
        "classes": [
            {
                "hand": class_text(index),
                "reach": None if np.isnan(reach[index]) else float(reach[index]),
                "strategy": None if np.isnan(strategy[index, 0]) else strategy[index].tolist(),
                "visits": None if np.isnan(visits[index]) else float(visits[index]),
                "few_visits": None if np.isnan(visits[index]) else bool(few[index]),
            }
            for index in range(NUM_CLASSES)
        ],
        "hands": [line.values() for line in lines],
    }


def _with_evs(told: dict[str, Any], values: NodeValues, evs: Sequence[HandEvs]) -> dict[str, Any]:
    """The same with what actions are worth."""
    classes = zip(told["classes"], class_evs(values), strict=True)
    hands = zip(told["hands"], evs, strict=True)
    return {
        **told,
        **value_facts(values),
        "classes": [own | ev for own, ev in classes],
        "hands": [own | ev._asdict() for own, ev in hands],
    }


class _Output(NamedTuple):
    """What is wanted of a small game."""

    as_json: bool
    ev: bool


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
    output: _Output,
) -> None:
    rows = bucket_rows(blueprint, node, facts["threshold"])
    values = None
    if output.ev:
        values = blueprint.query(threshold=facts["threshold"]).bucket_values.actions(node)
    if output.as_json:
        buckets = [row._asdict() | (bucket_evs(values, row) if values else {}) for row in rows]
        print_json({**facts, "actions": _actions(keys), "buckets": buckets})
        return
    _head(facts)
    show_buckets(rows, keys, facts["few_visits_below"])
    if values is not None:
        show_bucket_evs(values, rows, [key.action for key in keys])


def _plot(path: Path, facts: dict[str, Any], view: NodeView) -> None:
    title = f"{_title(facts, cards_text(view.board))}\n{view.shown}"
    plot_matrix(path, title, Matrix.of(view), view.keys, view.frequencies())
    status.print(f"{path} is written.", soft_wrap=True)
