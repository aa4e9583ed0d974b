"""Names of bots: `shark:low=0.1`, `bots/mine.py:Mine` or `acpc:./startme.sh`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from riverboat.bots._python_files import load_bot
from riverboat.bots._registry import Engine, engine_names, find_bot, find_engine, is_built_in
from riverboat.errors import DamagedFileError, GameError
from riverboat.files import bounded
from riverboat.settings import plain_name, read_settings, shown

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from riverboat.bots._bot import Bot, BotSettings
    from riverboat.bots._registry import BotKind

_MOST_SEED = 2**64


@dataclass(frozen=True, slots=True)
class BotRef:
    """The parsed name of a bot.

    Attributes
    ----------
    text
        The whole text.
    form
        `named` (a built-in or installed bot), `python` (a class in a file) or `engine` (a player of
        another engine).
    name
        Name of the bot or the engine; the path of a Python file.
    settings
        The text after the colon: settings of a bot, the class in a Python file, or the place of an
        engine's player.

    Examples
    --------
    >>> BotRef.parse("shark:low=0.1").settings, BotRef.parse("bots/mine.py:Mine").name
    ('low=0.1', 'bots/mine.py')
    """

    text: str
    form: Literal["named", "python", "engine"]
    name: str
    settings: str

    @classmethod
    def parse(cls, text: str) -> BotRef:
        """Parse the name of a bot, without a check whether the bot exists.

        Raises
        ------
        GameError
            If the name is not text, or too long.
        """
        if not isinstance(text, str):
            raise GameError(f"the name of a bot must be text, not {text!r}")
        bounded(text, "the name of a bot", GameError)
        name, colon, settings = text.partition(":")
        if colon and _is_engine(name):
            return cls(text, "engine", name, settings)
        if text.endswith(".py"):
            return cls(text, "python", text, "")
        if ".py:" in text:
            path, _, name = text.rpartition(":")
            return cls(text, "python", path, name)
        return cls(text, "named", name, settings)

    @property
    def untrusted(self) -> bool:
        """Whether the bot runs code that is neither ours nor installed.

        Examples
        --------
        >>> BotRef.parse("mine.py").untrusted, BotRef.parse("search:seconds=1").untrusted
        (True, False)
        """
        return self.form != "named"

    @property
    def uses_network(self) -> bool:
        """Whether the bot connects to us over a socket of the same machine."""
        return self.form == "engine" and self._engine.uses_network

    @property
    def kind(self) -> BotKind:
        """The kind of a built-in or installed bot; raises `GameError` if it does not exist."""
        return find_bot(self.name)

    def read_settings(self) -> BotSettings:
        """Return the settings of a built-in or installed bot."""
        kind = self.kind
        return read_settings(kind.settings, self.settings, kind.name)

    def with_settings(self, settings: Mapping[str, float]) -> BotRef:
        """Return the same bot with additional settings.

        Examples
        --------
        >>> BotRef.parse("shark:samples=100").with_settings({"low": 0.1}).text
        'shark:samples=100,low=0.1'
        """
        words = [
            f"{key}={value:g}" if isinstance(value, float) else f"{key}={value}"
            for key, value in settings.items()
        ]
        joined = ",".join([*([self.settings] if ":" in self.text else []), *words])
        return BotRef.parse(f"{self.name}:{joined}") if words else self

    @property
    def file(self) -> Path | None:
        """The file or folder of the bot, or None.

        Examples
        --------
        >>> BotRef.parse("blueprint:my.blueprint").file.name, BotRef.parse("fish").file
        ('my.blueprint', None)
        """
        if self.form == "engine":
            return self._engine.file(self.settings)
        if self.form == "python":
            return Path(self.name)
        kind = self.kind
        if not kind.takes_file:
            return None
        file = getattr(self.read_settings(), "file", "")
        if kind.default_file and not file:
            return kind.default_file()
        from riverboat.blueprint import find_blueprint  # noqa: PLC0415 - slow to import

        return find_blueprint(file) if kind.default_file else Path(file)

    @property
    def files(self) -> list[Path]:
        """All files of the bot, including those of its folder."""
        file = self.file
        if file is None:
            return []
        return sorted(file.glob("*.blueprint")) if file.is_dir() else [file]

    def make(self, seed: int) -> Bot:
        """Create the bot; see `make_bot`."""
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < _MOST_SEED:
            raise GameError(f"a seed must be a whole number from 0 to 2^64 - 1, not {seed!r}")
        if self.form == "engine":
            return self._engine.make(self.settings, seed)
        if self.form == "python":
            return load_bot(self.name, self.settings, seed)
        return self.kind.make(seed, self.read_settings())

    @property
    def _engine(self) -> Engine:
        engine = find_engine(self.name)
        if engine is None:
            raise GameError(f"there is no engine {shown(self.name)}")
        return engine


def _is_engine(name: str) -> bool:
    """Whether an engine has this name; names that cannot be engines skip the slow lookup."""
    if is_built_in(name) or any(letter in "./\\" for letter in name):
        return False
    return plain_name(name) in map(plain_name, engine_names())


def make_bot(text: str, seed: int) -> Bot:
    """Create a bot.

    Parameters
    ----------
    text
        One of `bot_names()`, optionally with settings after a colon: `shark:low=0.1,high=0.6`. Or a
        Python file, with the class if it has several: `mybot.py`, `mybot.py:Mine`.
    seed
        Seed of the bot's random choices: the same views in the same order get the same moves.

    Raises
    ------
    GameError
        If there is no such bot, setting or file.

    Examples
    --------
    >>> make_bot("shark:low=0.2", seed=0).settings.low
    0.2
    """
    return BotRef.parse(text).make(seed)


def named_bot(text: str, seed: int, source: str, files: Collection[Path] = ()) -> Bot:
    """Create a built-in or installed bot that a file names, but never a bot of a Python file.

    Saved files (blueprints, a server's tables, matches, reviews) may be untrusted, and creating a
    bot of a Python file runs its code. Use `make_bot` only for names that the user types.

    Parameters
    ----------
    text
        One of `bot_names()`, optionally with settings.
    seed
        See `make_bot`.
    source
        Path of the file that names the bot, for the error message.
    files
        Strategy files that the bot may play from.

    Raises
    ------
    DamagedFileError
        If the text names a Python file, or a bot with a strategy file that is not in `files`.

    Examples
    --------
    >>> named_bot("fold", 0, "my.blueprint").act.__name__
    'act'
    >>> named_bot("mine.py", 0, "my.blueprint")
    Traceback (most recent call last):
    riverboat.errors.DamagedFileError: my.blueprint names the bot 'mine.py': a saved file may name \
only built-in and installed bots, and none that plays from a file
    """
    ref = BotRef.parse(text)
    if ref.untrusted or (ref.kind.takes_file and not (files and ref.file in files)):
        raise DamagedFileError(
            f"{source} names the bot {shown(text)}: a saved file may name only built-in and "
            "installed bots, and none that plays from a file"
        )
    return ref.make(seed)


def split_bots(text: str) -> list[str]:
    """Split a list of bots at its commas, but not at the commas between settings.

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
