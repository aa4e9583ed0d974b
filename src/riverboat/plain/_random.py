"""Plain twin of core/util/random.hpp: SplitMix64 and xoshiro256++.

Steele, Lea & Flood 2014, "Fast splittable pseudorandom number generators";
Blackman & Vigna 2021, "Scrambled linear pseudorandom number generators".
"""

from collections.abc import Sequence

import numpy as np

_MASK = 2**64 - 1


def splitmix64(state: int) -> tuple[int, int]:
    """Return the next state and its 64 random bits."""
    state = (state + 0x9E3779B97F4A7C15) & _MASK
    z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return state, z ^ (z >> 31)


def _rotate(x: int, k: int) -> int:
    return ((x << k) | (x >> (64 - k))) & _MASK


class Random:
    """xoshiro256++; one stream for each pair (seed, stream).

    Examples
    --------
    >>> random = Random(seed=1, stream=2)
    >>> 0 <= random.uniform() < 1, random.below(6) in range(6)
    (True, True)
    """

    def __init__(self, seed: int, stream: int = 0) -> None:
        _, mixed = splitmix64(seed)
        mixed ^= (stream * 0xD1342543DE82EF95) & _MASK
        self.words = []
        for _ in range(4):
            mixed, word = splitmix64(mixed)
            self.words.append(word)

    def next(self) -> int:
        """Return 64 random bits."""
        a, b, c, d = self.words
        result = (_rotate((a + d) & _MASK, 23) + a) & _MASK
        c ^= a
        d ^= b
        self.words = [a ^ d, b ^ c, c ^ ((b << 17) & _MASK), _rotate(d, 45)]
        return result

    def below(self, bound: int) -> int:
        """Return a uniform number in 0 .. bound - 1."""
        return (self.next() * bound) >> 64

    def uniform(self) -> float:
        """Return a uniform number in [0, 1)."""
        return (self.next() >> 11) * 2.0**-53

    def draw(self, strategy: Sequence[float | np.floating]) -> int:
        """Sample an action; never one with probability 0.

        Examples
        --------
        >>> Random(1).draw([0.0, 1.0])
        1
        """
        left = np.float32(self.uniform())
        possible = 0
        for action, probability in enumerate(strategy):
            if probability <= 0:
                continue
            left -= np.float32(probability)
            if left < 0:
                return action
            possible = action
        return possible
