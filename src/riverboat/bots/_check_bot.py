"""The conformance test with the bot in a process of its own.

A bot that hangs, ends its process or crashes the interpreter then fails the game it
was in, and the test goes on with the next.
"""

import multiprocessing
import os
import resource
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

from riverboat.bots._conformance import GAMES, GameCheck, TrialGame, check_game
from riverboat.bots._prints import forget_prints, keep_prints
from riverboat.bots._python_files import is_file_bot
from riverboat.bots._registry import make_bot
from riverboat.errors import GameError, RiverboatError

__all__ = ["check_bot"]

_START_SECONDS = 120.0  # to start Python, and to build tables on a slow machine
_LEAST_TO_MAKE = 5.0  # seconds: a file may import much, however fast it then decides
_MOST_SECONDS = 86_400.0  # as in the arena
_MOST_MEMORY = 4 << 30  # bytes of address space for a bot of a file, as in the arena


def check_bot(
    bot: str,
    games: Sequence[TrialGame] = GAMES,
    hands: int = 20,
    seed: int = 0,
    limit: float = 35.0,
) -> Iterator[GameCheck]:
    """Try whether a bot keeps to the rules, game by game.

    Parameters
    ----------
    bot
        As `make_bot` takes it.
    games
        Names as `find_game` takes them, and numbers of seats.
    hands
        To play in each seat of each game; they are played twice.
    seed
        Of the bot, the cards and the others, who play at random.
    limit
        Seconds that a decision may take.

    Yields
    ------
    GameCheck
        For each of the games, in order.

    Raises
    ------
    GameError
        If there is no such bot, or it says why it cannot be made. A file that stalls or ends
        Python when it is loaded has failed every game.

    Examples
    --------
    >>> [found.outcome for found in check_bot("fish", [("kuhn", 2)], hands=1)]
    ['passed']
    """
    if hands < 1 or not limit > 0:  # so that a limit of nan is refused too
        raise GameError(f"hands={hands} and limit={limit:g} must be more than 0")
    if limit > _MOST_SECONDS:
        raise GameError(f"limit={limit:g}: a decision may take at most {_MOST_SECONDS:g} s")
    left = tuple(games)
    if is_file_bot(bot):
        forget_prints(bot)
        if reason := _why_not_made(bot, seed, max(limit, _LEAST_TO_MAKE)):
            yield from (GameCheck(*game, "failed", reason) for game in left)
            return
    else:
        make_bot(bot, seed)  # a wrong name is told at once
    while left:
        done = 0
        for check in _checks_of_child(bot, left, hands, seed, limit):
            yield check
            done += 1
        left = left[done:]


def _why_not_made(bot: str, seed: int, limit: float) -> str:
    """Make the bot of a file in a child; return how the child failed, nothing if it did not.

    Raises
    ------
    GameError
        With the sentence of `make_bot`, if it has one.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    child = context.Process(target=_make, args=(theirs, bot, seed), daemon=True)
    child.start()
    theirs.close()
    try:
        if not ours.poll(_START_SECONDS) or ours.recv() != "started" or not ours.poll(limit):
            return f"it could not be made in {limit:g} s"
        sentence = str(ours.recv())
    except (EOFError, OSError):
        child.join()
        return f"its process ended with code {child.exitcode} when it was made"
    finally:
        ours.close()
        child.kill()
        child.join()
    if sentence:
        raise GameError(sentence)
    return ""


def _make(pipe: Connection, bot: str, seed: int) -> None:
    """Make a bot and send what is wrong with it, nothing if all is well."""
    os.dup2(2, 1)
    keep_prints(bot)
    _bound_memory()
    pipe.send("started")
    try:
        make_bot(bot, seed)
    except RiverboatError as error:
        pipe.send(str(error))
    else:
        pipe.send("")


def _bound_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))


def _checks_of_child(
    bot: str, games: Sequence[TrialGame], hands: int, seed: int, limit: float
) -> Iterator[GameCheck]:
    """Run games in a child until all are done or one of them ends it."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    child = context.Process(
        target=_play, args=(theirs, bot, tuple(games), hands, seed), daemon=True
    )
    child.start()
    theirs.close()
    try:
        for game in games:
            check = _one_check(ours, child, game, limit)
            yield check
            if not child.is_alive() and check.outcome == "failed":
                return
    finally:
        ours.close()
        child.kill()
        child.join()


def _one_check(pipe: Connection, child: SpawnProcess, game: TrialGame, limit: float) -> GameCheck:
    """Wait for the result of one game; a child that is late or gone has failed it, and is dead."""
    patience = _START_SECONDS
    try:
        while pipe.poll(patience):
            message = pipe.recv()
            if isinstance(message, GameCheck):
                return message
            patience = limit
    except (EOFError, OSError):
        child.join()
        return GameCheck(*game, "failed", f"its process ended with code {child.exitcode}")
    child.kill()
    child.join()
    return GameCheck(*game, "failed", f"it did not answer in {patience:g} s")


def _play(pipe: Connection, bot: str, games: Sequence[TrialGame], hands: int, seed: int) -> None:
    """Play all games and send a result for each."""
    os.dup2(2, 1)  # what the bot prints must not mix with our output
    if is_file_bot(bot):
        keep_prints(bot)
        _bound_memory()
    for game in games:
        try:
            check = check_game(bot, game, hands, seed, before_decision=lambda: pipe.send("asked"))
        except RiverboatError as error:
            check = GameCheck(*game, "failed", str(error))
        pipe.send(check)
