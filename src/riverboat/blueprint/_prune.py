"""Pruning: dropping infosets that training never touched, or left as they were.

A pruned file keeps the rows of the others and two bits for each infoset and action, so that it
is smaller in memory, too. What was dropped counts as untrained.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint._blueprint import Blueprint
from riverboat.blueprint._derived import derived_header, write_derived
from riverboat.blueprint._layout import Chunk, GroupRows
from riverboat.blueprint._writer import Progress

__all__ = ["PruneReport", "prune"]

#: Rows whose probabilities differ by no more are uniform: float32 rounding, or one 255th.
_UNIFORM: Final = {"float32": 1e-6, "uint8": 1.01 / 255}


@dataclass(frozen=True, slots=True)
class PruneReport:
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
    progress: Progress | None = None,
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
