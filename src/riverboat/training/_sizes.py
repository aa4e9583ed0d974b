"""How large a run will be, from its recipe alone: nothing is fitted or trained."""

from dataclasses import dataclass
from typing import Final

from riverboat.buckets import parse_abstraction
from riverboat.cards import NUM_BOARDS, NUM_HOLES
from riverboat.solve import Scheme, enumerate_deals
from riverboat.training._checks import card_text, check_parts, table_streets
from riverboat.training._recipe import Recipe
from riverboat.tree import Tree

__all__ = ["Sizes", "bytes_per_entry", "sizes_of"]

_NODE_BYTES: Final = 60
#: Of each strategy entry while responses are trained: frozen strategy, regrets, average, response.
_MEASURE_BYTES: Final = 20


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


def bytes_per_entry(scheme: Scheme) -> int:
    """Bytes of a solver's tables for each strategy entry.

    Examples
    --------
    >>> bytes_per_entry(Scheme("external")), bytes_per_entry(Scheme("pure"))
    (12, 8)
    """
    regret, average = {"pure": (4, 4), "full": (8, 8)}.get(scheme.sampling, (4, 8))
    return regret + average + (regret if scheme.rule == "predictive+" else 0)


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
    entries = sum(map(int.__mul__, counts, tree.group_entries.tolist()))
    infosets = sum(map(int.__mul__, counts, tree.group_decisions.tolist()))
    tables = entries * bytes_per_entry(recipe.solver_scheme())
    return Sizes(
        infosets=infosets,
        entries=entries,
        table_bytes=tables,
        tree_bytes=tree.num_nodes * _NODE_BYTES,
        bucket_bytes=_bucket_bytes(recipe, cards) if cards else 0,
        measure_bytes=_measure_bytes(recipe, entries, tables) if cards else 0,
        blueprint_bytes=entries * (1 if recipe.file.values == "uint8" else 4) + 4 * infosets,
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
        width = 1 if own <= 1 << 8 else 2 if own <= 1 << 16 else 4
        total += NUM_BOARDS.get(board, 1) * NUM_HOLES * width
    return total


def _measure_bytes(recipe: Recipe, entries: int, tables: int) -> int:
    """What measuring needs besides; after the training the tables have made room for it."""
    every = recipe.bound.every
    if every == 0:
        return 0
    needed = entries * _MEASURE_BYTES
    return needed if every else max(0, needed - tables)
