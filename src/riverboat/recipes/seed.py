"""A seed: one of the five documents, as a recipe and a report."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.resources import files
from typing import TypeVar

import msgspec

from riverboat.recipes.report import Section
from riverboat.recipes.run import Run

__all__ = ["Seed", "load_data"]

T = TypeVar("T")


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


def load_data(name: str, kind: type[T]) -> T:
    """Read a seed's recipe: settings, published figures, and how much each effort computes.

    Parameters
    ----------
    name
        Of the seed; its file is `recipes/NAME/recipe.toml`.
    kind
        A msgspec struct that says what the file holds.
    """
    text = (files("riverboat.recipes") / name / "recipe.toml").read_text(encoding="utf-8")
    return msgspec.toml.decode(text, type=kind)
