"""Registry of all bots, and of the engines whose players can sit at our tables.

Higher packages of Riverboat, and other packages, add bots and engines with entry points. An entry
point of the group `riverboat.bots` is a class with `act(view)` or a `BotKind`; one of the group
`riverboat.engines` is an `Engine`, used as in `acpc:./startme.sh`.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from riverboat.bots._bot import Bot, BotSettings
from riverboat.bots._python_files import create
from riverboat.errors import GameError, did_you_mean
from riverboat.settings import PlugIns, Setting, plain_name, settings_of, shown


@dataclass(frozen=True, slots=True)
class BotKind:
    """A bot that can be created by name.

    Attributes
    ----------
    name
        Name of the bot; case, blanks and hyphens do not matter.
    line
        Description of the bot in one line.
    source
        Origin of the bot: a source document (`husky`, `cardiff`, `pineapple`), another package, or
        `riverboat`.
    make
        Creates the bot from a seed and its settings.
    settings
        Class of the settings; the defaults are the source's values.
    learns
        Whether its play depends on earlier hands.
    slow
        Whether a decision takes seconds.
    default_files
        Returns the default strategy files, for a bot that plays from such files.
    """

    name: str
    line: str
    source: str
    make: Callable[[int, Any], Bot]
    settings: type[BotSettings] = BotSettings
    learns: bool = False
    slow: bool = False
    default_files: Callable[[], list[Path]] | None = None

    @property
    def parameters(self) -> tuple[Setting, ...]:
        """The settings of the bot."""
        return settings_of(self.settings)

    @property
    def takes_file(self) -> bool:
        """Whether a file can be given: `blueprint:FILE`."""
        return any(parameter.positional for parameter in self.parameters)

    @property
    def needs_file(self) -> bool:
        """Whether a file must be given: `cfrv1:FILE`."""
        return self.takes_file and self.default_files is None


_KINDS: dict[str, BotKind] = {}

#: Commands on strategies call the default strategy `default`.
_OTHER_NAMES = {"default": "blueprint"}


def register(kind: BotKind) -> None:
    """Add a kind of bot to the registry; its name must be new."""
    if plain_name(kind.name) in map(plain_name, bot_names()):
        raise GameError(f"there is already a bot {kind.name!r}")
    add_built_in(kind)


def add_built_in(kind: BotKind) -> None:
    """Add a kind of this package, without a check of plug-ins with the same name."""
    _KINDS[plain_name(kind.name)] = kind


def is_built_in(name: str) -> bool:
    """Whether this package has a bot of that name."""
    plain = plain_name(name)
    return plain in _KINDS or plain in _OTHER_NAMES


def all_bots() -> tuple[BotKind, ...]:
    """Return all kinds of bots, those of entry points last, without broken ones.

    Examples
    --------
    >>> [kind.name for kind in all_bots() if kind.learns]
    ['killer', 'killbot', 'montecarlo-plus']
    """
    return (*_KINDS.values(), *_BOTS.working())


def bot_faults() -> tuple[str, ...]:
    """Return an error message for each bot of another package that cannot be used.

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
            f"{shown(name)} is not a bot{near}: there are {listed}, and files such as mybot.py"
        )
    return kind


def _accept_bot(name: str, entry: Any, package: str) -> BotKind:
    """Return the kind of an entry point: a kind, or the class of a bot."""
    if isinstance(entry, BotKind):
        if plain_name(entry.name) != plain_name(name):
            raise GameError(f"its BotKind has another name, {entry.name!r}")
        return entry
    if not inspect.isclass(entry) or not callable(getattr(entry, "act", None)):
        raise GameError(f"{entry!r} is neither a BotKind nor a class with act(view)")
    line = (inspect.getdoc(entry) or "has no description").partition("\n")[0]
    return BotKind(
        name,
        line,
        package,
        lambda seed, _settings: create(entry, seed),
        learns=bool(getattr(entry, "learns", False)),
        slow=bool(getattr(entry, "slow", False)),
    )


_BOTS = PlugIns("riverboat.bots", "bot", GameError, _accept_bot, is_built_in)


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine whose players can sit at our tables as `NAME:PLACE`.

    Attributes
    ----------
    make
        Starts the player at a place and returns it as a bot; the number is the bot's seed.
    file
        Returns the file of a place.
    uses_network
        Whether the player connects to us over a socket of the same machine.
    """

    make: Callable[[str, int], Bot]
    file: Callable[[str], Path] = Path
    uses_network: bool = False


def engine_names() -> tuple[str, ...]:
    """Return the names of all engines."""
    return _ENGINES.names()


def find_engine(name: str) -> Engine | None:
    """Return the engine of that name, or None."""
    return _ENGINES.get(name)


def _accept_engine(name: str, entry: Any, package: str) -> Engine:
    del name, package
    if not isinstance(entry, Engine):
        raise GameError(f"{entry!r} is not an Engine")
    return entry


_ENGINES = PlugIns("riverboat.engines", "engine", GameError, _accept_engine)
