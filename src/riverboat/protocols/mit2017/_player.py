"""Our bot in the 2017 engine: it answers only GETACTION and REQUESTKEYVALUES."""

import re
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from riverboat.cards import card_text, parse_cards
from riverboat.errors import ProtocolError, RiverboatError
from riverboat.game import Action, GameSpec, Hand, LegalActions, catalogue
from riverboat.protocols.client import (
    Dialect,
    Player,
    TimeBank,
    final_view,
    nearest_bet,
    nearest_move,
)

_NUMBER = re.compile(r"-?[0-9]{1,9}", re.ASCII)
_SECONDS = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,9})?", re.ASCII)
_DISCARD_STREETS = 2
_SILENT = ("POST", "DEAL", "REFUND", "SHOW", "TIE", "WIN")


class _Fields:
    """Reads the fields of a packet in order."""

    def __init__(self, line: str) -> None:
        self._fields = line.split(" ")

    def text(self) -> str:
        if not self._fields:
            raise ProtocolError("a packet ends too early")
        return self._fields.pop(0)

    def number(self) -> int:
        text = self.text()
        if not _NUMBER.fullmatch(text):
            raise ProtocolError(f"{text[:40]!r} is not a whole number")
        return int(text)

    def seconds(self) -> float:
        text = self.text()
        if not _SECONDS.fullmatch(text):
            raise ProtocolError(f"{text[:40]!r} is not a time")
        return float(text)

    def several(self) -> list[str]:
        count = self.number()
        if not 0 <= count <= len(self._fields):
            raise ProtocolError(f"the packet needs {count} more fields, not {len(self._fields)}")
        return [self.text() for _ in range(count)]


@dataclass(slots=True)
class _Round:
    """The known state of a hand."""

    spec: GameSpec
    seat: int
    name: str
    bank: int
    hole: list[int]
    board: list[int] = field(default_factory=list)
    done: list[list[str]] = field(default_factory=list)

    def hand(self) -> Hand:
        """Replay the hand by Riverboat's rules."""
        try:
            return self._played()
        except ProtocolError:
            raise
        except RiverboatError as error:
            raise ProtocolError(f"{self.done} does not fit: {error}") from error

    def _played(self) -> Hand:
        swaps = [-1] * (2 * _DISCARD_STREETS)
        moves = self._moves(swaps)
        cards = [-1] * 4
        cards[2 * self.seat : 2 * self.seat + 2] = self.hole
        board = self.board + [-1] * (5 - len(self.board))
        hand = Hand(self.spec, cards=[*cards, *board, *swaps])
        for kind, amount in moves:
            if hand.actor is None:
                raise ProtocolError(f"{kind} comes after the end of the hand")
            hand.do(_move(hand, kind, amount))
        return hand

    def _moves(self, swaps: list[int]) -> list[tuple[str, str]]:
        """Return the actions; record the new cards that replaced ours."""
        found, phase = list[tuple[str, str]](), -1
        for parts in self.done:
            kind, mine = parts[0], parts[-1] == self.name
            if kind == "DEAL":
                phase += 1
            if kind in _SILENT:
                continue
            amount = parts[1] if len(parts) > 2 else ""
            if kind == "DISCARD" and mine and len(parts) == 4 and 0 <= phase < _DISCARD_STREETS:
                swaps[2 * phase + self.seat] = _card(parts[2])
            found.append((kind, amount))
        return found


def _move(hand: Hand, kind: str, amount: str) -> str:
    """Convert an action of the engine to Riverboat's move."""
    legal = hand.legal()
    if legal.stand:
        if kind == "CHECK":
            return "s"
        if kind == "DISCARD":
            return f"d{amount}" if f"d{amount}" in legal else "d"
        raise ProtocolError(f"{kind} is not allowed in a discard round")
    if kind in ("BET", "RAISE"):
        if not _NUMBER.fullmatch(amount):
            raise ProtocolError(f"{amount[:40]!r} is not an amount")
        return nearest_bet(hand, int(amount))
    letters = {"FOLD": "f", "CHECK": "k", "CALL": "c"}
    if kind not in letters:
        raise ProtocolError(f"{kind[:40]!r} is not an action here")
    return nearest_move(hand, letters[kind])


