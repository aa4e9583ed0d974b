"""Open Hand History 1.4.7 (handhistory.org), JSON: `.ohh`.

One object `{"ohh": {...}}` on one line for each hand, followed by a blank line.
Amounts: every `amount` is the chips that this action *adds*, also of a raise. Seats
are chairs from 1, players have ids (ours are the seats, from 0), `dealer_seat` is the
button's chair; with two players the button is the small blind. Pots hold their rake;
`player_wins` is without it. A currency with decimals is written as decimals (100
chips to the unit), play money as whole numbers with the currency XPM. The big bet of
fixed limit is twice the small one, which is the big blind.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from riverboat.errors import HistoryError
from riverboat.histories.carry import limit_bets, refuse_uncarried, refuse_unfinished
from riverboat.histories.exact import check_exact
from riverboat.histories.record import usual_shows
from riverboat.histories.replay import Deal, Move, read_cards, steps, write_cards
from riverboat.histories.sheet import Sheet, SheetMove

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from riverboat.histories.record import HandRecord

NAME = "OHH"
VERSION = "1.4.7"
_PLAY_MONEY = "XPM"
_STREETS = ("Preflop", "Flop", "Turn", "River")
_TYPES = {"no-limit": "NL", "pot-limit": "PL", "fixed-limit": "FL"}
_BETTING = {short: name for name, short in _TYPES.items()}
_KINDS = {"Fold": "fold", "Check": "check", "Call": "call", "Bet": "add", "Raise": "add"}
_PASSED_OVER = ("Added Chips", "Sits Down", "Stands Up")


# ---- Writing -----------------------------------------------------------------


def to_text(record: HandRecord) -> str:
    """Write one hand: a line of JSON and a blank line.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> from riverboat.histories import record_of
    >>> hand = Hand(catalogue("nolimit-100bb"), hole=["AhKd", "QsQc"])
    >>> hand.play("b25f")
    >>> json.loads(to_text(record_of(hand)))["ohh"]["rounds"][0]["actions"][-2]["amount"]
    20
    """
    _refuse(record)
    value = {"ohh": _Writer(record).hand_object()}
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n\n"
    return check_exact(record, text, from_text, NAME)


def file_text(records: Sequence[HandRecord]) -> str:
    """Write hands, each followed by its blank line."""
    return "".join(map(to_text, records))


def _refuse(record: HandRecord) -> None:
    """Raise a sentence for what the format cannot say."""
    spec = record.spec
    small, big = limit_bets(spec)
    limit = spec.betting == "fixed-limit"
    refuse_uncarried(
        spec,
        NAME,
        {
            "short deck; PHH does": spec.showdown == "short-deck",
            "blinds other than a small and a big one; PHH does": not 0
            < spec.blinds[0]
            <= spec.blinds[1]
            or any(spec.blinds[2:]),
            "a least bet of its own; PHH does": spec.compiled.min_bet != spec.big_blind
            and not limit,
            "bets other than one and two big blinds; PokerStars text and PHH do": limit
            and (small, big) != (spec.big_blind, 2 * spec.big_blind),
            f"a unit of {record.unit} chips": record.unit not in (1, 100),
        },
    )
    refuse_unfinished(record.hand(), NAME)


class _Writer:
    """The object of one hand."""

    def __init__(self, record: HandRecord) -> None:
        self.record = record
        self.hand = record.hand()
        self.number = 0
        self.won = record.won
        if self.won is None:
            if not self.hand.settled:
                raise HistoryError(f"{NAME} needs the cards that decide the pot, or who took it")
            self.won = tuple(pot.won for pot in self.hand.pots())

    def money(self, chips: int) -> int | float:
        """Return a whole number, or one with decimals if the unit has them."""
        return chips if self.record.unit == 1 else chips / self.record.unit

    def hand_object(self) -> dict[str, Any]:
        """Return all fields in the order of the standard."""
        record, spec = self.record, self.record.spec
        date = (
            {} if record.date is None else {"start_date_utc": f"{record.date:%Y-%m-%dT%H:%M:%SZ}"}
        )
        hero = {} if record.hero is None else {"hero_player_id": record.hero}
        return {
            "spec_version": VERSION,
            "site_name": record.site or "Riverboat",
            "network_name": record.site or "Riverboat",
            "internal_version": "1",
            "tournament": False,
            "game_number": record.hand_id,
            **date,
            "table_name": record.table,
            "game_type": "Holdem",
            "bet_limit": {"bet_type": _TYPES[spec.betting], "bet_cap": 0},
            "table_size": record.chair_count,
            "currency": record.currency or _PLAY_MONEY,
            "dealer_seat": record.chairs[spec.button],
            "small_blind_amount": self.money(spec.blinds[0]),
            "big_blind_amount": self.money(spec.blinds[1]),
            # The big blind may have an ante of its own; the first seat tells the usual one.
            "ante_amount": self.money(spec.antes[0] or max(spec.antes)),
            **hero,
            "players": [self.player(seat) for seat in range(record.players)],
            "rounds": self.rounds(),
            "pots": self.pots(),
        }

    def player(self, seat: int) -> dict[str, Any]:
        return {
            "id": seat,
            "seat": self.record.chairs[seat],
            "name": self.record.names[seat],
            "starting_stack": self.money(self.record.stacks[seat]),
        }

    def action(
        self,
        seat: int,
        name: str,
        chips: int = 0,
        all_in: bool = False,
        cards: Sequence[int] = (),
    ) -> dict[str, Any]:
        """Return one action with the next number."""
        self.number += 1
        known = {"cards": _cards(cards)} if cards and min(cards) >= 0 else {}
        return {
            "action_number": self.number,
            "player_id": seat,
            "action": name,
            "amount": self.money(chips),
            "is_allin": all_in,
            **known,
        }

    def rounds(self) -> list[dict[str, Any]]:
        """Return the streets that were played or dealt, and the showdown."""
        opening = [*self.posts(), *self.dealt()]
        rounds = [{"id": 0, "street": _STREETS[0], "cards": [], "actions": opening}]
        for step in steps(self.record):
            if isinstance(step, Deal):
                cards = _cards(step.cards)
                name = _STREETS[step.street]
                rounds.append({"id": step.street, "street": name, "cards": cards, "actions": []})
            elif isinstance(step, Move):
                moves = rounds[-1]["actions"]
                assert isinstance(moves, list)  # noqa: S101 - for the type checker
                moves.append(self.action(step.seat, _verb(step), step.added, step.all_in))
        shows = list(self.shows())
        if shows:
            rounds.append({"id": len(rounds), "street": "Showdown", "cards": [], "actions": shows})
        return rounds

    def posts(self) -> Iterator[dict[str, Any]]:
        """Antes and blinds as far as the stacks go."""
        spec = self.record.spec
        left = list(spec.stacks)
        asked = [(seat, "Post Ante", ante) for seat, ante in enumerate(spec.antes)]
        asked += [(0, "Post SB", spec.blinds[0]), (1, "Post BB", spec.blinds[1])]
        for seat, name, chips in asked:
            paid = min(left[seat], chips)
            left[seat] -= paid
            if paid:
                yield self.action(seat, name, paid, left[seat] == 0)

    def dealt(self) -> Iterator[dict[str, Any]]:
        """The hero's cards, or all that are known."""
        for seat in range(self.record.players):
            cards = self.record.deal[2 * seat : 2 * seat + 2]
            if self.record.hero in (None, seat) and min(cards) >= 0:
                yield self.action(seat, "Dealt Cards", cards=cards)

    def shows(self) -> Iterator[dict[str, Any]]:
        """Shown cards, and mucked ones where they are known."""
        told = {seat for seat, _ in self.record.shows}
        usual = [show for show in usual_shows(self.hand) if show[0] not in told]
        for seat, shown in (*self.record.shows, *usual):
            cards = self.record.deal[2 * seat : 2 * seat + 2]
            yield self.action(seat, "Shows Cards" if shown else "Mucks Cards", cards=cards)

    def pots(self) -> list[dict[str, Any]]:
        """Return main pot and side pots."""
        result = []
        for number, (pot, won) in enumerate(zip(self.hand.pots(), self.won or (), strict=True)):
            wins = [
                {"player_id": seat, "win_amount": self.money(chips)}
                for seat, chips in enumerate(won)
                if chips
            ]
            result.append(
                {
                    "number": number,
                    "amount": self.money(pot.amount),
                    "rake": self.money(pot.amount - sum(won)),
                    "player_wins": wins,
                }
            )
        return result


