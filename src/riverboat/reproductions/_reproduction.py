"""A reproduction: a source document's system as a recipe, experiments and a report template."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

from riverboat.report import Section, cell, fill_template
from riverboat.reproductions._document import document_sections
from riverboat.reproductions._recipe import ReproductionRecipe, read_file
from riverboat.reproductions._run import Effort, ReproductionRun, result_type

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Reproduction:
    """How a source document is reproduced.

    Parameters
    ----------
    name
        On the command line, and of its folder with `recipe.toml` and `report.md.j2`.
    recipe
        What its `recipe.toml` holds.
    steps
        The names of the steps, in order.
    find
        Does the steps and returns what they found: a struct that msgspec can write as JSON and
        read again.
    draw
        Draws the report's pictures.
    """

    name: str
    recipe: ReproductionRecipe[Any]
    steps: tuple[str, ...]
    find: Callable[[ReproductionRun], Any]
    draw: Callable[[ReproductionRun, Any], None]

    @property
    def command(self) -> str:
        """What a person types."""
        return "riverboat demo" if self.name == "demo" else f"riverboat reproduce {self.name}"


class Results(msgspec.Struct, Generic[Found], frozen=True):
    """All that a report is made of; `results.json` of a run's folder."""

    name: str
    effort: Effort
    seed: int
    found: Found


def read_results(reproduction: Reproduction, text: bytes) -> Results[Any]:
    """Read the `results.json` of a run again."""
    found = result_type(reproduction.find)
    kind: Any = Results[found]  # type: ignore[valid-type]
    results: Results[Any] = msgspec.json.decode(text, type=kind)
    return results


def report_sections(reproduction: Reproduction, results: Results[Any]) -> tuple[Section, ...]:
    """Say in words what was found: the template, filled; then what of its document is here.

    The template knows `r` (what was found), `recipe` (recipe.toml), `known` (its published
    figures), `amounts` (of this effort), `setting` (rows of the table of settings; ours are filled
    with the fields of `r.setting`), `effort` and `seed`.
    """
    recipe, found = reproduction.recipe, results.found
    facts = msgspec.structs.asdict(found.setting) if recipe.setting else {}
    ours = {name: cell(value) for name, value in facts.items()}
    said = fill_template(
        read_file(reproduction.name, "report.md.j2"),
        r=found,
        recipe=recipe,
        known=recipe.published,
        amounts=recipe.effort[results.effort],
        setting=[(row.what, row.theirs, row.ours.format(**ours)) for row in recipe.setting],
        effort=results.effort,
        seed=results.seed,
    )
    return (*said, *document_sections(reproduction.name))
