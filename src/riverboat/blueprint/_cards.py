"""The card abstraction that a blueprint carries."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from riverboat.blueprint._header import LOSSLESS, Header
from riverboat.buckets import CardAbstraction
from riverboat.cards import BOARD_CARDS
from riverboat.errors import BlueprintError
from riverboat.tree import Tree


def restore_cards(header: Header, arrays: Mapping[str, NDArray[Any]]) -> CardAbstraction | None:
    """Return the card abstraction of a file; None where deals are enumerated."""
    if isinstance(header.cards, str):
        return None
    return CardAbstraction.restore(header.cards, arrays)


def group_buckets(tree: Tree, cards: CardAbstraction) -> tuple[int, ...]:
    """Buckets by group of a tree, as a card abstraction for hold'em makes them.

    Examples
    --------
    >>> from riverboat.buckets import make_abstraction
    >>> from riverboat.game import catalogue
    >>> group_buckets(Tree(catalogue("cardiff"), "cardiff"), make_abstraction("suitless 2"))
    (169, 169, 76895, 76895)
    """
    boards = tree.spec.board_sizes
    known = BOARD_CARDS[: len(cards.num_buckets)]
    if any(board not in known for board in boards):
        raise BlueprintError(
            f"{tree.spec.name or 'the game'} has boards of {', '.join(map(str, boards))} cards, "
            f"and '{cards.name}' is for {', '.join(map(str, known))}"
        )
    return tuple(
        cards.num_buckets[known.index(boards[street])] for street in tree.group_street.tolist()
    )


def check_streets(header: Header) -> None:
    """Refuse a header whose cards have fewer streets than its game."""
    streets = len(header.spec.streets)
    if not isinstance(header.cards, str) and len(header.cards.get("streets", ())) < streets:
        raise BlueprintError(
            f"the header's cards, '{header.cards.get('name')}', are for "
            f"{len(header.cards.get('streets', ()))} streets, and its game has {streets}"
        )


def check_cards(header: Header, tree: Tree, cards: CardAbstraction | None) -> None:
    """Refuse a card abstraction that makes other numbers of buckets than the header says."""
    if cards is None:
        if header.cards != LOSSLESS:
            raise BlueprintError("the header names a card abstraction: give it along with it")
        return
    made = group_buckets(tree, cards)
    if made != header.num_buckets:
        raise BlueprintError(
            f"'{cards.name}' makes {made} buckets by group, and the header has {header.num_buckets}"
        )
