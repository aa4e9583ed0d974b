"""Rules, which map the hands of one street to buckets, and kinds, which fit rules.

A rule is *fitted*: it contains all parameters (limits between buckets, centroids). It computes the
bucket of one hand without tables, and fills the table of its street row by row. Both use the same
comparison, so that training and play always agree. The text of an abstraction names kinds.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Self, TypeAlias

from numpy.typing import NDArray

from riverboat.buckets._streets import AFTER_PREFLOP, street_named
from riverboat.cards import BuildProgress, HandStrength, StreetName, board_size

#: JSON values that, together with the arrays, restore a rule.
Parameters: TypeAlias = dict[str, Any]


class StreetRule(ABC):
    """The buckets of one street.

    Attributes
    ----------
    name
        Name in files, which selects the class that restores the rule.
    needs_tables
        Whether `fill` needs the hand-strength tables. Rules that do not are as fast without a
        bucket table as with one.
    """

    name: ClassVar[str]
    needs_tables: ClassVar[bool] = True

    @property
    @abstractmethod
    def num_buckets(self) -> int:
        """Number of buckets; every bucket is below it."""

    @abstractmethod
    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """Compute the bucket of one hand; the cards are already checked."""

    @abstractmethod
    def fill(self, tables: HandStrength, begin: int, out: NDArray[Any]) -> None:
        """Write the buckets of canonical boards begin, begin + 1, .. into [boards, 1326].

        Called from several threads at once, for different rows. Cells of pairs with a board card
        are 0.
        """

    @abstractmethod
    def parameters(self) -> Parameters:
        """Return JSON values for the header of a file."""

    @abstractmethod
    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Return small arrays for the file, such as limits or centroids."""

    @classmethod
    @abstractmethod
    def restore(cls, parameters: Parameters, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Restore the rule from the results of `parameters` and `arrays`."""


class FixedRule(StreetRule):
    """A rule of one postflop street that depends on the cards only, without fitted parameters.

    Parameters
    ----------
    street
        `flop`, `turn` or `river`: the only saved parameter.
    """

    needs_tables: ClassVar[bool] = False

    def __init__(self, street: StreetName) -> None:
        self._street = street_named(street, AFTER_PREFLOP)
        self._board = board_size(self._street)

    def parameters(self) -> Parameters:
        """Return the street."""
        return {"street": self._street}

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Return no arrays."""
        return {}

    @classmethod
    def restore(cls, parameters: Parameters, arrays: Mapping[str, NDArray[Any]]) -> Self:  # noqa: ARG003 - the interface of rules
        """Restore the rule."""
        return cls(street_named(parameters["street"]))


@dataclass(frozen=True, slots=True)
class AbstractionProgress:
    """Progress of fitting an abstraction or building its tables."""

    step: str
    """`hand strength`, `fit` or `buckets`."""
    street: StreetName
    done: int
    total: int


ProgressCall: TypeAlias = Callable[[AbstractionProgress], object]


def no_progress(_: AbstractionProgress) -> None:
    """Ignore progress."""


def tables_opener(
    tables: HandStrength | None, progress: ProgressCall, folder: Path | None = None
) -> Callable[[], HandStrength]:
    """Return a function that opens the hand-strength tables on its first call.

    Parameters
    ----------
    tables
        The tables, if they are open already.
    progress
        Called while the tables are built.
    folder
        Folder of the tables; the user's cache folder by default.
    """

    def report(built: BuildProgress) -> None:
        progress(AbstractionProgress("hand strength", built.street, built.done, built.total))

    return cache(lambda: tables or HandStrength(folder, report))


@dataclass(frozen=True, slots=True)
class FitTask:
    """The argument of `BucketKind.fit`: one street to fit.

    Attributes
    ----------
    street
        The street.
    num_buckets
        Requested number of buckets; None for kinds with fixed buckets.
    tables
        Opens the hand-strength tables, and builds missing ones first. Rules that do not need them
        never call it.
    seed
        Random seed, for kinds that use random numbers.
    progress
        Called with each `AbstractionProgress`.
    """

    street: StreetName
    num_buckets: int | None
    tables: Callable[[], HandStrength]
    seed: int
    progress: ProgressCall


class BucketKind(ABC):
    """A kind of buckets. Subclass it, and pass an instance to `register_kind`.

    Attributes
    ----------
    name
        Name in the text of an abstraction: lower-case letters, digits and hyphens.
    sentence
        Description.
    rules
        The classes of rules that it fits, which restore them from files.
    counted
        Whether the text has a number of buckets for each street.
    numbers
        If not `counted`: the fixed numbers of buckets by street, from preflop on.
    fitted
        Whether fitting is slow, so that its result is cached.
    example_counts
        Numbers of buckets for an example with all four streets.
    """

    name: ClassVar[str]
    sentence: ClassVar[str]
    rules: ClassVar[tuple[type[StreetRule], ...]]
    counted: ClassVar[bool] = True
    numbers: ClassVar[tuple[int, ...]] = ()
    fitted: ClassVar[bool] = True
    example_counts: ClassVar[str] = "169/200/200/200"

    @property
    def example(self) -> str:
        """An example text with all four streets."""
        return f"{self.name} {self.example_counts}" if self.counted else self.name

    @abstractmethod
    def fit(self, task: FitTask) -> StreetRule:
        """Fit one street."""
