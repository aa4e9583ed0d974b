"""Does a bot keep to the rules? The test for people's own bots, and for ours.

A bot plays some hands in each seat of several games, twice with the same seed. It
must answer in time, with legal moves, and the same way both times. It may refuse a
game with a `GameError` at its first decision there, if it plays another.

`check_bot` runs the games in a process of their own: `main` is that process. It is told once what
to try, and sends messages until it has tried it. The bot's code runs in it, so that its messages
may be anything.
"""

import os
import resource
import traceback
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from time import perf_counter
from typing import Final, Literal

import msgspec

from riverboat.bots._bot import Bot, Hook, tell
from riverboat.bots._prints import keep_prints
from riverboat.bots._ref import make_bot
from riverboat.bots._simple_bots import RandomBot
from riverboat.errors import GameError, IllegalActionError, RiverboatError, in_words
from riverboat.game import Action, GameSpec, Hand, View, find_game
from riverboat.report import Columns, Framed, columns_of
from riverboat.sandbox import Channel, Protection, missing

Outcome = Literal["passed", "refused", "failed"]
TrialGame = tuple[str, int]
#: Games and numbers of seats that a bot is tried in.
GAMES: Final[tuple[TrialGame, ...]] = (
    ("nolimit-100bb", 2),
    ("nolimit-100bb", 3),
    ("nolimit-100bb", 6),
    ("limit", 2),
    ("potlimit", 4),
    ("short-deck", 2),
    ("cardiff", 2),
    ("discard-2017", 2),
    ("tossem-2026", 2),
    ("kuhn", 2),
    ("leduc", 2),
)


@dataclass(frozen=True, slots=True)
class GameCheck:
    """How a bot did in one game.

    Attributes
    ----------
    game, seats
        The game.
    outcome
        `passed`, `refused` (the bot does not play this game) or `failed`.
    reason
        Why it failed or refused, as a sentence; else empty.
    hands, decisions
        How many were played.
    slowest
        The longest that a decision took, seconds.
    traceback
        Where the bot's own code raised an error, as Python shows it; else empty.
    """

    game: str
    seats: int
    outcome: Outcome
    reason: str = ""
    hands: int = 0
    decisions: int = 0
    slowest: float = 0.0
    traceback: str = ""


@dataclass(frozen=True, slots=True)
class ConformanceReport(Framed):
    """How a bot did in all games."""

    bot: str
    seed: int
    checks: tuple[GameCheck, ...]

    @property
    def passed(self) -> bool:
        """Whether it plays at least one game, and fails in none."""
        outcomes = {check.outcome for check in self.checks}
        return "passed" in outcomes and "failed" not in outcomes

    def frame_columns(self) -> Columns:
        """Return a row for each game."""
        return columns_of([asdict(check) for check in self.checks])


class _RefusedError(Exception):
    """The bot does not play this game."""


class _FailedError(Exception):
    """The bot broke a rule."""

    traceback = ""


def check_game(
    bot: str,
    game: TrialGame,
    hands: int = 20,
    seed: int = 0,
    before_decision: Callable[[], object] = lambda: None,
) -> GameCheck:
    """Try a bot in one game, in this process.

    Parameters
    ----------
    bot
        As `make_bot` takes it.
    game
        A name as `find_game` takes it, and a number of seats.
    hands
        To play in each seat; they are played twice.
    seed
        Of the bot, the cards and the others, who play at random.
    before_decision
        Called before each decision; a watcher can see from it that a bot stalls.

    Examples
    --------
    >>> check_game("shark", ("limit", 2), hands=5).outcome
    'passed'
    >>> check_game("rule-based", ("kuhn", 2), hands=5).reason
    "rule-based plays hold'em with two cards in the hand, no other game"
    """
    trial = _Trial(find_game(*game), before_decision)
    try:
        first = trial.play(make_bot(bot, seed), hands, seed)
        second = trial.play(make_bot(bot, seed), hands, seed)
        _compare(first, second)
    except _RefusedError as refusal:
        return trial.result(game, "refused", str(refusal))
    except _FailedError as failure:
        return replace(trial.result(game, "failed", str(failure)), traceback=failure.traceback)
    return trial.result(game, "passed")


