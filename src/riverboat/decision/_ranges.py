"""A decision of ranges that somebody types: which hands take which action."""

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


def of_ranges(  # noqa: PLR0913 - what is known of the state
    ranges: Mapping[str, Range | str],
    *,
    board: CardsLike = "",
    line: str = "",
    pot: int = 0,
    to_call: int = 0,
    palette: Palette = "usual",
) -> Decision:
    """Make a decision of the range that takes each action: a person's plan, or a chart.

    Hands that no range has fold, or check where there is nothing to call.

    Parameters
    ----------
    ranges
        By action, such as `{"b60": "QQ+, AKs:0.5", "c": "JJ-22"}`; a weight is a probability.
    board, line, pot, to_call
        The public state; of a bet's size relative to the pot only what these say is known.
    palette
        Of the colours.

    Raises
    ------
    RangeError
        If a hand's weights add up to more than 1.
    """
    cards = tuple(as_cards(board))
    weights = {action: _weights(each) for action, each in ranges.items()}
    rest = 1 - np.sum([*weights.values(), np.zeros(NUM_HOLES)], axis=0)
    if rest.min() < -_ROUNDING:
        hole = hole_text(int(rest.argmin()))
        raise RangeError(f"the ranges have {hole} {1 - rest.min():.2f} times in all, not once")
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