def _verb(move: Move) -> str:
    """Return the standard's word for an action; before the flop a first bet is a raise."""
    if move.kind == "bet":
        return "Bet" if move.price == 0 and move.street > 0 else "Raise"
    return move.kind.capitalize()


def _cards(cards: Sequence[int]) -> list[str]:
    return [write_cards([card]) for card in cards]


# ---- Reading -----------------------------------------------------------------


def split(lines: Sequence[str]) -> list[tuple[int, str]]:
    """Cut a file into hands: (line number from 1, text) for each.

    A blank line ends a hand, and so does a line that begins the next one.
    """
    parts: list[tuple[int, list[str]]] = []
    fresh = True
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            fresh = True
            continue
        if fresh or line.startswith('{"ohh"'):
            parts.append((number, []))
            fresh = False
        parts[-1][1].append(line)
    return [(number, "\n".join(part)) for number, part in parts]


def from_text(text: str) -> HandRecord:
    """Read one hand."""
    try:
        value = json.loads(text.removeprefix("\ufeff"), parse_float=Decimal, parse_constant=str)
    except (ValueError, RecursionError) as error:
        raise HistoryError(f"this is not JSON: {error}") from error
    fields = value.get("ohh") if isinstance(value, dict) else None
    if not isinstance(fields, dict):
        raise HistoryError('an OHH hand is an object {"ohh": {...}}')
    return _Reader(fields).sheet.record()


