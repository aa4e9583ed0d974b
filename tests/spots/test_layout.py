"""The order of a solution file, against a plain derivation from suits and ranges."""

from collections.abc import Iterator
from itertools import permutations

import numpy as np
import pytest

from riverboat.cards import HOLES, SUIT_PERMUTATIONS, hole_permutations
from riverboat.errors import SpotError
from riverboat.spots import Spot
from riverboat.spots._layout import Layout
from riverboat.tree import DECISION

SPOTS = {
    "flop of two suits": Spot(
        board="Ks7s2d", pot=60, stack=200, oop="AK, 76s", ip="QQ-JJ, KQ", menu="50%"
    ),
    "flop with one suit in a range": Spot(
        board="Ks7h2d", pot=60, stack=200, oop="AcKc, QQ", ip="JJ, 7c6c", menu="a"
    ),
    "paired turn": Spot(board="KsKh7d7c", pot=60, stack=90, oop="AK, 76s", ip="QQ+", menu="a"),
    "short deck": Spot(
        board="KsTs8d", pot=60, stack=200, oop="AK", ip="QQ-TT", menu="a", deck="short"
    ),
    "river": Spot(board="KsTs8d8h7c", pot=60, stack=200, oop="AK", ip="QQ-TT", menu="a"),
}


def renamed(cards: tuple[int, ...], suits: tuple[int, ...]) -> tuple[int, ...]:
    """Return cards after a permutation of suits."""
    return tuple(card - card % 4 + suits[card % 4] for card in cards)


def group_of(spot: Spot, isomorphism: bool) -> list[int]:
    """Return the permutations that leave the board and both ranges unchanged."""
    moved, weights = hole_permutations(), [held.weights for held in spot.ranges]
    if not isomorphism:
        return [0]
    return [
        number
        for number, suits in enumerate(SUIT_PERMUTATIONS)
        if set(renamed(spot.cards, suits)) == set(spot.cards)
        and all(np.array_equal(each[moved[number]], each) for each in weights)
    ]


def runouts(spot: Spot, length: int) -> Iterator[tuple[int, ...]]:
    """Yield all cards that can be dealt in so many streets, in order."""
    deck = range(16 if spot.deck == "short" else 0, 52)
    yield from permutations([card for card in deck if card not in spot.cards], length)


@pytest.mark.parametrize("isomorphism", [True, False])
@pytest.mark.parametrize("name", SPOTS)
def test_boards_are_the_least_of_isomorphic_runouts(name: str, isomorphism: bool) -> None:
    spot = SPOTS[name]
    layout = Layout(spot, spot.tree(), isomorphism)
    group = [SUIT_PERMUTATIONS[number] for number in group_of(spot, isomorphism)]
    expected: list[tuple[int, ...]] = []
    for length in range(layout.last_street + 1):
        kept = {min(renamed(cards, suits) for suits in group) for cards in runouts(spot, length)}
        expected += sorted(kept)
    assert layout.boards == expected
    assert layout.num_early == sum(len(cards) < layout.last_street for cards in expected)
    for cards in list(runouts(spot, layout.last_street))[::37]:
        place = layout.place(cards)
        assert layout.boards[place.number] == place.cards
        assert place.cards == min(renamed(cards, suits) for suits in group)
        assert renamed(cards, SUIT_PERMUTATIONS[place.renaming]) == place.cards


@pytest.mark.parametrize("name", SPOTS)
def test_offsets_are_sums_of_rows_times_hands(name: str) -> None:
    spot = SPOTS[name]
    tree = spot.tree()
    layout = Layout(spot, tree, isomorphism=True)
    for player in (0, 1):
        strategies, values = [0], [0]
        for cards in layout.boards:
            hands = [
                hole
                for hole in np.flatnonzero(spot.ranges[player].weights)
                if not set(HOLES[hole].tolist()) & {*cards, *spot.cards}
            ]
            assert layout.holes(player, cards).tolist() == hands
            here = tree.street == len(cards)
            mine = here & (tree.kind == DECISION) & (tree.player == player)
            strategies.append(strategies[-1] + int(tree.num_actions[mine].sum()) * len(hands))
            if len(cards) < layout.last_street:
                values.append(values[-1] + int(here.sum()) * len(hands))
        assert layout.strategy_begins[player].tolist() == strategies
        assert layout.value_begins[player].tolist() == values


def test_rows_of_values_count_the_nodes_of_a_street() -> None:
    spot = SPOTS["paired turn"]
    layout = Layout(spot, spot.tree(), isomorphism=True)
    for street in (0, 1):
        nodes = layout.nodes(street)
        assert layout.value_rows[nodes].tolist() == list(range(len(nodes)))


def test_a_card_of_the_board_cannot_be_dealt() -> None:
    spot = SPOTS["paired turn"]
    layout = Layout(spot, spot.tree(), isomorphism=True)
    with pytest.raises(SpotError, match="the card Ks cannot be dealt there: the board is KsKh7d7c"):
        layout.place([spot.cards[0]])
