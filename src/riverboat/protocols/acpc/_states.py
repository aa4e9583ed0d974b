"""Reads and writes `MATCHSTATE:position:hand:betting:cards`.

Amounts are the chips that a player has put in over the whole *hand*. With two players and blinds
position 0 is the big blind, our seat 1.
"""

import re
from typing import NamedTuple

from riverboat.cards import card_text
from riverboat.errors import ProtocolError, RiverboatError
from riverboat.game import Action, GameSpec, Hand, seat_of_position
from riverboat.protocols.client import nearest_bet, nearest_move

_STATE = re.compile(r"MATCHSTATE:([0-9]{1,2}):([0-9]{1,9}):([^:]*):([^:]*)", re.ASCII)
_WORD = re.compile(r"[fck/]|[rb][0-9]{0,15}", re.ASCII)
_ANSWER = re.compile(r"[fck]|[rb][0-9]{0,15}", re.ASCII)


class MatchState(NamedTuple):
    """The fields of a line."""

    position: int
    number: int
    betting: str
    cards: str


def read_state(line: str) -> MatchState:
    """Parse a line.

    Examples
    --------
    >>> read_state("MATCHSTATE:0:30:c:9s8h|")
    MatchState(position=0, number=30, betting='c', cards='9s8h|')
    """
    found = _STATE.fullmatch(line)
    if found is None:
        raise ProtocolError(f"{line[:80]!r} is not MATCHSTATE:position:hand:betting:cards")
    position, number, betting, cards = found.groups()
    return MatchState(int(position), int(number), betting, cards)


def hand_of(spec: GameSpec, state: MatchState) -> Hand:
    """Return the hand of a state, replayed up to it.

    Actions that our rules do not allow become the nearest legal ones: at ACPC's dealer a short
    all-in reopens the betting.
    """
    holes, _, board = state.cards.partition("/")
    by_position = holes.split("|")
    if len(by_position) != spec.players:
        raise ProtocolError(f"{holes!r} are not the cards of {spec.players} players")
    try:
        by_seat = [by_position[seat_of_position(spec, i)] or None for i in range(spec.players)]
        hand = Hand(spec, hole=by_seat, board=board.replace("/", ""))
        for word in _words(state.betting):
            hand.do(action_of(hand, word))
    except ProtocolError:
        raise
    except RiverboatError as error:
        raise ProtocolError(f"{state.betting!r} with {state.cards!r}: {error}") from error
    return hand


def _words(betting: str) -> list[str]:
    words = _WORD.findall(betting)
    if "".join(words) != betting:
        raise ProtocolError(f"{betting[:80]!r} is not betting: it may have c, f, r and amounts")
    return [word for word in words if word != "/"]


def action_of(hand: Hand, word: str) -> str:
    """Return the legal move of the seat to act that is nearest to an ACPC action.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> hand = Hand.from_line(catalogue("nolimit-200bb"), "b300c/")
    >>> action_of(hand, "r900"), action_of(hand, "c"), action_of(hand, "r310")
    ('b600', 'k', 'b100')
    """
    if hand.actor is None or not _ANSWER.fullmatch(word):
        raise ProtocolError(f"{word[:40]!r} is not an action here")
    if word[0] in "rb":
        return nearest_bet(hand, int(word[1:]) - _before(hand, hand.actor) if word[1:] else 0)
    return nearest_move(hand, word)


def word_of(hand: Hand, action: Action) -> str:
    """Return a move of the seat to act as an ACPC action."""
    if action.kind == "bet" and hand.actor is not None:
        limit = hand.spec.betting == "fixed-limit"
        return "r" if limit else f"r{_before(hand, hand.actor) + action.amount}"
    return "f" if action.kind == "fold" else "c"


def _before(hand: Hand, seat: int) -> int:
    """Return the chips that a seat put in on earlier streets."""
    return hand.starting_stacks[seat] - hand.stacks[seat] - hand.bets[seat]


def state_line(hand: Hand, seat: int, number: int) -> str:
    """Write the state of a hand for a seat.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> hand = Hand(catalogue("nolimit-200bb"), hole=["TdAs", "9s8h"], board="2c8c3h9c")
    >>> hand.play("b300c/kb300")
    >>> state_line(hand, 0, 7)
    'MATCHSTATE:1:7:r300c/cr600:|TdAs/2c8c3h'
    """
    spec = hand.spec
    betting = _betting(hand)
    view = hand.view(seat)
    told = {other: cards for other, cards in enumerate(view.shown) if cards}
    told[seat] = view.hole
    order = [seat_of_position(spec, position) for position in range(spec.players)]
    holes = "|".join(_text(told.get(other, ())) for other in order)
    boards, start = "", 0
    for size in spec.board_sizes[: betting.count("/") + 1]:
        if size > start:
            boards += f"/{_text(view.board[start:size])}"
        start = size
    return f"MATCHSTATE:{order.index(seat)}:{number}:{betting}:{holes}{boards}"


def _betting(hand: Hand) -> str:
    """Write the betting; a street without actions is empty."""
    again = Hand(hand.spec, stacks=hand.starting_stacks)
    rounds = [""]
    for event in hand.events:
        rounds += [""] * (event.street + 1 - len(rounds))
        rounds[-1] += word_of(again, event.action)
        again.do(event.action)
    rounds += [""] * (hand.street + 1 - len(rounds))
    return "/".join(rounds)


def _text(cards: tuple[int, ...]) -> str:
    return "".join("" if card < 0 else card_text(card) for card in cards)
