"""KillBot of husky's C++ code: plays what paid, the later the heavier.

A situation is the third of the win rate, the opponent's last move and the street.
The utility of a chosen move grows by the number of the hand times the result in
stacks; moves are played in proportion to their positive utilities, and evenly
where none is positive.
"""

import random
from typing import Annotated, Final

from riverboat.bots._equity_bot import EquityBot, EquitySettings
from riverboat.bots._moves import Size, give_up, go_along, last_action, raise_by
from riverboat.game import View
from riverboat.settings import meaning

_MOVES: Final = ("fold", "call", "raise", "all-in")

Key = tuple[int, str, int]


class KillBotSettings(EquitySettings, frozen=True, kw_only=True):
    """Settings of KillBot."""

    bins: Annotated[int, meaning("bins of the win rate", 1, 1000)] = 3
    size: Annotated[Size, meaning("of a raise that is not all-in")] = "double"


class KillBot(EquityBot[KillBotSettings]):
    """Learns the utility of fold, call, raise and all-in in each situation.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> bot = KillBot(1, KillBotSettings())
    >>> bot.act(Hand(catalogue("nolimit-100bb"), seed=1).view(0)) in ("f", "c", "b40", "b1000")
    True
    """

    learns = True

    def __init__(self, seed: int, settings: KillBotSettings) -> None:
        super().__init__(seed, settings)
        self._random = random.Random(seed)  # noqa: S311 - a game, no secret
        self.utilities: dict[Key, list[float]] = {}
        self._choices: list[tuple[Key, int]] = []
        self._hands = 0

    def decide(self, view: View, rate: float) -> str:
        """Choose at this win rate, and remember the choice."""
        bins = self.settings.bins
        key = (min(int(rate * bins), bins - 1), self._last_move(view), view.street)
        utilities = self.utilities.setdefault(key, [0.0] * len(_MOVES))
        weights = [max(0.0, utility) for utility in utilities]
        chosen = self._random.choices(range(len(_MOVES)), weights if any(weights) else None)[0]
        self._choices.append((key, chosen))
        match _MOVES[chosen]:
            case "fold":
                return give_up(view)
            case "call":
                return go_along(view)
            case "raise":
                return raise_by(view, self.settings.size)
            case _:
                return raise_by(view, "max")

    @staticmethod
    def _last_move(view: View) -> str:
        """Return the letter of the last move on this street, `a` if it was all-in."""
        letter = last_action(view)
        all_in = any(view.stacks[seat] == 0 for seat in view.live if seat != view.seat)
        return "a" if letter == "b" and all_in else letter

    def hand_started(self, view: View) -> None:  # noqa: ARG002 - what is new does not matter
        """Begin a hand: choices of one that was not finished are not learnt from."""
        self._choices.clear()

    def hand_over(self, view: View) -> None:
        """Learn from the result."""
        if view.payoffs is None:
            return
        self._hands += 1
        result = view.payoffs[view.seat] / max(1, view.starting_stacks[view.seat])
        for key, chosen in self._choices:
            self.utilities[key][chosen] += self._hands * result
        self._choices.clear()
