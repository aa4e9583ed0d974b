"""What is kept in 8 bits: probabilities, and averaging weights.

Probabilities as 255ths, by the method of largest remainders: every row sums to 255.

Of a row with n actions each probability moves by less than 1/255, and the row by a total
variation distance of at most floor(n/2) * ceil(n/2) / n / 255: 0.0026 with three actions, 0.0040
with four. An action of probability 0 stays at 0, a pure row stays pure, and encoding what was
decoded gives the same numbers.

Averaging weights as bytes on a log scale: an eighth of a doubling for each step.

Weights tell knowledge from what was tried a few times, and how strategies are combined: their size
matters, not their digits. 255 stands for the greatest weight of a file, each step below for
2^(1/8) less, so that a weight moves by at most 4.5 %. 0 is untrained, and nothing else is. Below
1 / 3,600,000,000 of the greatest all weights count as 1. Encoding what was decoded gives the same.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint._layout import GroupRows

#: What the numbers of a row sum to.
WHOLE: Final = 255

_PROBABILITIES: Final = (np.arange(256) / WHOLE).astype(np.float32)


def largest_shift(num_actions: int) -> float:
    """Bound on the total variation distance between a row and its 255ths.

    Examples
    --------
    >>> round(largest_shift(3), 6)
    0.002614
    """
    return (num_actions // 2) * ((num_actions + 1) // 2) / num_actions / WHOLE


def encode(block: NDArray[Any], rows: GroupRows) -> NDArray[np.uint8]:
    """Turn distributions into 255ths: [buckets, entries] probabilities to uint8."""
    encoded = np.empty(block.shape, np.uint8)
    for _, entries in rows.by_count():
        columns = entries.T
        encoded[:, columns] = _shares(block[:, columns].astype(np.float64))
    return encoded


def _shares(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Whole numbers that sum to 255: [buckets, actions, decisions]."""
    rows *= WHOLE / rows.sum(axis=1, keepdims=True)
    shares: NDArray[np.float64] = np.floor(rows)
    rows -= shares  # the remainders
    missing = (WHOLE - shares.sum(axis=1)).astype(np.int8)
    for action in range(rows.shape[1]):
        # The place of its remainder in the row, the largest first; of equals the first action.
        place = np.zeros(missing.shape, np.int8)
        for other in range(rows.shape[1]):
            if other < action:
                place += rows[:, other] >= rows[:, action]
            elif other > action:
                place += rows[:, other] > rows[:, action]
        shares[:, action] += place < missing
    return shares


def decode(numbers: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Turn 255ths into probabilities, float32."""
    return _PROBABILITIES[numbers]


#: Bounds of a file's greatest weight: within them every byte but 0 is a float32 above 0.
LEAST_GREATEST: Final = 2.0**-90
MOST_GREATEST: Final = float(np.finfo(np.float32).max)

_STEPS: Final = 8
_TOP: Final = 255


def encode_weights(weights: NDArray[Any], greatest: float) -> NDArray[np.uint8]:
    """Turn weights into bytes; `greatest` becomes 255.

    Examples
    --------
    >>> encode_weights(np.array([0.0, 1e-30, 500.0, 1000.0]), 1000.0).tolist()
    [0, 1, 247, 255]
    """
    wide = weights.astype(np.float64)
    trained = wide > 0
    steps = _STEPS * np.log2(np.where(trained, wide, greatest) / greatest)
    numbers = np.clip(np.rint(_TOP + steps), 1, _TOP)
    return np.where(trained, numbers, 0).astype(np.uint8)


def decode_weights(greatest: float) -> NDArray[np.float32]:
    """Return the weight of each byte: [256] float32.

    Examples
    --------
    >>> decode_weights(1000.0)[[0, 247, 255]].tolist()
    [0.0, 500.0, 1000.0]
    """
    weights = greatest * 2.0 ** ((np.arange(256) - _TOP) / _STEPS)
    weights[0] = 0
    return weights.astype(np.float32)
