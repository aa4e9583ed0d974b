"""Bots of Python files: a class with `act(view)`.

Its constructor gets the seed if it has a parameter.
"""

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

_numbers = itertools.count()

_SHAPES = {"act": "act(view)"}


def load_bot(path: str, name: str, seed: int) -> Bot:
    """Create the bot of a Python file; without a name, of its only class with `act(view)`.

    Raises
    ------
    GameError
        If the file or the class is missing, or raises an error.
    """
    chosen = load_class(path, name, "act")
    try:
        bot = create(chosen, seed)
    except Exception as error:
        reason = _reason(error, Path(path))
        raise GameError(f"{chosen.__name__} of {path} cannot be created: {reason}") from error
    if not isinstance(bot, Bot):
        raise GameError(f"{chosen.__name__} of {path} is not a bot: it has no method act(view)")
    return bot


def load_class(path: str, name: str, method: str) -> type[Any]:
    """Return a class of a file: the one of that name, or the only one with the method."""
    file = Path(path)
    if not is_file(file):
        raise GameError(f"there is no file {shown(path)}")
    return _choose(path, name, _load(file), method)


def create(chosen: type[Any], seed: int) -> Any:
    """Create an object of a class, with the seed if its constructor has a parameter."""
    return chosen(seed) if _takes_seed(chosen) else chosen()


def _load(file: Path) -> ModuleType:
    """Import the file as a new module; it can import other files of its folder."""
    folder = str(file.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    name = f"_riverboat_bot_{next(_numbers)}_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise GameError(f"{file} cannot be loaded as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look up their module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise GameError(f"{file} cannot be loaded: {_reason(error, file)}") from error
    return module


def _choose(path: str, name: str, module: ModuleType, method: str) -> type[Any]:
    """Return the class of that name, or the only one with the method."""
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
            raise GameError(f"{path} has no bot {name!r}; its classes with {shape}: {listed}")
        return classes[name]
    if len(classes) != 1:
        raise GameError(
            f"{path} must have exactly one class with {shape}, or name the class after a colon; "
            f"it has {listed}"
        )
    return next(iter(classes.values()))


def _takes_seed(chosen: type[Any]) -> bool:
    """Whether the constructor accepts one argument."""
    try:
        inspect.signature(chosen).bind(0)
    except (TypeError, ValueError):
        return False
    return True


def _reason(error: Exception, file: Path) -> str:
    """Return the message of an error, and the line of the bot's file that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename).resolve() == file.resolve()]
    place = f" (line {lines[-1]} of {file.name})" if lines else ""
    return f"{in_words(error)}{place}"
