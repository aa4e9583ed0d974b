"""`riverboat show`: one decision of a strategy, as matrix, frequencies and single hands."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer
from numpy.typing import NDArray

from riverboat.blueprint import Blueprint, NodeView, bucket_texts, node_view
from riverboat.cards import (
    CLASS_HOLES,
    HOLE_CLASS,
    NUM_CLASSES,
    STREETS,
    HandStrength,
    Range,
    cards_text,
    class_text,
    hole_text,
    parse_class,
    parse_hole,
    table_path,
)
from riverboat.cli._matrix import (
    MATRIX_COLUMNS,
    ActionKey,
    action_keys,
    hedged,
    legend,
    matrix_lines,
    plot_matrix,
)
from riverboat.cli._options import JsonOption
from riverboat.cli._output import check_place, console, grid, print_json, status
from riverboat.cli._progress import counted
from riverboat.cli._strategies import StrategyArgument
from riverboat.errors import BlueprintError, CardError, MenuError
from riverboat.game import Hand
from riverboat.report import Palette, percent
from riverboat.translation import Tracker
from riverboat.tree import DECISION, Tree

__all__ = ["find_node", "show_command"]

_MOST_ROWS = 200


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


class BucketRow(NamedTuple):
    """One bucket: what its player has seen, and what he does; None where untrained."""

    bucket: int
    cards: str
    strategy: list[float] | None


def show_command(
    file: StrategyArgument,
    path: Annotated[str, typer.Argument(help="Line of play, such as b25c/k.")] = "",
    board: Annotated[str, typer.Option(help="Public cards, such as Qh7c2d.")] = "",
    hands: Annotated[
        str, typer.Option("--hole", "--hands", help="Hands to list: AhKh,QQ,A5s+.")
    ] = "",
    plot: Annotated[Path | None, typer.Option(help="Draw it: a .png, .svg or .pdf.")] = None,
    colour_blind: Annotated[bool, typer.Option(help="Colours for colour-blind people.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show what a strategy does at one decision."""
    if plot is not None:
        check_place(plot)
    blueprint = Blueprint.open(file)
    node = find_node(blueprint.tree, path)
    palette: Palette = "colour-blind" if colour_blind else "usual"
    keys = action_keys(blueprint.tree, node, palette)
    facts = _facts(blueprint, node, path)
    if blueprint.cards is None:
        if board or hands or plot is not None:
            raise BlueprintError(
                f"{file} is a strategy of {facts['game'] or 'a small game'}: --board, --hole and "
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
            "the window, or see --hole and --plot."
        )
    letter = keys[-1].letter
    console.print(f"AKs{letter} is always {letter}, AKs{letter}7 in about 70 %; ? is untrained.")
    for entry in legend(keys, view.frequencies(), console):
        console.print(entry)
    live = view.alive & (view.reach > 0)
    share = float(view.reach[view.trained].sum() / max(view.reach[live].sum(), 1e-300))
    console.print(
        f"How often, over all hands by how likely the seat comes here with them; "
        f"{percent(share)} of these are trained."
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
    alive = ~np.isnan(view.class_reach())
    title = _title(facts, cards_text(view.board))
    plot_matrix(path, title, view.by_class(), alive, keys, view.frequencies())
    status.print(f"drawn into {path}")


def find_node(tree: Tree, line: str) -> int:
    """Return the decision at the end of a line; bets off the menu count as the nearest ones.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> tree = Tree(catalogue("nolimit-100bb"), "laptop")
    >>> tree.line(find_node(tree, "b25c/kb30"))
    'b25c/kb25'
    """
    try:
        node = tree.node(line)
    except MenuError:
        hand = Hand(tree.spec)
        hand.play(line)
        if hand.actor is None:
            raise BlueprintError(f"the hand is over after '{line}': nobody decides") from None
        place = Tracker(tree, "nearest-ratio").find(hand.view(hand.actor))
        if place.node < 0:
            raise BlueprintError(f"'{line}' leaves the tree: {place.reason}") from None
        return place.node
    if tree.kind[node] != DECISION:
        raise BlueprintError(f"the hand is over after '{line}': nobody decides")
    return node


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
    table = grid(["hand", "bucket", "comes here", *(key.action for key in keys)], left=0)
    for line in lines:
        shares = ["-"] * len(keys) if line.strategy is None else map(hedged, line.strategy)
        bucket = "several" if line.bucket is None else str(line.bucket)
        if not line.possible:
            bucket = "on the board"
        table.add_row(line.hand, bucket, hedged(line.reach), *shares)
    console.print(table)
    console.print("Per cent; - is untrained.")


def bucket_rows(blueprint: Blueprint, node: int) -> list[BucketRow]:
    """Return the rows of a decision."""
    group = int(blueprint.tree.group[node])
    texts = bucket_texts(blueprint)[group]
    rows = []
    for bucket in range(blueprint.num_buckets[group]):
        row = blueprint.row(node, bucket)
        text = "" if texts is None else texts[bucket]
        rows.append(BucketRow(bucket, text, None if row is None else row.tolist()))
    return rows


def show_buckets(rows: Sequence[BucketRow], keys: Sequence[ActionKey]) -> None:
    """Print the rows; of very many the first ones."""
    table = grid(["cards", "bucket", *(key.words for key in keys)], left=0)
    for row in rows[::-1][:_MOST_ROWS]:  # aces first, as in the matrix
        shares = ["-"] * len(keys) if row.strategy is None else map(hedged, row.strategy)
        table.add_row(row.cards, str(row.bucket), *shares)
    console.print(table)
    console.print("Per cent; - is untrained.")
    if len(rows) > _MOST_ROWS:
        console.print(f"{len(rows) - _MOST_ROWS:,} more buckets: --json has them all.")
