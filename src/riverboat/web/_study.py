"""One decision of a strategy or a solution as pages draw it: numbers for all 1,326 hole pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec
import numpy as np

from riverboat.blueprint import Blueprint, action_keys, find_node, line_reach, node_view
from riverboat.cards import (
    CLASS_HOLES,
    HOLES,
    STREETS,
    built_strength,
    cards_text,
    equity_against_each,
    hands_met,
    hole_text,
    live_holes,
    parse_cards,
)
from riverboat.errors import RiverboatError
from riverboat.report import Palette, hex_colour
from riverboat.spots import Solution, checked_down
from riverboat.tree import CHANCE, DECISION, FOLD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from riverboat.blueprint import ActionKey
    from riverboat.tree import Tree

__all__ = ["Node", "NodeAsked", "Step", "StepAction", "node_of"]

_EXACT_CARDS: Final = 4  # on the board: values are then worked out in a second at most
_Thousandths = list[int]
Leads = Literal["decision", "cards", "end"]
_LINE: Final = msgspec.Meta(max_length=400, description="line of play, such as b25c/kb30c")


class NodeAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which decision is to be shown."""

    strategy: Annotated[str, msgspec.Meta(max_length=200)] = "default"
    line: Annotated[str, _LINE] = ""
    board: Annotated[str, msgspec.Meta(max_length=20, description="public cards: Ks7h2d")] = ""
    played: Annotated[bool, msgspec.Meta(description="as a bot plays it, or as trained")] = True
    palette: Palette = "usual"


class StepAction(msgspec.Struct, frozen=True):
    """An action of a decision."""

    action: str
    letter: str
    words: str
    colour: str
    frequency: float | None
    """Over all hands by how likely they come here; None where play never comes."""
    leads: Leads
    """What comes next: a decision, new cards first, or the end of the hand."""


class Step(msgspec.Struct, frozen=True):
    """A decision on the way, with what was done there."""

    line: str
    board: str
    player: int
    actions: list[StepAction]
    chosen: str


class Node(msgspec.Struct, frozen=True, kw_only=True):
    """A decision for all hands. Numbers of hands are thousandths, -1 where there is none."""

    strategy: str
    kind: Literal["blueprint", "solution"]
    game: str
    line: str
    board: str
    next_cards: int
    """Cards that are to be dealt before anybody decides: then nothing else is known."""
    player: int
    players: tuple[str, str]
    street: str
    pot: int
    to_call: int
    unit: int
    """Chips of a big blind; of a spot without one the pot."""
    actions: list[StepAction]
    path: list[Step]
    holes: list[_Thousandths]
    """[actions][1326]: how often each hole pair takes each action."""
    reach: list[_Thousandths]
    """[2][1326]: how likely each player comes here with each pair, the likeliest being 1000."""
    equity: list[_Thousandths]
    """[2][1326]: shares of the pot if no more bets came."""
    values: list[list[float | None]]
    """[2][1326]: chips, with the share of the pot; empty where they are not known."""
    action_values: list[list[float | None]]
    """[actions][1326]: the same after each action, of the player who decides."""
    averages: list[dict[str, float]]
    """By player: equity, value where known, and combos."""
    note: str


def node_of(name: str, found: Blueprint | Solution, asked: NodeAsked) -> Node:
    """Return a decision, or where cards are to be dealt."""
    if isinstance(found, Solution):
        return _of_solution(name, found, asked)
    return _of_blueprint(name, found, asked)


# ---- A blueprint


