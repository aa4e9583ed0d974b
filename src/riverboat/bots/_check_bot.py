"""The conformance test with the bot in a process of its own.

A bot that hangs, ends its process or crashes the interpreter then fails the game it
was in, and the test goes on with the next.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import msgspec

from riverboat.bots._conformance import (
    GAMES,
    Asked,
    Checked,
    GameCheck,
    Made,
    Message,
    Started,
    Task,
    TrialGame,
    decode_message,
)
from riverboat.bots._policy import bot_policy
from riverboat.bots._prints import close_prints, open_prints, prints_file
from riverboat.bots._ref import BotRef
from riverboat.errors import GameError, one_line
from riverboat.sandbox import Mode, Policy, Stranger

_START_SECONDS = 120.0  # to start Python, and to build tables on a slow machine
_LEAST_TO_MAKE = 5.0  # seconds: a file may import much, however fast it then decides
_MOST_SECONDS = 86_400.0  # as in the arena
_MOST_MEMORY = 4 << 30  # bytes of address space for a bot of a file, as in the arena
_MOST_BYTES = 1 << 18  # of a message
_MOST_DECISIONS = 10**7  # in a game
_CHILD = "riverboat.bots._conformance"


def check_bot(  # noqa: PLR0913 - what is tried, and how: each is one word
    bot: str,
    games: Sequence[TrialGame] = GAMES,
    hands: int = 20,
    seed: int = 0,
    limit: float = 35.0,
    *,
    sandbox: Mode = "auto",
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
    sandbox
        How the bot of a file is confined: `auto`, `off` or `required`.

    Yields
    ------
    GameCheck
        For each of the games, in order.

    Raises
    ------
    GameError
        If there is no such bot, or it says why it cannot be made. A file that stalls or ends
        Python when it is loaded has failed every game. Also if the sandbox that is required
        cannot be had.

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
    ref = BotRef.parse(bot)
    if ref.untrusted:
        prints_file(bot).unlink(missing_ok=True)
        if reason := _why_not_made(Task(bot, seed), limit, sandbox):
            yield from (GameCheck(*game, "failed", reason) for game in left)
            return
    else:
        ref.make(seed)  # a wrong name is told at once
    while left:
        done = 0
        for check in _checks_of_child(Task(bot, seed, left, hands), limit, sandbox):
            yield check
            done += 1
        left = left[done:]


class _Ended(Exception):  # noqa: N818 - it is told as a reason
    """The process of the bot is gone, or not to be talked to any more; says how."""


@contextmanager
def _child(task: Task, limit: float, sandbox: Mode) -> Iterator[Stranger]:
    """Start a process that does the task; a bot of a file is confined in it."""
    prints = open_prints() if BotRef.parse(task.bot).untrusted else None
    policy = Policy(mode="off")
    if prints is not None:
        task = msgspec.structs.replace(task, memory=_MOST_MEMORY, prints=prints)
        policy = bot_policy(task.bot, sandbox, limit, prints)
    child = Stranger(_CHILD, policy, _MOST_BYTES)
    try:
        lacks = _begun(child)
        if lacks and policy.mode == "required":
            raise GameError(f"the sandbox that is required lacks {lacks}")
        child.channel.send(msgspec.msgpack.encode(task), _START_SECONDS)
        yield child
    finally:
        child.end()
        if prints is not None:
            close_prints(task.bot, prints)


def _begun(child: Stranger) -> str:
    """Wait for our own code in the child; return what its sandbox lacks."""
    try:
        started = _next(child, _START_SECONDS)
    except (_Ended, TimeoutError) as error:
        raise GameError(f"no process for the bot comes up: {error}") from error
    return started.missing if isinstance(started, Started) else ""


def _next(child: Stranger, seconds: float) -> Message:
    """Return the next message; TimeoutError if none comes, _Ended if none will."""
    try:
        return decode_message(child.channel.receive(seconds))
    except TimeoutError:
        child.end()
        raise
    except (EOFError, OSError) as error:
        raise _Ended(f"its process ended with code {child.exit_code(_LEAST_TO_MAKE)}") from error
    except (ValueError, RecursionError) as error:
        child.end()
        raise _Ended(f"its process sent a strange message: {one_line(str(error))}") from error


def _why_not_made(task: Task, limit: float, sandbox: Mode) -> str:
    """Make the bot of a file in a child; return how the child failed, nothing if it did not.

    Raises
    ------
    GameError
        With the sentence of `make_bot`, if it has one.
    """
    limit = max(limit, _LEAST_TO_MAKE)
    try:
        with _child(task, limit, sandbox) as child:
            made = _next(child, limit)
    except TimeoutError:
        return f"it could not be made in {limit:g} s"
    except _Ended as ended:
        return f"{ended} when it was made"
    if not isinstance(made, Made):
        return "its process sent a strange message when it was made"
    if made.sentence:
        raise GameError(one_line(made.sentence, 1_000))
    return ""


def _checks_of_child(task: Task, limit: float, sandbox: Mode) -> Iterator[GameCheck]:
    """Run games in a child until all are done or one of them ends it."""
    with _child(task, limit, sandbox) as child:
        for game in task.games:
            try:
                yield _one_check(child, game, limit)
            except _Ended as ended:
                yield GameCheck(*game, "failed", str(ended))
                return


def _one_check(child: Stranger, game: TrialGame, limit: float) -> GameCheck:
    """Wait for the result of one game; a child that is late or gone has failed it, and is dead."""
    patience = _START_SECONDS
    for _ in range(_MOST_DECISIONS):
        try:
            message = _next(child, patience)
        except TimeoutError:
            raise _Ended(f"it did not answer in {patience:g} s") from None
        patience = limit
        if isinstance(message, Checked):
            return _shown(message.check, game)
        if not isinstance(message, Asked):
            break
    raise _Ended("its process sent a strange message")


def _shown(check: GameCheck, game: TrialGame) -> GameCheck:
    """Return what can be printed: the bot's words are anybody's."""
    lines = "\n".join(one_line(line, 1_000) for line in check.traceback.splitlines())
    name, seats = game
    reason = one_line(check.reason, 2_000)
    return replace(check, game=name, seats=seats, reason=reason, traceback=lines and lines + "\n")
