"""Sets of flops: all that differ, or a few that stand for all.

Flops that differ only by the names of suits are one: 22,100 become 1,755. A few are taken evenly
from all 22,100 in an order by suits, pairs and ranks, so that each stands for as many as any other:
means over them are means over all flops, without weights.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations
from typing import Final

import numpy as np

from riverboat.cards import canonical_boards, cards_text
from riverboat.errors import SpotError

__all__ = ["ALL_FLOPS", "few_flops", "flop_counts"]

#: Flops that differ by more than the names of suits.
ALL_FLOPS: Final = 1755


@lru_cache(maxsize=1)
def flop_counts() -> dict[str, int]:
    """Return every flop, and how many it stands for; in the order in which a few are taken.

    Examples
    --------
    >>> counts = flop_counts()
    >>> len(counts), sum(counts.values()), next(iter(counts))
    (1755, 22100, '2c3d4h')
    """
    flops = list(combinations(range(52), 3))
    numbers, _ = canonical_boards(np.array(flops, np.uint8))
    counts = Counter(numbers.tolist())
    first = dict(zip(reversed(numbers.tolist()), reversed(flops), strict=True))
    found = sorted(((_texture(flop), counts[number], flop) for number, flop in first.items()))
    return {cards_text(flop): count for _, count, flop in found}


def _texture(flop: tuple[int, ...]) -> tuple[int, ...]:
    """Suits from rainbow to one, ranks from three to one, then ranks from the highest down."""
    ranks = sorted((card // 4 for card in flop), reverse=True)
    suits = len({card % 4 for card in flop})
    return (-suits, -len(set(ranks)), *ranks)


def few_flops(number: int) -> tuple[str, ...]:
    """Return so many flops that stand for all.

    Examples
    --------
    >>> len(few_flops(25)), few_flops(25)[:3]
    (25, ('4c6d7h', '7c8d9h', '4c6dJh'))
    """
    if not 1 <= number <= ALL_FLOPS:
        raise SpotError(f"a set has 1 to {ALL_FLOPS:,} flops, not {number:,}")
    flops = list(flop_counts())
    if number == ALL_FLOPS:
        return tuple(flops)
    ends = np.cumsum(list(flop_counts().values()))
    places = (np.arange(number) + 0.5) * ends[-1] / number
    chosen = dict.fromkeys(np.searchsorted(ends, places, side="right").tolist())
    for spare in range(len(flops)):  # one that stands for many may be hit twice
        if len(chosen) == number:
            break
        chosen.setdefault(spare)
    return tuple(flops[place] for place in sorted(chosen))
