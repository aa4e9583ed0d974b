"""Bots of a table: the default opponents, and how failures are handled.

A failure either ends the session, or is recorded and the session continues. The latter is for
tables that cannot be restarted, and follows the rule of the arena: a bot that fails or is late
checks if that is free, and folds otherwise.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from threading import Thread
from typing import Any, TypeVar

from riverboat.blueprint import DEFAULT_GAME, SHIPPED, six_max_blueprints
from riverboat.bots import Bot, BotError, OutsideBot
from riverboat.errors import GameError, RiverboatError, in_words
from riverboat.game import GameSpec, catalogue
from riverboat.translation import kind_difference

#: Default opponents for any game.
USUAL_OPPONENTS = "checkcall,random"
_MIXED = "montecarlo-plus,honest,checkcall,rule-based,shark"  # three or more seats
_SIX = 6
_TWO = 2

_T = TypeVar("_T")


def usual_opponents(spec: GameSpec, trained: str) -> str:
    """Return the default opponents; with three or more seats a six-max strategy, if there is one.

    Parameters
    ----------
    spec
        The game.
    trained
        The opponent in the game of the default strategy, with any stacks.

    Examples
    --------
    >>> usual_opponents(catalogue("nolimit-20bb"), "search")
    'search'
    >>> usual_opponents(catalogue("kuhn3"), "search")
    'checkcall,random'
    >>> usual_opponents(catalogue("limit"), "search")
    'blueprint:limit'
    """
    usual = catalogue(DEFAULT_GAME)
    if spec.betting == usual.betting and not kind_difference(usual, spec):
        return trained
    if spec.betting == usual.betting and _six_max_plays(spec):
        return "blueprint"
    if spec.players > _TWO and not kind_difference(catalogue(DEFAULT_GAME, spec.players), spec):
        return _MIXED
    named = (f"blueprint:{name}" for name, game in SHIPPED.items() if spec == catalogue(game))
    return next(named, USUAL_OPPONENTS)


def _six_max_plays(spec: GameSpec) -> bool:
    """Whether there is a six-max strategy, and it plays tables of this game."""
    six = catalogue(DEFAULT_GAME, _SIX)
    return bool(six_max_blueprints()) and spec.players > 2 and not kind_difference(six, spec)


class Manners:
    """Calls the bots of a table, with time limits.

    Parameters
    ----------
    names
        By chair.
    bots
        By chair; None for a person.
    patience
        Time limit of a call in seconds; None = no limit, and a failure is an error. Built-in bots
        are called without a limit: they always return, and a thread would cost more than their
        decisions.
    """

    def __init__(
        self, names: Sequence[str], bots: Sequence[Bot | None], patience: float | None
    ) -> None:
        self._names, self._forgives = names, patience is not None
        self._patience = [
            None if patience is None or _is_built_in(bot) else _Patience(patience) for bot in bots
        ]
        #: Messages about failures of bots in this hand.
        self.failures: list[str] = []

    def call(self, chair: int, line: str, work: Callable[..., _T], *given: Any) -> _T:
        """Call a method of a bot; an error names the bot and the line."""
        try:
            patience = self._patience[chair]
            result: _T = work(*given) if patience is None else patience.call(work, *given)
        except RiverboatError as error:
            if not isinstance(error, BotError):
                raise
            raise GameError(f"{self._names[chair]} failed after {line!r}: {error}") from error
        except (Exception, SystemExit) as error:
            message = f"{self._names[chair]} failed after {line!r}: {in_words(error)}"
            raise GameError(message) from error
        return result

    def note(self, error: RiverboatError) -> None:
        """Record a failure; without a time limit it is raised."""
        if not self._forgives:
            raise error
        self.failures.append(str(error))


def _is_built_in(bot: Bot | None) -> bool:
    ours = type(bot).__module__.startswith("riverboat.")
    return bot is None or (ours and not isinstance(bot, OutsideBot))


class _Patience:
    """Calls one bot in a thread, with a time limit.

    A thread cannot be stopped from outside. So a late bot keeps running, and is not called again
    until its thread has ended.

    Parameters
    ----------
    seconds
        Time limit of a call.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._late: Future[Any] | None = None

    def call(self, work: Callable[..., Any], *given: Any) -> Any:
        """Return the result of a call.

        Raises
        ------
        BotError
            If the bot is late, or is still busy with an earlier call.
        """
        if self._late is not None and not self._late.done():
            raise BotError("absent", "still busy with an earlier decision")
        answer: Future[Any] = Future()
        Thread(target=_answer, args=(answer, work, given), daemon=True).start()
        try:
            return answer.result(self._seconds)
        except TimeoutError as error:
            if answer.done():
                raise  # the bot itself raised it
            self._late = answer
            raise BotError("timeout", f"no answer within {self._seconds:g} s") from error


def _answer(answer: Future[Any], work: Callable[..., Any], given: tuple[Any, ...]) -> None:
    try:
        answer.set_result(work(*given))
    except BaseException as error:  # also SystemExit must reach the caller
        answer.set_exception(error)
