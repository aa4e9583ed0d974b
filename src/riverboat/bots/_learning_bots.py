"""Husky's bots that learn from the results of hands (University of Washington, 2024).

Killer learns how aggressive to be at each win rate, in five bins. In each bin it plays defensively
(check or fold) or aggressively (call or raise with equal probability). After every hand the weights
change by 0.1 times the difference of the result, in stacks, from the mean of the last 500. The
raise size follows the last ten results. If Killer does not win, it tries All-In, Honest and Shark
in turn.

KillBot, of husky's C++ code, prefers moves that won; later hands have larger weights. A situation
is the third of the win rate, the opponent's last move and the street. The utility of a chosen move
grows by the number of the hand times the result in stacks. Moves are played in proportion to their
positive utilities, and uniformly if none is positive.

Killer differs from the published code in two points. That code calls a number as a function when it
switches the bot, and checks whether a mean differs from zero instead of whether it is positive;
here a stage is judged by its own results after its number of hands, and never played again. If both
weights are zero, they are reset to one half instead of dividing by zero.
"""

import random
from abc import abstractmethod
from collections import deque
from collections.abc import Hashable
from typing import Annotated, Final, Generic, TypeVar

from riverboat.bots._equity_bots import (
    EquityBot,
    EquitySettings,
    Honest,
    HonestSettings,
    Samples,
    Shark,
    SharkSettings,
    TieRule,
)
from riverboat.bots._moves import Size, give_up, go_along, last_action, raise_by, raise_to
from riverboat.bots._simple_bots import AllIn
from riverboat.game import View
from riverboat.settings import meaning

_SIZE_HANDS: Final = 10  # the raise size changes after this number of hands
_DIGITS: Final = str.maketrans("", "", "0123456789")

K = TypeVar("K", bound=Hashable)
S = TypeVar("S", bound=EquitySettings)


class Learner(EquityBot[S], Generic[S, K]):
    """Base class of bots that learn from the result of each hand."""

    learns = True

    def __init__(self, seed: int, settings: S) -> None:
        super().__init__(seed, settings)
        self._random = random.Random(seed)  # noqa: S311 - a game, no secret
        #: Situations of this hand, and the chosen move in each.
        self._choices: list[tuple[K, int]] = []
        self._hands = 0

    def hand_started(self, view: View) -> None:  # noqa: ARG002 - a hook's parameter
        """Forget the choices of an unfinished hand."""
        self._choices.clear()

    def hand_over(self, view: View) -> None:
        """Learn from the result."""
        if view.payoffs is not None:
            self._hands += 1
            self.learn(view.payoffs[view.seat] / max(1, view.starting_stacks[view.seat]))
            self._choices.clear()

    @abstractmethod
    def learn(self, result: float) -> None:
        """Learn from the result of a hand, as a share of the starting stack."""


KillerKey = int | tuple[int, str]


class KillerSettings(EquitySettings, frozen=True, kw_only=True):
    """Settings of Killer."""

    samples: Samples = 200
    ties: TieRule = "loss"
    bins: Annotated[int, meaning("bins of the win rate", 1, 1000)] = 5
    line: Annotated[bool, meaning("learn separately for each line, without bet sizes")] = False
    learning_rate: Annotated[float, meaning("learning rate of weights and raise size", 0, 10)] = 0.1
    x: Annotated[float, meaning("first raise size, from 0 (minimum) to 1 (maximum)", 0, 1)] = 0.5
    memory: Annotated[int, meaning("number of results to average", 1, 1_000_000)] = 500
    chain: Annotated[bool, meaning("try all-in, honest and shark after losses")] = True
    patience: Annotated[int, meaning("hands before the first replacement", 1, 1_000_000)] = 2000
    trial: Annotated[int, meaning("hands of each replacement before the next", 1, 1_000_000)] = 1000
    size: Annotated[Size, meaning("raise size of the shark in the chain")] = "mid"


