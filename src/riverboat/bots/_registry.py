"""All bots by name, and how text such as `shark:low=0.1,high=0.6` becomes a bot.

Other packages add theirs with an entry point of the group `riverboat.bots`: a class with
`act(view)`, or a `BotKind`.
"""

import inspect
from collections.abc import Callable, Collection
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from riverboat.bots._bot import Bot, BotSettings
from riverboat.bots._python_files import file_of_outside, is_file_bot, load_bot, made
from riverboat.errors import DamagedFileError, GameError, did_you_mean
from riverboat.files import bounded
from riverboat.settings import PlugIns, Setting, plain_name, read_settings, settings_of, shown

__all__ = [
    "BotKind",
    "all_bots",
    "bot_faults",
    "bot_names",
    "file_of",
    "files_of",
    "find_bot",
    "make_bot",
    "named_bot",
    "register",
    "split_bots",
]


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

#: Bots of rooms above this one, and where each is: imported when it is asked for, as those of
#: other packages are.
_ABOVE = {"search": ("riverboat.search", "SEARCH")}

#: What commands on strategies call the shipped one.
_OTHER_NAMES = {"default": "blueprint"}


def register(kind: BotKind) -> None:
    """Make a kind of bot known by its name; a name can be given only once."""
    plain = plain_name(kind.name)
    if plain in _KINDS or plain in _ABOVE:
        raise GameError(f"there is already a bot {kind.name!r}")
    _KINDS[plain] = kind


def all_bots() -> tuple[BotKind, ...]:
    """Return all kinds of bots, those of other packages last; broken ones are left out.

    Examples
    --------
    >>> [kind.name for kind in all_bots() if kind.learns]
    ['killer', 'killbot', 'montecarlo-plus']
    """
    return (*_KINDS.values(), *map(_above, _ABOVE), *_PLUG_INS.working())


def bot_faults() -> tuple[str, ...]:
    """Return a sentence for each bot of another package that cannot be used.

    Examples
    --------
    >>> bot_faults()
    ()
    """
    return _PLUG_INS.faults()


def bot_names() -> tuple[str, ...]:
    """Return the names of all bots.

    Examples
    --------
    >>> bot_names()[:3]
    ('checkcall', 'random', 'fish')
    """
    return (*(kind.name for kind in _KINDS.values()), *_ABOVE, *_PLUG_INS.names())


def find_bot(name: str) -> BotKind:
    """Return the kind of that name.

    Examples
    --------
    >>> find_bot("Angry Fish").source
    'husky'
    """
    plain = plain_name(name)
    if plain in _ABOVE:
        return _above(plain)
    kind = _KINDS.get(_OTHER_NAMES.get(plain, plain)) or _PLUG_INS.get(name)
    if kind is None:
        listed, near = ", ".join(bot_names()), did_you_mean(name, [*bot_names(), *_OTHER_NAMES])
        if name.endswith(".blueprint"):
            near = f" (did you mean 'blueprint:{name}'?)"
        raise GameError(
            f"{shown(name)} is no bot{near}: there are {listed}, and files such as mybot.py"
        )
    return kind


def _above(name: str) -> BotKind:
    """The kind of a bot of a room above."""
    module, attribute = _ABOVE[name]
    kind: BotKind = getattr(import_module(module), attribute)
    return kind


def make_bot(text: str, seed: int) -> Bot:
    """Make a bot.

    Parameters
    ----------
    text
        One of `bot_names()`, with settings after a colon if they are not to be
        the source's: `shark:low=0.1,high=0.6`. Or a Python file, and its class
        if it has several: `mybot.py`, `mybot.py:Mine`.
    seed
        Of the bot's random choices: the same views in the same order get the
        same answers.

    Raises
    ------
    GameError
        If there is no such bot, setting or file.

    Examples
    --------
    >>> make_bot("shark:low=0.2", seed=0).settings.low
    0.2
    """
    if not isinstance(text, str):
        raise GameError(f"a bot is named by text, not {text!r}")
    bounded(text, "the name of a bot", GameError)
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**64:
        raise GameError(f"a seed is a whole number from 0 to 2^64 - 1, not {seed!r}")
    if is_file_bot(text):
        return load_bot(text, seed)
    name, _, settings = text.partition(":")
    kind = find_bot(name)
    return kind.make(seed, read_settings(kind.settings, settings, kind.name))


