"""Swaps by a fixed rule in dealt hands: the core against the bots' rule, hand by hand."""

import msgspec
import numpy as np
import pytest

from riverboat import _core
from riverboat.bots import GAIN, discard
from riverboat.buckets import BucketTables, bucket_tables, make_abstraction
from riverboat.cards import HandStrength, card_text, evaluate, hole_index
from riverboat.errors import GameError
from riverboat.game import Hand, catalogue
from riverboat.solve import Deals, FixedSwaps, holdem_deals, sample_deals
from riverboat.tree import Tree
from sizes import few_or_many

GAME = catalogue("discard-2017")
LINES = {1: "ck/", 2: "ck/sskk/"}


@pytest.fixture(scope="module")
def deals(tables: HandStrength) -> Deals:
    """Before the flop a bucket is the starting class; later all hands share one."""
    one = bucket_tables(make_abstraction("suitless 1")).tables[0]
    streets = [np.zeros((n, 1326), np.uint8) for n in (1755, 16_432, 134_459)]
    buckets = BucketTables("classes", (one, *streets), (169, 1, 1, 1), recall=True)
    tree = Tree(GAME.without_swaps(), "100%, a ; cap 1")
    return holdem_deals(tree, buckets, tables, FixedSwaps(GAME, GAIN))


def after_swaps(cards: list[int], player: int) -> list[int]:
    """The hole cards at the showdown of a player who swaps as the bots do."""
    hole, gone, board = sorted(cards[2 * player : 2 * player + 2]), list[int](), cards[4:9]
    others = cards[2 - 2 * player : 4 - 2 * player]
    for phase, street in enumerate(LINES):
        line = LINES[street]
        hand = Hand.from_line(GAME, line, hole=[others, hole], board=board[: street + 2])
        view = msgspec.structs.replace(hand.view(1), discarded=tuple(gone))
        move = discard(view)
        if move != "s":
            given = next(card for card in hole if card_text(card) == move[1:])
            gone.append(given)
            hole = sorted(
                [*(card for card in hole if card != given), cards[9 + 2 * phase + player]]
            )
    return hole


@pytest.mark.parametrize("count", few_or_many(150, 5_000))
def test_players_swap_as_the_bots_do(deals: Deals, count: int) -> None:
    cards = np.empty((count, 13), np.uint8)
    _core.holdem_cards_into(deals.compiled, 3, 0, cards)
    strengths, swapped = sample_deals(deals, count, seed=3).strengths, 0
    for row, shown in zip(cards.tolist(), strengths[:, :, 0].tolist(), strict=True):
        for player in range(2):
            hole = after_swaps(row, player)
            swapped += hole != sorted(row[2 * player : 2 * player + 2])
            assert shown[player] == evaluate((*hole, *row[4:9]))
    assert 0.4 * 2 * count < swapped < 0.95 * 2 * count


def test_the_starting_class_is_remembered_whatever_was_swapped(deals: Deals) -> None:
    rows, tree = sample_deals(deals, 500, seed=5), deals.tree
    cards = np.empty((500, 13), np.uint8)
    _core.holdem_cards_into(deals.compiled, 5, 0, cards)
    classes = bucket_tables(make_abstraction("suitless 1")).tables[0][0]
    for player in range(2):
        own = rows.buckets[:, tree.group_player == player]
        dealt = [classes[hole_index(*pair)] for pair in cards[:, 2 * player : 2 * player + 2]]
        assert (own == np.array(dealt)[:, None]).all()


def test_rules_that_do_not_fit_the_game_are_refused(tables: HandStrength) -> None:
    buckets = bucket_tables(make_abstraction("equity-bins 3/4/3/4 recall", tables), tables)
    with pytest.raises(GameError, match="fixed swaps do not fit"):
        holdem_deals(Tree(GAME, "a ; cap 1"), buckets, tables, FixedSwaps(GAME, GAIN))
