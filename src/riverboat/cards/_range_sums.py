"""Sums of a range over the hands that share no card with a given hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riverboat import _core
from riverboat.cards._holes import NUM_HOLES

if TYPE_CHECKING:
    from numpy.typing import NDArray


def hands_met(reach: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return, for each hand, the reach of all opponent hands that share no card with it.

    Parameters
    ----------
    reach
        [..., 1326], not negative.

    Returns
    -------
    [..., 1326] float64
        0 where only a rounding error remains.

    Examples
    --------
    >>> float(hands_met(np.ones(1326))[0])
    1225.0
    """
    rows = np.ascontiguousarray(reach, np.float64).reshape(-1, NUM_HOLES)
    met = np.empty_like(rows)
    _core.hands_met_into(rows, met)
    return met.reshape(reach.shape)
