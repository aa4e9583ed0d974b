"""Buckets of a view and of all hole pairs on a board, and the texts of buckets.

They are the same as in training. Hold'em buckets are read from the tables in the cache folder if
those are built, otherwise computed with the abstraction's rules; both agree. In small games with
enumerated deals a bucket is the cards that the player has seen.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from riverboat.buckets import (
    CardAbstraction,
    ProgressCall,
    bucket_tables,
    built_tables,
    no_progress,
)
from riverboat.cards import (
    BOARD_CARDS,
    HOLE_CLASS,
    HOLES,
    NUM_CLASSES,
    NUM_HOLES,
    RANKS,
    HandStrength,
    canonical_board,
    cards_text,
    class_text,
    hole_index,
    hole_permutations,
    live_holes,
)
from riverboat.errors import DamagedFileError
from riverboat.solve import bucket_key, enumerate_deals

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from riverboat.blueprint._layout import OnProgress
    from riverboat.buckets import StreetRule
    from riverboat.files import ArrayFile
    from riverboat.game import GameSpec, View
    from riverboat.tree import Tree

_Cards = tuple[int, ...]
# Size of the cache of buckets: those of some hands.
_MOST_REMEMBERED = 4096
_MOST_BOARDS = 256

_RANKS_ONLY = ("one-card", "leduc")  # showdowns without suits


class BucketFinder(Protocol):
    """Finds the bucket of a view's hole cards."""

    def find(self, view: View, node: int) -> int | None:
        """Return the bucket at a decision; None if the cards are unknown."""
        ...


class HeldCards:
    """Stores a seat's hole cards on each street of one hand, in games with swaps.

    A view shows the current hole cards and the discarded ones, but not the pair on earlier
    streets; that comes from earlier views of the same hand. A seat acts at every swap, so a bot
    that passes all its views always gets an answer. Several bots may share one strategy, one per
    seat.

    Parameters
    ----------
    spec
        The game.
    """

    def __init__(self, spec: GameSpec) -> None:
        self._swaps = frozenset(spec.swap_streets)
        self._held: list[dict[int, _Cards]] = [{} for _ in range(spec.players)]

    def look(self, view: View) -> None:
        """Store a view's hole cards; a new hand replaces the stored ones."""
        if not self._swaps:
            return
        held = self._held[view.seat]
        seen = {*view.hole, *view.discarded}
        known = {card for hole in held.values() for card in hole}
        if not known <= seen or view.street < max(held, default=0):
            held.clear()
        # Before its own swap a seat still has the cards of the previous street.
        street = view.street - bool(view.legal.discards)
        held[street] = view.hole
        while street > 0 and street not in self._swaps:
            street -= 1
            held[street] = view.hole

    def on(self, street: int, view: View) -> _Cards | None:
        """Return the hole cards at the end of a street, or the view's own on its street."""
        if street == view.street or not view.discarded:
            return view.hole
        return self._held[view.seat].get(street)