def _of_blueprint(name: str, blueprint: Blueprint, asked: NodeAsked) -> Node:
    tree = blueprint.tree
    if blueprint.cards is None or tree.num_players != 2 or tree.spec.has_swaps:
        raise RiverboatError(
            f"{name!r} is a strategy of {blueprint.header.game_name}: pages show hold'em for two "
            "players without discards (`riverboat show` has the others)"
        )
    node = find_node(tree, asked.line)
    threshold = blueprint.threshold if asked.played else 0.0
    board = tuple(parse_cards(asked.board))
    street = int(tree.street[node])
    size = tree.spec.board_sizes[street]
    base = _base(name, "blueprint", tree, node, blueprint.header.game_name)
    path = _blueprint_path(blueprint, node, board, threshold, asked.palette)
    if len(board) < size:
        return Node(
            **base, **_empty(tree, node, size - len(board)), board=cards_text(board), path=path
        )
    board = board[:size]
    view = node_view(
        blueprint, node, board, built_strength, threshold=threshold, palette=asked.palette
    )
    reach = line_reach(blueprint, node, board, built_strength, threshold)
    equity = checked_down(tree, board, (reach[0], reach[1])) if board else _preflop_equities(reach)
    values, action_values, found = _values(blueprint, node, board, threshold)
    trained = f"{100 * view.share_visited():.0f} % of hands well trained"
    return Node(
        **base,
        board=cards_text(board),
        next_cards=0,
        actions=_actions(tree, node, view.keys, view.frequencies()),
        path=path,
        holes=[_thousandths(column) for column in view.strategy.T],
        reach=_reach(reach),
        equity=[_thousandths(each) for each in equity],
        values=[] if values is None else [_chips(each) for each in values],
        action_values=action_values,
        averages=_averages(reach, equity, values),
        note=f"shown {view.shown}; {trained}; {found}",
    )


def _values(
    blueprint: Blueprint, node: int, board: tuple[int, ...], threshold: float
) -> tuple[NDArray[np.float64] | None, list[list[float | None]], str]:
    """Values of both players' hands and of each action where they are exact, and a word on them."""
    if len(board) < _EXACT_CARDS:
        return None, [], "EV from the turn on"
    walked = blueprint.query(threshold=threshold).all_values
    mine = walked.actions(node, board)
    other = walked.hands(1 - mine.player, node, board)
    both = (mine.values, other.values) if mine.player == 0 else (other.values, mine.values)
    return np.array(both), [_chips(each) for each in mine.action_values.T], "EV of its own play"


def _blueprint_path(
    blueprint: Blueprint, node: int, board: tuple[int, ...], threshold: float, palette: Palette
) -> list[Step]:
    tree = blueprint.tree
    steps = []
    for place, taken in tree.way(node):
        cards = board[: tree.spec.board_sizes[int(tree.street[place])]]
        view = node_view(
            blueprint, place, cards, built_strength, threshold=threshold, palette=palette
        )
        actions = _actions(tree, place, view.keys, view.frequencies())
        steps.append(_step(tree, place, taken, cards, actions))
    return steps