def _get(fields: Any, key: str, kind: type, default: Any = None) -> Any:
    """Return a field of the right type, or raise a sentence."""
    if not isinstance(fields, dict):
        raise HistoryError(f"the field {key} has no object around it")
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
    return str(value)[:40]


class _Reader:
    """Fills a sheet from the object of a hand."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.sheet = Sheet()
        self.fields = fields
        self.chairs: dict[int, int] = {}
        self.dealt: set[int] = set()
        self.game()
        self.people()
        for part in _get(fields, "rounds", list):
            self.round(part)
        for pot in _get(fields, "pots", list):
            self.pot(pot)

    def game(self) -> None:
        """Read game, stakes and the names of things."""
        fields, sheet = self.fields, self.sheet
        kind = _get(fields, "game_type", str)
        if kind != "Holdem":
            raise HistoryError(f"game_type {kind[:40]!r} is not read; Holdem is")
        limit = _get(_get(fields, "bet_limit", dict), "bet_type", str)
        if limit not in _BETTING:
            raise HistoryError(f"bet_type {limit[:40]!r} is not read; those read are NL, PL, FL")
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
            "currency": "" if currency == _PLAY_MONEY else currency,
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
                raise HistoryError(f"player {ident} or chair {chair} stands a second time")
            self.chairs[ident] = chair
            sheet.names[chair] = _get(player, "name", str)
            sheet.stacks[chair] = _amount(player, "starting_stack", None)
        if self.fields.get("hero_player_id") in self.chairs:
            sheet.details["hero_chair"] = self.chairs[_get(self.fields, "hero_player_id", int)]

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
        """Put an action into the sheet."""
        sheet, name = self.sheet, _get(action, "action", str)
        if name in _PASSED_OVER:
            return
        chair, amount = self.chair(action), _amount(action, "amount")
        if name in _KINDS:
            text = f"{sheet.names[chair]}: {name} {amount}"
            sheet.moves.append(SheetMove(chair, _KINDS[name], amount, text))
        elif name in ("Post Ante", "Post SB", "Post BB"):
            posts = sheet.antes if name == "Post Ante" else sheet.blinds
            if chair in posts:
                raise HistoryError(f"{sheet.names[chair][:40]!r} posts a second time")
            posts[chair] = amount
        elif name in ("Dealt Cards", "Shows Cards", "Mucks Cards"):
            cards = _read_cards(_get(action, "cards", list, []))
            if len(cards) == 2:
                sheet.know(chair, tuple(cards))
            elif cards or name == "Shows Cards":
                raise HistoryError(f"{sheet.names[chair][:40]!r} has {len(cards)} cards, not 2")
            if name != "Dealt Cards":
                sheet.shows.append((chair, name == "Shows Cards"))
        else:
            raise HistoryError(f"the action {name[:40]!r} is not read")

    def pot(self, pot: Any) -> None:
        """Read who took a pot."""
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
