"""A process for the work of a job.

Messages are JSON, because a process that reads untrusted files must not be able to send objects.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Self

import msgspec

from riverboat.errors import RiverboatError, RunError, in_words
from riverboat.runs._pool import without_interrupts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection

_SPAWN: Final = multiprocessing.get_context("spawn")
_POLL_SECONDS: Final = 0.05
_PATIENCE: Final = 10.0  # seconds until a process that does not end is killed
_ENDED: Final = "ended"


class JobPipe:
    """One end of the connection between a job and its process."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self._lock = connection, threading.Lock()

    def send(self, message: Any) -> bool:
        """Send plain values; return whether the other end still exists."""
        try:
            with self._lock:
                self._connection.send_bytes(msgspec.json.encode(message))
        except OSError:
            return False
        return True

    def receive(self, seconds: float | None = 0.0) -> Any:
        """Return a message, or None if none arrives in time; EOFError if the pipe is closed."""
        try:
            if not self._connection.poll(seconds):
                return None
            return msgspec.json.decode(self._connection.recv_bytes())
        except OSError as error:
            raise EOFError from error

    def close(self) -> None:
        """Close this end."""
        self._connection.close()


class JobProcess:
    """A process that does a job; it has ended when the block is left.

    Parameters
    ----------
    function
        Function at the top level of a module; called in the process with its `JobPipe` and `given`.
    given
        Further arguments, which `multiprocessing` must be able to send.
    """

    def __init__(self, function: Callable[..., object], *given: object) -> None:
        ours, theirs = _SPAWN.Pipe()
        self.pipe = JobPipe(ours)
        # Not a daemon: daemons may not start processes.
        self._process = _SPAWN.Process(target=_begin, args=(function, theirs, *given))
        # The parent process handles signals to the whole group, and asks the job to stop.
        with without_interrupts(signal.SIGINT, signal.SIGTERM):
            self._process.start()
        theirs.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.kill()
        self._process.join(_PATIENCE)
        self._process.kill()
        self._process.join()
        self.pipe.close()

    def kill(self) -> None:
        """Kill the process."""
        self._process.kill()

    def messages(self, stopping: threading.Event, stop: Callable[[], object]) -> Iterator[Any]:
        """Yield messages of the process until it ends; call `stop` once `stopping` is set.

        Raises
        ------
        RunError
            If the work failed, with its error message, or if the process ended unexpectedly.
        """
        stop_called = False
        while True:
            if stopping.is_set() and not stop_called:
                stop_called = True
                stop()
            try:
                message = self.pipe.receive(_POLL_SECONDS)
            except EOFError:
                if stop_called:
                    return
                raise RunError(
                    "the process ended unexpectedly: perhaps there was too little memory"
                ) from None
            if isinstance(message, dict) and _ENDED in message:
                if message[_ENDED]:
                    raise RunError(str(message[_ENDED]))
                return
            if message is not None:
                yield message


def _begin(function: Callable[..., object], connection: Connection, *given: object) -> None:
    """Do the work, then send an error message, which is empty if the work succeeded."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})  # its own workers need it
    pipe, problem = JobPipe(connection), ""
    try:
        function(pipe, *given)
    except RiverboatError as error:
        problem = str(error)
    except MemoryError:
        problem = "the job needs more memory than it may use"
    except Exception as error:
        problem = in_words(error)
    with suppress(RecursionError):
        pipe.send({_ENDED: problem})
