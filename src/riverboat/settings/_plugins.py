"""What other people's installed packages add, found by name through their entry points.

A package says in its `pyproject.toml` what it offers, for instance under
`[project.entry-points."riverboat.bots"]`. It is imported only when somebody asks for one of its
names (or for all there are), so that an unused or broken package costs nothing; every process
finds it by itself.

>>> def accept(name, found, package):
...     return found
>>> PlugIns("riverboat.nothing", "thing", RiverboatError, accept).names()
()
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from riverboat.errors import RiverboatError, in_words

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["PlugIns", "plain_name"]

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
        return tuple(sorted({e.name for e in self._entries() if not self.is_taken(e.name)}))

    def get(self, name: str) -> T | None:
        """Return the plug-in of that name, or None if no package offers it.

        Raises
        ------
        RiverboatError
            Of the class `error`, if it does not work or two packages offer it.
        """
        plain = plain_name(name)
        found = [entry for entry in self._entries() if plain_name(entry.name) == plain]
        if not found:
            return None
        packages = sorted({_package(entry) for entry in found})
        if len(packages) > 1:
            raise self.error(
                f"the {self.what} {name!r} is offered by {' and '.join(packages)}: keep one of them"
            )
        return self._load(found[0])

    def working(self) -> tuple[T, ...]:
        """Load all plug-ins and return those that work."""
        return self._try_all()[0]

    def faults(self) -> tuple[str, ...]:
        """Load all plug-ins and return a sentence for each that does not work."""
        return self._try_all()[1]

    def _try_all(self) -> tuple[tuple[T, ...], tuple[str, ...]]:
        working: list[T] = []
        faults: list[str] = []
        for name in sorted({entry.name for entry in self._entries()}):
            try:
                found = self.get(name)
            except self.error as error:
                faults.append(str(error))
            else:
                working += [] if found is None else [found]
        return tuple(working), tuple(faults)

    def _entries(self) -> "tuple[EntryPoint, ...]":
        # Imported late: it takes longer than all of Riverboat's own names.
        entry_points = import_module("importlib.metadata").entry_points
        return tuple(entry_points(group=self.group))

    def _load(self, entry: "EntryPoint") -> T:
        """Load a plug-in, once; whatever goes wrong in it becomes a sentence."""
        package = _package(entry)
        what = f"the {self.what} {entry.name!r} of the package {package}"
        if self.is_taken(entry.name):
            raise self.error(f"{what} is refused: Riverboat has that name itself")
        key = (entry.name, entry.value, package)
        if key not in self._loaded:
            try:
                self._loaded[key] = self.accept(entry.name, entry.load(), package)
            except (Exception, SystemExit) as error:
                raise self.error(f"{what} cannot be loaded: {in_words(error)}") from error
        return self._loaded[key]


def _package(entry: "EntryPoint") -> str:
    return entry.dist.name if entry.dist else "unknown"
