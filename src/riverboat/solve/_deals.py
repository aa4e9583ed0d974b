"""Deals: the cards of a game, as a solver sees them.

A dealer returns the bucket of each player in each group of the tree, and the order of hands at the
showdown. Small games are enumerated: all deals with their probabilities, where deals that no player
can distinguish are merged.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, permutations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.buckets import BucketTables, pair_points, swap_values
from riverboat.cards import BOARD_CARDS, HandStrength, StreetName
from riverboat.errors import SolveError
from riverboat.game import GameSpec, Hand
from riverboat.tree import Tree

_Cards = tuple[int, ...]
_MOST_DEALS = 5_000_000


@dataclass(frozen=True)
class Deals:
    """A dealer for a tree.

    Attributes
    ----------
    tree
        The tree of the game.
    compiled
        The dealer of the C++ core.
    bucket_keys
        Keys of the buckets by group (see `bucket_key`); None if buckets come from tables.
    """

    tree: Tree
    compiled: _core.CompiledDealer
    bucket_keys: tuple[tuple[object, ...], ...] | None = None
    num_deals: int | None = None
    """Number of enumerated deals; None if deals are sampled."""
    public: _core.CompiledPublic | None = None
    """The same game as public outcomes with hand vectors, for public-chance sampling."""

    @property
    def num_buckets(self) -> tuple[int, ...]:
        """Number of buckets by group of the tree."""
        return tuple(self.compiled.num_buckets)

    @property
    def num_entries(self) -> int:
        """Entries of a strategy table: one for each action of each infoset."""
        return self.compiled.num_entries

    def rows(self, table: NDArray[Any], group: int) -> NDArray[Any]:
        """Return a view of a group's part of an [entries] table: [buckets, entries].

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> deals = enumerate_deals(Tree(catalogue("kuhn"), "min"))
        >>> deals.rows(np.zeros(deals.num_entries), 1).shape
        (3, 4)
        """
        shape = self.num_buckets[group], int(self.tree.group_entries[group])
        begin = self.compiled.base(group)
        return table[begin : begin + shape[0] * shape[1]].reshape(shape)

    def arrays(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float64]]:
        """Return all deals of an enumerated game as arrays.

        Returns
        -------
        tuple
            [deals, groups] bucket of each group's player; [deals, players] rank of the hands at
            the showdown, higher is better; [deals] probabilities.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> deals = enumerate_deals(Tree(catalogue("kuhn"), "min"))
        >>> buckets, order, chances = deals.arrays()
        >>> buckets[0].tolist(), order[0].tolist(), round(float(chances[0]), 4)
        ([0, 0], [0, 1], 0.1667)
        """
        if self.num_deals is None or self.bucket_keys is None:
            raise SolveError("these deals are sampled and cannot be listed: use enumerate_deals")
        buckets, strengths, weights, _ = _enumerated(self.tree)
        return buckets, strengths, weights / weights.sum()


def enumerate_deals(tree: Tree) -> Deals:
    """Enumerate all deals of a small game, with lossless buckets.

    Parameters
    ----------
    tree
        Tree of a game without swaps, with at most five million deals.

    Returns
    -------
    Deals
        A bucket is a pair of hole cards and board, up to isomorphism.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> deals = enumerate_deals(Tree(catalogue("kuhn"), "min"))
    >>> deals.num_deals, deals.num_buckets
    (6, (3, 3))
    """
    buckets, strengths, weights, keys = _enumerated(tree)
    compiled = _core.enumerated_dealer(tree.compiled, buckets.ravel(), strengths.ravel(), weights)
    return Deals(tree, compiled, keys, len(weights))


_Enumerated = tuple[
    NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float64], tuple[tuple[object, ...], ...]
]


def _enumerated(tree: Tree) -> _Enumerated:
    """Buckets, ranks and weights of all deals, and the keys of the buckets."""
    spec = tree.spec
    groups = list(zip(tree.group_player.tolist(), tree.group_street.tolist(), strict=True))
    check_enumerable(spec)
    keys: list[dict[object, int]] = [{} for _ in groups]
    merged: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = defaultdict(float)

    @cache  # independent of the opponents' cards
    def key(hole: _Cards, board: _Cards, street: int) -> object:
        return bucket_key(spec, hole, board, street)

    for holes, board in all_deals(spec):
        buckets = tuple(
            keys[index].setdefault(key(holes[player], board, street), len(keys[index]))
            for index, (player, street) in enumerate(groups)
        )
        merged[buckets, _order(spec, holes, board)] += 1.0
    return (
        np.array([buckets for buckets, _ in merged], np.uint32),
        np.array([order for _, order in merged], np.uint32),
        np.array(list(merged.values()), np.float64),
        tuple(tuple(group) for group in keys),
    )


def bucket_key(spec: GameSpec, hole: _Cards, board: _Cards, street: int) -> object:
    """Return the key of a bucket of an enumerated game: hole cards and board up to isomorphism.

    Parameters
    ----------
    spec
        The game.
    hole, board
        Cards of the hand; those of later streets are ignored.
    street
        Index of the street, from 0.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> tree = Tree(catalogue("leduc"), "min")
    >>> key = bucket_key(tree.spec, (47,), (46,), 1)  # king of spades, king of hearts
    >>> key == bucket_key(tree.spec, (46,), (47,), 1)
    True
    >>> enumerate_deals(tree).bucket_keys[2].index(key)
    8
    """
    parts = [hole[: _hole_count(spec, street)]]
    dealt = 0
    for before in spec.streets[: street + 1]:
        parts.append(board[dealt : dealt + before.board])
        dealt += before.board

    def image(cards: dict[int, int]) -> tuple[_Cards, ...]:
        return tuple(tuple(sorted(cards[card] for card in part)) for part in parts)

    return min(image(cards) for cards in suit_renamings(spec))


def _hole_count(spec: GameSpec, street: int | None = None) -> int:
    streets = spec.streets if street is None else spec.streets[: street + 1]
    return sum(dealt.hole for dealt in streets)


def check_enumerable(spec: GameSpec) -> None:
    """Refuse a game whose deals cannot be enumerated, with the reason.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> check_enumerable(catalogue("kuhn").replace(name="big", ranks="23456789TJQKA"))
    >>> check_enumerable(catalogue("limit"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    riverboat.errors.SolveError: limit has ... deals: at most 5,000,000 can be enumerated
    """
    if spec.has_discards:
        raise SolveError(f"{spec.name} has swaps: its deals are sampled, not enumerated")
    if any(street.hole for street in spec.streets[1:]):
        raise SolveError(f"{spec.name} deals hole cards on later streets: it cannot be enumerated")
    left, count = len(spec.deck), 1
    for _ in range(spec.players):
        count *= comb(left, _hole_count(spec))
        left -= _hole_count(spec)
    for street in spec.streets:
        count *= comb(left, street.board)
        left -= street.board
    if count > _MOST_DEALS:
        raise SolveError(
            f"{spec.name} has {count:,} deals: at most {_MOST_DEALS:,} can be enumerated"
        )


def all_deals(spec: GameSpec) -> Iterator[tuple[tuple[_Cards, ...], _Cards]]:
    """Yield each deal once: (hole cards by seat, board in the order of dealing)."""
    hole, players = _hole_count(spec), spec.players

    def boards(deck: _Cards, street: int, dealt: _Cards) -> Iterator[_Cards]:
        if street == len(spec.streets):
            yield dealt
            return
        for cards in combinations(deck, spec.streets[street].board):
            rest = tuple(card for card in deck if card not in cards)
            yield from boards(rest, street + 1, dealt + cards)

    def holes(deck: _Cards, seat: int) -> Iterator[tuple[tuple[_Cards, ...], _Cards]]:
        if seat == players:
            yield (), deck
            return
        for cards in combinations(deck, hole):
            rest = tuple(card for card in deck if card not in cards)
            for others, left in holes(rest, seat + 1):
                yield (cards, *others), left

    for held, deck in holes(tuple(spec.deck), 0):
        for board in boards(deck, 0, ()):
            yield held, board


@lru_cache(maxsize=16)
def suit_renamings(spec: GameSpec) -> list[dict[int, int]]:
    """Return the isomorphisms of a deck, as maps from cards to cards.

    If only ranks count at the showdown, all cards of a rank are mapped to one number.
    """
    if spec.showdown in {"one-card", "leduc"}:
        return [{card: card // 4 for card in spec.deck}]
    suits = sorted({card % 4 for card in spec.deck})
    full = all(4 * (card // 4) + suit in spec.deck for card in spec.deck for suit in suits)
    orders = permutations(suits) if full else [tuple(suits)]
    return [
        {
            card: card - card % 4 + dict(zip(suits, order, strict=True))[card % 4]
            for card in spec.deck
        }
        for order in orders
    ]


def _order(spec: GameSpec, holes: tuple[_Cards, ...], board: _Cards) -> tuple[int, ...]:
    """Rank of each seat's hand at the showdown, 0 = weakest; equal hands have equal ranks."""
    strengths = strengths_of(spec, holes, board)
    ladder = sorted(set(strengths))
    return tuple(ladder.index(strength) for strength in strengths)


def strengths_of(spec: GameSpec, holes: tuple[_Cards, ...], board: _Cards) -> list[int]:
    """Return the strength of each seat's hand at the showdown."""
    hand = Hand(spec, hole=[list(hole) for hole in holes], board=list(board))
    while not hand.finished:
        hand.check_or_call()
    return _core.showdown_strengths(hand)


# ---- Hold'em


_SWAP_STREETS: dict[int, StreetName] = {3: "flop", 4: "turn"}  # by cards on the board


_Rule = tuple[int, NDArray[np.int32], NDArray[np.uint32], float]


class FixedSwaps(NamedTuple):
    """Swaps by a rule: each player swaps a card whenever that gains enough equity."""

    game: GameSpec
    """The game with swaps; the tree's game has none."""
    gain: float
    """Minimum gain of equity against a random hand, without later swaps."""


def holdem_deals(
    tree: Tree,
    abstraction: BucketTables,
    tables: HandStrength | None = None,
    fixed: FixedSwaps | None = None,
) -> Deals:
    """Deal hold'em at random from a deck of 52 cards, with the buckets of an abstraction.

    In games with swaps a deal has the results of all sequences of a player's swaps: replacement
    cards are drawn beforehand, and a swap discards the hole card that has the lower value next to
    a random other card (see `swap_values`).

    Parameters
    ----------
    tree
        Tree of a game with two hole cards and boards of 0, 3, 4 and 5 cards.
    abstraction
        Bucket tables up to the game's last street. With recall a bucket includes the player's
        buckets of earlier streets, each of the cards held at the end of that street; the streets
        of the game must then be preflop, flop, turn and river, or the first of them.
    tables
        Hand-strength tables, for games with swaps only; by default those of the cache folder.
    fixed
        Swaps by a rule, which are not decisions of the tree.

    Examples
    --------
    >>> from riverboat.buckets import bucket_tables, make_abstraction
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import Scheme, Solver
    >>> buckets = bucket_tables(make_abstraction("suitless 2"))
    >>> deals = holdem_deals(Tree(catalogue("cardiff"), "cardiff"), buckets)
    >>> Solver(deals, Scheme("external"), seed=1).run_all(iterations=100).iterations
    100
    """
    streets = _table_streets(tree.spec, abstraction)
    swap_boards = _swap_boards(fixed.game if fixed else tree.spec)
    rules: list[_Rule] = []
    values: list[NDArray[np.uint32]] = []
    if swap_boards:
        tables = tables or HandStrength()
        if fixed:
            rules = list(_rules(fixed, tables))
        else:
            values = [swap_values(tables, _SWAP_STREETS[board]) for board in swap_boards]
    compiled = _core.holdem_dealer(
        tree.compiled,
        [abstraction.tables[street] for street in streets],
        [abstraction.num_buckets[street] for street in streets],
        values,
        abstraction.recall,
        rules,
    )
    return Deals(tree, compiled)


def _rules(fixed: FixedSwaps, tables: HandStrength) -> Iterator[_Rule]:
    """Yield the arrays of each fixed swap, with the least gain in half-points of the tables."""
    for street, board in zip(fixed.game.swap_streets, _swap_boards(fixed.game), strict=True):
        name = _SWAP_STREETS[board]
        whole = 2 * tables.counts(0, range(10, 10 + board))[2]
        yield street, pair_points(tables, name), swap_values(tables, name), fixed.gain * whole


def _table_streets(spec: GameSpec, abstraction: BucketTables) -> list[int]:
    """Index of the bucket table of each street of the game."""
    boards = list(spec.board_sizes)
    if any(board not in BOARD_CARDS for board in boards):
        raise SolveError(
            f"{spec.name} has boards of {boards} cards, but bucket tables need boards of 0, 3, 4 "
            "or 5 cards"
        )
    streets = [BOARD_CARDS.index(board) for board in boards]
    if max(streets) >= len(abstraction.tables):
        raise SolveError(
            f"{spec.name} has boards of {max(boards)} cards, but the abstraction "
            f"'{abstraction.name}' ends at {BOARD_CARDS[len(abstraction.tables) - 1]}"
        )
    if abstraction.recall and streets != list(range(len(streets))):
        raise SolveError(
            f"{spec.name} has boards of {boards} cards, but recall needs boards of 0, 3, 4 and 5 "
            "cards, in this order"
        )
    return streets


def _swap_boards(spec: GameSpec) -> list[int]:
    """Number of board cards at each swap."""
    swaps = [spec.board_sizes[street] for street in spec.swap_streets]
    if any(board not in _SWAP_STREETS for board in swaps):
        raise SolveError(
            f"{spec.name} has swaps on boards of {swaps} cards, but only boards of 3 and 4 cards "
            "are supported"
        )
    return swaps
