"""The rule-based amateur of cardiff's thesis.

The thesis gives the idea, not the rules: play only the stronger starting hands and bet made hands
for value. Our rules use Chen's points for starting hands, then the made hand and the pot odds.
"""

import math
from typing import Annotated, Final, Literal

from riverboat.bots._bot import BotSettings
from riverboat.bots._moves import give_up, go_along, keep_cards, raise_pot_share
from riverboat.cards import category, evaluate
from riverboat.errors import GameError
from riverboat.game import View
from riverboat.settings import meaning

Made = Literal["strong", "good", "weak", "nothing"]

_PREMIUM: Final = 2  # additional points to raise a raise
_WEAK: Final = ("high card", "pair")


class RuleBasedSettings(BotSettings, frozen=True, kw_only=True):
    """Settings of the rule-based amateur."""

    call_points: Annotated[float, meaning("Chen points to play a starting hand", -2, 20)] = 5
    raise_points: Annotated[float, meaning("Chen points to raise a starting hand", -2, 20)] = 8
    strong_bet: Annotated[
        float, meaning("bet size with two pair or better, share of the pot", 0, 10)
    ] = 0.75
    good_bet: Annotated[float, meaning("bet size with top pair, share of the pot", 0, 10)] = 0.5
    good_price: Annotated[float, meaning("maximum call with top pair, share of the pot", 0, 10)] = (
        1.0
    )
    weak_price: Annotated[
        float, meaning("maximum call with weaker pairs and draws, share of the pot", 0, 10)
    ] = 0.4


def chen_points(hole: tuple[int, ...]) -> float:
    """Return the points of a starting hand by Bill Chen's formula.

    Examples
    --------
    >>> chen_points((51, 47)), chen_points((0, 1)), chen_points((0, 21))  # AKs, 22, 72o
    (12, 5, -1)
    """
    low, high = sorted(card // 4 for card in hole)
    points: float = {12: 10, 11: 8, 10: 7, 9: 6}.get(high, (high + 2) / 2)
    if low == high:
        return max(5, math.ceil(2 * points))
    gap = high - low - 1
    points -= (0, 1, 2, 4)[gap] if gap < 4 else 5
    if hole[0] % 4 == hole[1] % 4:
        points += 2
    if gap <= 1 and high < 10:
        points += 1
    return math.ceil(points)


def made_hand(view: View) -> Made:
    """Classify the hand as an amateur does.

    `strong`: two pair or better that uses hole cards; `good`: top pair or an overpair; `weak`:
    another pair with a hole card, or before the river a flush draw or an open-ended straight draw.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand(catalogue("nolimit-100bb"), hole=["AsKh", "7d2c"], board="AcKd9h3s4s")
    >>> hand.play("ck")
    >>> made_hand(hand.view(0)), made_hand(hand.view(1))
    ('strong', 'nothing')
    """
    short = view.spec.showdown == "short-deck"
    cards = view.hole + view.board
    kind = category(evaluate(cards, short), short_deck=short)
    board_ranks = [card // 4 for card in view.board]
    own_ranks = [card // 4 for card in view.hole]
    if kind not in _WEAK and _own_part(kind, own_ranks, board_ranks):
        return "strong"
    top = max(board_ranks)
    pocket = own_ranks[0] == own_ranks[1]
    if top in own_ranks or (pocket and own_ranks[0] > top):
        return "good"
    paired = pocket or any(rank in board_ranks for rank in own_ranks)
    drawing = view.street < len(view.spec.streets) - 1 and _draw(cards)
    return "weak" if paired or drawing else "nothing"


def _own_part(kind: str, own: list[int], board: list[int]) -> bool:
    """Whether hole cards make the hand: all players share a pair on the board."""
    if kind == "two pair":
        return own[0] in board and own[1] in board and own[0] != own[1]
    if kind == "three of a kind":
        return own[0] in board or own[1] in board
    return True


def _draw(cards: tuple[int, ...]) -> bool:
    """Whether there is a flush draw or an open-ended straight draw."""
    suits = [card % 4 for card in cards]
    if any(suits.count(suit) == 4 for suit in range(4)):
        return True
    ranks = {card // 4 for card in cards}
    return any(ranks >= set(range(low, low + 4)) for low in range(9))


class RuleBased:
    """Plays strong starting hands, bets made hands, and calls small bets.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand(catalogue("nolimit-100bb"), hole=["AsAh", "7d2c"])
    >>> RuleBased().act(hand.view(0))
    'b30'
    """

    def __init__(self, seed: int = 0, settings: RuleBasedSettings | None = None) -> None:  # noqa: ARG002 - every bot gets a seed
        self.settings = settings or RuleBasedSettings()

    def act(self, view: View) -> str:
        """Choose a move."""
        if view.legal.stand or view.legal.discards:
            return keep_cards(view)
        if len(view.hole) != 2 or view.spec.showdown not in ("high", "short-deck"):
            raise GameError("rule-based plays only hold'em with two hole cards")
        return self._after_flop(view) if view.board else self._before_flop(view)

    def _before_flop(self, view: View) -> str:
        points = chen_points(view.hole)
        raised = view.bets[view.seat] + view.to_call > max(1, view.spec.big_blind)
        strong = self.settings.raise_points + (_PREMIUM if raised else 0)
        if points >= strong:
            return raise_pot_share(view, 1)
        enough = strong if self._expensive(view) else self.settings.call_points
        return go_along(view) if points >= enough else give_up(view)

    @staticmethod
    def _expensive(view: View) -> bool:
        """Whether a call costs more than a tenth of the stack."""
        stack = view.stacks[view.seat] + view.bets[view.seat]
        return view.to_call * 10 > stack

    def _after_flop(self, view: View) -> str:
        settings = self.settings
        price = view.to_call / max(1, view.pot - view.to_call)
        match made_hand(view):
            case "strong":
                return raise_pot_share(view, settings.strong_bet)
            case "good":
                if view.legal.check:
                    return raise_pot_share(view, settings.good_bet)
                return go_along(view) if price <= settings.good_price else give_up(view)
            case "weak":
                return go_along(view) if price <= settings.weak_price else give_up(view)
            case _:
                return give_up(view)
