"""Reads the hands of every site: a grammar says how lines look, this reader what they mean.

Kinds of lines: `seat`, `button`, `hole`, `board`, `run` (a further board), `ante`, `small`, `big`,
`straddle`, `extra` (a live blind out of turn), `dead`, `both` (a live and a dead blind in one
amount), `post` (one of these three, by its amount), `fold`, `check`, `call`, `add` (chips added by
a bet or raise), `raise` (to an amount), `all-in`, `show`, `muck`, `win`, `rake`, `cap`, `hero`,
`summary`, `cancelled`, `skip`.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

from riverboat.cards import parse_card
from riverboat.errors import HistoryError, RiverboatError
from riverboat.files import bounded
from riverboat.histories._sheet import Sheet, SheetMove
from riverboat.histories._times import time_of
from riverboat.histories.sites._games import betting_of, check_holdem
from riverboat.histories.sites._grammar import AMOUNT, plain_amount
from riverboat.histories.sites._xml import element_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from riverboat.histories._record import HandRecord
    from riverboat.histories.sites._grammar import Grammar

_LONGEST = 1000  # characters of a line
_LINE_END = re.compile(r"\r\n|\n|\r")
_CODES = {"$": "USD", "€": "EUR", "£": "GBP", "₹": "INR", "C$": "CAD", "CA$": "CAD"}
_STREET_OF_BOARD = (0, 0, 0, 1, 2, 3)
_THREE_AFTER_A_DOT = re.compile(r"[0-9]\.[0-9]{3}(?![0-9])")
# Names that could be taken for a line of another kind: these are tried as names first.
_ODD_NAME = re.compile(
    r"[:*\[\]|]|\b(?:folds?|checks?|calls?|bets?|raises?|posts?|collected|wins|shows|mucks|dealt|seat|"
    r"total|board|hand|uncalled)\b",
    re.IGNORECASE,
)
_WINNER = re.compile(rf"(.+?) \({AMOUNT}\)(?:, |$)")
_CARD_WORD = re.compile(r"[^, ]+")


def read_hand(grammar: Grammar, text: str) -> HandRecord:
    """Read one hand; raise `HistoryError` with the reason if that is not possible."""
    reader = Reader(grammar)
    if grammar.dots:
        reader.dots = _THREE_AFTER_A_DOT.search(text) is not None
    if grammar.xml is not None:
        return _read_xml(grammar, reader, text)
    reader.header(text)
    match = grammar.lines.pattern.fullmatch
    before, once = "", grammar.repeats
    for line in _LINE_END.split(text):
        line = line.strip()
        if not line or (once and line == before):
            continue
        before = line
        if len(line) > _LONGEST:
            # Names are free text: a long line would make the patterns slow.
            bounded(line, "a line", HistoryError, _LONGEST)
        reader.read(line, match(line))
    return reader.finish()


def _read_xml(grammar: Grammar, reader: Reader, text: str) -> HandRecord:
    """Read a hand of a site that writes XML."""
    root = element_of(text)
    try:
        assert grammar.xml is not None  # noqa: S101 - for the type checker
        grammar.xml(reader, root)
    except (KeyError, ValueError) as error:
        if isinstance(error, RiverboatError):
            raise
        raise HistoryError(f"an element of the hand lacks or has a wrong {error}") from error
    return reader.finish()


class Reader:
    """Puts the lines of a hand into a sheet."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.sheet = Sheet()
        self.chairs: dict[str, int] = {}
        self.street = 0
        self.line = ""
        self.in_summary = False
        self.dots = False
        self.dealt: list[int] = []
        self.cards_of: dict[int, list[int]] = {}
        self.odd_names = False
        self.unsure: list[int] = []

    # ---- The header ----------------------------------------------------------

    def header(self, text: str) -> None:
        """Read what stands before the list of players."""
        end = self.grammar.head_end.search(text)
        self.info_from(text[: end.start() if end else 4000])

    def info_from(self, head: str) -> None:
        """Read the parts of the header by the patterns of the grammar."""
        info: dict[str, str] = {}
        for pattern in self.grammar.infos:
            if match := pattern.search(head):
                for key, value in match.groupdict().items():
                    if value is not None and key not in info:
                        info[key] = value
        self.use_info(info)

    def use_info(self, info: Mapping[str, str]) -> None:
        """Put the parts of a header into the sheet."""
        sheet, get = self.sheet, info.get
        check_holdem(get("game"))
        sheet.betting = betting_of(get("limit"))
        small, big = (self.plain(get(key, "") or "") for key in ("small", "big"))
        if sheet.betting == "fixed-limit":
            sheet.limit_bets = (small, big)
        else:
            sheet.small, sheet.big = small, big
        if get("button"):
            sheet.dealer = int(info["button"])
        if get("cap"):
            sheet.cap = self.plain(info["cap"])
        sign = get("sign") or ""
        sheet.details |= {
            "hand_id": (get("id") or "").strip(),
            "site": (get("site") or self.grammar.site).strip(),
            "table": (get("table") or "").strip(),
            "date": time_of(dict(info), self.grammar.zone) if get("y") else None,
            "currency": get("currency") or _CODES.get(sign, ""),
        }
        if get("size"):
            sheet.details["table_size"] = int(info["size"])

    def plain(self, text: str) -> str:
        """Return an amount without its currency."""
        return plain_amount(text, dots=self.dots) if text else ""

    # ---- Lines ---------------------------------------------------------------

    def read(self, line: str, match: re.Match[str] | None) -> None:
        """Read one line."""
        lines = self.grammar.lines
        if self.odd_names and self.by_name(line):
            return
        if match is None:
            self.unknown(line)
            return
        index = match.lastindex or 0
        kind, names, by_player = lines.kinds[index]
        values = _values(match, index, names)
        if by_player:
            values["player"] = match.group(lines.player)
        self.line = line
        self.note(kind, values)

    def note(self, kind: str, values: dict[str, str]) -> None:
        """Put what a line says into the sheet."""
        handler = HANDLERS.get(kind)
        if handler is None:
            return
        if "player" in values and kind not in ("seat", "seat-button"):
            name = values["player"]
            chair = self.chairs.get(name) or self.chairs.get(name.strip())
            if chair is None:
                self.unknown(self.line)
                return
            if values.get("cap"):
                self.cap(0, {"amount": values["cap"]})
            handler(self, chair, values)
        else:
            handler(self, 0, values)

    def unknown(self, line: str) -> None:
        """Read a line that no rule matches; only some sites refuse it."""
        if self.in_summary or self.by_name(line) or not self.grammar.strict_acts:
            return
        for name in self.chairs:
            if line.startswith(f"{name}: "):
                raise HistoryError(f"{line[:80]!r} is not an action that can be read")

    def by_name(self, line: str) -> bool:
        """Read an act of a player whose name may look like another line; whether it is one."""
        lines = self.grammar.lines
        for name in sorted(self.chairs, key=len, reverse=True):
            if not line.startswith(name):
                continue
            match = lines.act.fullmatch(line, len(name))
            if match:
                index = match.lastindex or 0
                kind, names, _ = lines.act_kinds[index]
                values = _values(match, index, names)
                handler = HANDLERS.get(kind)
                self.line = line
                if values.get("cap"):
                    self.cap(0, {"amount": values["cap"]})
                if handler is not None:
                    handler(self, self.chairs[name], values)
                return True
        return False

    # ---- What lines mean -----------------------------------------------------

    def seat(self, _: int, values: dict[str, str]) -> None:
        """A player and the chips."""
        name = values.get("name", values.get("player", "")).strip()
        if self.in_summary or (self.sheet.moves and name in self.chairs):
            return
        chair = int(values["chair"])
        if chair in self.sheet.names or name in self.chairs:
            if self.sheet.names.get(chair) == name:
                return
            raise HistoryError(f"chair {chair} or the name {name[:40]!r} stands a second time")
        self.chairs[name] = chair
        self.odd_names = self.odd_names or _ODD_NAME.search(name) is not None
        self.sheet.names[chair] = name
        self.sheet.stacks[chair] = self.plain(values["stack"])

    def button(self, chair: int, values: dict[str, str]) -> None:
        """The chair of the button."""
        self.sheet.dealer = int(values["chair"]) if "chair" in values else chair

    def hole(self, chair: int, values: dict[str, str]) -> None:
        """Cards that a player was dealt: all of them, or one a line."""
        held = self.cards_of.setdefault(chair, [])
        held += [card for card in self.cards(values["cards"]) if card not in held]
        if len(held) == 2:
            self.sheet.know(chair, tuple(held))
            if chair not in self.dealt:
                self.dealt.append(chair)
        elif len(held) > 2:
            raise HistoryError(f"{self.line[:80]!r} gives a player {len(held)} cards")

    def hero_hole(self, chair: int, values: dict[str, str]) -> None:
        """The cards of the player who recorded the hand."""
        self.hero(chair, values)
        self.hole(chair, values)

    def cards(self, text: str) -> list[int]:
        """Read cards."""
        if self.grammar.cards:
            for word, ours in self.grammar.cards:
                text = text.replace(word, ours)
        return [parse_card(word) for word in split_cards(text)]

    def board(self, _: int, values: dict[str, str]) -> None:
        """The cards of a street."""
        board = self.sheet.board
        board += [card for card in self.cards(values["cards"]) if card not in board]
        if len(board) > 5:
            raise HistoryError(f"the board has {len(board)} cards")
        self.street = _STREET_OF_BOARD[len(board)]

    def run(self, _: int, values: dict[str, str]) -> None:
        """A street of a further board."""
        before = self.cards(values["before"]) if values.get("before") else []
        cards = before + self.cards(values["cards"])
        runs = self.sheet.run_outs
        if runs and runs[-1] == cards[: len(runs[-1])]:
            runs[-1] = cards
        else:
            runs.append(cards)

    def ante(self, chair: int, values: dict[str, str]) -> None:
        """An ante."""
        if chair in self.sheet.antes:
            raise HistoryError(f"{self.line[:80]!r}: a second post of the same player")
        self.sheet.antes[chair] = self.plain(values["amount"])

    def small(self, chair: int, values: dict[str, str]) -> None:
        """A small blind; a second one is dead."""
        if "small" in self.sheet.kinds.values():
            self.dead(chair, values)
        else:
            self.sheet.post(chair, "small", self.plain(values["amount"]))

    def big(self, chair: int, values: dict[str, str]) -> None:
        """A big blind; a further one is posted by a returning player."""
        amount = self.plain(values["amount"])
        kind = "extra" if "big" in self.sheet.kinds.values() else "big"
        if self.sheet.kinds.get(chair) == "small":  # both blinds: the small one is dead
            self.sheet.dead[chair] = self.sheet.blinds.pop(chair)
            del self.sheet.kinds[chair]
        self.sheet.post(chair, kind, amount)

    def straddle(self, chair: int, values: dict[str, str]) -> None:
        """A straddle."""
        self.sheet.post(chair, "straddle", self.plain(values["amount"]))

    def extra(self, chair: int, values: dict[str, str]) -> None:
        """A live blind of a returning player."""
        self.sheet.post(chair, "extra", self.plain(values["amount"]))

    def dead(self, chair: int, values: dict[str, str]) -> None:
        """A dead blind."""
        if chair in self.sheet.dead:
            raise HistoryError(f"{self.line[:80]!r}: a second post of the same player")
        self.sheet.dead[chair] = self.plain(values["amount"])

    def both(self, chair: int, values: dict[str, str]) -> None:
        """A live big blind and a dead small blind, in one amount or two."""
        amount = self.plain(values["amount"])
        if "dead" in values:
            live, dead = amount, self.plain(values["dead"])
        else:
            live = self.big_blind() or amount
            dead = _difference(amount, live)
        self.sheet.post(chair, "extra", live)
        if dead != "0":
            self.sheet.dead[chair] = dead

    def big_blind(self) -> str:
        """The big blind as the header says, or as it was posted."""
        sheet = self.sheet
        posted = (sheet.blinds[chair] for chair, kind in sheet.kinds.items() if kind == "big")
        return sheet.big or next(posted, "")

    def post(self, chair: int, values: dict[str, str]) -> None:
        """A post without a name: a live blind, a dead one, or both."""
        amount, big = self.plain(values["amount"]), self.big_blind()
        if big and float(amount) > float(big):
            self.both(chair, values)
        elif chair in self.sheet.blinds or (big and float(amount) < float(big)):
            self.dead(chair, values)
            self.unsure.append(chair)
        else:
            self.extra(chair, values)

    def move(self, chair: int, kind: str, amount: str = "") -> None:
        """An action."""
        move = SheetMove(chair, kind, self.plain(amount), self.line, self.street)
        self.sheet.moves.append(move)

    def fold(self, chair: int, _: dict[str, str]) -> None:
        """A fold."""
        self.move(chair, "fold")

    def check(self, chair: int, _: dict[str, str]) -> None:
        """A check."""
        self.move(chair, "check")

    def call(self, chair: int, values: dict[str, str]) -> None:
        """A call."""
        self.move(chair, "call", values.get("amount", ""))

    def add(self, chair: int, values: dict[str, str]) -> None:
        """A bet, or a raise by the chips that it adds."""
        self.move(chair, "add", values["amount"])

    def raise_to(self, chair: int, values: dict[str, str]) -> None:
        """A raise to an amount."""
        self.move(chair, "bet", values["to"])

    def all_in(self, chair: int, values: dict[str, str]) -> None:
        """All remaining chips: a call or a raise."""
        self.move(chair, "all-in", values.get("amount", ""))

    def show(self, chair: int, values: dict[str, str]) -> None:
        """Shown cards; one card alone is not kept."""
        cards = self.cards(values["cards"])
        if len(cards) == 2:
            self.sheet.know(chair, tuple(cards))
            self.sheet.shows[chair] = True

    def know(self, chair: int, values: dict[str, str]) -> None:
        """Cards that were known after the hand, shown or not."""
        cards = self.cards(values["cards"])
        if len(cards) == 2:
            self.sheet.know(chair, tuple(cards))

    def seat_knows(self, _: int, values: dict[str, str]) -> None:
        """Cards of a chair in the summary."""
        chair = int(values["chair"])
        if chair in self.sheet.names:
            self.know(chair, values)

    def muck(self, chair: int, _: dict[str, str]) -> None:
        """Cards that were not shown."""
        self.sheet.shows.setdefault(chair, False)

    def win(self, chair: int, values: dict[str, str]) -> None:
        """Chips from a pot."""
        pot = values.get("pot", "")
        index = int(pot[9:] or 1) if pot.startswith("side pot") else 0
        self.sheet.take(index, chair, self.plain(values["amount"]))

    def result(self, chair: int, values: dict[str, str]) -> None:
        """What a player collected, and the cards if the site knows them."""
        if values.get("cards"):
            self.know(chair, values)
        if float(self.plain(values["amount"])):
            self.win(chair, values)

    def blinds(self, _: int, values: dict[str, str]) -> None:
        """The stakes of a level."""
        self.sheet.small, self.sheet.big = self.plain(values["small"]), self.plain(values["big"])

    def seat_button(self, _: int, values: dict[str, str]) -> None:
        """A player on the button."""
        self.seat(0, values)
        self.sheet.dealer = int(values["chair"])

    def pot(self, _: int, values: dict[str, str]) -> None:
        """A pot with its winners: `NAME (AMOUNT), NAME (AMOUNT)`."""
        rest = values["winners"]
        while match := _WINNER.match(rest):
            chair = self.chairs.get(match.group(1).strip())
            if chair is None:
                raise HistoryError(f"{match.group(1)[:40]!r} is not in the list of players")
            self.sheet.take(0, chair, self.plain(match.group(2)))
            rest = rest[match.end() :]

    def rake(self, _: int, values: dict[str, str]) -> None:
        """The rake, in one amount or several."""
        total = self.sheet.rake or "0"
        for part in ("amount", "small", "big", "dead", "to"):
            if values.get(part):
                total = _sum(total, self.plain(values[part]))
        self.sheet.rake = total

    def cap(self, _: int, values: dict[str, str]) -> None:
        """The most that a player may put in."""
        self.sheet.cap = self.plain(values["amount"])

    def hero(self, chair: int, values: dict[str, str]) -> None:
        """The player who recorded the hand."""
        self.sheet.details["hero_chair"] = chair

    def summary(self, _: int, __: dict[str, str]) -> None:
        """The begin of the summary."""
        self.in_summary = True

    def cancelled(self, _: int, __: dict[str, str]) -> None:
        """A hand that does not count."""
        raise HistoryError("the site cancelled this hand")

    # ---- The end -------------------------------------------------------------

    def finish(self) -> HandRecord:
        """Replay the hand and return its record."""
        sheet = self.sheet
        if not sheet.names:
            raise HistoryError("the text ends before the list of players")
        if self.grammar.summary and not self.in_summary:
            raise HistoryError("the text ends before the summary")
        if len(self.dealt) == 1:
            sheet.details.setdefault("hero_chair", self.dealt[0])
        seats = max(sheet.names)
        if sheet.details.get("table_size", seats) < seats:
            del sheet.details["table_size"]
        if self.grammar.positions:
            self.order_by_position()
        self.close_runs()
        self.add_blinds()
        return self.record()

    def record(self) -> HandRecord:
        """Replay the hand; a small post out of turn is dead at some sites, and live at others."""
        sheet = self.sheet
        try:
            return sheet.record()
        except HistoryError:
            unsure = [chair for chair in self.unsure if chair not in sheet.blinds]
            if not unsure:
                raise
            for chair in unsure:
                sheet.post(chair, "extra", sheet.dead.pop(chair))
            return sheet.record()

    def order_by_position(self) -> None:
        """Number the chairs by the positions that are the names, unless they have that order."""
        sheet = self.sheet
        acting = {move.chair for move in sheet.moves} | {*sheet.blinds, *sheet.antes, *sheet.dead}
        chairs = sorted(acting, key=lambda chair: _rank(sheet.names[chair]))
        if len(chairs) > 2 and sorted(chairs) != _turned(chairs):
            sheet.renumber({chair: number for number, chair in enumerate(chairs, start=1)})
            chairs = list(range(1, len(chairs) + 1))
        if chairs:
            sheet.dealer = chairs[-1]

    def add_blinds(self) -> None:
        """Complete stakes and blinds that the text leaves out."""
        sheet = self.sheet
        posted = {kind: sheet.blinds[chair] for chair, kind in sheet.kinds.items()}
        if sheet.betting == "fixed-limit":
            if sheet.limit_bets and sheet.limit_bets[0] and not self.grammar.limit_by_blinds:
                return
            big = posted.get("big") or (sheet.limit_bets or ("",))[0]
            sheet.limit_bets = (big, _sum(big or "0", big or "0"))
            return
        sheet.small = sheet.small or posted.get("small", "")
        sheet.big = sheet.big or posted.get("big", "")
        if not sheet.kinds and self.grammar.implied_blinds and sheet.big and sheet.dealer:
            chairs = sorted({move.chair for move in sheet.moves} | {*sheet.pots.get(0, ())})
            if len(chairs) < 2:
                return
            after = [chair for chair in chairs if chair > sheet.dealer]
            order = after + [chair for chair in chairs if chair <= sheet.dealer]
            if len(order) == 2:
                order.reverse()
            sheet.post(order[0], "small", sheet.small)
            sheet.post(order[1], "big", sheet.big)

    def close_runs(self) -> None:
        """Put the first of several boards where the board belongs."""
        sheet = self.sheet
        if not sheet.run_outs:
            return
        full = [run for run in sheet.run_outs if len(run) == 5]
        if len(sheet.board) < 5 and full:
            sheet.board = full.pop(0)
        sheet.run_outs = full


