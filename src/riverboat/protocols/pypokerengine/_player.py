"""A Riverboat bot as a player of PyPokerEngine, and the engine's stock random player."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from riverboat.protocols.client import Player
from riverboat.protocols.pypokerengine._reading import (
    Round,
    chips_of,
    final_view,
    legal_actions,
    places_of,
    read_round,
    view_of,
)
from riverboat.protocols.pypokerengine._rules import card_number

try:
    from pypokerengine.players import BasePokerPlayer as BasePokerPlayer  # noqa: PLC0414 - for the package
except ImportError:  # without the engine no isinstance check is made
    BasePokerPlayer = object

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping, Sequence

    from riverboat.arena import Chair
    from riverboat.bots import Bot
    from riverboat.game import Action, View

    Message = Mapping[str, Any]


def as_player(bot: Bot, *, short_all_in: bool = False, time_limit: float = math.inf) -> BotPlayer:
    """Wrap a Riverboat bot as a `BasePokerPlayer`.

    The engine always accepts its answers. If the bot raises an error, gives an illegal answer or
    exceeds its time limit, the player checks if that is free, and else folds; `errors` counts
    such failures.

    Parameters
    ----------
    bot
        An object with `act(view)`; `hand_started` and `hand_over` are called if present.
    short_all_in
        Offer the all-in below the minimum raise, too. The engine accepts it but does not offer it.
    time_limit
        Seconds for one decision.

    Examples
    --------
    >>> from riverboat.bots import make_bot
    >>> player = as_player(make_bot("all-in", seed=1))
    >>> blinds = [
    ...     {"action": "SMALLBLIND", "amount": 5, "add_amount": 5, "uuid": "us"},
    ...     {"action": "BIGBLIND", "amount": 10, "add_amount": 5, "uuid": "them"},
    ... ]
    >>> state = {
    ...     "street": "preflop", "community_card": [], "dealer_btn": 1, "next_player": 0,
    ...     "small_blind_pos": 0, "big_blind_pos": 1, "round_count": 1, "small_blind_amount": 5,
    ...     "action_histories": {"preflop": blinds},
    ...     "seats": [
    ...         {"uuid": "us", "name": "us", "stack": 995, "state": "participating"},
    ...         {"uuid": "them", "name": "them", "stack": 990, "state": "participating"},
    ...     ],
    ... }
    >>> valid = [
    ...     {"action": "fold", "amount": 0},
    ...     {"action": "call", "amount": 10},
    ...     {"action": "raise", "amount": {"min": 15, "max": 1000}},
    ... ]
    >>> player.declare_action(valid, ["HA", "SK"], state)
    ('raise', 1000)
    """
    return BotPlayer(Player(bot, time_limit), short_all_in=short_all_in)


class BotPlayer(BasePokerPlayer):  # type: ignore[misc]  # the engine has no types
    """The player that `as_player` returns.

    Parameters
    ----------
    player
        The bot, with counts of its times, errors and winnings.
    short_all_in
        Offer the all-in below the minimum raise, too.
    """

    def __init__(self, player: Player, *, short_all_in: bool = False) -> None:
        super().__init__()
        self.player = player
        self._short_all_in = short_all_in
        self._initial_stack: int | None = None
        self._hand: tuple[object, ...] | None = None
        self._stacks: tuple[int, ...] = ()
        self._hole: tuple[int, ...] = ()
        #: Final view of the last hand.
        self.last_view: View | None = None

    @property
    def chair(self) -> Chair:
        """Counts of times and errors."""
        return self.player.chair

    @property
    def errors(self) -> Counter[str]:
        """How often the bot failed, by kind."""
        return self.chair.errors

    def declare_action(
        self, valid_actions: Sequence[Message], hole_card: Sequence[str], round_state: Message
    ) -> tuple[str, int]:
        """Return the bot's move in the engine's format."""
        place = round_state["next_player"]
        self._begin(round_state, place, hole_card)
        played = read_round(round_state, self._stacks, self._initial_stack)
        view = self._view(played, played.places.index(place), valid_actions)
        return _answer(self.player.decide(view), view, valid_actions)

    def receive_game_start_message(self, game_info: Message) -> None:
        """Forget the previous game."""
        self._initial_stack = game_info["rule"]["initial_stack"]
        self._hand = None

    def receive_round_start_message(
        self, round_count: int, hole_card: Sequence[str], seats: Sequence[Message]
    ) -> None:
        """Store the cards; the blinds are not known before the street starts."""
        del round_count, seats
        self._hand = None
        self._hole = tuple(card_number(card) for card in hole_card)

    def receive_street_start_message(self, street: str, round_state: Message) -> None:
        """Announce a new hand to the bot."""
        place = self._own_place(round_state)
        if street == "preflop" and place is not None:
            self._begin(round_state, place, None)

    def receive_game_update_message(self, new_action: Message, round_state: Message) -> None:
        """Do nothing: views contain the whole line."""

    def receive_round_result_message(
        self, winners: Sequence[Message], hand_info: Sequence[Message], round_state: Message
    ) -> None:
        """Tell the bot how the hand ended."""
        del winners, hand_info
        place = self._own_place(round_state)
        if self._hand is None or place is None:
            return
        played = read_round(round_state, self._stacks, self._initial_stack)
        seat = played.places.index(place)
        stacks = tuple(round_state["seats"][other]["stack"] for other in played.places)
        view = final_view(played, seat, self._hole, stacks)
        self._hand, self.last_view = None, view
        self.player.score(view.spec, 0 if view.payoffs is None else view.payoffs[seat])
        self.player.finish(view)

    def _own_place(self, round_state: Message) -> int | None:
        """The bot's place if it is in the hand; the engine also notifies players who are out."""
        uuid = getattr(self, "uuid", None)
        for place, seat in enumerate(round_state["seats"]):
            if seat["uuid"] == uuid:
                return place if place in places_of(round_state) else None
        return None

    def _begin(self, round_state: Message, place: int, hole_card: Sequence[str] | None) -> None:
        """Start a hand if it is new: an emulator may ask in the middle of a hand."""
        if hole_card is not None:
            hole = tuple(card_number(card) for card in hole_card)
            if hole != self._hole:
                self._hole, self._hand = hole, None
        hand = (round_state["round_count"], place, self._hole)
        if hand == self._hand:
            return
        played = read_round(round_state, initial_stack=self._initial_stack)
        self._hand, self._stacks = hand, played.starting_stacks
        if self.chair.hand_started is not None:
            self.player.begin(view_of(played.beginning(), played.places.index(place), self._hole))

    def _view(self, played: Round, seat: int, valid_actions: Sequence[Message]) -> View:
        chips = chips_of(played)
        stacks = [a - b for a, b in zip(played.starting_stacks, chips.paid, strict=True)]
        legal = legal_actions(
            valid_actions,
            chips.bets[seat],
            stacks[seat],
            can_be_called=any(stacks[other] > 0 for other in chips.live if other != seat),
            short_all_in=self._short_all_in,
        )
        return view_of(played, seat, self._hole, legal)


