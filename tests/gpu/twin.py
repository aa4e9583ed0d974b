"""The kernels' plain twin: the same walk over the same arrays in NumPy, for small trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from riverboat.gpu import Mode
from riverboat.gpu._flat import FLAT_BOUNDS, NOWHERE
from riverboat.gpu._tables import halves, regret_scale, table_kinds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from riverboat.gpu import Bits, FlatSpot, FlatView, Root, TableName

__all__ = ["TwinSpot"]

Rows = Any  # [rows, padded hands] of one precision

_CARDS: Final = 52
_WHOLE: Final = np.float32(65535)  # a strategy that is sure, in an average of 16 bits


class TwinSpot:
    """A spot that is being solved in NumPy as the kernels solve it.

    Parameters
    ----------
    spot
        What to solve.
    own_reach
        Whether the average weighs strategies by the player's own reach; not with 16 bits.
    bits
        Of each number in the tables.

    Attributes
    ----------
    tables
        By name, those of both players, flat, as `DeviceSpot` has them.
    """

    def __init__(
        self,
        spot: FlatSpot,
        *,
        own_reach: bool = True,
        bits: Bits = 32,
        predictive: bool = False,
    ) -> None:
        self.spot, self.own_reach, self.bits = spot, own_reach, bits
        self.start = [each.copy() for each in spot.start]
        self.scale = np.float32(regret_scale(spot) if bits == 16 else 1)
        self.tables: dict[TableName, list[NDArray[Any]]] = {
            name: [np.zeros(size, dtype=kind) for size in spot.num_numbers]
            for name, kind in table_kinds(bits, predictive=predictive).items()
        }
        self.locks: list[tuple[NDArray[np.int64], NDArray[np.float32]] | None] = [None, None]

    def set_locks(self, player: int, begins: NDArray[np.int64], locks: NDArray[np.float32]) -> None:
        """Have nodes played as given: where the lock of each row begins or -1, and all locks."""
        self.locks[player] = (begins, locks)

    def run(self, factors: NDArray[np.float32], root: Root | None = None) -> None:
        """Run an iteration for each row of factors: positive, negative, keep, add."""
        for row in factors:
            for player in (0, 1):
                if root is not None and player != root.player:
                    self.set_start(root.player, root.play(row))
                values = _Walk(self, player, "train", np.dtype(np.float32), row).values()
                if root is not None and player == root.player:
                    root.learn(row, values)

    def set_table(self, name: TableName, player: int, numbers: NDArray[Any]) -> None:
        """Fill a player's table."""
        self.tables[name][player][...] = numbers

    def set_start(self, player: int, reach: NDArray[Any]) -> None:
        """Have a player's hands come to the root with these reaches."""
        self.start[player][: len(reach)] = reach

    def root_values(
        self, player: int, mode: Mode = Mode.average, *, exact: bool = True
    ) -> NDArray[Any]:
        """Return values of the player's hands at the roots, times the reach of those they meet."""
        real = np.dtype(np.float64 if exact else np.float32)
        return _Walk(self, player, mode.name, real, np.zeros(4, dtype=np.float32)).values()


