"""A seed: one of the five documents, as a recipe and a report."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from riverboat.report import Section
from riverboat.seeds._run import Run

__all__ = ["Seed"]


@dataclass(frozen=True, slots=True)
class Seed:
    """How a seed is reproduced.

    Parameters
    ----------
    name
        On the command line.
    title
        Of the report.
    line
        What it did, in a line.
    steps
        The names of the steps, in order.
    minutes
        A full and a quick run, on two cores.
    memory_bytes
        The most that a full run needs.
    sections
        Does the steps and yields the report, section by section.
    """

    name: str
    title: str
    line: str
    steps: tuple[str, ...]
    minutes: tuple[float, float]
    memory_bytes: int
    sections: Callable[[Run], Iterable[Section]]

    @property
    def command(self) -> str:
        """What a person types."""
        return "riverboat demo" if self.name == "demo" else f"riverboat reproduce {self.name}"
