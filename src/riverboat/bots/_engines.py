"""Players of other engines by name, such as `acpc:./startme.sh`.

Each protocol adds its engine with an entry point of the group `riverboat.engines`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from riverboat.bots._bot import Bot
from riverboat.errors import GameError
from riverboat.settings import PlugIns


@dataclass(frozen=True, slots=True)
class Engine:
    """Another engine whose players sit at our tables as `NAME:PLACE`.

    Attributes
    ----------
    make
        Starts the player at a place and makes it a bot; the number is the bot's seed.
    file
        The file that a place names.
    uses_network
        Whether the player talks to us over a socket of the same machine.
    """

    make: Callable[[str, int], Bot]
    file: Callable[[str], Path] = Path
    uses_network: bool = False


def engine_names() -> tuple[str, ...]:
    """Return the names of all engines."""
    return _PLUG_INS.names()


def find_engine(name: str) -> Engine | None:
    """Return the engine of that name, or None if there is none."""
    return _PLUG_INS.get(name)


def _accept(name: str, found: Any, package: str) -> Engine:
    del name, package
    if not isinstance(found, Engine):
        raise GameError(f"{found!r} is no Engine")
    return found


_PLUG_INS = PlugIns("riverboat.engines", "engine", GameError, _accept)
