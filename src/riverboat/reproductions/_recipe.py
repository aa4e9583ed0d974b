"""What the `recipe.toml` and `document.toml` of every reproduction have in common."""

from hashlib import sha256
from importlib.resources import files
from typing import Any, Generic, Literal, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from riverboat.evaluate import response_bound
from riverboat.report import Axes
from riverboat.reproductions._run import UNITS, Effort, ReproductionRun
from riverboat.solve import Deals
from riverboat.statistics import Estimate

T = TypeVar("T")
Amounts = TypeVar("Amounts")


class TomlTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the file; unknown keys are refused."""


class SettingRow(TomlTable, frozen=True):
    """A line of "what the author ran, what we run"; ours may have fields in braces."""

    what: str
    theirs: str
    ours: str


class Published(TomlTable, frozen=True):
    """A figure of the author's, and where in the document it stands."""

    value: float
    where: str
    row: str = ""
    """The result that it is compared with, `experiment.name`, where both mean the same."""


class Response(TomlTable, frozen=True):
    """How the responses are trained that bound exploitability: iterations compare, seconds end."""

    deals: int
    """Fresh ones that they are scored on."""
    iterations: int | None = None
    """Of each seat, and so below."""
    seconds: float | None = None

    def bound(self, deals: Deals, strategy: NDArray[np.float32], **more: Any) -> Estimate:
        """Return what they win from a strategy at least, chips a hand; `more`: seed, threads."""
        limits: dict[str, Any] = {"iterations": self.iterations, "seconds": self.seconds}
        return response_bound(deals, strategy, score_deals=self.deals, **limits, **more).bound


class ReproductionRecipe(TomlTable, Generic[Amounts], frozen=True, kw_only=True):
    """What every recipe has; `Amounts` says how much an effort computes."""

    title: str
    """Of the report."""
    line: str
    """What it did."""
    minutes: tuple[float, float]
    """A full and a quick run, on two cores."""
    memory_bytes: int
    """The most that a full run needs."""
    setting: tuple[SettingRow, ...] = ()
    published: dict[str, Published] = msgspec.field(default_factory=dict)
    pictures: dict[str, Axes] = msgspec.field(default_factory=dict)
    """By file, without its ending: what is written on it."""
    units: dict[str, str] = msgspec.field(default_factory=dict)
    """Of the quantities in results, by name; "" of a share or a ratio."""
    effort: dict[Effort, Amounts]

    def amounts(self, run: ReproductionRun) -> Amounts:
        """Return how much a run computes."""
        return self.effort[run.effort]

    @property
    def all_units(self) -> dict[str, str]:
        """Units of all quantities in results by name, those of every reproduction too."""
        return {**UNITS, **self.units}

    def published_rows(self) -> dict[tuple[str | int | float, ...], Published]:
        """Return the author's figures by the row of results that each is compared with."""
        return {tuple(each.row.split(".")): each for each in self.published.values() if each.row}


class Item(TomlTable, frozen=True):
    """An algorithm, bot, experiment, figure, table, aim or future work of a source document."""

    where: str
    """Section, figure or heading."""
    what: str
    here: Literal["present", "differs", "not here"]
    how: str
    """Where it is, how it differs and why, or why it is not here."""


class _Document(TomlTable, frozen=True):
    item: tuple[Item, ...]


def read_document(name: str) -> tuple[Item, ...]:
    """Return the items of a source document, in its order; the demo has none.

    Examples
    --------
    >>> read_document("caltech")[1].where
    '2'
    """
    if not (files("riverboat.reproductions") / name / "document.toml").is_file():
        return ()
    return msgspec.toml.decode(read_file(name, "document.toml"), type=_Document).item


def load_data(name: str, kind: type[T]) -> T:
    """Read a reproduction's recipe: settings, published figures, and how much each effort computes.

    Parameters
    ----------
    name
        Of the reproduction; its file is `reproductions/NAME/recipe.toml`.
    kind
        A msgspec struct that says what the file holds.
    """
    return msgspec.toml.decode(read_file(name, "recipe.toml"), type=kind)


def recipe_digest(name: str) -> str:
    """Return a short digest of a recipe, by which a run knows an edited one."""
    return sha256(read_file(name, "recipe.toml").encode()).hexdigest()[:16]


def read_file(name: str, file: str) -> str:
    """Return a file of a reproduction's folder."""
    return (files("riverboat.reproductions") / name / file).read_text(encoding="utf-8")
