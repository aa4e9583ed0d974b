"""Pineapple's backup bot: builds a pot in proportion to the score of its hand.

The score of a hand is its rank among all 7,462, from 0 to 1. The bot gives up hands below 0.4. The
target pot of a hand is its score times all chips of two players. The bot raises to that pot at
once, and calls up to the target divided by the score for going all-in (MIT Pokerbots 2017).

In the report the bot swaps by the expected score after a swap (`discard=score`). The authors' CFR
code, and this bot by default, swap by a gain of equity.

Differences: before the flop five cards cannot be scored, so the exact win rate replaces the score,
and bets stay below a tenth of the stack (the report has such a limit without its value). The report
does not give the score for going all-in either.
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

    low: Annotated[float, meaning("give up below this score", 0, 1)] = 0.4
    all_in: Annotated[float, meaning("go all-in from this score on", 0.01, 1)] = 0.6
    preflop_share: Annotated[
        float, meaning("maximum share of the stack to bet before the flop", 0, 1)
    ] = 0.1
    gain: Annotated[float, meaning("minimum gain of equity for a swap", 0, 1)] = GAIN
    discard: Annotated[
        Literal["equity", "score"],
        meaning("swap by gain of equity, or by expected score"),
    ] = "equity"


class Backup:
    """Builds a pot of its score times the chips of two stacks.

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
            raise GameError("backup plays only hold'em with two hole cards")
        score = self.score(view)
        if score < self.settings.low:
            return give_up(view)
        most = view.starting_stacks[view.seat] * (1 if view.board else self.settings.preflop_share)
        return self._steer(view, score, 2 * most)

    def score(self, view: View) -> float:
        """Return the rank of the best five cards among all hands, from 0 to 1."""
        if not view.board:
            return self._win_rate(view)
        short = view.spec.showdown == "short-deck"
        return evaluate(view.hole + view.board, short) / num_strengths(short_deck=short)

    def _steer(self, view: View, score: float, most: float) -> str:
        """Raise the pot to `score * most` chips, or call, or give up if it is too large."""
        target = score * most
        if view.pot + view.to_call > target / self.settings.all_in:
            return give_up(view)
        goal = view.bets[view.seat] + target - view.pot
        bounds = view.legal.raise_to
        if bounds is None or goal < bounds[0]:
            return go_along(view)
        return raise_to(view, goal)
