"""What a reproduction found, as plain data: sections of text, tables, comparisons and pictures.

A report knows nothing of terminals or pages: `markdown`, `html_page` and `print_report` write it.
Its JSON form is the report itself (docs/json.md).
"""

import math
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from riverboat.report._frames import Columns, Framed

Better = Literal["higher", "lower", ""]


class Text(msgspec.Struct, frozen=True, tag="text", tag_field="part"):
    """A paragraph in plain words."""

    text: str


class Table(Framed, msgspec.Struct, frozen=True, tag="table", tag_field="part"):
    """A table of texts; the first column names the rows."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def frame_columns(self) -> Columns:
        """Return the table itself; columns without a name of their own are numbered."""
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
    """A figure of the author's beside ours.

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
    """None = the author gives none."""
    ours: float | None
    """None = not measured in this run."""
    unit: str = ""
    margin: float | None = None
    """Half the 95 % interval of ours, where there is one; below 0 where it is not known."""
    better: Better = ""
    """Which way is better; "" = neither, such as the value of a game."""
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Ours over the author's; the other way round where lower is better.

        So above 1 is better. None where it says nothing: no way is better, a figure is missing or
        0, the two have different signs, or both are below 0, where twice as much is no better.
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
        """Return a row for each figure."""
        return _figures(self.rows)


Part = Text | Table | Comparison | Picture


class Section(msgspec.Struct, frozen=True):
    """A heading and what stands under it."""

    title: str
    parts: tuple[Part, ...]


class Report(Framed, msgspec.Struct, frozen=True):
    """All that a reproduction found."""

    name: str
    command: str
    """That was run."""
    title: str
    effort: str
    """`full` or `quick`; tests know a `tiny` one."""
    seed: int
    seconds: float
    """From beginning to end, resumed parts included."""
    machine: str
    version: str
    sections: tuple[Section, ...]

    def frame_columns(self) -> Columns:
        """Return a row for each figure that is compared with the author's, and its section."""
        found = [
            (section.title, row)
            for section in self.sections
            for part in section.parts
            if isinstance(part, Comparison)
            for row in part.rows
        ]
        return {"section": [title for title, _ in found], **_figures([row for _, row in found])}


def _figures(rows: Sequence[Compared]) -> dict[str, list[Any]]:
    """Return the columns of some comparisons."""
    names = ("what", "published", "ours", "margin", "unit", "ratio", "note")
    return {name: [getattr(row, name) for row in rows] for name in names}
