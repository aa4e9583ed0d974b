"""Reads PokerStars text; see `riverboat.histories._pokerstars` for its conventions.

The site dates its hands in US Eastern time. The rules of 1987 and 2007 are built in, because not
every system has a database of time zones.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from riverboat.errors import HistoryError
from riverboat.files import bounded
from riverboat.histories._replay import read_cards
from riverboat.histories._sheet import Sheet, SheetMove

if TYPE_CHECKING:
    from riverboat.histories._record import HandRecord

_LONGEST = 1000  # characters of a line
_CODES = {"$": "USD", "€": "EUR", "£": "GBP"}
_BETTING = {
    "No Limit": "no-limit",
    "Pot Limit": "pot-limit",
    "Limit": "fixed-limit",
    "Fixed Limit": "fixed-limit",
}
_A = r"[$€£]?([0-9]+(?:\.[0-9]+)?)"  # an amount
_CARDS = r"\[((?:[2-9TJQKA][cdhs] ?)+)\]"
_ALL_IN = r"(?: and is all-in)?"

_HEADER = re.compile(
    r"PokerStars [A-Za-z ]*#([^:]*):\s+(.*?)Hold'em (No Limit|Pot Limit|Limit|Fixed Limit)"
    r"\s*(?:- [^()]*)?\(([^)]*)\)(.*)"
)
_STAKES = re.compile(rf"([$€£]?){_A[5:]}/{_A}(.*)")
_DATE = re.compile(r"([0-9]{4})/([0-9]{2})/([0-9]{2}) ([0-9]{1,2}):([0-9]{2}):([0-9]{2}) ([A-Z]+)")
_TABLE = re.compile(r"Table '(.*)' ([0-9]{1,2})-max(.*)Seat #([0-9]{1,2}) is the button")
_SEAT = re.compile(
    rf"Seat ([0-9]{{1,2}}): (.+) \({_A} in chips.*?\)( is sitting out| out of hand.*)?"
)
_STREET = re.compile(rf"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* (?:.*\] )?{_CARDS}")
_TWICE = re.compile(r"\*\*\* (?:FIRST|SECOND) ")
_DEALT = re.compile(rf"Dealt to (.+) {_CARDS}")
_COLLECTED = re.compile(rf" collected {_A} from (pot|main pot|side pot(?:-([1-9]))?)")
_TOTAL = re.compile(rf"Total pot .*\| Rake {_A}.*")
_SUMMARY = re.compile(rf"Seat ([0-9]{{1,2}}): .* (?:mucked|showed) {_CARDS}.*")

_VERBS = (
    ("ante", re.compile(rf"posts the ante {_A}{_ALL_IN}")),
    ("blind", re.compile(rf"posts (?:small|big) blind {_A}{_ALL_IN}")),
    ("fold", re.compile(r"folds(?: \[.*\])?")),
    ("check", re.compile(r"checks")),
    ("call", re.compile(rf"calls {_A}{_ALL_IN}")),
    ("add", re.compile(rf"bets {_A}{_ALL_IN}")),
    ("bet", re.compile(rf"raises [$€£]?[0-9.]+ to {_A}{_ALL_IN}")),
    ("show", re.compile(rf"shows {_CARDS}.*")),
    ("muck", re.compile(r"mucks hand|doesn't show hand")),
    ("aside", re.compile(r"(?:is |has |was |sits |will ).*")),
)


def from_text(text: str) -> HandRecord:
    """Read one hand.

    Cards of opponents may be unknown; the text then names the winners of the pot.
    """
    lines = [line.rstrip() for line in re.split(r"\r\n|\n|\r", text.removeprefix("\ufeff"))]
    reader = _Reader()
    for line in lines:
        if line.strip():
            # Names are free text: a long line would make the patterns slow.
            reader.read(bounded(line, "a line", HistoryError, _LONGEST).removeprefix("\ufeff"))
    return reader.finish()


class _Reader:
    """Reads the text line by line; each part of the text has its own method."""

    def __init__(self) -> None:
        self.sheet = Sheet()
        self.dealt: list[int] = []
        self.chairs: dict[str, int] = {}
        self.part = self.header

    def read(self, line: str) -> None:
        self.part(line)

    def header(self, line: str) -> None:
        """The first line: game, stakes, date."""
        match = _HEADER.fullmatch(line.strip())
        if match is None:
            raise HistoryError(f"{line[:80]!r} is not the first line of a hold'em hand")
        number, _, limit, stakes, rest = match.groups()
        details = self.sheet.details
        details |= {"hand_id": number.strip(), "site": "PokerStars", "date": _date(rest)}
        self.sheet.betting = _BETTING[limit]
        amounts = _STAKES.fullmatch(stakes.strip())
        if amounts is None:
            raise HistoryError(f"{stakes[:60]!r} are not stakes such as 5/10 or $0.50/$1.00 USD")
        symbol, small, big, tail = amounts.groups()
        code = re.search(r"\b([A-Z]{3})\b", tail)
        details["currency"] = code.group(1) if code else _CODES.get(symbol, "")
        if limit.endswith("Limit") and self.sheet.betting == "fixed-limit":
            self.sheet.limit_bets = (small, big)
        else:
            self.sheet.small, self.sheet.big = small, big
        self.part = self.table

    def table(self, line: str) -> None:
        """The second line: table and button."""
        match = _TABLE.fullmatch(line.strip())
        if match is None:
            raise HistoryError(f"{line[:80]!r} does not name table and button")
        self.sheet.details |= {"table": match.group(1).strip(), "table_size": int(match.group(2))}
        self.sheet.dealer = int(match.group(4))
        self.part = self.seats

    def seats(self, line: str) -> None:
        """The players and their chips, up to the first post."""
        match = _SEAT.fullmatch(line)
        if match is None:
            self.part = self.play
            self.play(line)
            return
        chair, name = int(match.group(1)), match.group(2)
        if match.group(4):
            return
        if chair in self.sheet.names or name in self.chairs:
            raise HistoryError(f"chair {chair} or the name {name[:40]!r} stands a second time")
        self.chairs[name] = chair
        self.sheet.names[chair], self.sheet.stacks[chair] = name, match.group(3)

    def play(self, line: str) -> None:
        """Everything from the posts to the summary."""
        if line == "*** SUMMARY ***":
            self.part = self.summary
        elif _TWICE.match(line):
            raise HistoryError("hands that are run twice are not read")
        elif match := _STREET.fullmatch(line):
            words = match.group(1)
            self.sheet.board += read_cards(words, len(words.replace(" ", "")) // 2)
        elif not self.deal(line) and not self.collect(line):
            self.act(line)

    def deal(self, line: str) -> bool:
        """Read `Dealt to`; return whether the line is that."""
        match = _DEALT.fullmatch(line)
        if match is None or match.group(1) not in self.chairs:
            return False
        chair = self.chairs[match.group(1)]
        self.sheet.know(chair, read_cards(match.group(2), 2))
        self.dealt.append(chair)
        return True

    def act(self, line: str) -> None:
        """Read an action; chat and people who come and go are passed over."""
        begun = False
        for name in sorted(self.chairs, key=len, reverse=True):
            if not line.startswith(f"{name}: "):
                continue
            begun, rest = True, line[len(name) + 2 :]
            for kind, pattern in _VERBS:
                if match := pattern.fullmatch(rest):
                    self.note(self.chairs[name], kind, match, line)
                    return
        if begun:
            raise HistoryError(f"{line[:80]!r} is not an action that can be read")

    def note(self, chair: int, kind: str, match: re.Match[str], line: str) -> None:
        """Put an action into the sheet."""
        sheet = self.sheet
        if kind in ("ante", "blind"):
            posts = sheet.antes if kind == "ante" else sheet.blinds
            if chair in posts:
                raise HistoryError(f"{line[:80]!r}: a second post of the same player")
            posts[chair] = match.group(1)
        elif kind == "show" and len(match.group(1)) > 2:  # one card alone is passed over
            sheet.know(chair, read_cards(match.group(1), 2))
            sheet.shows.append((chair, True))
        elif kind == "muck":
            sheet.shows.append((chair, False))
        elif kind not in ("aside", "show"):
            amount = match.group(1) if match.re.groups else ""
            sheet.moves.append(SheetMove(chair, kind, amount, line))

    def collect(self, line: str) -> bool:
        """Read who takes a pot; return whether the line is that."""
        for name in sorted(self.chairs, key=len, reverse=True):
            if line.startswith(name) and (match := _COLLECTED.fullmatch(line[len(name) :])):
                amount, pot, number = match.groups()
                index = int(number or 1) if pot.startswith("side") else 0
                self.sheet.take(index, self.chairs[name], amount)
                return True
        return False

    def summary(self, line: str) -> None:
        """Read the rake, and cards that were mucked."""
        if match := _TOTAL.fullmatch(line):
            self.sheet.rake = match.group(1)
        elif match := _SUMMARY.fullmatch(line):
            chair = int(match.group(1))
            if chair in self.sheet.names:
                self.sheet.know(chair, read_cards(match.group(2), 2))

    def finish(self) -> HandRecord:
        """Replay the hand and return its record."""
        if not self.sheet.names:
            raise HistoryError("the text ends before the list of players")
        if self.part != self.summary:
            raise HistoryError("the text ends before the summary")
        if len(self.dealt) == 1:
            self.sheet.details["hero_chair"] = self.dealt[0]
        return self.sheet.record()


def _date(text: str) -> datetime | None:
    """Return the time of a header, if its time zone is known."""
    times: dict[str, datetime] = {}
    for *numbers, zone in _DATE.findall(text):
        try:
            times[zone] = datetime(*map(int, numbers))  # type: ignore[arg-type]  # six numbers
        except ValueError:
            continue
    for zone in ("UTC", "GMT"):
        if zone in times:
            return times[zone].replace(tzinfo=UTC)
    try:
        return from_eastern(times["ET"]) if "ET" in times else None
    except OverflowError:
        return None


_STANDARD = timedelta(hours=-5)
_SUMMER = timedelta(hours=-4)


def _sunday(year: int, month: int, count: int) -> datetime:
    """Return 2 o'clock on the count-th Sunday of a month."""
    first = datetime(year, month, 1, 2)
    return first + timedelta(days=(6 - first.weekday()) % 7 + 7 * (count - 1))


def _summer(year: int) -> tuple[datetime, datetime]:
    """Return begin and end of summer time, in the local time before each change."""
    if year >= 2007:
        return _sunday(year, 3, 2), _sunday(year, 11, 1)
    return _sunday(year, 4, 1), _sunday(year, 11, 1) - timedelta(days=7)


def from_eastern(local: datetime) -> datetime:
    """Return the time in UTC; the repeated hour in autumn counts as summer time.

    >>> from_eastern(datetime(2024, 7, 1, 12)).hour, from_eastern(datetime(2024, 1, 1, 12)).hour
    (16, 17)
    """
    begin, end = _summer(local.year)
    offset = _SUMMER if begin <= local < end else _STANDARD
    return (local - offset).replace(tzinfo=UTC)


def to_eastern(utc: datetime) -> datetime:
    """Return the local time, without a zone."""
    plain = utc.replace(tzinfo=None)
    begin, end = _summer(plain.year)
    is_summer = begin - _STANDARD <= plain < end - _SUMMER
    return plain + (_SUMMER if is_summer else _STANDARD)