_SUITS = "CDHScdhs"
def _values(match: re.Match[str], index: int, names: tuple[str, ...]) -> dict[str, str]:
    """Return the parts of a line, which are the groups before `index`."""
    first = index - len(names)
    return {name: match.group(first + at) for at, name in enumerate(names)}


_POSITIONS = {"Small Blind": 0, "Big Blind": 1, "UTG": 2, "Dealer": 99}


def _rank(name: str) -> int:
    """Return the order of a position: the small blind first, the dealer last."""
    if name.startswith("UTG+") and name[4:].isdigit():
        return 2 + int(name[4:])
    return _POSITIONS.get(name, 98)


def _turned(chairs: list[int]) -> list[int]:
    """Return the chairs from the lowest, in their order around the table."""
    first = chairs.index(min(chairs))
    return chairs[first:] + chairs[:first]


def split_cards(text: str) -> list[str]:
    """Split cards: `Ah Kd`, `Ah, Kd`, `AhKd`, `10h`.

    >>> split_cards("Ah, 10d"), split_cards("AhKd2c")
    (['Ah', 'Td'], ['Ah', 'Kd', '2c'])
    """
    words = _CARD_WORD.findall(text.replace("10", "T"))
    if len(words) == 1 and len(words[0]) > 2:
        word = words[0]
        words = [word[at : at + 2] for at in range(0, len(word), 2)]
    return [word[1:] + word[0].lower() if word[0] in _SUITS else word for word in words]


