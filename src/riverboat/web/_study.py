"""One decision of a strategy or solution for the pages: numbers of all 1,326 hole pairs."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple

import msgspec
import numpy as np

from riverboat.blueprint import Blueprint, decisions_to
from riverboat.cards import (
    CLASS_HOLES,
    HOLES,
    STREETS,
    built_strength,
    cards_text,
    equity_against_each,
    hole_text,
    live_holes,
    parse_cards,
)
from riverboat.decision import public_state
from riverboat.errors import RiverboatError
from riverboat.report import Palette, hex_colour
from riverboat.spots import Solution, checked_down
from riverboat.tree import CHANCE, DECISION
from riverboat.web._shelf import Kind  # noqa: TC001 - msgspec reads it

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from riverboat.decision import ActionKey, Decision
    from riverboat.tree import Tree

_EXACT_CARDS: Final = 4  # board cards from which EVs are computed in a second at most
_Thousandths = list[int]
Leads = Literal["decision", "cards", "end"]
_LINE: Final = msgspec.Meta(max_length=400, description="line of play, such as b25c/kb30c")


class NodeAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a decision."""

    strategy: Annotated[str, msgspec.Meta(max_length=200)] = "default"
    line: Annotated[str, _LINE] = ""
    board: Annotated[str, msgspec.Meta(max_length=20, description="public cards: Ks7h2d")] = ""
    played: Annotated[bool, msgspec.Meta(description="as played, or as trained")] = True
    palette: Palette = "usual"


class StepAction(msgspec.Struct, frozen=True):
    """An action of a decision."""

    action: str
    letter: str
    words: str
    colour: str
    frequency: float | None
    """Frequency over all hands, weighted by reach; None if the decision is never reached."""
    leads: Leads
    """What follows: a decision, cards and then a decision, or the end of the hand."""


class Step(msgspec.Struct, frozen=True):
    """An earlier decision of the line, with the chosen action."""

    line: str
    board: str
    player: int
    actions: list[StepAction]
    chosen: str


class Node(msgspec.Struct, frozen=True, kw_only=True):
    """A decision for all hands. Numbers per hand are thousandths; -1 = no such hand."""

    strategy: str
    kind: Kind
    game: str
    line: str
    board: str
    next_cards: int
    """Cards to be dealt before the decision; if not 0, the numbers of hands are empty."""
    player: int
    players: tuple[str, str]
    street: str
    pot: int
    to_call: int
    unit: int
    """Chips of a big blind; in a spot without big blind, the pot."""
    actions: list[StepAction]
    path: list[Step]
    holes: list[_Thousandths]
    """[actions][1326]: frequency of each action with each hole pair."""
    reach: list[_Thousandths]
    """[2][1326]: reach of each hole pair of each player; the largest is 1000."""
    equity: list[_Thousandths]
    """[2][1326]: equity of each hole pair of each player."""
    values: list[list[float | None]]
    """[2][1326]: EV in chips, including the share of the pot; empty if unknown."""
    action_values: list[list[float | None]]
    """[actions][1326]: EV of each action for the player to act, chips; empty if unknown."""
    averages: list[dict[str, float]]
    """By player: mean equity, mean EV (`value`) if known, and number of combos."""
    note: str


def node_of(name: str, found: Blueprint | Solution, asked: NodeAsked) -> Node:
    """Return a decision, or the cards that must be chosen before it."""
    if isinstance(found, Solution):
        return _of_solution(name, found, asked)
    return _of_blueprint(name, found, asked)


# ---- Decisions of strategies and solutions


def _of_blueprint(name: str, blueprint: Blueprint, asked: NodeAsked) -> Node:
    tree = blueprint.tree
    if blueprint.cards is None or tree.num_players != 2 or blueprint.header.spec.has_swaps:
        raise RiverboatError(
            f"{name!r} is a strategy for {blueprint.header.game_name}: Study shows hold'em for two "
            "players without discards (use `riverboat show` for other games)"
        )
    node = blueprint.find_node(asked.line)
    threshold = blueprint.threshold if asked.played else 0.0
    cards, sizes = tuple(parse_cards(asked.board)), tree.spec.board_sizes
    street = int(tree.street[node])
    where = (blueprint.header.game_name, tree.spec.street_names[street])
    place = _Place(name, "blueprint", tree, node, *where, cards)
    missing = max(0, sizes[street] - len(cards))
    last = tree.way(node)[-1][0] if missing else node  # the earlier decisions can be shown
    dealt = cards[: sizes[int(tree.street[last])]]
    path = decisions_to(
        blueprint, last, dealt, built_strength, threshold=threshold, palette=asked.palette
    )
    if missing:
        return place.waiting(missing, path)
    cards, decision = dealt, path.pop()
    reach = decision.reach
    equity = partial(checked_down, tree, cards, (reach[0], reach[1]))
    ev_note, values = _values(blueprint, node, cards, threshold)
    note = f"{decision.note}; {100 * decision.share_visited():.0f} % of hands well trained"
    decision = replace(
        decision,
        **values,
        find_equity=equity if cards else partial(_preflop_equities, reach),
        note=f"{note}; {ev_note}",
    )
    return place.decided(decision, path)


def _values(
    blueprint: Blueprint, node: int, board: tuple[int, ...], threshold: float
) -> tuple[str, dict[str, Any]]:
    """Return a note on EVs, and where they are exact the EVs of hands and actions."""
    if len(board) < _EXACT_CARDS:
        return "no EV before the turn", {}
    walked = blueprint.query(threshold=threshold).all_values
    own = walked.actions(node, board)
    opponent = 1 - own.player
    both = own.values.copy()
    both[opponent] = walked.hands(opponent, node, board).values
    values = {"values": both, "action_values": own.action_values}
    return "EV of the strategy against itself", values


