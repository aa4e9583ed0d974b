"""`HandRecord`: one hand as data, independent of any format.

A record holds the game, the cards, the line of play and the players. Replaying the line through
`Hand` gives the hand itself, so the rules exist once.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

from riverboat.cards import NUM_CARDS
from riverboat.errors import HistoryError
from riverboat.game import GameSpec, Hand
from riverboat.report import Columns, Framed

if TYPE_CHECKING:
    from collections.abc import Iterable

_T = TypeVar("_T")
_BOARD = 5
_UNITS = tuple(10**power for power in range(7))


def _check_text(text: object, what: str) -> str:
    """Return one line of text without control characters; raise `HistoryError` otherwise."""
    if not isinstance(text, str):
        raise HistoryError(f"{what} must be text, not {text!r}")
    if text.isascii() and text.isprintable():
        pass
    elif any(unicodedata.category(c) in ("Cc", "Zl", "Zp", "Cs") for c in text):
        raise HistoryError(f"{what} must be one line of plain characters, not {text[:60]!r}")
    if text != text.strip():
        raise HistoryError(f"{what} must not begin or end with a blank: {text[:60]!r}")
    return text


def listed(values: Iterable[_T], what: str) -> tuple[_T, ...]:
    """Return the values of an ordered iterable as a tuple; raise `HistoryError` for others."""
    return tuple(in_order(values, what))


def in_order(values: Iterable[_T], what: str) -> Iterable[_T]:
    """Return an ordered iterable; raise `HistoryError` for others."""
    if isinstance(values, str | bytes | dict | set) or not hasattr(values, "__iter__"):
        raise HistoryError(f"{what} must be a list, not {values!r:.60}")
    return values


def check_names(names: Iterable[str], players: int) -> tuple[str, ...]:
    """Return the players' names; raise `HistoryError` if they are not different."""
    names = listed(names, "the players' names")
    if not names:
        return tuple(f"Player {seat + 1}" for seat in range(players))
    checked = tuple(_check_text(name, "a player's name") for name in names)
    if len(checked) != players:
        raise HistoryError(f"{players} seats need {players} names, not {len(checked)}")
    for name in checked:
        if not name:
            raise HistoryError("a player's name is empty")
        if checked.count(name) > 1:
            raise HistoryError(f"two players have the name {name[:60]!r}")
    return checked


