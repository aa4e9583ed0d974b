"""Our bot against Slumbot, with a record of hands that a later run can continue.

Slumbot's notation equals ours except for empty streets: after `b` come the chips on this street.
`client_pos` 0 is the big blind, our seat 1. Both players' cards are shown at the end of every hand.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta

from riverboat.arena import expected_payoffs
from riverboat.errors import GameError, ProtocolError, RiverboatError, one_line
from riverboat.game import Action, Hand, catalogue
from riverboat.protocols.client import Player, nearest_bet, nearest_move
from riverboat.protocols.slumbot._api import Api, LostAnswerError
from riverboat.statistics import Estimate, mean_estimate

SPEC = catalogue("nolimit-200bb")
_WORD = re.compile(r"[kcf/]|b[0-9]{1,6}", re.ASCII)
_MOST_ACTIONS = 200
_MOST_LOST = 5  # hands given up per hand played
_MOST_CHIPS = 10**6


class PlayedHand(msgspec.Struct, frozen=True):
    """A finished hand: a line of the record."""

    action: str
    client_pos: int
    hole: str
    opponent: str
    board: str
    winnings: float
    baseline: float | None
    token: str

    def hand(self) -> Hand:
        """Replay the hand."""
        pairs = (_split(self.hole), _split(self.opponent))
        order = pairs if self.client_pos == 1 else pairs[::-1]
        return _played(self.action, [pair or None for pair in order], _split(self.board))

    @property
    def seat(self) -> int:
        """Our seat."""
        return 1 - self.client_pos


@dataclass(frozen=True, slots=True)
class SlumbotResult:
    """Results in mbb/hand.

    Attributes
    ----------
    hands
        Number of hands in the record.
    raw
        Results as played.
    all_in
        Results with all-in EV.
    baseline
        The site's variance-reduced result: it plays our cards itself; None if the site sends none.
    aivat
        Variance-reduced by AIVAT; None if the bot's strategies for all hands are not known.
    """

    hands: int
    raw: Estimate
    all_in: Estimate
    baseline: Estimate | None
    aivat: Estimate | None


def play(
    api: Api,
    player: Player,
    hands: int,
    record: Path | None = None,
    *,
    progress: Callable[[], object] = lambda: None,
) -> list[PlayedHand]:
    """Play until the record has the given number of hands.

    Parameters
    ----------
    api
        Session with the server.
    player
        Our bot.
    hands
        Total number, including the hands that the record already has.
    record
        File with a line for each hand; a stopped run resumes from it.
    progress
        Called after every hand.
    """
    played = _read(record)
    resumed = bool(played) and api.token is None
    if resumed:
        api.token = played[-1].token
    while len(played) < hands:
        begun = _first_hand(api) if resumed else api.post("new_hand", {})
        try:
            done = _play_hand(api, player, begun)
        except LostAnswerError:
            # A repeated move might be processed twice. Leaving out hands at random adds no bias.
            api.lost += 1
            if api.lost > _MOST_LOST * (1 + len(played)):
                raise
            resumed = True
            continue
        resumed = False
        played.append(done)
        if record is not None:
            with record.open("ab") as file:
                file.write(msgspec.json.encode(done) + b"\n")
        progress()
    return played


def _read(record: Path | None) -> list[PlayedHand]:
    """Read the record; ignore an incomplete last line."""
    if record is None or not record.is_file():
        return []
    text = record.read_bytes()
    whole = text[: text.rfind(b"\n") + 1]
    if whole != text:
        record.write_bytes(whole)
    try:
        return [msgspec.json.decode(line, type=PlayedHand) for line in whole.splitlines()]
    except msgspec.MsgspecError as error:
        raise ProtocolError(f"{record} is not a record of hands: {error}") from error


def _first_hand(api: Api) -> dict[str, Any]:
    """Start a hand in the session of a record, or in a new session if that has ended."""
    try:
        return api.post("new_hand", {})
    except ProtocolError:
        api.token = None
        return api.post("new_hand", {})


def _play_hand(api: Api, player: Player, begun: dict[str, Any]) -> PlayedHand:
    state = _State.read(begun)
    player.begin(_played("", state.holes(), []).view(state.seat))
    for _ in range(_MOST_ACTIONS):
        if state.winnings is not None:
            return _finish(state, player, api)
        hand = state.hand()
        if hand.actor != state.seat:
            raise ProtocolError(
                f"the server waits for our move after {state.action!r}, but it is not our turn"
            )
        move = player.decide(hand.view(state.seat))
        state = _State.read(api.post("act", {"incr": str(move)}))
    raise ProtocolError(f"the hand has more than {_MOST_ACTIONS} actions")


def _finish(state: "_State", player: Player, api: Api) -> PlayedHand:
    hand = state.hand()
    player.score(SPEC, state.winnings or 0)
    player.finish(hand.view(state.seat))
    return PlayedHand(
        state.action,
        state.client_pos,
        "".join(state.hole_cards),
        "".join(state.bot_hole_cards or ()),
        "".join(state.board or ()),
        state.winnings or 0,
        state.baseline_winnings,
        api.token or "",
    )


_Card = Annotated[str, Meta(pattern=r"^[2-9TJQKA][cdhs]\Z")]
_Chips = (
    Annotated[int, Meta(ge=-_MOST_CHIPS, le=_MOST_CHIPS)]
    | Annotated[float, Meta(ge=-_MOST_CHIPS, le=_MOST_CHIPS)]
    | None
)


class _State(msgspec.Struct, frozen=True):
    """The state of a hand, from the fields of an answer."""

    action: str
    client_pos: Literal[0, 1]
    hole_cards: Annotated[list[_Card], Meta(min_length=2, max_length=2)]
    board: list[_Card] | None = None
    bot_hole_cards: list[_Card] | None = None
    winnings: _Chips = None
    baseline_winnings: _Chips = None

    def __post_init__(self) -> None:
        """Reject impossible numbers of cards."""
        board, opponent = len(self.board or ()), len(self.bot_hole_cards or ())
        if board not in {0, 3, 4, 5} or opponent not in {0, 2}:
            raise ValueError("a board must have 0, 3, 4 or 5 cards, and a hand 2")

    @classmethod
    def read(cls, answer: dict[str, Any]) -> "_State":
        """Read and check an answer."""
        try:
            return msgspec.convert(answer, cls)
        except msgspec.ValidationError as error:
            reason = one_line(str(error))
            raise ProtocolError(f"the answer is not a state of a hand: {reason}") from error

    @property
    def seat(self) -> int:
        """Our seat."""
        return 1 - self.client_pos

    def holes(self) -> list[list[str] | None]:
        """Hole cards by seat; None = unknown."""
        pair = [self.hole_cards, self.bot_hole_cards or None]
        return pair if self.seat == 0 else pair[::-1]

    def hand(self) -> Hand:
        """Replay the hand by Riverboat's rules."""
        return _played(self.action, self.holes(), self.board or [])


