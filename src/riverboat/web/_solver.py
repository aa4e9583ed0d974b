"""A solve in a process of its own, which leaves the files that `riverboat solve` leaves."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any, Final

import msgspec

from riverboat.errors import RiverboatError
from riverboat.runs import JobPipe, Stop
from riverboat.spots import Spot, solve_file
from riverboat.web._study import Node, NodeAsked, node_of

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event

    from riverboat.spots import SolveSettings, Solving

_LOOK: Final = 0.02  # seconds that a solve which stands still listens
_MOST_LOOKS: Final = 16
_STOP: Final = "stop"


class SolveEndedError(RiverboatError):
    """What was asked of a running solve came too late: its solution is there."""


@dataclass(eq=False, slots=True)
class Looks:
    """Questions that pages ask a running solve."""

    pipe: JobPipe
    waiting: dict[int, Future[Node]] = field(default_factory=dict)
    _numbers: count[int] = field(default_factory=count)

    def ask(self, asked: NodeAsked) -> Future[Node]:
        """Ask for a decision."""
        if len(self.waiting) >= _MOST_LOOKS:  # a full pipe would hold up all pages
            raise RiverboatError(f"{_MOST_LOOKS} looks at this solve wait for it: try again")
        future: Future[Node] = Future()
        number = next(self._numbers)
        self.waiting[number] = future
        if not self.pipe.send({"number": number, "asked": asked}):
            self.waiting.pop(number, None)
            raise SolveEndedError("the solve has ended")
        return future

    def answer(self, message: dict[str, Any]) -> None:
        """Hand an answer on."""
        future = self.waiting.pop(message["number"], None)
        if future is None or not future.set_running_or_notify_cancel():
            return
        if "refused" in message:
            future.set_exception(RiverboatError(message["refused"]))
        else:
            future.set_result(msgspec.convert(message["node"], Node))

    def end(self) -> None:
        """Answer nobody any more."""
        for future in list(self.waiting.values()):
            if future.set_running_or_notify_cancel():
                future.set_exception(SolveEndedError("the solve has ended"))
        self.waiting.clear()

    def stop(self) -> None:
        """Ask the solve to end, and to keep what there is."""
        self.pipe.send(_STOP)


def solve_here(  # noqa: PLR0913, PLR0917 - what a process is given
    pipe: JobPipe, paused: Event, spot: bytes, path: str, settings: SolveSettings, resume: bool
) -> None:
    """Solve, and talk with the server in between."""
    with Stop() as stop:
        early: list[Any] = []  # questions asked before the first check of the strategies

        def between(solving: Solving) -> None:
            try:
                while early and solving.report is not None:
                    _heed(pipe, solving, early.pop(0), stop)
                message = pipe.receive()
                while message is not None or paused.is_set():
                    if message is not None and message != _STOP and solving.report is None:
                        early.append(message)
                    elif message is not None:
                        _heed(pipe, solving, message, stop)
                    if stop.asked:
                        return
                    message = pipe.receive(_LOOK if paused.is_set() else 0)
            except EOFError:
                stop.ask()  # without a server there is nobody to solve for

        found = msgspec.json.decode(spot, type=Spot)
        reports = solve_file(
            found, path, settings,
            resume=resume, force=not resume, plot=False, stop=stop, between=between,
        )  # fmt: skip
        for report in reports:
            pipe.send({"report": report.as_dict()})


def _heed(pipe: JobPipe, solving: Solving, message: Any, stop: Stop) -> None:
    """Do what the server asks for."""
    if message == _STOP:
        stop.ask()
        return
    number = message["number"]
    try:
        asked = msgspec.convert(message["asked"], NodeAsked)
        pipe.send({"number": number, "node": node_of("", solving.solution, asked)})
    except RiverboatError as error:
        pipe.send({"number": number, "refused": str(error)})
