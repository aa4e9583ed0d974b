"""A bot in its own process, where it cannot harm other processes.

If a bot does not answer in time, its process is killed. If its process ends, it is restarted, up to
three times per session; after that the bot checks or folds until the session ends. The process is
confined as well as the system allows (`riverboat.sandbox`). `try_to_sit` tests before the first
hand whether a bot can play.
"""

import time
from contextlib import suppress
from hashlib import blake2b
from typing import Any, Literal

import msgspec

from riverboat.bots._bot import Bot, Hook
from riverboat.bots._policy import bot_policy
from riverboat.bots._prints import close_prints, open_prints
from riverboat.bots._process import (
    Answer,
    Failed,
    Move,
    Ready,
    Started,
    decode_answer,
    encode_spec,
    encode_view,
)
from riverboat.bots._ref import BotRef
from riverboat.errors import (
    ArenaError,
    GameError,
    IllegalActionError,
    RiverboatError,
    in_words,
    one_line,
)
from riverboat.files import ArrayFile
from riverboat.game import GameSpec, Hand, View
from riverboat.sandbox import Mode, Policy, Stranger

#: After this number of failures of its process a bot is not restarted in a session.
MOST_FAILURES = 3
_LEAST_TO_MAKE = 5.0  # seconds: imports of a file may be slow, however fast its decisions
_START_SECONDS = 60.0  # for our own code
_TO_END = 10.0  # seconds, for a process that has closed its connection
_LONGEST_MOVE = 100
PATIENT_SECONDS = 86_400.0  # at a table with people, who can leave
MEMORY = 4 << 30
_CHILD = "riverboat.bots._process"

#: Why a bot gave no answer; `absent`: it failed too often in this session.
Fault = Literal["absent", "exited", "garbled", "memory", "raised", "timeout"]


class BotError(ArenaError):
    """A bot in its own process gave no answer; `kind` says why."""

    def __init__(
        self, kind: Fault, sentence: str, traceback: str = "", *, refusal: bool = False
    ) -> None:
        super().__init__(sentence)
        self.kind = kind
        self.traceback = traceback
        self.refusal = refusal


class OutsideBot:
    """A bot that runs in another process.

    Parameters
    ----------
    text
        `path/to/file.py` or `path/to/file.py:ClassName`.
    seed
        Seed for the bot, if its constructor has a parameter.
    time_limit
        Seconds per decision; also for creating the bot, but at least five.
    memory_limit
        Bytes of address space.
    sandbox
        `auto`: all protections that the system has; `off`; or `required`: fail if one is missing.
    hide
        Ledgers to hide, in addition to the user's.
    trusted
        Whether the bot is ours: then `memory_limit` and `sandbox` are ignored.

    Raises
    ------
    ArenaError
        If the bot cannot be created.
    """

    def __init__(  # noqa: PLR0913 - the docstring names them
        self,
        text: str,
        seed: int,
        time_limit: float,
        memory_limit: int,
        sandbox: Mode = "auto",
        *,
        hide: tuple[str, ...] = (),
        trusted: bool = False,
    ) -> None:
        self._hello = [text, seed, None if trusted else memory_limit]
        self._trusted = trusted
        self._limit = time_limit
        self._sandbox, self._hide = sandbox, hide
        self._failures = 0
        self._spec: GameSpec | None = None
        self._stranger: Stranger | None = None
        self.learns = False
        self._prints = -1 if trusted else open_prints()
        try:
            ready = self._start()
        except BotError as error:
            self.close()
            raise ArenaError(f"the bot {text!r} cannot be created: {error}") from error
        except BaseException:
            self.close()
            raise
        self.learns = ready.learns
        if ready.hand_started:
            self.hand_started = lambda view: self._hook("hand_started", view)
        if ready.hand_over:
            self.hand_over = lambda view: self._hook("hand_over", view)

    def act(self, view: View) -> str:
        """Return the bot's move; raise `BotError` if there is none."""
        answer = self._ask("act", view)
        if not isinstance(answer, Move) or len(answer.text) > _LONGEST_MOVE:
            raise self._garbled("it is not a move")
        return answer.text

    def renew(self) -> None:
        """Create the bot again, in the same process; raise `BotError` if that fails."""
        if self._stranger is None:
            self._start()
        else:
            self._make()

    def close(self) -> None:
        """End the process; the bot cannot be used any more."""
        self._end()
        if self._prints >= 0:
            close_prints(str(self._hello[0]), self._prints)
            self._prints = -1
        self._failures = MOST_FAILURES

    def _end(self) -> None:
        if self._stranger is not None:
            self._stranger.end()
            self._stranger = None

    def _hook(self, hook: Hook, view: View) -> None:
        if self._stranger is not None:
            self._ask(hook, view)

    def _start(self) -> Ready:
        """Start the process and create the bot."""
        policy = Policy(mode="off")
        if not self._trusted:
            text = str(self._hello[0])
            policy = bot_policy(text, self._sandbox, self._limit, self._prints, self._hide)
        self._spec = None
        self._stranger = Stranger(_CHILD, policy)
        started = self._receive(_START_SECONDS)
        if not isinstance(started, Started):
            raise self._garbled("it is not a start message")
        if self._sandbox == "required" and not self._trusted and started.missing:
            self._end()
            raise ArenaError(f"the sandbox is required, but lacks {started.missing}")
        return self._make()

    def _make(self) -> Ready:
        least = _START_SECONDS if self._trusted else _LEAST_TO_MAKE
        ready = self._exchange(["hello", *self._hello, self._prints], max(self._limit, least))
        if not isinstance(ready, Ready):
            raise self._garbled("it does not confirm the bot")
        return ready

    def _ask(self, kind: str, view: View) -> Answer:
        if self._stranger is None:
            if self._failures >= MOST_FAILURES:
                raise BotError("absent", f"not restarted after {MOST_FAILURES} failures")
            self._start()
        game = None if self._spec is view.spec else encode_spec(view.spec)
        self._spec = view.spec
        return self._exchange([kind, encode_view(view), game], self._limit)

    def _exchange(self, message: list[Any], seconds: float) -> Answer:
        """Send a message and return the answer; raise `BotError` if there is none."""
        start = time.monotonic()
        self._send(message, seconds)
        answer = self._receive(seconds - (time.monotonic() - start), of=seconds)
        if isinstance(answer, Failed):
            sentence = one_line(answer.sentence)
            raise BotError(answer.kind, sentence, answer.traceback, refusal=answer.refusal)
        return answer

    def _send(self, message: list[Any], seconds: float) -> None:
        try:
            self._running.channel.send(msgspec.msgpack.encode(message), seconds)
        except TimeoutError as error:
            raise self._late(seconds) from error
        except OSError as error:
            raise self._exited() from error

    def _receive(self, seconds: float, of: float | None = None) -> Answer:
        channel = self._running.channel
        try:
            answer = decode_answer(channel.receive(seconds))
        except TimeoutError as error:
            raise self._late(seconds if of is None else of) from error
        except (EOFError, OSError) as error:
            raise self._exited() from error
        except (ValueError, RecursionError) as error:  # msgspec's errors are ValueErrors, too
            raise self._garbled(str(error)) from error
        if channel.pending:
            raise self._garbled("it is a second answer")
        return answer

    @property
    def _running(self) -> Stranger:
        if self._stranger is None:
            raise BotError("exited", "its process does not run")
        return self._stranger

    def _late(self, seconds: float) -> BotError:
        self._lose()
        return BotError("timeout", f"no answer within {seconds:g} s")

    def _garbled(self, what: str) -> BotError:
        self._lose()
        return BotError("garbled", f"its process sent an invalid message: {what}")

    def _exited(self) -> BotError:
        """Clean up after a process that has ended."""
        patience = max(1.0, min(self._limit, _TO_END))
        code = None if self._stranger is None else self._stranger.exit_code(patience)
        self._lose()
        return BotError("exited", f"its process ended (exit code {code})")

    def _lose(self) -> None:
        self._failures += 1
        self._end()


