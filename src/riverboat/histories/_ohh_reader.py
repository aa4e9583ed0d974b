"""Reads Open Hand History; see `riverboat.histories._ohh` for its conventions."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from riverboat.errors import HistoryError
from riverboat.files import json_value
from riverboat.histories._replay import read_cards
from riverboat.histories._sheet import Sheet, SheetMove

if TYPE_CHECKING:
    from riverboat.histories._record import HandRecord

PLAY_MONEY = "XPM"
_NUMBER = re.compile(r"[0-9]{1,15}(\.[0-9]{1,15})?", re.ASCII)
_BETTING = {"NL": "no-limit", "PL": "pot-limit", "FL": "fixed-limit"}
_KINDS = {"Fold": "fold", "Check": "check", "Call": "call", "Bet": "add", "Raise": "add"}
_POSTS = {"Post SB": "small", "Post BB": "big"}
_PASSED_OVER = ("Added Chips", "Sits Down", "Stands Up")


def from_text(text: str) -> HandRecord:
    """Read one hand."""
    whole = text.removeprefix("\ufeff")
    value = json_value(whole, "this", HistoryError, parse_float=Decimal)
    fields = value.get("ohh") if isinstance(value, dict) else None
    if not isinstance(fields, dict):
        raise HistoryError('an OHH hand is an object {"ohh": {...}}')
    return _Reader(fields).sheet.record()


def _get(fields: Any, key: str, kind: type, default: Any = None) -> Any:
    """Return a field of the right type; raise `HistoryError` otherwise."""
    if not isinstance(fields, dict):
        raise HistoryError(f"the field {key} must be in an object, not in {str(fields)[:40]!r}")
    value = fields.get(key)
    value = default if value is None else value
    if value is None:
        raise HistoryError(f"the field {key} is missing")
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise HistoryError(f"the field {key} cannot be {str(value)[:40]!r}")
    return value


def _amount(fields: Any, key: str, default: int | None = 0) -> str:
    """Return a field that is a number, as text."""
    value = _get(fields, key, object, default)
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise HistoryError(f"the field {key} must be a number, not {str(value)[:40]!r}")
    text = str(value)
    if not _NUMBER.fullmatch(text):
        raise HistoryError(f"the field {key} cannot be {text[:40]}")
    return text


class _Reader:
    """Fills a sheet from the object of a hand."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.sheet = Sheet()
        self.fields = fields
        self.chairs: dict[int, int] = {}
        self.game()
        self.people()
        for part in _get(fields, "rounds", list):
            self.round(part)
        for pot in _get(fields, "pots", list):
            self.pot(pot)

    def game(self) -> None:
        """Read game, stakes, table and date."""
        fields, sheet = self.fields, self.sheet
        kind = _get(fields, "game_type", str)
        if kind != "Holdem":
            raise HistoryError(f"game_type {kind[:40]!r} is not read; Holdem is")
        limit = _get(_get(fields, "bet_limit", dict), "bet_type", str)
        if limit not in _BETTING:
            raise HistoryError(f"bet_type {limit[:40]!r} is not supported; use NL, PL or FL")
        sheet.betting = _BETTING[limit]
        sheet.small = _amount(fields, "small_blind_amount", None)
        sheet.big = _amount(fields, "big_blind_amount", None)
        sheet.ante = _amount(fields, "ante_amount")
        if limit == "FL":
            sheet.limit_bets = (sheet.big, str(2 * Decimal(sheet.big)))
        sheet.dealer = _get(fields, "dealer_seat", int)
        currency = _get(fields, "currency", str, "")
        sheet.details |= {
            "hand_id": _get(fields, "game_number", str, "").strip(),
            "table": _get(fields, "table_name", str, "").strip(),
            "site": _get(fields, "site_name", str, "").strip(),
            "currency": "" if currency == PLAY_MONEY else currency,
            "table_size": _get(fields, "table_size", int, 0),
            "date": _date(_get(fields, "start_date_utc", str, "")),
        }

    def people(self) -> None:
        """Read the players."""
        sheet = self.sheet
        for player in _get(self.fields, "players", list):
            ident, chair = _get(player, "id", int), _get(player, "seat", int)
            if _get(player, "is_sitting_out", bool, False):
                continue
            if ident in self.chairs or chair in sheet.names:
                raise HistoryError(f"player {ident} or chair {chair} occurs twice")
            self.chairs[ident] = chair
            sheet.names[chair] = _get(player, "name", str)
            sheet.stacks[chair] = _amount(player, "starting_stack", None)
        hero = self.fields.get("hero_player_id")
        if isinstance(hero, int) and hero in self.chairs:
            sheet.details["hero_chair"] = self.chairs[hero]

    def chair(self, fields: Any) -> int:
        """Return the chair of the player that an action names."""
        ident = _get(fields, "player_id", int)
        if ident not in self.chairs:
            raise HistoryError(f"there is no player {ident}")
        return self.chairs[ident]

    def round(self, part: Any) -> None:
        """Read a street: its cards and actions."""
        self.sheet.board += _read_cards(_get(part, "cards", list, []))
        for action in _get(part, "actions", list, []):
            self.action(action)

    def action(self, action: Any) -> None:
        """Add an action to the sheet."""
        sheet, name = self.sheet, _get(action, "action", str)
        if name in _PASSED_OVER:
            return
        chair, amount = self.chair(action), _amount(action, "amount")
        if name in _KINDS:
            text = f"{sheet.names[chair]}: {name} {amount}"
            sheet.moves.append(SheetMove(chair, _KINDS[name], amount, text))
        elif name in ("Post Ante", "Post SB", "Post BB"):
            self.post(chair, name, amount)
        elif name in ("Dealt Cards", "Shows Cards", "Mucks Cards"):
            cards = _read_cards(_get(action, "cards", list, []))
            if len(cards) == 2:
                sheet.know(chair, tuple(cards))
            elif cards or name == "Shows Cards":
                raise HistoryError(f"{sheet.names[chair][:40]!r} has {len(cards)} cards, not 2")
            if name != "Dealt Cards":
                sheet.shows[chair] = name == "Shows Cards"
        else:
            raise HistoryError(f"the action {name[:40]!r} is not supported")

    def post(self, chair: int, name: str, amount: str) -> None:
        """Add an ante or a blind to the sheet; the second big blind is an extra one."""
        sheet = self.sheet
        if name == "Post Ante":
            if chair in sheet.antes:
                raise HistoryError(f"{sheet.names[chair][:40]!r} posts twice")
            sheet.antes[chair] = amount
            return
        kind = _POSTS[name]
        sheet.post(chair, "extra" if kind in sheet.kinds.values() else kind, amount)

    def pot(self, pot: Any) -> None:
        """Read the winners of a pot."""
        index = len(self.sheet.pots)
        self.sheet.pots[index] = {}
        for win in _get(pot, "player_wins", list, []):
            self.sheet.take(index, self.chair(win), _amount(win, "win_amount", None))


def _read_cards(words: list[Any]) -> list[int]:
    """Read a list of cards."""
    if not all(isinstance(word, str) and len(word) == 2 for word in words):
        raise HistoryError(f"{str(words)[:60]} are not cards such as ['Ah', 'Kd']")
    return list(read_cards("".join(words), len(words)))


def _date(text: str) -> datetime | None:
    """Return the start of the hand."""
    try:
        date = datetime.fromisoformat(text)
        return date.replace(tzinfo=date.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
