"""What the lines of a hand mean, whatever the site: each kind of line changes a sheet.

Kinds of lines: `seat`, `seat-button`, `button`, `hole`, `hero-hole`, `board`, `run` (a further
board), `ante`, `small`, `big`, `straddle`, `extra` (a live blind out of turn), `dead`, `both` (a
live and a dead blind in one amount), `post` (one of these three, by its amount), `fold`, `check`,
`call`, `add` (chips added by a bet or raise), `raise` (to an amount), `all-in`, `show`, `know`
(cards that were not shown), `seat-knows`, `muck`, `win`, `result`, `pot`, `blinds`, `rake`, `cap`,
`hero`, `summary`, `cancelled`, `skip`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from riverboat.cards import parse_card
from riverboat.errors import HistoryError
from riverboat.histories._sheet import Sheet, SheetMove
from riverboat.histories.sites._grammar import AMOUNT, number_of, plain_amount

if TYPE_CHECKING:
    from collections.abc import Callable

    from riverboat.histories.sites._grammar import Grammar

_STREET_OF_BOARD = (0, 0, 0, 1, 2, 3)
# Names that could be taken for a line of another kind: these are tried as names first.
_ODD_NAME = re.compile(
    r"[:*\[\]|]|\b(?:folds?|checks?|calls?|bets?|raises?|posts?|collected|wins|shows|mucks|dealt|"
    r"seat|total|board|hand|uncalled)\b",
    re.IGNORECASE,
)
_WINNER = re.compile(rf"(.+?) \({AMOUNT}\)(?:, |$)")
_CARD_WORD = re.compile(r"[^, ]+")
_SUITS = "CDHScdhs"


class Notes:
    """What is known of a hand, line by line."""

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

    def plain(self, text: str) -> str:
        """Return an amount without its currency."""
        return plain_amount(text, dots=self.dots) if text else ""

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

    def extra_blind(self, chair: int, values: dict[str, str]) -> None:
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
            self.extra_blind(chair, values)

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
        """The rake, in one amount or several, and the pot that the site states."""
        if values.get("total"):
            self.sheet.total = self.plain(values["total"])
        total = self.sheet.rake or "0"
        for part in ("amount", "small", "big", "dead", "to"):
            if values.get(part):
                total = sum_of(total, self.plain(values[part]))
        self.sheet.rake = total

    def cap(self, _: int, values: dict[str, str]) -> None:
        """The most that a player may put in."""
        self.sheet.cap = self.plain(values["amount"])

    def hero(self, chair: int, _: dict[str, str]) -> None:
        """The player who recorded the hand."""
        self.sheet.details["hero_chair"] = chair

    def summary(self, _: int, __: dict[str, str]) -> None:
        """The begin of the summary."""
        self.in_summary = True

    def cancelled(self, _: int, __: dict[str, str]) -> None:
        """A hand that does not count."""
        raise HistoryError("the site cancelled this hand")


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


def sum_of(one: str, other: str) -> str:
    """Return the sum of two amounts as text."""
    return str(number_of(one) + number_of(other))


def _difference(one: str, other: str) -> str:
    """Return a difference as text, at least 0."""
    rest = number_of(one) - number_of(other)
    return str(rest) if rest > 0 else "0"


HANDLERS: dict[str, Callable[[Notes, int, dict[str, str]], None]] = {
    "seat": Notes.seat,
    "button": Notes.button,
    "hole": Notes.hole,
    "hero-hole": Notes.hero_hole,
    "board": Notes.board,
    "run": Notes.run,
    "ante": Notes.ante,
    "small": Notes.small,
    "big": Notes.big,
    "straddle": Notes.straddle,
    "extra": Notes.extra_blind,
    "dead": Notes.dead,
    "both": Notes.both,
    "post": Notes.post,
    "fold": Notes.fold,
    "check": Notes.check,
    "call": Notes.call,
    "add": Notes.add,
    "raise": Notes.raise_to,
    "all-in": Notes.all_in,
    "show": Notes.show,
    "know": Notes.know,
    "seat-knows": Notes.seat_knows,
    "muck": Notes.muck,
    "win": Notes.win,
    "seat-button": Notes.seat_button,
    "pot": Notes.pot,
    "blinds": Notes.blinds,
    "result": Notes.result,
    "rake": Notes.rake,
    "cap": Notes.cap,
    "hero": Notes.hero,
    "summary": Notes.summary,
    "cancelled": Notes.cancelled,
}