def _preflop_equities(reach: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return preflop equities, [2, 1326]; all hole pairs of a class have the same."""
    found = np.full(reach.shape, np.nan)
    for holes in CLASS_HOLES:
        points, meets = equity_against_each(hole_text(holes[0])), live_holes(HOLES[holes[0]])
        for player in (0, 1):
            weights = reach[1 - player] * meets
            if weights.sum() > 0:
                found[player, holes] = float(weights @ points / weights.sum())
    return found


def _of_solution(name: str, solution: Solution, asked: NodeAsked) -> Node:
    tree, spot = solution.tree, solution.spot
    node = tree.node(asked.line)
    while tree.kind[node] == CHANCE:
        node = tree.children(node)[0]
    if tree.kind[node] != DECISION:
        raise RiverboatError(f"the hand is over after '{asked.line}': there is no decision")
    cards = tuple(parse_cards(asked.board))
    first = len(spot.cards)
    dealt = cards[first:] if cards[:first] == spot.cards else cards
    needed = int(tree.street[node])
    street = STREETS[STREETS.index(spot.street) + needed]
    place = _Place(name, "solution", tree, node, "spot", street, (*spot.cards, *dealt[:needed]))
    path = [
        solution.node(tree.line(way), dealt[: int(tree.street[way])], asked.palette)
        for way, _ in tree.way(node)
    ]
    if len(dealt) < needed:
        return place.waiting(needed - len(dealt), path)
    return place.decided(solution.node(tree.line(node), dealt[:needed], asked.palette), path)


# ---- The answer


class _Place(NamedTuple):
    """A decision of a tree, and the names that the page shows."""

    strategy: str
    kind: Kind
    tree: Tree
    node: int
    game: str
    street: str
    board: tuple[int, ...]

    def decided(self, decision: Decision, path: Sequence[Decision]) -> Node:
        """Return a decision with its numbers."""
        return Node(
            **self._base(decision.board, path),
            next_cards=0,
            pot=decision.pot,
            to_call=decision.to_call,
            actions=self._actions(self.node, decision.keys, decision.frequencies()),
            holes=[_thousandths(column) for column in decision.strategy.T],
            reach=[_thousandths(row / max(float(row.max()), 1e-300)) for row in decision.reach],
            equity=[_thousandths(row) for row in decision.equity],
            values=[_chips(row) for row in decision.values],
            action_values=[_chips(row) for row in decision.action_values.T],
            averages=[_averages(decision, player) for player in (0, 1)],
            note=decision.note,
        )

    def waiting(self, cards: int, path: Sequence[Decision]) -> Node:
        """Return a decision whose cards are not chosen yet."""
        state = public_state(self.tree, self.node)
        keys = state["keys"]
        return Node(
            **self._base(self.board, path),
            next_cards=cards,
            pot=state["pot"],
            to_call=state["to_call"],
            actions=self._actions(self.node, keys, np.full(len(keys), np.nan)),
            holes=[],
            reach=[],
            equity=[],
            values=[],
            action_values=[],
            averages=[],
            note="",
        )

    def _base(self, board: Sequence[int], path: Sequence[Decision]) -> dict[str, Any]:
        tree, spec = self.tree, self.tree.spec
        solved = self.kind == "solution"
        seats = ("small blind", "big blind") if any(spec.blinds) else ("first", "second")
        return {
            "strategy": self.strategy,
            "kind": self.kind,
            "game": self.game,
            "line": tree.line(self.node),
            "board": cards_text(board),
            "player": int(tree.player[self.node]),
            "players": ("out of position", "in position") if solved else seats,
            "street": self.street,
            "unit": spec.big_blind or int(tree.contributions[self.node].sum()),
            "path": [self._step(*each) for each in zip(path, tree.way(self.node), strict=True)],
        }

    def _step(self, decision: Decision, taken: tuple[int, int]) -> Step:
        actions = self._actions(taken[0], decision.keys, decision.frequencies())
        board, chosen = cards_text(decision.board), actions[taken[1]].action
        return Step(decision.line, board, decision.player, actions, chosen)

    def _actions(
        self, node: int, keys: Sequence[ActionKey], frequencies: NDArray[np.float64]
    ) -> list[StepAction]:
        children = zip(keys, frequencies.tolist(), self.tree.children(node), strict=True)
        return [
            StepAction(
                key.action,
                key.letter,
                key.words,
                hex_colour(key.colour),
                None if np.isnan(share) else round(share, 4),
                self._leads(node, child),
            )
            for key, share, child in children
        ]

    def _leads(self, node: int, child: int) -> Leads:
        tree = self.tree
        while tree.kind[child] == CHANCE:
            child = tree.children(child)[0]
        if tree.kind[child] != DECISION:
            return "end"
        return "decision" if tree.street[child] == tree.street[node] else "cards"


def _thousandths(values: NDArray[np.float64]) -> _Thousandths:
    whole = np.where(np.isnan(values), -1, np.rint(np.nan_to_num(values) * 1000))
    thousandths: list[int] = whole.astype(np.int64).tolist()
    return thousandths


def _chips(values: NDArray[np.float64]) -> list[float | None]:
    return [None if np.isnan(value) else round(value, 3) for value in values.tolist()]


def _averages(decision: Decision, player: int) -> dict[str, float]:
    """Return means over the hands of a player, weighted by reach and blockers."""
    reach = decision.reach[player]
    means = {"combos": float(reach.sum() / max(float(reach.max()), 1e-300))}
    means["equity"] = decision.mean(player, decision.equity[player])
    if decision.values.size:
        means["value"] = decision.value(player)
    return {name: round(float(np.nan_to_num(mean)), 4) for name, mean in means.items()}
