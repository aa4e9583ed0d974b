"""A table of the real engine that resets all stacks before every hand.

The engine itself carries stacks over and stops when a player has lost all chips. Here chips, dealer
and cards are set before each hand, as Cardiff's thesis must have done; the engine does the rest.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from riverboat.arena import Chair
from riverboat.cards import STREETS
from riverboat.errors import ArenaError
from riverboat.protocols.client import Player
from riverboat.protocols.pypokerengine._player import BasePokerPlayer, BotPlayer
from riverboat.protocols.pypokerengine._rules import card_text

try:
    from pypokerengine.engine.card import Card
    from pypokerengine.engine.dealer import Dealer
    from pypokerengine.engine.deck import Deck
    from pypokerengine.engine.message_builder import MessageBuilder
except ImportError:
    Dealer = None

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Chairs = list[Chair]

_MOST_CHIPS = 10**9


@dataclass(frozen=True, slots=True)
class Rules:
    """Stack, blinds and ante of a table, in chips.

    Raises
    ------
    ArenaError
        If a number is not an integer or out of range, or the stack does not cover ante and big
        blind: the engine would leave such players out.
    """

    stack: int = 1000
    small_blind: int = 5
    ante: int = 0

    def __post_init__(self) -> None:
        """Check that the engine supports these amounts."""
        for name, least in (("stack", 1), ("small_blind", 1), ("ante", 0)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int):
                raise ArenaError(f"{name} must be a whole number of chips, not {value!r}")
            if not least <= value <= _MOST_CHIPS:
                raise ArenaError(f"{name} must be {least} to {_MOST_CHIPS:,} chips, not {value:,}")
        need = 2 * self.small_blind + self.ante
        if self.stack < need:
            raise ArenaError(
                f"stack {self.stack:,} does not cover the big blind and the ante, {need:,} chips"
            )


def need_engine() -> None:
    """Raise `ArenaError` if the engine is not installed."""
    if Dealer is None:
        raise ArenaError(
            "PyPokerEngine is not installed: pip install 'riverboat[pypokerengine]', "
            "or in a checkout uv run --extra pypokerengine"
        )


def seat_player(bot: Any, time_limit: float) -> tuple[Any, Chair]:
    """Return a player for the engine, and the chair that counts its times and errors."""
    if isinstance(bot, BasePokerPlayer) and not isinstance(bot, BotPlayer):
        foreign = ForeignPlayer(bot, time_limit)
        return foreign, foreign.chair
    if isinstance(bot, BotPlayer):
        return bot, bot.chair
    player = Player(bot, time_limit)
    return BotPlayer(player), player.chair


class ForeignPlayer(BasePokerPlayer):  # type: ignore[misc]  # the engine has no types
    """Wraps a player of the engine; measures its times and counts answers that become folds."""

    def __init__(self, player: Any, time_limit: float) -> None:
        super().__init__()
        self._player = player
        self.chair = Chair(_Silent(player), time_limit)

    def set_uuid(self, uuid: str) -> None:
        """Pass on the identifier."""
        self.uuid = uuid
        self._player.set_uuid(uuid)

    def declare_action(
        self, valid_actions: Any, hole_card: Any, round_state: Any
    ) -> tuple[str, int]:
        """Ask the player, measure the time, and count illegal answers."""
        start = time.perf_counter()
        action, amount = self._player.declare_action(valid_actions, hole_card, round_state)
        self.chair.times.append(time.perf_counter() - start)
        seat = round_state["seats"][round_state["next_player"]]
        if not _is_legal(valid_actions, (action, amount), seat, round_state):
            self.chair.fail("illegal", f"{action} {amount}, which the engine turns into a fold")
        return action, amount

    def receive_notification(self, message: Any) -> None:
        """Pass on a message of the engine."""
        self._player.receive_notification(message)


class _Silent:
    """A placeholder bot: the engine asks the player directly."""

    def __init__(self, player: Any) -> None:
        self.act = player.declare_action
        self.learns = bool(getattr(player, "learns", False))


def _is_legal(
    valid_actions: Sequence[Mapping[str, Any]],
    answer: tuple[str, int],
    seat: Mapping[str, Any],
    round_state: Mapping[str, Any],
) -> bool:
    """Whether the engine accepts an answer unchanged."""
    action, amount = answer
    if action == "fold":
        return True
    history = round_state["action_histories"][round_state["street"]]
    own = [move["amount"] for move in history if _is_bet(move) and move["uuid"] == seat["uuid"]]
    most = seat["stack"] + (own[-1] if own else 0)
    if action == "call":
        return bool(amount == valid_actions[1]["amount"] or amount >= most)
    bounds = valid_actions[2]["amount"]
    return bool(amount == most or 0 < bounds["min"] <= amount <= bounds["max"])


def _is_bet(move: Mapping[str, Any]) -> bool:
    return move["action"] not in {"FOLD", "ANTE"}


class EngineTable:
    """A table of the real engine.

    Parameters
    ----------
    players
        Name and player by place.
    rules
        Chips.
    max_round
        Number of hands that players are told to expect.
    """

    def __init__(
        self, players: Sequence[tuple[str, BasePokerPlayer]], rules: Rules, max_round: int
    ) -> None:
        need_engine()
        self._rules = rules
        self._round_count = 0
        self._dealer = Dealer(rules.small_blind, rules.stack, rules.ante)
        for name, player in players:
            self._dealer.register_player(name, player)
        self._watcher = _Watcher()
        self._dealer.message_handler.register_algorithm("watcher", self._watcher)
        self._table = self._dealer.table
        config = {
            "initial_stack": rules.stack,
            "max_round": max_round,
            "small_blind_amount": rules.small_blind,
            "ante": rules.ante,
            "blind_structure": {},
        }
        message = MessageBuilder.build_game_start_message(config, self._table.seats)
        self._dealer.message_handler.process_message(-1, message)

    @property
    def end(self) -> int:
        """Street of the last fold in the last hand; 4 = a showdown."""
        return self._watcher.end

    def play(self, small_blind_place: int, deal: Sequence[int]) -> list[int]:
        """Play one hand with full stacks.

        Parameters
        ----------
        small_blind_place
            Place of the small blind; the dealer is the place before.
        deal
            Cards in Riverboat's order: two for each seat, starting with the small blind, then the
            board.

        Returns
        -------
        list[int]
            By place, chips won or lost.
        """
        table, rules, players = self._table, self._rules, len(self._table.seats.players)
        for player in table.seats.players:
            player.stack = rules.stack
        table.dealer_btn = (small_blind_place - 1) % players
        table.set_blind_pos(small_blind_place, (small_blind_place + 1) % players)
        table.deck = _deck(deal, players, small_blind_place)
        self._round_count += 1
        self._table = self._dealer.play_round(
            self._round_count, rules.small_blind, rules.ante, table
        )
        return [player.stack - rules.stack for player in self._table.seats.players]


class _Watcher:
    """Receives the engine's messages to all players; never acts."""

    end = 0

    def receive_notification(self, message: Mapping[str, Any]) -> None:
        """Record how a hand ended."""
        if message["message_type"] == "round_result_message":
            histories = message["round_state"]["action_histories"]
            last = max(STREETS.index(street) for street, moves in histories.items() if moves)
            self.end = len(STREETS) if message["hand_info"] else last


def _deck(deal: Sequence[int], players: int, small_blind_place: int) -> Any:
    """Stack a deck; the engine deals two cards to each place in turn, then the board."""
    order: list[int] = []
    for place in range(players):
        seat = (place - small_blind_place) % players
        order += deal[2 * seat : 2 * seat + 2]
    order += deal[2 * players :]
    # The engine replaces an empty deck by a new one, so the deck has one more card than is dealt.
    order.append(next(card for card in range(52) if card not in order))
    ids = [Card.from_str(card_text(card)).to_id() for card in order]
    return Deck(cheat=True, cheat_card_ids=ids)