def named_bot(text: str, seed: int, source: str, files: Collection[Path] = ()) -> Bot:
    """Make a bot that a file names: a built-in or an installed one, never a Python file.

    Files come from strangers, and making a bot of a Python file runs it. Saved work (blueprints,
    a server's tables, matches and reviews) opens its bots here; `make_bot` is for names that the
    user types.

    Parameters
    ----------
    text
        One of `bot_names()`, perhaps with settings.
    seed
        As of `make_bot`.
    source
        What names it, for the sentence: the path of the file.
    files
        Strategy files that it may play from.

    Raises
    ------
    DamagedFileError
        If it names a Python file, or plays from a strategy file that is not one of `files`.

    Examples
    --------
    >>> named_bot("fold", 0, "my.blueprint").act.__name__
    'act'
    >>> named_bot("mine.py", 0, "my.blueprint")
    Traceback (most recent call last):
    riverboat.errors.DamagedFileError: my.blueprint names the bot 'mine.py': a file may name \
built-in and installed bots, none that is a file or plays from one
    """
    bounded(text, "the name of a bot", GameError)
    if is_file_bot(text) or not _plays_from(text, files):
        raise DamagedFileError(
            f"{source} names the bot {shown(text)}: a file may name built-in and installed bots, "
            "none that is a file or plays from one"
        )
    return make_bot(text, seed)


def _plays_from(text: str, files: Collection[Path]) -> bool:
    """Whether a bot needs no strategy file, or one of these."""
    if not find_bot(text.partition(":")[0]).takes_file:
        return True
    return bool(files) and file_of(text) in files


def file_of(text: str) -> Path | None:
    """Return the file that a bot is made from: its Python file or strategy file, if it has one.

    Examples
    --------
    >>> file_of("bots/mine.py:Mine").name, file_of("blueprint:my.blueprint").name, file_of("fish")
    ('mine.py', 'my.blueprint', None)
    """
    if is_file_bot(text):
        return file_of_outside(text)
    name, _, settings = text.partition(":")
    kind = find_bot(name)
    if not kind.takes_file:
        return None
    file = getattr(read_settings(kind.settings, settings, kind.name), "file", "")
    if kind.default_file and file in ("", "default") and not Path("default").is_file():
        return kind.default_file()
    return Path(file)


def files_of(text: str) -> list[Path]:
    """Return all files that a bot is made from: those of a folder, if it plays from one.

    Examples
    --------
    >>> [file.name for file in files_of("blueprint:my.blueprint")], files_of("fish")
    (['my.blueprint'], [])
    """
    file = file_of(text)
    if file is None:
        return []
    return sorted(file.glob("*.blueprint")) if file.is_dir() else [file]


def split_bots(text: str) -> list[str]:
    """Split a list of bots at its commas, but not at those between settings.

    Examples
    --------
    >>> split_bots("fish, shark:low=0.2,high=0.7, honest")
    ['fish', 'shark:low=0.2,high=0.7', 'honest']
    """
    bots: list[str] = []
    for part in (piece.strip() for piece in text.split(",")):
        if bots and "=" in part and ":" not in part.partition("=")[0] and ":" in bots[-1]:
            bots[-1] += f",{part}"
        else:
            bots.append(part)
    return bots


def _accept(name: str, found: Any, package: str) -> BotKind:
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


_PLUG_INS = PlugIns(
    "riverboat.bots",
    "bot",
    GameError,
    _accept,
    lambda name: plain_name(name) in {*_KINDS, *_ABOVE, *_OTHER_NAMES},
)
