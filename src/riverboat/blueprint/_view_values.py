"""EV of real actions at a real table: the result of `Query.values`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec
import numpy as np

from riverboat.decision import found_by
from riverboat.report import Columns, Framed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Status = Literal["trained", "untrained", "off-tree"]


class ActionValue(NamedTuple):
    """EV of one action."""

    action: str
    probability: float
    """Probability of the action in the strategy."""
    value: float
    """EV in chips of the table; NaN if the opponent never reaches this decision."""
    error: float
    """Standard error; 0 where exact."""


class ViewValues(Framed, msgspec.Struct, frozen=True):
    """EV of the actions of one decision for a view's hand.

    Attributes
    ----------
    status
        As in `Answer`. If it is `untrained`, the decision is played uniformly.
    actions
        Real legal actions, each once; empty off-tree.
    value, error
        EV of the strategy in chips, and its standard error.
    samples
        Sampled runouts; 0 = exact.
    node, line, exact, reason
        As in `Answer`. Values are those of the tree's decision, in chips of the table; if `exact`
        is false, they are an approximation.
    """

    status: Status
    actions: tuple[ActionValue, ...] = ()
    value: float = float("nan")
    error: float = 0.0
    samples: int = 0
    node: int = -1
    line: str = ""
    exact: bool = False
    reason: str = ""

    @property
    def found(self) -> str:
        """How the values were computed, in words."""
        return found_by(self.samples)

    def frame_columns(self) -> Columns:
        """Return one row per action."""
        return {
            "action": [action.action for action in self.actions],
            "probability": [action.probability for action in self.actions],
            "ev": [action.value for action in self.actions],
            "error": [action.error for action in self.actions],
        }


class MenuValues(NamedTuple):
    """EV of the menu's actions for one hand, in chips of the tree: [actions] each."""

    values: NDArray[np.float64]
    errors: NDArray[np.float64]
    error: float = 0.0
    """Standard error of the strategy's EV."""
    samples: int = 0

    def real(
        self, actions: Sequence[str], shares: Sequence[float], scale: float
    ) -> tuple[ActionValue, ...]:
        """Return EV of the real actions, in chips of the table.

        Parameters
        ----------
        actions
            The real action of each menu action; several may be the same.
        shares
            Probability of each menu action, the weights of equal real actions.
        scale
            Chips of the table per chip of the tree.
        """
        values = []
        for action in dict.fromkeys(actions):
            same = [index for index, name in enumerate(actions) if name == action]
            weights = np.array([shares[index] for index in same])
            total = float(weights.sum())
            part = weights / total if total > 0 else np.full(len(same), 1 / len(same))
            value, error = (scale * float(part @ of[same]) for of in (self.values, self.errors))
            values.append(ActionValue(action, total, value, error))
        return tuple(values)
