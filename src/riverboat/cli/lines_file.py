"""Hands of games that no usual record format can carry: one JSON object a line.

Each line has `game` (a catalogue name), `stacks` by seat, `cards` in the order of
dealing (`??` = not known or never dealt), `line` (the full line of play), `names` by
seat, and may have `chairs`, `hero` and `date`. The extension is `.jsonl`.
"""

from datetime import datetime
from pathlib import Path

import msgspec

from riverboat.cards import card_text, parse_card
from riverboat.errors import HistoryError, RiverboatError
from riverboat.game import catalogue
from riverboat.histories import HandRecord, ReadResult, Refused

__all__ = ["line_of", "read_lines"]


class _Line(msgspec.Struct, omit_defaults=True):
    """What one line holds."""

    game: str
    stacks: tuple[int, ...]
    cards: str
    line: str
    names: tuple[str, ...] = ()
    chairs: tuple[int, ...] = ()
    hero: int | None = None
    date: datetime | None = None


def line_of(record: HandRecord) -> str:
    """Write a hand as one line, without the line break.

    Examples
    --------
    >>> from riverboat.game import Hand
    >>> from riverboat.histories import record_of
    >>> hand = Hand(catalogue("kuhn"), cards=["Ks", "Js"])
    >>> hand.play("b1f")
    >>> line_of(record_of(hand, names=["Ada", "Bob"]))
    '{"game":"kuhn","stacks":[2,2],"cards":"KsJs","line":"b1f","names":["Ada","Bob"]}'
    """
    spec = record.spec
    if catalogue(spec.name, spec.players).replace(stacks=spec.stacks) != spec:
        raise HistoryError(f"the game {spec.name!r} is not the catalogue's")
    cards = "".join("??" if card < 0 else card_text(card) for card in record.deal)
    line = _Line(
        game=spec.name,
        stacks=spec.stacks,
        cards=cards,
        line=record.line,
        names=record.names,
        chairs=record.seat_numbers,
        hero=record.hero,
        date=record.date,
    )
    return msgspec.json.encode(line).decode()


def _record(text: str) -> HandRecord:
    """Read one line; the hand is played through, so that bad ones are refused."""
    try:
        line = msgspec.json.decode(text, type=_Line)
    except (msgspec.DecodeError, RecursionError) as error:
        raise HistoryError(f"the line is not a hand: {error}") from error
    pairs = [line.cards[at : at + 2] for at in range(0, len(line.cards), 2)]
    spec = catalogue(line.game, len(line.stacks)).replace(stacks=line.stacks)
    record = HandRecord(
        spec=spec,
        deal=tuple(-1 if pair == "??" else parse_card(pair) for pair in pairs),
        line=line.line,
        names=line.names,
        seat_numbers=line.chairs,
        hero=line.hero,
        date=line.date,
    )
    record.hand()
    return record


def read_lines(path: Path) -> ReadResult:
    """Read a file of such lines: the good hands, and those refused with line and reason."""
    try:
        text = path.read_bytes().decode("utf-8", errors="replace")
    except OSError as error:
        raise HistoryError(f"{str(path)!r} cannot be read: {error.strerror}") from error
    hands, refused = list[HandRecord](), list[Refused]()
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            hands.append(_record(line))
        except (RiverboatError, OverflowError) as error:  # a date can be out of range
            refused.append(Refused(number, str(error), line[:80]))
    return ReadResult(tuple(hands), tuple(refused), "lines")
