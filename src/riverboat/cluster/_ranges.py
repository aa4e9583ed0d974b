"""Who walks which iterations of a slice: workers take some, and come again until none are left.

A worker that is slow, or has become so, takes fewer: at the end of a slice the others wait for one
small range of his, and not for a share that was meant for a faster one.
"""

import math
from collections.abc import Mapping

from riverboat.cluster._exchange import cuts

_FRACTION = 0.25  # of what is left and his by speed, that a worker takes at once
_LEAST = 1 / 16  # of his share of the whole slice


class Ranges:
    """Iterations of a slice, given out in their order.

    Parameters
    ----------
    first, last
        The slice ends before iteration `last`.
    speeds
        Of workers by name, in any unit.
    even
        Whether each gets one range, and all the same, however fast they are.

    Examples
    --------
    >>> ranges = Ranges(0, 160, {"fast": 3.0, "slow": 1.0})
    >>> ranges.take("fast"), ranges.take("slow"), ranges.take("fast")
    ((0, 30), (30, 39), (39, 62))
    """

    def __init__(
        self, first: int, last: int, speeds: Mapping[str, float], *, even: bool = False
    ) -> None:
        self._next, self._last, self._whole = first, last, last - first
        total = sum(speeds.values())
        self._shares = {name: speed / total for name, speed in speeds.items()}
        self._once: dict[str, slice] | None = None
        if even or len(speeds) == 1:
            pieces = cuts(last - first, len(speeds))
            begins = [slice(first + cut.start, first + cut.stop) for cut in pieces]
            self._once = dict(zip(sorted(speeds), begins, strict=True))

    def take(self, name: str) -> tuple[int, int] | None:
        """Return from which iteration up to which a worker walks next; None = the slice is over."""
        if self._once is not None:
            cut = self._once.pop(name, slice(0, 0))
            return (cut.start, cut.stop) if cut.start < cut.stop else None
        left = self._last - self._next
        if not left:
            return None
        wanted = self._shares[name] * max(_FRACTION * left, _LEAST * self._whole)
        first, self._next = self._next, self._next + min(left, max(1, math.ceil(wanted)))
        return first, self._next
