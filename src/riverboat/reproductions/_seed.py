"""A seed: one of the five documents, as a recipe, experiments and a report."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

from riverboat.report import Section, cell, fill_template
from riverboat.reproductions._document import document_sections
from riverboat.reproductions._recipe import SeedRecipe, read_file
from riverboat.reproductions._reproduction import Effort, Reproduction, result_type

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Seed:
    """How a seed is reproduced.

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
    recipe: SeedRecipe[Any]
    steps: tuple[str, ...]
    find: Callable[[Reproduction], Any]
    draw: Callable[[Reproduction, Any], None]

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


def read_results(seed: Seed, text: bytes) -> Results[Any]:
    """Read the `results.json` of a run again."""
    found = result_type(seed.find)
    kind: Any = Results[found]  # type: ignore[valid-type]
    results: Results[Any] = msgspec.json.decode(text, type=kind)
    return results


def report_sections(seed: Seed, results: Results[Any]) -> tuple[Section, ...]:
    """Say in words what was found: the seed's template, filled; then what of its document is here.

    The template knows `r` (what was found), `recipe` (recipe.toml), `known` (its published
    figures), `amounts` (of this effort), `setting` (rows of the table of settings; ours are filled
    with the fields of `r.setting`), `effort` and `seed`.
    """
    recipe, found = seed.recipe, results.found
    facts = msgspec.structs.asdict(found.setting) if recipe.setting else {}
    ours = {name: cell(value) for name, value in facts.items()}
    said = fill_template(
        read_file(seed.name, "report.md.j2"),
        r=found,
        recipe=recipe,
        known=recipe.published,
        amounts=recipe.effort[results.effort],
        setting=[(row.what, row.theirs, row.ours.format(**ours)) for row in recipe.setting],
        effort=results.effort,
        seed=results.seed,
    )
    return (*said, *document_sections(seed.name))
