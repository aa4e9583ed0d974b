"""Smaller files: pruned, and quantised.

Pruning drops infosets that training never touched, or left as they were. A pruned file keeps the
rows of the others and two bits for each infoset and action, so that it is smaller in memory, too.
What was dropped counts as untrained. Quantising keeps probabilities and weights in 8 bits instead
of 32.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint._blueprint import Blueprint
from riverboat.blueprint._eight_bits import largest_shift
from riverboat.blueprint._layout import Chunk, GroupRows
from riverboat.blueprint._rewrite import derived_header, write_derived
from riverboat.blueprint._writer import OnProgress
from riverboat.errors import BlueprintError
from riverboat.report import FramedRow

#: Rows whose probabilities differ by no more are uniform: float32 rounding, or one 255th.
_UNIFORM: Final = {"float32": 1e-6, "uint8": 1.01 / 255}


@dataclass(frozen=True, slots=True)
class PruneReport(FramedRow):
    """What pruning dropped."""

    infosets: int
    """Of the game."""
    before: int
    """Trained infosets in the file that was pruned."""
    uniform: int
    """Of these, dropped because they were still uniform."""
    after: int
    """Infosets that are left."""
    bytes_before: int
    bytes_after: int


def prune(
    blueprint: Blueprint,
    path: Path | str,
    *,
    uniform: bool = False,
    progress: OnProgress | None = None,
) -> PruneReport:
    """Write a blueprint without its untrained infosets.

    Parameters
    ----------
    blueprint
        What to prune.
    path
        Where to write.
    uniform
        Also drop infosets that were visited, but whose strategy is still uniform, as the
        Cardiff thesis cleaned its file.
    progress
        Called with what is done and all there is.

    Examples
    --------
    >>> import tempfile
    >>> from riverboat.blueprint import Header, write_blueprint
    >>> from riverboat.game import catalogue
    >>> from riverboat.tree import Tree
    >>> tree, folder = Tree(catalogue("kuhn"), "min"), Path(tempfile.mkdtemp())
    >>> average = np.array([3.0, 1.0] * 4 + [0.0] * 8 + [1.0] * 8)
    >>> _ = write_blueprint(folder / "a", Header.of(tree, (3, 3)), tree, average)
    >>> report = prune(Blueprint.open(folder / "a"), folder / "b", uniform=True)
    >>> report.infosets, report.before, report.uniform, report.after
    (12, 8, 4, 4)
    """
    tolerance = _UNIFORM[blueprint.header.values]

    def dropped(block: NDArray[Any], weights: NDArray[Any], rows: GroupRows) -> NDArray[np.bool_]:
        """Trained rows to drop: [buckets, decisions]."""
        if not uniform:
            return np.zeros(weights.shape, bool)
        flat = rows.greatest(block) - rows.least(block) <= tolerance
        # A forced move is no strategy that was left as it was.
        found: NDArray[np.bool_] = flat & (rows.counts > 1) & (weights > 0)
        return found

    def read(chunk: Chunk, rows: GroupRows) -> tuple[NDArray[Any], NDArray[Any]]:
        block, weights = blueprint.read(chunk, rows)
        return block, np.where(dropped(block, weights, rows), np.float32(0), weights)

    before = flat = 0
    for _, rows, block, weights in blueprint.chunks():
        before += int(np.count_nonzero(weights))
        flat += int(np.count_nonzero(dropped(block, weights, rows)))
    note = f"pruned: {before - flat:,} of {blueprint.header.infosets:,} infosets"
    header = derived_header(blueprint.header, note, pruned=True)
    bytes_before = blueprint.path.stat().st_size
    write_derived(path, header, blueprint, read, progress)
    return PruneReport(
        header.infosets, before, flat, before - flat, bytes_before, Path(path).stat().st_size
    )


@dataclass(frozen=True, slots=True)
class QuantiseReport(FramedRow):
    """How far rows moved, in total variation distance."""

    mean_shift: float
    """Over trained infosets."""
    largest_shift: float
    bound: float
    """No row of this tree can move further; see `riverboat.blueprint._eight_bits`."""
    bytes_before: int
    bytes_after: int


def quantise(
    blueprint: Blueprint, path: Path | str, progress: OnProgress | None = None
) -> QuantiseReport:
    """Write a blueprint with probabilities in 255ths, and weights in a byte on a log scale.

    Every row sums to 255. See `riverboat.blueprint._eight_bits` and `_byte_weights`.

    Parameters
    ----------
    blueprint
        One with float32 probabilities.
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
    if blueprint.header.byte_weights:
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