class _Walk:
    """One walk for one traverser."""

    def __init__(
        self,
        twin: TwinSpot,
        player: int,
        mode: str,
        real: np.dtype[Any],
        factors: NDArray[np.float32],
    ) -> None:
        self.twin, self.spot, self.player, self.mode = twin, twin.spot, player, mode
        self.real, self.factors = real, factors
        self.view: FlatView = self.spot.views[player]
        self.mine, self.other = self.spot.hands[player], self.spot.hands[1 - player]
        self.reach: dict[int, Rows] = {}
        self.kept: NDArray[Any] = np.full(self.view.value_size, np.nan, dtype=real)

    def _bounds(self, segment: int) -> dict[str, int]:
        """Where a segment's parts are, by name."""
        return dict(zip(FLAT_BOUNDS, self.view.bounds[segment].tolist(), strict=True))

    def values(self) -> NDArray[Any]:
        """Walk; return the values at the roots."""
        levels = self.spot.levels(self.player)
        for level in reversed(levels):
            for item in level.tolist():
                self._down(item)
        for level in levels:
            for item in level.tolist():
                self._up(item)
        return self.kept[self.spot.roots(self.player)]

    # ---- Down

    def _down(self, item: int) -> None:
        board, segment, before, _ = self.view.item[item].tolist()
        bounds = self._bounds(segment)
        padded, count = int(self.other.padded[board]), int(self.other.count[board])
        reach = np.zeros((bounds["rows"], padded), dtype=self.real)
        for entry in range(self.spot.segments[segment, 2]):
            reach[entry, :count] = self._entry(board, segment, before, entry)[:count]
        for step in _steps(
            self.view.down_levels, self.view.down, bounds["first_down"], bounds["down_levels"]
        ):
            row, first, offset, actions = step
            played = self._strategy(1 - self.player, board, offset, actions)
            reach[first : first + actions] = played * reach[row]
            if self.mode == "train" and self.twin.own_reach:
                self._collect(1 - self.player, board, offset, reach[first : first + actions])
        self.reach[item] = reach

    def _entry(self, board: int, segment: int, before: int, entry: int) -> Rows:
        """The reaches of an entry, from the board before."""
        if before < 0:
            start = self.twin.start[1 - self.player][-1 - before :]
            return start[: self.other.padded[board]].astype(self.real)
        parent = self._bounds(self.view.item[before, 1])
        first = parent["first_exit"] + self.spot.segments[segment, 1]
        row = np.append(self.reach[before][self.view.exits[first + entry, 0]], 0)
        begin = self.other.begin[board]
        return row[self.other.parent[begin : begin + self.other.padded[board]]]

    # ---- Nodes

    def _rows(self, name: TableName, player: int, board: int, at: Sequence[int]) -> Rows:
        """Rows of a node in a table: a view of it."""
        hands, (offset, actions) = self.spot.hands[player], at
        padded = int(hands.padded[board])
        begin = int(hands.base[board]) + offset * padded
        table = self.twin.tables[name][player]
        return table[begin : begin + actions * padded].reshape(actions, padded)

    def _lock(self, player: int, board: int, offset: int, actions: int) -> Rows | None:
        locks, hands = self.twin.locks[player], self.spot.hands[player]
        begin = -1 if locks is None else int(locks[0][hands.base_row[board] + offset])
        if locks is None or begin < 0:
            return None
        padded = int(hands.padded[board])
        return locks[1][begin : begin + actions * padded].reshape(actions, padded)

    def _strategy(self, player: int, board: int, offset: int, actions: int) -> Rows:
        """What a player plays at a node."""
        weights = self._weights(player, board, (offset, actions))
        total = weights.sum(axis=0)
        played = np.where(total > 0, weights / np.where(total > 0, total, 1), 1 / actions)
        lock = self._lock(player, board, offset, actions)
        return played if lock is None else np.where(np.isnan(lock), played, lock)

    def _weights(self, player: int, board: int, at: Sequence[int]) -> Rows:
        """The numbers that a strategy comes from."""
        name: TableName = "regrets" if self.mode == "train" else "average"
        weights = np.maximum(self._rows(name, player, board, at).astype(self.real), 0)
        if self.mode == "train" and "predictions" in self.twin.tables:
            weights = np.maximum(weights + self._rows("predictions", player, board, at), 0)
        return weights

    def _collect(self, player: int, board: int, offset: int, played: Rows) -> None:
        rows = self._rows("average", player, board, (offset, len(played)))
        keep, add = self.factors[2:]
        if self.twin.bits == 16:
            rows[...] = rows * keep + played.astype(np.float32) * (add * _WHOLE) + np.float32(0.5)
        else:
            rows[...] = rows * keep + played.astype(np.float32) * add

    # ---- Up

    def _up(self, item: int) -> None:
        board, segment, _, _ = self.view.item[item].tolist()
        bounds = self._bounds(segment)
        padded = int(self.mine.padded[board])
        values = np.full((bounds["leaves"], padded), np.nan, dtype=self.real)
        self._ends(item, board, bounds, values)
        for exit_ in self.view.exits[bounds["first_exit"] :][: bounds["num_exits"]].tolist():
            values[exit_[1]] = self._dealt(board, exit_[2], exit_[3])
        self._even(board, values)
        for first, offset, actions, own in _steps(
            self.view.up_levels, self.view.up, bounds["first_up"], bounds["up_levels"]
        ):
            rows = self.view.children[first : first + actions]
            values[rows[0]] = self._joined(board, offset, values[rows], bool(own))
        self._keep(item, segment, bounds, values)

    def _keep(self, item: int, segment: int, bounds: dict[str, int], values: Rows) -> None:
        begin, padded = int(self.view.item_rows[item, 1]), values.shape[1]
        for leaf, row in self.view.entries[bounds["first_entry"] :][
            : self.spot.segments[segment, 2]
        ].tolist():
            place = begin + row * padded
            self.kept[place : place + padded] = values[leaf]

    def _dealt(self, board: int, segment: int, entry: int) -> Rows:
        """Values of an exit, over all next cards."""
        total = np.zeros(int(self.mine.padded[board]), dtype=self.real)
        first, step = self.spot.segment_items[segment].tolist()
        row = int(self.view.entries[self.view.bound("first_entry")[segment] + entry, 1])
        begin = int(self.spot.first_child[board])
        for child in range(begin, begin + int(self.spot.num_children[board])):
            moved = self.mine.moved[self.mine.moved_begin[child] :][: len(total)]
            there = moved != NOWHERE
            rows = int(self.view.item_rows[first + child * step, 1])
            at = rows + row * int(self.mine.padded[child]) + moved[there].astype(np.int64)
            total[there] += self.kept[at] * self.real.type(self.spot.weight[child])
        return total

    def _even(self, board: int, values: Rows) -> None:
        """Hands that renamed suits make equal get their mean."""
        begin, end = self.mine.orbit_begin[board : board + 2]
        for orbit in range(begin, end):
            members = self.mine.orbits[
                self.mine.orbit_ends[orbit] : self.mine.orbit_ends[orbit + 1]
            ]
            values[:, members] = values[:, members].mean(axis=1, keepdims=True)

    def _joined(self, board: int, offset: int, values: Rows, own: bool) -> Rows:
        """The value of a node from those of its actions."""
        if not own:
            return values.sum(axis=0)
        at = (offset, len(values))
        played = self._strategy(self.player, board, *at)
        if self.mode in ("best", "adopt"):
            return self._chosen(board, at, values)
        mean = (played * values).sum(axis=0)
        if self.mode == "train":
            self._learn(board, at, values - mean)
            if not self.twin.own_reach:
                self._collect(self.player, board, offset, played)
        return mean

    def _learn(self, board: int, at: tuple[int, int], regret: Rows) -> None:
        """Add the regrets of this iteration to the sums."""
        sums = self._rows("regrets", self.player, board, at)
        kept = np.where(sums > 0, self.factors[0], self.factors[1])
        fresh = sums * kept + regret * self.twin.scale
        sums[...] = halves(fresh) if self.twin.bits == 16 else fresh
        lock = self._lock(self.player, board, *at)
        if lock is not None:
            sums[~np.isnan(lock)] = 0
        if "predictions" in self.twin.tables:
            self._rows("predictions", self.player, board, at)[...] = regret

    def _chosen(self, board: int, at: tuple[int, int], values: Rows) -> Rows:
        """The best action's value, of locked hands the mean by the lock."""
        best = values.max(axis=0)
        if self.mode == "adopt":
            first = values.argmax(axis=0)
            rows = self._rows("average", self.player, board, at)
            rows[...] = np.where(
                np.arange(at[1])[:, None] == first, _WHOLE if self.twin.bits == 16 else 1, 0
            )
        lock = self._lock(self.player, board, *at)
        if lock is None:
            return best
        mean = (lock * values).sum(axis=0)
        return np.where(np.isnan(mean), best, mean)

    # ---- Ends of lines

    def _ends(self, item: int, board: int, bounds: dict[str, int], values: Rows) -> None:
        """Fill the leaves where a line ends, by running sums over the other's hands."""
        count, own = int(self.other.count[board]), int(self.mine.count[board])
        first = bounds["first_lane"]
        begin = int(self.mine.begin[board])
        record = self.mine.record[begin : begin + own].astype(np.int64).T
        same = self.mine.same[begin : begin + own]
        for lane in range(first, first + bounds["lanes"]):
            row, fold, showdown = self.view.lanes[lane].tolist()
            reach = self.reach[item][row, :count]
            running, by_card = self._sums(board, reach)
            again = np.append(reach, np.zeros(self.other.padded[board] - count + 1))[same]
            met = running[-1] - by_card[record[6]] - by_card[record[7]]
            folds, win, tie, lose = self.view.pays[lane].tolist()
            if fold >= 0:
                values[fold] = 0
                values[fold, :own] = folds * (met + again)
            if showdown >= 0:
                weaker = running[record[0]] - by_card[record[2]] - by_card[record[4]]
                level = running[record[1]] - by_card[record[3]] - by_card[record[5]]
                values[showdown] = 0
                values[showdown, :own] = (
                    (win - tie) * weaker + (tie - lose) * level + lose * met + tie * again
                )

    def _sums(self, board: int, reach: Rows) -> tuple[Rows, Rows]:
        """Running sums over all hands, and over those of each card in its list."""
        begin, count = int(self.other.begin[board]), len(reach)
        listed = self.other.listed[begin : begin + count]
        lists = self.other.lists[board].astype(np.int64)
        places = np.zeros(int(lists[-1]), dtype=self.real)
        places[listed[:, 0]] = reach
        places[listed[:, 1]] = reach
        for card in range(_CARDS):
            part = places[lists[card] : lists[card + 1]]
            part[...] = np.concatenate([[0], np.cumsum(part[:-1])])
        return np.concatenate([[0], np.cumsum(reach)]), places


def _steps(
    levels: NDArray[np.int32], steps: NDArray[np.int32], first: int, count: int
) -> list[list[int]]:
    """The steps of a segment: its first level and its number of levels."""
    begin, end = levels[first], levels[first + count]
    found: list[list[int]] = steps[begin:end].tolist()
    return found
