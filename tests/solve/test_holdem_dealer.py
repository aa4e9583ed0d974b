"""Hold'em deals from bucket tables: the same cards, buckets and strengths as by the definition."""

from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from cards.suits import renamed
from riverboat import _core, plain
from riverboat.buckets import (
    BucketTables,
    bucket_tables,
    make_abstraction,
)
from riverboat.cards import (
    HOLE_CLASS,
    STREETS,
    HandStrength,
    StreetName,
    as_cards,
    board_multiplicities,
)
from riverboat.errors import CardError, GameError, SolveError
from riverboat.game import GameSpec, Hand, catalogue
from riverboat.game import Street as GameStreet
from riverboat.solve import Deals, Scheme, Solver, enumerate_deals, holdem_deals
from riverboat.tree import Tree
from sizes import BUCKETS, slowly
from solve import holdem_twin as twin

BOARD_OF_STREET = (0, 3, 4, 5)


def rank_buckets() -> BucketTables:
    return bucket_tables(make_abstraction("suitless 2"))


@pytest.fixture(scope="module")
def percentiles(tables: HandStrength) -> BucketTables:
    return bucket_tables(make_abstraction("percentile 169/200/150/100", tables), tables)


@pytest.fixture(scope="module", params=[BUCKETS, *slowly("percentiles")])
def buckets(request: pytest.FixtureRequest, tables: HandStrength) -> BucketTables:
    """Few buckets, whose tables are built; in the slow suite many."""
    if request.param == BUCKETS:
        return bucket_tables(make_abstraction(BUCKETS, tables), tables)
    found: BucketTables = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="module")
def limit(buckets: BucketTables) -> Deals:
    return holdem_deals(Tree(catalogue("limit"), "min"), buckets)


@pytest.fixture(scope="module")
def discard(buckets: BucketTables, tables: HandStrength) -> Deals:
    return holdem_deals(Tree(catalogue("discard-2017"), "a"), buckets, tables)


@pytest.fixture(scope="module")
def cardiff() -> Deals:
    return holdem_deals(Tree(catalogue("cardiff"), "cardiff"), rank_buckets())


def cards_of(deals: Deals, seed: int, count: int) -> NDArray[np.uint8]:
    cards = np.empty((count, deals.tree.spec.compiled.slots), np.uint8)
    _core.holdem_cards_into(deals.compiled, seed, 0, cards)
    return cards


def check_buckets(deals: Deals, buckets: BucketTables, seed: int) -> None:
    tree = deals.tree
    for stream, cards in enumerate(cards_of(deals, seed, 200).tolist()):
        dealt, strengths = deals.compiled.draw(seed, stream)
        for group, bucket in enumerate(dealt):
            player, street = int(tree.group_player[group]), int(tree.group_street[group])
            hole = cards[2 * player : 2 * player + 2]
            assert bucket == buckets.bucket(hole, cards[4 : 4 + BOARD_OF_STREET[street]])
        hand = Hand(tree.spec, cards=cards)
        while not hand.finished:
            hand.check_or_call()
        assert [by_line[0] for by_line in strengths] == _core.showdown_strengths(hand)


def test_limit_buckets_are_those_of_the_cards(limit: Deals, buckets: BucketTables) -> None:
    check_buckets(limit, buckets, seed=7)


def test_cardiff_buckets_are_those_of_the_cards(cardiff: Deals) -> None:
    check_buckets(cardiff, rank_buckets(), seed=8)  # its hands are of five cards


def test_many_deals_at_once_are_the_single_ones(limit: Deals) -> None:
    buckets, strengths = np.empty((50, 8), np.uint32), np.empty((50, 2, 1), np.uint32)
    _core.deals_into(limit.compiled, 3, 100, buckets, strengths)
    for i in range(50):
        one, shown = limit.compiled.draw(3, 100 + i)
        assert buckets[i].tolist() == one
        assert strengths[i].tolist() == shown