def _answer(move: Action, view: View, valid_actions: Sequence[Message]) -> tuple[str, int]:
    """Return a legal move in the engine's format: amounts are totals of the street."""
    if move.kind == "bet":
        return "raise", move.amount
    if move.kind == "fold" and view.legal.fold:
        return "fold", 0
    return "call", valid_actions[1]["amount"]


class StockRandom(BasePokerPlayer):  # type: ignore[misc]  # the engine has no types
    """The engine's stock random player: folds one time in three, else raises; never calls.

    Unlike `random-pypokerengine` it also folds where a check is free, because the engine allows
    that.

    Parameters
    ----------
    seed
        Random seed of its draws.
    """

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._random = random.Random(seed)  # noqa: S311 - a game, no secret

    def declare_action(
        self,
        valid_actions: Sequence[Mapping[str, Any]],
        hole_card: object,  # noqa: ARG002 - the engine tells it
        round_state: object,  # noqa: ARG002 - the engine tells it
    ) -> tuple[str, int]:
        """Answer the engine."""
        least, most = (valid_actions[2]["amount"][bound] for bound in ("min", "max"))
        if self._random.random() < 1 / 3 or least < 0:
            return "fold", 0
        return "raise", self._random.randint(least, max(least, most))

    def receive_notification(self, message: object) -> None:
        """Ignore messages."""
