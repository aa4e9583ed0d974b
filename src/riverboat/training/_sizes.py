"""How large a run will be, from its recipe alone: nothing is fitted or trained."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from riverboat.buckets import parse_abstraction
from riverboat.cards import NUM_BOARDS, NUM_HOLES
from riverboat.evaluate import RESPONSE_BYTES
from riverboat.solve import bytes_per_entry, enumerate_deals, table_sizes
from riverboat.training._parts import card_text, check_parts, table_streets
from riverboat.training._recipe import Recipe
from riverboat.tree import Tree

__all__ = ["Sizes", "sizes_of"]

_NODE_BYTES: Final = 60


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large a run will be."""

    infosets: int
    entries: int
    """Actions of all infosets."""
    table_bytes: int
    """Regrets and average strategy."""
    tree_bytes: int
    bucket_bytes: int
    """Bucket tables, mapped from the cache: they count as memory only while in use."""
    measure_bytes: int
    """While exploitability is measured by trained responses, besides."""
    blueprint_bytes: int
    """At most, where untrained infosets are left out."""
    cards: tuple[int, ...] | None
    """Buckets by street; None where deals are enumerated."""

    @property
    def memory_bytes(self) -> int:
        """Memory of all parts."""
        return self.table_bytes + self.tree_bytes + self.bucket_bytes + self.measure_bytes


def sizes_of(recipe: Recipe, buckets: tuple[int, ...] | None = None) -> Sizes:
    """Compute how large a run will be.

    Parameters
    ----------
    recipe
        What to train.
    buckets
        By street, instead of the recipe's own.

    Examples
    --------
    >>> from riverboat.training import load_recipe
    >>> sizes_of(load_recipe("laptop")).entries  # 11,324 decisions
    5811401
    """
    spec = recipe.spec()
    tree = Tree(spec, recipe.menu)
    check_parts(recipe, tree)
    cards = None
    if spec.has_holdem_cards:
        cards = buckets or _bucket_counts(recipe)
        counts = [cards[street] for street in tree.group_street.tolist()]
    else:
        counts = list(enumerate_deals(tree).num_buckets)
    infosets, entries = table_sizes(tree, counts)
    tables = entries * bytes_per_entry(recipe.solver_scheme())
    return Sizes(
        infosets=infosets,
        entries=entries,
        table_bytes=tables,
        tree_bytes=tree.num_nodes * _NODE_BYTES,
        bucket_bytes=_bucket_bytes(recipe, cards) if cards else 0,
        measure_bytes=_measure_bytes(recipe, entries, tables) if cards else 0,
        # Weights are as wide as probabilities.
        blueprint_bytes=(entries + infosets) * np.dtype(recipe.file.values).itemsize,
        cards=cards,
    )


def _bucket_counts(recipe: Recipe) -> tuple[int, ...]:
    """Buckets by street of the game, at most: equal hands may leave some empty."""
    known = parse_abstraction(card_text(recipe)).num_buckets
    return tuple(known[street] for street in table_streets(recipe.spec()))


def _bucket_bytes(recipe: Recipe, cards: tuple[int, ...]) -> int:
    """Bytes of the tables, which have a street's own buckets in the smallest dtype."""
    recall, total, before = parse_abstraction(card_text(recipe)).recall, 0, 1
    for board, count in zip(recipe.spec().board_sizes, cards, strict=False):
        own = count // before
        before = count if recall else 1
        total += NUM_BOARDS.get(board, 1) * NUM_HOLES * np.min_scalar_type(own - 1).itemsize
    return total


def _measure_bytes(recipe: Recipe, entries: int, tables: int) -> int:
    """What measuring needs besides; after the training the tables have made room for it."""
    every = recipe.bound.every
    if every == 0:
        return 0
    needed = entries * RESPONSE_BYTES
    return needed if every else max(0, needed - tables)
