"""Common types of the `recipe.toml` and `document.toml` of all reproductions."""

from collections.abc import Iterable
from hashlib import sha256
from importlib.resources import files
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from riverboat.evaluate import response_bound
from riverboat.report import Axes, fill_text
from riverboat.reproductions._run import UNITS, Effort, ReproductionRun
from riverboat.solve import Deals
from riverboat.statistics import Estimate

T = TypeVar("T")
Amounts = TypeVar("Amounts")


class TomlTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a TOML file; unknown keys are refused."""


class SettingRow(TomlTable, frozen=True):
    """A row of the table of settings; `ours` may have fields in braces."""

    what: str
    theirs: str
    ours: str


class Published(TomlTable, frozen=True):
    """A published figure and its place in the document."""

    value: float
    where: str
    row: str = ""
    """The result of ours with the same meaning, as `experiment.name`."""


class Response(TomlTable, frozen=True):
    """Training of the responses that bound exploitability, by iterations, whatever the load."""

    deals: int
    """Fresh deals to score the responses on."""
    iterations: int
    """Training iterations per seat."""

    def bound(self, deals: Deals, strategy: NDArray[np.float32], **more: Any) -> Estimate:
        """Return a lower bound on exploitability, chips/hand; `more`: seed, threads."""
        amounts = {"iterations": self.iterations, "score_deals": self.deals}
        return response_bound(deals, strategy, **amounts, **more).bound


class ReproductionRecipe(TomlTable, Generic[Amounts], frozen=True, kw_only=True):
    """Base of all recipes; `Amounts` has the amounts of an effort."""

    title: str
    """Title of the report."""
    line: str
    """One line about the source document."""
    minutes: tuple[float, float]
    """Minutes of a full and a quick run on two cores."""
    memory_bytes: int
    """Maximum memory of a full run."""
    setting: tuple[SettingRow, ...] = ()
    published: dict[str, Published] = msgspec.field(default_factory=dict)
    pictures: dict[str, Axes] = msgspec.field(default_factory=dict)
    """Titles and labels of the plots, by file name without suffix."""
    units: dict[str, str] = msgspec.field(default_factory=dict)
    """Units of the quantities in results, by name; "" for a share or a ratio."""
    effort: dict[Effort, Amounts]

    def amounts(self, run: ReproductionRun) -> Amounts:
        """Return the amounts of a run's effort."""
        return self.effort[run.effort]

    @property
    def all_units(self) -> dict[str, str]:
        """Units of all quantities in results by name, including the common ones."""
        return {**UNITS, **self.units}

    def published_rows(self) -> dict[tuple[str | int | float, ...], Published]:
        """Return the published figures by the row of results to compare with."""
        return {tuple(each.row.split(".")): each for each in self.published.values() if each.row}


class Item(TomlTable, frozen=True):
    """An algorithm, bot, experiment, figure, table, aim or future work of a source document."""

    where: str
    """Section, figure or heading."""
    what: str
    here: Literal["present", "differs", "elsewhere", "not here"]
    """`elsewhere`: Riverboat has it, but this report does not run it."""
    how: str
    """Its place in Riverboat, how it differs and why, or why it is missing."""
    step: str = ""
    """The experiment that ran it."""
    shown: str = ""
    """Its result in a run: a template with the names that `report.md.j2` knows."""


class Shown(NamedTuple):
    """An item as a report lists it."""

    item: Item
    here: str
    shown: str


def shown_items(items: Iterable[Item], **values: Any) -> list[Shown]:
    """Return the items of a source document with what the run found.

    Parameters
    ----------
    items
        The items.
    values
        The names that templates know; `r` has the results by step.
    """
    return [_shown(item, values) for item in items]


def _shown(item: Item, values: dict[str, Any]) -> Shown:
    missing = values["r"].get(item.step, {}).get("missing", "") if item.step else ""
    if missing:
        return Shown(item, "not in this run", f"{missing}")
    return Shown(item, item.here, fill_text(item.shown, **values))


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
        Name of the reproduction; its file is `reproductions/NAME/recipe.toml`.
    kind
        A msgspec struct with the contents of the file.
    """
    return msgspec.toml.decode(read_file(name, "recipe.toml"), type=kind)


def recipe_digest(name: str) -> str:
    """Return a short digest of a recipe, by which a run detects an edited one."""
    return sha256(read_file(name, "recipe.toml").encode()).hexdigest()[:16]


def read_file(name: str, file: str) -> str:
    """Return a file of a reproduction's folder."""
    return (files("riverboat.reproductions") / name / file).read_text(encoding="utf-8")
