"""AIVAT's value function, from the first strategy file at the table that fits the game.

The value of a state is the EV of the strategy against itself. Boards are sampled, and on each all
hands of both seats are evaluated (`_board_walk`). For each decision and seat a table has the mean
share of the pot by bucket: *entered*, by the bucket at the last action, and at the start of a
street also *begun*, by the bucket with the new cards. The table is computed once for a strategy
file, with a fixed seed, and kept in the cache folder. Bets off the menu are translated to the more
probable of two sizes, and shares are of the real pot.

The name of the value contains the file's checksum and a version. It does not depend on the played
hands: a value that was fitted to them would bias the estimate.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from riverboat.blueprint import Blueprint
from riverboat.bots import BotRef
from riverboat.buckets import bucket_tables
from riverboat.cards import BOARD_CARDS, canonical_boards, hole_index, hole_permutations
from riverboat.errors import GameError
from riverboat.evaluate._aivat_holdem import CheckDown, check_aivat_game
from riverboat.evaluate._board_walk import BoardWalk, kept_tables
from riverboat.files import cache_folder
from riverboat.translation import Place, Tracker
from riverboat.tree import DECISION

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from riverboat.buckets import BucketTables
    from riverboat.evaluate._aivat import AivatValue, Situation
    from riverboat.game import GameSpec, Hand
    from riverboat.tree import Tree

#: Increased when the table of the same strategy changes.
VERSION: Final = 1
#: Number of sampled boards: about 90 s of CPU time for 17,000 nodes.
NUM_BOARDS: Final = 400
_CHUNK: Final = 10
_MOST_CELLS: Final = 40_000_000
_MOST_LINES: Final = 4096


@dataclass(frozen=True)
class _Places:
    """Offsets of the cells of a node and seat; -1 = not stored."""

    entered: NDArray[np.int64]
    """[nodes, 2]"""
    begun: NDArray[np.int64]
    """[nodes, 2]"""
    sizes: NDArray[np.int64]
    """[streets, 2] number of buckets of each seat."""
    num_cells: int


@dataclass(frozen=True)
class WorthTable:
    """Shares of the pot that the strategy wins against itself.

    Attributes
    ----------
    tree
        Tree of the strategy.
    places
        Offsets of the shares.
    shares
        [cells] float32, relative to the pot at the node; above 1 or below 0 where more chips
        follow.
    """

    tree: Tree
    places: _Places
    shares: NDArray[np.float32]

    def entered(
        self, node: int, seat: int, buckets: NDArray[np.intp]
    ) -> NDArray[np.float64] | None:
        """Return a seat's shares after the action that leads to a node: [n]; None if not stored."""
        return self._cells(int(self.places.entered[node, seat]), buckets)

    def begun(self, node: int, seat: int, buckets: NDArray[np.intp]) -> NDArray[np.float64] | None:
        """Return a seat's shares at the first node of a street: [n]; None if not stored."""
        return self._cells(int(self.places.begun[node, seat]), buckets)

    def _cells(self, place: int, buckets: NDArray[np.intp]) -> NDArray[np.float64] | None:
        if place < 0:
            return None
        return self.shares[place + buckets].astype(np.float64)


def worth_table(
    blueprint: Blueprint, digest: str, progress: Callable[[int, int], object] | None = None
) -> WorthTable:
    """Return the table of a strategy for two players, from the cache folder if it is there.

    Parameters
    ----------
    blueprint
        The strategy.
    digest
        Checksum of its file.
    progress
        Called with the number of evaluated boards, and of all boards.
    """
    places = _fitting_places(blueprint)
    shapes = {"shares": (places.num_cells,)}
    tables = kept_tables(table_path(digest), shapes, lambda: [_built(blueprint, places, progress)])
    return WorthTable(blueprint.tree, places, tables[0])


def table_path(digest: str) -> Path:
    """Return the path of the table of a strategy file."""
    return cache_folder() / f"worth-{digest}-v{VERSION}.safetensors"


def _fitting_places(blueprint: Blueprint) -> _Places:
    """Places of as many streets as fit into memory."""
    last = blueprint.tree.num_streets - 1
    while (places := _places(blueprint, last)).num_cells > _MOST_CELLS and last > 0:
        last -= 1
    return places


