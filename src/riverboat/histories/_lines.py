"""Riverboat's own format for hands of any game: one JSON object per line, extension `.jsonl`.

It can represent the games that no common format can. Each line has `game` (a catalogue name, or a
table with the fields of `GameSpec`), `stacks` by seat, `cards` in the order of dealing (`??` =
unknown or never dealt), `line` (the full line of play) and `names` by seat. It may have `chairs`,
`hero`, `date`, `id`, `table`, `site`, `currency`, `unit`, `table_size`, `shows` (if they differ
from the standard order), `won` (if the rules do not determine it) and `run_outs` (further boards),
as in `HandRecord`.
"""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - msgspec looks at the types
from typing import TYPE_CHECKING, Any

import msgspec

from riverboat.cards import card_text, parse_card
from riverboat.errors import GameError, HistoryError
from riverboat.files import check_json
from riverboat.game import GameSpec, catalogue, catalogue_names, game_from_table
from riverboat.histories._record import HandRecord, usual_shows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from riverboat.game import Hand

NAME = "a .jsonl line"


class _Line(msgspec.Struct, omit_defaults=True):
    """The fields of a line."""

    game: str | dict[str, Any]
    stacks: tuple[int, ...]
    cards: str
    line: str
    names: tuple[str, ...] = ()
    chairs: tuple[int, ...] = ()
    hero: int | None = None
    date: datetime | None = None
    id: str = ""
    table: str = ""
    site: str = ""
    currency: str = ""
    unit: int = 1
    table_size: int = 0
    shows: tuple[tuple[int, bool], ...] | None = None
    won: tuple[tuple[int, ...], ...] | None = None
    run_outs: tuple[tuple[int, ...], ...] = ()


# ---- Writing -----------------------------------------------------------------


def to_text(record: HandRecord) -> str:
    r"""Write a hand as one line.

    Examples
    --------
    >>> from riverboat.game import Hand
    >>> from riverboat.histories import record_of
    >>> hand = Hand(catalogue("kuhn"), cards=["Ks", "Js"])
    >>> hand.play("b1f")
    >>> to_text(record_of(hand, names=["Ada", "Bob"]))
    '{"game":"kuhn","stacks":[2,2],"cards":"KsJs","line":"b1f","names":["Ada","Bob"]}\n'
    """
    usual = record.shows == usual_shows(record.hand())
    return _encoded(record, _game_of(record.spec), None if usual else record.shows)


def stored_text(record: HandRecord) -> str:
    """Write a hand as one line with its whole game; quick, because nothing is replayed."""
    return _encoded(record, _table_of(record.spec), record.shows)


def _encoded(
    record: HandRecord, game: str | dict[str, Any], shows: tuple[tuple[int, bool], ...] | None
) -> str:
    """Return the line of a record."""
    line = _Line(
        game=game,
        stacks=record.stacks,
        cards="".join("??" if card < 0 else card_text(card) for card in record.deal),
        line=record.line,
        names=record.names,
        chairs=record.seat_numbers,
        hero=record.hero,
        date=record.date,
        id=record.hand_id,
        table=record.table,
        site=record.site,
        currency=record.currency,
        unit=record.unit,
        table_size=record.table_size,
        shows=shows,
        won=record.won,
        run_outs=record.run_outs,
    )
    return msgspec.json.encode(line).decode() + "\n"


def file_parts(records: Iterable[HandRecord]) -> Iterator[str]:
    """Yield the hands, one per line."""
    return map(to_text, records)


def _game_of(spec: GameSpec) -> str | dict[str, Any]:
    """Return the game's name in the catalogue (also with other stacks), or its table."""
    for name in [spec.name] if spec.name else catalogue_names():
        try:
            game = catalogue(name, spec.players)
        except GameError:  # no such game, or not for this number of players
            continue
        if game.replace(stacks=spec.stacks, name=spec.name) == spec:
            return name
    return _table_of(spec)


def _table_of(spec: GameSpec) -> dict[str, Any]:
    """Return the game as a table; `open_folds` is in it only where it is true."""
    table: dict[str, Any] = msgspec.to_builtins(spec)
    return {**table, "open_folds": True} if spec.open_folds else table


# ---- Reading -----------------------------------------------------------------


def split(lines: Sequence[str]) -> list[tuple[int, str]]:
    """Split a file into hands: (line number from 1, text) for each."""
    return list(enumerate(lines, start=1))


def from_text(text: str) -> HandRecord:
    """Read one line and replay the hand, which refuses illegal ones.

    Examples
    --------
    >>> record = from_text('{"game":"kuhn","stacks":[2,2],"cards":"KsJs","line":"b1f"}')
    >>> record.names, record.payoffs()
    (('Player 1', 'Player 2'), (1, -1))
    """
    check_json(text, "the line", HistoryError)
    try:
        line = msgspec.json.decode(text.removeprefix("\ufeff"), type=_Line)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as error:
        raise HistoryError(f"the line is not a hand: {error}") from error
    try:
        return _record(line)
    except OverflowError as error:  # a date near the end of time, in another zone
        raise HistoryError(f"the date {line.date} is out of range") from error


def _record(line: _Line) -> HandRecord:
    pairs = [line.cards[at : at + 2] for at in range(0, len(line.cards), 2)]
    record = HandRecord(
        spec=_spec_of(line).replace(stacks=line.stacks),
        deal=tuple(-1 if pair == "??" else parse_card(pair) for pair in pairs),
        line=line.line,
        names=line.names,
        shows=line.shows or (),
        won=line.won,
        hand_id=line.id,
        table=line.table,
        site=line.site,
        date=line.date,
        hero=line.hero,
        currency=line.currency,
        unit=line.unit,
        seat_numbers=line.chairs,
        table_size=line.table_size,
        run_outs=line.run_outs,
    )
    hand = record.hand()
    if line.won is not None:
        _check_won(hand, line.won)
    return record if line.shows is not None else record.replace(shows=usual_shows(hand))


def _spec_of(line: _Line) -> GameSpec:
    if isinstance(line.game, str):
        return catalogue(line.game, len(line.stacks))
    table = dict(line.game)
    opened = table.pop("open_folds", False)
    if not isinstance(opened, bool):
        raise HistoryError(f"open_folds must be true or false, not {opened!r:.40}")
    spec = game_from_table(table)
    return spec.with_open_folds() if opened else spec


def _check_won(hand: Hand, won: Sequence[Sequence[int]]) -> None:
    """Refuse winnings that do not fit the pots."""
    if not hand.finished:
        raise HistoryError("an unfinished hand cannot have winners")
    pots = hand.pots()
    if len(won) != len(pots) or any(len(row) != hand.players for row in won):
        raise HistoryError(
            f"won must have a row for each of {len(pots)} pots, with {hand.players} numbers each"
        )
    for row, pot in zip(won, pots, strict=True):
        takers = {seat for seat, chips in enumerate(row) if chips}
        if min(row) < 0 or sum(row) > pot.amount or not takers <= set(pot.eligible):
            raise HistoryError(f"the seats {pot.eligible} cannot take {row} from {pot.amount}")
