"""Reports of reproductions as plain data: sections of text, tables, comparisons and pictures.

A report does not depend on its output format: `markdown`, `html_page` and `print_report` write it.
Its JSON form has the same structure (docs/json.md).
"""

import math
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from riverboat.report._frames import Columns, Framed

Better = Literal["higher", "lower", ""]


class Text(msgspec.Struct, frozen=True, tag="text", tag_field="part"):
    """A paragraph of text."""

    text: str


class Table(Framed, msgspec.Struct, frozen=True, tag="table", tag_field="part"):
    """A table of text cells; the first column names the rows."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def frame_columns(self) -> Columns:
        """Return the columns; a column with an empty or repeated name gets a number."""
        names = [
            name if name and name not in self.columns[:index] else f"{name} {index + 1}".lstrip()
            for index, name in enumerate(self.columns)
        ]
        return {name: [row[index] for row in self.rows] for index, name in enumerate(names)}


class Picture(msgspec.Struct, frozen=True, tag="picture", tag_field="part"):
    """A plot: a PNG file in the report's folder."""

    file: str
    caption: str


class Compared(msgspec.Struct, frozen=True):
    """A published figure next to ours.

    Examples
    --------
    >>> Compared("hands a second", 2_200, 49_700, better="higher").ratio
    22.59090909090909
    >>> Compared("hours a pair", 27.0, 0.002, better="lower").ratio
    13500.0
    >>> Compared("small blinds a hand", -1.75, -17.0, better="higher").ratio is None
    True
    """

    what: str
    published: float | None
    """None = the author gives no figure."""
    ours: float | None
    """None = not measured in this run."""
    unit: str = ""
    margin: float | None = None
    """Half the 95 % confidence interval of ours; None if it has none, negative if unknown."""
    better: Better = ""
    """Which direction is better; "" = neither, such as for the value of a game."""
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Our figure divided by the published one, or the inverse if lower is better.

        A ratio above 1 means that ours is better. The ratio is None if neither direction is
        better, or if a figure is missing or not positive.
        """
        if self.published is None or self.ours is None or not self.better:
            return None
        over, under = self.ours, self.published
        if self.better == "lower":
            over, under = under, over
        if over <= 0 or under <= 0 or not math.isfinite(over / under):
            return None
        return over / under


class Comparison(Framed, msgspec.Struct, frozen=True, tag="comparison", tag_field="part"):
    """A table "published / ours / ratio"."""

    caption: str
    rows: tuple[Compared, ...]

    def frame_columns(self) -> Columns:
        """Return one row for each compared figure."""
        return _figures(self.rows)


Part = Text | Table | Comparison | Picture


class Section(msgspec.Struct, frozen=True):
    """A heading and the parts below it."""

    title: str
    parts: tuple[Part, ...]


class Report(Framed, msgspec.Struct, frozen=True):
    """The report of a reproduction."""

    name: str
    command: str
    """The command that ran the reproduction."""
    title: str
    effort: str
    """`full` or `quick`; tests also use `tiny`."""
    seed: int
    seconds: float
    """Elapsed time, of all parts of a resumed run together."""
    machine: str
    version: str
    sections: tuple[Section, ...]
    others: float | None = None
    """Share of the machine's CPU time that other programs used; None if it is unknown."""

    def frame_columns(self) -> Columns:
        """Return one row for each compared figure, with the title of its section."""
        titled = [
            (section.title, row)
            for section in self.sections
            for part in section.parts
            if isinstance(part, Comparison)
            for row in part.rows
        ]
        return {"section": [title for title, _ in titled], **_figures([row for _, row in titled])}


def _figures(rows: Sequence[Compared]) -> dict[str, list[Any]]:
    """Return the columns of compared figures."""
    names = ("what", "published", "ours", "margin", "unit", "ratio", "note")
    return {name: [getattr(row, name) for row in rows] for name in names}