@dataclass(frozen=True, slots=True)
class HandRecord(Framed):
    """One recorded hand.

    Parameters
    ----------
    spec
        The game, with the stacks at the start of this hand.
    deal
        The cards in the order of dealing, like `Hand.deal`: hole cards seat by seat, the board, the
        cards of swaps. -1 = unknown, or never dealt.
    line
        The full line of play, such as `b25c/kb30c/kk`.
    names
        Players by seat; `Player 1` and so on by default.
    shows
        (seat, shown) in the order in which cards were shown (True) or mucked.
    won
        For each pot, main pot first, the chips that each seat won, as stated by the source. None if
        the rules determine them (the usual case).
    hand_id, table, site
        Names in the source.
    date
        UTC, whole seconds.
    hero
        The seat of the player who recorded the hand.
    currency, unit
        ISO code, or empty for play money; chips per unit of the currency (100 = chips are cents).
    run_outs
        Further boards of a hand that was run more than once, five cards each; `deal` has the first
        board, and `won` what the seats won over all of them.
    seat_numbers, table_size
        The chair of each seat, from 1, and the number of chairs. Empty and 0 if unknown: then seat
        0 has chair 1, and so on.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand(catalogue("nolimit-100bb"), hole=["AhKd", "QsQc"], board="2c7d9hTsJs")
    >>> hand.play("b25c/kb30c/kk/kk")
    >>> record = record_of(hand, names=["Ada", "Bob"])
    >>> record.hand().payoffs(), record.names
    ((-55, 55), ('Ada', 'Bob'))
    """

    spec: GameSpec
    deal: tuple[int, ...]
    line: str
    names: tuple[str, ...] = ()
    shows: tuple[tuple[int, bool], ...] = ()
    won: tuple[tuple[int, ...], ...] | None = None
    hand_id: str = ""
    table: str = ""
    site: str = ""
    date: datetime | None = None
    hero: int | None = None
    currency: str = ""
    unit: int = 1
    seat_numbers: tuple[int, ...] = ()
    table_size: int = 0
    run_outs: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        """Normalise the fields, and refuse values that no format can represent."""
        set_field = object.__setattr__
        if not isinstance(self.spec, GameSpec):
            raise HistoryError(f"the game of a record must be a GameSpec, not {self.spec!r}")
        if not isinstance(self.line, str):
            raise HistoryError(f"the line of play must be text, not {self.line!r}")
        set_field(self, "deal", listed(self.deal, "the deal"))
        set_field(self, "names", check_names(self.names, self.players))
        for field in ("hand_id", "table", "site", "currency"):
            _check_text(getattr(self, field), f"the {field.replace('_', ' ')}")
        if self.unit not in _UNITS:
            raise HistoryError(f"the unit must be one of {_UNITS}, not {self.unit!r}")
        if self.hero is not None and self.hero not in range(self.players):
            raise HistoryError(f"the hero's seat must be 0 to {self.players - 1}, not {self.hero}")
        set_field(self, "shows", _checked_shows(self.shows, self.players))
        if self.won is not None:
            set_field(self, "won", _checked_won(self.won, self.players))
        if self.date is not None:
            set_field(self, "date", _whole_second(self.date))
        set_field(self, "run_outs", _checked_boards(self.run_outs))
        self._check_chairs()

    def _check_chairs(self) -> None:
        chairs = listed(self.seat_numbers, "the seat numbers")
        object.__setattr__(self, "seat_numbers", chairs)
        if type(self.table_size) is not int:
            raise HistoryError(f"the table size must be a whole number, not {self.table_size!r}")
        if not chairs:
            most = self.players
        elif not all(type(chair) is int and 1 <= chair <= 99 for chair in chairs):
            raise HistoryError(f"chairs must have numbers from 1 to 99, not {str(chairs)[:60]}")
        elif len(chairs) != self.players or len(set(chairs)) < len(chairs):
            raise HistoryError(f"{self.players} seats need as many different chairs, not {chairs}")
        else:
            most = max(chairs)
            ring = sorted(chairs)
            first = ring.index(chairs[0])
            if tuple(ring[first:] + ring[:first]) != chairs:
                raise HistoryError(f"the chairs {chairs} must be in order around the table")
        if self.table_size and not most <= self.table_size <= 99:
            raise HistoryError(
                f"a table with chair {most} must have {most} to 99 chairs, not {self.table_size}"
            )

    @property
    def players(self) -> int:
        """Number of seats."""
        return self.spec.players

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips by seat at the start."""
        return self.spec.stacks

    @property
    def chairs(self) -> tuple[int, ...]:
        """The chair of each seat, numbered from 1."""
        return self.seat_numbers or tuple(range(1, self.players + 1))

    @property
    def chair_count(self) -> int:
        """Number of chairs at the table, or the highest known chair."""
        return self.table_size or max(self.chairs)

    def start(self) -> Hand:
        """Return the hand before the first action."""
        return Hand(self.spec, cards=self.deal)

    def hand(self) -> Hand:
        """Replay the record and return the hand; raise `IllegalActionError` for an illegal line."""
        hand = self.start()
        # `Hand` passes streets before the first action itself (all players are all-in).
        hand.play(self.line.lstrip("/"))
        return hand

    def as_row(self) -> dict[str, Any]:
        """Return the record as a row of a table of hands; lists become text with commas."""
        payoffs = self.payoffs()
        return {
            "hand": self.hand_id,
            "date": self.date,
            "game": self.spec.name,
            "players": ", ".join(self.names),
            "board": self.hand().view(0).board_text,
            "line": self.line,
            "payoffs": None if payoffs is None else ", ".join(map(str, payoffs)),
        }

    def frame_columns(self) -> Columns:
        """Return a row for each action, like `Hand`."""
        return self.hand().frame_columns()

    def _repr_html_(self) -> str:
        """Draw the hand in a notebook."""
        return self.hand()._repr_html_()

    def payoffs(self) -> tuple[int, ...] | None:
        """Return chips won or lost by seat, as stated or by the rules; None if unknown."""
        return self.payoffs_of(self.hand())

    def payoffs_of(self, hand: Hand) -> tuple[int, ...] | None:
        """Return the payoffs of this record's hand, which was replayed before."""
        if self.won is not None:
            takings = [sum(pot[seat] for pot in self.won) for seat in range(self.players)]
            return tuple(t - c for t, c in zip(takings, hand.contributions, strict=True))
        return hand.payoffs() if hand.settled else None

    def replace(self, **changes: Any) -> HandRecord:
        """Return a copy with some fields changed."""
        return replace(self, **changes)