def _sum(one: str, other: str) -> str:
    return str(Decimal(one) + Decimal(other))


def _difference(one: str, other: str) -> str:
    rest = Decimal(one) - Decimal(other)
    return str(rest) if rest > 0 else "0"


HANDLERS: dict[str, Callable[[Reader, int, dict[str, str]], None]] = {
    "seat": Reader.seat,
    "button": Reader.button,
    "hole": Reader.hole,
    "hero-hole": Reader.hero_hole,
    "board": Reader.board,
    "run": Reader.run,
    "ante": Reader.ante,
    "small": Reader.small,
    "big": Reader.big,
    "straddle": Reader.straddle,
    "extra": Reader.extra,
    "dead": Reader.dead,
    "both": Reader.both,
    "post": Reader.post,
    "fold": Reader.fold,
    "check": Reader.check,
    "call": Reader.call,
    "add": Reader.add,
    "raise": Reader.raise_to,
    "all-in": Reader.all_in,
    "show": Reader.show,
    "know": Reader.know,
    "seat-knows": Reader.seat_knows,
    "muck": Reader.muck,
    "win": Reader.win,
    "seat-button": Reader.seat_button,
    "pot": Reader.pot,
    "blinds": Reader.blinds,
    "result": Reader.result,
    "rake": Reader.rake,
    "cap": Reader.cap,
    "hero": Reader.hero,
    "summary": Reader.summary,
    "cancelled": Reader.cancelled,
}