@pytest.mark.parametrize("game", ["limit", "discard", "cardiff"])
def test_cards_are_distinct_and_uniform(
    game: str, limit: Deals, discard: Deals, cardiff: Deals
) -> None:
    deals = {"limit": limit, "discard": discard, "cardiff": cardiff}[game]
    cards = cards_of(deals, 11, 52_000)
    in_order = np.sort(cards, axis=1)
    assert (in_order[:, 1:] != in_order[:, :-1]).all()
    assert in_order.max() < 52
    # Chi-square of each slot over 52 cards: 51 degrees of freedom, mean 51, variance 102.
    # 51 + 5 * sqrt(102) = 101.5 is exceeded with probability below 4e-5 in each of 13 slots.
    for slot in cards.T:
        counts = np.bincount(slot, minlength=52)
        assert ((counts - 1000.0) ** 2 / 1000).sum() < 101.5
    # Pairs of neighbouring slots: 52 * 51 ordered pairs, 19.6 expected of each.
    for first, second in zip(cards.T[:-1], cards.T[1:], strict=True):
        counts = np.bincount(first.astype(int) * 52 + second, minlength=52 * 52)
        expected = 52_000 / (52 * 51)
        freedom = 52 * 51 - 1
        statistic = (counts.astype(float) ** 2).sum() / expected - 52_000
        assert abs(statistic - freedom) < 5 * (2 * freedom) ** 0.5


def test_swap_lines_are_those_of_the_definition(
    discard: Deals, buckets: BucketTables, tables: HandStrength
) -> None:
    tree = discard.tree
    for stream, cards in enumerate(cards_of(discard, 5, 12).tolist()):
        dealt, strengths = discard.compiled.draw(5, stream)
        board = cards[4:9]
        held = {
            (player, line): twin.held(
                tuple(cards[2 * player : 2 * player + 2]),
                [(board[:3], cards[9 + player]), (board[:4], cards[11 + player])],
                line,
                tables,
            )
            for player in range(2)
            for line in range(4)
        }
        for group, bucket in enumerate(dealt):
            player, street = int(tree.group_player[group]), int(tree.group_street[group])
            hole = held[player, int(tree.group_swaps[group])]
            assert bucket == buckets.bucket(list(hole), board[: BOARD_OF_STREET[street]])
        for (player, line), hole in held.items():
            assert strengths[player][line] == twin.strength(hole, board)


def test_swap_slots_are_those_of_the_rules(discard: Deals, tables: HandStrength) -> None:
    """Seat 1 swaps twice, seat 0 on the turn: the game's own hand has the same showdown."""
    for stream, cards in enumerate(cards_of(discard, 6, 5).tolist()):
        hand = Hand(discard.tree.spec, cards=cards)
        lines = [0, 0]
        while not hand.finished:
            if not hand.discarding:
                hand.check_or_call()
                continue
            seat, phase = hand.actor, hand.street - 1
            assert seat is not None
            if seat == 0 and phase == 0:
                hand.stand()
                continue
            lines[seat] |= 1 << phase
            hand.discard(twin.swapped(hand.hole_cards(seat), hand.board, tables))
        _, strengths = discard.compiled.draw(6, stream)
        assert [strengths[seat][lines[seat]] for seat in (0, 1)] == _core.showdown_strengths(hand)
        assert lines == [2, 3]


@pytest.mark.slow  # rules are held against definitions in tests/buckets
@pytest.mark.parametrize("street", ["flop", "turn", "river"])
def test_stronger_hands_have_higher_percentiles(
    street: StreetName, percentiles: BucketTables, tables: HandStrength
) -> None:
    index = STREETS.index(street)
    assert percentiles.num_buckets[index] == (169, 200, 150, 100)[index]
    cells, buckets = tables.cells(street)[::97], percentiles.tables[index][::97]
    live = cells[..., 0] != np.iinfo(cells.dtype).max
    points = (2 * cells[..., 0].astype(np.int64) + cells[..., 1])[live]
    order = np.argsort(points)
    assert (np.diff(buckets[live][order].astype(int)) >= 0).all()
    _, firsts = np.unique(points, return_index=True)
    assert (buckets[live][firsts][np.searchsorted(points[firsts], points)] == buckets[live]).all()


@pytest.mark.slow
@pytest.mark.parametrize(("street", "deals"), [("flop", 22_100 * 1_176), ("turn", 270_725 * 1_128)])
def test_percentile_buckets_have_equal_mass(
    street: StreetName, deals: int, percentiles: BucketTables, tables: HandStrength
) -> None:
    """No mass is off by more than the heaviest strength: half of one at each limit."""
    index = STREETS.index(street)
    cells, buckets = tables.cells(street), percentiles.tables[index]
    live = cells[..., 0] != np.iinfo(cells.dtype).max
    points = (2 * cells[..., 0].astype(np.int64) + cells[..., 1])[live]
    boards = board_multiplicities(BOARD_OF_STREET[index])
    weights = np.broadcast_to(boards[:, None], live.shape)[live].astype(float)
    masses = np.bincount(buckets[live], weights)
    assert masses.sum() == deals  # boards times hole pairs that are left
    heaviest = np.bincount(points, weights).max()
    assert np.abs(masses - deals / percentiles.num_buckets[index]).max() <= heaviest


