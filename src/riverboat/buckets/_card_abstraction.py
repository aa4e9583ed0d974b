"""A card abstraction, fitted: a rule for each street, and whether earlier buckets are remembered.

It is what a blueprint carries: enough to find the bucket of any hand on a machine that has built
no table, and to build the tables for training.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from riverboat.buckets._street_rule import StreetRule
from riverboat.cards import BOARD_CARDS, CardsLike, as_cards, cards_text
from riverboat.errors import CardError

__all__ = ["CardAbstraction"]


@dataclass(frozen=True)
class CardAbstraction:
    """Buckets of hold'em, street by street.

    Attributes
    ----------
    name
        The text that it was made from, such as `distribution 169/200/200/200`.
    rules
        By street: preflop, flop, turn, river, or the first few of them.
    recall
        Whether a player remembers the buckets of his earlier streets. His bucket on a street is
        then `(.. (b0 * n1 + b1) * n2 + ..) + b`, with n the rules' numbers of buckets.
    """

    name: str
    rules: tuple[StreetRule, ...]
    recall: bool = False

    @property
    def num_buckets(self) -> tuple[int, ...]:
        """Buckets by street, with what is remembered."""
        counts = [rule.num_buckets for rule in self.rules]
        if not self.recall:
            return tuple(counts)
        return tuple(prod(counts[: street + 1]) for street in range(len(counts)))

    def street_bucket(self, hole: CardsLike, board: CardsLike = "") -> int:
        """Bucket of one hand on its street alone, without tables and without memory."""
        held, table = as_cards(hole), as_cards(board)
        sizes = BOARD_CARDS[: len(self.rules)]
        if len(held) != 2 or len(table) not in sizes:
            raise CardError(
                f"{cards_text(held)} on {cards_text(table) or 'no board'}: {self.name} is for two "
                f"hole cards on boards of {', '.join(map(str, sizes))}"
            )
        if len({*held, *table}) < len(held) + len(table):
            raise CardError(f"{cards_text(held)} and {cards_text(table)} share a card")
        return self.rules[sizes.index(len(table))].bucket(held, table)

    def combine(self, street_buckets: Sequence[int]) -> int:
        """Bucket in the strategy tables from a player's buckets on this and all earlier streets.

        Parameters
        ----------
        street_buckets
            `street_bucket` of each street so far, with the cards that the player held then.
        """
        if not self.recall:
            return street_buckets[-1]
        bucket = 0
        for own, rule in zip(street_buckets, self.rules, strict=False):
            bucket = bucket * rule.num_buckets + own
        return bucket
