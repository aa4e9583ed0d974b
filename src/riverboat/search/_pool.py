"""Solutions of a process: one solve at a time, and the newest are remembered.

Bots of several tables share it, so that they do not ask for more cores or memory than there are.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from riverboat.search._plan import Pace

if TYPE_CHECKING:
    from collections.abc import Callable

    from riverboat.search._subgame import Subgame

_ENGINE_BYTES: Final = 400_000_000
_ROW_BYTES: Final = 200_000_000


class Pool:
    """Remembers subgames by public state.

    Engines, which are large, are given back first: what a street's decisions are stays longer.

    Parameters
    ----------
    engine_bytes, row_bytes
        Memory for solvers that may be asked more, and for decisions. The newest stays always.

    Attributes
    ----------
    lock
        Held while somebody solves.
    pace
        How long solves take.
    """

    def __init__(self, engine_bytes: int = _ENGINE_BYTES, row_bytes: int = _ROW_BYTES) -> None:
        self.lock, self.pace = threading.RLock(), Pace()
        self._most_engines, self._most_rows = engine_bytes, row_bytes
        self._kept: OrderedDict[tuple[object, ...], Subgame] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(
        self, key: tuple[object, ...], solve: Callable[[], Subgame], *, whole: bool = False
    ) -> Subgame:
        """Return a subgame, solved now if it is not remembered.

        Parameters
        ----------
        key
            What tells it from others.
        solve
            Solves it.
        whole
            Whether its solver is needed, too.
        """
        with self.lock:
            found = self._kept.pop(key, None)
            if found is None or (whole and not found.engine_bytes):
                self._release(self._most_engines // 2)  # room for the next one
                found = solve()
            self._kept[key] = found
            self._release(self._most_engines)
            while len(self._kept) > 1 and self._row_bytes() > self._most_rows:
                self._kept.popitem(last=False)
            return found

    def _row_bytes(self) -> int:
        return sum(each.row_bytes for each in self._kept.values())

    def _release(self, most: int) -> None:
        """Give the oldest solvers back until the rest fits; the newest stays."""
        held = [each for each in self._kept.values() if each.engine_bytes]
        total = sum(each.engine_bytes for each in held)
        for each in held[:-1]:
            if total <= most:
                return
            total -= each.engine_bytes
            each.release()

    def clear(self) -> None:
        """Forget everything."""
        with self.lock:
            self._kept.clear()


#: The process's own.
POOL: Final = Pool()
