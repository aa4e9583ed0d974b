"""A kind of buckets: what a text names, and what fits its rules."""

from abc import ABC, abstractmethod
from typing import ClassVar

from riverboat.buckets._fit_task import FitTask
from riverboat.buckets._rule import StreetRule

__all__ = ["BucketKind"]


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
