"""iPoker network: XML with a `session` of many `game` elements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from riverboat.errors import HistoryError
from riverboat.histories.sites._grammar import Grammar

if TYPE_CHECKING:
    from riverboat.histories.sites._reader import Reader
    from riverboat.histories.sites._xml import Element

# Numbers of actions; a raise (23) is to an amount, all other amounts are added.
_ACTS = {
    "0": "fold",
    "1": "small",
    "2": "big",
    "3": "call",
    "4": "check",
    "5": "add",
    "7": "all-in",
    "15": "ante",
    "23": "raise",
}
_DATE = re.compile(
    r"(?P<y>\d{4})[-/](?P<mo>\d\d)[-/](?P<d>\d\d) (?P<h>\d\d):(?P<mi>\d\d)(?::(?P<s>\d\d))?"
)
_DAY_FIRST = re.compile(
    r"(?P<d>\d\d)[-/](?P<mo>\w\w\w?)[-/](?P<y>\d{4}) (?P<h>\d\d):(?P<mi>\d\d)(?::(?P<s>\d\d))?"
)
_TYPE = re.compile(
    r"(?P<game>.*?) ?(?P<limit>NL|PL|SL|L|FL|\u0411\u041b)?(?: (?P<sign>[A-Z]{3}|[A-Z]{0,2}[$€£])?"
    r"(?P<small>[0-9][0-9.,]*)/[^0-9]*(?P<big>[0-9][0-9.,]*).*)?"
)


def read_game(reader: Reader, root: Element) -> None:
    """Read a `game` element that the `general` element of its session precedes."""
    *_, game = [part for part in root.walk() if part.name == "game"]
    info = _TYPE.fullmatch(root.text_of("gametype"))
    if info is None:
        raise HistoryError(f"{root.text_of('gametype')[:60]!r} is not a game")
    values = {key: value for key, value in info.groupdict().items() if value}
    values["id"] = game.values.get("gamecode", "")
    values["table"] = root.text_of("tablename")
    values["currency"] = root.text_of("currency") if values.get("small") else ""
    date = game.text_of("startdate")
    found = _DATE.match(date) or _DAY_FIRST.match(date)
    if found:
        values |= {key: value for key, value in found.groupdict().items() if value}
    if values.get("limit") == "\u0411\u041b":
        values["limit"] = "NL"
    reader.use_info({key: value for key, value in values.items() if value})
    for player in game.walk():
        if player.name == "player":
            _player(reader, player.values)
    reader.sheet.raked = not root.text_of("tournamentcode")
    hero = reader.chairs.get(root.text_of("nickname"))
    if hero is not None:
        reader.sheet.details["hero_chair"] = hero
    moves = [part for part in game.walk() if part.name == "round"]
    for street in moves:
        _street(reader, street)
    _blinds_of_level(reader)


def _player(reader: Reader, values: dict[str, str]) -> None:
    reader.seat(
        0,
        {"chair": values["seat"], "player": values["name"], "stack": _number(values["chips"])},
    )
    chair = int(values["seat"])
    if values.get("dealer") == "1":
        reader.sheet.dealer = chair
    won = reader.plain(_number(values.get("win", "0")))
    if float(won):
        reader.sheet.take(0, chair, won)


def _number(text: str) -> str:
    """Return the number of an amount with its currency."""
    found = re.search(r"[0-9][0-9.,]*", text)
    return found.group() if found else "0"


def _street(reader: Reader, street: Element) -> None:
    actions = list[dict[str, str]]()
    for part in street.parts:
        if part.name == "cards":
            _cards(reader, part)
        elif part.name == "action":
            actions.append(part.values)
    for values in sorted(actions, key=lambda values: int(values.get("no") or 0)):
        _action(reader, values)


def _cards(reader: Reader, part: Element) -> None:
    text = part.text.strip()
    if not text or "X" in text:
        return
    reader.line = f"{part.values.get('type', '')} {text}"
    kind = "hole" if part.values.get("type") == "Pocket" else "board"
    values = {"cards": text}
    if kind == "hole":
        values["player"] = part.values.get("player", "")
    reader.note(kind, values)


def _action(reader: Reader, values: dict[str, str]) -> None:
    kind = _ACTS.get(values.get("type", ""))
    name, amount = values.get("player", ""), _number(values.get("sum", "0"))
    if kind is None:
        return
    if name not in reader.chairs:
        raise HistoryError(f"{name[:40]!r} acts, but is not in the list of players")
    reader.line = f"{name}: {kind} {amount}"
    if kind == "big" and "big" in reader.sheet.kinds.values():
        kind = "post"
    reader.note(kind, {"player": name, "amount": amount, "to": amount})


def _blinds_of_level(reader: Reader) -> None:
    """Take the blinds of a tournament from the posts: its header does not have them."""
    sheet = reader.sheet
    for chair, kind in sheet.kinds.items():
        if kind == "small" and not sheet.small:
            sheet.small = sheet.blinds[chair]
        if kind == "big" and not sheet.big:
            sheet.big = sheet.blinds[chair]


IPOKER = Grammar(
    name="ipoker",
    site="iPoker",
    xml=read_game,
    dots=True,
)
