"""The process of one outside bot: `python -m riverboat.arena._outside_child DESCRIPTOR`.

It reads questions from the descriptor and answers them. What the bot prints goes nowhere. Its
memory is bounded, so that a bot that eats all of it harms only itself.
"""

import importlib.util
import inspect
import resource
import sys
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgspec

from riverboat.arena._wire import decode_spec, decode_view
from riverboat.bots import make_bot
from riverboat.errors import ArenaError
from riverboat.game import Action, GameSpec

__all__ = ["load_bot", "main"]


def load_bot(text: str, seed: int) -> Any:
    """Make the bot of a file, `path/to/file.py` or `path/to/file.py:ClassName`.

    The class is made with the seed if its constructor takes one value, else with nothing.
    """
    if ".py" not in text:
        return make_bot(text, seed)
    path, name = (text, "") if text.endswith(".py") else text.rsplit(":", 1)
    sys.path.append(str(Path(path).resolve().parent))
    spec = importlib.util.spec_from_file_location("riverboat_outside_bot", path)
    if spec is None or spec.loader is None:
        raise ArenaError(f"{path!r} cannot be loaded as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    classes = {
        key: value
        for key, value in vars(module).items()
        if inspect.isclass(value) and value.__module__ == spec.name and hasattr(value, "act")
    }
    if name not in classes and (name or len(classes) != 1):
        listed = ", ".join(classes) or "none"
        raise ArenaError(f"{text!r}: the classes with act(view) in it are {listed}; name one")
    chosen: Any = classes[name] if name else next(iter(classes.values()))
    try:
        inspect.signature(chosen).bind(seed)
    except TypeError:
        return chosen()
    return chosen(seed)


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
                answer = ["failed", "memory", "MemoryError"]
            except Exception as error:
                answer = ["failed", "raised", f"{type(error).__name__}: {error}"]
            if answer is not None:
                self._connection.send_bytes(msgspec.msgpack.encode(answer))

    def _answer(self, kind: str, rest: list[Any]) -> list[Any] | None:
        if kind == "hello":
            text, seed, memory_limit = rest
            resource.setrlimit(resource.RLIMIT_AS, (memory_limit, memory_limit))
            self._bot = load_bot(text, seed)
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
