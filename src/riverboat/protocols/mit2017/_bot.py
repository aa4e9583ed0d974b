"""A player of the 2017 engine at the other end of a link, as a bot at our table.

The player gets what that engine sends, and answers GETACTION. Late, illegal or unreadable answers
count as failures, as for any bot: it then checks or folds, as in that engine.
"""

import math
import re
import socket
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from riverboat.cards import card_text
from riverboat.errors import GameError, ProtocolError
from riverboat.game import GameSpec, Hand, LegalActions, View, actions_of
from riverboat.protocols.client import LineLink, Link, accept

_AMOUNT = re.compile(r"[0-9]{1,9}", re.ASCII)
_CARD = re.compile(r"[2-9TJQKA][shdc]", re.ASCII)
_STREETS = ("FLOP", "TURN", "RIVER")
_WORDS = {"f": "FOLD", "k": "CHECK", "c": "CALL", "s": "CHECK"}
_MOVES = {"FOLD": "f", "CHECK": "k", "CALL": "c"}
_KEY_BYTES = 1000
_MOST_KEYS = 1000  # lines after REQUESTKEYVALUES
_END_SECONDS = 5.0


class MatchFacts(NamedTuple):
    """What NEWGAME tells a player."""

    name: str
    other: str
    hands: int
    seconds: float
    """Time bank of the whole match; math.inf = not limited, which is announced as 1e6."""


class Mit2017Bot:
    """A player of the 2017 engine at the other end of a link.

    Parameters
    ----------
    connect
        Waits for the player; called at the first hand.
    facts
        Names, number of hands and time bank.
    seconds
        Time limit of an answer. A player that is late is not asked again, because answers have no
        numbers: a late one would count for the next question.

    Examples
    --------
    >>> class Caller:
    ...     def send(self, line):
    ...         print(line)
    ...     def receive(self, seconds):
    ...         return "CALL"
    >>> from riverboat.game import catalogue
    >>> player = Mit2017Bot(Caller, MatchFacts("a", "b", 1, 20.0))
    >>> hand = Hand(catalogue("discard-2017"), hole=["AsKd", "2c2d"])
    >>> player.hand_started(hand.view(0))
    NEWGAME a b 200 2 1 20.000
    NEWHAND 1 true As Kd 0 0 20.000
    >>> player.act(hand.view(0))
    GETACTION 3 0 2 POST:1:a POST:2:b 3 FOLD CALL RAISE:4:200 20.000
    'c'
    """

    def __init__(
        self, connect: Callable[[], Link], facts: MatchFacts, seconds: float = math.inf
    ) -> None:
        self._connect, self._facts, self._seconds = connect, facts, seconds
        self._link: Link | None = None
        self._left = facts.seconds
        self._number, self._bank = 0, 0
        self._told = 0
        self._hole: tuple[int, ...] = ()
        self._swaps: list[str] = []

    def hand_started(self, view: View) -> None:
        """Announce a hand; before the first one also the match."""
        if self._link is None:
            _check_game(view.spec)
            self._link = self._connect()
            stack, blind = view.starting_stacks[0], view.spec.big_blind
            start = f"{self._facts.name} {self._facts.other} {stack} {blind} {self._facts.hands}"
            self._send(f"NEWGAME {start}")
        self._number += 1
        self._told, self._hole, self._swaps = 0, view.hole, []
        button = "true" if view.seat == 0 else "false"
        banks = f"{self._bank} {-self._bank}"
        self._send(f"NEWHAND {self._number} {button} {_cards(view.hole)} {banks}")

    def act(self, view: View) -> str:
        """Ask the player for an action."""
        legal = _legal(view)
        self._send(f"GETACTION {view.pot} {self._news(view)} {len(legal)} {' '.join(legal)}")
        return _move(self._answer(), view.legal)

    def hand_over(self, view: View) -> None:
        """Announce the end of a hand."""
        self._bank += 0 if view.payoffs is None else view.payoffs[view.seat]
        self._send(f"HANDOVER {self._bank} {-self._bank} {self._news(view)}")

    def close(self) -> None:
        """Ask for the values that the player stores, which are not kept, and hang up."""
        if self._link is None:
            return
        link, self._link = self._link, None
        try:
            link.send(f"REQUESTKEYVALUES {_KEY_BYTES}")
            for _ in range(_MOST_KEYS):
                if link.receive(_END_SECONDS) == "FINISH":
                    break
        except (OSError, EOFError, ProtocolError):
            pass  # it has hung up or says nothing: the match is over
        link.close()

    def _send(self, packet: str) -> None:
        """Send a packet with the time that is left."""
        if self._link is None:
            raise ProtocolError("the player is not connected")
        self._link.send(f"{packet} {min(self._left, 1e6):.3f}")

    def _answer(self) -> str:
        if self._link is None or self._left <= 0:
            raise TimeoutError("the player has no time left")
        begun = time.monotonic()
        try:
            answer = self._link.receive(min(self._left, self._seconds))
        except TimeoutError:
            self._left = 0.0
            raise
        self._left = max(0.0, self._left - (time.monotonic() - begun))
        return answer

    def _news(self, view: View) -> str:
        """Return the fields of the board, and of all actions since the last packet."""
        if view.hole != self._hole:  # a swap: one card has gone, one has come
            (old,), (new,) = set(self._hole) - set(view.hole), set(view.hole) - set(self._hole)
            self._swaps.append(f"{card_text(old)}:{card_text(new)}")
            self._hole = view.hole
        told = list(self._events(view))
        news, self._told = told[self._told :], len(told)
        board = [card_text(card) for card in view.board if card >= 0]
        return " ".join([str(len(board)), *board, str(len(news)), *news])

    def _events(self, view: View) -> Iterator[str]:
        """Yield all actions of the hand so far as the engine words them."""
        hand, swaps = Hand(view.spec, stacks=view.starting_stacks), iter(self._swaps)
        names = [self._facts.name, self._facts.other]
        names = names if view.seat == 0 else names[::-1]
        for name, blind in zip(names, view.spec.blinds, strict=True):
            yield f"POST:{blind}:{name}"
        for action in actions_of(view.line):
            seat, street = hand.actor, hand.street
            if seat is None:
                break
            cards = f"{next(swaps)}:" if action[0] == "d" and seat == view.seat else ""
            yield f"{_event(hand, action)}:{cards}{names[seat]}"
            hand.do(action)
            yield from (f"DEAL:{_STREETS[at]}" for at in range(street, hand.street))
        if view.finished:
            yield from _end(view, hand, names)


