"""The strategies and solutions that a server offers: the default ones and its folders'."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from riverboat.blueprint import (
    Blueprint,
    default_blueprint,
    default_blueprints,
    default_name,
    shipped_blueprints,
)
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
    """A strategy or solution."""

    name: str
    kind: Kind
    game: str
    menu: str
    about: str


class Shelf:
    """Opens strategy files by name; requests never contain a path.

    Parameters
    ----------
    folders
        Folders of `.blueprint` and `.solution` files; the first folder with a name wins.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folders)
        self._opened: OrderedDict[tuple[str, int], Blueprint | Solution] = OrderedDict()
        self._lock = threading.Lock()

    def paths(self) -> dict[str, Path]:
        """Return all files by name."""
        found = {"default": default_blueprint()}
        found |= {default_name(depth): path for depth, path in default_blueprints().items()}
        for folder in self._folders:
            for path in sorted(folder.glob("*")) if folder.is_dir() else ():
                if path.suffix in {".blueprint", ".solution"} and path.is_file():
                    found.setdefault(path.name, path)
        return found

    def libraries(self) -> dict[str, list[Path]]:
        """Return folders with more than one solution, and their files; the names end in `/`."""
        found: dict[str, list[Path]] = {}
        for folder in self._folders:
            inside = [each for each in sorted(folder.glob("*")) if each.is_dir()]
            for place in (folder, *inside):
                solutions = sorted(place.glob("*.solution"))
                if len(solutions) > 1:
                    found.setdefault(f"{place.resolve().name}/", solutions)
        return found

    def all(self) -> list[Strategy]:
        """List all files that can be opened."""
        found = []
        for name in self.paths():
            try:
                found.append(_about(name, self.open(name)))
            except RiverboatError:
                continue  # damaged files are not listed
        return found

    def open(self, name: str) -> Blueprint | Solution:
        """Return an open file; recently used files stay open."""
        path = self._path(name)
        try:
            key = str(path), path.stat().st_mtime_ns
        except OSError as error:  # it has just been deleted
            raise RiverboatError(f"the strategy {name[:80]!r} no longer exists") from error
        with self._lock:
            found = self._opened.pop(key, None)
            if found is None:
                found = Solution.open(path) if Solution.recognises(path) else Blueprint.open(path)
            self._opened[key] = found
            while len(self._opened) > _OPEN:
                self._opened.popitem(last=False)
        return found

    def _path(self, name: str) -> Path:
        """Return the file of a name; files of a library are named `flops/a.solution`."""
        paths = self.paths()
        folder, slash, file = name.partition("/")
        inside = self.libraries().get(f"{folder}/", []) if slash else []
        found = paths.get(name) or next((each for each in inside if each.name == file), None)
        if found is None:
            near = did_you_mean(name, paths)
            raise RiverboatError(f"there is no strategy {name[:80]!r}{near}")
        return found

    def bot(self, text: str) -> str:
        """Return a bot's text with the full path of its strategy file.

        The text comes from a page, or from a file of an earlier server; then it may already have
        the path.

        Raises
        ------
        GameError
            If it names a file outside the served folders: clients must neither open nor write
            other files.
        """
        ref = BotRef.parse(text)
        if ref.untrusted:
            raise GameError(f"{text[:80]!r} is a file: only built-in and installed bots may play")
        kind = ref.kind
        if not kind.takes_file or not ref.settings:
            return text
        files = {parameter.name for parameter in kind.parameters if parameter.positional}
        parts = [self._setting(part.strip(), files) for part in ref.settings.split(",")]
        return f"{ref.name}:{','.join(parts)}"

    def _setting(self, part: str, files: set[str]) -> str:
        """Return a setting of a bot, with the path if it names a file."""
        if _WRITES.search(part):
            raise GameError(f"{part[:80]!r}: bots of pages write no files")
        key, sign, value = part.rpartition("=")
        if sign and key.strip() not in files:
            return part
        paths = self.paths() | shipped_blueprints()
        known = {str(path): path for path in paths.values()} | paths
        if value.strip() not in known:
            near = did_you_mean(value, paths)
            raise GameError(f"there is no strategy {value[:80]!r}{near}")
        return f"{key}{sign}{known[value.strip()]}"

    def blueprint(self, name: str) -> Blueprint:
        """Open a blueprint."""
        found = self.open(name)
        if not isinstance(found, Blueprint):
            raise RiverboatError(
                f"{name!r} is a solution of a spot, not a strategy of a whole game"
            )
        return found


def _about(name: str, found: Blueprint | Solution) -> Strategy:
    if isinstance(found, Solution):
        about = f"{found.spot.board}, pot {found.spot.pot}, {100 * found.share:.2g} % of the pot"
        return Strategy(name, "solution", "spot", found.spot.menu, about)
    header = found.header
    about = f"{header.infosets:,} infosets, {header.training.iterations or 0:,} iterations"
    return Strategy(name, "blueprint", header.game_name, header.menu, about)
