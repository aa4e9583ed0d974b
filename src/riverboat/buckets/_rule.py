"""How the hands of one street fall into buckets: rules, kinds, and what a rule is fitted from.

A rule is *fitted*: it holds all that it needs (limits between buckets, centroids), so that it
answers for one hand without any table, and fills the table of its street row by row. Both ways
end in the same comparison, so that training and play can never disagree. A kind is what a text
names, and fits its rules.
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

#: Plain JSON values that, with the arrays, make the rule again.
Parameters: TypeAlias = dict[str, Any]


class StreetRule(ABC):
    """The buckets of one street.

    Attributes
    ----------
    name
        What files say; it names the class that restores the rule.
    needs_tables
        Whether `fill` looks at the hand-strength tables. Rules that do not are as fast on the
        fly as from a table.
    """

    name: ClassVar[str]
    needs_tables: ClassVar[bool] = True

    @property
    @abstractmethod
    def num_buckets(self) -> int:
        """Every bucket is below."""

    @abstractmethod
    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """Bucket of one hand, computed on the fly; the cards are already checked."""

    @abstractmethod
    def fill(self, tables: HandStrength, begin: int, out: NDArray[Any]) -> None:
        """Write the buckets of canonical boards begin, begin + 1, .. into [boards, 1326].

        Called from several threads at once, for different rows. Cells of holes on the board
        are 0.
        """

    @abstractmethod
    def parameters(self) -> Parameters:
        """JSON values for the header of a file."""

    @abstractmethod
    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Arrays for the file: limits, centroids; small."""

    @classmethod
    @abstractmethod
    def restore(cls, parameters: Parameters, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Make the rule from what `parameters` and `arrays` returned."""


class FixedRule(StreetRule):
    """One street after the flop whose buckets follow from the cards alone.

    Parameters
    ----------
    street
        `flop`, `turn` or `river`: all that is saved.
    """

    needs_tables: ClassVar[bool] = False

    def __init__(self, street: StreetName) -> None:
        self._street = street_named(street, AFTER_PREFLOP)
        self._board = board_size(self._street)

    def parameters(self) -> Parameters:
        """Return the street."""
        return {"street": self._street}

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """None."""
        return {}

    @classmethod
    def restore(cls, parameters: Parameters, arrays: Mapping[str, NDArray[Any]]) -> Self:  # noqa: ARG003 - the face of rules
        """Make it from what was saved."""
        return cls(street_named(parameters["street"]))


@dataclass(frozen=True, slots=True)
class AbstractionProgress:
    """How far the making of an abstraction, or of its tables, has come."""

    step: str
    """`hand strength`, `fit` or `buckets`."""
    street: StreetName
    done: int
    total: int


ProgressCall: TypeAlias = Callable[[AbstractionProgress], object]


def no_progress(_: AbstractionProgress) -> None:
    """Say nothing."""


def tables_opener(
    tables: HandStrength | None, progress: ProgressCall, folder: Path | None = None
) -> Callable[[], HandStrength]:
    """Return what opens the hand-strength tables when they are first asked for.

    Parameters
    ----------
    tables
        If they are open already.
    progress
        Called while they are built.
    folder
        Where they are; the user's cache folder by default.
    """

    def report(built: BuildProgress) -> None:
        progress(AbstractionProgress("hand strength", built.street, built.done, built.total))

    return cache(lambda: tables or HandStrength(folder, report))


@dataclass(frozen=True, slots=True)
class FitTask:
    """One street to fit: what `BucketKind.fit` takes.

    Attributes
    ----------
    street
        Which one.
    num_buckets
        How many buckets are wanted; None of kinds that have no choice.
    tables
        Opens the hand-strength tables, and builds them first where they are missing: rules that
        need none never call it.
    seed
        For kinds that draw random numbers.
    progress
        Called now and then.
    """

    street: StreetName
    num_buckets: int | None
    tables: Callable[[], HandStrength]
    seed: int
    progress: ProgressCall


class BucketKind(ABC):
    """One kind of buckets. Subclass it, and give an instance to `register_kind`.

    Attributes
    ----------
    name
        As written in the text of an abstraction: small letters, digits and hyphens.
    sentence
        What it does.
    rules
        The classes of rules that it fits: files are restored by them.
    counted
        Whether a number of buckets is given for each street.
    numbers
        Buckets by street of kinds that are not counted, from preflop as far as they go: known
        without fitting.
    fitted
        Whether fitting takes so long that the result is worth keeping.
    example_counts
        Numbers of buckets for an example of all four streets.
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
        """A text of all four streets."""
        return f"{self.name} {self.example_counts}" if self.counted else self.name

    @abstractmethod
    def fit(self, task: FitTask) -> StreetRule:
        """Fit one street."""
