"""Arrays of all hole pairs at one public state, sums and means over them, and matrix cells."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import numpy as np

from riverboat.cards import CLASS_HOLES, HOLE_CLASS, NUM_CLASSES, hands_met
from riverboat.report import Framed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from riverboat.decision._action_keys import ActionKey

Source = Literal["blueprint", "solution", "search", "ranges"]
#: Weight of hands with reach 0, so that their classes still show a strategy.
_LEAST_WEIGHT: Final = 1e-9
#: If no class has more reach than this, all are drawn faint.
_SELDOM: Final = 0.01
_FAINTEST: Final = 0.42


class ClassCell(NamedTuple):
    """A cell of the matrix: one hand class."""

    name: str
    shares: NDArray[np.float64]
    """[actions] probabilities; NaN where untrained or impossible."""
    reach: float
    """Mean reach; NaN if no hole pair of the class is possible."""
    emphasis: float
    """Opacity by reach, 0.42 to 1."""
    few: bool
    """Whether it has few training visits."""

    @property
    def alive(self) -> bool:
        """Whether any hole pair of the class is possible."""
        return not np.isnan(self.reach)

    @property
    def known(self) -> bool:
        """Whether the class has a strategy."""
        return not np.isnan(self.shares[0])


def _nothing() -> NDArray[np.float64]:
    return np.empty(0)


@dataclass(frozen=True, kw_only=True, eq=False)
class HandArrays(Framed):
    """Fields of a `Decision`, which documents them, and means over hands."""

    game: str = ""
    line: str = ""
    board: tuple[int, ...] = ()
    player: int = 0
    players: tuple[str, ...] = ("seat 0", "seat 1")
    pot: int = 0
    to_call: int = 0
    keys: tuple[ActionKey, ...]
    strategy: NDArray[np.float64]
    reach: NDArray[np.float64]
    alive: NDArray[np.bool_]
    values: NDArray[np.float64] = field(default_factory=_nothing)
    action_values: NDArray[np.float64] = field(default_factory=_nothing)
    errors: NDArray[np.float64] = field(default_factory=_nothing)
    action_errors: NDArray[np.float64] = field(default_factory=_nothing)
    samples: int = 0
    buckets: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    visits: NDArray[np.float64] = field(default_factory=_nothing)
    few: int = 0
    source: Source
    note: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    find_equity: Callable[[], NDArray[np.float64]] | None = field(default=None, repr=False)

    @property
    def has_equity(self) -> bool:
        """Whether `equity` is available."""
        return self.find_equity is not None

    @cached_property
    def equity(self) -> NDArray[np.float64]:
        """[players, 1326] float64: equity, each hand's share of the pot without more bets."""
        if self.find_equity is None:
            return np.full(self.reach.shape, np.nan)
        return self.find_equity()

    @cached_property
    def trained(self) -> NDArray[np.bool_]:
        """[1326] whether the hand has a strategy."""
        return self.alive & ~np.isnan(self.strategy[:, 0])

    @cached_property
    def visits_known(self) -> bool:
        """Whether training visits are known."""
        return bool((~np.isnan(self.visits)).any())

    # ---- Over all hands

    @cached_property
    def deals(self) -> NDArray[np.float64]:
        """[players, 1326] probability weight of each hand; with two players blockers count."""
        if len(self.reach) != 2:
            return self.reach
        return np.array([self.reach[p] * hands_met(self.reach[1 - p]) for p in (0, 1)])

    @property
    def weight(self) -> float:
        """Reach of the decision relative to others of the same source: the sum of deals."""
        return float(self.deals[0].sum())

    def mean(self, player: int, of: NDArray[np.float64]) -> float:
        """Return the mean of `[1326]` over a player's hands, weighted by `deals`.

        Hands with NaN do not count; NaN if no hand is left.
        """
        weights = np.where(np.isnan(of), 0.0, self.deals[player])
        total = float(weights.sum())
        return float(weights @ np.nan_to_num(of)) / total if total > 0 else float("nan")

    @property
    def own_values(self) -> NDArray[np.float64]:
        """[1326] values of the player to act; NaN if unknown."""
        known = self.values.size > 0
        return self.values[self.player] if known else np.full(self.alive.shape, np.nan)

    def value(self, player: int) -> float:
        """Return a player's EV in chips; NaN if unknown."""
        return self.mean(player, self.values[player]) if self.values.size else float("nan")

    def frequencies(self) -> NDArray[np.float64]:
        """Return the frequency of each action: [actions]; NaN if untrained or never reached."""
        weights = np.where(self.trained, self.deals[self.player], 0.0)
        with np.errstate(invalid="ignore"):
            shares: NDArray[np.float64] = weights @ np.nan_to_num(self.strategy) / weights.sum()
        return shares

    def share_visited(self) -> float:
        """Return the fraction of the range that is trained with enough visits.

        If visits are unknown, all trained hands count.
        """
        enough = self.trained
        if self.visits.size:
            enough = enough & ~(self.visits < self.few)
        weights = self.deals[self.player]
        return float(weights[enough].sum() / max(weights.sum(), 1e-300))

    # ---- Classes and single hands

    def class_mean(self, of: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the mean of `[1326, ...]` over the hands of each class by reach: [169, ...].

        Hands with NaN do not count; NaN if no hand is left.
        """
        return class_means(of, self._weights)

    def hand_mean(self, of: NDArray[np.float64], holes: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the mean of `[1326, ...]` over some hole pairs by reach, as `class_mean`."""
        rows = of[holes]
        if len(rows) == 1:
            only: NDArray[np.float64] = rows[0]
            return only
        weights = np.where(np.isnan(rows.T), 0.0, self._weights[holes])
        sums = (weights * np.nan_to_num(rows.T)).sum(axis=-1)
        with np.errstate(invalid="ignore"):
            means: NDArray[np.float64] = sums / weights.sum(axis=-1)
        return means

    @cached_property
    def _weights(self) -> NDArray[np.float64]:
        return np.where(self.alive, self.reach[self.player] + _LEAST_WEIGHT, 0.0)

    def by_class(self) -> NDArray[np.float64]:
        """Return the strategy of each class, its hands by reach: [169, actions]; NaN if none."""
        return self.class_mean(self.strategy)

    def class_reach(self) -> NDArray[np.float64]:
        """Return the mean reach over the live hands of each class: [169]; NaN if none."""
        counts = np.bincount(HOLE_CLASS, self.alive, NUM_CLASSES)
        reach = np.where(self.alive, self.reach[self.player], 0.0)
        with np.errstate(invalid="ignore"):
            means: NDArray[np.float64] = np.bincount(HOLE_CLASS, reach, NUM_CLASSES) / counts
        return means

    def class_visits(self) -> NDArray[np.float64]:
        """Return the median visits over the trained hands of each class: [169]; NaN if unknown."""
        medians = np.full(NUM_CLASSES, np.nan)
        if not self.visits.size:
            return medians
        known = np.where(self.trained, self.visits, np.nan)
        for index, holes in enumerate(CLASS_HOLES if self.visits_known else ()):
            if not np.isnan(known[holes]).all():
                medians[index] = np.nanmedian(known[holes])
        return medians

    def class_few(self) -> NDArray[np.bool_]:
        """Return whether each class has few training visits: [169]; False if unknown."""
        few: NDArray[np.bool_] = self.class_visits() < self.few
        return few

    def class_emphasis(self) -> NDArray[np.float64]:
        """Return the opacity of each class: [169] from 0.42 to 1, by reach.

        The class with the most reach has 1, unless its reach is tiny.
        """
        reach = np.nan_to_num(self.class_reach())
        emphasis: NDArray[np.float64] = np.sqrt(reach / max(float(reach.max()), _SELDOM))
        return _FAINTEST + (1 - _FAINTEST) * emphasis


def class_means(of: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean of `[1326, ...]` over the hands of each class by weight: [169, ...].

    Hands with NaN do not count; NaN if no hand is left.

    Examples
    --------
    >>> class_means(HOLE_CLASS.astype(float), np.ones(1326))[[0, 168]]
    array([  0., 168.])
    """
    if of.ndim > 1:
        return np.array([class_means(column, weights) for column in of.T]).T
    known = np.where(np.isnan(of), 0.0, weights)
    sums = np.bincount(HOLE_CLASS, known * np.nan_to_num(of), NUM_CLASSES)
    with np.errstate(invalid="ignore"):
        means: NDArray[np.float64] = sums / np.bincount(HOLE_CLASS, known, NUM_CLASSES)
    return means
