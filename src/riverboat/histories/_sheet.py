"""The common part of the readers of site histories and OHH: chairs, posts, actions and pots.

These formats name players by chair and contain the posts. Their readers fill a `Sheet`, which
determines the seats and the game, and replays the hand. Who posts or acts is in the hand, whatever
the list of players says.

Posts and the rules: a dead blind counts like an ante, because it is no part of a bet; the live
blind of a returning player is a blind of that seat, and the player after the big blind still acts
first; a straddle is one more blind, and the player after it acts first.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from riverboat.errors import HistoryError
from riverboat.game import GameSpec, Hand
from riverboat.histories._carry import holdem_streets, settle, settle_runs
from riverboat.histories._record import HandRecord, record_of
from riverboat.histories._replay import Rebuild, read_amount, unit_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_STREETS = ("before the flop", "on the flop", "on the turn", "on the river")
_MOST_UNSTATED_RAKE = 0.12  # of the pot: sites leave out the rake, or a jackpot's share of it


@dataclass(frozen=True, slots=True)
class SheetMove:
    """One action: `amount` is on the street (kind `bet`), or added (`add`, `call`, `all-in`).

    `street` is the number of the street in the source, or -1 if the source does not have it.
    """

    chair: int
    kind: str
    amount: str
    text: str
    street: int = -1


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
    kinds: dict[int, str] = field(default_factory=dict)  # small, big, straddle or extra
    dead: dict[int, str] = field(default_factory=dict)
    cap: str = ""
    hole: dict[int, tuple[int, ...]] = field(default_factory=dict)
    board: list[int] = field(default_factory=list)
    run_outs: list[list[int]] = field(default_factory=list)
    moves: list[SheetMove] = field(default_factory=list)
    shows: dict[int, bool] = field(default_factory=dict)
    pots: dict[int, dict[int, list[str]]] = field(default_factory=dict)
    rake: str | None = None
    raked: bool = True  # tournaments take no rake from a pot
    total: str = ""  # the pot that the site states, with or without the rake
    details: dict[str, Any] = field(default_factory=dict)

    def know(self, chair: int, cards: tuple[int, ...]) -> None:
        """Set hole cards; repeated statements must agree."""
        before = self.hole.setdefault(chair, cards)
        if before != cards and set(before) != set(cards):
            raise HistoryError(f"chair {chair} has two different hands")

    def post(self, chair: int, kind: str, amount: str) -> None:
        """Add a blind or a straddle; a player may post one, and extra posts of it are refused."""
        if chair in self.blinds and kind != "straddle":
            name = self.names[chair][:40]
            raise HistoryError(f"{name!r} posts {amount}: a second post of the same player")
        self.blinds[chair], self.kinds[chair] = amount, kind

    def take(self, pot: int, chair: int, amount: str) -> None:
        """Add chips that a player won from a pot."""
        self.pots.setdefault(pot, {}).setdefault(chair, []).append(amount)

    def renumber(self, new: dict[int, int]) -> None:
        """Give the players in the hand other chairs, and leave the others out."""
        for what in ("names", "stacks", "antes", "blinds", "kinds", "dead", "hole", "shows"):
            old = getattr(self, what)
            setattr(self, what, {new[chair]: value for chair, value in old.items() if chair in new})
        self.moves = [replace(move, chair=new[move.chair]) for move in self.moves]
        self.pots = {
            pot: {new[chair]: won for chair, won in taken.items() if chair in new}
            for pot, taken in self.pots.items()
        }
        hero = self.details.pop("hero_chair", None)
        if hero in new:
            self.details["hero_chair"] = new[hero]

    def record(self) -> HandRecord:
        """Determine seats and game, replay the hand and compare the result."""
        return _Table(self).record()


class _Table:
    """A sheet with its seats: `chairs[seat]` is the chair."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.chairs = _chairs_by_seat(sheet)
        self.seats = {chair: seat for seat, chair in enumerate(self.chairs)}
        self.excess: tuple[int, int] | None = None  # chips of a raise that nobody could answer
        self.unit = unit_of(_amounts(sheet))
        self.stacks = [self.stack(chair) for chair in self.chairs]
        if sheet.cap:
            cap = self.chips(sheet.cap)
            self.stacks = [min(stack, cap) for stack in self.stacks]

    def stack(self, chair: int) -> int:
        """Return the chips of a player; a site may state those left after an all-in blind."""
        sheet = self.sheet
        chips = self.chips(sheet.stacks[chair])
        if chips or any(move.chair == chair for move in sheet.moves):
            return chips
        posts = (sheet.antes, sheet.blinds, sheet.dead)
        return sum(self.chips(what[chair]) for what in posts if chair in what)

    def chips(self, text: str) -> int:
        return read_amount(text, self.unit)

    def by_seat(self, amounts: dict[int, str]) -> list[int]:
        """Return chips by seat, 0 by default."""
        return [self.chips(amounts.get(chair, "0")) for chair in self.chairs]

    def full_antes(self) -> tuple[int, ...]:
        """Return the full antes: a player who is all-in with the ante may owe more."""
        posted = self.by_seat(self.sheet.antes)
        if not any(posted):
            return tuple(posted)
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

    def full_blinds(self, small: int, big: int) -> list[int]:
        """Return the blinds; who posts the last chips may owe more."""
        sheet = self.sheet
        blinds = self.by_seat(sheet.blinds)
        before = [a + d for a, d in zip(self.by_seat(sheet.antes), self.dead(), strict=True)]
        owed = {"small": small, "big": big, "extra": big}
        for chair, kind in sheet.kinds.items():
            seat = self.seats[chair]
            if self.stacks[seat] <= before[seat] + blinds[seat]:
                blinds[seat] = max(blinds[seat], owed.get(kind, 0))
        for seat, kind in ((0, "small"), (1, "big")):  # the ante may take all chips
            missing = kind not in sheet.kinds.values()
            if missing and not blinds[seat] and self.stacks[seat] <= before[seat]:
                blinds[seat] = owed[kind]
        return blinds

    def dead(self) -> list[int]:
        return self.by_seat(self.sheet.dead)

    def spec(self) -> GameSpec:
        """Return the game."""
        sheet = self.sheet
        small, big = self.chips(sheet.small or "0"), self.chips(sheet.big or "0")
        streets = holdem_streets()
        if sheet.limit_bets is not None:
            sizes = self.chips(sheet.limit_bets[0]), self.chips(sheet.limit_bets[1])
            streets = holdem_streets(*sizes)
            # The source has only the bet sizes, but blinds that were posted in full are known.
            small, big = small or sizes[0] // 2, big or sizes[0]
        blinds = self.full_blinds(small, big)
        if not any(blinds):
            blinds[1] = big  # all players are all-in with their antes
        spec = GameSpec(
            stacks=tuple(self.stacks),
            blinds=tuple(blinds),
            antes=tuple(a + d for a, d in zip(self.full_antes(), self.dead(), strict=True)),
            betting=sheet.betting,
            streets=streets,
            min_bet=big if 0 < big < max(blinds) and sheet.limit_bets is None else 0,
        )
        first = self.first_seat()
        if first in (None, spec.first_seat(0)):
            return spec
        return spec.replace(streets=(replace(streets[0], first=first), *streets[1:]))

    def first_seat(self) -> int | None:
        """Return the seat after the big blind or the last straddle, None if nobody posted them."""
        kinds = self.sheet.kinds
        for kind in ("straddle", "big"):
            seats = [self.seats[chair] for chair, what in kinds.items() if what == kind]
            if seats:
                return (max(seats) + 1) % len(self.chairs)
        return None

    def seat(self, chair: int) -> int:
        """Return the seat of a chair; raise `HistoryError` if it has none."""
        if chair not in self.seats:
            raise HistoryError(f"chair {chair} shows cards, but is not in the hand")
        return self.seats[chair]

    def replayed(self) -> Rebuild:
        """Return the hand after all actions."""
        sheet = self.sheet
        hole = [sheet.hole.get(chair, (-1, -1)) for chair in self.chairs]
        spec = self.spec()
        rebuild = Rebuild(spec, hole, sheet.board)
        if not self.play(rebuild):
            rebuild = Rebuild(spec.with_open_folds(), hole, sheet.board)
            self.play(rebuild)
        while not rebuild.hand.finished and self.is_absent(rebuild.hand, len(sheet.moves)):
            rebuild.hand.do("f" if rebuild.hand.to_call else "k")
        rebuild.check_finished()
        return rebuild

    def play(self, rebuild: Rebuild) -> bool:
        """Replay the actions; return False at a fold where a check is free, if that is illegal.

        At tables with fast folds a player may fold before the turn comes; such a fold waits.
        """
        hand, early = rebuild.hand, dict[int, SheetMove]()
        for index, move in enumerate(self.sheet.moves):
            seat, what = self.seats[move.chair], move.text[:80]
            while hand.actor not in (None, seat) and (
                hand.actor in early or self.is_absent(hand, index)
            ):
                hand.do("f" if hand.to_call else "k")
            if move.kind == "fold" and hand.actor not in (None, seat) and seat in hand.live:
                early[seat] = move
                continue
            rebuild.check_turn(seat, what)
            if move.street not in (-1, hand.street):
                at = _STREETS[move.street]
                raise HistoryError(f"{what!r} is {at}, but the betting is {_STREETS[hand.street]}")
            if move.kind == "fold" and not hand.to_call and not hand.spec.open_folds:
                return False
            rebuild.do(seat, self.action(hand, move), what)
        while hand.actor in early:
            hand.do("f" if hand.to_call or hand.spec.open_folds else "k")
        return True

    def is_absent(self, hand: Hand, index: int) -> bool:
        """Whether the seat to act does nothing more: sites leave out folds of absent players."""
        if hand.actor is None:
            return False
        chair, sheet = self.chairs[hand.actor], self.sheet
        return (
            all(move.chair != chair for move in sheet.moves[index:])
            and not any(chair in pot for pot in sheet.pots.values())
            and chair not in sheet.shows
        )

    def action(self, hand: Hand, move: SheetMove) -> str:
        """Return an action as text."""
        match move.kind:
            case "fold":
                return "f"
            case "check":
                return "k"
            case "call":
                owed = hand.to_call
                if move.amount and self.chips(move.amount) != owed:
                    raise HistoryError(f"{move.text[:80]!r}: a call adds {owed} chips here")
                return "c"
            case "bet":
                return self.bet(hand, self.seats[move.chair], self.chips(move.amount))
        seat = self.seats[move.chair]
        added = self.chips(move.amount) if move.amount else hand.stacks[seat]
        if move.kind == "all-in":  # some sites name all chips of the hand or of the street
            added = min(added, hand.stacks[seat])
        if move.kind == "all-in" and added <= hand.to_call:
            return "c"
        return self.bet(hand, seat, hand.bets[seat] + added)

    def bet(self, hand: Hand, seat: int, to: int) -> str:
        """Return a bet, or the call that it is if no other seat has chips to answer it."""
        if hand.to_call and to > hand.price:
            rest = [hand.bets[s] + hand.stacks[s] for s in hand.live if s != seat]
            if max(rest, default=0) <= hand.price:
                self.excess = (seat, to - hand.price)
                return "c"
        return f"b{to}"

    def record(self) -> HandRecord:
        sheet, n = self.sheet, len(self.chairs)
        rebuild = self.replayed()
        hand, won = self.settled(rebuild)
        details = dict(sheet.details)
        hero = details.pop("hero_chair", None)
        return record_of(
            hand,
            names=tuple(sheet.names[chair] for chair in self.chairs),
            shows=tuple((self.seat(chair), shown) for chair, shown in sheet.shows.items()),
            won=won,
            unit=self.unit,
            hero=self.seats.get(hero),
            seat_numbers=() if self.chairs == list(range(1, n + 1)) else tuple(self.chairs),
            run_outs=tuple(tuple(board) for board in sheet.run_outs),
            **details,
        )

    def settled(self, rebuild: Rebuild) -> tuple[Hand, tuple[tuple[int, ...], ...] | None]:
        """Compare the stated winnings with the rules."""
        hand = rebuild.hand
        rows = [
            [sum(map(self.chips, pot.get(chair, ()))) for chair in self.chairs]
            for _, pot in sorted(self.sheet.pots.items())
        ]
        if not rows and len(hand.live) == 1 and not self.chips(self.sheet.rake or "0"):
            return hand, None
        if not rows:
            raise HistoryError("the text does not name the winner of the pot")
        rows = self.without_refund(hand, rows)
        taken = sum(map(sum, rows))
        stated, rake = self.chips(self.sheet.rake or "0"), hand.pot - taken
        if rake != stated and not self.leaves_rake_out(hand, taken):
            raise HistoryError(
                f"the players won {taken}"
                f"{f' and the rake is {stated}' if stated else ''}, but the pot is {hand.pot}"
            )
        if not taken:
            raise HistoryError("the text does not name the winner of the pot")
        if self.sheet.run_outs:
            return settle_runs(hand, rows, rake, self.sheet.run_outs)
        return settle(rebuild, rows, rake)

    def leaves_rake_out(self, hand: Hand, taken: int) -> bool:
        """Whether chips that nobody won may be rake that the site does not state."""
        sheet, stated = self.sheet, self.chips(self.sheet.rake or "0")
        if not sheet.raked or (sheet.rake is not None and not stated):
            return False
        back = (hand.refund or self.excess or (0, 0))[1]
        known = (0, stated, back, stated + back)  # what a stated pot may have besides winnings
        if sheet.total and self.chips(sheet.total) - taken not in known:
            return False
        return stated <= hand.pot - taken <= _MOST_UNSTATED_RAKE * hand.pot + 1

    def without_refund(self, hand: Hand, rows: list[list[int]]) -> list[list[int]]:
        """Leave the returned bet out of the winnings: some sites count it as won."""
        taken = sum(map(sum, rows))
        refund = hand.refund or self.excess
        if refund is None or taken <= hand.pot:
            return rows
        seat, chips = refund
        for row in rows:
            if row[seat] >= chips and taken - chips <= hand.pot:
                row[seat] -= chips
                break
        return rows


