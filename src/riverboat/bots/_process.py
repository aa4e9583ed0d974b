"""The process of one outside bot, run by `riverboat.sandbox`.

It answers one question after the other. What the bot prints goes into a file. Its memory is
bounded, so that a bot that eats all of it harms only itself.
"""

import resource
from typing import Any

import msgspec

from riverboat.bots._prints import keep_prints
from riverboat.bots._ref import make_bot
from riverboat.bots._wire import (
    Answer,
    Done,
    Failed,
    Move,
    Ready,
    Started,
    decode_spec,
    decode_view,
)
from riverboat.errors import ArenaError, in_words, one_line
from riverboat.game import Action, GameSpec
from riverboat.sandbox import Channel, Protection, missing


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
            fault = Failed("raised", one_line(in_words(error)))
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

    def _make(self, text: str, seed: int, memory_limit: int, prints: int) -> Ready:
        resource.setrlimit(resource.RLIMIT_AS, (memory_limit, memory_limit))
        keep_prints(prints)
        self._bot = make_bot(text, seed)
        learns = bool(getattr(self._bot, "learns", False))
        return Ready(learns, hasattr(self._bot, "hand_started"), hasattr(self._bot, "hand_over"))


def _as_text(move: object) -> str:
    """Return an answer as text; what is no answer becomes text that no rule allows."""
    if isinstance(move, str):  # or of a class of its own that is one
        return str.encode(move, "utf-8", "replace").decode()[:100]
    return str(move)[:100] if isinstance(move, Action) else f"no move: {move!r:.80}"


def main(channel: Channel, protections: list[Protection]) -> None:
    """Say what the sandbox lacks, then serve."""
    channel.send(msgspec.msgpack.encode(Started(missing(protections))))
    Child(channel).serve()
