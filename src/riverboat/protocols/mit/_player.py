"""Our bot in a Pokerbots engine: an answer to every line.

A line has clauses: the clock, our seat, new actions and cards, the result.
"""

import re

from riverboat.cards import built_strength, hole_index, run_out_points
from riverboat.errors import CardError, ProtocolError
from riverboat.game import Action, Hand
from riverboat.protocols.client import Dialect, Player, final_view
from riverboat.protocols.mit._round import Round, number
from riverboat.protocols.mit._variants import Variant

_CHECK = "K"
_CLOCK = re.compile(r"[0-9]{1,9}(\.[0-9]{0,9})?", re.ASCII)
_ALL_POINTS = 1980  # half-points of `run_out_points`


class MitPlayer(Dialect):
    """The player's side of the protocol, for `riverboat.protocols.client.join`.

    Parameters
    ----------
    player
        Our bot, with a time bank if the clock counts.
    variant
        The year's engine.

    Examples
    --------
    >>> from riverboat.bots import make_bot
    >>> from riverboat.protocols.mit import find_variant
    >>> ours = MitPlayer(Player(make_bot("fish", seed=1)), find_variant("2025"))
    >>> ours.hear("T60.000 P0 HAs,Kd GQ")
    ('C',)
    >>> ours.hear("T59.990 C K B2c,3d,4h K")
    ('K',)
    >>> ours.hear("T59.980 K B2c,3d,4h,9s R10 F D-2 Y00")
    ('K',)
    """

    def __init__(self, player: Player, variant: Variant) -> None:
        super().__init__(player)
        self._variant = variant
        self._rounds = 0
        self._seat = 0
        self._round: Round | None = None

    def hear(self, line: str) -> tuple[str, ...]:
        """Answer a line; only the last line of a match has no answer."""
        chips: int | None = None
        for clause in line.split():
            letter, rest = clause[0], clause[1:]
            if letter == "Q":
                self.over = True
                return ()
            if letter == "T":
                self._tell_time(rest)
            elif letter == "P":
                self._take_seat(rest)
            elif letter == "H":
                self._begin(rest)
            elif letter == self._variant.result and chips is None:
                chips = number(rest)
            else:
                self._known().hear(clause)
        if chips is None:
            return (self._answer(),)
        self._end(chips)
        return (_CHECK,)

    def shrug(self, line: str) -> tuple[str, ...]:
        """Check: the engine waits for an answer to every line."""
        del line
        return (_CHECK,)

    def _known(self) -> Round:
        if self._round is None:
            raise ProtocolError("the line belongs to a round that has not started")
        return self._round

    def _tell_time(self, text: str) -> None:
        if not _CLOCK.fullmatch(text):
            raise ProtocolError(f"{text[:40]!r} is not a clock")
        if self.player.bank is not None:
            self.player.bank.left(float(text))

    def _take_seat(self, text: str) -> None:
        if text not in ("0", "1"):
            raise ProtocolError(f"{text[:40]!r} is not a seat: seats are 0 and 1")
        self._seat = int(text)

    def _begin(self, text: str) -> None:
        """Start a round; a lost connection may have left the last one unfinished."""
        self._rounds += 1
        spec = self._variant.spec_of(self._rounds)
        begun = Round(self._variant, spec, self._seat)
        begun.hear_hole(text)
        self._round, self.in_hand = begun, True
        if self._variant.is_playable(self._rounds):
            self.player.begin(begun.hand().view(self._seat))

    def _end(self, chips: int) -> None:
        """Count the result; tell the bot if the round can be replayed."""
        ended = self._known()
        self._round, self.in_hand = None, False
        self.player.score(ended.spec, chips)
        if self._variant.is_playable(self._rounds):
            self.player.finish(final_view(ended.hand(), ended.seat, chips))

    def _answer(self) -> str:
        now = self._known()
        if not self._variant.is_playable(self._rounds):
            return "C" if now.seat == 0 and not now.streets[0] else _CHECK
        if now.waits:
            return _CHECK
        if now.bidding:
            return f"A{self._bid(now)}"
        hand = now.hand()
        if hand.actor != now.seat:
            return _CHECK  # a player is all-in: the engine asks nevertheless
        return _word(self.player.decide(now.view(hand)), now, hand)

    def _bid(self, now: Round) -> int:
        """Bid by equity: a third card helps most with close equities and in large pots."""
        hand = now.hand()
        share = _share(now.hole[:2], now.board)
        worth = hand.pot * share * (1 - share)
        return max(0, min(int(worth), hand.stacks[now.seat]))


def _share(hole: list[int], board: list[int]) -> float:
    """Return the equity against a random hand: from the tables if they exist, else enumerated."""
    if set(hole) & set(board):
        raise ProtocolError("a hole card is also on the board")
    if (tables := built_strength()) is not None:
        wins, ties, deals = tables.counts(hole_index(*hole), board)
        return (2 * wins + ties) / (2 * deals)
    try:
        points = run_out_points(hole, board)
    except CardError as error:
        raise ProtocolError(str(error)) from error
    return int(points.sum()) / (_ALL_POINTS * len(points))


def _word(action: Action, now: Round, hand: Hand) -> str:
    """Return a move in the engine's letters."""
    if action.kind == "bet":
        return f"R{action.amount}"
    if action.kind == "discard":
        return f"D{now.hole.index(action.card)}"
    if action.kind == "fold":
        return "F"
    return "C" if hand.to_call else _CHECK
