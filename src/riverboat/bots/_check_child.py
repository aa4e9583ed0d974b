"""The process of the conformance test, run by `riverboat.sandbox`.

It is told once what to try, and sends messages until it has tried it. The bot's code runs in it,
so that its messages may be anything.
"""

import os
import resource
from collections.abc import Callable
from dataclasses import replace

import msgspec

from riverboat.bots._conformance import GameCheck, TrialGame, check_game
from riverboat.bots._prints import keep_prints
from riverboat.bots._ref import make_bot
from riverboat.errors import RiverboatError, in_words
from riverboat.sandbox import Channel, Protection, missing

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
