"""Quantising: probabilities in 8 bits instead of 32, for sharing."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from riverboat.blueprint._blueprint import Blueprint
from riverboat.blueprint._derived import derived_header, write_derived
from riverboat.blueprint._eight_bits import largest_shift
from riverboat.blueprint._writer import Progress
from riverboat.errors import BlueprintError

__all__ = ["QuantiseReport", "quantise"]


@dataclass(frozen=True, slots=True)
class QuantiseReport:
    """How far rows moved, in total variation distance."""

    mean_shift: float
    """Over trained infosets."""
    largest_shift: float
    bound: float
    """No row of this tree can move further; see `riverboat.blueprint._eight_bits`."""
    bytes_before: int
    bytes_after: int


def quantise(
    blueprint: Blueprint, path: Path | str, progress: Progress | None = None
) -> QuantiseReport:
    """Write a blueprint with probabilities in 255ths; every row sums to 255.

    Parameters
    ----------
    blueprint
        One with float32 values.
    path
        Where to write.
    progress
        Called with what is done and all there is.

    Examples
    --------
    >>> import tempfile
    >>> from riverboat.blueprint import Header, write_blueprint
    >>> from riverboat.game import catalogue
    >>> from riverboat.tree import Tree
    >>> tree, folder = Tree(catalogue("kuhn"), "min"), Path(tempfile.mkdtemp())
    >>> _ = write_blueprint(folder / "a", Header.of(tree, (3, 3)), tree, np.arange(24.0))
    >>> report = quantise(Blueprint.open(folder / "a"), folder / "b")
    >>> report.largest_shift <= report.bound
    True
    """
    if blueprint.header.values == "uint8":
        raise BlueprintError(f"{blueprint.path} is quantised already")
    bytes_before = blueprint.path.stat().st_size
    header = derived_header(blueprint.header, "quantised to 8 bits", values="uint8")
    write_derived(path, header, blueprint, blueprint.read, progress)
    written = Blueprint.open(path)
    total, largest, trained = 0.0, 0.0, 0
    for chunk, rows, block, weights in blueprint.chunks():
        shifts = rows.sums(np.abs(written.read(chunk, rows)[0] - block)) / 2
        shifts = shifts[weights > 0]
        total += float(shifts.sum())
        trained += len(shifts)
        largest = max(largest, float(shifts.max(initial=0)))
    return QuantiseReport(
        total / max(1, trained),
        largest,
        largest_shift(int(blueprint.tree.num_actions.max())),
        bytes_before,
        Path(path).stat().st_size,
    )
