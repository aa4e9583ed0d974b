"""A player of PyPokerEngine as a Riverboat bot."""

from __future__ import annotations

import random
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from riverboat.bots import BotRef, Engine, give_up, go_along, load_class
from riverboat.cards import STREETS
from riverboat.errors import GameError, IllegalActionError
from riverboat.game import Action, Hand, actions_of
from riverboat.protocols.pypokerengine._messages import (
    HandAccount,
    hand_infos,
    uuid_of,
    valid_actions,
    winners_of,
)
from riverboat.protocols.pypokerengine._rules import card_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riverboat.game import GameSpec, View

_MAX_ROUND = 1_000_000


def as_bot(player: Any, *, seed: int | None = None, max_round: int = _MAX_ROUND) -> PlayerBot:
    """Wrap a player of PyPokerEngine as a Riverboat bot.

    The player receives the messages that the engine would send, and plays two-card hold'em with
    blinds by Riverboat's rules. An answer that the engine would turn into a fold is a fold here,
    too, or a check if that is free.

    Parameters
    ----------
    player
        A `BasePokerPlayer`, or anything with its six methods.
    seed
        Random seed of Python's `random`, which players of that engine use: the bot then has its
        own stream and is repeatable. None = the global stream.
    max_round
        Number of hands that the player is told to expect.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> class Caller:
    ...     def declare_action(self, valid_actions, hole_card, round_state):
    ...         return "call", valid_actions[1]["amount"]
    ...     def receive_game_start_message(self, game_info): ...
    ...     def receive_round_start_message(self, round_count, hole_card, seats): ...
    ...     def receive_street_start_message(self, street, round_state): ...
    ...     def receive_game_update_message(self, new_action, round_state): ...
    ...     def receive_round_result_message(self, winners, hand_info, round_state): ...
    >>> as_bot(Caller()).act(Hand(catalogue("nolimit-100bb"), seed=1).view(0))
    'c'
    """
    return PlayerBot(player, seed, max_round)


def _make(path: str, seed: int) -> PlayerBot:
    """Create the bot of `pypokerengine:file.py:Class`, a player in a file."""
    player = BotRef.parse(path)
    return PlayerBot(load_class(player.name, player.settings, "declare_action")(), seed)


