"""Averaging weights as bytes on a log scale: an eighth of a doubling for each step.

Weights tell knowledge from what was tried a few times, and how strategies are combined: their size
matters, not their digits. 255 stands for the greatest weight of a file, each step below for
2^(1/8) less, so that a weight moves by at most 4.5 %. 0 is untrained, and nothing else is. Below
1 / 3,600,000,000 of the greatest all weights count as 1. Encoding what was decoded gives the same.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["LEAST_GREATEST", "MOST_GREATEST", "decode_weights", "encode_weights"]

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