class HoldemBuckets:
    """Buckets of a card abstraction.

    Parameters
    ----------
    cards
        The abstraction.
    spec
        The tree's game.
    folder
        Folder of bucket tables; by default the cache folder.

    Examples
    --------
    >>> from riverboat.buckets import make_abstraction
    >>> from riverboat.game import Hand, catalogue
    >>> game = catalogue("nolimit-100bb")
    >>> finder = HoldemBuckets(make_abstraction("lossless"), game)
    >>> finder.find(Hand(game, hole=["AhAd", "??"]).view(0), node=0)
    0
    """

    def __init__(
        self, cards: CardAbstraction, spec: GameSpec, folder: Path | str | None = None
    ) -> None:
        self._cards = cards
        self._board_counts = spec.board_sizes
        self._held = HeldCards(spec)
        self._folder = folder
        self._tables = self._built()
        self._known: dict[tuple[_Cards, _Cards], int] = {}
        self._all: dict[_Cards, NDArray[np.intp]] = {}
        self._strength = cache(lambda: HandStrength(folder))

    def find(self, view: View, node: int) -> int | None:
        """Return the bucket of the view's hole cards."""
        del node  # one bucket serves all decisions of a street
        if not self._cards.recall:
            return self._street_bucket(view.hole, view.board)
        self._held.look(view)
        buckets = []
        for street in range(view.street + 1):
            hole = self._held.on(street, view)
            count = self._board_counts[street]
            bucket = None if hole is None else self._street_bucket(hole, view.board[:count])
            if bucket is None:
                return None
            buckets.append(bucket)
        return self._cards.combine(buckets)

    def build_tables(self, progress: ProgressCall = no_progress) -> None:
        """Build the missing tables, for queries on many boards."""
        sizes = zip(BOARD_CARDS, self._cards.rules, strict=False)
        if any(rule.needs_tables and size not in self._tables for size, rule in sizes):
            bucket_tables(self._cards, folder=self._folder, progress=progress)
            self._tables = self._built()

    def _built(self) -> dict[int, ArrayFile]:
        """Tables by size of board; rules on ranks and suits only need none."""
        built = built_tables(self._cards, self._folder)
        return {
            size: file
            for size, file, rule in zip(BOARD_CARDS, built, self._cards.rules, strict=False)
            if file is not None and rule.needs_tables
        }

    def find_all(self, board: _Cards) -> NDArray[np.intp]:
        """Return the buckets of all hole pairs on a board: [1326] intp.

        For games without swaps. The buckets of dead pairs are undefined.

        Parameters
        ----------
        board
            0, 3, 4 or 5 cards, in the order of dealing.
        """
        buckets = self._all.get(board)
        if buckets is None:
            if len(self._all) >= _MOST_BOARDS:
                self._all.clear()
            buckets = self._all_of_street(board)
            if self._cards.recall and board:
                street = BOARD_CARDS.index(len(board))
                earlier = self.find_all(board[: BOARD_CARDS[street - 1]])
                buckets = buckets + earlier * self._cards.rules[street].num_buckets
            self._all[board] = buckets
        return buckets

    def _all_of_street(self, board: _Cards) -> NDArray[np.intp]:
        """Buckets without recall, from the street's table or computed here."""
        table = self._tables.get(len(board))
        if table is not None:
            return _in_suits_of(board, lambda begin: table.rows("buckets", begin, begin + 1))
        rule = self._cards.rules[BOARD_CARDS.index(len(board))]
        return _row_of(rule, board, self._strength() if rule.needs_tables else None)

    def _street_bucket(self, hole: _Cards, board: _Cards) -> int | None:
        bucket = self._known.get((hole, board))
        if bucket is None and min(hole + board) >= 0:
            bucket = self._find_bucket(hole, board)
            if len(self._known) >= _MOST_REMEMBERED:
                self._known.clear()
            self._known[hole, board] = bucket
        return bucket

    def _find_bucket(self, hole: _Cards, board: _Cards) -> int:
        """Bucket from the street's table; computed if the table is missing or damaged."""
        table = self._tables.get(len(board))
        if table is None:
            return self._cards.street_bucket(list(hole), list(board))
        canonical = canonical_board(list(board))
        try:
            row = table.rows("buckets", canonical.id, canonical.id + 1)[0]
        except DamagedFileError:
            del self._tables[len(board)]
            return self._find_bucket(hole, board)
        return int(row[hole_permutations()[canonical.permutation][hole_index(*hole)]])


class EnumeratedBuckets:
    """Buckets of a game whose deals are enumerated.

    Parameters
    ----------
    tree
        The betting tree.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> from riverboat.tree import Tree
    >>> tree = Tree(catalogue("kuhn"), "min")
    >>> finder = EnumeratedBuckets(tree)
    >>> [finder.find(Hand(tree.spec, hole=[card, "??"]).view(0), 0) for card in ("Js", "Qs", "Ks")]
    [0, 1, 2]
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        keys = enumerate_deals(tree).bucket_keys or ()
        self._numbers = [{key: number for number, key in enumerate(group)} for group in keys]

    @property
    def keys(self) -> tuple[tuple[object, ...], ...]:
        """By group of the tree, the cards seen of each bucket."""
        return tuple(tuple(numbers) for numbers in self._numbers)

    def find(self, view: View, node: int) -> int | None:
        """Return the bucket of the cards that the view's seat has seen."""
        if min(view.hole + view.board, default=-1) < 0:
            return None
        key = bucket_key(self._tree.spec, view.hole, view.board, view.street)
        return self._numbers[int(self._tree.group[node])].get(key)


def board_buckets(
    cards: CardAbstraction,
    board: tuple[int, ...],
    open_tables: Callable[[], HandStrength | None],
    progress: OnProgress | None = None,
) -> list[NDArray[np.intp]]:
    """Return the buckets of all hole pairs on each street up to a board, [1326] each.

    -1 for dead pairs.
    """
    streets: list[NDArray[np.intp]] = []
    for size, rule in zip(BOARD_CARDS, cards.rules, strict=False):
        if size > len(board):
            break
        own = _own_buckets(rule, board[:size], open_tables, progress)
        if cards.recall and streets:
            own = own + streets[-1] * rule.num_buckets
        streets.append(own)
    sized = zip(BOARD_CARDS, streets, strict=False)
    return [np.where(live_holes(board[:size]), buckets, -1) for size, buckets in sized]


