"""Poker Hand History (PHH, Kim 2024), TOML: `.phh` one hand, `.phhs` many.

Amounts: `cbr` has the player's chips on this *street* after the bet or raise. Seats: player 1
(`p1`) is the small blind, the last player has the button. With two players `p1` is the big blind,
and `blinds_or_straddles` and `antes` are reversed (the first entry is for `p2`); stacks, names and
seats have the order of the players.

Variants: NT no-limit, FT fixed-limit, NS no-limit short deck. The standard has no pot-limit
hold'em; every pot-limit hand is a legal no-limit hand, so it is written as NT with the field
`_betting`. Our own fields begin with an underscore, as the standard requires: `_betting`,
`_max_raises`, `_rake`, `_unit`, `_hero`.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from riverboat.errors import HistoryError
from riverboat.histories import _phh_reader
from riverboat.histories._carry import limit_bets, refuse_uncarried
from riverboat.histories._phh_reader import NO_CAP, by_player, player_of
from riverboat.histories._replay import Deal, Move, amount_text, steps, write_cards

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from riverboat.histories._record import HandRecord

NAME = "PHH"
_WORDS = {"fold": "f", "check": "cc", "call": "cc", "bet": "cbr"}
_TABLE = re.compile(r"\[\s*[0-9]+\s*\]\s*(#.*)?", re.ASCII)

from_text = _phh_reader.from_text


def to_text(record: HandRecord) -> str:
    """Write one hand as the content of a `.phh` file.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> from riverboat.histories import record_of
    >>> hand = Hand(catalogue("nolimit-100bb"), hole=["AhKd", "QsQc"])
    >>> hand.play("b25f")
    >>> print(to_text(record_of(hand, names=["Ada", "Bob"])))  # doctest: +ELLIPSIS
    variant = "NT"
    ante_trimming_status = true
    antes = [0, 0]
    blinds_or_straddles = [5, 10]
    min_bet = 10
    starting_stacks = [1000, 1000]
    actions = [
      "d dh p1 QsQc",
      "d dh p2 AhKd",
      "p2 cbr 25",
      "p1 f",
    ]
    players = ["Bob", "Ada"]
    finishing_stacks = [990, 1010]
    <BLANKLINE>
    """
    refuse_uncarried(record.spec, NAME, {})
    fields = {**_game_fields(record), **_people_fields(record), **_own_fields(record)}
    return "".join(f"{key} = {value}\n" for key, value in fields.items())


def _text(value: str) -> str:
    """Write a TOML string; JSON's escapes are a part of TOML's."""
    return json.dumps(value, ensure_ascii=False)


def _row(values: Sequence[int], unit: int = 1) -> str:
    return f"[{', '.join(amount_text(value, unit) for value in values)}]"


def _game_fields(record: HandRecord) -> dict[str, str]:
    """Return the fields that the standard requires."""
    spec, unit = record.spec, record.unit
    limit = spec.betting == "fixed-limit"
    short = spec.showdown == "short-deck"
    if limit and short:
        raise HistoryError("PHH cannot represent fixed-limit short deck, nor can other formats")
    fields = {
        "variant": _text("FT" if limit else "NS" if short else "NT"),
        "ante_trimming_status": "true",
        "antes": _row(spec.antes, unit),
        "blinds_or_straddles": _row(spec.blinds, unit),
    }
    if limit:
        small, big = limit_bets(spec)
        fields |= {"small_bet": amount_text(small, unit), "big_bet": amount_text(big, unit)}
    else:
        fields["min_bet"] = amount_text(spec.compiled.min_bet, unit)
    fields["starting_stacks"] = _row(by_player(spec.stacks), unit)
    lines = "".join(f"  {_text(action)},\n" for action in _actions(record))
    fields["actions"] = f"[\n{lines}]"
    return fields


def _actions(record: HandRecord) -> list[str]:
    """Return deals, actions and shows in the standard's notation."""
    n = record.players
    holes = [record.deal[2 * seat : 2 * seat + 2] for seat in range(n)]
    order = by_player(range(n))
    actions = [f"d dh p{i + 1} {write_cards(holes[seat])}" for i, seat in enumerate(order)]
    for step in steps(record):
        if isinstance(step, Deal):
            actions.append(f"d db {write_cards(step.cards)}")
        elif isinstance(step, Move):
            amount = f" {amount_text(step.to, record.unit)}" if step.kind == "bet" else ""
            actions.append(f"p{player_of(n, step.seat) + 1} {_WORDS[step.kind]}{amount}")
    for seat, shown in record.shows:
        cards = f" {write_cards(holes[seat])}" if shown else ""
        actions.append(f"p{player_of(n, seat) + 1} sm{cards}")
    return actions


def _people_fields(record: HandRecord) -> dict[str, str]:
    """Return the optional fields of the standard."""
    fields: dict[str, str] = {}
    if record.site:
        fields["venue"] = _text(record.site)
    if record.date is not None:
        date = record.date
        fields |= {"time": f"{date:%H:%M:%S}", "time_zone": _text("UTC")}
        fields |= {"day": str(date.day), "month": str(date.month), "year": str(date.year)}
    for key, name in (("hand", record.hand_id), ("table", record.table)):
        if name:
            whole = name.isascii() and name.isdigit() and len(name) < 19
            fields[key] = name if whole and str(int(name)) == name else _text(name)
    if record.seat_numbers:
        fields["seats"] = _row(by_player(record.seat_numbers))
    if record.table_size:
        fields["seat_count"] = str(record.table_size)
    fields["players"] = f"[{', '.join(map(_text, by_player(record.names)))}]"
    payoffs = record.payoffs() if record.hand().finished else None
    if payoffs is not None:
        finishing = [sum(chips) for chips in zip(record.stacks, payoffs, strict=True)]
        fields["finishing_stacks"] = _row(by_player(finishing), record.unit)
    if record.currency:
        fields["currency"] = _text(record.currency)
    return fields


def _own_fields(record: HandRecord) -> dict[str, str]:
    """Return our own fields, without those that have their default values."""
    spec, fields = record.spec, dict[str, str]()
    caps = [NO_CAP if s.max_raises is None else s.max_raises for s in spec.streets]
    if spec.betting == "pot-limit":
        fields["_betting"] = _text(spec.betting)
    if set(caps) != {NO_CAP}:
        fields["_max_raises"] = _row(caps)
    if spec.rake.percent:
        percent, cap, no_drop = spec.rake.percent, spec.rake.cap, spec.rake.no_flop_no_drop
        fields["_rake"] = f"[{round(percent * 100)}, {cap}, {str(no_drop).lower()}]"
    if record.unit != 1:
        fields["_unit"] = str(record.unit)
    if record.hero is not None:
        fields["_hero"] = str(player_of(record.players, record.hero) + 1)
    return fields


def file_parts(records: Iterable[HandRecord]) -> Iterator[str]:
    """Yield the parts of a `.phhs` file: a numbered table for each hand."""
    for number, record in enumerate(records, start=1):
        yield ("\n" if number > 1 else "") + f"[{number}]\n{to_text(record)}"


def split(lines: Sequence[str]) -> list[tuple[int, str]]:
    """Split a file into hands: (line number from 1, text) for each."""
    starts = [i for i, line in enumerate(lines) if _TABLE.fullmatch(line.strip())]
    if not starts:
        return [(1, "\n".join(lines))]
    if any(line.strip() and not line.lstrip().startswith("#") for line in lines[: starts[0]]):
        starts.insert(0, 0)
    ends = [*starts[1:], len(lines)]
    return [(a + 1, "\n".join(lines[a:b])) for a, b in zip(starts, ends, strict=True)]
