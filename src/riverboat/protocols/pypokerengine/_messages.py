"""Messages to PyPokerEngine's players from a hand of Riverboat, and the winners of a hand.

The player itself always has place 0 in the list of seats; the other players follow clockwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from riverboat.cards import BOARD_CARDS, STREETS
from riverboat.game import Hand
from riverboat.protocols.pypokerengine._rules import card_text

try:
    from pypokerengine.engine.card import Card
    from pypokerengine.engine.hand_evaluator import HandEvaluator
except ImportError:
    HandEvaluator = None

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from riverboat.game import LegalActions, View

    Message = dict[str, Any]

_UUID_LETTERS: Final = 22
_NOBODY: Final = "not_found"


def uuid_of(place: int) -> str:
    """Return the identifier of a place: 22 lower-case letters, as in the engine."""
    return chr(ord("a") + place) * _UUID_LETTERS


def valid_actions(legal: LegalActions, price: int) -> list[Message]:
    """Return the engine's list of actions: fold, call and raise.

    Parameters
    ----------
    legal
        Legal actions. Without a legal raise the bounds are -1.
    price
        The largest bet of the street, chips.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> valid_actions(Hand(catalogue("nolimit-100bb"), seed=1).legal(), 10)[2]
    {'action': 'raise', 'amount': {'min': 20, 'max': 1000}}
    """
    least, most = legal.raise_to or (-1, -1)
    return [
        {"action": "fold", "amount": 0},
        {"action": "call", "amount": price},
        {"action": "raise", "amount": {"min": least, "max": most}},
    ]


class HandAccount:
    """Chips and actions of one hand as the engine keeps them.

    Parameters
    ----------
    hand
        The hand before the first action; antes and blinds are taken from it.
    view
        The player's view of the hand.
    name
        Name of the player.
    round_count
        Number of the hand, counted from 1.
    """

    def __init__(self, hand: Hand, view: View, name: str, round_count: int) -> None:
        self._players = hand.players
        self._seat = view.seat
        self._round_count = round_count
        self._button = view.button
        self._small_blind = hand.spec.small_blind
        self._names = [name, *(f"opponent{place}" for place in range(1, hand.players))]
        self.stacks = list(hand.stacks)
        self.paid = [a - b for a, b in zip(hand.starting_stacks, hand.stacks, strict=True)]
        self.bets = list(hand.bets)
        self.live = set(range(hand.players))
        self.all_in = {seat for seat, stack in enumerate(hand.stacks) if stack == 0}
        self.street = 0
        self._histories: list[list[Message]] = [[]]
        self._post(hand)

    def place(self, seat: int) -> int:
        """Return the place of a seat in the list of seats."""
        return (seat - self._seat) % self._players

    def _post(self, hand: Hand) -> None:
        """Write antes and blinds into the history of the first street."""
        for seat, ante in enumerate(hand.posted_antes):
            if ante:
                self._write(seat, {"action": "ANTE", "amount": ante})
        for seat, kind in enumerate(("SMALLBLIND", "BIGBLIND")):
            posted = {"amount": hand.posted_blinds[seat], "add_amount": self._small_blind}
            self._write(seat, {"action": kind, **posted})

    def _write(self, seat: int, entry: Message) -> None:
        self._histories[-1].append({**entry, "uuid": uuid_of(self.place(seat))})

    def open_street(self) -> None:
        """Start the next street."""
        self.street += 1
        self.close_street()
        self.bets = [0] * self._players

    def close_street(self) -> None:
        """Start a new list of actions; as in the engine, at most one list is empty."""
        if self._histories[-1]:
            self._histories.append([])

    def add(self, seat: int, amount: int | None) -> Message:
        """Record an action by the seat's chips on this street after it; None = a fold.

        Returns the engine's message of the new action.
        """
        price = max(self.bets)
        if amount is None:
            self.live.discard(seat)
            self._write(seat, {"action": "FOLD"})
            return self._new_action(seat, "fold", 0)
        chips = amount - self.bets[seat]
        self.bets[seat] = amount
        self.paid[seat] += chips
        self.stacks[seat] -= chips
        if self.stacks[seat] == 0:
            self.all_in.add(seat)
        if amount > price:
            more = {"paid": chips, "add_amount": amount - price}
            self._write(seat, {"action": "RAISE", "amount": amount, **more})
            return self._new_action(seat, "raise", amount)
        self._write(seat, {"action": "CALL", "amount": amount, "paid": chips})
        return self._new_action(seat, "call", amount)

    def _new_action(self, seat: int, action: str, amount: int) -> Message:
        uuid = uuid_of(self.place(seat))
        return {"player_uuid": uuid, "action": action, "amount": amount}

    def player(self, seat: int) -> Message:
        """Describe a player."""
        state = "allin" if seat in self.all_in else "participating"
        place = self.place(seat)
        return {
            "name": self._names[place],
            "uuid": uuid_of(place),
            "stack": self.stacks[seat],
            "state": state if seat in self.live else "folded",
        }

    def seats(self) -> list[Message]:
        """Describe all players, in the order of their places."""
        return [self.player((self._seat + place) % self._players) for place in range(self._players)]

    def round_state(self, view: View, street: int, next_seat: int | None) -> Message:
        """Describe the hand on a street; 4 is the showdown."""
        shown = view.board[: BOARD_CARDS[min(street, 3)]]
        return {
            "street": (*STREETS, "showdown")[street],
            "pot": self._pot(),
            "community_card": [card_text(card) for card in shown],
            "dealer_btn": self.place(self._button),
            "next_player": _NOBODY if next_seat is None else self.place(next_seat),
            "small_blind_pos": self.place(0),
            "big_blind_pos": self.place(1),
            "round_count": self._round_count,
            "small_blind_amount": self._small_blind,
            "seats": self.seats(),
            "action_histories": {
                name: [dict(entry) for entry in entries]
                for name, entries in zip(STREETS, self._histories, strict=False)
            },
        }

    def next_waiting(self, seat: int) -> int | None:
        """Return the first seat, starting with this one, that has chips and cards."""
        for step in range(self._players):
            other = (seat + step) % self._players
            if other in self.live and other not in self.all_in:
                return other
        return None

    def _pot(self) -> Message:
        """The engine's pots: one per all-in player, the smallest first, then the rest."""
        pots: list[tuple[int, list[int]]] = []
        for limit in sorted(self.paid[seat] for seat in self.all_in):
            amount = sum(min(limit, paid) for paid in self.paid) - sum(pot for pot, _ in pots)
            pots.append((amount, [s for s in self._in_places() if self._reaches(s, limit)]))
        most = max(self.paid)
        rest = sum(self.paid) - sum(pot for pot, _ in pots)
        pots.append((rest, [s for s in self._in_places() if self.paid[s] == most]))
        return {
            "main": {"amount": pots[0][0]},
            "side": [{"amount": amount, "eligibles": self._uuids(who)} for amount, who in pots[1:]],
        }

    def _reaches(self, seat: int, limit: int) -> bool:
        return seat in self.live and self.paid[seat] >= limit

    def _in_places(self) -> list[int]:
        return [(self._seat + place) % self._players for place in range(self._players)]

    def _uuids(self, seats: Sequence[int]) -> list[str]:
        return [uuid_of(self.place(seat)) for seat in seats]


