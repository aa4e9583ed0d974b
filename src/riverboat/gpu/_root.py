"""Interface of a decision before the root, such as a gadget's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Root(Protocol):
    """A player's decision before the root, computed between walks. Rows are padded root hands."""

    player: int

    def play(self, factors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the reach of the player's hands in this iteration."""
        ...

    def learn(self, factors: NDArray[np.float32], values: NDArray[Any]) -> None:
        """Update the regrets from the hands' values, weighted by the opponent's reach."""
        ...
