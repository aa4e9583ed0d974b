"""Hand histories of a session on disk, and replays of recorded hands.

The file is complete after every hand. Hands are saved as PHH (`.phhs`); games that PHH does not
support, such as Kuhn or discard hold'em, as one JSON object per line (`.jsonl`).
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
    """Return the default folder of hand histories, in the user's data folder."""
    return user_data_path("riverboat", appauthor=False) / "hands"


def _fits_phh(spec: GameSpec) -> bool:
    """Return whether PHH supports a game."""
    try:
        to_text(record_of(Hand(spec, seed=0)), "phh")
    except RiverboatError:
        return False
    return True


class HistoryFile:
    """A file to which hands are appended atomically.

    Parameters
    ----------
    place
        A file, new or with hands; or a folder for a new file that is named after the game and the
        time. None = `history_folder()`.
    spec
        The game, which determines the format.

    Raises
    ------
    HistoryError
        If the file is of another format or cannot be written.
    """

    def __init__(self, place: Path | None, spec: GameSpec) -> None:
        self._is_phh = _fits_phh(spec)
        #: Message about the format for the user.
        self.note = (
            "" if self._is_phh else f"(PHH does not support {spec.name}: one hand per line.)"
        )
        #: Number of hands appended, and number of hands that the file had before.
        self.saved = self.found = 0
        self._suffix = self.suffix_of(spec)
        self.path = self._choose(place, spec)
        self._check()

    @staticmethod
    def suffix_of(spec: GameSpec) -> str:
        """Return the suffix of hand history files of a game."""
        return ".phhs" if _fits_phh(spec) else ".jsonl"

    def _choose(self, place: Path | None, spec: GameSpec) -> Path:
        folder = history_folder() if place is None else place
        if place is not None and place.suffix and not place.is_dir():
            return place.resolve()  # resolves links
        stamp = datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
        return folder.resolve() / f"{stamp}-{spec.name}{self._suffix}"

    def _check(self) -> None:
        """Refuse a file to which hands cannot be appended."""
        if self.path.suffix.lower() != self._suffix:
            raise HistoryError(
                f"hands of this game are saved in a {self._suffix} file, not in {self.path.name!r}"
            )
        if not self.path.exists() or not self.path.stat().st_size:
            return
        self.found = len(read(self.path).hands)
        if not self.found:
            raise HistoryError(f"{str(self.path)!r} is not a hand history: name another file")

    def save(self, *records: HandRecord) -> None:
        """Append hands; either all of them are written or none."""
        with interrupts_held():  # so that no temporary file remains
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
        The hands; the replay starts with the first.

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
        """The current hand."""
        return self.records[self.number - 1]

    def go(self, number: int) -> None:
        """Go to the start of a hand, counted from 1."""
        if not 1 <= number <= len(self.records):
            raise HistoryError(
                f"there is no hand {number}: hands are numbered 1 to {len(self.records)}"
            )
        self.number = number
        self.hand = self.record.start()
        self._events = self.record.hand().events
        self.acts: list[Acted] = []

    @property
    def at_end(self) -> bool:
        """Whether all actions of the hand have been shown."""
        return len(self.acts) == len(self._events)

    def next_action(self) -> bool:
        """Show the next action; return False at the end of the hand."""
        if self.at_end:
            return False
        action = self._events[len(self.acts)].action
        self.acts.append(act_of(self.hand, action))
        self.hand.do(action)
        return True

    def previous_action(self) -> bool:
        """Undo the last action; return False at the start of the hand."""
        if not self.acts:
            return False
        self.hand.undo()
        self.acts.pop()
        return True

    def to_end(self) -> None:
        """Show all actions of the hand."""
        while self.next_action():
            pass
