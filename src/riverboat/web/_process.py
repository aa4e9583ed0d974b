"""What processes of jobs do first: limit themselves, and end with the server."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from riverboat.runs import JobPipe

_MOST_MEMORY: Final = 4 << 30
_MOST_SECONDS: Final = 3600


def begin_process(pipe: JobPipe) -> None:
    """Limit memory and CPU time, lower the priority, and exit when the server is gone."""
    threading.Thread(target=_end_with_server, args=(pipe,), daemon=True).start()
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (_MOST_SECONDS, _MOST_SECONDS))
        os.nice(5)


def _end_with_server(pipe: JobPipe) -> None:
    """Exit when the server is gone: it holds the other end of the pipe."""
    with suppress(EOFError):
        while True:
            pipe.receive(None)
    os._exit(1)
