"""Ctrl-C that waits for the right moment: a run ends after its slice, saved and written."""

import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, TypeVar

__all__ = ["Stop"]

_Result = TypeVar("_Result")


class Stop:
    """Remembers that somebody wants the run to end; catches Ctrl-C while it is entered.

    The first Ctrl-C asks, the second one interrupts at once, as usual. A kill signal
    (SIGTERM) asks, too.
    """

    def __init__(self) -> None:
        self.asked = False
        self._raises = False
        self._before: list[tuple[signal.Signals, Any]] = []

    def ask(self) -> None:
        """End the run after its slice."""
        self.asked = True

    def __enter__(self) -> "Stop":
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                handler = signal.getsignal(number)
                if handler not in (None, signal.SIG_IGN):
                    self._before.append((number, handler))
                    signal.signal(number, self._handle)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        while self._before:
            signal.signal(*self._before.pop())

    def interruptible(self, work: Callable[[], _Result]) -> _Result | None:
        """Do work that Ctrl-C breaks off; the run then ends.

        Returns
        -------
        object or None
            What the work returned; None if it was broken off, or not begun because somebody had
            asked before.
        """
        try:
            self._raises = True
            return None if self.asked else work()
        except KeyboardInterrupt:
            self.asked = True
            return None
        finally:
            self._raises = False

    def _handle(self, _number: int, _frame: FrameType | None) -> None:
        if self.asked or self._raises:
            self.asked = True
            raise KeyboardInterrupt
        self.asked = True
