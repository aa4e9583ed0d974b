"""The process of one outside bot, run by `riverboat.sandbox`, and its messages.

It answers one question after the other. What the bot prints goes into a file. Its memory is
bounded, so that a bot that eats all of it harms only itself.

Messages are msgpack lists, the first item says what they are:

| arena to bot | bot to arena |
| --- | --- |
| (nothing) | `started`, what the sandbox lacks |
| `hello`, bot, seed, memory limit | `ready`, learns, has hand_started, has hand_over |
| `act`, view, game | `move`, text |
| `hand_started` or `hand_over`, view, game | `done` |

Instead of an answer the bot's side may send `failed`, kind, sentence, traceback and whether it
refuses the game. After another `hello` it makes the bot anew. A view is the map of the
fields of `View` without its spec; with `act` it says the seconds left. The game is a map where it
is another than before, else nothing. Every question has one answer: the bot's side never sends
anything else.
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
    """Base of what a bot's side says: a list whose first item is the kind."""


class Started(_Message, frozen=True):
    """Our own code runs in the bot's process, and none of the bot's yet."""

    missing: str


class Ready(_Message, frozen=True):
    """The bot is made."""

    learns: bool
    hand_started: bool
    hand_over: bool


class Move(_Message, frozen=True):
    """What it does."""

    text: str


class Done(_Message, frozen=True):
    """It has heard of a hand's beginning or end."""


class Failed(_Message, frozen=True):
    """It has no answer."""

    kind: Literal["raised", "memory"]
    sentence: str
    traceback: str = ""
    """Where the bot's own code raised an error, as Python shows it."""
    refusal: bool = False
    """Whether the bot says that it does not play this."""


Answer = Started | Ready | Move | Done | Failed

_answers: msgspec.msgpack.Decoder[Answer] = msgspec.msgpack.Decoder(Answer)


def decode_answer(data: bytes) -> Answer:
    """Read what a bot's process sent, which may be anything.

    Raises
    ------
    msgspec.MsgspecError
        If it is no answer.

    Examples
    --------
    >>> decode_answer(msgspec.msgpack.encode(["move", "b30"]))
    Move(text='b30')
    """
    return _answers.decode(data)


def encode_view(view: View) -> dict[str, Any]:
    """Return the fields of a view but for its spec, which is sent once a match."""
    fields = msgspec.structs.asdict(view)
    del fields["spec"]
    return fields


def decode_view(spec: GameSpec, fields: dict[str, Any]) -> View:
    """Make the view again.

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
    """Make the game again.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> spec = catalogue("discard-2017")
    >>> decode_spec(encode_spec(spec)) == spec
    True
    """
    return msgspec.convert(values, GameSpec)


class Child:
    """Answers one question after the other."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._bot: Any = None
        self._spec: GameSpec | None = None

    def serve(self) -> None:
        """Answer until the other side hangs up."""
        while True:
            try:
                kind, *rest = msgspec.msgpack.decode(self._channel.receive())
            except (EOFError, OSError):
                return
            self._channel.send(self._answer_or_fault(kind, rest))

    def _answer_or_fault(self, kind: str, rest: list[Any]) -> bytes:
        """Return the answer to a question; what the bot raises is one, whatever its words are."""
        try:
            return msgspec.msgpack.encode(self._answer(kind, rest))
        except MemoryError:
            fault = Failed("memory", "it needs more memory than it may have")
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
            raise ArenaError("a view came before its game")
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
    """Whether a bot says by an error that it does not play a game."""
    return isinstance(error, GameError) and not isinstance(error, IllegalActionError)


def own_traceback(error: BaseException, ours: int) -> str:
    """Return where the bot's own code went wrong; the first frames are ours."""
    frames = error.__traceback__
    for _ in range(ours):
        frames = frames and frames.tb_next
    return "".join(traceback.format_exception(type(error), error, frames))


def _as_text(move: object) -> str:
    """Return an answer as text; what is no answer becomes text that no rule allows."""
    if isinstance(move, str):  # or of a class of its own that is one
        return str.encode(move, "utf-8", "replace").decode()[:100]
    return str(move)[:100] if isinstance(move, Action) else f"no move: {move!r:.80}"


def main(channel: Channel, protections: list[Protection]) -> None:
    """Say what the sandbox lacks, then serve."""
    channel.send(msgspec.msgpack.encode(Started(missing(protections))))
    Child(channel).serve()
