"""Plug-ins: objects that installed packages add by entry points, looked up by name.

A package lists its plug-ins in its `pyproject.toml`, for instance under
`[project.entry-points."riverboat.bots"]`. The package is imported only when one of its names is
looked up (or when all plug-ins are loaded), so an unused or broken package costs nothing. Each
process searches the entry points itself. Riverboat's own higher layers extend lower ones in the
same way.

>>> def accept(name, loaded, package):
...     return loaded
>>> PlugIns("riverboat.nothing", "thing", RiverboatError, accept).names()
()
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from riverboat.errors import RiverboatError, in_words

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

T = TypeVar("T")

_GROUPS: Final = "riverboat."
_MARK: Final = b"[riverboat."
#: Folders of the path where no package is ever installed, and which are long to list.
_STANDARD: Final = (os.path.dirname(os.__file__), f"{os.path.dirname(os.__file__)}/lib-dynload")


def plain_name(name: str) -> str:
    """Return the form of a name that is compared: lower case, letters and digits only.

    Examples
    --------
    >>> plain_name("Angry Fish") == plain_name("angry-fish")
    True
    """
    return "".join(letter for letter in name.lower() if letter.isalnum())


def _nothing(_: str) -> bool:
    return False


@dataclass(frozen=True)
class PlugIns(Generic[T]):
    """The plug-ins of one group of entry points.

    Attributes
    ----------
    group
        Group of the entry points, such as `riverboat.bots`.
    what
        What a plug-in is called in error messages, such as `bot`.
    error
        Class of the error for a plug-in that does not work.
    accept
        Converts a loaded object into a plug-in, given the entry point's name, the object and the
        name of the package; raises an error for a wrong object.
    is_taken
        Whether a name is built in; a plug-in of such a name is refused.
    """

    group: str
    what: str
    error: type[RiverboatError]
    accept: Callable[[str, Any, str], T]
    is_taken: Callable[[str], bool] = _nothing
    _loaded: dict[tuple[str, str, str], T] = field(default_factory=dict, init=False, repr=False)

    def names(self) -> tuple[str, ...]:
        """Return the names of all plug-ins, sorted, without loading any."""
        names = (entries[0].name for entries in self._by_name().values())
        return tuple(sorted(name for name in names if not self.is_taken(name)))

    def get(self, name: str) -> T | None:
        """Return the plug-in of that name, or None if no package offers it.

        Raises
        ------
        RiverboatError
            An `error`, if the plug-in does not work or two packages offer it.
        """
        entries = self._by_name().get(plain_name(name))
        if not entries:
            return None
        if len(entries) > 1 and not _is_own(entries[0]):
            packages = sorted({_package(entry) for entry in entries})
            if len(packages) > 1:
                raise self.error(
                    f"the {self.what} {name!r} is offered by the packages "
                    f"{' and '.join(packages)}: uninstall all but one of them"
                )
        return self._load(entries[0])

    def working(self) -> tuple[T, ...]:
        """Load all plug-ins and return those that work."""
        return self._try_all()[0]

    def faults(self) -> tuple[str, ...]:
        """Load all plug-ins and return an error message for each that does not work."""
        return self._try_all()[1]

    def _try_all(self) -> tuple[tuple[T, ...], tuple[str, ...]]:
        working: list[T] = []
        faults: list[str] = []
        for _, entries in sorted(self._by_name().items()):
            try:
                plug_in = self.get(entries[0].name)
            except self.error as error:
                faults.append(str(error))
            else:
                working += [] if plug_in is None else [plug_in]
            if _is_own(entries[0]):
                faults += [self._refusal(entry) for entry in entries if not _is_own(entry)]
        return tuple(working), tuple(faults)

    def _by_name(self) -> "dict[str, list[EntryPoint]]":
        """The entry points by plain name, Riverboat's own first."""
        by_name: dict[str, list[EntryPoint]] = {}
        entries = _entry_points(self.group, tuple(sys.path))
        for entry in sorted(entries, key=lambda entry: not _is_own(entry)):
            by_name.setdefault(plain_name(entry.name), []).append(entry)
        return by_name

    def _load(self, entry: "EntryPoint") -> T:
        """Load a plug-in once; any exception that it raises becomes an error message."""
        if self.is_taken(entry.name):
            raise self.error(self._refusal(entry))
        package = _package(entry)
        key = (entry.name, entry.value, package)
        if key not in self._loaded:
            try:
                self._loaded[key] = self.accept(entry.name, entry.load(), package)
            except (Exception, SystemExit) as error:
                raise self.error(
                    f"{self._in_words(entry)} cannot be loaded: {in_words(error)}"
                ) from error
        return self._loaded[key]

    def _refusal(self, entry: "EntryPoint") -> str:
        return (
            f"{self._in_words(entry)} is refused: Riverboat has a built-in {self.what} of that name"
        )

    def _in_words(self, entry: "EntryPoint") -> str:
        return f"the {self.what} {entry.name!r} of the package {_package(entry)}"


def _entry_points(group: str, path: tuple[str, ...]) -> "list[EntryPoint]":
    """Return the entry points of a group in all packages on the path."""
    return [entry for entry in _all_entry_points(path) if entry.group == group]


@lru_cache(maxsize=16)
def _all_entry_points(path: tuple[str, ...]) -> "tuple[EntryPoint, ...]":
    """Return the entry points of Riverboat's groups; cached for the process.

    Only packages whose file of entry points names such a group are parsed, which takes half the
    time of `importlib.metadata.entry_points`. As there, the first package of a name counts.
    """
    # Imported late: this import is slower than that of all of Riverboat's names.
    metadata = import_module("importlib.metadata")
    finders = sum(hasattr(finder, "find_distributions") for finder in sys.meta_path)
    if finders > 1 or any(map(os.path.isfile, path)):  # such as packages in a ZIP file
        every = metadata.entry_points()
        groups = [group for group in every.groups if group.startswith(_GROUPS)]
        return tuple(entry for group in groups for entry in every.select(group=group))
    first: dict[str, Distribution] = {}
    for folder in filter(lambda folder: folder not in _STANDARD, path):
        for place in _packages_in(folder):
            name = os.path.basename(place).partition("-")[0]  # not from METADATA, which is long
            first.setdefault(plain_name(name), metadata.Distribution.at(place))
    return tuple(
        entry
        for package in first.values()
        for entry in package.entry_points
        if entry.group.startswith(_GROUPS)
    )


def _packages_in(folder: str) -> Iterator[str]:
    """Yield the folders of installed packages that name one of Riverboat's groups."""
    try:
        names = os.listdir(folder or ".")
    except OSError:
        return
    for name in sorted(name for name in names if name.endswith((".dist-info", ".egg-info"))):
        place = os.path.join(folder or ".", name)
        with suppress(OSError):
            if _MARK in _content(os.path.join(place, "entry_points.txt")):
                yield place


def _content(path: str) -> bytes:
    """Return the bytes of a small file, in two thirds of the time of `open`: there may be many."""
    file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        return os.read(file, os.fstat(file).st_size)
    finally:
        os.close(file)


def _is_own(entry: "EntryPoint") -> bool:
    """Whether an entry point is Riverboat's own; no other package may take its name."""
    return entry.value.startswith("riverboat.")


def _package(entry: "EntryPoint") -> str:
    return entry.dist.name if entry.dist else "unknown"
