"""A choice that a player has before the root, such as a gadget's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Root(Protocol):
    """Is made between walks, and learns from them. Rows are padded hands of the root."""

    player: int

    def play(self, factors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the reaches of his hands in this iteration."""
        ...

    def learn(self, factors: NDArray[np.float32], values: NDArray[Any]) -> None:
        """Learn from what his hands won, times the reach of those they met."""
        ...