def sit(text: str, seed: int, sandbox: Mode = "auto", time_limit: float = PATIENT_SECONDS) -> Bot:
    """Create a bot for a table with people; a bot from a file gets its own process.

    Parameters
    ----------
    text
        Name of the bot.
    seed
        Seed of the table.
    sandbox
        Sandbox of a bot from a file.
    time_limit
        Seconds per decision of a bot from a file; a day at a table without a clock.

    Examples
    --------
    >>> type(sit("fish", seed=1)).__name__
    'Fish'
    """
    ref = BotRef.parse(text)
    if not ref.untrusted:
        return ref.make(seed)
    # The cards come from the table's seed, so an untrusted bot gets another seed.
    other = int.from_bytes(blake2b(b"bot %d" % seed, digest_size=7).digest())
    return OutsideBot(text, other, time_limit, MEMORY, sandbox)


def try_to_sit(text: str, spec: GameSpec, sandbox: Mode = "auto", seed: int = 0) -> None:
    """Refuse a bot that cannot be created, has a damaged file or does not play the game.

    The bot makes the first decision of a hand that does not count. Tables that it builds at its
    first decision then exist.

    Parameters
    ----------
    text
        Name of the bot; see `make_bot`.
    spec
        The game.
    sandbox
        Sandbox of a bot from a file.
    seed
        Seed of the bot and of the hand.

    Raises
    ------
    RiverboatError
        If the bot is refused; with its own message if it has one.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> try_to_sit("rule-based", catalogue("kuhn"))
    Traceback (most recent call last):
    ...
    riverboat.errors.GameError: rule-based plays only hold'em with two hole cards
    """
    ref = BotRef.parse(text)
    if not ref.untrusted:
        bot = ref.make(seed)
        for file in ref.files_for(spec):
            strategy = ArrayFile(file)
            for name in strategy.names:
                strategy.array(name)  # checks the block's checksum
        _ask_first(bot, text, spec, seed)
        return
    outside = OutsideBot(text, seed, PATIENT_SECONDS, MEMORY, sandbox)
    try:
        _ask_first(outside, text, spec, seed)
    except BotError as error:
        raise GameError(f"{text} fails at its first decision: {error}") from error
    finally:
        outside.close()


def _ask_first(bot: Bot, text: str, spec: GameSpec, seed: int) -> None:
    """Let a bot make the first decision of a hand that does not count.

    An illegal move is not a reason for a refusal; other errors are raised as `RiverboatError`.
    """
    hand = Hand(spec, seed=seed)
    if hand.actor is None:
        return
    with suppress(IllegalActionError):
        try:
            bot.act(hand.view(hand.actor))
        except RiverboatError:
            raise
        except (Exception, SystemExit) as error:
            raise GameError(f"{text} fails at its first decision: {in_words(error)}") from error
