"""Files of a comparison: CSV, Parquet, JSON, and a picture."""

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from riverboat.errors import SolveError
from riverboat.files import atomic_path
from riverboat.report import Curve, new_panels, plain_ticks, plot_curves, save_figure

_SUFFIXES: Final = (".csv", ".json", ".parquet", ".png")
_PANELS: Final = {"iterations": "iterations", "seconds": "seconds of iterating"}

Rows = Sequence[Mapping[str, Any]]


def check_comparison_path(path: Path) -> str:
    """Return the suffix of a file that a comparison can be written to, or refuse it.

    Examples
    --------
    >>> check_comparison_path(Path("leduc.PNG"))
    '.png'
    """
    suffix = path.suffix.lower()
    if suffix not in _SUFFIXES:
        raise SolveError(f"{path}: the suffix says the format: {', '.join(_SUFFIXES)}")
    if suffix == ".parquet":
        _parquet()
    return suffix


def write_csv(rows: Rows, path: Path) -> None:
    """Write rows with a head line."""
    with atomic_path(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]) if rows else [])
        writer.writeheader()
        writer.writerows(rows)


def write_json(values: Mapping[str, Any], path: Path) -> None:
    """Write one object."""
    with atomic_path(path) as temporary:
        temporary.write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")


def write_parquet(rows: Rows, path: Path) -> None:
    """Write rows for other programs; it needs pyarrow."""
    arrow, parquet = _parquet()
    with atomic_path(path) as temporary:
        parquet.write_table(arrow.Table.from_pylist(list(rows)), temporary)


def _parquet() -> tuple[Any, Any]:
    try:
        import pyarrow  # noqa: PLC0415 - an extra that few need
        from pyarrow import parquet  # noqa: PLC0415 - an extra, slow to import
    except ImportError as error:
        raise SolveError(
            "Parquet needs the package pyarrow: pip install 'riverboat[arrow]'"
        ) from error
    return pyarrow, parquet


def draw_convergence(title: str, rows: Rows, path: Path) -> None:
    """Draw exploitability against iterations and against time, a curve for each scheme."""
    figure, panels = new_panels(1, 2, (10.5, 4.4), shared=False)
    panels[1].sharey(panels[0])
    shown = [row for row in rows if row["exploitability"] > 0 and row["seconds"] > 0]
    schemes = list(dict.fromkeys(row["scheme"] for row in shown))
    for axes, (key, label) in zip(panels, _PANELS.items(), strict=True):
        plot_curves(axes, [_curve(name, key, shown) for name in schemes], most_points=100)
        axes.set_xscale("log")
        axes.set_yscale("log")
        plain_ticks(axes.xaxis)
        plain_ticks(axes.yaxis)
        axes.set_xlabel(label)
    panels[0].set_ylabel("exploitability, chips/hand")
    if schemes:
        panels[0].legend(fontsize="small")
    figure.suptitle(title, fontsize="medium")
    save_figure(figure, path)


def _curve(scheme: str, key: str, rows: Rows) -> Curve:
    points = [row for row in rows if row["scheme"] == scheme]
    return Curve(scheme, [row[key] for row in points], [row["exploitability"] for row in points])
