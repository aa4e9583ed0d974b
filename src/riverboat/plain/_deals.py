"""All deals of a small game, by brute force: every order of the cards is equally likely.

For games without swaps. A bucket is what its player has seen: his hole cards and
the board by street, with suits that cannot matter taken out.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations
from typing import TYPE_CHECKING

from riverboat.plain._poker_rules import showdown_strength

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riverboat.game import GameSpec
    from riverboat.tree import Tree

Key = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Deal:
    """The cards of one hand, as a solver sees them.

    Examples
    --------
    >>> Deal(1 / 6, (0, 1), (0, 1)).buckets
    (0, 1)
    """

    weight: float
    """How likely it is, up to a factor."""
    buckets: tuple[int, ...]
    """The bucket of each group's player there."""
    strengths: tuple[int, ...]
    """Of each player's hand at the showdown; bigger is better."""


def card_deals(spec: GameSpec) -> Iterator[tuple[list[tuple[int, ...]], tuple[int, ...]]]:
    """Yield (hole cards by seat, board) of all deals; each hand of cards once."""

    def choose(deck: frozenset[int], counts: list[int]) -> Iterator[list[tuple[int, ...]]]:
        if not counts:
            yield []
            return
        for cards in combinations(sorted(deck), counts[0]):
            for rest in choose(deck - set(cards), counts[1:]):
                yield [cards, *rest]

    hole = sum(street.hole for street in spec.streets)
    counts = [hole] * spec.players + [street.board for street in spec.streets]
    for dealt in choose(frozenset(spec.deck), counts):
        yield dealt[: spec.players], sum(dealt[spec.players :], ())


def seen(spec: GameSpec, hole: tuple[int, ...], board: tuple[int, ...], street: int) -> Key:
    """What a player knows on a street, the same for cards that differ by suits only."""
    parts = [hole]
    for each in spec.streets[: street + 1]:
        parts.append(board[: each.board])
        board = board[each.board :]
    if spec.showdown in {"one-card", "leduc"}:  # suits never count there
        return tuple(tuple(sorted(card // 4 for card in part)) for part in parts)
    suits = sorted({card % 4 for card in spec.deck})
    return min(
        tuple(
            tuple(sorted(card - card % 4 + order[suits.index(card % 4)] for card in part))
            for part in parts
        )
        for order in permutations(suits)
    )


def keyed_deals(tree: Tree) -> dict[tuple[tuple[Key, ...], tuple[int, ...]], float]:
    """Probability of each (what each group's player has seen, order at the showdown).

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.tree import Tree
    >>> len(keyed_deals(Tree(catalogue("kuhn"), "min")))
    6
    """
    spec = tree.spec
    groups = list(zip(tree.group_player.tolist(), tree.group_street.tolist(), strict=True))
    found: dict[tuple[tuple[Key, ...], tuple[int, ...]], float] = {}
    for holes, board in card_deals(spec):
        keys = tuple(seen(spec, holes[player], board, street) for player, street in groups)
        made = [showdown_strength(spec, list(hole), list(board)) for hole in holes]
        order = tuple(sorted(set(made)).index(each) for each in made)
        found[keys, order] = found.get((keys, order), 0.0) + 1.0
    total = sum(found.values())
    return {deal: weight / total for deal, weight in found.items()}


def plain_deals(tree: Tree) -> list[Deal]:
    """Number the buckets of every group as they come.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.tree import Tree
    >>> plain_deals(Tree(catalogue("kuhn"), "min"))[0].strengths
    (0, 1)
    """
    names: list[dict[Key, int]] = [{} for _ in tree.group_player]
    deals = []
    for (keys, order), weight in keyed_deals(tree).items():
        buckets = tuple(
            name.setdefault(key, len(name)) for name, key in zip(names, keys, strict=True)
        )
        deals.append(Deal(weight, buckets, order))
    return deals
