"""The loop that carries every protocol: connect, listen, answer, write down, connect again."""

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
    """Writes lines into a file, or nowhere without one.

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
        """Write a line that came."""
        self._write(_HEARD, line)

    def said(self, line: str) -> None:
        """Write a line that went out."""
        self._write(_SAID, line)

    def note(self, line: str) -> None:
        """Write what happened besides."""
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
    """Return each line that came, and what was answered to it; notes are left out.

    Answers that stand before the first line that came belong to an empty one.

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


#: Lines one after the other that are no words of the protocol.
_MOST_GARBLED = 100


class Dialect(ABC):
    """A protocol without its wire.

    Parameters
    ----------
    player
        Who sits there.

    Attributes
    ----------
    over
        Whether the other side has said that nothing more comes.
    in_hand
        Whether a hand is being played: if not, a connection that ends is the end of the match.
    """

    def __init__(self, player: Player) -> None:
        self.player = player
        self.over = False
        self.in_hand = False

    def greet(self) -> Sequence[str]:
        """Return what is said first on a new connection; nothing where the engine begins."""
        return ()

    @abstractmethod
    def hear(self, line: str) -> Sequence[str]:
        """Return the answers to a line, perhaps none; ProtocolError for what it cannot be."""

    def shrug(self, line: str) -> Sequence[str]:  # noqa: ARG002 - where the engine waits
        """Return what is said to a line that was not understood."""
        return ()


@dataclass(frozen=True, slots=True)
class Joined:
    """How it went at another table.

    Attributes
    ----------
    hands, decisions
        How many.
    won
        Big blinds in all.
    mbb_per_hand
        Thousandths of a big blind a hand.
    errors, said
        What the bot did wrong, by kind, and an example of each.
    garbled, connections
        Lines that were not understood; how often the other side was connected to.
    slowest, seconds
        The longest decision, and all.
    ended
        `over`, `hung up`, or what broke it off.
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
    """Play at another table until the other side ends it.

    Parameters
    ----------
    dialect
        The protocol, and our player in it.
    connect
        Makes a connection; a ProtocolError where none can be had.
    patience
        Seconds to wait for a line.
    reconnect
        Seconds for which another connection is tried after one was cut in the middle of a hand.
    transcript
        Where all that is said is written.

    Returns
    -------
    Joined
        Whatever happens after the first connection: a match that broke off has a result too.
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
        """Talk until one side is done; return why it ended."""
        try:
            self._say(link, self._dialect.greet())
            while not self._dialect.over:
                self._say(link, self._answer(link.receive(self._patience)))
        except EOFError:
            ended = "cut in the middle of a hand" if self._dialect.in_hand else "hung up"
        except TimeoutError:
            ended = f"nothing came within {self._patience:g} s"
        except (OSError, ProtocolError) as error:
            ended = one_line(str(error))
        else:
            ended = "over"
        self._transcript.note(ended)
        return ended

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
                    f"{_MOST_GARBLED} lines in a row were not understood, the last: {error}"
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
