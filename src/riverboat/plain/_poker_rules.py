"""The rules of poker in slow, short Python: the plain twin of core/game.

Written from docs/rules.md, not from the core. Chips are moved one by one where
that makes a rule simpler.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from riverboat.game import GameSpec

CATEGORIES = ["high card", "pair", "two pair", "trips", "straight", "flush", "full house", "quads"]
SHAPES = {(4, 1): "quads", (3, 2): "full house", (3, 1, 1): "trips", (2, 2, 1): "two pair"}


def five_card_rank(cards: tuple[int, ...], short_deck: bool) -> tuple[int, ...]:
    """Return a tuple that is larger for better five cards."""
    order = [*CATEGORIES, "straight flush"]
    if short_deck:
        order[5], order[6] = order[6], order[5]
    counts = Counter(card // 4 for card in cards)
    groups = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    flush = len({card % 4 for card in cards}) == 1
    wheel = [12, 7, 6, 5, 4] if short_deck else [12, 3, 2, 1, 0]
    if groups == wheel or (len(groups) == 5 and groups[0] - groups[4] == 4):
        top = groups[1] if groups == wheel else groups[0]
        return order.index("straight flush" if flush else "straight"), top
    shape = tuple(sorted(counts.values(), reverse=True))
    name = SHAPES.get(shape, "pair" if 2 in shape else "high card")
    return order.index("flush" if flush else name), *groups


def showdown_strength(spec: GameSpec, hole: list[int], board: list[int]) -> tuple[int, ...]:
    """Return a tuple that is larger for better hands at the showdown.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> spec = catalogue("leduc")
    >>> showdown_strength(spec, [40], [41]) > showdown_strength(spec, [44], [41])
    True
    """
    if spec.showdown == "one-card":
        return (hole[0] // 4,)
    if spec.showdown == "leduc":
        return (int(hole[0] // 4 == board[0] // 4), hole[0] // 4)
    short = spec.showdown == "short-deck"
    return max(five_card_rank(five, short) for five in combinations(hole + board, 5))


@dataclass
class PlainHand:
    """One hand; `move()` makes a move that the rules allow.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand(catalogue("kuhn"), seed=1)
    >>> plain = PlainHand(hand.spec, hand.deal, list(hand.spec.stacks))
    >>> plain.move("k")
    >>> plain.actor
    1
    """

    spec: GameSpec
    deal: tuple[int, ...]
    stacks: list[int]
    street: int = 0
    actor: int = -1
    finished: bool = False
    antes: list[int] = field(default_factory=list)
    bets: list[int] = field(default_factory=list)
    earlier: list[int] = field(default_factory=list)
    folded: set[int] = field(default_factory=set)
    board: list[int] = field(default_factory=list)
    hole: list[list[int]] = field(default_factory=list)
    price: int = 0
    raise_size: int = 0
    price_at_last_move: dict[int, int] = field(default_factory=dict)
    raises: Counter[int] = field(default_factory=Counter)
    waiting_to_discard: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        spec, n = self.spec, self.spec.players
        self.start = list(self.stacks)
        self.antes = [min(ante, stack) for ante, stack in zip(spec.antes, self.stacks, strict=True)]
        self.short_ante = {s for s in range(n) if self.antes[s] < spec.antes[s]}
        self.stacks = [stack - ante for stack, ante in zip(self.stacks, self.antes, strict=True)]
        self.bets = [min(b, stack) for b, stack in zip(spec.blinds, self.stacks, strict=True)]
        self.stacks = [stack - bet for stack, bet in zip(self.stacks, self.bets, strict=True)]
        for seat in range(n):
            rivals = [s for s in range(n) if s != seat]
            if all(s in self.short_ante for s in rivals):
                back = max(0, self.antes[seat] - max(self.antes[s] for s in rivals))
                self.antes[seat] -= back
                self.stacks[seat] += back
        self.earlier = [0] * n
        self.price = max(spec.blinds)
        self.raise_size = self.minimum_raise()
        per_seat = sum(street.hole for street in spec.streets)
        self.to_come = [list(self.deal[s * per_seat : (s + 1) * per_seat]) for s in range(n)]
        dealt = n * per_seat
        board_cards = sum(street.board for street in spec.streets)
        self.board_to_come = list(self.deal[dealt : dealt + board_cards])
        self.replacements = list(self.deal[dealt + board_cards :])
        self.hole = [[] for _ in range(n)]
        self.open_street()

    def minimum_raise(self) -> int:
        """Return the minimum full bet or raise of this street."""
        if self.spec.betting == "fixed-limit":
            return self.spec.streets[self.street].bet_size
        return self.spec.min_bet or max(self.spec.blinds)

    def live(self) -> list[int]:
        """Return the seats that have not folded."""
        return [seat for seat in range(self.spec.players) if seat not in self.folded]

    def in_order(self) -> list[int]:
        """Return the live seats in the betting order of the street."""
        n, first = self.spec.players, self.first()
        return [s for s in ((first + i) % n for i in range(n)) if s not in self.folded]

    def first(self) -> int:
        """Return the seat that acts first on the street."""
        given = self.spec.streets[self.street].first
        if given is not None:
            return given
        if max(self.spec.blinds) == 0:
            return 0
        if self.street > 0:
            return 1 if self.spec.players == 2 else 0
        big = max(self.spec.blinds)
        return (max(s for s, b in enumerate(self.spec.blinds) if b == big) + 1) % self.spec.players

    # ---- streets

    def open_street(self) -> None:
        """Deal the street and give the turn to the first seat."""
        street = self.spec.streets[self.street]
        for seat in range(self.spec.players):
            self.hole[seat] += [self.to_come[seat].pop(0) for _ in range(street.hole)]
        self.board += [self.board_to_come.pop(0) for _ in range(street.board)]
        if street.discard != "none":
            self.waiting_to_discard = self.in_order()
            self.actor = self.waiting_to_discard[0]
        else:
            self.pass_turn(self.first() - 1)

    def pass_turn(self, after: int) -> None:
        """Give the turn to the next seat with a decision."""
        n = self.spec.players
        for step in range(1, n + 1):
            seat = (after + step) % n
            if self.has_decision(seat):
                self.actor = seat
                return
        self.close_street()

    def has_decision(self, seat: int) -> bool:
        """Return whether a seat has a decision."""
        if seat in self.folded or self.stacks[seat] == 0:
            return False
        if self.owed(seat) > 0:
            return True
        return seat not in self.price_at_last_move and self.reply_possible(seat)

    def reply_possible(self, seat: int) -> bool:
        """Return whether any other seat can put in more than the price."""
        return any(
            self.bets[s] + self.stacks[s] > self.price
            for s in self.live()
            if s != seat and self.stacks[s]
        )

    def owed(self, seat: int) -> int:
        """Return the chips that a call adds."""
        most = max((self.bets[s] + self.stacks[s] for s in self.live() if s != seat), default=0)
        return max(0, min(self.stacks[seat], min(self.price, most) - self.bets[seat]))

    def close_street(self) -> None:
        """Return the uncalled bet, then open the next street or settle."""
        highest = max(self.bets)
        second = sorted(self.bets)[-2]
        if highest > second:
            top = self.bets.index(highest)
            self.stacks[top] += highest - second
            self.bets[top] = second
        if len(self.live()) == 1 or self.is_last_street():
            self.settle()
            return
        self.earlier = [a + b for a, b in zip(self.earlier, self.bets, strict=True)]
        self.bets = [0] * self.spec.players
        self.price = 0
        self.street += 1
        self.raise_size = self.minimum_raise()
        self.price_at_last_move = {}
        self.raises = Counter()
        self.open_street()

    def is_last_street(self) -> bool:
        """Return whether no street follows; in high-on-black a black card ends the hand."""
        if self.spec.runs_on and len(self.board) >= 5 and self.board[-1] % 4 in (0, 3):
            return True
        return self.street + 1 == len(self.spec.streets)

    # ---- moves

    def raise_bounds(self) -> tuple[int, int] | None:
        """Return the minimum and maximum raise, or None."""
        seat, street = self.actor, self.spec.streets[self.street]
        everything = self.bets[seat] + self.stacks[seat]
        if self.waiting_to_discard or everything <= self.price or not self.reply_possible(seat):
            return None
        caps = (street.max_raises, street.max_raises_per_seat)
        counts = (self.raises.total(), self.raises[seat])
        if any(cap is not None and count >= cap for cap, count in zip(caps, counts, strict=True)):
            return None
        if seat in self.price_at_last_move:
            increase = self.price - self.price_at_last_move[seat]
            share = 2 if self.spec.betting == "fixed-limit" else 1
            if share * increase < self.raise_size:
                return None
        least = min(self.price + self.raise_size, everything)
        if self.spec.betting == "fixed-limit":
            return least, least
        if self.spec.betting == "no-limit":
            return least, everything
        pot = sum(self.antes) + sum(self.earlier) + sum(self.bets)
        pot_raise = self.price + pot + (self.price - self.bets[seat])
        return least, min(everything, max(least, pot_raise))

    def move(self, text: str) -> None:
        """Make a legal move given as text."""
        seat = self.actor
        if self.waiting_to_discard:
            self.make_discard(text)
            return
        if text == "f":
            self.folded.add(seat)
            if len(self.live()) == 1:
                self.close_street()
                return
        elif text[0] == "b":
            to = int(text[1:])
            if self.spec.betting != "fixed-limit":
                self.raise_size = max(self.raise_size, to - self.price)
            self.put_in(seat, to - self.bets[seat])
            self.price = to
            self.raises[seat] += 1
        elif text == "c":
            self.put_in(seat, self.owed(seat))
        self.price_at_last_move[seat] = self.price
        self.pass_turn(seat)

    def put_in(self, seat: int, chips: int) -> None:
        """Move chips from the stack to the bets."""
        self.stacks[seat] -= chips
        self.bets[seat] += chips

    def make_discard(self, text: str) -> None:
        """Stand pat, swap or toss."""
        seat = self.waiting_to_discard.pop(0)
        kind = self.spec.streets[self.street].discard
        if text[0] == "d":
            card = 4 * "23456789TJQKA".index(text[1]) + "cdhs".index(text[2])
            place = self.hole[seat].index(card)
            if kind == "swap":
                phase = sum(s.discard == "swap" for s in self.spec.streets[: self.street])
                self.hole[seat][place] = self.replacements[phase * self.spec.players + seat]
            else:
                self.hole[seat].pop(place)
                self.board.append(card)
        if self.waiting_to_discard:
            self.actor = self.waiting_to_discard[0]
        else:
            self.pass_turn(self.first() - 1)

    # ---- the end

    def layers(self) -> list[tuple[int, tuple[int, ...]]]:
        """Return (chips, seats that can win them) of the main pot and the side pots."""
        spent = [a + b for a, b in zip(self.earlier, self.bets, strict=True)]
        seats, live = range(self.spec.players), self.live()
        chips: list[tuple[int, tuple[int, ...]]] = []
        for level in range(1, max(self.antes, default=0) + 1):
            count = sum(self.antes[s] >= level for s in seats)
            claims = [s for s in live if s not in self.short_ante or self.antes[s] >= level]
            chips.append((count, tuple(claims)))
        for level in range(1, max(spent) + 1):
            count = sum(spent[s] >= level for s in seats)
            claims = [s for s in live if spent[s] >= level and s not in self.short_ante]
            chips.append((count, tuple(claims)))
        pots: list[tuple[int, tuple[int, ...]]] = []
        for count, eligible in chips:
            if pots and (pots[-1][1] == eligible or not eligible):
                pots[-1] = (pots[-1][0] + count, pots[-1][1])
            else:
                pots.append((count, eligible))
        return pots

    def rake_of(self, chips: int) -> int:
        """Return the rake of a total."""
        rake = self.spec.rake
        if rake.no_flop_no_drop and not self.board:
            return 0
        taken = chips * round(rake.percent * 100) // 10000
        return min(taken, rake.cap) if rake.cap else taken

    def settle(self) -> None:
        """Give each pot to its winners, chip by chip."""
        self.finished = True
        self.pots = self.layers()
        seen = 0
        n = self.spec.players
        button = 0 if n == 2 else n - 1
        for amount, eligible in self.pots:
            net = amount - (self.rake_of(seen + amount) - self.rake_of(seen))
            seen += amount
            winners = list(eligible)
            if len(self.live()) > 1:
                hands = {
                    s: showdown_strength(self.spec, self.hole[s], self.board) for s in eligible
                }
                winners = [s for s in eligible if hands[s] == max(hands.values())]
            left_of_button = sorted(winners, key=lambda s: (s - button - 1) % n)
            for chip in range(net):
                self.stacks[left_of_button[chip % len(winners)]] += 1
        self.payoffs = [end - start for end, start in zip(self.stacks, self.start, strict=True)]