class Killer(Learner[KillerSettings, KillerKey]):
    """Learns how often to be aggressive in each bin of the win rate.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> bot = Killer(1, KillerSettings())
    >>> bot.act(Hand(catalogue("nolimit-100bb"), seed=1).view(0)) in ("f", "c", "b510")
    True
    >>> bot.stage
    'killer'
    """

    def __init__(self, seed: int, settings: KillerSettings) -> None:
        super().__init__(seed, settings)
        self.weights: dict[KillerKey, list[float]] = {}
        self.x = settings.x
        self._results: deque[float] = deque(maxlen=settings.memory)
        self._recent = 0.0
        self._in_stage = 0
        shark = SharkSettings(samples=settings.samples, ties=settings.ties, size=settings.size)
        honest = HonestSettings(samples=settings.samples, ties=settings.ties)
        self._chain: list[tuple[str, AllIn | Honest | Shark]] = [
            ("allin", AllIn()),
            ("honest", Honest(seed, honest)),
            ("shark", Shark(seed, shark)),
        ]
        self.stage = "killer"
        self._substitute: AllIn | Honest | Shark | None = None

    def act(self, view: View) -> str:
        """Choose a move."""
        if self._substitute is not None:
            return self._substitute.act(view)
        return super().act(view)

    def decide(self, view: View, rate: float) -> str:
        """Choose a move at this win rate, and remember the choice."""
        key = self.key(view, rate)
        defensive, aggressive = self.weights.setdefault(key, [0.5, 0.5])
        bold = self._random.random() * (defensive + aggressive) >= defensive
        self._choices.append((key, int(bold)))
        if not bold:
            return give_up(view)
        if self._random.random() < 0.5 or view.legal.raise_to is None:
            return go_along(view)
        least, most = view.legal.raise_to
        return raise_to(view, least * (1 - self.x) + most * self.x)

    def key(self, view: View, rate: float) -> KillerKey:
        """Return the key of a situation: the bin, and with `line` the line."""
        place = min(int(rate * self.settings.bins), self.settings.bins - 1)
        return (place, view.line.translate(_DIGITS)) if self.settings.line else place

    def learn(self, result: float) -> None:
        """Update the weights, every ten hands the raise size, and then the stage."""
        self._results.append(result)
        self._in_stage += 1
        self._move_weights(result - sum(self._results) / len(self._results))
        self._recent += result
        if self._hands % _SIZE_HANDS == 0:
            step = self.settings.learning_rate * self._recent / _SIZE_HANDS
            self.x = min(1.0, max(0.0, self.x + step))
            self._recent = 0.0
        if self.settings.chain:
            self._judge()

    def _move_weights(self, surprise: float) -> None:
        """Update the weights of this hand's choices."""
        for key, bold in self._choices:
            self.weights[key][bold] += self.settings.learning_rate * surprise
        for key, _ in self._choices:
            weights = [max(0.0, weight) for weight in self.weights[key]]
            total = sum(weights)
            self.weights[key] = [w / total for w in weights] if total else [0.5, 0.5]

    def _judge(self) -> None:
        """Start the next stage if this one had enough hands and does not win."""
        enough = self.settings.patience if self.stage == "killer" else self.settings.trial
        if not self._chain or self._in_stage < enough or sum(self._results) > 0:
            return
        self.stage, self._substitute = self._chain.pop(0)
        self._in_stage = 0
        self._results.clear()


_MOVES: Final = ("fold", "call", "raise", "all-in")

KillBotKey = tuple[int, str, int]


class KillBotSettings(EquitySettings, frozen=True, kw_only=True):
    """Settings of KillBot."""

    bins: Annotated[int, meaning("bins of the win rate", 1, 1000)] = 3
    size: Annotated[Size, meaning("size of raises that are not all-in")] = "double"


class KillBot(Learner[KillBotSettings, KillBotKey]):
    """Learns the utility of fold, call, raise and all-in in each situation.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> bot = KillBot(1, KillBotSettings())
    >>> bot.act(Hand(catalogue("nolimit-100bb"), seed=1).view(0)) in ("f", "c", "b40", "b1000")
    True
    """

    def __init__(self, seed: int, settings: KillBotSettings) -> None:
        super().__init__(seed, settings)
        self.utilities: dict[KillBotKey, list[float]] = {}

    def decide(self, view: View, rate: float) -> str:
        """Choose a move at this win rate, and remember the choice."""
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

    def learn(self, result: float) -> None:
        """Update the utilities of the chosen moves; later hands have larger weights."""
        for key, chosen in self._choices:
            self.utilities[key][chosen] += self._hands * result
