"""The process of one outside bot: `python -m riverboat.arena._outside_child DESCRIPTOR`.

It reads questions from the descriptor and answers them. What the bot prints goes into a file. Its
memory is bounded, so that a bot that eats all of it harms only itself.
"""

import resource
import sys
from multiprocessing.connection import Connection
from typing import Any

import msgspec

from riverboat.arena._wire import decode_spec, decode_view
from riverboat.bots import keep_prints, make_bot
from riverboat.errors import ArenaError, in_words
from riverboat.game import Action, GameSpec

__all__ = ["main"]


class Child:
    """Answers one question after the other."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._bot: Any = None
        self._spec: GameSpec | None = None

    def serve(self) -> None:
        """Answer until the other side hangs up."""
        while True:
            try:
                kind, *rest = msgspec.msgpack.decode(self._connection.recv_bytes())
            except (EOFError, OSError):
                return
            try:
                answer = self._answer(kind, rest)
            except MemoryError:
                answer = ["failed", "memory", "it needs more memory than it may have"]
            except Exception as error:
                answer = ["failed", "raised", in_words(error)]
            if answer is not None:
                self._connection.send_bytes(msgspec.msgpack.encode(answer))

    def _answer(self, kind: str, rest: list[Any]) -> list[Any] | None:
        if kind == "hello":
            text, seed, memory_limit = rest
            resource.setrlimit(resource.RLIMIT_AS, (memory_limit, memory_limit))
            keep_prints(text)
            self._bot = make_bot(text, seed)
            hooks = [hasattr(self._bot, hook) for hook in ("hand_started", "hand_over")]
            return ["ready", bool(getattr(self._bot, "learns", False)), *hooks]
        if kind == "game":
            self._spec = decode_spec(rest[0])
            return None
        if self._spec is None:
            raise ArenaError("a view came before its game")
        view = decode_view(self._spec, rest[0])
        if kind == "act":
            return ["move", _as_text(self._bot.act(view))]
        getattr(self._bot, kind)(view)
        return ["done"]


def _as_text(move: object) -> str:
    """Return an answer as text; what is no answer becomes text that no rule allows."""
    if isinstance(move, str):
        return move.encode("utf-8", "replace").decode()[:100]
    return str(move)[:100] if isinstance(move, Action) else f"no move: {move!r:.80}"


def main() -> None:
    """Serve on the descriptor that the command line names."""
    Child(Connection(int(sys.argv[1]))).serve()


if __name__ == "__main__":
    main()
