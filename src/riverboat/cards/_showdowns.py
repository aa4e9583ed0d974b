"""One hand against some unknown ones, by sampled deals: what bots ask at full tables."""

import numpy as np

from riverboat import _core
from riverboat.cards._holes import NUM_HOLES, hole_index


class SampledShowdowns:
    """Showdowns of a hand against unknown hands, in deals that are drawn.

    Parameters
    ----------
    hole
        The two own cards.
    board
        Public cards, 0 to 5.
    opponents
        Unknown hands, 1 to 9.

    Examples
    --------
    >>> win, tie, share, total = SampledShowdowns((50, 51), (), 2)(1000, seed=1, stream=0)
    >>> 0.7 < share / total < 0.77  # two aces against two hands
    True
    """

    def __init__(self, hole: tuple[int, ...], board: tuple[int, ...], opponents: int) -> None:
        weights = np.ones((opponents + 1, NUM_HOLES))
        weights[0] = 0
        weights[0, hole_index(*hole)] = 1
        self._num_players = opponents + 1
        self._table = _core.EquityTable(weights, np.array(board, np.uint8), np.zeros(0, np.uint8))

    def __call__(self, samples: int, seed: int, stream: int) -> tuple[float, float, float, float]:
        """Return the sums over deals: won alone, tied, shares of the pot, and their number."""
        sums = np.empty((4, self._num_players))
        total = self._table.sample_into(samples, seed, stream, sums)
        win, tie, share = sums[:3, 0].tolist()
        return win, tie, share, total
