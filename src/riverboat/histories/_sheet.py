"""The common part of the readers of PokerStars text and OHH: chairs, posts, actions and pots.

Both formats name players by chair and contain the posts. Their readers fill a `Sheet`, which
determines the seats and the game, and replays the hand.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from riverboat.errors import HistoryError
from riverboat.game import GameSpec
from riverboat.histories._carry import holdem_streets, settle
from riverboat.histories._record import HandRecord, record_of
from riverboat.histories._replay import Rebuild, read_amount, unit_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riverboat.game import Hand


@dataclass(frozen=True, slots=True)
class SheetMove:
    """One action: `amount` is on the street (kind `bet`), or added (`add`, `call`)."""

    chair: int
    kind: str
    amount: str
    text: str


@dataclass(slots=True)
class Sheet:
    """A hand as in the source: amounts are text, players are chairs."""

    betting: Any = "no-limit"
    small: str = ""
    big: str = ""
    limit_bets: tuple[str, str] | None = None
    ante: str | None = None
    dealer: int = 0
    names: dict[int, str] = field(default_factory=dict)
    stacks: dict[int, str] = field(default_factory=dict)
    antes: dict[int, str] = field(default_factory=dict)
    blinds: dict[int, str] = field(default_factory=dict)
    hole: dict[int, tuple[int, ...]] = field(default_factory=dict)
    board: list[int] = field(default_factory=list)
    moves: list[SheetMove] = field(default_factory=list)
    shows: list[tuple[int, bool]] = field(default_factory=list)
    pots: dict[int, dict[int, list[str]]] = field(default_factory=dict)
    rake: str | None = None
    details: dict[str, Any] = field(default_factory=dict)

    def know(self, chair: int, cards: tuple[int, ...]) -> None:
        """Set hole cards; repeated statements must agree."""
        before = self.hole.setdefault(chair, cards)
        if set(before) != set(cards):
            raise HistoryError(f"chair {chair} has two different hands")

    def take(self, pot: int, chair: int, amount: str) -> None:
        """Add chips that a player won from a pot."""
        self.pots.setdefault(pot, {}).setdefault(chair, []).append(amount)

    def record(self) -> HandRecord:
        """Determine seats and game, replay the hand and compare the result."""
        return _Table(self).record()


class _Table:
    """A sheet with its seats: `chairs[seat]` is the chair."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.chairs = _chairs_by_seat(sheet)
        self.unit = unit_of(_amounts(sheet))
        self.stacks = [self.chips(sheet.stacks[chair]) for chair in self.chairs]

    def chips(self, text: str) -> int:
        return read_amount(text, self.unit)

    def by_seat(self, amounts: dict[int, str]) -> list[int]:
        """Return chips by seat, 0 by default."""
        return [self.chips(amounts.get(chair, "0")) for chair in self.chairs]

    def full_antes(self) -> tuple[int, ...]:
        """Return the full antes: a player who is all-in with the ante may owe more."""
        posted = self.by_seat(self.sheet.antes)
        all_in = [chips == stack for chips, stack in zip(posted, self.stacks, strict=True)]
        if self.sheet.ante is not None:
            full = self.chips(self.sheet.ante)
        else:  # the big blind may have a different ante, so the other seats count first
            able = [chips for chips, short in zip(posted, all_in, strict=True) if not short]
            others = [posted[s] for s in range(len(posted)) if s != 1 and not all_in[s]]
            full = max(others or able or posted)
        return tuple(
            max(chips, full) if chips and short else chips
            for chips, short in zip(posted, all_in, strict=True)
        )

    def spec(self) -> GameSpec:
        """Return the game."""
        sheet, n = self.sheet, len(self.chairs)
        streets, antes = holdem_streets(), self.full_antes()
        small, big = self.chips(sheet.small or "0"), self.chips(sheet.big or "0")
        if sheet.limit_bets is not None:
            sizes = self.chips(sheet.limit_bets[0]), self.chips(sheet.limit_bets[1])
            streets = holdem_streets(*sizes)
            posted = self.by_seat(sheet.blinds)
            # The source has only the bet sizes, but blinds that were posted in full are known.
            small = small or (sizes[0] // 2 if self.is_short(0, antes, posted) else posted[0])
            big = big or (sizes[0] if self.is_short(1, antes, posted) else posted[1])
        return GameSpec(
            stacks=tuple(self.stacks),
            blinds=(small, big) + (0,) * (n - 2),
            antes=antes,
            betting=sheet.betting,
            streets=streets,
        )

    def is_short(self, seat: int, antes: tuple[int, ...], posted: list[int]) -> bool:
        """Whether a seat is all-in with its ante and blind."""
        return self.stacks[seat] <= antes[seat] + posted[seat]

    def check_posts(self, spec: GameSpec) -> None:
        """Refuse dead, missing and extra blinds."""
        posted = self.by_seat(self.sheet.blinds)
        antes = self.by_seat(self.sheet.antes)
        for seat, stack in enumerate(self.stacks):
            ante = min(stack, spec.antes[seat])
            blind = min(stack - ante, spec.blinds[seat])
            missing = seat < 2 and spec.blinds[seat] == 0
            if (antes[seat], posted[seat]) != (ante, blind) or missing:
                name = self.sheet.names[self.chairs[seat]]
                raise HistoryError(
                    f"{name[:40]!r} posts {antes[seat]} and {posted[seat]} chips, but the rules "
                    f"require an ante of {ante} and a blind of {blind}; "
                    "missing, dead and extra blinds are not supported"
                )

    def play(self, rebuild: Rebuild) -> None:
        """Replay the actions."""
        words = {"fold": "f", "check": "k", "call": "c"}
        for move in self.sheet.moves:
            seat, what = self.seat(move.chair), move.text[:80]
            if move.kind in words:
                rebuild.check_turn(seat, what)
                owed = rebuild.hand.to_call
                if move.kind == "call" and self.chips(move.amount) != owed:
                    raise HistoryError(f"{what!r}: a call adds {owed} chips here")
                rebuild.do(seat, words[move.kind], what)
            else:
                before = rebuild.hand.bets[seat] if move.kind == "add" else 0
                rebuild.do(seat, f"b{before + self.chips(move.amount)}", what)

    def seat(self, chair: int) -> int:
        """Return the seat of a chair; raise `HistoryError` if it has none."""
        if chair not in self.chairs:
            raise HistoryError(f"chair {chair} shows cards, but is not in the hand")
        return self.chairs.index(chair)

    def record(self) -> HandRecord:
        sheet, n = self.sheet, len(self.chairs)
        spec = self.spec()
        self.check_posts(spec)
        hole = [sheet.hole.get(chair, (-1, -1)) for chair in self.chairs]
        rebuild = Rebuild(spec, hole, sheet.board)
        self.play(rebuild)
        rebuild.check_finished()
        hand, won = self.settled(rebuild)
        hero = sheet.details.pop("hero_chair", None)
        return record_of(
            hand,
            names=tuple(sheet.names[chair] for chair in self.chairs),
            shows=tuple((self.seat(chair), shown) for chair, shown in sheet.shows),
            won=won,
            unit=self.unit,
            hero=self.seat(hero) if hero in self.chairs else None,
            seat_numbers=() if self.chairs == list(range(1, n + 1)) else tuple(self.chairs),
            **sheet.details,
        )

    def settled(self, rebuild: Rebuild) -> tuple[Hand, tuple[tuple[int, ...], ...] | None]:
        """Compare the stated winnings with the rules."""
        rows = [
            [sum(map(self.chips, pot.get(chair, ()))) for chair in self.chairs]
            for _, pot in sorted(self.sheet.pots.items())
        ]
        taken = sum(map(sum, rows))
        if not rows:
            raise HistoryError("the text does not name the winner of the pot")
        rake = rebuild.hand.pot - taken if self.sheet.rake is None else self.chips(self.sheet.rake)
        return settle(rebuild, rows, rake)


def _amounts(sheet: Sheet) -> Iterator[str]:
    """All amounts of the sheet."""
    yield from (sheet.small, sheet.big, sheet.ante or "", sheet.rake or "")
    yield from sheet.limit_bets or ()
    for amounts in (sheet.stacks, sheet.antes, sheet.blinds):
        yield from amounts.values()
    yield from (move.amount for move in sheet.moves)
    for pot in sheet.pots.values():
        for taken in pot.values():
            yield from taken


def _chairs_by_seat(sheet: Sheet) -> list[int]:
    """Return the chairs of all players in the hand, the small blind first.

    Players who neither post nor act are not in the hand.
    """
    acting = {*sheet.antes, *sheet.blinds, *(move.chair for move in sheet.moves)}
    chairs = sorted(acting)
    if not 2 <= len(chairs) <= 10:
        raise HistoryError(f"a hand has 2 to 10 players, not {len(chairs)}")
    if len(chairs) == 2:
        if sheet.dealer not in chairs:
            raise HistoryError(f"chair {sheet.dealer} has the button, but is not in the hand")
        first = chairs.index(sheet.dealer)
    else:
        first = next((i for i, chair in enumerate(chairs) if chair > sheet.dealer), 0)
    return chairs[first:] + chairs[:first]