def _places(blueprint: Blueprint, last: int) -> _Places:
    tree = blueprint.tree
    sizes = np.zeros((tree.num_streets, 2), np.int64)
    sizes[tree.group_street, tree.group_player] = blueprint.num_buckets
    street, parent = tree.street.astype(np.intp), tree.parent.astype(np.intp)
    before = np.where(parent < 0, -1, street[parent])
    kept = (tree.kind == DECISION) & (before <= last)
    entered = np.where((kept & (before >= 0))[:, None], sizes[before], 0)
    begun = np.where((kept & (before != street) & (street <= last))[:, None], sizes[street], 0)
    counts = np.concatenate([entered.ravel(), begun.ravel()])
    first = np.where(counts > 0, np.cumsum(counts) - counts, -1)
    both = first.reshape(2, *entered.shape)
    return _Places(both[0].copy(), both[1].copy(), sizes, int(counts.sum()))


def _built(
    blueprint: Blueprint, places: _Places, progress: Callable[[int, int], object] | None
) -> NDArray[np.float32]:
    room = places.num_cells + int(places.sizes.max())
    walk = BoardWalk(blueprint, blueprint.dense(), places.entered, places.begun, room)
    for first in range(0, NUM_BOARDS, _CHUNK):
        end = min(first + _CHUNK, NUM_BOARDS)
        walk.run(first, end)
        if progress is not None:
            progress(end, NUM_BOARDS)
    sums = walk.sums
    return _shares(blueprint.tree, places, sums.sum(axis=0)[:, : places.num_cells])


def _shares(tree: Tree, places: _Places, sums: NDArray[np.float64]) -> NDArray[np.float32]:
    """Convert sums to shares; an unreached bucket gets the mean of its node."""
    shares = np.zeros(places.num_cells, np.float32)
    chips = tree.contributions.astype(np.float64)
    street = tree.street.astype(np.intp)
    streets = {"entered": street[tree.parent], "begun": street}
    for name, by_node in streets.items():
        first = getattr(places, name)
        for node, seat in zip(*np.nonzero(first >= 0), strict=True):
            begin = first[node, seat]
            cells = slice(begin, begin + places.sizes[by_node[node], seat])
            worth, weight = sums[:, cells]
            total = weight.sum()
            mean = worth.sum() / total if total > 0 else 0.0
            won = np.where(weight > 0, worth / np.where(weight > 0, weight, 1.0), mean)
            shares[cells] = (won + chips[node, seat]) / chips[node].sum()
    return shares


