"""The loop of every protocol: connect, receive, answer, write a transcript, reconnect."""

import math
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self, TextIO

import numpy as np

from riverboat.errors import ProtocolError, harmless, one_line
from riverboat.protocols.client._link import Link
from riverboat.protocols.client._player import Player
from riverboat.statistics import Estimate, mean_estimate

_HEARD, _SAID, _NOTE = "< ", "> ", "# "


class Transcript:
    """Writes lines to a file, if there is one.

    Examples
    --------
    >>> with Transcript() as nowhere:
    ...     nowhere.heard("MATCHSTATE:0:0::TdAs|")
    """

    def __init__(self, path: Path | None = None) -> None:
        self._file: TextIO | None = None
        if path is not None:
            self._file = path.open("a", encoding="utf-8", buffering=1)

    def heard(self, line: str) -> None:
        """Write a received line."""
        self._write(_HEARD, line)

    def said(self, line: str) -> None:
        """Write a sent line."""
        self._write(_SAID, line)

    def note(self, line: str) -> None:
        """Write a note."""
        self._write(_NOTE, line)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def _write(self, mark: str, line: str) -> None:
        if self._file is not None:
            self._file.write(f"{mark}{harmless(line)}\n")


def read_transcript(lines: Iterable[str]) -> list[tuple[str, tuple[str, ...]]]:
    """Return each received line with its answers, without notes.

    Lines that were sent before the first received line answer an empty one.

    Examples
    --------
    >>> read_transcript(["> VERSION:2.0.0", "< MATCHSTATE:0:0::TdAs|", "# cut"])
    [('', ('VERSION:2.0.0',)), ('MATCHSTATE:0:0::TdAs|', ())]
    """
    found: list[tuple[str, tuple[str, ...]]] = []
    for number, line in enumerate(lines, start=1):
        mark, rest = line[:2], line[2:].rstrip("\n")
        if mark == _HEARD:
            found.append((rest, ()))
        elif mark == _SAID:
            heard, said = found.pop() if found else ("", ())
            found.append((heard, (*said, rest)))
        elif mark != _NOTE:
            raise ProtocolError(f"line {number} of a transcript begins with '<', '>' or '#'")
    return found


#: Lines one after the other that are no words of the protocol, or are empty.
_MOST_GARBLED = 100


class Dialect(ABC):
    """A protocol, independent of the connection.

    Parameters
    ----------
    player
        Our bot at the table.

    Attributes
    ----------
    over
        Whether the other side has ended the match.
    in_hand
        Whether a hand is in progress: if not, a closed connection is the end of the match.
    """

    def __init__(self, player: Player) -> None:
        self.player = player
        self.over = False
        self.in_hand = False

    def greet(self) -> Sequence[str]:
        """Return the first lines on a new connection; empty if the engine begins."""
        return ()

    @abstractmethod
    def hear(self, line: str) -> Sequence[str]:
        """Return the answers to a line; raise ProtocolError for an invalid line."""

    def shrug(self, line: str) -> Sequence[str]:  # noqa: ARG002 - some engines need it
        """Return the answers to an invalid line, for engines that wait for one."""
        return ()


@dataclass(frozen=True, slots=True)
class Joined:
    """The result of a match at another engine.

    Attributes
    ----------
    hands, decisions
        Number of hands and of decisions.
    won
        Total winnings in big blinds.
    mbb_per_hand
        Winnings in mbb/hand.
    errors, said
        Number of the bot's failures by kind, and an example of each.
    garbled, connections
        Number of invalid lines, and of connections.
    slowest, seconds
        Seconds of the slowest decision, and in all.
    ended
        `over`, `hung up`, or the reason why the match broke off.
    """

    hands: int
    decisions: int
    won: float
    mbb_per_hand: Estimate
    errors: Counter[str]
    said: dict[str, str]
    garbled: int
    connections: int
    slowest: float
    seconds: float
    ended: str


