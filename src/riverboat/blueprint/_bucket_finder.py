"""The bucket of a seat's cards, from what it sees: the same as in training.

Hold'em buckets come from the tables in the cache folder where they are built, else from the
abstraction's rules on the fly; both agree. In small games whose deals are enumerated a bucket
is what the player has seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from riverboat.buckets import built_tables
from riverboat.cards import BOARD_CARDS, canonical_board, hole_index, hole_permutations
from riverboat.errors import DamagedFileError
from riverboat.solve import bucket_key, enumerate_deals

if TYPE_CHECKING:
    from pathlib import Path

    from riverboat.buckets import CardAbstraction
    from riverboat.game import GameSpec, View
    from riverboat.tree import Tree

__all__ = ["BucketFinder", "EnumeratedBuckets", "HeldCards", "HoldemBuckets"]

_Cards = tuple[int, ...]
# So many buckets are remembered: those of some hands.
_MOST_REMEMBERED = 4096


class BucketFinder(Protocol):
    """Finds the bucket of a view's own cards."""

    def find(self, view: View, node: int) -> int | None:
        """Return the bucket at a decision; None if the cards are not known."""
        ...


class HeldCards:
    """Remembers the own cards of one hand by seat and street, in games with swaps.

    A view shows the own cards now and those given away, but not which pair they were: that is
    remembered from the views of the same hand before. A seat is asked at every swap, so whoever
    shows all his views is never without an answer. Several bots may ask one strategy in turn, one
    in each seat.

    Parameters
    ----------
    spec
        The game.
    """

    def __init__(self, spec: GameSpec) -> None:
        self._swaps = frozenset(spec.swap_streets)
        self._held: list[dict[int, _Cards]] = [{} for _ in range(spec.players)]

    def look(self, view: View) -> None:
        """Take in a view; those of another hand replace what is remembered."""
        if not self._swaps:
            return
        held = self._held[view.seat]
        seen = {*view.hole, *view.discarded}
        known = {card for hole in held.values() for card in hole}
        if not known <= seen or view.street < max(held, default=0):
            held.clear()
        # Before his own swap a seat still holds what it held on the street before.
        street = view.street - bool(view.legal.discards)
        held[street] = view.hole
        while street > 0 and street not in self._swaps:
            street -= 1
            held[street] = view.hole

    def on(self, street: int, view: View) -> _Cards | None:
        """Return the cards held at the end of a street, or now on the view's own."""
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
        Where bucket tables may be; the user's cache folder by default.

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
        # Rules that look at ranks and suits only are as fast as their tables.
        built = built_tables(cards, folder)
        self._tables = {
            size: file
            for size, file, rule in zip(BOARD_CARDS, built, cards.rules, strict=False)
            if file is not None and rule.needs_tables
        }
        self._known: dict[tuple[_Cards, _Cards], int] = {}

    def find(self, view: View, node: int) -> int | None:
        """Return the bucket of the view's own cards."""
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

    def _street_bucket(self, hole: _Cards, board: _Cards) -> int | None:
        bucket = self._known.get((hole, board))
        if bucket is None and min(hole + board) >= 0:
            bucket = self._looked_up(hole, board)
            if len(self._known) >= _MOST_REMEMBERED:
                self._known.clear()
            self._known[hole, board] = bucket
        return bucket

    def _looked_up(self, hole: _Cards, board: _Cards) -> int:
        """From the table of the street; without tables where there is none, or it is damaged."""
        table = self._tables.get(len(board))
        if table is None:
            return self._cards.street_bucket(list(hole), list(board))
        found = canonical_board(list(board))
        try:
            row = table.rows("buckets", found.id, found.id + 1)[0]
        except DamagedFileError:
            del self._tables[len(board)]
            return self._looked_up(hole, board)
        return int(row[hole_permutations()[found.permutation][hole_index(*hole)]])


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
        """By group of the tree, what each bucket means."""
        return tuple(tuple(numbers) for numbers in self._numbers)

    def find(self, view: View, node: int) -> int | None:
        """Return the bucket of what the view's seat has seen."""
        if min(view.hole + view.board, default=-1) < 0:
            return None
        key = bucket_key(self._tree.spec, view.hole, view.board, view.street)
        return self._numbers[int(self._tree.group[node])].get(key)
