"""Ctrl-C that waits for the right moment: a run ends after its slice, saved and written."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any

__all__ = ["Stop"]


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

    @contextmanager
    def interrupting(self) -> Iterator[None]:
        """Let Ctrl-C break the block off; the run then ends."""
        self._raises = True
        try:
            if not self.asked:
                yield
        except KeyboardInterrupt:
            self.asked = True
        finally:
            self._raises = False

    def _handle(self, _number: int, _frame: FrameType | None) -> None:
        if self.asked or self._raises:
            self.asked = True
            raise KeyboardInterrupt
        self.asked = True
