"""One round of the engine: reads its clauses and builds a `Hand`."""

import re
from dataclasses import dataclass, field
from itertools import combinations

from msgspec.structs import replace

from riverboat.cards import card_text, evaluate, parse_cards
from riverboat.errors import ProtocolError, RiverboatError
from riverboat.game import GameSpec, Hand, LegalActions, View
from riverboat.protocols.client import nearest_bet, nearest_move
from riverboat.protocols.mit._variants import Variant

_RIVER = 5  # cards of the board
_LETTERS = {"F": "f", "C": "c", "K": "k"}
_AUCTION = re.compile(r"([0-9]{1,9}),([0-9]{1,9})_([0-9]{1,9}),([0-9]{1,9})_(.*)", re.ASCII)


def _cards(text: str) -> list[int]:
    try:
        return list(parse_cards(text.replace(",", "")))
    except RiverboatError as error:
        raise ProtocolError(str(error)) from error


def number(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,9}", text, re.ASCII):
        raise ProtocolError(f"{text[:40]!r} is not a whole number")
    return int(text)


@dataclass(slots=True)
class Round:
    """The known state of a round.

    Attributes
    ----------
    variant, spec
        The year, and the game of this round.
    seat
        Our seat; 0 is the small blind.
    hole
        Our hole cards as dealt, and a third card after an auction that we won.
    board
        All public cards, in the engine's order.
    streets
        Actions by the number of public cards at that time, in the engine's letters.
    bids
        Bids by seat, once both are known.
    """

    variant: Variant
    spec: GameSpec
    seat: int
    hole: list[int] = field(default_factory=list)
    board: list[int] = field(default_factory=list)
    streets: list[list[str]] = field(default_factory=lambda: [[]])
    tosses: int = 0
    waits: bool = False
    bids: tuple[int, int] | None = None
    stacks: tuple[int, int] | None = None
    opponent: list[int] = field(default_factory=list)
    bidding: bool = False

    def hear_hole(self, text: str) -> None:
        """Read our hole cards."""
        hole = _cards(text)
        if len(hole) != self.spec.streets[0].hole:
            raise ProtocolError(f"{text[:40]!r} are not {self.spec.streets[0].hole} cards")
        self.hole = hole

    def hear(self, clause: str) -> None:
        """Read a clause other than clock, seat and result."""
        letter, rest = clause[:1], clause[1:]
        if letter in _LETTERS and not rest:
            self._act(letter)
        elif letter == "R":
            self._act(f"R{number(rest)}")
        elif letter == "B":
            self._deal(_cards(rest))
        elif letter == "O":
            self.opponent = _cards(rest)
        elif letter == "D" and self.variant.tosses:
            self._toss(number(rest))
        elif letter == "N" and self.variant.auction:
            self._sold(rest)
        elif letter == "A" and self.variant.auction:
            number(rest)  # a bid: a later clause has the result
        elif letter not in ("G", "Y"):
            raise ProtocolError(f"{clause[:40]!r} is not a clause")

    def _act(self, letter: str) -> None:
        if self.waits and letter == "K":  # the opponent acknowledges the toss
            self.waits = False
            return
        self.streets[-1].append(letter)

    def _deal(self, board: list[int]) -> None:
        if len(board) < len(self.board):
            raise ProtocolError(
                f"a board of {len(board)} cards follows a board of {len(self.board)} cards"
            )
        new = len(board) > len(self.board)  # after an auction the flop is sent again
        if new and (not self.variant.tosses or len(board) in (2, 5, 6)):
            self.streets.append([])
        self.board = board
        self.bidding = self.variant.auction and len(board) == 3 and self.bids is None

    def _toss(self, index: int) -> None:
        if self.tosses == 2 or not 0 <= index < 3:
            raise ProtocolError(f"card {index} cannot be tossed in toss {self.tosses + 1}")
        mine = self.seat == 1 - self.tosses
        self.streets[-1].append(f"D{index if mine else ''}")
        self.tosses, self.waits = self.tosses + 1, True

    def _sold(self, text: str) -> None:
        found = _AUCTION.fullmatch(text)
        if found is None:
            raise ProtocolError(f"{text[:40]!r} is not the result of an auction")
        first, second, bid, other = map(int, found.groups()[:4])
        hole = _cards(found.group(5))
        if len(hole) not in (2, 3):
            raise ProtocolError(
                f"a seat has {len(hole)} hole cards after the auction: 2 or 3 are possible"
            )
        self.stacks, self.bids, self.hole = (first, second), (bid, other), hole
        self.bidding = False

    # ---- The round as a `Hand`

    def hand(self) -> Hand:
        """Replay the round by Riverboat's rules."""
        try:
            hand = self._new_hand()
            for actions in self._lines():
                for action in actions:
                    if hand.actor is not None:
                        hand.do(self._move(hand, action))
        except ProtocolError:
            raise
        except RiverboatError as error:
            raise ProtocolError(f"{self.streets} does not fit: {error}") from error
        return hand

    def view(self, hand: Hand) -> View:
        """Return our bot's view, with the engine's pot and bet limits."""
        view = hand.view(self.seat)
        pot = view.pot
        if self.bids is not None:
            pot += 2 * self.bids[0] if self.bids[0] == self.bids[1] else min(self.bids)
        return replace(view, pot=pot, legal=_legal(view))

    def _new_hand(self) -> Hand:
        holes: list[list[int] | None] = [None, None]
        holes[self.seat] = self._two_cards() if self.variant.auction else self.hole
        other = self.opponent or None
        if self.variant.tosses:
            other = self._known_of_opponent()
        elif other is not None:
            other = other[:2]
        holes[1 - self.seat] = other
        stacks = None
        if self.stacks is not None:
            spent = self._preflop_chips()
            stacks = (self.stacks[0] + spent, self.stacks[1] + spent)
        return Hand(self.spec, hole=holes, board=self._dealt_board(), stacks=stacks)

    def _two_cards(self) -> list[int]:
        """Return the two of three cards that make the best hand with the board."""
        if len(self.hole) == 2 or len(self.board) < 3:
            return self.hole[:2]
        board = self.board[:_RIVER]
        return list(max(combinations(self.hole, 2), key=lambda two: evaluate([*two, *board])))

    def _preflop_chips(self) -> int:
        """Chips that each player put in before the flop."""
        raises = [int(action[1:]) for action in self.streets[0] if action[0] == "R"]
        return raises[-1] if raises else self.spec.big_blind

    def _known_of_opponent(self) -> list[int]:
        """The known cards of the opponent's three; a tossed card is public."""
        kept = list(self.opponent)
        place = (
            2 + self.seat if self.tosses > self.seat else None
        )  # index of the card that the opponent tossed
        if place is not None and place < len(self.board):
            kept.insert(0, self.board[place])
        return kept + [-1] * (3 - len(kept))

    def _dealt_board(self) -> list[int]:
        if self.variant.tosses:
            return self.board[:2] + self.board[4:]
        if self.spec.runs_on or len(self.board) <= _RIVER:
            return self.board
        # The engine uses all board cards; here the five that are best for our hand replace them.
        return list(max(combinations(self.board, 5), key=lambda c: evaluate([*self.hole, *c])))

    def _lines(self) -> list[list[str]]:
        """Return the actions by street; streets after the river become the river."""
        if self.spec.runs_on or not self.variant.reds or len(self.streets) <= 4:
            return self.streets
        merged = _merged(self.streets[2:-1])
        return [*self.streets[:2], merged, self.streets[-1]]

    def _move(self, hand: Hand, action: str) -> str:
        if action[0] == "R":
            return nearest_bet(hand, int(action[1:]))
        if action[0] != "D":
            return nearest_move(hand, _LETTERS[action])
        card = self.hole[int(action[1:])] if action[1:] else self._known_of_opponent()[0]
        legal = list(hand.legal())
        wanted = "d" if card < 0 else f"d{card_text(card)}"
        if wanted not in legal:
            raise ProtocolError(f"{wanted} cannot be tossed")
        return wanted


def _merged(streets: list[list[str]]) -> list[str]:
    """Merge finished streets into one with the same chips and the same last bettor."""
    total, bettor = 0, 0
    for actions in streets:
        bets = [(i, int(action[1:])) for i, action in enumerate(actions) if action[0] == "R"]
        if bets:
            total += bets[-1][1]
            bettor = bets[-1][0] % 2
    if not total:
        return ["K", "K"]
    return [*["K"] * bettor, f"R{total}", "C"]


def _legal(view: View) -> LegalActions:
    """Limit raises to what the opponent can call, as the engine does."""
    legal = view.legal
    if legal.raise_to is None:
        return legal
    other = 1 - view.seat
    most = min(legal.raise_to[1], view.bets[other] + view.stacks[other])
    least = min(legal.raise_to[0], most)
    bounds = None if most <= max(view.bets) else (least, most)
    return replace(legal, raise_to=bounds)
