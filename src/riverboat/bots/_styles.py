"""Styles of play: variants of a strategy with changed probabilities, as Caltech tested its bot.

Caltech's report compares a bot with six variants of itself, which it describes in words only. Here
a style multiplies or replaces the probabilities of a decision. Actions with probability 0 keep it,
except in `random` and `calling-machine`.

================== ==========================================================================
`aggressive`       folds are `factor` times rarer, the largest bet `factor` times likelier,
                   smaller bets by smaller factors
`tight`            the reverse: folds likelier, large bets rarer
`random`           all actions of the decision are equally likely
`calling-machine`  a check or call half of the time, else the strategy
`tight-aggressive` tight if the win rate is below `threshold`, else aggressive
`deterministic`    always the likeliest action; of equal ones the first
================== ==========================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, get_args

from riverboat.bots._win_rate import exact_rates
from riverboat.errors import GameError
from riverboat.game import Action

if TYPE_CHECKING:
    from riverboat.game import View

StyleName = Literal[
    "aggressive", "tight", "random", "calling-machine", "tight-aggressive", "deterministic"
]

STYLES: Final[tuple[StyleName, ...]] = get_args(StyleName)

Probabilities = Mapping[str, float]
"""Probability by action, as text."""


def mean_strength(view: View) -> float:
    """Return the equity against one unknown hand, from the exact tables.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> round(mean_strength(Hand(catalogue("limit"), hole=["AhKh", "??"], seed=1).view(0)), 3)
    0.67
    """
    win, tie = exact_rates(view.hole, view.board)
    return win + tie / 2


@dataclass(frozen=True)
class Style:
    """A style of play, which changes the probabilities of a strategy.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
    >>> Style("tight")(view, {"f": 0.25, "c": 0.5, "b30": 0.25})
    {'f': 0.4444444444444444, 'c': 0.4444444444444444, 'b30': 0.1111111111111111}
    """

    name: StyleName
    """One of `STYLES`."""
    factor: float = 2.0
    """Strength of the style, above 1: factor of the probabilities; `calling-machine` plays the
    strategy with probability 1 / factor. The report does not give a number."""
    threshold: float = 0.5
    """`tight-aggressive` is aggressive from this win rate on."""
    win_rate: Callable[[View], float] = mean_strength
    """Function that returns the win rate of a view's hole cards."""

    def __post_init__(self) -> None:
        """Check name and numbers."""
        if self.name not in STYLES:
            raise GameError(f"{self.name!r} is not a style: there are {', '.join(STYLES)}")
        if not self.factor > 1 or not 0 <= self.threshold <= 1:
            raise GameError(
                f"factor={self.factor!r} must be above 1 and threshold={self.threshold!r} "
                "between 0 and 1"
            )

    def __call__(self, view: View, strategy: Probabilities) -> dict[str, float]:
        """Return the strategy of a decision in this style."""
        if self.name == "random":
            return dict.fromkeys(strategy, 1 / len(strategy))
        if self.name == "deterministic":
            best = max(strategy, key=lambda action: strategy[action])
            return {action: float(action == best) for action in strategy}
        if self.name == "calling-machine":
            return _calling(strategy, self.factor)
        return _scaled(strategy, self.factor if self._is_aggressive(view) else 1 / self.factor)

    def _is_aggressive(self, view: View) -> bool:
        if self.name == "tight-aggressive":
            return self.win_rate(view) >= self.threshold
        return self.name == "aggressive"


def _calling(strategy: Probabilities, factor: float) -> dict[str, float]:
    """Return the strategy with weight 1 / factor, else a check or call; swaps do not change."""
    passive = next((action for action in strategy if action in {"k", "c"}), None)
    if passive is None:
        return dict(strategy)
    kept = 1 / factor
    return {action: p * kept + (action == passive) * (1 - kept) for action, p in strategy.items()}


def _scaled(strategy: Probabilities, factor: float) -> dict[str, float]:
    """Divide folds by a factor, and multiply bets by up to the same factor, by size."""
    amounts = sorted(move.amount for move in map(Action, strategy) if move.kind == "bet")
    factors = {f"b{to}": factor ** ((i + 1) / len(amounts)) for i, to in enumerate(amounts)}
    factors["f"] = 1 / factor
    weights = {action: p * factors.get(action, 1.0) for action, p in strategy.items()}
    total = sum(weights.values())
    return {action: weight / total for action, weight in weights.items()}
