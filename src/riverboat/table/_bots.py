"""Bots of a table: the usual ones, and how they are called.

What they do wrong ends the session, or is noted and the session goes on.

The second is the arena's rule, for tables that nobody can start again: a bot that fails or is late
has checked, or folded where that is not free.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from threading import Thread
from typing import Any, TypeVar

from riverboat.blueprint import DEFAULT_GAME
from riverboat.bots import Bot, BotError, OutsideBot
from riverboat.errors import GameError, RiverboatError, in_words
from riverboat.game import GameSpec, catalogue

#: Bots for every game.
USUAL_OPPONENTS = "checkcall,random"

_T = TypeVar("_T")


def usual_opponents(spec: GameSpec, trained: str) -> str:
    """Name the opponents of a person who names none.

    Parameters
    ----------
    spec
        The game.
    trained
        The bot to meet in the game whose strategy ships with Riverboat.

    Examples
    --------
    >>> usual_opponents(catalogue("nolimit-100bb"), "search")
    'search'
    >>> usual_opponents(catalogue("nolimit-100bb", 3), "search")
    'checkcall,random'
    """
    return trained if spec == catalogue(DEFAULT_GAME) else USUAL_OPPONENTS


class Manners:
    """Calls the bots of a table.

    Parameters
    ----------
    names
        By chair.
    bots
        By chair; None for a person.
    patience
        Seconds for a call; None: all the time, and what is wrong is an error. Built-in bots are
        called as they are: they come to an end, and a thread costs more than their decisions.
    """

    def __init__(
        self, names: Sequence[str], bots: Sequence[Bot | None], patience: float | None
    ) -> None:
        self._names, self._forgives = names, patience is not None
        self._patience = [
            None if patience is None or _is_built_in(bot) else _Patience(patience) for bot in bots
        ]
        #: Sentences of what bots did wrong in this hand.
        self.failures: list[str] = []

    def call(self, chair: int, line: str, work: Callable[..., _T], *given: Any) -> _T:
        """Call code of a bot; where it fails, the bot and the line are named."""
        try:
            patience = self._patience[chair]
            found: _T = work(*given) if patience is None else patience.call(work, *given)
        except RiverboatError as error:
            if not isinstance(error, BotError):
                raise
            raise GameError(f"{self._names[chair]} failed after {line!r}: {error}") from error
        except (Exception, SystemExit) as error:
            said = f"{self._names[chair]} failed after {line!r}: {in_words(error)}"
            raise GameError(said) from error
        return found

    def note(self, error: RiverboatError) -> None:
        """Keep the sentence of a failure; without patience it is raised."""
        if not self._forgives:
            raise error
        self.failures.append(str(error))


def _is_built_in(bot: Bot | None) -> bool:
    ours = type(bot).__module__.startswith("riverboat.")
    return bot is None or (ours and not isinstance(bot, OutsideBot))


class _Patience:
    """Calls one bot in a thread, and waits for it only so long.

    A thread cannot be ended from outside. So a bot that is late is left to think, and is asked
    again when it has come to an end.

    Parameters
    ----------
    seconds
        For one call.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._late: Future[Any] | None = None

    def call(self, work: Callable[..., Any], *given: Any) -> Any:
        """Return what comes of a call in time.

        Raises
        ------
        BotError
            If it is late, or has not come to an end with an earlier call.
        """
        if self._late is not None and not self._late.done():
            raise BotError("absent", "it still thinks about something earlier")
        answer: Future[Any] = Future()
        Thread(target=_answer, args=(answer, work, given), daemon=True).start()
        try:
            return answer.result(self._seconds)
        except TimeoutError as error:
            if answer.done():
                raise  # an error of its own
            self._late = answer
            raise BotError("timeout", f"no answer within {self._seconds:g} s") from error


def _answer(answer: Future[Any], work: Callable[..., Any], given: tuple[Any, ...]) -> None:
    try:
        answer.set_result(work(*given))
    except BaseException as error:  # SystemExit, too, is for who asked
        answer.set_exception(error)
