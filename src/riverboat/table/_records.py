"""Hands of a session on disk, and recorded hands shown again.

The file of a session is whole after every hand.

The usual games are saved as PHH (`.phhs`); those that PHH cannot represent, such as Kuhn
or discard hold'em, as one JSON object a line (`.jsonl`).
"""

import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from platformdirs import user_data_path

from riverboat.errors import HistoryError, RiverboatError
from riverboat.files import atomic_path
from riverboat.game import GameSpec, Hand
from riverboat.histories import HandRecord, read, record_of, to_text
from riverboat.runs import interrupts_held
from riverboat.table._events import Acted, act_of

_NUMBER = re.compile(rb"^\s*\[\s*(\d{1,9})\s*\]", re.MULTILINE)


def history_folder() -> Path:
    """Where hands are kept if no other place is named: in the user's data folder."""
    return user_data_path("riverboat", appauthor=False) / "hands"


def _fits_phh(spec: GameSpec) -> bool:
    """Whether PHH can carry hands of a game."""
    try:
        to_text(record_of(Hand(spec, seed=0)), "phh")
    except RiverboatError:
        return False
    return True


class HistoryFile:
    """A file to which hands are appended, each whole or not at all.

    Parameters
    ----------
    place
        A file, new or with hands; or a folder, in which a new file is named after the
        game and the time. None is the user's folder.
    spec
        The game, which decides the format.

    Raises
    ------
    HistoryError
        If the file is of another format or cannot be written.
    """

    def __init__(self, place: Path | None, spec: GameSpec) -> None:
        self._is_phh = _fits_phh(spec)
        #: What the person should know of the format.
        self.note = "" if self._is_phh else f"(PHH cannot represent {spec.name}: saved as JSON.)"
        #: How many hands were appended, and how many the file had before.
        self.saved = self.found = 0
        self._suffix = self.suffix_of(spec)
        self.path = self._choose(place, spec)
        self._check()

    @staticmethod
    def suffix_of(spec: GameSpec) -> str:
        """Return how files of a game's hands end."""
        return ".phhs" if _fits_phh(spec) else ".jsonl"

    def _choose(self, place: Path | None, spec: GameSpec) -> Path:
        folder = history_folder() if place is None else place
        if place is not None and place.suffix and not place.is_dir():
            return place.resolve()  # of a link, the file that is meant
        stamp = datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
        return folder.resolve() / f"{stamp}-{spec.name}{self._suffix}"

    def _check(self) -> None:
        """Refuse a file to which hands must not be appended."""
        if self.path.suffix.lower() != self._suffix:
            raise HistoryError(
                f"hands of this game are saved in a {self._suffix} file, not in {self.path.name!r}"
            )
        if not self.path.exists() or not self.path.stat().st_size:
            return
        self.found = len(read(self.path).hands)
        if not self.found:
            raise HistoryError(f"{str(self.path)!r} holds no hands: they are not appended to it")

    def save(self, *records: HandRecord) -> None:
        """Append hands; the file holds all of them, or none of these."""
        with interrupts_held():  # so that no temporary file is left
            try:
                old = self.path.read_bytes() if self.path.exists() else b""
                if old and not old.endswith(b"\n"):
                    old += b"\n"
                with atomic_path(self.path) as temporary:
                    temporary.write_bytes(old + self._text(records, old).encode())
            except OSError as error:
                reason = error.strerror or error
                raise HistoryError(f"{str(self.path)!r} cannot be written: {reason}") from error
            self.saved += len(records)

    def _text(self, records: Sequence[HandRecord], old: bytes) -> str:
        if not self._is_phh:
            return "".join(to_text(record, "lines") for record in records)
        first = max((int(found) for found in _NUMBER.findall(old)), default=0) + 1
        texts = [
            f"[{number}]\n{to_text(each, 'phh')}" for number, each in enumerate(records, first)
        ]
        return ("\n" if old else "") + "\n".join(texts)


class Replay:
    """Steps through recorded hands, action by action.

    Parameters
    ----------
    records
        The hands; the first one is shown first.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> from riverboat.histories import record_of
    >>> shown = Replay([record_of(Hand.from_line(catalogue("kuhn"), "kbc", seed=1))])
    >>> shown.next_action(), shown.hand.line
    (True, 'k')
    """

    def __init__(self, records: Sequence[HandRecord]) -> None:
        self.records = tuple(records)
        self.go(1)

    @property
    def record(self) -> HandRecord:
        """The hand that is shown."""
        return self.records[self.number - 1]

    def go(self, number: int) -> None:
        """Go to the start of a hand, counted from 1."""
        if not 1 <= number <= len(self.records):
            raise HistoryError(f"there is no hand {number}: hands are 1 to {len(self.records)}")
        self.number = number
        self.hand = self.record.start()
        self._events = self.record.hand().events
        self.acts: list[Acted] = []

    @property
    def at_end(self) -> bool:
        """Whether all actions of the hand were shown."""
        return len(self.acts) == len(self._events)

    def next_action(self) -> bool:
        """Show one action more; False at the end of the hand."""
        if self.at_end:
            return False
        action = self._events[len(self.acts)].action
        self.acts.append(act_of(self.hand, action))
        self.hand.do(action)
        return True

    def previous_action(self) -> bool:
        """Take one action back; False at the start of the hand."""
        if not self.acts:
            return False
        self.hand.undo()
        self.acts.pop()
        return True

    def to_end(self) -> None:
        """Show all actions of the hand."""
        while self.next_action():
            pass
