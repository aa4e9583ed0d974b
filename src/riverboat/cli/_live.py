"""How long work is shown while it goes on: live in a terminal, a line now and then elsewhere."""

import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Self

from rich.console import RenderableType
from rich.live import Live

from riverboat.cli._output import status

__all__ = ["LiveView"]


class LiveView:
    """Shows a run on the error stream, so that results can be piped.

    A terminal that was closed must not keep a run from being saved: then nothing is shown.

    Parameters
    ----------
    every
        Seconds between lines where there is no terminal.
    bars
        Drawn again and again in a terminal, and left there at the end. Without them it shows what
        `show` is given, and takes it away at the end.
    at_once
        Whether the first line comes at once, or after that time.
    """

    def __init__(
        self, every: float, bars: RenderableType | None = None, *, at_once: bool = True
    ) -> None:
        self._every, self._bars = every, bars
        own = bars is None
        live = Live(bars, console=status, auto_refresh=not own, transient=own)
        self._live = live if status.is_terminal else None
        self._printed = float("-inf") if at_once else time.monotonic()

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            with suppress(OSError):
                self._live.stop()

    def show(
        self,
        line: Callable[[], str],
        picture: Callable[[], RenderableType] | None = None,
        *,
        now: bool = False,
    ) -> None:
        """Show how the run stands.

        Parameters
        ----------
        line
            Says it in one line.
        picture
            Draws it for a terminal; by default the line is.
        now
            Whether the line is printed whenever the last one was.
        """
        with suppress(OSError):
            if self._live is not None:
                if self._bars is None:
                    self._live.update(line() if picture is None else picture(), refresh=True)
                return
            if now or time.monotonic() - self._printed >= self._every:
                self._printed = time.monotonic()
                status.print(line(), soft_wrap=True)