class PlayerBot:
    """The bot that `as_bot` returns, with the same parameters."""

    def __init__(self, player: Any, seed: int | None = None, max_round: int = _MAX_ROUND) -> None:
        self.player = player
        self.learns = bool(getattr(player, "learns", False))
        self._name = type(player).__name__
        self._max_round = max_round
        self._random = None if seed is None else random.Random(seed).getstate()  # noqa: S311 - a game, no secret
        self._game: tuple[object, ...] | None = None
        self._round_count = 0
        self._view: View | None = None
        self._hand: Hand  # replays the current hand, to know whose turn it is
        self._account: HandAccount
        if hasattr(player, "set_uuid"):
            player.set_uuid(uuid_of(0))

    def act(self, view: View) -> str:
        """Return the player's move."""
        _check_game(view.spec)
        with self._own_random():
            self._catch_up(view)
            price = max(view.bets)
            answer = self.player.declare_action(
                valid_actions(view.legal, price),
                [card_text(card) for card in view.hole],
                self._account.round_state(view, view.street, view.seat),
            )
        return _move(answer, view, price)

    def hand_started(self, view: View) -> None:
        """Announce a new hand; `act` refuses games that the player cannot play."""
        if _is_playable(view.spec):
            with self._own_random():
                self._begin(view)

    def hand_over(self, view: View) -> None:
        """Tell the player how the hand ended."""
        if not _is_playable(view.spec) or view.payoffs is None:
            return
        with self._own_random():
            self._catch_up(view)
            ledger = self._account
            if len(view.live) > 1:
                while ledger.street < len(STREETS) - 1:
                    self._open_street(view)
            ledger.close_street()
            ledger.stacks = list(view.stacks)
            winners = [ledger.player(seat) for seat in winners_of(view)]
            infos = hand_infos(view, lambda seat: uuid_of(ledger.place(seat)))
            state = ledger.round_state(view, len(STREETS), ledger.next_waiting(0))
            self.player.receive_round_result_message(winners, infos, state)
        self._view = None

    @contextmanager
    def _own_random(self) -> Iterator[None]:
        """Give the player its own state of Python's random generator."""
        if self._random is None:
            yield
            return
        before = random.getstate()
        random.setstate(self._random)
        try:
            yield
        finally:
            self._random = random.getstate()
            random.setstate(before)

    def _begin(self, view: View) -> None:
        """Start a hand: game, round and first street."""
        self._round_count += 1
        self._view = view
        self._hand = Hand(view.spec, stacks=view.starting_stacks)
        self._account = HandAccount(self._hand, view, self._name, self._round_count)
        game = (view.spec.players, view.spec.blinds, view.spec.antes, view.spec.stacks)
        if game != self._game:
            self._game = game
            self.player.receive_game_start_message(self._game_info(view))
        hole = [card_text(card) for card in view.hole]
        self.player.receive_round_start_message(self._round_count, hole, self._account.seats())
        self._tell_street(view, self._hand.actor)

    def _game_info(self, view: View) -> dict[str, Any]:
        """The engine's description of a game, with stacks before antes and blinds."""
        seats = [
            {**seat, "stack": stack, "state": "participating"}
            for seat, stack in zip(
                self._account.seats(),
                view.starting_stacks[view.seat :] + view.starting_stacks[: view.seat],
                strict=True,
            )
        ]
        return {
            "player_num": view.spec.players,
            "rule": {
                "initial_stack": view.spec.stacks[view.seat],
                "max_round": self._max_round,
                "small_blind_amount": view.spec.small_blind,
                "ante": max(view.spec.antes),
                "blind_structure": {},
            },
            "seats": seats,
        }

    def _catch_up(self, view: View) -> None:
        """Send the player all new actions."""
        if not self._is_same_hand(view):
            self._begin(view)
        self._view = view
        actions = actions_of(view.line)
        for action in actions[self._hand.num_actions :]:
            self._do(action, view)

    def _is_same_hand(self, view: View) -> bool:
        last = self._view
        return (
            last is not None
            and (last.seat, last.hole, last.starting_stacks, last.spec)
            == (view.seat, view.hole, view.starting_stacks, view.spec)
            and view.line.startswith(last.line)
        )

    def _do(self, action: str, view: View) -> None:
        """Play and announce one action; start the next street if the action ended one."""
        hand, ledger = self._hand, self._account
        seat, street = hand.actor, hand.street
        if seat is None:
            raise GameError(f"{action!r} comes after the end of the hand in {view.line!r}")
        amount = None if action == "f" else ledger.bets[seat] + hand.to_call
        move = Action(action)
        if move.kind == "bet":
            amount = move.amount
        hand.do(action)
        new_action = ledger.add(seat, amount)
        state = ledger.round_state(view, street, seat)
        self.player.receive_game_update_message(new_action, state)
        if hand.actor is not None and hand.street > street:
            self._open_street(view)

    def _open_street(self, view: View) -> None:
        self._account.open_street()
        actor = self._hand.actor
        self._tell_street(view, self._account.next_waiting(0) if actor is None else actor)

    def _tell_street(self, view: View, next_seat: int | None) -> None:
        street = self._account.street
        state = self._account.round_state(view, street, next_seat)
        self.player.receive_street_start_message(STREETS[street], state)


def _is_playable(spec: GameSpec) -> bool:
    """Whether the engine can represent a game."""
    return (
        spec.is_holdem
        and not spec.has_discards
        and min(spec.blinds[:2]) > 0
        and max(spec.blinds[2:], default=0) == 0
    )


def _check_game(spec: GameSpec) -> None:
    if not _is_playable(spec):
        raise GameError(
            "players of PyPokerEngine play hold'em with two cards, two blinds and 52 cards, "
            f"not {spec.name or 'this game'}"
        )


def _move(answer: Any, view: View, price: int) -> str:
    """Read an answer as the engine does: an illegal one is a fold."""
    action, amount = answer
    most = view.bets[view.seat] + view.stacks[view.seat]
    if action == "fold":
        return give_up(view)
    if action == "call":
        return go_along(view) if amount == price or amount >= most else give_up(view)
    if action != "raise":
        raise IllegalActionError(f"{action!r} is not an action: use fold, call or raise")
    move = f"b{amount}"
    if move in view.legal:
        return move
    return go_along(view) if amount == most else give_up(view)


ENGINE = Engine(_make, lambda path: Path(BotRef.parse(path).name))
