"""A person's own bot: a class in a Python file.

The class needs `act(view)`. It is made with the seed if its constructor takes
one, else with nothing.
"""

import importlib
import importlib.util
import inspect
import itertools
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from riverboat.bots._bot import Bot
from riverboat.errors import GameError, in_words
from riverboat.files import is_file
from riverboat.settings import shown

__all__ = ["file_of_outside", "is_file_bot", "load_bot", "load_class", "made", "needs_network"]

_numbers = itertools.count()

_SHAPES = {"act": "act(view)"}

#: Players of other engines, `acpc:./startme.sh`, and who makes a bot of each: rooms above.
OUTSIDE = {
    "acpc": "riverboat.protocols.acpc",
    "lines": "riverboat.protocols.lines",
    "mit": "riverboat.protocols.mit",
    "pypokerengine": "riverboat.protocols.pypokerengine",
}


def is_file_bot(text: str) -> bool:
    """Whether text names a file or a folder of somebody's bot, not a bot of ours.

    Examples
    --------
    >>> is_file_bot("bots/mine.py:Mine"), is_file_bot("shark:low=0.1")
    (True, False)
    >>> is_file_bot("acpc:./startme.sh")
    True
    """
    return text.endswith(".py") or ".py:" in text or text.partition(":")[0] in OUTSIDE


def needs_network(text: str) -> bool:
    """Whether a bot talks to us over a socket of the same machine."""
    return text.partition(":")[0] in ("acpc", "mit")


def file_of_outside(text: str) -> Path:
    """Return the file of a bot for which `is_file_bot` holds."""
    kind, _, path = text.partition(":")
    if kind == "pypokerengine":
        text, kind = path, ""
    if kind not in OUTSIDE:
        return Path(text if text.endswith(".py") else text.rpartition(":")[0])
    place = Path(path.partition("@")[0] if kind == "mit" else path)
    return place / "commands.json" if place.is_dir() else place


def load_bot(text: str, seed: int) -> Bot:
    """Make the bot of a file, `path/to/file.py` or `path/to/file.py:ClassName`.

    Players of other engines are made by the room of their protocol.

    Raises
    ------
    GameError
        If the file, or such a class in it, is missing or does not work.
    """
    kind, _, rest = text.partition(":")
    if kind in OUTSIDE:
        outside: Bot = importlib.import_module(OUTSIDE[kind]).outside_bot(rest, seed)
        return outside
    chosen = load_class(text, "act")
    file = file_of_outside(text)
    path = str(file)
    try:
        bot = made(chosen, seed)
    except Exception as error:
        told = _told(error, file)
        raise GameError(f"{chosen.__name__} of {path} cannot be made: {told}") from error
    if not isinstance(bot, Bot):
        raise GameError(f"{chosen.__name__} of {path} is no bot: it has no method act(view)")
    return bot


def load_class(text: str, method: str) -> type[Any]:
    """Return the class that a file has, or that is named after it, with such a method."""
    path, _, name = (text, "", "") if text.endswith(".py") else text.rpartition(":")
    file = Path(path)
    if not is_file(file):
        raise GameError(f"there is no file {shown(path)}")
    return _choose(path, name, _load(file), method)


def made(chosen: type[Any], seed: int) -> Any:
    """Make a bot of its class, with the seed if its constructor takes one."""
    return chosen(seed) if _takes_seed(chosen) else chosen()


def _load(file: Path) -> ModuleType:
    """Run the file as a module of its own; its neighbours can be imported by it."""
    folder = str(file.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    name = f"_riverboat_bot_{next(_numbers)}_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise GameError(f"{file} cannot be loaded as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise GameError(f"{file} cannot be loaded: {_told(error, file)}") from error
    return module


def _choose(path: str, name: str, module: ModuleType, method: str) -> type[Any]:
    """Return the class that is meant."""
    classes = {
        key: value
        for key, value in vars(module).items()
        if inspect.isclass(value)
        and value.__module__ == module.__name__
        and callable(getattr(value, method, None))
    }
    listed, shape = ", ".join(classes) or "none", _SHAPES.get(method, method)
    if name:
        if name not in classes:
            raise GameError(f"{path} has no bot {name!r}: its classes with {shape}: {listed}")
        return classes[name]
    if len(classes) != 1:
        raise GameError(f"{path} must have one class with {shape}, or name it: it has {listed}")
    return next(iter(classes.values()))


def _takes_seed(chosen: type[Any]) -> bool:
    """Whether the constructor can be given one value."""
    try:
        inspect.signature(chosen).bind(0)
    except (TypeError, ValueError):
        return False
    return True


def _told(error: Exception, file: Path) -> str:
    """Say what a bot's file raised, and on which of its lines."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename).resolve() == file.resolve()]
    place = f" (line {lines[-1]} of {file.name})" if lines else ""
    return f"{in_words(error)}{place}"
