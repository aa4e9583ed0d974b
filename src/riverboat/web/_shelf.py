"""Strategies and solutions that a server shows: the shipped one, and the files of its folders."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from riverboat.blueprint import Blueprint, default_blueprint
from riverboat.bots import BotRef
from riverboat.errors import GameError, RiverboatError, did_you_mean
from riverboat.spots import Solution

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

DEFAULT: Final = "default"
_OPEN: Final = 16
_WRITES: Final = re.compile(r"(^|:)\s*log\s*=")  # a setting that names a file to write, also nested

Kind = Literal["blueprint", "solution"]


class Strategy(msgspec.Struct, frozen=True):
    """A strategy or a solution that can be looked at."""

    name: str
    kind: Kind
    game: str
    menu: str
    about: str


class Shelf:
    """Opens files by the names that pages know; no path comes from outside.

    Parameters
    ----------
    folders
        Where `.blueprint` and `.solution` files lie; the first folder with a name counts.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folders)
        self._opened: OrderedDict[tuple[str, int], Blueprint | Solution] = OrderedDict()
        self._lock = threading.Lock()

    def paths(self) -> dict[str, Path]:
        """Return all files by name."""
        found = {DEFAULT: default_blueprint()}
        for folder in self._folders:
            for path in sorted(folder.glob("*")) if folder.is_dir() else ():
                if path.suffix in {".blueprint", ".solution"} and path.is_file():
                    found.setdefault(path.name, path)
        return found

    def libraries(self) -> dict[str, list[Path]]:
        """Return folders with more than one solution, and what is in them; a name ends in `/`."""
        found: dict[str, list[Path]] = {}
        for folder in self._folders:
            inside = [each for each in sorted(folder.glob("*")) if each.is_dir()]
            for place in (folder, *inside):
                solutions = sorted(place.glob("*.solution"))
                if len(solutions) > 1:
                    found.setdefault(f"{place.resolve().name}/", solutions)
        return found

    def all(self) -> list[Strategy]:
        """Tell of every file that can be opened."""
        found = []
        for name in self.paths():
            try:
                found.append(_about(name, self.open(name)))
            except RiverboatError:
                continue  # a damaged file is not for sale
        return found

    def open(self, name: str) -> Blueprint | Solution:
        """Open a file, or return it if it is open."""
        path = self._path(name)
        try:
            key = str(path), path.stat().st_mtime_ns
        except OSError as error:  # it has just been deleted
            raise RiverboatError(f"there is no strategy {name[:80]!r} here any more") from error
        with self._lock:
            found = self._opened.pop(key, None)
            if found is None:
                found = Solution.open(path) if Solution.recognises(path) else Blueprint.open(path)
            self._opened[key] = found
            while len(self._opened) > _OPEN:
                self._opened.popitem(last=False)
        return found

    def _path(self, name: str) -> Path:
        """The file with a name; one of a library has its name before: `flops/a.solution`."""
        paths = self.paths()
        folder, slash, file = name.partition("/")
        inside = self.libraries().get(f"{folder}/", []) if slash else []
        found = paths.get(name) or next((each for each in inside if each.name == file), None)
        if found is None:
            near = did_you_mean(name, paths)
            raise RiverboatError(f"there is no strategy {name[:80]!r} here{near}")
        return found

    def bot(self, text: str) -> str:
        """Return a bot's text with the path of its strategy file, which must be one of these.

        The text comes from a page, or from a file of an earlier server, where the path may already
        stand in it.

        Raises
        ------
        GameError
            If it names another file: who asks for a page may neither open nor write files of this
            machine.
        """
        ref = BotRef.parse(text)
        if ref.untrusted:
            raise GameError(f"{text[:80]!r} is a file: pages seat bots built in or installed")
        kind = ref.kind
        if not kind.takes_file or not ref.settings:
            return text
        files = {parameter.name for parameter in kind.parameters if parameter.positional}
        parts = [self._setting(part.strip(), files) for part in ref.settings.split(",")]
        return f"{ref.name}:{','.join(parts)}"

    def _setting(self, part: str, files: set[str]) -> str:
        """A setting of a bot; one that names a file gets its path."""
        if _WRITES.search(part):
            raise GameError(f"{part[:80]!r}: bots of pages write no files")
        key, sign, value = part.rpartition("=")
        if sign and key.strip() not in files:
            return part
        paths = self.paths()
        known = {str(path): path for path in paths.values()} | paths
        if value.strip() not in known:
            near = did_you_mean(value, paths)
            raise GameError(f"there is no strategy {value[:80]!r} here{near}")
        return f"{key}{sign}{known[value.strip()]}"

    def blueprint(self, name: str) -> Blueprint:
        """Open a blueprint."""
        found = self.open(name)
        if not isinstance(found, Blueprint):
            raise RiverboatError(f"{name!r} is a solved spot, not a strategy of a whole game")
        return found


def _about(name: str, found: Blueprint | Solution) -> Strategy:
    if isinstance(found, Solution):
        said = f"{found.spot.board}, pot {found.spot.pot}, {100 * found.share:.2g} % of the pot"
        return Strategy(name, "solution", "spot", found.spot.menu, said)
    header = found.header
    said = f"{header.infosets:,} infosets, {header.training.iterations or 0:,} iterations"
    return Strategy(name, "blueprint", header.game_name, header.menu, said)
