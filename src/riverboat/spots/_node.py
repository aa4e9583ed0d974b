"""One decision of a solved spot, for all hands of both players."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riverboat.blueprint import ClassCells, class_means, node_html, reach_emphasis
from riverboat.cards import (
    HOLE_CLASS,
    NUM_CLASSES,
    cards_text,
    class_text,
    hands_met,
    hole_text,
    parse_hole,
)
from riverboat.errors import SpotError
from riverboat.report import Columns, Framed

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from riverboat.blueprint import ActionKey

__all__ = ["SpotHand", "SpotNode"]

_SIDES = ("oop", "ip")


class SpotHand(NamedTuple):
    """One hand of the player who decides."""

    strategy: NDArray[np.float64]
    """[actions] probabilities."""
    action_values: NDArray[np.float64]
    """[actions] chips."""
    value: float
    """Chips."""
    equity: float
    reach: float


@dataclass(frozen=True)
class SpotNode(Framed):
    """A decision of a solved spot.

    Attributes
    ----------
    line, board
        The line of play from the spot on, and all public cards.
    player
        Who decides: 0 is out of position, 1 in position.
    pot, to_call
        Chips.
    actions
        As text, in the order of the last axis of `strategy`.
    strategy
        [1326, actions] float64 probabilities; NaN of hands that cannot be there.
    reach
        [2, 1326] float64: range weight times the probability of the player's own actions.
    values
        [2, 1326] float64: what each hand of each player is worth from here on, chips, with its
        share of the pot; NaN where it cannot be there.
    action_values
        [1326, actions] float64: the same after each action.
    keys
        Letters, words and colours of the actions.
    """

    line: str
    board: tuple[int, ...]
    player: int
    pot: int
    to_call: int
    actions: tuple[str, ...]
    strategy: NDArray[np.float64]
    reach: NDArray[np.float64]
    values: NDArray[np.float64]
    action_values: NDArray[np.float64]
    keys: tuple[ActionKey, ...]
    find_equity: Callable[[], NDArray[np.float64]] = field(repr=False)

    @cached_property
    def equity(self) -> NDArray[np.float64]:
        """[2, 1326] float64: each hand's share of the pot if no more bets came."""
        return self.find_equity()

    @property
    def side(self) -> str:
        """Who decides: `oop` or `ip`."""
        return _SIDES[self.player]

    @cached_property
    def alive(self) -> NDArray[np.bool_]:
        """[1326] which hands the player who decides can hold."""
        return ~np.isnan(self.strategy[:, 0])

    @cached_property
    def _deals(self) -> NDArray[np.float64]:
        """[2, 1326] how likely each hand is, blockers counted."""
        both = [self.reach[p] * hands_met(self.reach[1 - p]) for p in (0, 1)]
        return np.array(both)

    @property
    def weight(self) -> float:
        """How often play comes here, against other decisions of the spot: a sum over deals."""
        return float(self._deals[0].sum())

    def mean(self, player: int, of: NDArray[np.float64]) -> float:
        """Return the mean of `[1326]` over a player's hands by how likely they are here."""
        weights = self._deals[player]
        total = float(weights.sum())
        return float((weights * np.nan_to_num(of)).sum() / total) if total > 0 else float("nan")

    def value(self, player: int) -> float:
        """Return what a player wins from here on, chips."""
        return self.mean(player, self.values[player])

    def frequencies(self) -> NDArray[np.float64]:
        """Return how often each action is taken: [actions]; NaN if the line is never played."""
        return np.array([self.mean(self.player, column) for column in self.strategy.T])

    def hand(self, text: str) -> SpotHand:
        """Return what is known of one hand of the player who decides, such as `AhKh`."""
        hole = parse_hole(text)
        if not self.alive[hole]:
            raise SpotError(f"{hole_text(hole)} is not in the range of {self.side} here")
        return SpotHand(
            self.strategy[hole],
            self.action_values[hole],
            float(self.values[self.player, hole]),
            float(self.equity[self.player, hole]),
            float(self.reach[self.player, hole]),
        )

    # ---- By class

    def by_class(self) -> NDArray[np.float64]:
        """Return the strategy of each class, its hands by reach: [169, actions]; NaN if none."""
        return np.array([self.class_mean(column) for column in self.strategy.T]).T

    def class_mean(self, of: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the mean of `[1326]` over each class of the player who decides: [169]."""
        # Hands that never come still tell what they would do.
        return class_means(of, np.where(self.alive, self.reach[self.player] + 1e-9, 0.0))

    def class_reach(self) -> NDArray[np.float64]:
        """Return the mean reach over the live hands of each class: [169]; NaN if none."""
        counts = np.bincount(HOLE_CLASS, self.alive, NUM_CLASSES)
        with np.errstate(invalid="ignore"):
            means: NDArray[np.float64] = (
                np.bincount(HOLE_CLASS, self.reach[self.player], NUM_CLASSES) / counts
            )
        return means

    def class_emphasis(self) -> NDArray[np.float64]:
        """Return how strongly each class is shown, by its reach: [169]."""
        return reach_emphasis(self.class_reach())

    def class_few(self) -> NDArray[np.bool_]:
        """Return that no class is known badly: [169]."""
        return np.zeros(NUM_CLASSES, dtype=bool)

    # ---- Shown

    def frame_columns(self) -> Columns:
        """Return a row for each hand of both players; strategies of the one who decides."""
        rows = [np.flatnonzero(self.reach[p] > 0) for p in (0, 1)]
        holes = np.concatenate(rows)
        who = np.repeat([0, 1], [len(row) for row in rows])
        acting = who == self.player
        columns: dict[str, object] = {
            "player": [_SIDES[p] for p in who],
            "hole": [hole_text(hole) for hole in holes],
            "class": [class_text(HOLE_CLASS[hole]) for hole in holes],
            "reach": self.reach[who, holes],
            "equity": self.equity[who, holes],
            "ev": self.values[who, holes],
        }
        for index, action in enumerate(self.actions):
            columns[action] = np.where(acting, self.strategy[holes, index], np.nan)
            columns[f"ev {action}"] = np.where(acting, self.action_values[holes, index], np.nan)
        return columns

    @property
    def where(self) -> str:
        """Which decision it is, in words."""
        after = f"After {self.line}" if self.line else "At the start"
        return f"{after} on {cards_text(self.board)}: {self.side} decides, pot {self.pot:,}"

    def __str__(self) -> str:
        parts = zip(self.keys, self.frequencies(), strict=True)
        played = ", ".join(f"{key.words} {100 * share:.1f} %" for key, share in parts)
        values = f"EV oop {self.value(0):.2f}, ip {self.value(1):.2f}"
        return f"{self.where}; {played}; {values}"

    def _repr_html_(self) -> str:
        cells = ClassCells(
            self.by_class(), self.class_reach(), self.class_emphasis(), self.class_few()
        )
        values = f"EV oop {self.value(0):.2f}, ip {self.value(1):.2f} chips"
        return node_html(cells, self.keys, self.where, values)