@pytest.mark.parametrize("board", ["", "Qh7c2d", "QhQc2d9d", "AhKhQh2c2d"])
def test_buckets_do_not_depend_on_names_of_suits(board: str, buckets: BucketTables) -> None:
    cards, ranks = as_cards(board), rank_buckets()
    for hole in ([51, 33], [38, 39], [0, 4]):
        if set(hole) & set(cards):
            continue
        moved = {
            (
                buckets.bucket(list(renamed(hole, suits)), list(renamed(cards, suits))),
                ranks.bucket(list(renamed(hole, suits)), list(renamed(cards, suits)))
                if len(cards) < 4
                else 0,
            )
            for suits in permutations(range(4))
        }
        assert len(moved) == 1


def test_rank_buckets_are_class_and_board_ranks() -> None:
    buckets = rank_buckets()
    assert buckets.num_buckets == (169, 169 * 455)  # C(13 + 2, 3) = 455 multisets of ranks
    assert buckets.bucket("AsKs") == HOLE_CLASS[51 * 50 // 2 + 47]
    seen = {
        buckets.bucket(hole, board)
        for hole in ("AsKs", "AhKh", "AsKd")
        for board in ("Qc7d2h", "2c7cQc", "QdQh7c")
    }
    assert len(seen) == 4  # suited or not, times two boards
    assert make_abstraction("suitless 3").num_buckets[2] == 169 * 1820  # C(13 + 3, 4)


def test_bad_input_is_refused(limit: Deals, buckets: BucketTables) -> None:
    tree = limit.tree
    with pytest.raises(SolveError, match="ends at 3"):
        holdem_deals(tree, rank_buckets())
    with pytest.raises(GameError, match="deck of 52"):
        holdem_deals(Tree(catalogue("short-deck"), "a"), buckets)
    with pytest.raises(SolveError, match="boards of"):
        holdem_deals(Tree(catalogue("leduc"), "min"), buckets)
    low = tuple(count - 1 for count in buckets.num_buckets)
    with pytest.raises(GameError, match=f"only {low[0]}"):
        holdem_deals(tree, BucketTables("low", buckets.tables, low))
    with pytest.raises(CardError, match="share a card"):
        buckets.bucket("AsKs", "As2c3d")
    with pytest.raises(CardError, match="two hole cards"):
        buckets.bucket("AsKs", "2c3d")
    with pytest.raises(GameError, match="hold'em"):
        _core.holdem_cards_into(
            enumerate_deals(Tree(catalogue("kuhn"), "min")).compiled,
            0,
            0,
            np.empty((1, 2), np.uint8),
        )


def test_three_players_and_two_rounds_on_one_board(buckets: BucketTables) -> None:
    spec = GameSpec(
        name="three on the flop",
        stacks=(100,) * 3,
        blinds=(1, 2, 0),
        streets=(GameStreet(hole=2), GameStreet(board=3), GameStreet()),
    )
    deals = holdem_deals(Tree(spec, "a ; cap 1"), buckets)
    tree = deals.tree
    cards = cards_of(deals, 1, 20)
    for stream in range(20):
        dealt, _ = deals.compiled.draw(1, stream)
        for group, bucket in enumerate(dealt):
            seat, board = int(tree.group_player[group]), 3 * min(1, int(tree.group_street[group]))
            hole = cards[stream, 2 * seat : 2 * seat + 2].tolist()
            assert bucket == buckets.bucket(hole, cards[stream, 6 : 6 + board].tolist())


def test_training_is_repeatable(limit: Deals) -> None:
    runs = [Solver(limit, Scheme("external"), seed=4) for _ in range(2)]
    for run in runs:
        run.run_all(iterations=300)
    assert np.array_equal(runs[0].regrets, runs[1].regrets)
    assert np.count_nonzero(runs[0].regrets) > 10_000


def test_plain_solver_knows_swaps(discard: Deals) -> None:
    """Chance sampling draws the deal and no more: kernel and plain Python find the same."""
    kernel, ours = (
        Solver(discard, Scheme("chance"), seed=5),
        plain.Solver(discard, sampling=plain.Chance(), seed=5),
    )
    kernel.run_all(iterations=1)
    ours.run_all(iterations=1)
    np.testing.assert_allclose(ours.regrets, kernel.regrets, rtol=1e-4, atol=1e-3)
    np.testing.assert_allclose(ours.average, kernel.average, rtol=1e-4, atol=1e-6)
