"""EV of each action of a strategy by decision and bucket, for reviews.

Boards are sampled, and on each all hands of both seats are evaluated (`_board_walk`). The EV of an
action for a bucket is the mean over the hands of the bucket and over the opponent's range. The
differences between actions are computed on the same boards, so their standard errors are small. The
table is computed once for a strategy file and kept in the cache folder.

The EV of a single hand differs from that of its bucket, and the size of these differences is
measured, too. Decisions of the last street but one are sampled by their reach; there the EV of
every action is exact for every hand (`StrategyValues`), and is compared with the mean of the hand's
bucket. The same figure is used on the flop, where the noise of sampled runouts would hide the
difference. Preflop, the hands of a bucket are (almost) equal, and reviews compute the last street
exactly for every hand.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from riverboat.errors import BlueprintError
from riverboat.evaluate._board_walk import BoardWalk, kept_tables
from riverboat.files import cache_folder
from riverboat.game import Hand
from riverboat.tree import DECISION

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from riverboat.blueprint import Blueprint, Query
    from riverboat.tree import Tree

    _Progress = Callable[[int, int], object]
    _Floats = NDArray[np.float64]

_SEED: Final = 1
_DECISIONS: Final = 8
_MOST_TRIES: Final = 400


def bucket_spread(blueprint: Blueprint, threshold: float) -> NDArray[np.float64]:
    """Return [streets] the standard deviation, as a share of the pot; 0 where not measured."""
    query = blueprint.query(threshold=threshold)
    last = blueprint.tree.num_streets - 1
    spread = np.zeros(last + 1)
    if last > 1:
        found = [_squared(query, at) for at in _decisions(query, last - 1)]
        spread[1:last] = float(np.mean(found)) ** 0.5 if found else 0.0
    return spread


def _decisions(query: Query, street: int) -> list[tuple[int, tuple[int, ...]]]:
    """Node and board of decisions on a street, sampled by their reach."""
    rng, found = np.random.default_rng(_SEED), []
    for seed in range(_MOST_TRIES):
        hand = Hand(query.tree.spec, seed=seed)
        while hand.actor is not None and hand.street < street:
            answer = query.strategy(hand.view(hand.actor))
            if not answer.actions:
                break
            names, shares = zip(*answer.actions, strict=True)
            weights = np.array(shares)
            hand.do(str(rng.choice(names, p=weights / weights.sum())))
        if hand.actor is not None and hand.street == street:
            view = hand.view(hand.actor)
            found.append((query.tracker.find(view).node, view.board))
        if len(found) == _DECISIONS:
            break
    return found


def _squared(query: Query, at: tuple[int, tuple[int, ...]]) -> float:
    """The mean square of the EV difference, in pots squared."""
    node, board = at
    found = query.all_values.actions(node, board)
    own = found.own_values
    alive = ~np.isnan(own)
    advantage = (found.action_values - own[:, None])[alive]
    weights = found.deals[found.player][alive]
    buckets = query.buckets.find_all(board)[alive]  # type: ignore[attr-defined]  # of hold'em
    total = np.bincount(buckets, weights)
    counted = total[buckets] > 0
    squares = []
    for column in advantage.T:
        with np.errstate(invalid="ignore"):
            means = np.bincount(buckets, weights * column) / total
        squares.append((column - means[buckets])[counted] ** 2)
    shares = found.strategy[alive][counted].T
    # Only actions with a small EV loss matter here: others are clear mistakes.
    weight = (shares + 0.1) * weights[counted]
    pot = float(query.tree.contributions[node].sum())
    return float((weight * np.array(squares)).sum() / weight.sum()) / pot**2


#: Increased when the table of the same strategy changes.
_VERSION: Final = 1
_BOARDS: Final = 400
#: Boards per part; standard errors are computed from the differences between parts.
_PART: Final = 16
_MOST_CELLS: Final = 20_000_000
_BLOCK: Final = 1 << 18  # cells


@dataclass(frozen=True)
class ActionValues:
    """EVs of the actions of a strategy.

    Attributes
    ----------
    tree
        Tree of the strategy.
    first
        [nodes] int64, offset of a decision's cells; -1 for other nodes.
    counts
        [nodes] int64, number of buckets of a decision.
    values
        [cells] float32, EV in chips: share of the pot minus chips put in later; a fold is 0.
    errors
        [cells] float32, standard errors of the difference to the strategy's own EV.
    spread
        [streets] float32, standard deviation of that difference among the hands of a bucket, as
        a share of the pot.
    """

    tree: Tree
    first: NDArray[np.int64]
    counts: NDArray[np.int64]
    values: NDArray[np.float32]
    errors: NDArray[np.float32]
    spread: NDArray[np.float32]

    def actions(self, node: int, bucket: int) -> tuple[_Floats, _Floats]:
        """Return [actions] EVs in chips, and standard errors of the difference to the strategy."""
        begin, count = int(self.first[node]) + bucket, int(self.counts[node])
        cells = begin + count * np.arange(len(self.tree.children(node)))
        return self.values[cells].astype(np.float64), self.errors[cells].astype(np.float64)


def missing_action_values(blueprint: Blueprint, threshold: float) -> bool:
    """Return whether the table must be computed first, which takes minutes."""
    return not _path(blueprint, threshold).is_file()


def action_values(
    blueprint: Blueprint,
    threshold: float = 0.0,
    progress: _Progress | None = None,
    boards: int = _BOARDS,
) -> ActionValues:
    """Return the table of a hold'em strategy for two players, from the cache folder if it is there.

    Parameters
    ----------
    blueprint
        The strategy.
    threshold
        Bets and folds with a lower probability are left out, as when a bot plays.
    progress
        Called with the number of evaluated boards, and of all boards.
    boards
        Number of sampled boards.
    """
    tree = blueprint.tree
    if blueprint.cards is None or tree.num_players != 2 or tree.spec.has_discards:
        raise BlueprintError(
            "EVs of all buckets need hold'em for two players without discards: "
            f"'{tree.spec.name}' is another game"
        )
    first, counts, cells = _places(blueprint)
    tables = kept_tables(
        _path(blueprint, threshold, boards),
        {"values": (cells,), "errors": (cells,), "spread": (tree.num_streets,)},
        lambda: _built(blueprint, threshold, (first, counts, cells), progress, boards),
    )
    return ActionValues(tree, first, counts, *tables)


def _path(blueprint: Blueprint, threshold: float, boards: int = _BOARDS) -> Path:
    with Path(blueprint.path).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
    digest.update(f"{threshold:.6f} {boards}".encode())
    return cache_folder() / f"actions-{digest.hexdigest()[:16]}-v{_VERSION}.safetensors"


def _places(blueprint: Blueprint) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Offsets of decisions, with [actions, buckets] cells each; bucket counts; all cells."""
    tree = blueprint.tree
    decision = tree.kind == DECISION
    group = np.where(decision, tree.group, 0)
    counts = np.where(decision, np.array(blueprint.num_buckets, np.int64)[group], 0)
    moves = np.bincount(tree.parent[1:], minlength=len(decision))
    sizes = counts * moves
    total = int(sizes.sum())
    if total > _MOST_CELLS:
        raise BlueprintError(
            f"the strategy has {total:,} actions of buckets, but reviews support at most "
            f"{_MOST_CELLS:,}: use a smaller strategy"
        )
    return np.where(decision, np.cumsum(sizes) - sizes, -1), counts, total


