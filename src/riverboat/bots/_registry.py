"""All kinds of bots by name, and the engines whose players sit at our tables.

Other packages, and the packages of Riverboat above this one, add theirs with an entry point: of the
group `riverboat.bots` a class with `act(view)`, or a `BotKind`; of the group `riverboat.engines` an
`Engine`, named as in `acpc:./startme.sh`.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from riverboat.bots._bot import Bot, BotSettings
from riverboat.bots._python_files import made
from riverboat.errors import GameError, did_you_mean
from riverboat.settings import PlugIns, Setting, plain_name, settings_of, shown


@dataclass(frozen=True, slots=True)
class BotKind:
    """A bot that can be made by name.

    Attributes
    ----------
    name
        As people type it; case, blanks and hyphens do not matter.
    line
        What it does, in one line.
    source
        Where it comes from: a source document (`husky`, `cardiff`, `pineapple`), another
        package, or `riverboat`.
    make
        Makes it from a seed and its settings.
    settings
        Their class; the defaults are the source's values.
    learns
        Whether its play depends on earlier hands.
    slow
        Whether a decision takes seconds.
    default_file
        Finds the file that it plays from where none is named, if it takes one.
    """

    name: str
    line: str
    source: str
    make: Callable[[int, Any], Bot]
    settings: type[BotSettings] = BotSettings
    learns: bool = False
    slow: bool = False
    default_file: Callable[[], Path] | None = None

    @property
    def parameters(self) -> tuple[Setting, ...]:
        """What can be set."""
        return settings_of(self.settings)

    @property
    def takes_file(self) -> bool:
        """Whether it plays from a file that can be named: `blueprint:FILE`."""
        return any(parameter.positional for parameter in self.parameters)

    @property
    def needs_file(self) -> bool:
        """Whether it plays from a file that must be named: `cfrv1:FILE`."""
        return self.takes_file and self.default_file is None


_KINDS: dict[str, BotKind] = {}

#: What commands on strategies call the shipped one.
_OTHER_NAMES = {"default": "blueprint"}


def register(kind: BotKind) -> None:
    """Make a kind of bot known by its name; a name can be given only once."""
    if plain_name(kind.name) in map(plain_name, bot_names()):
        raise GameError(f"there is already a bot {kind.name!r}")
    add_built_in(kind)


def add_built_in(kind: BotKind) -> None:
    """Add a kind of this package, without looking for plug-ins of that name."""
    _KINDS[plain_name(kind.name)] = kind


def is_built_in(name: str) -> bool:
    """Whether this package itself has a bot of that name."""
    plain = plain_name(name)
    return plain in _KINDS or plain in _OTHER_NAMES


def all_bots() -> tuple[BotKind, ...]:
    """Return all kinds of bots, those of entry points last; broken ones are left out.

    Examples
    --------
    >>> [kind.name for kind in all_bots() if kind.learns]
    ['killer', 'killbot', 'montecarlo-plus']
    """
    return (*_KINDS.values(), *_BOTS.working())


def bot_faults() -> tuple[str, ...]:
    """Return a sentence for each bot of another package that cannot be used.

    Examples
    --------
    >>> bot_faults()
    ()
    """
    return _BOTS.faults()


def bot_names() -> tuple[str, ...]:
    """Return the names of all bots.

    Examples
    --------
    >>> bot_names()[:3]
    ('checkcall', 'random', 'fish')
    """
    return (*(kind.name for kind in _KINDS.values()), *_BOTS.names())


def find_bot(name: str) -> BotKind:
    """Return the kind of that name.

    Examples
    --------
    >>> find_bot("Angry Fish").source
    'husky'
    """
    plain = plain_name(name)
    kind = _KINDS.get(_OTHER_NAMES.get(plain, plain)) or _BOTS.get(name)
    if kind is None:
        listed, near = ", ".join(bot_names()), did_you_mean(name, [*bot_names(), *_OTHER_NAMES])
        if name.endswith(".blueprint"):
            near = f" (did you mean 'blueprint:{name}'?)"
        raise GameError(
            f"{shown(name)} is no bot{near}: there are {listed}, and files such as mybot.py"
        )
    return kind


def _accept_bot(name: str, found: Any, package: str) -> BotKind:
    """Make a kind of what an entry point has: a kind, or the class of a bot."""
    if isinstance(found, BotKind):
        if plain_name(found.name) != plain_name(name):
            raise GameError(f"it calls itself {found.name!r}")
        return found
    if not inspect.isclass(found) or not callable(getattr(found, "act", None)):
        raise GameError(f"{found!r} is neither a BotKind nor a class with act(view)")
    line = (inspect.getdoc(found) or "says nothing about itself").partition("\n")[0]
    return BotKind(
        name,
        line,
        package,
        lambda seed, _settings: made(found, seed),
        learns=bool(getattr(found, "learns", False)),
        slow=bool(getattr(found, "slow", False)),
    )


_BOTS = PlugIns("riverboat.bots", "bot", GameError, _accept_bot, is_built_in)


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
    return _ENGINES.names()


def find_engine(name: str) -> Engine | None:
    """Return the engine of that name, or None if there is none."""
    return _ENGINES.get(name)


def _accept_engine(name: str, found: Any, package: str) -> Engine:
    del name, package
    if not isinstance(found, Engine):
        raise GameError(f"{found!r} is no Engine")
    return found


_ENGINES = PlugIns("riverboat.engines", "engine", GameError, _accept_engine)