def _event(hand: Hand, action: str) -> str:
    if action[0] == "d":
        return "DISCARD"
    if action[0] == "b":
        return f"{'RAISE' if any(hand.bets) else 'BET'}:{action[1:]}"
    return _WORDS[action]


def _end(view: View, hand: Hand, names: list[str]) -> Iterator[str]:
    """Yield what ends a hand: chips returned, cards shown, the pot."""
    if hand.refund is not None:
        yield f"REFUND:{hand.refund[1]}:{names[hand.refund[0]]}"
    for seat, cards in enumerate(view.shown):
        if cards:
            yield f"SHOW:{card_text(cards[0])}:{card_text(cards[1])}:{names[seat]}"
    payoffs = view.payoffs or (0, 0)
    if payoffs[0] == 0:
        yield from (f"TIE:{view.pot // 2}:{name}" for name in names)
    else:
        yield f"WIN:{view.pot}:{names[int(payoffs[1] > 0)]}"


def _legal(view: View) -> list[str]:
    """Return the legal actions in the engine's words."""
    legal = view.legal
    if legal.stand:
        return ["CHECK", *(f"DISCARD:{card_text(card)}" for card in legal.discards)]
    found = ["FOLD"] if legal.fold else []
    found.append("CHECK" if legal.check else "CALL")
    if legal.raise_to is not None:
        word = "RAISE" if any(view.bets) else "BET"
        found.append(f"{word}:{legal.raise_to[0]}:{legal.raise_to[1]}")
    return found


def _move(answer: str, legal: LegalActions) -> str:
    """Convert an answer to a move; the table refuses one that is not legal."""
    word, _, rest = answer.partition(":")
    if legal.stand and answer == "CHECK":
        return "s"
    if word == "DISCARD" and _CARD.fullmatch(rest):
        return f"d{rest}"
    if word in {"BET", "RAISE"} and _AMOUNT.fullmatch(rest):
        return f"b{int(rest)}"
    if answer in _MOVES:
        return _MOVES[answer]
    raise ProtocolError(
        f"{answer[:40]!r} is not an answer: use CHECK, CALL, FOLD, BET:n, RAISE:n or DISCARD:card"
    )


def _cards(cards: tuple[int, ...]) -> str:
    return " ".join(map(card_text, cards))


def _check_game(spec: GameSpec) -> None:
    if spec.players != 2 or not spec.has_swaps or spec.betting != "no-limit":
        raise GameError(
            f"players of Pokerbots 2017 play discard-2017, not {spec.name or 'this game'}"
        )


def remote(
    server: socket.socket, facts: MatchFacts, start_seconds: float, seconds: float
) -> Mit2017Bot:
    """Return the player that connects to a listening socket within a number of seconds.

    `seconds` limits each answer.
    """

    def connect() -> LineLink:
        try:
            return accept(server, start_seconds)
        except TimeoutError:
            port = server.getsockname()[1]
            raise GameError(f"no player connected to port {port} in {start_seconds:g} s") from None

    return Mit2017Bot(connect, facts, seconds)
