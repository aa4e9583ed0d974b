"""Reads PHH; see `riverboat.histories._phh` for its conventions."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, time
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from riverboat.cards import RANKS
from riverboat.errors import HistoryError, OtherGameError
from riverboat.files import toml_table
from riverboat.game import GameSpec, Rake
from riverboat.histories._carry import SHORT_RANKS, holdem_streets, settle
from riverboat.histories._record import HandRecord, record_of
from riverboat.histories._replay import (
    Rebuild,
    read_amount,
    read_cards,
    stated_winnings,
    unit_of,
    write_cards,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riverboat.game import Hand

NO_CAP = -1
#: Chips of a player whose stack the file states as `inf`: more than any bet.
ENDLESS = 10**9
_ENDLESS = (Decimal("Infinity"), float("inf"))
_OTHER_GAMES = {
    "PO": "pot-limit Omaha", "FO/8": "fixed-limit Omaha hi-lo", "F7S": "stud",
    "F7S/8": "stud hi-lo", "FR": "razz", "N2L1D": "2-7 single draw", "F2L3D": "2-7 triple draw",
    "FB": "Badugi",
}  # fmt: skip
_ZONE = re.compile(r"[A-Za-z0-9_+-]{1,30}(/[A-Za-z0-9_+-]{1,30}){0,2}", re.ASCII)


def player_of(players: int, seat: int) -> int:
    """Return the PHH player (from 0) of a seat; the same call turns a player into a seat."""
    return 1 - seat if players == 2 else seat


def by_player(values: Sequence[Any]) -> list[Any]:
    """Put values by seat into the order of the players, or back."""
    return list(values)[::-1] if len(values) == 2 else list(values)


def from_text(text: str) -> HandRecord:
    """Read the content of a `.phh` file, or one table of a `.phhs` file.

    Examples
    --------
    >>> record = from_text('''
    ... variant = "NT"
    ... antes = [0, 0, 0]
    ... blinds_or_straddles = [1, 2, 0]
    ... min_bet = 2
    ... starting_stacks = [100, 100, 100]
    ... actions = ["d dh p1 ????", "d dh p2 ????", "d dh p3 AcAd", "p3 cbr 6", "p1 f", "p2 f"]
    ... ''')
    >>> record.line, record.payoffs()
    ('b6ff', (-1, -2, 3))
    """
    fields = toml_table(text.removeprefix("\ufeff"), "this", HistoryError, _decimal)
    values = list(fields.values())
    if "variant" not in fields and len(values) == 1 and isinstance(values[0], dict):
        fields = values[0]  # a .phhs file of one hand
    return _Reader(fields).record()


def _decimal(text: str) -> Decimal:
    """Read a TOML float exactly; `inf` and `nan` are refused later."""
    try:
        return Decimal(text.replace("_", ""))
    except InvalidOperation:
        return Decimal("NaN")


class _Reader:
    """Reads the fields of one hand."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.fields = fields
        variant = self.get("variant", str)
        if variant in _OTHER_GAMES:
            raise OtherGameError(_OTHER_GAMES[variant])
        if variant not in ("NT", "FT", "NS"):
            raise HistoryError(f"variant {variant[:20]!r} is not supported; use NT, FT or NS")
        stacks = self.items("starting_stacks")
        self.players = len(stacks)
        if not 2 <= self.players <= 10:
            raise HistoryError(f"a hand has 2 to 10 players, not {self.players}")
        self.actions = [self.words(action) for action in self.items("actions")]
        self.unit = self.find_unit()

    def get(self, key: str, kind: type | tuple[type, ...], default: Any = None) -> Any:
        """Return a field of the right type."""
        value = self.fields.get(key, default)
        if value is None:
            raise HistoryError(f"the field {key} is missing")
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise HistoryError(f"the field {key} cannot be {str(value)[:40]!r}")
        return value

    def items(self, key: str) -> list[Any]:
        """Return a field that is a list."""
        value = self.get(key, list)
        assert isinstance(value, list)  # noqa: S101 - for the type checker
        return value

    def words(self, action: object) -> list[str]:
        """Return the words of an action without its comment."""
        if not isinstance(action, str):
            raise HistoryError(f"an action must be text, not {str(action)[:40]!r}")
        return action.partition("#")[0].split()

    def find_unit(self) -> int:
        """Return the chips per unit: `_unit`, or the number that makes every amount whole."""
        if "_unit" in self.fields:
            return int(self.get("_unit", int))
        bets = [words for words in self.actions if len(words) == 3 and words[1] == "cbr"]
        amounts: list[object] = [words[2] for words in bets]
        for key in (
            "antes",
            "blinds_or_straddles",
            "starting_stacks",
            "finishing_stacks",
            "winnings",
        ):
            items = self.items(key) if key in self.fields else []
            amounts += [item for item in items if item not in _ENDLESS]
        amounts += [self.fields.get(key, 0) for key in ("min_bet", "small_bet", "big_bet")]
        return unit_of(amounts, most_decimals=6)

    def chips(self, key: str) -> list[int]:
        """Return a list of chips, one for each player."""
        values = self.items(key)
        if len(values) != self.players:
            raise HistoryError(f"{self.players} players need as many {key}, not {len(values)}")
        return [ENDLESS if value in _ENDLESS else read_amount(value, self.unit) for value in values]

    def one(self, key: str) -> int:
        """Return a field that is an amount."""
        return read_amount(self.get(key, (int, Decimal)), self.unit)

    def blinds(self) -> tuple[list[int], int | None]:
        """Return the blinds, and the first seat where it is not the one after the largest blind.

        A negative amount is the post of a returning player, who is not asked for it again and does
        not change who acts first.
        """
        values = self.items("blinds_or_straddles")
        posts = [isinstance(value, int | Decimal) and value < 0 for value in values]
        if not any(posts):
            return self.chips("blinds_or_straddles"), None
        self.fields["blinds_or_straddles"] = [
            -value if post else value for value, post in zip(values, posts, strict=True)
        ]
        blinds = self.chips("blinds_or_straddles")
        usual = [0 if post else chips for chips, post in zip(blinds, posts, strict=True)]
        last = max(seat for seat, chips in enumerate(usual) if chips == max(usual))
        return blinds, (last + 1) % self.players

    def spec(self) -> GameSpec:
        """Return the game."""
        variant = self.get("variant", str)
        blinds, first = self.blinds()
        streets, min_bet = holdem_streets(), 0
        if variant == "FT":
            streets = holdem_streets(self.one("small_bet"), self.one("big_bet"))
        else:
            least = self.one("min_bet")
            min_bet = 0 if least == max(blinds) else least
        betting: Any = "fixed-limit" if variant == "FT" else self.get("_betting", str, "no-limit")
        if variant == "FT" and self.fields.get("_betting", betting) != betting:
            raise HistoryError("variant FT is fixed-limit, but _betting is different")
        spec = GameSpec(
            stacks=tuple(by_player(self.chips("starting_stacks"))),
            blinds=tuple(blinds),
            antes=tuple(self.chips("antes")),
            betting=betting,
            streets=streets,
            showdown="short-deck" if variant == "NS" else "high",
            ranks=SHORT_RANKS if variant == "NS" else RANKS,
            min_bet=min_bet,
        )
        spec = self.with_own_rules(spec)
        if first in (None, spec.first_seat(0)):
            return spec
        opening = replace(spec.streets[0], first=first)
        return spec.replace(streets=(opening, *spec.streets[1:]))

    def with_own_rules(self, spec: GameSpec) -> GameSpec:
        """Add raise caps and rake from our own fields."""
        if "_max_raises" in self.fields:
            caps = self.items("_max_raises")
            if len(caps) != 4 or not all(type(cap) is int for cap in caps):
                raise HistoryError(f"_max_raises needs four whole numbers, not {str(caps)[:40]}")
            streets = tuple(
                replace(street, max_raises=None if cap == NO_CAP else cap)
                for street, cap in zip(spec.streets, caps, strict=True)
            )
            spec = spec.replace(streets=streets)
        if "_rake" in self.fields:
            match self.items("_rake"):
                case [int(points), int(cap), bool(no_drop)]:
                    spec = spec.replace(rake=Rake(points / 100, cap, no_drop))
                case other:
                    raise HistoryError(
                        f"_rake must be [hundredths of a percent, cap, flag], not {other}"
                    )
        return spec

    def seat(self, word: str) -> int:
        """Return the seat of a word such as `p3`."""
        number = word[1:]
        if word[:1] != "p" or not (number.isascii() and number.isdigit() and len(number) < 3):
            raise HistoryError(f"{word[:20]!r} is not a player")
        if not 1 <= int(number) <= self.players:
            raise HistoryError(f"{word} is not a player: the players are p1 to p{self.players}")
        return player_of(self.players, int(number) - 1)

    def cards(self) -> tuple[list[list[int]], list[int], list[tuple[int, bool]]]:
        """Return hole cards by seat, the board, and who showed or mucked."""
        hole: list[list[int]] = [[] for _ in range(self.players)]
        board, shows, shown = list[int](), dict[int, bool](), dict[int, tuple[int, ...]]()
        for words in self.actions:
            match words:
                case ["d", "db", cards]:
                    board += read_cards(cards, len(cards) // 2)
                case ["d", "dh", player, cards]:
                    hole[self.seat(player)] += read_cards(cards, len(cards) // 2)
                case [player, "sm"]:
                    shows.setdefault(self.seat(player), False)
                case [player, "sm", "-"]:
                    shows[self.seat(player)] = True
                case [player, "sm", cards]:
                    seat = self.seat(player)
                    shown[seat] = read_cards(cards, 2)
                    shows[seat] = shows.get(seat, False) or min(shown[seat]) >= 0
        for seat, seen in shown.items():
            hole[seat] = _merged(hole[seat], seen)
        for seat in range(self.players):
            hole[seat] = hole[seat] or [-1, -1]
            if len(hole[seat]) != 2:
                raise HistoryError(f"seat {seat} has {len(hole[seat])} hole cards, not 2")
        return hole, board, list(shows.items())

    def play(self, rebuild: Rebuild) -> bool:
        """Replay the actions; return False at a fold where a check is free, if that is illegal."""
        for words in self.actions:
            what = " ".join(words)[:60]
            match words:
                case [] | ["d", "db" | "dh", *_] | [_, "sm"] | [_, "sm", _]:
                    continue
                case [_, "f"] if _is_open_fold(rebuild.hand):
                    return False
                case [player, "f"]:
                    rebuild.do(self.seat(player), "f", what)
                case [player, "cc"]:
                    seat = self.seat(player)
                    if not _is_idle(rebuild, seat):
                        rebuild.check_turn(seat, what)
                        rebuild.hand.check_or_call()
                case [player, "cbr", amount]:
                    to = read_amount(amount, self.unit)
                    rebuild.do(self.seat(player), f"b{to}", what)
                case _:
                    raise HistoryError(f"{what!r} is not an action of hold'em in PHH")
        return True

    def record(self) -> HandRecord:
        """Return the hand."""
        hole, board, shows = self.cards()
        spec = self.spec()
        rebuild = Rebuild(spec, hole, board)
        if not self.play(rebuild):
            rebuild = Rebuild(spec.with_open_folds(), hole, board)
            self.play(rebuild)
        if rebuild.hand.finished and len(rebuild.hand.live) > 1 and not board:
            rebuild.board = (-1,) * len(rebuild.hand.board)
        rebuild.check_board()
        hand, won = rebuild.hand, None
        if hand.finished and (taken := self.taken(hand)) is not None:
            hand, won = self.settled(rebuild, taken)
        return record_of(hand, shows=tuple(shows), won=won, unit=self.unit, **self.people())

    def taken(self, hand: Hand) -> list[int] | None:
        """Return the chips that each seat took from the pots, where the file states them."""
        won = by_player(self.chips("winnings")) if "winnings" in self.fields else []
        stated = won if any(won) else None  # some files have zeros for unknown winnings
        if stated is not None and hand.refund is not None and sum(stated) > hand.pot:
            seat, chips = hand.refund  # some files count the returned bet as won
            stated[seat] -= chips
        if "finishing_stacks" not in self.fields:
            return stated
        finishing = by_player(self.chips("finishing_stacks"))
        rows = zip(finishing, hand.starting_stacks, hand.contributions, strict=True)
        taken = [end - start + paid for end, start, paid in rows]
        if min(taken) < 0:
            raise HistoryError(f"the finishing stacks {finishing} need negative winnings")
        if stated is not None and stated != taken:
            raise HistoryError(f"the winnings {won} contradict the finishing stacks {finishing}")
        return taken

    def settled(
        self, rebuild: Rebuild, taken: list[int]
    ) -> tuple[Hand, tuple[tuple[int, ...], ...] | None]:
        """Compare what the file says that the players took with the rules."""
        hand = rebuild.hand
        rake = hand.pot - sum(taken)
        if rake and not hand.spec.rake.percent:
            return settle(rebuild, [taken], rake)
        return hand, stated_winnings(hand, [taken], rake)

    def people(self) -> dict[str, Any]:
        """Return names, chairs, date and other details."""
        details: dict[str, Any] = {"date": self.date()}
        if "players" in self.fields:
            details["names"] = by_player(self.items("players"))
        for key, field in (("hand_id", "hand"), ("table", "table")):
            details[key] = str(self.get(field, (str, int), ""))
        details["site"] = self.get("venue", str, "")
        details["currency"] = self.get("currency", str, "")
        if "seats" in self.fields:
            chairs = tuple(by_player(self.items("seats")))
            details["seat_numbers"] = chairs if self.is_around(chairs) else ()
        details["table_size"] = self.get("seat_count", int, 0)
        if "_hero" in self.fields:
            details["hero"] = self.seat(f"p{self.get('_hero', int)}")
        return details

    def is_around(self, chairs: tuple[Any, ...]) -> bool:
        """Whether the chairs are in order around the table; files of some sites mix them up.

        Chairs that are no numbers stay, so that `HandRecord` refuses them.
        """
        if not all(type(chair) is int for chair in chairs) or len(chairs) != self.players:
            return True
        first = chairs.index(min(chairs))
        around = chairs[first:] + chairs[:first]
        return list(around) == sorted(chairs) or len(set(chairs)) < len(chairs)

    def date(self) -> datetime | None:
        """Return the date if year, month, day and time are present and valid."""
        parts = [self.fields.get(key) for key in ("year", "month", "day")]
        clock, zone = self.fields.get("time"), self.fields.get("time_zone", "UTC")
        if not all(type(part) is int for part in parts) or not isinstance(clock, time):
            return None
        try:
            day = datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]  # all are int
            local = datetime.combine(day, clock, UTC if zone == "UTC" else _zone(zone))
            return local.astimezone(UTC)
        except (KeyError, ValueError, OverflowError, OSError):  # a zone not known here
            return None


def _zone(name: object) -> ZoneInfo:
    """Return a time zone; its name is checked, because it becomes a file name."""
    if not isinstance(name, str) or not _ZONE.fullmatch(name):
        raise KeyError(name)
    return ZoneInfo(name)


def _merged(dealt: list[int], shown: tuple[int, ...]) -> list[int]:
    """Replace unknown cards by shown ones, which must not contradict the deal."""
    known = [card for card in dealt if card >= 0]
    if not set(known) <= set(shown) and min(shown) >= 0:
        raise HistoryError(f"{write_cards(dealt)} was dealt, but {write_cards(shown)} was shown")
    return list(shown) if len(known) < 2 and min(shown) >= 0 else dealt


def _is_open_fold(hand: Hand) -> bool:
    """Whether a fold here is one where a check is free, and such folds are illegal."""
    return not hand.finished and not hand.to_call and not hand.spec.open_folds


def _is_idle(rebuild: Rebuild, seat: int) -> bool:
    """Whether a check is one that PokerKit writes after the end of the betting."""
    hand = rebuild.hand
    return hand.finished and seat in hand.live and len(hand.live) > 1
