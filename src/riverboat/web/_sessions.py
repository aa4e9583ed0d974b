"""Sessions at the tables: list, results, hands to replay, export, deletion.

A session is a file of hands next to the tables; `sample` is one that ships with the pages.
"""

from __future__ import annotations

from importlib.resources import files
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec

from riverboat.arena import expected_payoffs, unit_of
from riverboat.blueprint import DEFAULT_GAME
from riverboat.cards import cards_text
from riverboat.errors import HistoryError, RiverboatError
from riverboat.game import catalogue
from riverboat.histories import read, to_text, write
from riverboat.table import hand_in_words
from riverboat.translation import kind_difference
from riverboat.web._frames import Frame, frames_of
from riverboat.web._opponents import SECOND, face_of_name
from riverboat.web._table_state import Winner

if TYPE_CHECKING:
    from collections.abc import Iterable

    from riverboat.game import Hand
    from riverboat.histories import HandRecord
    from riverboat.web._luck_file import LuckFile

SAMPLE: Final = "sample"
_YOU: Final = "You"
_MOST_LISTED: Final = 500
Format = Literal["phh", "pokerstars"]


class SessionRow(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a session."""

    id: str
    game: str
    opponents: list[str]
    began: str
    """Time of the first hand, ISO 8601; empty if unknown."""
    hands: int
    unit: int
    """Chips of a big blind."""
    won: float
    """Chips."""
    expected: float
    """Chips with all-in EV."""
    adjusted: float
    """Chips by AIVAT where it holds, with all-in EV in the other hands."""
    held: int
    """Hands with an AIVAT result."""
    live: bool = False
    """Whether the table is still open."""


class HandRow(msgspec.Struct, frozen=True):
    """A hand of a session."""

    number: int
    hole: str
    board: str
    line: str
    won: float
    expected: float
    adjusted: float | None
    """AIVAT result; None where AIVAT does not hold, or before it is computed."""


class SessionFound(SessionRow, frozen=True, kw_only=True):
    """A session with its hands."""

    rows: list[HandRow]


class Player(msgspec.Struct, frozen=True):
    """A player of a recorded hand."""

    name: str
    face: str
    stack: int
    """Chips at the start, before blinds and antes."""
    bet: int
    """Chips posted."""
    cards: list[str]
    button: bool
    net: int


class Replayed(msgspec.Struct, frozen=True, kw_only=True):
    """A hand to step through; lists of players are in order of chairs."""

    id: str
    number: int
    hands: int
    game: str
    unit: int
    you: int
    players: list[Player]
    board: list[str]
    frames: list[Frame]
    winners: list[Winner]
    line: str


class Asking(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A session to be reviewed."""

    strategy: Annotated[str, msgspec.Meta(max_length=200)] = "default"


class Sessions:
    """The sessions of a folder.

    Parameters
    ----------
    folder
        The folder of the tables.
    luck
        The luck-adjusted results.
    """

    def __init__(self, folder: Path, luck: LuckFile) -> None:
        self._folder, self._luck = folder, luck
        self._read: dict[str, tuple[int, list[HandRecord], SessionFound]] = {}
        self._adjusted: dict[str, tuple[tuple[int, int], SessionFound]] = {}

    def __contains__(self, number: object) -> bool:
        return any(path.stem == number for path in self._paths())

    def all(self, live: set[str]) -> list[SessionRow]:
        """List the sessions, newest first; without any, the sample."""
        found = []
        for path in self._paths():
            try:
                _, session = self._session(path)
            except (RiverboatError, OSError, ValueError):
                continue  # damaged, or just deleted
            if session.hands:
                found.append(_row(session, session.id in live))
        found.sort(key=lambda each: each.began, reverse=True)
        return found[:_MOST_LISTED] or [_row(self.session(SAMPLE), False)]

    def session(self, number: str) -> SessionFound:
        """Return a session with its hands."""
        return self._session(self.path(number))[1]

    def hand(self, number: str, place: int) -> Replayed:
        """Return a hand of a session, counted from 1."""
        records, session = self._session(self.path(number))
        if not 1 <= place <= len(records):
            raise HistoryError(f"the session has hands 1 to {len(records)}, not {place}")
        return _replayed(records[place - 1], session, place)

    def record(self, number: str, place: int) -> HandRecord:
        """Return the record of a hand."""
        records, _ = self._session(self.path(number))
        if not 1 <= place <= len(records):
            raise HistoryError(f"the session has hands 1 to {len(records)}, not {place}")
        return records[place - 1]

    def text(self, number: str, format_: Format) -> str:
        """Return the hands in a format of hand histories.

        Of a table of two people without the cards that the first did not see.
        """
        path = self.path(number)
        records, _ = self._session(path)
        shared = any(map(_shared, records))
        if format_ == "phh" and path.suffix == ".phhs":
            own = path.read_text(encoding="utf-8", errors="replace")  # it may be damaged
            return _phhs(map(_seen, records)) if shared else own
        records = list(map(_seen, records)) if shared else records
        numbered = [_numbered(each, number) for number, each in enumerate(records, 1)]
        return "\n".join(to_text(each, format_) for each in numbered)

    def delete(self, number: str) -> None:
        """Delete the file of a session."""
        if number == SAMPLE:
            raise HistoryError("the sample session cannot be deleted: play a session of your own")
        self.path(number).unlink(missing_ok=True)
        self._luck.delete(number)
        self._read.pop(number, None)
        self._adjusted.pop(number, None)

    def _paths(self) -> list[Path]:
        return [
            path
            for path in self._folder.iterdir()
            if path.suffix in {".phhs", ".jsonl"} and not path.name.endswith(".table.jsonl")
        ]

    def path(self, number: str) -> Path:
        """Return the file of a session; a number never names another file."""
        if number == SAMPLE:
            return Path(str(files("riverboat.web") / "sample.phhs"))
        for path in self._paths():
            if path.stem == number:
                return path
        raise HistoryError(f"there is no session {number[:40]!r}")

    def _session(self, path: Path) -> tuple[list[HandRecord], SessionFound]:
        """Read a file once per change."""
        changed = path.stat().st_mtime_ns
        known = self._read.get(path.stem)
        if known is None or known[0] != changed:
            records = list(read(path).hands)
            known = self._read[path.stem] = changed, records, _found(path.stem, records)
        return known[1], self._with_luck(*known)

    def _with_luck(
        self, changed: int, records: list[HandRecord], session: SessionFound
    ) -> SessionFound:
        """Add the luck-adjusted results, once per change."""
        del records
        times = changed, self._luck.changed(session.id)
        known = self._adjusted.get(session.id)
        if known is None or known[0] != times:
            adjusted = _adjusted(session, self._luck.read(session.id))
            known = self._adjusted[session.id] = times, adjusted
        return known[1]


def _row(session: SessionFound, live: bool) -> SessionRow:
    values = {name: getattr(session, name) for name in SessionRow.__struct_fields__}
    return SessionRow(**values | {"live": live})


def _found(number: str, records: list[HandRecord]) -> SessionFound:
    """Sum up the hands of a session."""
    rows = [_hand_row(place, record) for place, record in enumerate(records, 1)]
    first = records[0] if records else None
    return SessionFound(
        id=number,
        game="" if first is None else _game(first),
        opponents=[] if first is None else _opponents(first),
        began="" if first is None or first.date is None else first.date.isoformat(),
        hands=len(rows),
        unit=1 if first is None else unit_of(first.spec)[0],
        won=sum(row.won for row in rows),
        expected=round(sum(row.expected for row in rows), 2),
        adjusted=round(sum(row.expected for row in rows), 2),
        held=0,
        rows=rows,
    )


def _adjusted(session: SessionFound, chips: list[float | None]) -> SessionFound:
    """Add luck-adjusted results to the hands and the sum."""
    rows = [
        msgspec.structs.replace(row, adjusted=each)
        for row, each in zip_longest(session.rows, chips[: session.hands])
    ]
    won = sum(row.expected if row.adjusted is None else row.adjusted for row in rows)
    held = sum(row.adjusted is not None for row in rows)
    return msgspec.structs.replace(session, rows=rows, adjusted=round(won, 2), held=held)


def _game(record: HandRecord) -> str:
    """Return the name of the game, with the stacks where the format has no name."""
    spec = record.spec
    if spec.name or not spec.big_blind:
        return spec.name
    depth = f"{max(spec.stacks) / spec.big_blind:g}"
    usual = catalogue(DEFAULT_GAME, spec.players)
    same = spec.betting == usual.betting and not kind_difference(usual, spec)
    return f"nolimit-{depth}bb" if same else f"{spec.betting}, {depth} bb"


def own_seat(record: HandRecord) -> int:
    """Return the seat of the user."""
    if record.hero is not None:
        return record.hero
    return record.names.index(_YOU) if _YOU in record.names else 0


def _opponents(record: HandRecord) -> list[str]:
    """Return the names of the other players, in order of chairs from the user's on."""
    seats = sorted(range(record.players), key=lambda seat: record.chairs[seat])
    return [record.names[seat] for seat in seats if seat != own_seat(record)]


def _hand_row(number: int, record: HandRecord) -> HandRow:
    hand, seat = record.hand(), own_seat(record)
    payoffs = record.payoffs()
    won = 0 if payoffs is None else payoffs[seat]
    fair = expected_payoffs(hand, 0) if len(hand.live) > 1 and hand.settled else None
    expected = float(won if fair is None else fair[seat])
    cards = cards_text(hand.hole_cards(seat)), cards_text(hand.board)
    return HandRow(number, *cards, hand.line, won, round(expected, 2), None)


def _shared(record: HandRecord) -> bool:
    """Return whether two people sat at the table."""
    return SECOND in record.names


def _seen(record: HandRecord) -> HandRecord:
    """Return a record without hole cards that the user did not see."""
    if record.spec.has_discards:
        return record
    hand, own = record.hand(), own_seat(record)
    view = hand.view(own)
    hidden = {
        card
        for seat in range(record.players)
        if seat != own and not view.shown[seat]
        for card in hand.hole_cards(seat)
    }
    return record.replace(deal=tuple(-1 if card in hidden else card for card in record.deal))


def _phhs(records: Iterable[HandRecord]) -> str:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "session.phhs"
        write(records, path)
        return path.read_text(encoding="utf-8")


def _numbered(record: HandRecord, number: int) -> HandRecord:
    """Return a record that has a number, which some formats need."""
    return record if record.hand_id else record.replace(hand_id=str(number))


def _replayed(record: HandRecord, session: SessionFound, number: int) -> Replayed:
    hand, start, seat = record.hand(), record.start(), own_seat(record)
    order = sorted(range(record.players), key=lambda each: record.chairs[each])
    chairs = [order.index(each) for each in range(record.players)]
    payoffs = record.payoffs() or (0,) * record.players
    view = hand.view(seat)
    shown = {each for each, open_ in record.shows if open_}
    players = [
        Player(
            name=record.names[each],
            face=face_of_name(record.names[each]),
            stack=start.stacks[each] + start.bets[each],
            bet=start.bets[each],
            cards=_cards(hand, each, each == seat or each in shown or bool(view.shown[each])),
            button=each == hand.button,
            net=payoffs[each],
        )
        for each in order
    ]
    return Replayed(
        id=session.id,
        number=number,
        hands=session.hands,
        game=session.game,
        unit=session.unit,
        you=chairs[seat],
        players=players,
        board=[cards_text((card,)) for card in hand.board],
        frames=frames_of(hand, chairs),
        winners=_winners(hand, chairs),
        line=hand.line,
    )


def _cards(hand: Hand, seat: int, known: bool) -> list[str]:
    """Return the cards of a seat; cards that the user did not see as backs."""
    cards = hand.hole_cards(seat)
    return ["??" if card < 0 or not known else cards_text((card,)) for card in cards]


def _winners(hand: Hand, chairs: list[int]) -> list[Winner]:
    if not hand.finished:
        return []
    won = [sum(chips) for chips in zip(*(pot.won for pot in hand.pots()), strict=True)]
    view = hand.view(0)
    found = []
    for seat, chips in enumerate(won):
        if chips:
            cards = view.shown[seat] if view.shown[seat] else ()
            found.append(Winner(chairs[seat], chips, hand_in_words(view, cards)))
    return sorted(found, key=lambda each: -each.chips)
