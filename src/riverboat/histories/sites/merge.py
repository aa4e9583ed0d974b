"""Merge network (Carbon, Lock and others): a `description` and `game` elements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from riverboat.errors import HistoryError
from riverboat.histories.sites._grammar import Grammar

if TYPE_CHECKING:
    from riverboat.histories.sites._reader import Reader
    from riverboat.histories.sites._xml import Element

_EVENTS = {
    "SMALL_BLIND": "small",
    "BIG_BLIND": "big",
    "INITIAL_BLIND": "post",
    "ANTE": "ante",
    "FOLD": "fold",
    "SIT_OUT": "fold",
    "CHECK": "check",
    "CALL": "call",
    "BET": "add",
    "RAISE": "raise",
    "ALL_IN": "all-in",
    "MUCK": "muck",
}
_ROUNDS = {"PREFLOP": 0, "POSTFLOP": 1, "POSTTURN": 2, "POSTRIVER": 3}
_STAKES = re.compile(
    r"(?P<limit>[A-Za-z ]*?)(?: ?\(?(?P<sign>[$€£]?)(?P<small>[0-9.]+)/[$€£]?(?P<big>[0-9.]+)\)?)?"
    r"(?: Level .*? Blinds (?P<level>[0-9./]+))?"
)
_DATE = re.compile(
    r"(?P<y>\d{4})/?(?P<mo>\d\d)/?(?P<d>\d\d) ?(?P<h>\d\d):?(?P<mi>\d\d):?(?P<s>\d\d)"
    r"(?: (?P<offset>[+-]\d{4}))?"
)


def read_game(reader: Reader, root: Element) -> None:
    """Read a `game` element that its `description` precedes."""
    elements = list(root.walk())
    description = next((part for part in elements if part.name == "description"), None)
    *_, game = [part for part in elements if part.name == "game"]
    values = {"id": game.values.get("id", "")}
    if description is not None:
        stakes = _STAKES.match(game.values.get("stakes") or description.values.get("stakes", ""))
        if stakes:
            values |= {key: value for key, value in stakes.groupdict().items() if value}
        values["game"] = description.values.get("type", "")
    if "level" in values:
        values["small"], _, values["big"] = values["level"].partition("/")
        reader.sheet.raked = False
    if found := _DATE.match(game.values.get("starttime", "")):
        values |= {key: value for key, value in found.groupdict().items() if value}
    words = re.split(r"[|:]", game.values.get("data", ""))
    values["table"] = words[1] if len(words) > 1 else ""
    reader.use_info({key: value for key, value in values.items() if value})
    names = dict[str, str]()
    for part in game.walk():
        _part(reader, part, names)


def _part(reader: Reader, part: Element, names: dict[str, str]) -> None:
    values = part.values
    name = names.get(values.get("player", ""), "")
    reader.line = f"{name}: {values.get('type', part.name)} {values.get('amount', '')}"
    if part.name == "round":
        reader.street = _ROUNDS.get(values.get("id", ""), reader.street)
    elif part.name == "players":
        reader.sheet.dealer = int(values["dealer"]) + 1
    elif part.name == "player":
        names[values["seat"]] = values["nickname"]
        chair = str(int(values["seat"]) + 1)
        stack = re.sub(r"[^0-9.,]", "", values["balance"])
        reader.seat(0, {"chair": chair, "player": values["nickname"], "stack": stack})
    elif part.name == "event" and values.get("type") in _EVENTS:
        if not name:
            raise HistoryError(f"player {values.get('player')} acts, but is not in the list")
        amount = "" if values["type"] == "ALL_IN" else values.get("amount", "")
        reader.note(_EVENTS[values["type"]], {"player": name, "amount": amount, "to": amount})
    elif part.name == "cards" and "null" not in values.get("cards", "null"):
        kind = {"HOLE": "hole", "SHOWN": "show", "MUCKED": "know"}.get(values["type"], "board")
        reader.note(kind, {"cards": values["cards"], **({"player": name} if name else {})})
    elif part.name == "winner" and values.get("uncalled") != "true":
        reader.note("win", {"player": name, "amount": values["amount"]})


MERGE = Grammar(
    name="merge",
    site="Merge",
    xml=read_game,
)