def _preflop_equities(reach: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shares of the pot before the flop, [2, 1326]: alike for all pairs of a class."""
    found = np.full(reach.shape, np.nan)
    for holes in CLASS_HOLES:
        points, meets = equity_against_each(hole_text(holes[0])), live_holes(HOLES[holes[0]])
        for player in (0, 1):
            weights = reach[1 - player] * meets
            if weights.sum() > 0:
                found[player, holes] = float(weights @ points / weights.sum())
    return found


# ---- A solved spot


def _of_solution(name: str, solution: Solution, asked: NodeAsked) -> Node:
    tree = solution.tree
    node = tree.node(asked.line)
    while tree.kind[node] == CHANCE:
        node = tree.children(node)[0]
    if tree.kind[node] != DECISION:
        raise RiverboatError(f"the hand is over after '{asked.line}': nobody decides")
    cards = tuple(parse_cards(asked.board))
    first = len(solution.spot.cards)
    dealt = cards[first:] if cards[:first] == solution.spot.cards else cards
    needed = int(tree.street[node])
    base = _base(name, "solution", tree, node, "spot")
    base["street"] = STREETS[STREETS.index(solution.spot.street) + needed]
    path = _solution_path(solution, node, dealt, asked.palette)
    board = cards_text((*solution.spot.cards, *dealt[:needed]))
    if len(dealt) < needed:
        return Node(**base, **_empty(tree, node, needed - len(dealt)), board=board, path=path)
    view = solution.node(tree.line(node), dealt[:needed], asked.palette)
    return Node(
        **base,
        board=board,
        next_cards=0,
        actions=_actions(tree, node, view.keys, view.frequencies()),
        path=path,
        holes=[_thousandths(column) for column in view.strategy.T],
        reach=_reach(view.reach),
        equity=[_thousandths(each) for each in view.equity],
        values=[_chips(each) for each in view.values],
        action_values=[_chips(each) for each in view.action_values.T],
        averages=_averages(view.reach, view.equity, view.values),
        note=f"exploitable by {100 * solution.share:.2g} % of the pot",
    )


def _solution_path(
    solution: Solution, node: int, dealt: tuple[int, ...], palette: Palette
) -> list[Step]:
    tree, steps = solution.tree, []
    for place, taken in tree.way(node):
        cards = dealt[: int(tree.street[place])]
        view = solution.node(tree.line(place), cards, palette)
        actions = _actions(tree, place, view.keys, view.frequencies())
        steps.append(_step(tree, place, taken, (*solution.spot.cards, *cards), actions))
    return steps


# ---- Both


def _base(name: str, kind: str, tree: Tree, node: int, game: str) -> dict[str, Any]:
    put_in = tree.contributions[node]
    player = int(tree.player[node])
    price = int(put_in[1 - player] - put_in[player])
    spec = tree.spec
    folds = any(tree.kind[child] == FOLD for child in tree.children(node))
    names = ("out of position", "in position") if kind == "solution" else _seats(tree)
    return {
        "strategy": name,
        "kind": kind,
        "game": game,
        "line": tree.line(node),
        "player": player,
        "players": names,
        "street": spec.street_names[int(tree.street[node])],
        "pot": int(put_in.sum()),
        "to_call": max(0, price) if folds else 0,
        "unit": spec.big_blind or int(put_in.sum()),
    }


def _seats(tree: Tree) -> tuple[str, str]:
    return ("small blind", "big blind") if any(tree.spec.blinds) else ("first", "second")


def _empty(tree: Tree, node: int, cards: int) -> dict[str, Any]:
    """A decision whose cards are not dealt yet."""
    keys = action_keys(tree, node)
    tables = ("holes", "reach", "equity", "values", "action_values", "averages")
    nothing: dict[str, Any] = {name: [] for name in tables}
    return {
        **nothing,
        "next_cards": cards,
        "actions": _actions(tree, node, keys, [np.nan] * len(keys)),
        "note": "",
    }


def _step(
    tree: Tree, node: int, taken: int, board: Sequence[int], actions: list[StepAction]
) -> Step:
    chosen = actions[taken].action
    return Step(tree.line(node), cards_text(board), int(tree.player[node]), actions, chosen)


def _actions(
    tree: Tree, node: int, keys: Sequence[ActionKey], frequencies: Sequence[float] | NDArray[Any]
) -> list[StepAction]:
    found = []
    for key, share, child in zip(keys, frequencies, tree.children(node), strict=True):
        often = None if np.isnan(share) else round(float(share), 4)
        colour = hex_colour(key.colour)
        found.append(
            StepAction(key.action, key.letter, key.words, colour, often, _leads(tree, node, child))
        )
    return found


def _leads(tree: Tree, node: int, child: int) -> Leads:
    while tree.kind[child] == CHANCE:
        child = tree.children(child)[0]
    if tree.kind[child] != DECISION:
        return "end"
    return "decision" if tree.street[child] == tree.street[node] else "cards"


def _thousandths(values: NDArray[np.float64]) -> _Thousandths:
    whole = np.where(np.isnan(values), -1, np.rint(np.nan_to_num(values) * 1000))
    found: list[int] = whole.astype(np.int64).tolist()
    return found


def _reach(reach: NDArray[np.float64]) -> list[_Thousandths]:
    return [_thousandths(each / max(float(each.max()), 1e-300)) for each in reach]


def _chips(values: NDArray[np.float64]) -> list[float | None]:
    return [None if np.isnan(value) else round(value, 3) for value in values.tolist()]


def _averages(
    reach: NDArray[np.float64], equity: NDArray[np.float64], values: NDArray[np.float64] | None
) -> list[dict[str, float]]:
    """Means over the hands of each player by how likely they are here, blockers counted."""
    found = []
    for player in (0, 1):
        weights = reach[player] * hands_met(reach[1 - player])
        total = max(float(weights.sum()), 1e-300)
        means = {"combos": float(reach[player].sum() / max(float(reach[player].max()), 1e-300))}
        means["equity"] = float((weights * np.nan_to_num(equity[player])).sum() / total)
        if values is not None:
            means["value"] = float((weights * np.nan_to_num(values[player])).sum() / total)
        found.append({name: round(value, 4) for name, value in means.items()})
    return found
