"""The interface of every bot: one method it must have, and three more it may have."""

from collections.abc import Mapping
from typing import ClassVar, Literal, Protocol, runtime_checkable

from riverboat.errors import GameError, RiverboatError
from riverboat.game import Action, View
from riverboat.settings import Settings

Hook = Literal["hand_started", "hand_over"]


@runtime_checkable
class Bot(Protocol):
    """Anything that can be asked for a move.

    A bot may also have `hand_started(view)`, which tells it of a new hand (own cards, seat,
    stacks), and `hand_over(view)`, which tells it how the hand ended (payoffs, cards shown). If its
    play depends on earlier hands it says so with a class attribute `learns = True`.

    Examples
    --------
    >>> class Folder:
    ...     def act(self, view: View) -> str:
    ...         return "f" if view.legal.fold else next(iter(view.legal))
    >>> isinstance(Folder(), Bot)
    True
    """

    def act(self, view: View) -> str | Action:
        """Choose one of `view.legal`; the view holds all that this seat may know."""
        ...


@runtime_checkable
class StrategyBot(Protocol):
    """A bot that can say how often it would make each move."""

    def act(self, view: View) -> str | Action:
        """Choose one of `view.legal`."""
        ...

    def strategy(self, view: View) -> Mapping[str, float]:
        """Return the probability of each move that it may make; they add up to 1."""
        ...


class BotSettings(Settings, frozen=True, kw_only=True):
    """Base of the settings of all bots; its own has nothing to set."""

    error: ClassVar[type[RiverboatError]] = GameError


def tell(bot: object, hook: Hook, view: View) -> None:
    """Call `hand_started` or `hand_over` if the bot has it."""
    if (method := getattr(bot, hook, None)) is not None:
        method(view)
