"""A Shark whose raises have a size that is chosen: the same player, other bets.

Husky's CFR bot knows two sizes and two raises a street. This opponent raises at most twice a
street too, so that with a size of the menu nothing that it does has to be translated.
"""

from dataclasses import dataclass

from riverboat.bots import (
    EquityBot,
    SharkSettings,
    actions_of,
    give_up,
    go_along,
    raise_pot_share,
    raise_to,
)
from riverboat.game import View
from riverboat.seeds.husky.data import Size

__all__ = ["Bettor", "MakeBettor"]

_MOST_RAISES = 2


class Bettor(EquityBot[SharkSettings]):
    """Folds and raises as Shark does, by a chosen size and at most twice a street.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
    >>> half = Size("half", "half the pot", share=0.5)
    >>> Bettor(1, SharkSettings(), half).decide(view, 0.9)
    'b20'
    """

    def __init__(self, seed: int, settings: SharkSettings, size: Size) -> None:
        super().__init__(seed, settings)
        self._size = size

    def decide(self, view: View, rate: float) -> str:
        """Choose at this win rate."""
        if rate > self.settings.high:
            return self._raise(view)
        return go_along(view) if rate > self.settings.low else give_up(view)

    def _raise(self, view: View) -> str:
        opened = view.line.count("/") >= view.street  # else the street has no action yet
        actions = actions_of(view.line.rpartition("/")[2]) if opened else []
        raises = sum(action[0] == "b" for action in actions)
        if raises >= _MOST_RAISES:
            return go_along(view)
        size = self._size
        blinds = size.after if view.street else size.before
        if blinds is None:
            return raise_pot_share(view, size.share)
        return raise_to(view, blinds[raises] * view.spec.big_blind)


@dataclass(frozen=True)
class MakeBettor:
    """Makes the opponent; can be sent to other processes."""

    size: Size
    low: float
    high: float

    @property
    def __name__(self) -> str:
        """Tell the sizes apart in results and ledgers."""
        return f"bettor {self.size.name} {self.low:g} {self.high:g}"

    def __call__(self, seed: int) -> Bettor:
        """Make one."""
        return Bettor(seed, SharkSettings(low=self.low, high=self.high), self.size)
