"""Our bot against Slumbot, with a record of hands that a later run continues.

Slumbot's notation equals ours except for empty streets: `b` and the chips on this street.
`client_pos` 0 is the big blind, our seat 1. At the end of every hand both players' cards are shown.
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
_MOST_LOST = 5  # hands that are given up, for each that is played
_MOST_CHIPS = 10**6


class PlayedHand(msgspec.Struct, frozen=True):
    """A hand that is over: a line of the record."""

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
    """Results in thousandths of a big blind a hand.

    Attributes
    ----------
    hands
        All that the record has.
    raw
        As played.
    all_in
        With all-in hands at their expectation.
    baseline
        What the site says, luck taken out by its own play with our cards; None if it says nothing.
    aivat
        Luck taken out by AIVAT; None if the bot does not say what it does with every hand.
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
    """Play until the record has this number of hands.

    Parameters
    ----------
    api
        The session.
    player
        Our bot.
    hands
        In all, with those that the record has already.
    record
        File with a line for each hand; a run that was stopped goes on from it.
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
            # Sent again, the move might be made twice; what fails by chance may be left out.
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
    """Read the record; an incomplete last line is ignored."""
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
    """Begin a hand in the session of a record, or in a new one if that has ended."""
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
            raise ProtocolError(f"{state.action!r}: the server waits, and it is not our turn")
        move = player.decide(hand.view(state.seat))
        state = _State.read(api.post("act", {"incr": str(move)}))
    raise ProtocolError(f"a hand of more than {_MOST_ACTIONS} actions")


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
    """The fields of an answer."""

    action: str
    client_pos: Literal[0, 1]
    hole_cards: Annotated[list[_Card], Meta(min_length=2, max_length=2)]
    board: list[_Card] | None = None
    bot_hole_cards: list[_Card] | None = None
    winnings: _Chips = None
    baseline_winnings: _Chips = None

    def __post_init__(self) -> None:
        """Refuse numbers of cards that no street has."""
        board, opponent = len(self.board or ()), len(self.bot_hole_cards or ())
        if board not in {0, 3, 4, 5} or opponent not in {0, 2}:
            raise ValueError("a board has 0, 3, 4 or 5 cards, and a hand 2")

    @classmethod
    def read(cls, answer: dict[str, Any]) -> "_State":
        """Check an answer."""
        try:
            return msgspec.convert(answer, cls)
        except msgspec.ValidationError as error:
            reason = one_line(str(error))
            raise ProtocolError(f"an answer is not a state of a hand: {reason}") from error

    @property
    def seat(self) -> int:
        """Our seat."""
        return 1 - self.client_pos

    def holes(self) -> list[list[str] | None]:
        """The cards by seat."""
        pair = [self.hole_cards, self.bot_hole_cards or None]
        return pair if self.seat == 0 else pair[::-1]

    def hand(self) -> Hand:
        """Replay the hand by our rules."""
        return _played(self.action, self.holes(), self.board or [])


def hand_of(action: str, hole: Sequence[str], client_pos: int, board: Sequence[str] = ()) -> Hand:
    """Return the hand of a line of theirs.

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
        raise ProtocolError(f"{action[:80]!r} is not a line of play")
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
        raise ProtocolError(f"{word!r} comes after the end")
    move = Action(word)
    return nearest_bet(hand, move.amount) if move.kind == "bet" else nearest_move(hand, word)


def _split(text: str) -> list[str]:
    return [text[i : i + 2] for i in range(0, len(text), 2)]


def summed(
    played: Sequence[PlayedHand], bot: Any = None, files: Sequence[Path] = ()
) -> SlumbotResult:
    """Return what the hands say; with the bot AIVAT too, if it is one that is known."""
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
        except GameError:  # something else was done than the bot does
            chips = float(each.winnings if each.seat == 0 else -each.winnings)
        found.append(chips if each.seat == 0 else -chips)
    return np.array(found)
