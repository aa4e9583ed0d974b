"""What installed packages add, found by name through their entry points.

A package says in its `pyproject.toml` what it offers, for instance under
`[project.entry-points."riverboat.bots"]`. It is imported only when somebody asks for one of its
names (or for all there are), so that an unused or broken package costs nothing; every process
finds it by itself. Riverboat's own higher packages add theirs to lower ones in the same way.

>>> def accept(name, found, package):
...     return found
>>> PlugIns("riverboat.nothing", "thing", RiverboatError, accept).names()
()
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from riverboat.errors import RiverboatError, in_words

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")


def plain_name(name: str) -> str:
    """Return a name as it is compared: lower case, letters and digits only.

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
        Of the entry points, such as `riverboat.bots`.
    what
        One of them in words, for sentences: `bot`.
    error
        Raised for those that do not work.
    accept
        Makes what is wanted of an entry point's name, what it points at, and the name of its
        package, or raises an error with a sentence.
    is_taken
        Whether Riverboat itself has that name: such plug-ins are refused.
    """

    group: str
    what: str
    error: type[RiverboatError]
    accept: Callable[[str, Any, str], T]
    is_taken: Callable[[str], bool] = _nothing
    _loaded: dict[tuple[str, str, str], T] = field(default_factory=dict, init=False, repr=False)

    def names(self) -> tuple[str, ...]:
        """Return the names that can be asked for, sorted; nothing is loaded."""
        found = (entries[0].name for entries in self._by_name().values())
        return tuple(sorted(name for name in found if not self.is_taken(name)))

    def get(self, name: str) -> T | None:
        """Return the plug-in of that name, or None if no package offers it.

        Raises
        ------
        RiverboatError
            Of the class `error`, if it does not work or two packages offer it.
        """
        entries = self._by_name().get(plain_name(name))
        if not entries:
            return None
        if len(entries) > 1 and not _is_own(entries[0]):
            packages = sorted({_package(entry) for entry in entries})
            if len(packages) > 1:
                raise self.error(
                    f"the {self.what} {name!r} is offered by {' and '.join(packages)}: keep one of "
                    "them"
                )
        return self._load(entries[0])

    def working(self) -> tuple[T, ...]:
        """Load all plug-ins and return those that work."""
        return self._try_all()[0]

    def faults(self) -> tuple[str, ...]:
        """Load all plug-ins and return a sentence for each that does not work."""
        return self._try_all()[1]

    def _try_all(self) -> tuple[tuple[T, ...], tuple[str, ...]]:
        working: list[T] = []
        faults: list[str] = []
        for _, entries in sorted(self._by_name().items()):
            try:
                found = self.get(entries[0].name)
            except self.error as error:
                faults.append(str(error))
            else:
                working += [] if found is None else [found]
            if _is_own(entries[0]):
                faults += [self._refusal(entry) for entry in entries if not _is_own(entry)]
        return tuple(working), tuple(faults)

    def _by_name(self) -> "dict[str, list[EntryPoint]]":
        """The entry points by plain name, those of Riverboat itself first."""
        found: dict[str, list[EntryPoint]] = {}
        entries = _entry_points(self.group, tuple(sys.path))
        for entry in sorted(entries, key=lambda entry: not _is_own(entry)):
            found.setdefault(plain_name(entry.name), []).append(entry)
        return found

    def _load(self, entry: "EntryPoint") -> T:
        """Load a plug-in, once; whatever goes wrong in it becomes a sentence."""
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
        return f"{self._in_words(entry)} is refused: Riverboat has that name itself"

    def _in_words(self, entry: "EntryPoint") -> str:
        return f"the {self.what} {entry.name!r} of the package {_package(entry)}"


@lru_cache(maxsize=16)
def _entry_points(group: str, path: tuple[str, ...]) -> "tuple[EntryPoint, ...]":
    """The entry points of a group in all packages on the path, searched once a process."""
    del path  # entry_points() searches sys.path, of which this is a copy
    # Imported late: it takes longer than all of Riverboat's own names.
    entry_points = import_module("importlib.metadata").entry_points
    return tuple(entry_points(group=group))


def _is_own(entry: "EntryPoint") -> bool:
    """Whether it is one of Riverboat's own packages, whose names no other package may take."""
    return entry.value.startswith("riverboat.")


def _package(entry: "EntryPoint") -> str:
    return entry.dist.name if entry.dist else "unknown"
