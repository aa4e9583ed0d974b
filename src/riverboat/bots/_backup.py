"""Pineapple's backup bot: steers the pot to a size that its hand deserves.

The score of a hand is its place among all 7,462, from 0 to 1. Hands below 0.4 are
given up. The pot that a hand deserves is its score times all chips of two players;
the bot raises to get there at once, and calls up to that pot divided by the score
from which it is willing to go all-in (MIT Pokerbots 2017).

The report has it swap by the expected score after a swap (`discard=score`); the authors' CFR code,
and this bot unless told otherwise, by a gain of equity.

Differences: before the flop five cards cannot be scored; the exact win rate takes
the score's place, and bets stay below a tenth of the stack (the report has a bound
too, without its value). The report does not give the all-in score either.
"""

from typing import Annotated, Literal

from riverboat.bots._bot import BotSettings
from riverboat.bots._moves import give_up, go_along, raise_to
from riverboat.bots._swap import GAIN, discard, discard_by_score
from riverboat.bots._win_rate import WinRate
from riverboat.cards import evaluate, num_strengths
from riverboat.errors import GameError
from riverboat.game import View
from riverboat.settings import meaning


class BackupSettings(BotSettings, frozen=True, kw_only=True):
    """Settings of the backup bot."""

    low: Annotated[float, meaning("gives up below this score", 0, 1)] = 0.4
    all_in: Annotated[float, meaning("is willing to go all-in from this score on", 0.01, 1)] = 0.6
    preflop_share: Annotated[
        float, meaning("before the flop it bets at most this share of its stack", 0, 1)
    ] = 0.1
    gain: Annotated[float, meaning("swaps a card if that gains so much equity", 0, 1)] = GAIN
    discard: Annotated[
        Literal["equity", "score"],
        meaning("swaps by a gain of equity, or by the expected score of five cards"),
    ] = "equity"


class Backup:
    """Brings the pot to its score times the chips of two stacks.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand(catalogue("discard-2017"), hole=["AsAh", "7d2c"], board="AcAdKsQh3c", seed=1)
    >>> hand.play("ck/ssk")
    >>> Backup().act(hand.view(0))  # four aces
    'b198'
    """

    def __init__(self, seed: int = 0, settings: BackupSettings | None = None) -> None:
        self.settings = settings or BackupSettings()
        self._win_rate = WinRate(seed)

    def act(self, view: View) -> str:
        """Choose a move."""
        if view.legal.stand or view.legal.discards:
            by_score = self.settings.discard == "score"
            return discard_by_score(view) if by_score else discard(view, self.settings.gain)
        if len(view.hole) != 2 or view.spec.showdown not in ("high", "short-deck"):
            raise GameError("backup plays hold'em with two cards in the hand, no other game")
        score = self.score(view)
        if score < self.settings.low:
            return give_up(view)
        most = view.starting_stacks[view.seat] * (1 if view.board else self.settings.preflop_share)
        return self._steer(view, score, 2 * most)

    def score(self, view: View) -> float:
        """Return the place of the best five cards among all hands, 0 to 1."""
        if not view.board:
            return self._win_rate(view)
        short = view.spec.showdown == "short-deck"
        return evaluate(view.hole + view.board, short) / num_strengths(short_deck=short)

    def _steer(self, view: View, score: float, most: float) -> str:
        """Bring the pot to `score * most` chips, if that is not behind us already."""
        target = score * most
        if view.pot + view.to_call > target / self.settings.all_in:
            return give_up(view)
        goal = view.bets[view.seat] + target - view.pot
        bounds = view.legal.raise_to
        if bounds is None or goal < bounds[0]:
            return go_along(view)
        return raise_to(view, goal)