def _built(
    blueprint: Blueprint,
    threshold: float,
    places: tuple[NDArray[np.int64], NDArray[np.int64], int],
    progress: _Progress | None,
    boards: int,
) -> list[NDArray[np.float32]]:
    first, counts, cells = places
    strategy, entered = blueprint.dense(threshold=threshold), _entered(blueprint.tree, *places[:2])
    begun = np.full_like(entered, -1)
    walk = BoardWalk(blueprint, strategy, entered, begun, cells + int(counts.max()))
    moments = _Moments(blueprint, strategy, first, counts, cells)
    for begin in range(0, boards, _PART):
        walk.sums[:] = 0
        end = min(begin + _PART, boards)
        walk.run(begin, end)
        part = walk.sums[0]
        for lane in walk.sums[1:]:
            part += lane
        moments.add(part[:, :cells])
        if progress is not None:
            progress(end, boards)
    del walk, part  # frees half of the memory
    return [*moments.found(), bucket_spread(blueprint, threshold).astype(np.float32)]


def _entered(tree: Tree, first: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """[nodes, 2] offsets where the kernel adds up the EV of an action for its player."""
    entered = np.full((len(first), 2), -1, np.int64)
    for node in np.flatnonzero(first >= 0).tolist():
        children = tree.children(node)
        begin, count = int(first[node]), int(counts[node])
        player = int(tree.player[node])
        entered[children.start : children.stop, player] = begin + count * np.arange(len(children))
    return entered


class _Moments:
    """Sums over parts: of values, of weights, and of products for the standard errors.

    The table is processed in blocks: each array of all cells takes a hundred megabytes.
    """

    def __init__(
        self,
        blueprint: Blueprint,
        strategy: NDArray[np.float32],
        first: NDArray[np.int64],
        counts: NDArray[np.int64],
        cells: int,
    ) -> None:
        self._tree = blueprint.tree
        self._bases = blueprint.tree.table_bases(blueprint.num_buckets)
        self._shares = np.zeros(cells, np.float32)
        self._blocks: list[list[_Place]] = [[]]
        for node in np.flatnonzero(first >= 0).tolist():
            begin, count = int(first[node]), int(counts[node])
            rows = self._rows(strategy, node, count)
            place = _Place(node, begin, begin + rows.size, count)
            self._shares[begin : place.end] = rows.ravel()
            if self._blocks[-1] and place.end - self._blocks[-1][0].begin > _BLOCK:
                self._blocks.append([])
            self._blocks[-1].append(place)
        self._worth, self._weight = np.zeros(cells), np.zeros(cells)
        # Sums of the advantage: an action's EV minus the strategy's.
        self._sum, self._square, self._cross, self._squares = (np.zeros(cells) for _ in range(4))
        self._parts = 0

    def _rows(self, strategy: NDArray[np.float32], node: int, count: int) -> NDArray[np.float32]:
        """[actions, buckets] probabilities of a decision."""
        tree, group = self._tree, int(self._tree.group[node])
        stride, actions = int(tree.group_entries[group]), len(tree.children(node))
        begin = int(self._bases[group]) + int(tree.offset[node])
        where = begin + stride * np.arange(count)[None, :] + np.arange(actions)[:, None]
        rows: NDArray[np.float32] = strategy[where]
        return rows

    def add(self, part: _Floats) -> None:
        """Add a part: [2, cells] value times weight, and weight."""
        for block in self._blocks:
            here = slice(block[0].begin, block[-1].end)
            worth, weight = part[:, here]
            self._worth[here] += worth
            self._weight[here] += weight
            advantage = worth - self._mixed(block, worth * self._shares[here])
            self._sum[here] += advantage
            self._square[here] += advantage**2
            self._cross[here] += advantage * weight
            self._squares[here] += weight**2
        self._parts += 1

    @staticmethod
    def _mixed(block: list[_Place], product: _Floats) -> _Floats:
        """The strategy's own value, in the cells of each action."""
        mixed, zero = np.empty_like(product), block[0].begin
        for _, begin, end, count in block:
            rows = product[begin - zero : end - zero].reshape(-1, count)
            mixed[begin - zero : end - zero] = np.tile(rows.sum(axis=0), len(rows))
        return mixed

    def found(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return EVs and standard errors of advantages; 0 and infinite for unreached cells."""
        values = np.empty(len(self._shares), np.float32)
        errors = np.empty_like(values)
        for block in self._blocks:
            here = slice(block[0].begin, block[-1].end)
            values[here], errors[here] = self._found(block, here)
        return values, errors

    def _found(self, block: list[_Place], here: slice) -> tuple[_Floats, _Floats]:
        known = self._weight[here] > 0
        weight = np.where(known, self._weight[here], 1.0)
        mean = self._sum[here] / weight
        left = self._square[here] - 2 * mean * self._cross[here] + mean**2 * self._squares[here]
        spread = np.sqrt(np.maximum(left, 0) * self._parts / max(1, self._parts - 1))
        values, errors = np.where(known, self._worth[here] / weight, 0.0), spread / weight
        tree = self._tree
        for node, begin, end, _ in block:
            put = int(tree.contributions[node, int(tree.player[node])])
            values[begin - here.start : end - here.start] += put
        return values, np.where(known, errors, np.inf)


class _Place(NamedTuple):
    """The cells of a decision."""

    node: int
    begin: int
    end: int
    buckets: int
