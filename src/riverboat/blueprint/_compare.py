"""Comparing two strategies of the same game, row by row.

The distance of two rows is the total variation distance, half the sum of absolute differences: 0
if they are equal, 1 if they never do the same. Means are over the infosets that are trained in
both; weighted means count an infoset by its averaging weight, once by the first strategy's, once
by the second's, and are the mean of these two.
"""

from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint._blueprint import Blueprint
from riverboat.blueprint._layout import GroupRows
from riverboat.blueprint._rewrite import check_same_game
from riverboat.blueprint._writer import OnProgress
from riverboat.report import FramedRow


@dataclass(frozen=True, slots=True)
class StrategyComparison(FramedRow):
    """How two strategies differ, on one street or on all."""

    infosets: int
    both: int
    """Infosets trained in both; the rest of the numbers are about these."""
    only_first: int
    only_second: int
    mean_distance: float
    weighted_distance: float
    largest_distance: float
    other_favourite: float
    """Share of infosets where another action is the most likely."""
    weighted_other_favourite: float


def compare(
    first: Blueprint, second: Blueprint, progress: OnProgress | None = None
) -> tuple[StrategyComparison, tuple[StrategyComparison, ...]]:
    """Compare two strategies.

    Parameters
    ----------
    first, second
        With the same game, menu and cards.
    progress
        Called with the infosets that are compared and all there are.

    Returns
    -------
    whole, by_street
        All infosets, and those of each street.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from riverboat.blueprint import Header, write_blueprint
    >>> from riverboat.game import catalogue
    >>> from riverboat.tree import Tree
    >>> tree, folder = Tree(catalogue("kuhn"), "min"), Path(tempfile.mkdtemp())
    >>> for name, row in (("a", [3.0, 1.0]), ("b", [0.0, 4.0])):
    ...     average = np.array(row * 12)
    ...     _ = write_blueprint(folder / name, Header.of(tree, (3, 3)), tree, average)
    >>> whole, _ = compare(Blueprint.open(folder / "a"), Blueprint.open(folder / "b"))
    >>> whole.mean_distance, whole.other_favourite
    (0.75, 1.0)
    """
    check_same_game([first, second])
    sums = np.zeros((first.tree.num_streets, _NUM_SUMS))
    largest = np.zeros(first.tree.num_streets)
    for chunk, rows, block, weights in first.chunks():
        other = second.read(chunk, rows)
        street = int(first.tree.group_street[chunk.group])
        added, distance = _sums_of(rows, (block, weights), other)
        sums[street] += added
        largest[street] = max(largest[street], distance)
        if progress is not None:
            progress(chunk.infosets.stop, first.header.infosets)
    by_street = tuple(_comparison(*each) for each in zip(sums, largest.tolist(), strict=True))
    return _comparison(sums.sum(axis=0), float(largest.max())), by_street


#: Added up over infosets: how many, those trained in both, in the first, in the second only; of
#: those in both the distances and the other favourites; of each strategy the weights, and both by
#: weight.
_NUM_SUMS: Final = 4 + 2 + 2 * 3


def _sums_of(
    rows: GroupRows,
    first: tuple[NDArray[Any], NDArray[Any]],
    second: tuple[NDArray[Any], NDArray[Any]],
) -> tuple[list[float], float]:
    """Sums of a chunk, of the probabilities and weights of both; and its largest distance."""
    weights = np.stack([first[1], second[1]]).astype(np.float64)
    trained = weights > 0
    both = trained.all(axis=0)
    distances = rows.sums(np.abs(first[0] - second[0]))[both] / 2
    others = (_favourites(rows, first[0]) != _favourites(rows, second[0]))[both]
    counts = (both.size, both.sum(), *(trained & ~both).sum(axis=(1, 2)))
    plain = (distances.sum(), others.sum())
    weighted = ((kept.sum(), kept @ distances, kept @ others) for kept in weights[:, both])
    return [*counts, *plain, *chain.from_iterable(weighted)], float(distances.max(initial=0))


def _comparison(sums: NDArray[np.float64], largest: float) -> StrategyComparison:
    """Turn sums into means."""
    plain = sums[4:6] / max(1, sums[1])
    weighted = sums[6:].reshape(2, 3)
    weights = np.where(weighted[:, 0] > 0, weighted[:, 0], 1)
    means = (weighted[:, 1:] / weights[:, None]).mean(axis=0)
    counts = (int(count) for count in sums[:4])
    distance, other = plain.tolist()
    weighted_distance, weighted_other = means.tolist()
    return StrategyComparison(*counts, distance, weighted_distance, largest, other, weighted_other)


def _favourites(rows: GroupRows, block: NDArray[Any]) -> NDArray[np.int64]:
    """First most likely action of each row: [buckets, decisions]."""
    best = np.empty((len(block), len(rows.nodes)), np.int64)
    for decisions, entries in rows.by_count():
        best[:, decisions] = block[:, entries].argmax(axis=2)
    return best
