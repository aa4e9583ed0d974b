"""Pineapple's own game: swaps by the fixed rule, in deals of a training and at a table."""

import msgspec
import numpy as np
import pytest

from riverboat.bots import discard
from riverboat.buckets import BucketTables, bucket_tables, make_abstraction
from riverboat.cards import HandStrength, StreetName
from riverboat.game import Hand, catalogue
from riverboat.reproductions.pineapple._own_game import _Board, _Rule, fixed_swap_rows
from riverboat.reproductions.pineapple._training import DATA, without_swaps
from riverboat.tree import Tree

GAME = catalogue("discard-2017")


@pytest.mark.parametrize(("street", "line"), [("flop", "ck/"), ("turn", "ck/sskk/")])
@pytest.mark.parametrize("known", [False, True])
def test_the_rule_for_many_hands_is_the_bots(
    tables: HandStrength, street: StreetName, line: str, *, known: bool
) -> None:
    assert tables is not None
    random, size = np.random.default_rng(5), {"flop": 3, "turn": 4}[street]
    cards = np.array([random.permutation(52)[:9] for _ in range(60)])
    hole, gone, fresh = cards[:, :2], np.where(known, cards[:, 7], -1), cards[:, 8]
    board = _Board.of(np.ascontiguousarray(cards[:, 2 : 2 + size], np.uint8))
    after, given = _Rule(street).swapped(board, hole, gone, fresh)
    swaps = 0
    for row, held, away in zip(cards.tolist(), after.tolist(), given.tolist(), strict=True):
        others = [card for card in range(52) if card not in row][:2]
        hand = Hand.from_line(GAME, line, hole=[others, row[:2]], board=row[2 : 2 + size])
        view = hand.view(1)
        if known:
            view = msgspec.structs.replace(view, discarded=(row[7],))
        move = discard(view)
        swaps += move != "s"
        kept = row[:2] if move == "s" else [c for c in row[:2] if c == held[0]] + [row[8]]
        assert sorted(held) == sorted(kept)
        assert away == (row[7] if known else -1) if move == "s" else away in row[:2]
    assert 5 < swaps < 55


def test_deals_have_a_bucket_for_each_street_with_the_hand_held_there(tables: HandStrength) -> None:
    assert tables is not None
    tree = Tree(without_swaps(GAME), "100%, a ; cap 1")
    one = bucket_tables(make_abstraction("suitless 1")).tables[0]
    streets = [np.zeros((n, 1326), np.uint8) for n in (1755, 16_432, 134_459)]
    buckets = BucketTables("classes", (one, *streets), (169, 1, 1, 1), recall=True)
    rows = fixed_swap_rows(tree, buckets, 500, seed=3)
    assert rows.buckets.shape == (500, 8)
    assert rows.strengths.shape == (500, 2, 1)
    for player in range(2):  # the starting class is remembered, whatever was swapped
        own = rows.buckets[:, tree.group_player == player]
        assert (own == own[:, :1]).all()
    again = fixed_swap_rows(tree, buckets, 500, seed=3)
    assert (rows.strengths == again.strengths).all()


def test_their_menu_gives_their_number_of_histories() -> None:
    """About 3.3 million (Game Abstraction); bins 3, 4, 3, 4 with those of earlier streets."""
    menus = DATA.effort["full"].own_menus
    trees = {name: Tree(without_swaps(GAME), menu) for name, menu in menus.items()}
    count = {name: sum(tree.num_infosets((3, 12, 36, 144))) for name, tree in trees.items()}
    assert count == {"code": 848_088, "document": 3_366_084}
