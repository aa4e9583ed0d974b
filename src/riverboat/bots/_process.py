"""The process of one outside bot, run by `riverboat.sandbox`, and its messages.

The process answers one message after the other. The bot's output goes into a file. Its memory is
limited, so that a bot that needs too much harms only itself.

Messages are msgpack lists, whose first item is the kind:

| arena to bot | bot to arena |
| --- | --- |
| (nothing) | `started`, missing protections of the sandbox |
| `hello`, bot, seed, memory limit | `ready`, learns, has hand_started, has hand_over |
| `act`, view, game | `move`, text |
| `hand_started` or `hand_over`, view, game | `done` |

Instead of an answer the bot's process may send `failed`, kind, message, traceback and whether the
bot refuses the game. Another `hello` creates the bot again. A view is a map of the fields of `View`
without its spec; with `act` it has the seconds left. The game is a map if it has changed, else nil.
Every message has one answer; the bot's process sends nothing else.
"""

import resource
import traceback
from dataclasses import asdict
from typing import Any, Literal

import msgspec

from riverboat.bots._prints import keep_prints
from riverboat.bots._ref import make_bot
from riverboat.errors import ArenaError, GameError, IllegalActionError, in_words, one_line
from riverboat.game import Action, GameSpec, View
from riverboat.sandbox import Channel, Protection, missing

_MOST_TRACEBACK = 10_000  # letters


class _Message(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=str.lower
):
    """Base class of messages of a bot's process: a list whose first item is the kind."""


class Started(_Message, frozen=True):
    """The process has started, and no code of the bot has run yet."""

    missing: str


class Ready(_Message, frozen=True):
    """The bot is created."""

    learns: bool
    hand_started: bool
    hand_over: bool


class Move(_Message, frozen=True):
    """The bot's move."""

    text: str


class Done(_Message, frozen=True):
    """A hook of the bot has returned."""


class Failed(_Message, frozen=True):
    """The bot raised an error."""

    kind: Literal["raised", "memory"]
    sentence: str
    traceback: str = ""
    """Python's traceback of the bot's own code."""
    refusal: bool = False
    """Whether the bot refuses the game."""


Answer = Started | Ready | Move | Done | Failed

_answers: msgspec.msgpack.Decoder[Answer] = msgspec.msgpack.Decoder(Answer)


def decode_answer(data: bytes) -> Answer:
    """Decode the untrusted bytes of a bot's process; raise `MsgspecError` if they are invalid.

    Examples
    --------
    >>> decode_answer(msgspec.msgpack.encode(["move", "b30"]))
    Move(text='b30')
    """
    return _answers.decode(data)


def encode_view(view: View) -> dict[str, Any]:
    """Return the fields of a view without its spec, which is sent once per match."""
    fields = msgspec.structs.asdict(view)
    del fields["spec"]
    return fields


def decode_view(spec: GameSpec, fields: dict[str, Any]) -> View:
    """Return the view of encoded fields.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("leduc"), seed=1).view(0)
    >>> sent = msgspec.msgpack.encode(encode_view(view))
    >>> decode_view(view.spec, msgspec.msgpack.decode(sent)) == view
    True
    """
    return msgspec.convert({**fields, "spec": spec}, View)


def encode_spec(spec: GameSpec) -> dict[str, Any]:
    """Return a game as a map."""
    return asdict(spec)


def decode_spec(values: object) -> GameSpec:
    """Return the game of an encoded map.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> spec = catalogue("discard-2017")
    >>> decode_spec(encode_spec(spec)) == spec
    True
    """
    return msgspec.convert(values, GameSpec)


class Child:
    """Answers the messages of the arena."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._bot: Any = None
        self._spec: GameSpec | None = None

    def serve(self) -> None:
        """Answer until the connection is closed."""
        while True:
            try:
                kind, *rest = msgspec.msgpack.decode(self._channel.receive())
            except (EOFError, OSError):
                return
            self._channel.send(self._answer_or_fault(kind, rest))

    def _answer_or_fault(self, kind: str, rest: list[Any]) -> bytes:
        """Return the answer to a message; an error of the bot becomes `Failed`."""
        try:
            return msgspec.msgpack.encode(self._answer(kind, rest))
        except MemoryError:
            fault = Failed("memory", "the bot needs more memory than its limit")
        except Exception as error:
            lines = own_traceback(error, ours=2)[-_MOST_TRACEBACK:]
            lines = lines.encode("utf-8", "replace").decode()
            fault = Failed("raised", one_line(in_words(error)), lines, refuses(error))
        return msgspec.msgpack.encode(fault)

    def _answer(self, kind: str, rest: list[Any]) -> Answer:
        if kind == "hello":
            return self._make(*rest)
        fields, game = rest
        if game is not None:
            self._spec = decode_spec(game)
        if self._spec is None:
            raise ArenaError("the arena sent a view before its game")
        view = decode_view(self._spec, fields)
        if kind == "act":
            return Move(_as_text(self._bot.act(view)))
        getattr(self._bot, kind)(view)
        return Done()

    def _make(self, text: str, seed: int, memory_limit: int | None, prints: int) -> Ready:
        if memory_limit is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory_limit, memory_limit))
            keep_prints(prints)
        self._bot = make_bot(text, seed)
        learns = bool(getattr(self._bot, "learns", False))
        return Ready(learns, hasattr(self._bot, "hand_started"), hasattr(self._bot, "hand_over"))


def refuses(error: BaseException) -> bool:
    """Whether an error of a bot means that it does not play the game."""
    return isinstance(error, GameError) and not isinstance(error, IllegalActionError)


def own_traceback(error: BaseException, ours: int) -> str:
    """Return the traceback of the bot's own code, without the first `ours` frames."""
    frames = error.__traceback__
    for _ in range(ours):
        frames = frames and frames.tb_next
    return "".join(traceback.format_exception(type(error), error, frames))


def _as_text(move: object) -> str:
    """Return a move as text; other values become text that is not a legal move."""
    if isinstance(move, str):  # also of a subclass of str
        return str.encode(move, "utf-8", "replace").decode()[:100]
    return str(move)[:100] if isinstance(move, Action) else f"no move: {move!r:.80}"


def main(channel: Channel, protections: list[Protection]) -> None:
    """Report missing protections of the sandbox, then serve."""
    channel.send(msgspec.msgpack.encode(Started(missing(protections))))
    Child(channel).serve()
