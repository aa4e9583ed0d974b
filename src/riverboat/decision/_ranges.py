"""Decisions from typed ranges: a range for each action."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riverboat.cards import NUM_HOLES, Range, as_cards, hole_text, live_holes
from riverboat.decision._action_keys import keys_of
from riverboat.decision._decision import Decision
from riverboat.errors import RangeError
from riverboat.game import Action

if TYPE_CHECKING:
    from collections.abc import Mapping

    from riverboat.cards import CardsLike
    from riverboat.report import Palette

_ROUNDING = 1e-6


def of_ranges(  # noqa: PLR0913 - parts of a public state
    ranges: Mapping[str, Range | str],
    *,
    board: CardsLike = "",
    line: str = "",
    pot: int = 0,
    to_call: int = 0,
    palette: Palette = "usual",
) -> Decision:
    """Return a decision from the range of each action: a plan, or a chart.

    Hands in no range fold, or check if there is no bet.

    Parameters
    ----------
    ranges
        By action, such as `{"b60": "QQ+, AKs:0.5", "c": "JJ-22"}`; weights are probabilities.
    board, line, pot, to_call
        The public state; bet sizes relative to the pot follow from it.
    palette
        Colours of the actions.

    Raises
    ------
    RangeError
        If a hand's weights add up to more than 1.
    """
    cards = tuple(as_cards(board))
    weights = {action: _weights(hands) for action, hands in ranges.items()}
    rest = 1 - np.sum([*weights.values(), np.zeros(NUM_HOLES)], axis=0)
    if rest.min() < -_ROUNDING:
        hole = hole_text(int(rest.argmin()))
        raise RangeError(f"the weights of {hole} add up to {1 - rest.min():.2f}, more than 1")
    passive = "f" if to_call or "c" in weights else "k"
    weights[passive] = weights.get(passive, 0) + np.maximum(rest, 0)
    alive = live_holes(cards)
    strategy = np.array(list(weights.values())).T
    sizes = {
        str(move): (max(move.amount - to_call, 0) / max(pot + to_call, 1), False)
        for move in map(Action, weights)
        if move.kind == "bet"
    }
    return Decision(
        line=line,
        board=cards,
        pot=pot,
        to_call=to_call,
        keys=keys_of(tuple(weights), sizes, palette),
        strategy=np.where(alive[:, None], strategy, np.nan),
        reach=np.tile(alive.astype(np.float64), (2, 1)),
        alive=alive,
        source="ranges",
    )


def _weights(hands: Range | str) -> np.ndarray:
    return (Range.parse(hands) if isinstance(hands, str) else hands).weights
