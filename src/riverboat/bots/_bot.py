"""The interface of bots: the method `act`, and three optional methods."""

from collections.abc import Mapping
from typing import ClassVar, Literal, Protocol, runtime_checkable

from riverboat.errors import GameError, RiverboatError
from riverboat.game import Action, View
from riverboat.settings import Settings

Hook = Literal["hand_started", "hand_over"]


@runtime_checkable
class Bot(Protocol):
    """A bot: an object that chooses a move.

    A bot may also have `hand_started(view)`, called at the start of a hand (hole cards, seat,
    stacks), and `hand_over(view)`, called at the end (payoffs, shown cards). If its play depends on
    earlier hands, it has the class attribute `learns = True`.

    Examples
    --------
    >>> class Folder:
    ...     def act(self, view: View) -> str:
    ...         return "f" if view.legal.fold else next(iter(view.legal))
    >>> isinstance(Folder(), Bot)
    True
    """

    def act(self, view: View) -> str | Action:
        """Choose one of `view.legal`; the view has all information of this seat."""
        ...


@runtime_checkable
class StrategyBot(Protocol):
    """A bot that gives the probability of each of its moves."""

    def act(self, view: View) -> str | Action:
        """Choose one of `view.legal`."""
        ...

    def strategy(self, view: View) -> Mapping[str, float]:
        """Return the probability of each possible move; the sum is 1."""
        ...


class BotSettings(Settings, frozen=True, kw_only=True):
    """Base class of the settings of all bots, without settings of its own."""

    error: ClassVar[type[RiverboatError]] = GameError


def tell(bot: object, hook: Hook, view: View) -> None:
    """Call `hand_started` or `hand_over` if the bot has it."""
    if (method := getattr(bot, hook, None)) is not None:
        method(view)