class Mit2017Player(Dialect):
    """The player's side of the protocol, for `riverboat.protocols.client.join`.

    Parameters
    ----------
    player
        Our bot. Its time bank follows the clock that the engine sends.
    """

    def __init__(self, player: Player) -> None:
        super().__init__(player)
        self._spec = catalogue("discard-2017")
        self._name = ""
        self._round: _Round | None = None
        self._heard = {
            "NEWGAME": self._new_game,
            "KEYVALUE": self._key_value,
            "NEWHAND": self._new_hand,
            "GETACTION": self._get_action,
            "HANDOVER": self._hand_over,
            "REQUESTKEYVALUES": self._key_values,
        }

    def hear(self, line: str) -> tuple[str, ...]:
        """Read a packet, and answer if it asks for an answer."""
        fields = _Fields(line)
        kind = fields.text()
        if kind not in self._heard:
            raise ProtocolError(f"{kind[:40]!r} is not a packet")
        return self._heard[kind](fields)

    def shrug(self, line: str) -> tuple[str, ...]:
        """Check if the engine waits for an answer."""
        return ("CHECK",) if line.startswith("GETACTION") else ()

    def _new_game(self, fields: _Fields) -> tuple[str, ...]:
        self._name, _ = fields.text(), fields.text()
        stack, big_blind, hands = fields.number(), fields.number(), fields.number()
        if big_blind < 2 or stack < big_blind:
            raise ProtocolError(
                f"a stack of {stack} with a big blind of {big_blind} is not playable"
            )
        blinds = (big_blind // 2, big_blind)
        self._spec = self._spec.replace(stacks=(stack, stack), blinds=blinds)
        self.player.bank = TimeBank(hands)
        self._time(fields)
        return ()

    def _key_value(self, fields: _Fields) -> tuple[str, ...]:
        fields.text()
        return ()

    def _key_values(self, fields: _Fields) -> tuple[str, ...]:
        """Store no values between matches."""
        fields.text()
        return ("FINISH",)

    def _new_hand(self, fields: _Fields) -> tuple[str, ...]:
        fields.number()
        button = fields.text()
        if button not in ("true", "false"):
            raise ProtocolError(f"the button must be true or false, not {button[:40]!r}")
        hole = [_card(fields.text()), _card(fields.text())]
        bank, _ = fields.number(), fields.number()
        self._time(fields)
        begun = _Round(self._spec, 0 if button == "true" else 1, self._name, bank, hole)
        self.player.begin(begun.hand().view(begun.seat))
        self._round, self.in_hand = begun, True
        return ()

    def _get_action(self, fields: _Fields) -> tuple[str, ...]:
        now = self._known()
        fields.number()
        self._news(now, fields)
        legal = [each.split(":") for each in fields.several()]
        self._time(fields)
        hand = now.hand()
        if hand.actor != now.seat:
            raise ProtocolError("the engine asks for an action, but it is not our turn")
        view = hand.view(now.seat)
        view = replace(view, legal=_legal(legal, view.legal))
        return (_word(self.player.decide(view), legal),)

    def _hand_over(self, fields: _Fields) -> tuple[str, ...]:
        now = self._known()
        bank, _ = fields.number(), fields.number()
        self._news(now, fields)
        self._time(fields)
        self._round, self.in_hand = None, False
        chips = bank - now.bank
        self.player.score(now.spec, chips)
        self.player.finish(final_view(now.hand(), now.seat, chips))
        return ()

    def _known(self) -> _Round:
        if self._round is None:
            raise ProtocolError("the packet belongs to a hand that has not started")
        return self._round

    def _news(self, now: _Round, fields: _Fields) -> None:
        board = [_card(card) for card in fields.several()]
        if len(board) > 5:
            raise ProtocolError(f"a board of {len(board)} cards")
        now.board = board
        now.done += [each.split(":") for each in fields.several()]

    def _time(self, fields: _Fields) -> None:
        if self.player.bank is not None:
            self.player.bank.left(fields.seconds())


def _card(text: str) -> int:
    try:
        (card,) = parse_cards(text)
    except ValueError as error:
        raise ProtocolError(f"{text[:40]!r} is not a card") from error
    return card


def _legal(told: list[list[str]], ours: LegalActions) -> LegalActions:
    """Use the engine's bounds; actions that it does not offer are not allowed."""
    kinds = {each[0] for each in told}
    if "DISCARD" in kinds:
        return ours
    bounds = next((each[1:] for each in told if each[0] in ("BET", "RAISE")), None)
    numbers = bounds is None or (len(bounds) == 2 and all(map(_NUMBER.fullmatch, bounds)))
    if not numbers or (bounds is not None and not 0 < int(bounds[0]) <= int(bounds[1])):
        raise ProtocolError(f"{bounds} are not bounds of a bet")
    legal = replace(
        ours,
        fold="FOLD" in kinds,
        check="CHECK" in kinds,
        call=ours.call if "CALL" in kinds else None,
        raise_to=None if bounds is None else (int(bounds[0]), int(bounds[1])),
    )
    if not (legal.fold or legal.check):
        raise ProtocolError(f"{told} allows neither a fold nor a check")
    return legal


def _word(action: Action, legal: list[list[str]]) -> str:
    """Convert a move to the engine's words."""
    kinds = {each[0] for each in legal}
    words: dict[str, Any] = {
        "bet": f"{'BET' if 'BET' in kinds else 'RAISE'}:{action.amount}",
        "fold": "FOLD",
        "call": "CALL",
        "check": "CHECK",
        "stand": "CHECK",
    }
    if action.kind == "discard":
        # An unknown card was swapped before the engine sent any news.
        return f"DISCARD:{card_text(action.card)}" if action.card >= 0 else "CHECK"
    return str(words[action.kind])
