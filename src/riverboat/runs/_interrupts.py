"""Delay Ctrl-C to the end of a slice, or until a run is saved."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Self, TypeVar

_Result = TypeVar("_Result")

_ASKING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Delay Ctrl-C until the block ends, so that a slice of work is always counted.

    Otherwise Python would raise KeyboardInterrupt as soon as a kernel returns, and its tables
    would be a slice ahead of the number of iterations.

    Examples
    --------
    >>> with interrupts_held():
    ...     done = sum(range(4))
    >>> done
    6
    """
    handler = signal.getsignal(signal.SIGINT)
    # A handler of None was not installed by Python, and cannot be restored.
    if handler is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed = False

    def remember(_number: int, _frame: object) -> None:
        nonlocal pressed
        pressed = True

    signal.signal(signal.SIGINT, remember)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if pressed:
            signal.raise_signal(signal.SIGINT)


@contextmanager
def ended_as_interrupted() -> Iterator[None]:
    """Treat SIGTERM and SIGHUP (a closed terminal) as Ctrl-C in the block.

    Examples
    --------
    >>> try:
    ...     with ended_as_interrupted():
    ...         signal.raise_signal(signal.SIGTERM)
    ... except KeyboardInterrupt:
    ...     print("ended")
    ended
    """

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before: dict[signal.Signals, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) not in (None, signal.SIG_IGN):  # nohup ignores SIGHUP
                before[number] = signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Stop:
    """A request to stop; as a context it turns the first Ctrl-C into such a request.

    The second Ctrl-C interrupts at once, as usual. SIGTERM and SIGHUP (a closed terminal) are
    requests, too, unless they are ignored, as with `nohup`.

    Examples
    --------
    >>> with Stop() as stop:
    ...     stop.ask()
    >>> stop.asked
    True
    """

    def __init__(self) -> None:
        self.asked = False
        self._raises = False
        self._before: list[tuple[signal.Signals, Any]] = []
        self._calls: list[Callable[[], object]] = []

    def ask(self) -> None:
        """Request the work to stop after its slice."""
        self.asked = True
        for call in tuple(self._calls):
            call()

    def then(self, call: Callable[[], object]) -> None:
        """Call a function when the stop is requested, or now if it was: it ends a long kernel."""
        self._calls.append(call)
        if self.asked:
            call()

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in _ASKING:
                handler = signal.getsignal(number)
                if handler not in (None, signal.SIG_IGN):
                    self._before.append((number, handler))
                    signal.signal(number, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        while self._before:
            signal.signal(*self._before.pop())

    def interruptible(self, work: Callable[[], _Result]) -> _Result | None:
        """Do work that Ctrl-C interrupts at once; the interruption counts as a request to stop.

        Returns
        -------
        object or None
            The result of the work; None if it was interrupted, or skipped because a stop had been
            requested before.
        """
        try:
            self._raises = True
            return None if self.asked else work()
        except KeyboardInterrupt:
            self.ask()
            return None
        finally:
            self._raises = False

    def _handle(self, _number: int, _frame: FrameType | None) -> None:
        again = self.asked
        self.ask()
        if again or self._raises:
            raise KeyboardInterrupt
