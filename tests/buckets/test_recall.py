"""Perfect recall: the dealers number buckets as the definition does, swaps included."""

from pathlib import Path

import numpy as np
import pytest

from riverboat import _core
from riverboat.buckets import BucketTables, CardAbstraction, bucket_tables, make_abstraction
from riverboat.cards import HOLES, HandStrength
from riverboat.errors import GameError, SolveError
from riverboat.game import GameSpec, Street, catalogue
from riverboat.solve import Deals, Scheme, Solver, holdem_deals
from riverboat.tree import Tree
from solve import holdem_twin as twin

TEXT = "equity-bins 3/4/3/4 recall"


@pytest.fixture(scope="module")
def cards(tables: HandStrength) -> CardAbstraction:
    return make_abstraction(TEXT, tables)


@pytest.fixture(scope="module")
def buckets(cards: CardAbstraction, tables: HandStrength, cache: Path) -> BucketTables:
    return bucket_tables(cards, tables, cache)


def drawn_cards(deals: Deals, seed: int, count: int) -> list[list[int]]:
    cards = np.empty((count, deals.tree.spec.compiled.slots), np.uint8)
    _core.holdem_cards_into(deals.compiled, seed, 0, cards)
    found: list[list[int]] = cards.tolist()
    return found


def test_deals_remember(cards: CardAbstraction, buckets: BucketTables) -> None:
    deals = holdem_deals(Tree(catalogue("limit"), "min"), buckets)
    tree = deals.tree
    for street, count in zip(tree.group_street.tolist(), deals.num_buckets, strict=True):
        assert count == cards.num_buckets[street] == (3, 12, 36, 144)[street]
    for stream, dealt in enumerate(drawn_cards(deals, 3, 200)):
        found, _ = deals.compiled.draw(3, stream)
        for group, bucket in enumerate(found):
            player, street = int(tree.group_player[group]), int(tree.group_street[group])
            hole = tuple(dealt[2 * player : 2 * player + 2])
            streets = [hole] * (street + 1)
            expected = twin.remembered(streets, dealt[4:9], buckets.bucket, buckets.num_buckets)
            assert bucket == expected
            own = [buckets.bucket(list(hole), dealt[4 : 4 + board]) for board in (0, 3, 4, 5)]
            assert bucket == cards.combine(own[: street + 1])


def test_swap_lines_remember_what_was_held(buckets: BucketTables, tables: HandStrength) -> None:
    deals = holdem_deals(Tree(catalogue("discard-2017"), "a"), buckets, tables)
    tree = deals.tree
    swapped = 0
    for stream, dealt in enumerate(drawn_cards(deals, 5, 4)):
        found, _ = deals.compiled.draw(5, stream)
        board = dealt[4:9]
        for group, bucket in enumerate(found):
            player, street = int(tree.group_player[group]), int(tree.group_street[group])
            line = int(tree.group_swaps[group])
            hole = tuple(dealt[2 * player : 2 * player + 2])
            swaps = [(board[:3], dealt[9 + player]), (board[:4], dealt[11 + player])]
            # Swaps are on the flop and the turn: the hole cards at the end of each street.
            known = (0, 1, 3, 3)
            holes = [
                twin.held(hole, swaps, line & known[earlier], tables)
                for earlier in range(street + 1)
            ]
            expected = twin.remembered(holes, board, buckets.bucket, buckets.num_buckets)
            assert bucket == expected
            swapped += len(set(holes)) > 2  # both swaps show in what is remembered
    assert swapped > 0


def test_public_deals_remember(buckets: BucketTables) -> None:
    deals = holdem_deals(Tree(catalogue("limit"), "min"), buckets)
    tree = deals.tree
    drawn = _core.holdem_public(deals.compiled).draw(3, 0)
    for group, street in enumerate(tree.group_street.tolist()):
        found = drawn.buckets(group)
        for index in range(0, len(drawn.hands), 50):
            hole = tuple(HOLES[drawn.hands[index]].tolist())
            expected = twin.remembered(
                [hole] * (street + 1), drawn.outcome, buckets.bucket, buckets.num_buckets
            )
            assert found[index] == expected


def test_solvers_run_with_recall(buckets: BucketTables) -> None:
    deals = holdem_deals(Tree(catalogue("limit"), "min"), buckets)
    for scheme in (Scheme("external"), Scheme("public-chance", "cfr+", "linear")):
        solver = Solver(deals, scheme, seed=1)
        solver.run_all(iterations=3 if scheme.sampling == "public-chance" else 3000)
        assert np.count_nonzero(solver.regrets) > 1000


def test_what_cannot_be_remembered_is_refused(buckets: BucketTables) -> None:
    spec = GameSpec(
        name="two rounds on the flop",
        stacks=(100, 100),
        blinds=(1, 2),
        streets=(Street(hole=2), Street(board=3), Street()),
    )
    with pytest.raises(SolveError, match="in this order"):
        holdem_deals(Tree(spec, "a ; cap 1"), buckets)
    wide = BucketTables("wide", buckets.tables, (60_000, 60_000, 3, 4), recall=True)
    with pytest.raises(GameError, match="32 bits"):
        holdem_deals(Tree(catalogue("limit"), "min"), wide)
