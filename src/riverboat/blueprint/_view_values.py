"""What real actions are worth at a real table: the answer of `Query.values`."""

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
    """What one action is worth."""

    action: str
    probability: float
    """How often the strategy takes it."""
    value: float
    """Chips of the table; NaN where the other never comes to this decision."""
    error: float
    """Standard error; 0 where exact."""


class ViewValues(Framed, msgspec.Struct, frozen=True):
    """What the actions of one decision are worth to the hand that a view shows.

    Attributes
    ----------
    status
        As of an `Answer`. Where it is `untrained`, values are those of uniform play there.
    actions
        Real legal actions, each once; empty off the tree.
    value, error
        What the strategy itself wins, chips, and the standard error of that.
    samples
        Run-outs that were drawn; 0 = exact.
    node, line, exact, reason
        As of an `Answer`. Values are those of the tree's decision, in chips of the table; where
        `exact` is false, the table's own may be others.
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
        """How the values were found, in words."""
        return found_by(self.samples)

    def frame_columns(self) -> Columns:
        """Return a row for each action."""
        return {
            "action": [each.action for each in self.actions],
            "probability": [each.probability for each in self.actions],
            "ev": [each.value for each in self.actions],
            "error": [each.error for each in self.actions],
        }


class MenuValues(NamedTuple):
    """What the menu's actions are worth to one hand, chips of the tree: [actions] each."""

    values: NDArray[np.float64]
    errors: NDArray[np.float64]
    error: float = 0.0
    """Of the strategy itself."""
    samples: int = 0

    def real(
        self, actions: Sequence[str], shares: Sequence[float], scale: float
    ) -> tuple[ActionValue, ...]:
        """Return real actions, in chips of the table.

        Parameters
        ----------
        actions
            The real action of each action of the menu; some may be the same.
        shares
            How often each of the menu is taken: the same ones count by that.
        scale
            Chips of the table for one of the tree.
        """
        told = []
        for action in dict.fromkeys(actions):
            same = [index for index, each in enumerate(actions) if each == action]
            weights = np.array([shares[index] for index in same])
            total = float(weights.sum())
            part = weights / total if total > 0 else np.full(len(same), 1 / len(same))
            value, error = (scale * float(part @ of[same]) for of in (self.values, self.errors))
            told.append(ActionValue(action, total, value, error))
        return tuple(told)
