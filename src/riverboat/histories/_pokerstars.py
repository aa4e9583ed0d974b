"""PokerStars text, which every tracker, replayer and converter reads.

Amounts: `bets n` and `calls n` add n chips; `raises d to t` is d chips more than the bet before and
makes the bet t chips on this *street*. Seats are chairs numbered from 1. The header names the chair
of the button; with two players the button is the small blind. Decimal amounts (`$0.50`) are read
with 100 chips per unit. The header has the bet sizes of limit games, and the blinds of others.

Times are written in UTC with US Eastern time in brackets, like the site does for other zones. With
a hero only the hero's cards are `Dealt to`; without one all known cards are. Tournament names and
levels are not kept.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from riverboat.cards import describe_strength, evaluate
from riverboat.histories._carry import check_exact, limit_bets, refuse_uncarried, refuse_unfinished
from riverboat.histories._replay import (
    Deal,
    Move,
    Refund,
    all_shows,
    amount_text,
    posts,
    pots_won,
    steps,
    write_cards,
)
from riverboat.histories._times import to_eastern
from riverboat.histories.sites import POKERSTARS, read_hand

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from riverboat.histories._record import HandRecord

NAME = "PokerStars text"
SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£"}
_LIMITS = {"no-limit": "No Limit", "pot-limit": "Pot Limit", "fixed-limit": "Limit"}
_STREETS = ("HOLE CARDS", "FLOP", "TURN", "RIVER")
_HEADER = re.compile(r"\s*\ufeff?PokerStars [A-Za-z ]*#")


def to_text(record: HandRecord) -> str:
    """Write one hand.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> from riverboat.histories import record_of
    >>> hand = Hand(catalogue("nolimit-100bb"), hole=["AhKd", "QsQc"])
    >>> hand.play("b25f")
    >>> print("".join(to_text(record_of(hand, hand_id="7")).splitlines(True)[:9]))
    PokerStars Hand #7:  Hold'em No Limit (5/10)
    Table '' 2-max (Play Money) Seat #1 is the button
    Seat 1: Player 1 (1000 in chips)
    Seat 2: Player 2 (1000 in chips)
    Player 1: posts small blind 5
    Player 2: posts big blind 10
    *** HOLE CARDS ***
    Dealt to Player 1 [Ah Kd]
    Dealt to Player 2 [Qs Qc]
    <BLANKLINE>
    """
    _refuse(record)
    text = "".join(f"{line}\n" for line in _Writer(record).lines())
    return check_exact(record, text, from_text, NAME)


def from_text(text: str) -> HandRecord:
    """Read one hand."""
    return read_hand(POKERSTARS, text)


def file_parts(records: Iterable[HandRecord]) -> Iterator[str]:
    """Yield the parts of a file with several hands."""
    for number, record in enumerate(records):
        yield ("\n\n" if number else "") + to_text(record)


def split(lines: Sequence[str]) -> list[tuple[int, str]]:
    """Split a file into hands: (line number from 1, text) for each.

    A hand begins after a blank line, because a player's name may look like a header.
    """
    starts = [
        i
        for i, line in enumerate(lines)
        if _HEADER.match(line) and (i == 0 or not lines[i - 1].strip())
    ]
    if not starts or any(line.strip() for line in lines[: starts[0]]):
        starts.insert(0, 0)
    ends = [*starts[1:], len(lines)]
    return [(a + 1, "\n".join(lines[a:b])) for a, b in zip(starts, ends, strict=True)]


def _refuse(record: HandRecord) -> None:
    """Raise `HistoryError` if the format cannot represent the hand."""
    spec = record.spec
    blinds = spec.blinds
    refuse_uncarried(
        spec,
        NAME,
        {
            "short deck; PHH can": spec.showdown == "short-deck",
            "blinds other than a small and a big one; PHH can": not 0 < blinds[0] <= blinds[1]
            or any(blinds[2:]),
            "a minimum bet other than the big blind; PHH can": spec.compiled.min_bet
            != spec.big_blind
            and spec.betting != "fixed-limit",
            f"a unit of {record.unit} chips": record.unit not in (1, 100),
            f"the currency {record.currency!r}": not re.fullmatch(r"([A-Z]{3})?", record.currency),
            "a hand number with a colon": ":" in record.hand_id,
        },
    )
    refuse_unfinished(record.hand(), NAME)


class _Writer:
    """The lines of one hand."""

    def __init__(self, record: HandRecord) -> None:
        self.record = record
        self.hand = record.hand()
        self.spec = record.spec
        self.names = record.names
        self.symbol = SYMBOLS.get(record.currency, "")
        self.folded: dict[int, int] = {}
        self.shows = all_shows(record, self.hand)
        self.won = pots_won(record, self.hand, NAME)

    def money(self, chips: int) -> str:
        return self.symbol + amount_text(chips, self.record.unit)

    def cards(self, seat: int) -> tuple[int, ...]:
        return self.record.deal[2 * seat : 2 * seat + 2]

    def lines(self) -> Iterator[str]:
        """All lines of the hand."""
        yield from self.head()
        for post in posts(self.record):
            kind = "the ante" if post.kind == "ante" else post.kind
            all_in = " and is all-in" if post.all_in else ""
            yield f"{self.names[post.seat]}: posts {kind} {self.money(post.paid)}{all_in}"
        yield "*** HOLE CARDS ***"
        yield from self.dealt()
        for step in steps(self.record):
            if isinstance(step, Deal):
                before = f"[{write_cards(step.before, ' ')}] " if step.before else ""
                yield f"*** {_STREETS[step.street]} *** {before}[{write_cards(step.cards, ' ')}]"
            elif isinstance(step, Refund):
                back = self.money(step.amount)
                yield f"Uncalled bet ({back}) returned to {self.names[step.seat]}"
            else:
                yield self.move(step)
        yield from self.showdown()
        yield from self.summary()

    def head(self) -> Iterator[str]:
        """Game, table and stacks."""
        record, spec = self.record, self.spec
        stakes = limit_bets(spec) if spec.betting == "fixed-limit" else spec.blinds[:2]
        money = "/".join(map(self.money, stakes)) + (
            f" {record.currency}" if record.currency else ""
        )
        date = f" - {self.date()}" if record.date is not None else ""
        game = f"Hold'em {_LIMITS[spec.betting]} ({money}){date}"
        yield f"PokerStars Hand #{record.hand_id or 0}:  {game}"
        play = "" if record.currency else " (Play Money)"
        button = f"Seat #{record.chairs[spec.button]} is the button"
        yield f"Table '{record.table}' {record.chair_count}-max{play} {button}"
        for seat in sorted(range(record.players), key=record.chairs.__getitem__):
            stack = self.money(spec.stacks[seat])
            yield f"Seat {record.chairs[seat]}: {self.names[seat]} ({stack} in chips)"

    def date(self) -> str:
        """Universal and Eastern time."""
        utc = self.record.date
        if utc is None:
            return ""

        def show(t: object) -> str:
            return f"{t:%Y/%m/%d} {t:%H:%M:%S}".replace(" 0", " ", 1)

        return f"{show(utc)} UTC [{show(to_eastern(utc))} ET]"

    def dealt(self) -> Iterator[str]:
        """The hero's cards, or all that are known."""
        for seat in range(self.record.players):
            if self.record.hero in (None, seat) and min(self.cards(seat)) >= 0:
                yield f"Dealt to {self.names[seat]} [{write_cards(self.cards(seat), ' ')}]"

    def move(self, move: Move) -> str:
        """One action."""
        all_in = " and is all-in" if move.all_in else ""
        if move.kind == "fold":
            self.folded[move.seat] = move.street
        words = {
            "fold": "folds",
            "check": "checks",
            "call": f"calls {self.money(move.added)}",
            "bet": f"bets {self.money(move.to)}"
            if move.price == 0
            else f"raises {self.money(move.to - move.price)} to {self.money(move.to)}",
        }
        return f"{self.names[move.seat]}: {words[move.kind]}{all_in}"

    def description(self, seat: int) -> str:
        """Return the name of the seat's hand, if five cards are known."""
        cards = [*self.cards(seat), *self.hand.board]
        if len(cards) < 5 or min(cards) < 0:
            return ""
        return describe_strength(evaluate(cards))

    def showdown(self) -> Iterator[str]:
        """Shown and mucked cards, and the winners of each pot."""
        if len(self.hand.live) > 1:
            yield "*** SHOW DOWN ***"
        for seat, shown in self.shows:
            if shown:
                name = self.description(seat)
                text = f"shows [{write_cards(self.cards(seat), ' ')}]" + (
                    f" ({name})" if name else ""
                )
            else:
                text = "mucks hand" if len(self.hand.live) > 1 else "doesn't show hand"
            yield f"{self.names[seat]}: {text}"
        for index in range(len(self.won) - 1, -1, -1):
            for seat, chips in enumerate(self.won[index]):
                if chips:
                    pot = _pot_name(index, len(self.won))
                    yield f"{self.names[seat]} collected {self.money(chips)} from {pot}"

    def summary(self) -> Iterator[str]:
        """The closing block."""
        hand = self.hand
        rake = hand.pot - sum(map(sum, self.won))
        pots = [pot.amount for pot in hand.pots()]
        parts = ""
        if len(pots) > 1:
            names = [_pot_name(i, len(pots)).capitalize() for i in range(len(pots))]
            parts = " " + " ".join(
                f"{name} {self.money(pot)}." for name, pot in zip(names, pots, strict=True)
            )
        yield "*** SUMMARY ***"
        yield f"Total pot {self.money(hand.pot)}{parts} | Rake {self.money(rake)}"
        if hand.board:
            yield f"Board [{write_cards(hand.board, ' ')}]"
        for seat in sorted(range(self.record.players), key=self.record.chairs.__getitem__):
            place = self.place(seat)
            yield f"Seat {self.record.chairs[seat]}: {self.names[seat]}{place} {self.result(seat)}"

    def place(self, seat: int) -> str:
        """Button and blinds."""
        places = ((" (button)", self.spec.button), (" (small blind)", 0), (" (big blind)", 1))
        return "".join(text for text, where in places if seat == where)

    def result(self, seat: int) -> str:
        """The result of a seat."""
        if seat in self.folded:
            street = self.folded[seat]
            paid = self.hand.contributions[seat]
            if street == 0:
                return "folded before Flop" + ("" if paid else " (didn't bet)")
            return f"folded on the {_STREETS[street].capitalize()}"
        chips = sum(pot[seat] for pot in self.won)
        shown = dict(self.shows).get(seat)
        cards = f"[{write_cards(self.cards(seat), ' ')}]"
        if shown:
            name = self.description(seat)
            end = f"won ({self.money(chips)})" if chips else "lost"
            return f"showed {cards} and {end}" + (f" with {name}" if name else "")
        if chips:
            return f"collected ({self.money(chips)})"
        return f"mucked {cards}" if min(self.cards(seat)) >= 0 else "mucked"


def _pot_name(index: int, count: int) -> str:
    """Return the site's name of a pot."""
    if count == 1:
        return "pot"
    if index == 0:
        return "main pot"
    return "side pot" if count == 2 else f"side pot-{index}"
