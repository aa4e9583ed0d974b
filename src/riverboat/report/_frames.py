"""Results as tables: data frames of pandas or polars, and HTML for notebooks.

A result class defines its columns once, for both forms. Data frames need pyarrow and one of the
two packages: `pip install 'riverboat[pandas]'` or `riverboat[polars]`. HTML needs neither.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from html import escape
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from typing import Any, Literal, TypeAlias, get_args

from riverboat.errors import RiverboatError

FrameLibrary = Literal["pandas", "polars"]
#: Lists or arrays of equal length, by name of the column.
Columns: TypeAlias = Mapping[str, Sequence[Any] | Any]

_LIBRARIES: tuple[FrameLibrary, ...] = get_args(FrameLibrary)
_MOST_ROWS = 20  # of HTML
_TABLE = '<table style="border-collapse:collapse;font:14px/1.5 system-ui,sans-serif">'
_CELL = "padding:2px 10px;text-align:"


class Framed:
    """Base class of a result that can be shown as a table; subclasses define `frame_columns`.

    Examples
    --------
    >>> class Squares(Framed):
    ...     def frame_columns(self):
    ...         return {"number": [1, 2], "square": [1, 4]}
    >>> Squares()._repr_html_().count("<tr>")
    3
    """

    __slots__ = ()

    def frame_columns(self) -> Columns:
        """Return the columns of the table, by name."""
        raise NotImplementedError

    def to_frame(self, library: FrameLibrary | None = None) -> Any:
        """Return a data frame, built with Arrow.

        Parameters
        ----------
        library
            `pandas` or `polars`; by default the installed one, and pandas if both are.

        Raises
        ------
        RiverboatError
            If the package, or pyarrow, is not installed.
        """
        return frame_of(self.frame_columns(), library)

    def _repr_html_(self) -> str:
        """Draw the first rows in a notebook."""
        columns = self.frame_columns()
        names, values = list(columns), list(columns.values())
        count = len(values[0]) if values else 0
        head = "".join(_cell("th", name, "left") for name in names)
        rows = "".join(
            f"<tr>{''.join(map(_value, row))}</tr>"
            for row in islice(zip(*values, strict=True), _MOST_ROWS)
        )
        more = f"<p>and {count - _MOST_ROWS:,} more rows</p>" if count > _MOST_ROWS else ""
        return f"{_TABLE}<tr>{head}</tr>{rows}</table>{more}"


class FramedRow(Framed):
    """Base class of a dataclass whose fields are one row of a table.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Speed(FramedRow):
    ...     hands: int
    >>> Speed(5).frame_columns()
    {'hands': [5]}
    """

    __slots__ = ()

    def frame_columns(self) -> Columns:
        """Return one row with every field."""
        return {field.name: [getattr(self, field.name)] for field in fields(self)}  # type: ignore[arg-type]  # a dataclass


def columns_of(rows: Sequence[Mapping[str, Any]]) -> Columns:
    """Convert rows with the same keys to columns.

    Examples
    --------
    >>> columns_of([{"hand": "AA", "rank": 1}, {"hand": "KK", "rank": 2}])
    {'hand': ['AA', 'KK'], 'rank': [1, 2]}
    """
    return {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}


def frame_of(columns: Columns | Any, library: FrameLibrary | None = None) -> Any:
    """Build a data frame from columns, or from a pyarrow table.

    Examples
    --------
    >>> frame_of({"hand": ["AKs"]}, "excel")
    Traceback (most recent call last):
    riverboat.errors.RiverboatError: 'excel' is not a data frame library: give pandas or polars
    """
    if library is not None and library not in _LIBRARIES:
        raise RiverboatError(f"{library!r} is not a data frame library: give pandas or polars")
    installed = [name for name in _LIBRARIES if find_spec(name)]
    chosen: FrameLibrary = library or (installed or _LIBRARIES)[0]
    for package in ("pyarrow", chosen):
        if find_spec(package) is None:
            raise RiverboatError(
                f"a data frame needs the package {package}: pip install 'riverboat[{chosen}]'"
            )
    table = import_module("pyarrow").table(columns) if isinstance(columns, Mapping) else columns
    return table.to_pandas() if chosen == "pandas" else import_module("polars").from_arrow(table)


def _value(value: Any) -> str:
    """Write a cell: numbers right-aligned, floats with five digits, None as an empty cell."""
    if value is None:
        return _cell("td", "", "left")
    if isinstance(value, str) or not hasattr(value, "__float__"):
        return _cell("td", str(value), "left")
    return _cell("td", f"{value:.5g}" if float(value) % 1 else f"{int(value):,}", "right")


def _cell(tag: str, text: str, side: str) -> str:
    return f'<{tag} style="{_CELL}{side}">{escape(text)}</{tag}>'
