"""The face of every bot: one method it must have, and three more it may have."""

from collections.abc import Mapping
from typing import ClassVar, Protocol, runtime_checkable

from riverboat.errors import GameError, RiverboatError
from riverboat.game import Action, View
from riverboat.settings import Settings


@runtime_checkable
class Bot(Protocol):
    """Anything that can be asked for a move.

    A bot whose play depends on earlier hands says so with a class attribute
    `learns = True`; it then hears of every hand through `Listener`'s methods.

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
class Listener(Protocol):
    """A bot that wants to know when a hand begins and how it ended; either method may be missing.

    Examples
    --------
    >>> from riverboat.bots import make_bot
    >>> isinstance(make_bot("killer", seed=1), Listener), isinstance(make_bot("fish", 1), Listener)
    (True, False)
    """

    def hand_started(self, view: View) -> None:
        """Hear of a new hand: own cards, seat, stacks."""
        ...

    def hand_over(self, view: View) -> None:
        """Hear how it ended: payoffs, and the cards that were shown."""
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


def tell_hand_started(bot: object, view: View) -> None:
    """Call `hand_started` if the bot has it."""
    if (method := getattr(bot, "hand_started", None)) is not None:
        method(view)


def tell_hand_over(bot: object, view: View) -> None:
    """Call `hand_over` if the bot has it."""
    if (method := getattr(bot, "hand_over", None)) is not None:
        method(view)