class _Trial:
    """Hands of one bot in one game."""

    def __init__(self, spec: GameSpec, before_decision: Callable[[], object]) -> None:
        self._spec = spec
        self._before_decision = before_decision
        self._hands = self._decisions = 0
        self._slowest = 0.0

    def result(self, game: TrialGame, outcome: Outcome, reason: str = "") -> GameCheck:
        """Return how it went."""
        name, seats = game
        return GameCheck(name, seats, outcome, reason, self._hands, self._decisions, self._slowest)

    def play(self, bot: Bot, hands: int, seed: int) -> list[str]:
        """Play hands in each seat; return their full lines."""
        lines = []
        for number in range(hands * self._spec.players):
            seat = number % self._spec.players
            others = RandomBot(seed + number)
            lines.append(self._play_hand(bot, seat, others, seed + number))
        return lines

    def _play_hand(self, bot: Bot, seat: int, others: Bot, seed: int) -> str:
        hand = Hand(self._spec, seed=seed)
        where = f"hand {seed}, seat {seat}"
        self._tell(bot, "hand_started", hand.view(seat), where)
        while (actor := hand.actor) is not None:
            if actor == seat:
                hand.do(self._ask(bot, hand, hand.view(seat), where))
            else:
                hand.do(others.act(hand.view(actor)))
        self._tell(bot, "hand_over", hand.view(seat), where)
        self._hands += 1
        return hand.full_line

    def _ask(self, bot: Bot, hand: Hand, view: View, where: str) -> str | Action:
        """Ask for one move, and look whether it is one."""
        self._before_decision()
        start = perf_counter()
        try:
            move = bot.act(view)
        except Exception as error:
            first = self._decisions == 0
            if first and isinstance(error, GameError) and not isinstance(error, IllegalActionError):
                raise _RefusedError(str(error)) from error
            raise _raised(error, f"act, {where}, after {view.line!r}") from error
        self._slowest = max(self._slowest, perf_counter() - start)
        self._decisions += 1
        if not isinstance(move, str | Action) or not _is_legal(hand, move):
            allowed = ", ".join(view.legal)
            raise _FailedError(
                f"{move!r} is not allowed in {where}, after {view.line!r}: legal are {allowed}"
            )
        return move

    @staticmethod
    def _tell(bot: Bot, hook: Hook, view: View, where: str) -> None:
        try:
            tell(bot, hook, view)
        except Exception as error:
            raise _raised(error, f"{hook}, {where}") from error


def _is_legal(hand: Hand, move: str | Action) -> bool:
    try:
        return hand.can(move)
    except GameError:
        return False


def _compare(first: Sequence[str], second: Sequence[str]) -> None:
    """Refuse a bot that played two ways with one seed."""
    for number, (one, other) in enumerate(zip(first, second, strict=True)):
        if one != other:
            raise _FailedError(
                f"it is not repeatable: with the same seed hand {number} went {one!r}, "
                f"then {other!r}"
            )


def _raised(error: Exception, where: str) -> _FailedError:
    """Return a failure that shows where the bot's own code went wrong."""
    failure = _FailedError(f"{in_words(error)}, in {where}")
    frames = error.__traceback__.tb_next if error.__traceback__ else None  # the first is ours
    failure.traceback = "".join(traceback.format_exception(type(error), error, frames))
    return failure


_MOST_TEXT = 20_000  # letters of a traceback


class Task(msgspec.Struct, frozen=True):
    """What to try: bot and games (none: it is only made); for a file, memory and its prints."""

    bot: str
    seed: int
    games: tuple[TrialGame, ...] = ()
    hands: int = 1
    memory: int | None = None
    prints: int = 2


class Started(msgspec.Struct, frozen=True, tag=True):
    """Our own code runs, and none of the bot's yet."""

    missing: str


class Made(msgspec.Struct, frozen=True, tag=True):
    """The bot can be made, or the sentence says why not."""

    sentence: str


class Asked(msgspec.Struct, frozen=True, tag=True):
    """The bot's clock for a decision begins to run."""


class Checked(msgspec.Struct, frozen=True, tag=True):
    """A game is done."""

    check: GameCheck


Message = Started | Made | Asked | Checked

_messages: msgspec.msgpack.Decoder[Message] = msgspec.msgpack.Decoder(Message)


def decode_message(data: bytes) -> Message:
    """Read what the process sent; a `MsgspecError` if it is no message."""
    return _messages.decode(data)


def main(channel: Channel, protections: list[Protection]) -> None:
    """Do what is told."""

    def send(message: Message) -> None:
        channel.send(msgspec.msgpack.encode(message))

    send(Started(missing(protections)))
    task = msgspec.msgpack.decode(channel.receive(), type=Task)
    if task.memory is not None:
        keep_prints(task.prints)
        resource.setrlimit(resource.RLIMIT_AS, (task.memory, task.memory))
    os.dup2(2, 1)  # what the bot prints must not mix with our output
    if not task.games:
        send(Made(_fault(task)))
    for game in task.games:
        send(Checked(_checked(task, game, lambda: send(Asked()))))


def _fault(task: Task) -> str:
    """Return why the bot cannot be made; nothing if it can."""
    try:
        make_bot(task.bot, task.seed)
    except RiverboatError as error:
        return in_words(error)
    return ""


def _checked(task: Task, game: TrialGame, asked: Callable[[], object]) -> GameCheck:
    try:
        check = check_game(task.bot, game, task.hands, task.seed, before_decision=asked)
    except RiverboatError as error:
        check = GameCheck(*game, "failed", in_words(error))
    return replace(check, reason=check.reason[:_MOST_TEXT], traceback=check.traceback[-_MOST_TEXT:])
