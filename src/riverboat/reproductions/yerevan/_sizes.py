"""How many hands and information sets limit hold'em has, counted by formula and by enumeration.

A player remembers the order of the streets: the same five board cards with another turn card are
another hand. Hands up to isomorphism are counted by the lemma of Cauchy and Frobenius: their number
is the mean, over all permutations of the suits, of the number of hands that the permutation keeps.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations, product
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import BOARD_CARDS, HandIndexer
from riverboat.game import GameSpec, Hand, catalogue
from riverboat.reproductions._run import Found
from riverboat.reproductions.yerevan._training import DATA
from riverboat.solve import SCHEMES, bytes_per_entry
from riverboat.tree import Tree

#: Cards of each street: hole cards, flop, turn, river.
_DEALT = (2, 3, 1, 1)


def count_hands(ranks: int, suits: int, *, isomorphic: bool) -> list[int]:
    """Count the hands of each street, with the order of the streets.

    Examples
    --------
    >>> count_hands(13, 4, isomorphic=True)  # Waugh 2013
    [169, 1286792, 55190538, 2428287420]
    >>> count_hands(13, 4, isomorphic=False)
    [1326, 25989600, 1221511200, 56189515200]
    """
    renamings = list(permutations(range(suits)))[: None if isomorphic else 1]
    streets = [_DEALT[: street + 1] for street in range(len(_DEALT))]
    return [
        sum(_kept(dealt, _cycles(order, ranks)) for order in renamings) // len(renamings)
        for dealt in streets
    ]


def _cycles(order: Sequence[int], ranks: int) -> Counter[int]:
    """Return how many cycles of each length a permutation of the suits has on the cards."""
    found, seen = Counter[int](), set[int]()
    for suit in order:
        length = 0
        while suit not in seen:
            seen.add(suit)
            suit, length = order[suit], length + 1  # noqa: PLW2901 - follows the cycle
        found[length] += ranks if length else 0
    return +found


def _kept(dealt: Sequence[int], cycles: Counter[int]) -> int:
    """Count the deals of these numbers of cards in which each street is a union of cycles."""
    if not dealt:
        return 1
    lengths, total = sorted(cycles), 0
    for chosen in product(*(range(dealt[0] // length + 1) for length in lengths)):
        if sum(n * length for n, length in zip(chosen, lengths, strict=True)) == dealt[0]:
            used = Counter(dict(zip(lengths, chosen, strict=True)))
            ways = prod(comb(cycles[length], used[length]) for length in lengths)
            total += ways * _kept(dealt[1:], cycles - used) if ways else 0
    return total


def enumerate_hands(ranks: int, suits: int, *, isomorphic: bool) -> list[int]:
    """Count the same hands by dealing all of them: an independent check for a small deck.

    Examples
    --------
    >>> enumerate_hands(3, 3, isomorphic=True) == count_hands(3, 3, isomorphic=True)
    True
    """
    renamings = list(permutations(range(suits)))[: None if isomorphic else 1]
    return [
        len(np.unique(np.min([_keys(deals, order, ranks) for order in renamings], axis=0)))
        for deals in _all_deals(ranks * suits)
    ]


def _all_deals(cards: int) -> list[NDArray[np.int64]]:
    """Return [deals, cards] all deals up to each street; card = rank + ranks x suit."""
    found: list[NDArray[np.int64]] = []
    dealt = np.empty((1, 0), np.int64)
    for count in _DEALT:
        new = np.array(list(combinations(range(cards), count)), np.int64)
        both = np.concatenate(
            [np.repeat(dealt, len(new), axis=0), np.tile(new, (len(dealt), 1))], 1
        )
        masks = np.bitwise_or.reduce(1 << both, axis=1)
        dealt = both[np.bitwise_count(masks) == both.shape[1]] if both.shape[1] else both
        found.append(dealt)
    return found


def _keys(deals: NDArray[np.int64], order: Sequence[int], ranks: int) -> NDArray[np.int64]:
    """Return a number for each deal after renaming the suits; the order within a street is lost."""
    renamed = np.array(order)[deals // ranks] * ranks + deals % ranks
    ends = np.cumsum(_DEALT)
    streets = [np.sort(part, axis=1) for part in np.split(renamed, ends[ends < deals.shape[1]], 1)]
    cards = np.concatenate(streets, axis=1)
    base = ranks * len(order)
    return cards @ (base ** np.arange(cards.shape[1], dtype=np.int64))


def count_decisions(spec: GameSpec) -> list[int]:
    """Count the betting decisions by street by playing all lines.

    Examples
    --------
    >>> count_decisions(catalogue("limit"))
    [8, 70, 630, 5670]
    """
    found = Counter[int]()

    def play(hand: Hand) -> None:
        if hand.actor is None:
            return
        found[hand.street] += 1
        calling = hand.clone()
        calling.check_or_call()
        play(calling)  # after a fold nobody decides
        if hand.can_raise:
            raising = hand.clone()
            raising.bet_to(raising.min_raise_to or 0)
            play(raising)

    play(Hand(spec, seed=1))
    return [found[street] for street in range(len(spec.streets))]


def full_needs(tree: Tree, buckets: Sequence[int]) -> list[Found]:
    """Compute hands, information sets and table bytes of Pure CFR with 52 cards.

    Without buckets a player remembers the order of the streets. `forgetting` has the boards as
    sets, as our bucket tables do: the strategy of a street does not know which card came when.
    """
    every, classes = (count_hands(13, 4, isomorphic=which) for which in (False, True))
    forgetting = [HandIndexer((2, board)).size(1) if board else 169 for board in BOARD_CARDS]
    labels, size = DATA.namings, bytes_per_entry(SCHEMES["pure"])
    ways = {
        labels.every: every,
        labels.classes: classes,
        labels.forgetting: forgetting,
        labels.buckets: buckets,
    }
    return [
        Found(
            label=label,
            hands=tuple(hands),
            infosets=sum(tree.num_infosets(hands)),
            table_bytes=tree.memory(hands, size),
        )
        for label, hands in ways.items()
    ]


def check_counts(ranks: str, suits: str) -> Found:
    """Count the information sets of four streets with a small deck in two independent ways.

    By formula: hands from `count_hands`, decisions from the tree. By enumeration: all deals and all
    betting lines are played.
    """
    limit = catalogue("limit")
    tree, played = Tree(limit, "min"), count_decisions(limit)
    size, found = (len(ranks), len(suits)), Found()
    for name, isomorphic in (("every", False), ("classes", True)):
        formula = count_hands(*size, isomorphic=isomorphic)
        dealt = enumerate_hands(*size, isomorphic=isomorphic)
        found[name] = Found(
            formula=sum(tree.num_infosets(formula)),
            enumerated=sum(n * hands for n, hands in zip(played, dealt, strict=True)),
        )
    return Found(cards=len(ranks) * len(suits), ways=found)