class BlueprintValue:
    """A value function from a strategy file.

    Parameters
    ----------
    name
        Name and version.
    table
        The strategy's shares of the pot by node and bucket.
    buckets
        The strategy's bucket tables.
    """

    def __init__(self, name: str, table: WorthTable, buckets: BucketTables) -> None:
        self.name = name
        self._table, self._buckets = table, buckets
        self._tracker = Tracker(table.tree)
        self._plain = CheckDown()
        # Cache by line, for the latest game.
        self._spec: GameSpec | None = None
        self._places: dict[str, Place] = {}
        self._flops: dict[tuple[int, ...], NDArray[np.intp]] = {}

    def holes(self, hand: Hand, seat: int) -> NDArray[np.float64]:
        """Return the EV by the other seat's pair."""
        shares = self._table.begun(0, 1 - seat, self._buckets.tables[0][0].astype(np.intp))
        return self._plain.holes(hand, seat) if shares is None else _chips(hand, seat, shares)

    def boards(self, at: Situation, new: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the EV after each deal of new cards."""
        node = self._node(at.hand)
        buckets = self._deals(at.hole, at.board, new)
        shares = None if node < 0 else self._table.begun(node, 1 - at.seat, buckets)
        return self._plain.boards(at, new) if shares is None else _chips(at.hand, at.seat, shares)

    def action(self, at: Situation) -> float:
        """Return the EV after an action."""
        node = self._node(at.hand)
        buckets = self._deals(at.hole, at.board, np.empty((1, 0), np.intp))
        shares = None if node < 0 else self._table.entered(node, 1 - at.seat, buckets)
        if shares is None:
            return self._plain.action(at)
        return float(_chips(at.hand, at.seat, shares)[0])

    def _deals(
        self, hole: tuple[int, ...], board: tuple[int, ...], new: NDArray[np.intp]
    ) -> NDArray[np.intp]:
        """The bucket of a hand on each board; cached for flops."""
        if board or not new.shape[1]:
            return self._found(hole, board, new)
        if hole not in self._flops:
            self._flops = {hole: self._found(hole, board, new), **dict([*self._flops.items()][:3])}
        return self._flops[hole]

    def _found(
        self, hole: tuple[int, ...], board: tuple[int, ...], new: NDArray[np.intp]
    ) -> NDArray[np.intp]:
        boards = np.hstack([np.broadcast_to(np.array(board, int), (len(new), len(board))), new])
        return buckets_on(self._buckets, hole_index(*hole), boards.astype(np.uint8))

    def _node(self, hand: Hand) -> int:
        """The node after a line; -1 off the tree."""
        place = self._place(hand)
        if place.node >= 0 and not place.exact and hand.actor is not None:
            place = self._tracker.aligned(place, hand.actor, hand.street)
        decision = place.node >= 0 and self._tracker.nodes.is_decision(place.node)
        return place.node if decision and not place.committed else -1

    def _place(self, hand: Hand) -> Place:
        if hand.spec is not self._spec or len(self._places) > _MOST_LINES:
            self._spec = hand.spec
            self._places = {"": self._tracker.start(hand.spec, hand.starting_stacks)}
        found = self._places.get(hand.line)
        if found is None:
            found = self._places[hand.line] = self._read(hand)
        return found

    def _read(self, hand: Hand) -> Place:
        """Read the last action, and earlier actions that are not cached."""
        before = hand.clone()
        action = str(before.events[-1].action)
        before.undo()
        places = self._tracker.readings(self._place(before), before, action)
        return max(places, key=lambda each: each[1])[0]


def _chips(hand: Hand, seat: int, shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """EV of a seat, from the other seat's shares of the pot."""
    return hand.contributions[1 - seat] - shares * sum(hand.contributions)


def buckets_on(buckets: BucketTables, hole: int, boards: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Return the bucket of a hole pair on many boards of one size: [boards]."""
    street = BOARD_CARDS.index(boards.shape[1])
    found = np.zeros(len(boards), np.intp)
    for seen in range(street + 1) if buckets.recall else (street,):
        cells = _cells(buckets, hole, boards[:, : BOARD_CARDS[seen]])
        found = found * buckets.num_buckets[seen] + cells
    return found


def _cells(buckets: BucketTables, hole: int, boards: NDArray[np.uint8]) -> NDArray[np.intp]:
    table = buckets.tables[BOARD_CARDS.index(boards.shape[1])]
    if not boards.shape[1]:
        return np.full(len(boards), int(table[0, hole]), np.intp)
    ids, moves = canonical_boards(boards)
    cells: NDArray[np.intp] = table[ids, hole_permutations()[moves, hole]].astype(np.intp)
    return cells


def aivat_value(
    spec: GameSpec,
    files: Sequence[Path] = (),
    progress: Callable[[int, int], object] | None = None,
) -> AivatValue:
    """Return the value function for matches of a game, fixed before the first hand.

    Parameters
    ----------
    spec
        Hold'em for two players.
    files
        Strategy files at the table. The first file that fits the game is used, else the default
        strategy if it fits, else checking down.
    progress
        Called with the number of evaluated boards, and of all boards, while a table is computed.
    """
    path = _chosen(spec, files)
    return CheckDown() if path is None else _blueprint_value(path, _digest(path), progress)


def aivat_value_name(spec: GameSpec, files: Sequence[Path] = ()) -> str:
    """Return the name of the value function; it identifies all that its numbers depend on.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> aivat_value_name(catalogue("limit"))
    'checking down, version 1'
    """
    path = _chosen(spec, files)
    return CheckDown.name if path is None else _name(path, _digest(path))


def missing_aivat_table(spec: GameSpec, files: Sequence[Path] = ()) -> Path | None:
    """Return the strategy file whose table must be computed first (a minute), or None.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> missing_aivat_table(catalogue("limit")) is None
    True
    """
    path = _chosen(spec, files)
    return None if path is None or table_path(_digest(path)).is_file() else path


def _chosen(spec: GameSpec, files: Sequence[Path]) -> Path | None:
    check_aivat_game(spec)
    paths = [Path(file) for file in files if Path(file).is_file()]
    paths += BotRef.parse("blueprint").files_for(spec)
    return next((path for path in paths if _plays(path, spec)), None)


def _plays(path: Path, spec: GameSpec) -> bool:
    blueprint = Blueprint.open(path)
    known = blueprint.tree.spec
    if blueprint.cards is None or known.betting != spec.betting:
        return False
    same = len(known.streets) == len(spec.streets)
    return same and not Tracker(blueprint.tree).difference(spec)


def _name(path: Path, digest: str) -> str:
    return f"{path.name} ({digest}) against itself, version {VERSION}"


def _digest(path: Path) -> str:
    return _digest_of(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=16)
def _digest_of(path: Path, changed: int) -> str:
    del changed
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


@lru_cache(maxsize=4)
def _blueprint_value(
    path: Path, digest: str, progress: Callable[[int, int], object] | None
) -> BlueprintValue:
    """The value function of a file, read once per process."""
    blueprint = Blueprint.open(path)
    if blueprint.cards is None:
        raise GameError(f"{path} is not a strategy for hold'em")
    table = worth_table(blueprint, digest, progress)
    return BlueprintValue(_name(path, digest), table, bucket_tables(blueprint.cards))
