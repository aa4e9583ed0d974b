"""A reproduction: a source document's system as a recipe, experiments and a report template."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from riverboat import __version__
from riverboat.report import Section, cell, fill_template
from riverboat.reproductions._recipe import ReproductionRecipe, read_document, read_file
from riverboat.reproductions._rows import Found, Row, found_in, rows_of, write_rows
from riverboat.reproductions._run import Effort, ReproductionRun

Work = Callable[[ReproductionRun], Found]


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
        The experiments by name, in order. Each returns what it found.
    draw
        Draws the report's pictures.
    setting
        What was run, from the results of all steps: fills the report's table of settings.
    needs
        By step: says why it cannot be done on this machine, or nothing. It is then left out, and
        a run that goes on does it.
    words
        Functions of results, and names, that the template may use.
    """

    name: str
    recipe: ReproductionRecipe[Any]
    steps: Mapping[str, Work]
    draw: Callable[[ReproductionRun, Found], None]
    setting: Work | None = None
    needs: Mapping[str, Callable[[], str]] = field(default_factory=dict)
    words: Mapping[str, Any] = field(default_factory=dict)

    @property
    def command(self) -> str:
        """What a person types."""
        return "riverboat demo" if self.name == "demo" else f"riverboat reproduce {self.name}"

    def compute(self, run: ReproductionRun) -> Found:
        """Do all steps; what an earlier, stopped run of the folder has done is taken from there."""
        missing = {name: why for name, needs in self.needs.items() if (why := needs())}
        missing = {name: why for name, why in missing.items() if not run.has_done(name)}
        for name in missing:
            run.leave_out(name)
        for name, work in self.steps.items():
            if name in missing:
                run.leave_out(name)
                run.found[name] = Found(missing=missing[name])
            else:
                run.step(name, work)
        if self.setting is not None:
            run.found["setting"] = self.setting(run)
        return run.found


class Results(msgspec.Struct, frozen=True):
    """All that a report is made of; `results.json` of a run's folder."""

    name: str
    effort: Effort
    seed: int
    version: str
    rows: list[Row]

    @classmethod
    def of(cls, reproduction: Reproduction, run: ReproductionRun) -> "Results":
        """Collect what the steps of a run found, beside the author's figures."""
        rows = [
            row
            for name, found in run.found.items()
            for row in rows_of(name, found, reproduction.recipe.all_units)
        ]
        published = reproduction.recipe.published_rows()
        beside = list(_beside(rows, published))
        return cls(run.name, run.effort, run.seed, __version__, beside)

    @classmethod
    def read(cls, text: bytes) -> "Results":
        """Read the `results.json` of a run."""
        return msgspec.json.decode(text, type=cls)

    def write(self, path: Path) -> None:
        """Write `results.json`, a line for each row."""
        header = {name: getattr(self, name) for name in ("name", "effort", "seed", "version")}
        write_rows(path, self.rows, **header)

    @property
    def found(self) -> Found:
        """The results by experiment and name."""
        names = dict.fromkeys(row.experiment for row in self.rows)
        return Found(
            {name: found_in(r for r in self.rows if r.experiment == name) for name in names}
        )


def _beside(rows: list[Row], published: Mapping[tuple[Any, ...], Any]) -> Iterator[Row]:
    for row in rows:
        figure = published.get((row.experiment, *row.what))
        if figure is None:
            yield row
        else:
            yield msgspec.structs.replace(row, published=figure.value, where=figure.where)


def report_sections(
    reproduction: Reproduction, found: Found, effort: Effort, seed: int
) -> tuple[Section, ...]:
    """Say in words what was found: the template, filled; then what of its document is here.

    The template knows `r` (results by experiment and name), `recipe` (recipe.toml), `known` (its
    published figures), `amounts` (of this effort), `setting` (rows of the table of settings; ours
    are filled with `r.setting`), `effort`, `seed` and the reproduction's `words`.
    """
    recipe = reproduction.recipe
    ours = {name: cell(value) for name, value in found.get("setting", {}).items()}
    said = fill_template(
        read_file(reproduction.name, "report.md.j2"),
        r=found,
        recipe=recipe,
        known=recipe.published,
        amounts=recipe.effort[effort],
        setting=[(row.what, row.theirs, row.ours.format(**ours)) for row in recipe.setting],
        effort=effort,
        seed=seed,
        **reproduction.words,
    )
    return (*said, *document_sections(reproduction.name))


def document_sections(name: str) -> tuple[Section, ...]:
    """Return the section of a report that lists the document's items; the demo has none."""
    items = read_document(name)
    return fill_template(read_file("", "document.md.j2"), items=items) if items else ()
