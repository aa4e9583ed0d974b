"""Compare two strategies of the same game, row by row.

The distance of two rows is the total variation distance, half the sum of absolute differences: 0
for equal rows, 1 for rows without a common action. Means are over the infosets that are trained in
both strategies. A weighted mean is the average of two means: by the first strategy's averaging
weights, and by the second's.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint._blueprint import Blueprint
from riverboat.blueprint._layout import GroupRows, OnProgress
from riverboat.blueprint._rewrite import check_same_game
from riverboat.report import FramedRow


@dataclass(frozen=True, slots=True)
class StrategyComparison(FramedRow):
    """Difference of two strategies, on one street or on all."""

    infosets: int
    both: int
    """Infosets trained in both; the numbers below are about these."""
    only_first: int
    only_second: int
    mean_distance: float
    weighted_distance: float
    largest_distance: float
    other_favourite: float
    """Fraction of infosets with another most likely action."""
    weighted_other_favourite: float


def compare(
    first: Blueprint, second: Blueprint, progress: OnProgress | None = None
) -> tuple[StrategyComparison, tuple[StrategyComparison, ...]]:
    """Compare two strategies.

    Parameters
    ----------
    first, second
        Blueprints with the same game, bet menu and cards.
    progress
        Called with the number of infosets done and of all infosets.

    Returns
    -------
    whole, by_street
        The comparison over all infosets, and over those of each street.

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
    streets = [_Sums() for _ in range(first.tree.num_streets)]
    for chunk, rows, block, weights in first.chunks():
        other = second.read(chunk, rows)
        street = int(first.tree.group_street[chunk.group])
        streets[street].add(rows, (block, weights), other)
        if progress is not None:
            progress(chunk.infosets.stop, first.header.infosets)
    whole = _Sums()
    for sums in streets:
        whole.merge(sums)
    return whole.comparison(), tuple(sums.comparison() for sums in streets)


@dataclass
class _Sums:
    """Running sums of a comparison."""

    infosets: int = 0
    both: int = 0
    only_first: int = 0
    only_second: int = 0
    largest: float = 0.0
    #: [2, 3]: by strategy, sums of weights, of weighted distances, of weighted other favourites.
    weighted: NDArray[np.float64] = field(default_factory=lambda: np.zeros((2, 3)))
    #: [2]: sums of distances and of other favourites.
    plain: NDArray[np.float64] = field(default_factory=lambda: np.zeros(2))

    def add(
        self,
        rows: GroupRows,
        first: tuple[NDArray[Any], NDArray[Any]],
        second: tuple[NDArray[Any], NDArray[Any]],
    ) -> None:
        """Add a chunk: probabilities and weights of both."""
        weights = np.stack([first[1], second[1]]).astype(np.float64)
        trained = weights > 0
        both = trained.all(axis=0)
        self.infosets += both.size
        self.both += int(both.sum())
        self.only_first += int((trained[0] & ~both).sum())
        self.only_second += int((trained[1] & ~both).sum())
        distances = rows.sums(np.abs(first[0] - second[0]))[both] / 2
        others = (_favourites(rows, first[0]) != _favourites(rows, second[0]))[both]
        self.largest = max(self.largest, float(distances.max(initial=0)))
        self.plain += (distances.sum(), others.sum())
        kept = weights[:, both]
        self.weighted += np.stack([kept.sum(1), kept @ distances, kept @ others], axis=1)

    def merge(self, other: "_Sums") -> None:
        """Add the sums of another street."""
        self.infosets += other.infosets
        self.both += other.both
        self.only_first += other.only_first
        self.only_second += other.only_second
        self.largest = max(self.largest, other.largest)
        self.plain += other.plain
        self.weighted += other.weighted

    def comparison(self) -> StrategyComparison:
        """Turn sums into means."""
        plain = self.plain / max(1, self.both)
        weights = np.where(self.weighted[:, 0] > 0, self.weighted[:, 0], 1)
        weighted = (self.weighted[:, 1:] / weights[:, None]).mean(axis=0)
        return StrategyComparison(
            self.infosets,
            self.both,
            self.only_first,
            self.only_second,
            float(plain[0]),
            float(weighted[0]),
            self.largest,
            float(plain[1]),
            float(weighted[1]),
        )


def _favourites(rows: GroupRows, block: NDArray[Any]) -> NDArray[np.int64]:
    """The first most likely action of each row: [buckets, decisions]."""
    best = np.empty((len(block), len(rows.nodes)), np.int64)
    for decisions, entries in rows.by_count():
        best[:, decisions] = block[:, entries].argmax(axis=2)
    return best
