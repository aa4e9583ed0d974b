"""Ctrl-C waits for the end of a slice."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["interrupts_held"]


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Let Ctrl-C wait until the block is done, so that a slice is always counted.

    Python would raise it as soon as the kernel returns: the tables would be a
    slice ahead of the number of iterations.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed = False

    def remember(_number: int, _frame: object) -> None:
        nonlocal pressed
        pressed = True

    handler = signal.getsignal(signal.SIGINT)
    if handler is None:  # not installed from Python: leave it alone
        yield
        return
    signal.signal(signal.SIGINT, remember)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if pressed:
            signal.raise_signal(signal.SIGINT)