def winners_of(view: View) -> list[int]:
    """Return the seats with the best hand, or the only one that has not folded.

    If some of their cards are unknown, return the seats that won most.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand(catalogue("nolimit-100bb"), hole=["AhKd", "QsQc"], board="2c7d9hTsJs")
    >>> hand.play("ck/kk/kk/kk")
    >>> winners_of(hand.view(0))
    [1]
    """
    if len(view.live) > 1 and all(view.shown[seat] for seat in view.live):
        hole = [list(cards) or [-1, -1] for cards in view.shown]
        hand = Hand(view.spec, hole=hole, board=list(view.board), stacks=view.starting_stacks)
        hand.play(view.line)
        return list(hand.pots()[0].winners)
    payoffs = view.payoffs or (0,) * view.spec.players
    most = max(payoffs[seat] for seat in view.live)
    return [seat for seat in view.live if payoffs[seat] == most]


def hand_infos(view: View, uuid: Callable[[int], str]) -> list[dict[str, Any]]:
    """Return the shown hands as described by the engine's own evaluator.

    The list is empty without a showdown, or if the engine is not installed.
    """
    if len(view.live) < 2 or HandEvaluator is None:
        return []
    board = [Card.from_str(card_text(card)) for card in view.board]
    return [
        {
            "uuid": uuid(seat),
            "hand": HandEvaluator.gen_hand_rank_info(
                [Card.from_str(card_text(card)) for card in view.shown[seat]], board
            ),
        }
        for seat in view.live
        if view.shown[seat]
    ]