def hand_buckets(
    cards: CardAbstraction,
    board: tuple[int, ...],
    open_tables: Callable[[], HandStrength | None] = lambda: None,
) -> NDArray[np.intp]:
    """Return the buckets of all hole pairs on a board, [1326]; -1 for dead pairs.

    Parameters
    ----------
    cards
        The abstraction, with a rule for the board's street.
    board
        The board, in the order of dealing.
    open_tables
        Returns the hand-strength tables, or None: then buckets are computed hand by hand.
    """
    if cards.recall:
        return board_buckets(cards, board, open_tables)[-1]
    own = _own_buckets(cards.rules[BOARD_CARDS.index(len(board))], board, open_tables, None)
    return np.where(live_holes(board), own, -1)


def _own_buckets(
    rule: StreetRule,
    board: tuple[int, ...],
    open_tables: Callable[[], HandStrength | None],
    progress: OnProgress | None,
) -> NDArray[np.intp]:
    """Buckets of one street, from the tables if they are built."""
    tables = open_tables() if rule.needs_tables else None
    if tables is None and rule.needs_tables:
        return _on_the_fly(rule, board, progress)
    return _row_of(rule, board, tables)


def _row_of(
    rule: StreetRule, board: tuple[int, ...], tables: HandStrength | None
) -> NDArray[np.intp]:
    """One row of the rule's table, for the board's own suits."""

    def row(begin: int) -> NDArray[np.uint32]:
        out = np.zeros((1, NUM_HOLES), np.uint32)
        rule.fill(cast("HandStrength", tables), begin, out)
        return out

    return _in_suits_of(board, row)


def _in_suits_of(board: tuple[int, ...], row_of: Callable[[int], NDArray[Any]]) -> NDArray[np.intp]:
    """[1326] buckets on a board, from the row of its canonical board."""
    place = canonical_board(list(board)) if board else None
    buckets: NDArray[np.intp] = row_of(place.id if place else 0)[0].astype(np.intp)
    return buckets if place is None else buckets[hole_permutations()[place.permutation]]


def _on_the_fly(
    rule: StreetRule, board: tuple[int, ...], progress: OnProgress | None
) -> NDArray[np.intp]:
    """[1326] buckets on a board without tables, hand by hand."""
    buckets = np.zeros(NUM_HOLES, np.intp)
    for index, hole in enumerate(HOLES.tolist()):
        if not set(hole) & set(board):
            buckets[index] = rule.bucket(hole, board)
        if progress is not None:
            progress(index + 1, NUM_HOLES)
    return buckets


def bucket_texts(tree: Tree, cards: CardAbstraction | None) -> tuple[tuple[str, ...] | None, ...]:
    """Return the text of each bucket by group of the tree; None if a bucket has several hands.

    In enumerated games it is the cards that the player has seen, `K/Q` for a king with a queen on
    the board; suits are up to isomorphism. Before the flop of hold'em it is the starting class,
    `AKs`, if each class is a bucket.
    """
    if cards is None:
        return _enumerated_texts(tree)
    classes = _class_texts(cards)
    streets = tree.group_street.tolist()
    return tuple(classes if street == 0 else None for street in streets)


def _enumerated_texts(tree: Tree) -> tuple[tuple[str, ...] | None, ...]:
    ranks_only = tree.spec.showdown in _RANKS_ONLY

    def text(part: tuple[int, ...]) -> str:
        return "".join(RANKS[rank] for rank in part) if ranks_only else cards_text(part)

    keys = enumerate_deals(tree).bucket_keys or ()
    return tuple(
        tuple("/".join(text(part) for part in key if part) for key in group)  # type: ignore[attr-defined]  # a key is a tuple of cards
        for group in keys
    )


def _class_texts(cards: CardAbstraction) -> tuple[str, ...] | None:
    if cards.num_buckets[0] != NUM_CLASSES:
        return None
    texts = [""] * NUM_CLASSES
    for hole, pair in enumerate(HOLES.tolist()):
        texts[cards.street_bucket(pair)] = class_text(HOLE_CLASS[hole])
    return tuple(texts)
