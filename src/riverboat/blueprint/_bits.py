"""Which of many things are kept, as bits, and the place of each among the kept ones.

Bit i (of byte i // 8, the lowest first) says whether thing i is kept. `ranks[i // 512]` counts
those kept before its run of 512, so that the place of a kept thing is one look-up and the
counting of at most 512 bits.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

#: Things that share one count.
RUN: Final = 512

_BITS_SET: Final = np.array([value.bit_count() for value in range(256)], np.uint8)


def num_ranks(things: int) -> int:
    """How many counts there are for so many things."""
    return -(-things // RUN)


class BitPacker:
    """Turns booleans that come in parts into bits.

    Examples
    --------
    >>> packer = BitPacker()
    >>> packer.add(np.array([True, False, True]))
    >>> packer.add(np.array([True] * 6))
    >>> packer.finish().tolist(), packer.kept
    ([253, 1], 8)
    """

    def __init__(self) -> None:
        self.kept = 0
        self._rest: NDArray[np.bool_] = np.zeros(0, bool)
        self._bytes: list[NDArray[np.uint8]] = []

    def add(self, flags: NDArray[np.bool_]) -> None:
        """Append flags."""
        self.kept += int(np.count_nonzero(flags))
        flags = np.concatenate([self._rest, flags])
        whole = len(flags) // 8 * 8
        self._bytes.append(np.packbits(flags[:whole], bitorder="little"))
        self._rest = flags[whole:]

    def finish(self) -> NDArray[np.uint8]:
        """Return all bits, the last byte filled up with zeros."""
        return np.concatenate([*self._bytes, np.packbits(self._rest, bitorder="little")])


def count_ranks(bits: NDArray[np.uint8], things: int) -> NDArray[np.uint64]:
    """Count the bits before each run of 512: [runs] uint64.

    Examples
    --------
    >>> count_ranks(np.full(128, 255, np.uint8), 1024).tolist()
    [0, 512]
    """
    padded = np.zeros(num_ranks(things) * RUN // 8, np.uint8)
    padded[: len(bits)] = _BITS_SET[bits]
    by_run = padded.reshape(-1, RUN // 8).sum(axis=1, dtype=np.uint64)
    ranks: NDArray[np.uint64] = np.cumsum(by_run, dtype=np.uint64) - by_run
    return ranks
