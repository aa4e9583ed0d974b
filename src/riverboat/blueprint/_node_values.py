"""What hands and actions are worth at one place of a strategy: the answers of `StrategyValues`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from riverboat.cards import HOLE_CLASS, NUM_CLASSES, class_text, hands_met, hole_text
from riverboat.report import Columns, Framed

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["HandValues", "NodeValues", "class_means", "found_by"]


@dataclass(frozen=True)
class HandValues:
    """What every hand of a player is worth at a node.

    Attributes
    ----------
    values
        [1326] float64, chips; NaN of hands that cannot be there or meet nobody.
    errors
        [1326] float64, standard errors; 0 where exact.
    met
        [1326] float64, reach of the other's hands that each one meets: values times this are
        counterfactual values, sums over the other's hands of reach times chips.
    samples
        Run-outs that were drawn; 0 = exact.
    """

    values: NDArray[np.float64]
    errors: NDArray[np.float64]
    met: NDArray[np.float64]
    samples: int

    @property
    def counterfactual(self) -> NDArray[np.float64]:
        """[1326] float64: sums over the other's hands of reach times chips; 0 where none is met."""
        return np.nan_to_num(self.values) * self.met


@dataclass(frozen=True)
class NodeValues(Framed):
    """What each action of a decision is worth to every hand of the player who decides.

    Attributes
    ----------
    node, line, board, player
        The decision, its line of play, the public cards, and who decides.
    actions
        As text, in the order of the last axis.
    strategy
        [1326, actions] float64 probabilities; uniform where untrained, NaN of dead hands.
    action_values, action_errors
        [1326, actions] float64, chips, and their standard errors, 0 where exact; NaN of hands that
        cannot be there or meet nobody.
    values, errors
        [1326] float64: the same of the strategy itself.
    reach
        [2, 1326] float64: how likely each player comes here with each hand, by his own play.
    samples
        Run-outs that were drawn; 0 = exact.
    """

    node: int
    line: str
    board: tuple[int, ...]
    player: int
    actions: tuple[str, ...]
    strategy: NDArray[np.float64]
    action_values: NDArray[np.float64]
    action_errors: NDArray[np.float64]
    values: NDArray[np.float64]
    errors: NDArray[np.float64]
    reach: NDArray[np.float64]
    samples: int

    @property
    def found(self) -> str:
        """How the values were found, in words."""
        return found_by(self.samples)

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """[1326] how likely each hand of the player is here, blockers counted."""
        met = hands_met(self.reach[1 - self.player])
        weights: NDArray[np.float64] = self.reach[self.player] * met
        return weights

    @property
    def value(self) -> float:
        """What the player wins from here on, over all hands, chips; NaN if play never comes."""
        total = float(self.weights.sum())
        known = self.weights @ np.nan_to_num(self.values)
        return float(known / total) if total > 0 else float("nan")

    def frame_columns(self) -> Columns:
        """Return a row for each hand: reach, what it is worth, and each action."""
        alive = np.flatnonzero(~np.isnan(self.values))
        columns: dict[str, object] = {
            "hole": [hole_text(hole) for hole in alive],
            "class": [class_text(HOLE_CLASS[hole]) for hole in alive],
            "reach": self.reach[self.player, alive],
            "ev": self.values[alive],
            "error": self.errors[alive],
        }
        for index, action in enumerate(self.actions):
            columns[action] = self.strategy[alive, index]
            columns[f"ev {action}"] = self.action_values[alive, index]
            columns[f"error {action}"] = self.action_errors[alive, index]
        return columns


def class_means(of: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean of `[1326]` over the hands of each class by weight: [169]; NaN if none.

    Hands whose number is NaN do not count.

    Examples
    --------
    >>> class_means(HOLE_CLASS.astype(float), np.ones(1326))[[0, 168]]
    array([  0., 168.])
    """
    known = np.where(np.isnan(of), 0.0, weights)
    sums = np.bincount(HOLE_CLASS, known * np.nan_to_num(of), NUM_CLASSES)
    with np.errstate(invalid="ignore"):
        means: NDArray[np.float64] = sums / np.bincount(HOLE_CLASS, known, NUM_CLASSES)
    return means


def found_by(samples: int) -> str:
    """Say how values were found.

    Examples
    --------
    >>> found_by(0), found_by(200)
    ('exact', '200 run-outs drawn')
    """
    return f"{samples:,} run-outs drawn" if samples else "exact"