def _checked_shows(shows: Iterable[Iterable[Any]], players: int) -> tuple[tuple[int, bool], ...]:
    """Return who showed or mucked; raise `HistoryError` for invalid values."""
    pairs = [listed(pair, "each of the shows") for pair in listed(shows, "the shows")]
    if any(len(pair) != 2 or not isinstance(pair[1], bool) for pair in pairs):
        raise HistoryError(f"the shows must be pairs of a seat and True or False, not {pairs}")
    seen = [seat for seat, _ in pairs]
    if any(seat not in range(players) for seat in seen) or len(set(seen)) < len(seen):
        raise HistoryError(f"each seat may show or muck at most once, not {seen}")
    return tuple((seat, shown) for seat, shown in pairs)


def _checked_won(won: Iterable[Iterable[int]], players: int) -> tuple[tuple[int, ...], ...]:
    """Return the chips that each seat won from each pot; raise `HistoryError` for others."""
    rows = [listed(row, "each of the pots won") for row in listed(won, "the pots won")]
    for row in rows:
        if len(row) != players or not all(type(chips) is int for chips in row):
            raise HistoryError(f"a pot needs {players} whole numbers of chips, not {row}")
    return tuple(rows)


def _checked_boards(boards: Iterable[Iterable[int]]) -> tuple[tuple[int, ...], ...]:
    """Return further boards; raise `HistoryError` unless each is five different cards."""
    rows = tuple(listed(row, "each further board") for row in listed(boards, "the further boards"))
    for row in rows:
        cards = {card for card in row if type(card) is int and 0 <= card < NUM_CARDS}
        if len(row) != _BOARD or len(cards) != _BOARD:
            raise HistoryError(f"a further board must be five different cards, not {str(row)[:60]}")
    return rows


def _whole_second(date: datetime) -> datetime:
    """Return the time in UTC without fractions of a second; a naive time counts as UTC."""
    if not isinstance(date, datetime):
        raise HistoryError(f"the date must be a datetime, not {date!r}")
    aware = date.replace(tzinfo=UTC) if date.tzinfo is None else date.astimezone(UTC)
    return aware.replace(microsecond=0)


def dealt_cards(hand: Hand) -> tuple[int, ...]:
    """Return `hand.deal` with -1 for cards that were not dealt."""
    spec = hand.spec
    game = spec.compiled
    holes = spec.players * game.hole_cards
    swaps = spec.swap_streets
    dealt = spec.board_sizes[hand.street]
    used = set(range(holes + dealt))
    for event in hand.events:
        if event.action.kind == "discard" and event.street in swaps:
            swap = swaps.index(event.street)
            used.add(holes + game.board_cards + swap * spec.players + event.seat)
    return tuple(card if slot in used else -1 for slot, card in enumerate(hand.deal))


def usual_shows(hand: Hand) -> tuple[tuple[int, bool], ...]:
    """Return who shows at showdown in standard order: the last bettor on the river first.

    Without a bet there, the first seat left of the button that has not folded shows first. A seat
    with unknown cards mucks.
    """
    if not hand.finished or len(hand.live) < 2:
        return ()
    last = len(hand.spec.streets) - 1
    bettors = [e.seat for e in hand.events if e.street == last and e.action.kind == "bet"]
    first = bettors[-1] if bettors else (hand.button + 1) % hand.players
    order = sorted(hand.live, key=lambda seat: (seat - first) % hand.players)
    return tuple((seat, min(hand.hole_cards(seat)) >= 0) for seat in order)


def record_of(hand: Hand, **details: Any) -> HandRecord:
    """Return the record of a hand.

    Parameters
    ----------
    hand
        A finished or unfinished hand; cards that were not dealt yet are left out.
    **details
        Fields of `HandRecord` such as `names`, `hand_id`, `table`, `date`.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand(catalogue("nolimit-100bb"), seed=3)
    >>> hand.play("b30f")
    >>> record_of(hand, hand_id="17").line
    'b30f'
    """
    if not isinstance(hand, Hand):
        raise HistoryError(f"expected a Hand to record, not {type(hand).__name__}")
    details.setdefault("shows", usual_shows(hand))
    spec = hand.spec
    return HandRecord(
        spec=spec
        if spec.stacks == hand.starting_stacks
        else spec.replace(stacks=hand.starting_stacks),
        deal=dealt_cards(hand),
        line=hand.full_line,
        **details,
    )
