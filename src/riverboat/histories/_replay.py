"""Steps of a hand for the writers, and replaying of parsed actions for the readers.

Also reads and writes cards, and exact amounts as whole chips or decimals of a currency.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from riverboat.cards import card_text, parse_card
from riverboat.errors import HistoryError, RiverboatError
from riverboat.game import GameSpec, Hand
from riverboat.histories._record import usual_shows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from riverboat.histories._record import HandRecord


@dataclass(frozen=True, slots=True)
class Deal:
    """Dealing of board cards; `before` is the board before."""

    street: int
    before: tuple[int, ...]
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """One action. Chips: `added` by it, `to` on this street after it, `total` in the hand.

    `price` is the highest bet on the street before it.
    """

    street: int
    seat: int
    kind: str
    added: int
    to: int
    total: int
    price: int
    all_in: bool


@dataclass(frozen=True, slots=True)
class Refund:
    """The return of an uncalled bet."""

    seat: int
    amount: int


Step = Deal | Move | Refund
PostKind = Literal["ante", "small blind", "big blind"]


class Post(NamedTuple):
    """An ante or a blind."""

    seat: int
    kind: PostKind
    paid: int
    all_in: bool


def steps(record: HandRecord) -> Iterator[Step]:
    """Yield the steps of a hand, in order."""
    final = record.hand()
    hand = record.start()
    refunded = board = 0
    for event in (*final.events, None):
        if hand.refund is not None and hand.refund[1] > refunded:
            yield Refund(hand.refund[0], hand.refund[1] - refunded)
            refunded = hand.refund[1]
        dealt = hand.street if event is None else event.street
        for street in range(len(hand.spec.streets)):
            count = hand.spec.board_sizes[street]
            if street <= dealt and count > board:
                yield Deal(street, hand.board[:board], hand.board[board:count])
                board = count
        if event is None:
            return
        move = _move(hand, event.seat, event.action.kind, event.action.amount)
        hand.do(event.action)
        yield move


def _move(hand: Hand, seat: int, kind: str, amount: int) -> Move:
    """Return the description of the next action."""
    owed = hand.to_call if kind == "call" else 0
    added = amount - hand.bets[seat] if kind == "bet" else owed
    return Move(
        street=hand.street,
        seat=seat,
        kind=kind,
        added=added,
        to=hand.bets[seat] + added,
        total=hand.contributions[seat] + added,
        price=hand.price,
        all_in=added > 0 and added == hand.stacks[seat],
    )


class Rebuild:
    """A hand that a reader replays action by action.

    Parameters
    ----------
    spec
        The game with this hand's stacks.
    hole
        Hole cards by seat; unknown ones are -1.
    board
        All board cards that the source shows.
    """

    def __init__(self, spec: GameSpec, hole: Sequence[Sequence[int]], board: Sequence[int]) -> None:
        room = spec.compiled.board_cards
        if len(board) > room:
            raise HistoryError(f"the board has {len(board)} cards; the game has {room}")
        self.board = tuple(board)
        self.hand = Hand(spec, hole=[list(cards) for cards in hole], board=list(board))

    def check_turn(self, seat: int, what: str) -> None:
        """Refuse an action out of turn."""
        actor = self.hand.actor
        if actor is None:
            raise HistoryError(f"{what!r}: the betting is over")
        if actor != seat:
            raise HistoryError(f"{what!r}: it is seat {actor}'s turn, not seat {seat}'s")

    def do(self, seat: int, action: str, what: str) -> None:
        """Apply an action; raise `HistoryError` with the violated rule if it is illegal."""
        self.check_turn(seat, what)
        try:
            self.hand.do(action)
        except RiverboatError as error:
            raise HistoryError(f"{what!r}: {error}") from error

    def check_board(self) -> None:
        """Refuse a board that does not fit the betting."""
        dealt = len(self.hand.board)
        if dealt != len(self.board):
            raise HistoryError(
                f"the record has {len(self.board)} board cards, but the betting needs {dealt}"
            )

    def check_finished(self) -> None:
        """Refuse a hand that ends before its last action."""
        if not self.hand.finished:
            raise HistoryError(f"the record ends while seat {self.hand.actor} is to act")
        self.check_board()


def posts(record: HandRecord) -> Iterator[Post]:
    """Yield the antes, then the blinds, limited by the stacks."""
    spec, left = record.spec, list(record.stacks)
    asked: list[tuple[int, PostKind, int]]
    asked = [(seat, "ante", chips) for seat, chips in enumerate(spec.antes)]
    asked += [(0, "small blind", spec.blinds[0]), (1, "big blind", spec.blinds[1])]
    for seat, kind, chips in asked:
        paid = min(left[seat], chips)
        left[seat] -= paid
        if paid:
            yield Post(seat, kind, paid, left[seat] == 0)


def all_shows(record: HandRecord, hand: Hand) -> tuple[tuple[int, bool], ...]:
    """Return who showed or mucked: as recorded, then in standard order for other seats."""
    recorded = {seat for seat, _ in record.shows}
    return (*record.shows, *(show for show in usual_shows(hand) if show[0] not in recorded))


def pots_won(record: HandRecord, hand: Hand, name: str) -> tuple[tuple[int, ...], ...]:
    """Return the chips that each seat won from each pot, [pots][seats], for the format `name`."""
    if record.won is not None:
        return record.won
    if not hand.settled:
        raise HistoryError(f"{name} needs the cards at showdown, or the winners of each pot")
    return tuple(pot.won for pot in hand.pots())


def stated_winnings(
    hand: Hand, stated: Sequence[Sequence[int]], rake: int
) -> tuple[tuple[int, ...], ...] | None:
    """Compare the winnings that a source states with the rules.

    Returns None if they agree, else the stated winnings: odd chips may go to another winner, and
    the rules cannot decide between mucked cards.

    Parameters
    ----------
    stated
        [pots][seats] chips won; a single row may hold the sum over all pots.
    rake
        Rake in chips.
    """
    pots = hand.pots()
    total = [sum(row[seat] for row in stated) for seat in range(hand.players)]
    if sum(total) + rake != hand.pot:
        raise HistoryError(
            f"the players won {sum(total)} and the rake is {rake}, but the pot is {hand.pot}"
        )
    by_rule = [sum(chips) for chips in zip(*(pot.won for pot in pots), strict=True)]
    rows = tuple(tuple(row) for row in stated)
    if rows == tuple(pot.won for pot in pots):
        return None
    if len(rows) != len(pots):
        if hand.settled and total == by_rule:
            return None
        rows = share_out(hand, total)
    if not hand.settled:
        return rows
    odd = sum(len(pot.winners) - 1 for pot in pots)  # odd chips that another winner may get
    room = odd + (rake if len(pots) > 1 else 0)
    for seat, (said, ruled) in enumerate(zip(total, by_rule, strict=True)):
        if abs(said - ruled) > room or (said > 0 and seat not in hand.live):
            raise HistoryError(f"seat {seat} wins {said} chips; by the rules it wins {ruled}")
    return rows


def share_out(hand: Hand, total: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Distribute totals over the pots, the last side pot first; the remainder is the rake.

    The sets of eligible seats are nested, so starting with the pot that has the fewest eligible
    seats always succeeds if a division exists.
    """
    left, rows = list(total), list[tuple[int, ...]]()
    pots = hand.pots()
    for index in range(len(pots) - 1, -1, -1):
        amount, row = pots[index].amount, [0] * hand.players
        for seat in pots[index].eligible:
            row[seat] = max(0, min(left[seat], amount))
            left[seat] -= row[seat]
            amount -= row[seat]
        rows.append(tuple(row))
    if any(left):
        raise HistoryError(f"no division of the pots gives the seats {tuple(total)} chips")
    return tuple(reversed(rows))