def _amounts(sheet: Sheet) -> Iterator[str]:
    """All amounts of the sheet."""
    yield from (sheet.small, sheet.big, sheet.ante or "", sheet.rake or "", sheet.cap, sheet.total)
    yield from sheet.limit_bets or ()
    for amounts in (sheet.stacks, sheet.antes, sheet.blinds, sheet.dead):
        yield from amounts.values()
    yield from (move.amount for move in sheet.moves)
    for pot in sheet.pots.values():
        for taken in pot.values():
            yield from taken


def _chairs_by_seat(sheet: Sheet) -> list[int]:
    """Return the chairs of all players in the hand, the small blind first.

    Players who neither post nor act are not in the hand.
    """
    acting = {*sheet.antes, *sheet.blinds, *sheet.dead, *(move.chair for move in sheet.moves)}
    chairs = sorted(acting)
    if not 2 <= len(chairs) <= 10:
        raise HistoryError(f"a hand has 2 to 10 players, not {len(chairs)}")
    missing = next((chair for chair in chairs if chair not in sheet.stacks), None)
    if missing is not None:
        raise HistoryError(f"chair {missing} acts, but is not in the list of players")
    posted = {kind: chair for chair, kind in sheet.kinds.items()}
    if len(chairs) == 2:
        first = chairs.index(_small_blind_of_two(sheet, chairs, posted))
    elif sheet.dealer:
        first = next((i for i, chair in enumerate(chairs) if chair > sheet.dealer), 0)
    elif "small" in posted:
        first = chairs.index(posted["small"])
    else:
        raise HistoryError("the text names neither the button nor the small blind")
    return chairs[first:] + chairs[:first]


def _small_blind_of_two(sheet: Sheet, chairs: list[int], posted: dict[str, int]) -> int:
    """Return the chair of the small blind, which has the button."""
    if "small" in posted:
        return posted["small"]
    if sheet.dealer in chairs:
        return sheet.dealer
    if "big" in posted:
        return next(chair for chair in chairs if chair != posted["big"])
    raise HistoryError(f"chair {sheet.dealer} has the button, but is not in the hand")