def join(
    dialect: Dialect,
    connect: Callable[[], Link],
    *,
    patience: float = math.inf,
    reconnect: float = 0.0,
    transcript: Transcript | None = None,
) -> Joined:
    """Play at another engine until it ends the match.

    Parameters
    ----------
    dialect
        The protocol, with our player.
    connect
        Opens a connection; raises ProtocolError if that fails.
    patience
        Seconds to wait for a whole line.
    reconnect
        Seconds to try to reconnect after a connection was lost during a hand.
    transcript
        Transcript of all lines.

    Returns
    -------
    Joined
        The result, also of a match that broke off after the first connection.
    """
    loop = _Loop(dialect, patience, transcript or Transcript())
    start = time.monotonic()
    link = connect()
    while True:
        loop.connections += 1
        try:
            ended = loop.run(link)
        finally:
            link.close()
        if dialect.over or not reconnect:
            break
        again = _connect_again(connect, reconnect if dialect.in_hand else min(reconnect, 1.0))
        if again is None:
            break
        link = again
    return loop.result(ended, time.monotonic() - start)


def _connect_again(connect: Callable[[], Link], seconds: float) -> Link | None:
    """Connect to a server that may be starting again."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            return connect()
        except (ProtocolError, OSError):
            if time.monotonic() > deadline:
                return None
            time.sleep(0.05)


class _Loop:
    """One match over one or more connections."""

    def __init__(self, dialect: Dialect, patience: float, transcript: Transcript) -> None:
        self._dialect, self._patience, self._transcript = dialect, patience, transcript
        self.connections = 0
        self._garbled = 0
        self._in_a_row = 0

    def run(self, link: Link) -> str:
        """Exchange lines until the match or the connection ends; return why it ended."""
        try:
            self._say(link, self._dialect.greet())
            while not self._dialect.over:
                self._say(link, self._answer(self._line(link)))
        except EOFError:
            ended = "connection lost during a hand" if self._dialect.in_hand else "hung up"
        except TimeoutError:
            ended = f"no line within {self._patience:g} s"
        except (OSError, ProtocolError) as error:
            ended = one_line(str(error))
        else:
            ended = "over"
        self._transcript.note(ended)
        return ended

    def _line(self, link: Link) -> str:
        """Return the next line that is not empty; all empty ones before it share its patience."""
        deadline = time.monotonic() + self._patience
        for _ in range(_MOST_GARBLED):
            line = link.receive(max(0.0, deadline - time.monotonic()))
            if line.strip():
                return line
            self._garbled += 1
            self._transcript.heard(line)
        raise ProtocolError(f"{_MOST_GARBLED} empty lines in a row")

    def _answer(self, line: str) -> Sequence[str]:
        self._transcript.heard(line)
        try:
            answers = self._dialect.hear(line)
        except ProtocolError as error:
            self._garbled += 1
            self._in_a_row += 1
            self._transcript.note(one_line(str(error)))
            if self._in_a_row >= _MOST_GARBLED:
                raise ProtocolError(
                    f"{_MOST_GARBLED} invalid lines in a row, the last: {error}"
                ) from error
            return self._dialect.shrug(line)
        self._in_a_row = 0
        return answers

    def _say(self, link: Link, lines: Sequence[str]) -> None:
        for line in lines:
            self._transcript.said(line)
            link.send(line)

    def result(self, ended: str, seconds: float) -> Joined:
        player = self._dialect.player
        chair, won = player.chair, player.won
        return Joined(
            hands=len(won),
            decisions=len(chair.times),
            won=math.fsum(won),
            mbb_per_hand=mean_estimate(1000 * np.array(won, np.float64)),
            errors=chair.errors,
            said=chair.said,
            garbled=self._garbled,
            connections=self.connections,
            slowest=max(chair.times, default=0.0),
            seconds=seconds,
            ended=ended,
        )