def hand_of(action: str, hole: Sequence[str], client_pos: int, board: Sequence[str] = ()) -> Hand:
    """Return the hand of a line in Slumbot's notation.

    Examples
    --------
    >>> hand_of("b20000c///", ["Ah", "Kd"], 0).finished
    True
    """
    answer = {"action": action, "client_pos": client_pos}
    return _State.read({**answer, "hole_cards": list(hole), "board": list(board)}).hand()


def _played(action: str, holes: Sequence[list[str] | None], board: list[str]) -> Hand:
    words = _WORD.findall(action)
    if "".join(words) != action:
        raise ProtocolError(f"{action[:80]!r} is not a line of actions")
    try:
        hand = Hand(SPEC, hole=list(holes), board=list(board))
        for word in words:
            if word != "/":
                hand.do(_move(hand, word))
    except RiverboatError as error:
        raise ProtocolError(f"{action[:80]!r}: {error}") from error
    return hand


def _move(hand: Hand, word: str) -> str:
    if hand.actor is None:
        raise ProtocolError(f"{word!r} comes after the end of the hand")
    move = Action(word)
    return nearest_bet(hand, move.amount) if move.kind == "bet" else nearest_move(hand, word)


def _split(text: str) -> list[str]:
    return [text[i : i + 2] for i in range(0, len(text), 2)]


def summed(
    played: Sequence[PlayedHand], bot: Any = None, files: Sequence[Path] = ()
) -> SlumbotResult:
    """Return the result of hands; with AIVAT if the bot's strategies are known."""
    raw = np.array([each.winnings for each in played], np.float64)
    baselines = [each.baseline for each in played if each.baseline is not None]
    unit = 1000 / SPEC.big_blind
    all_in = np.array([_expected(i, each) for i, each in enumerate(played)], np.float64)
    aivat = None if bot is None else _aivat(played, bot, files)
    whole = len(baselines) == len(played) and bool(played)
    return SlumbotResult(
        len(played),
        mean_estimate(unit * raw),
        mean_estimate(unit * all_in),
        mean_estimate(unit * np.array(baselines, np.float64)) if whole else None,
        None if aivat is None else mean_estimate(unit * aivat),
    )


def _expected(number: int, played: PlayedHand) -> float:
    """Return the winnings, with all-in EV for all-in hands."""
    hand = played.hand()
    all_in = hand.settled and played.opponent and len(hand.live) > 1
    found = expected_payoffs(hand, number) if all_in else None
    return played.winnings if found is None else found[played.seat]


def _aivat(played: Sequence[PlayedHand], bot: Any, files: Sequence[Path]) -> Any:
    from riverboat.evaluate import AivatScorer, aivat_value, is_known  # noqa: PLC0415 - slow

    if not is_known(bot) or not all(each.opponent for each in played):
        return None
    scorer = AivatScorer(aivat_value(SPEC, files))
    found = []
    for each in played:
        bots = [bot, None] if each.seat == 0 else [None, bot]
        try:
            chips = scorer.score(each.hand(), bots)
        except GameError:  # the record has an action that the bot never takes
            chips = float(each.winnings if each.seat == 0 else -each.winnings)
        found.append(chips if each.seat == 0 else -chips)
    return np.array(found)