def read_cards(text: str, count: int) -> tuple[int, ...]:
    """Read `count` cards, `??` for unknown ones (-1)."""
    words = text.replace(" ", "")
    if len(words) != 2 * count:
        raise HistoryError(f"{text[:40]!r} is not {count} cards")
    pairs = [words[i : i + 2] for i in range(0, len(words), 2)]
    return tuple(-1 if pair == "??" else parse_card(pair) for pair in pairs)


def write_cards(cards: Sequence[int], between: str = "") -> str:
    """Write cards, `??` for unknown ones."""
    return between.join("??" if card < 0 else card_text(card) for card in cards)


_LONGEST_AMOUNT = 40
_AMOUNT = re.compile(r"[0-9]{1,15}(\.[0-9]{1,6})?", re.ASCII)


def amount_text(chips: int, unit: int) -> str:
    """Write chips in units of the currency, with exact decimals if the unit is not 1.

    >>> amount_text(150, 1), amount_text(150, 100), amount_text(-5, 100)
    ('150', '1.50', '-0.05')
    """
    if unit == 1:
        return str(chips)
    sign = "-" if chips < 0 else ""
    whole, part = divmod(abs(chips), unit)
    return f"{sign}{whole}.{part:0{len(str(unit)) - 1}d}"


@lru_cache(maxsize=100_000)
def _chips(word: str, unit: int) -> int:
    """Return the chips of an amount in decimals."""
    if not _AMOUNT.fullmatch(word):
        raise HistoryError(f"{word[:40]!r} is not an amount of chips")
    chips = Decimal(word) * unit
    if chips != int(chips):
        raise HistoryError(f"{word} is not a whole number of chips, with {unit} chips per unit")
    return int(chips)


def read_amount(text: object, unit: int) -> int:
    """Read an amount as chips.

    >>> read_amount("1.5", 100)
    150
    """
    word = str(text)
    if isinstance(text, bool) or len(word) > _LONGEST_AMOUNT:
        raise HistoryError(f"{word[:40]!r} is not an amount of chips")
    return _chips(word, unit)


def unit_of(amounts: Iterable[object], most_decimals: int = 2) -> int:
    """Return 1 if no amount has decimals, 100 for up to two, then a power of ten.

    >>> unit_of(["5", "10"]), unit_of(["0.5", "1"]), unit_of([Decimal("0.125")], 6)
    (1, 100, 1000)
    """
    decimals = max((len(str(a).partition(".")[2]) for a in amounts), default=0)
    if decimals > most_decimals:
        raise HistoryError(f"an amount has {decimals} decimals; at most {most_decimals} are read")
    return 1 if decimals == 0 else 10 ** max(2, decimals)
