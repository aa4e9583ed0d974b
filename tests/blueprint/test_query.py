"""What a strategy says at real tables."""

import random
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from blueprint.strategies import leduc_solver, save
from game.random_games import random_move
from riverboat.blueprint import Blueprint, EnumeratedBuckets, HoldemBuckets, Query, SwapRule
from riverboat.buckets import (
    CardAbstraction,
    abstraction_files,
    bucket_tables,
    built_tables,
    make_abstraction,
    swap_values,
)
from riverboat.cards import (
    HandStrength,
    canonical_board,
    card_text,
    hole_cards,
    hole_index,
    hole_permutations,
)
from riverboat.errors import BlueprintError
from riverboat.evaluate import exploitability
from riverboat.game import Hand, View, catalogue
from riverboat.solve import enumerate_deals
from riverboat.tree import Tree
from sizes import slowly


class Drawn:
    """A strategy that is drawn anew for each infoset, always the same; a tenth is untrained."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    def row(self, node: int, bucket: int) -> NDArray[np.float32] | None:
        """The row of an infoset."""
        rng = np.random.default_rng([node, bucket])
        if rng.random() < 0.1:
            return None
        return rng.dirichlet(np.ones(self.tree.num_actions[node])).astype(np.float32)


@pytest.mark.parametrize(("hands", "known_share"), [(1000, 0.85), *slowly((3000, 0.95))])
def test_leduc_answers_are_the_rows_of_the_solver(
    tmp_path: Path, hands: int, known_share: float
) -> None:
    """Whoever plays by the answers, in every deal and line, has the solver's exact value."""
    solver = leduc_solver(100)
    blueprint = Blueprint.open(save(solver, tmp_path / "leduc.blueprint"))
    query = Query(blueprint, EnumeratedBuckets(blueprint.tree))
    deals = enumerate_deals(blueprint.tree)
    asked = np.full(deals.num_entries, np.nan)
    for seed in range(hands):
        hand, rng = Hand(blueprint.tree.spec, seed=seed), random.Random(seed)
        while hand.actor is not None:
            answer = query.strategy(hand.view(hand.actor))
            assert (answer.status, answer.exact, answer.line) == ("trained", True, hand.line)
            place = blueprint.layout.span(answer.node)
            first = place.entry + answer.bucket * place.bucket_entries
            asked[first : first + place.num_actions] = [chance for _, chance in answer.actions]
            assert [hand.can(action) for action, _ in answer.actions] == [True] * place.num_actions
            hand.do(rng.choice(answer.actions)[0])
    strategy = solver.strategy()
    known = ~np.isnan(asked)
    assert known.mean() > known_share
    np.testing.assert_allclose(asked[known], strategy[known], atol=1e-7)
    mixed = np.where(known, asked, strategy)
    exact = exploitability(deals, strategy).exploitability
    assert exploitability(deals, mixed).exploitability == pytest.approx(exact, abs=1e-6)


def test_buckets_of_views_are_those_of_training() -> None:
    """Every deal of Leduc: the bucket by view is the bucket that the dealer gives."""
    tree = Tree(catalogue("leduc"), "min")
    finder, deals = EnumeratedBuckets(tree), enumerate_deals(tree)
    assert deals.bucket_keys == finder.keys
    hand = Hand(tree.spec, hole=["Kh", "Js"], board="Jh")
    hand.play("kk")
    # Seat 0 opens the second street and holds a king over a jack, seat 1 a pair of jacks.
    node = tree.node("kk/")
    keys = finder.keys[int(tree.group[node])]
    assert keys[finder.find(hand.view(0), node) or 0] == ((11,), (), (9,))


def views_of(game: str, hands: int, moves: random.Random) -> list[View]:
    spec, views = catalogue(game), []
    for seed in range(hands):
        hand = Hand(spec, seed=seed)
        while hand.actor is not None:
            views.append(hand.view(hand.actor))
            hand.do(random_move(hand, moves))
    return views


@pytest.mark.parametrize(
    ("game", "menu", "cards"),
    [
        ("nolimit-100bb", "laptop", "lossless | suitless | suitless | suitless"),
        ("cardiff", "cardiff", "suitless 2"),
        ("limit", "min", "suitless 4"),
    ],
)
def test_statuses_and_legality(game: str, menu: str, cards: str) -> None:
    tree = Tree(catalogue(game), menu)
    abstraction = make_abstraction(cards)
    query = Query(Drawn(tree), HoldemBuckets(abstraction, tree.spec), seed=5)
    found = []
    for view in views_of(game, 60, random.Random(2)):
        answer = query.strategy(view)
        found.append(answer.status)
        if answer.status == "trained":
            assert all(action in view.legal for action, _ in answer.actions)
            assert sum(chance for _, chance in answer.actions) == pytest.approx(1, abs=1e-5)
            assert len(dict(answer.actions)) == len(answer.actions)
            assert answer.bucket == abstraction.street_bucket(list(view.hole), list(view.board))
        else:
            assert answer.actions == ()
            assert bool(answer.reason) == (answer.status == "off-tree")
    assert {"trained", "untrained"} <= set(found)


def test_the_same_view_gets_the_same_answer_from_anyone() -> None:
    tree = Tree(catalogue("nolimit-100bb"), "laptop")
    finder = HoldemBuckets(make_abstraction("suitless 4"), tree.spec)
    query = Query(Drawn(tree), finder, seed=5)
    views = views_of("nolimit-100bb", 40, random.Random(3))
    answers = [query.strategy(view) for view in views]
    random.Random(1).shuffle(order := list(range(len(views))))
    for index in order:
        assert Query(Drawn(tree), finder, seed=5).strategy(views[index]) == answers[index]


def test_tables_and_rules_agree(tables: HandStrength, tmp_path: Path) -> None:
    """The table of the flop is used where it is built, and left alone where it is damaged."""
    cards = make_abstraction("lossless | percentile 20", tables)
    spec = catalogue("cardiff")
    views = [view for view in views_of("cardiff", 40, random.Random(4)) if view.street == 1][:12]
    assert built_tables(cards, tmp_path)[1] is None
    plain = [HoldemBuckets(cards, spec, tmp_path).find(view, 0) for view in views]
    bucket_tables(cards, tables, tmp_path)
    assert built_tables(cards, tmp_path)[1] is not None
    assert [HoldemBuckets(cards, spec, tmp_path).find(view, 0) for view in views] == plain
    (path,) = abstraction_files(tmp_path)
    damaged = bytearray(path.read_bytes())
    damaged[-2_000_000::1000] = b"\xff" * len(damaged[-2_000_000::1000])
    path.write_bytes(damaged)
    assert [HoldemBuckets(cards, spec, tmp_path).find(view, 0) for view in views] == plain


def recalled(cards: CardAbstraction, holes: list[str], boards: list[str]) -> int:
    """The definition: buckets of all streets so far, each with the cards held then."""
    pairs = zip(holes, boards, strict=True)
    return cards.combine([cards.street_bucket(hole, board) for hole, board in pairs])


def test_recall_through_swaps() -> None:
    """Seat 0 swaps its first card on the flop and on the turn."""
    cards = _recalling()
    spec = catalogue("discard-2017")
    finder = HoldemBuckets(cards, spec)
    hand = Hand(spec, hole=["AhKh", "QsQd"], board="Jc8c5d3sTh", seed=1)
    holes: list[str] = []
    boards = ["", "Jc8c5d", "Jc8c5d3s", "Jc8c5d3sTh"]
    held: dict[int, str] = {}
    while hand.actor is not None:
        seat = hand.actor
        view = hand.view(seat)
        if seat == 0:
            now = "".join(map(card_text, view.hole))
            street = view.street
            holes = [held.get(earlier, now) for earlier in range(street)] + [now]
            assert finder.find(view, 0) == recalled(cards, holes, boards[: street + 1])
        if hand.discarding:
            if seat == 0:
                held[view.street - 1] = "".join(map(card_text, view.hole))
                hand.discard(card_text(view.hole[0]))
            else:
                hand.stand()
        else:
            hand.check_or_call()
            if seat == 0:
                held[view.street] = "".join(map(card_text, view.hole))
    assert len(holes) == 4
    assert len(set(holes)) == 3


def _recalling() -> CardAbstraction:
    """With more buckets than tables could hold: nothing is built here."""
    return CardAbstraction("suitless 4 recall", make_abstraction("suitless 4").rules, recall=True)


def test_recall_says_where_it_cannot_know() -> None:
    spec = catalogue("discard-2017")
    hand = Hand(spec, hole=["AhKh", "QsQd"], board="Jc8c5d3sTh", seed=1)
    hand.play("ck/s")
    hand.discard("Ah")
    view = hand.view(1)
    assert HoldemBuckets(_recalling(), spec).find(view, 0) is not None  # seat 1 swapped nothing
    hand.check_or_call()
    assert HoldemBuckets(_recalling(), spec).find(hand.view(0), 0) is None


def test_swaps_give_away_the_card_of_training(tables: HandStrength) -> None:
    values = swap_values(tables, "turn")
    rule, plain = SwapRule(tables), SwapRule()
    spec = catalogue("discard-2017")
    for seed in range(12):
        hand = Hand(spec, seed=seed)
        hand.play("ck/sskk/")
        view = hand.view(1)
        found = canonical_board(list(view.board))
        moved = [_renamed(card, found.permutation) for card in sorted(view.hole)]
        low, high = (int(values[found.id, card]) for card in moved)
        expected = card_text(sorted(view.hole)[1 if low > high else 0])
        assert rule.card(view) == plain.card(view) == expected


def _renamed(card: int, permutation: int) -> int:
    """A card in the canonical suits of a board, by where a pair with it goes."""
    moved = hole_permutations()[permutation]
    other = [(card + step) % 52 for step in (4, 8)]  # same suit, two other ranks
    pairs = [set(map(int, hole_cards(int(moved[hole_index(card, one)])))) for one in other]
    (common,) = pairs[0] & pairs[1]
    return common


@pytest.mark.parametrize("row", [[np.nan, 1], [-0.5, 1.5], [0.5, 0.4], [0, 0]])
def test_rows_that_are_no_distributions_are_refused(row: list[float]) -> None:
    class Wrong(Drawn):
        def row(self, node: int, bucket: int) -> NDArray[np.float32]:  # noqa: ARG002 - the same for all
            return np.array(row, np.float32)

    tree = Tree(catalogue("kuhn"), "min")
    query = Query(Wrong(tree), EnumeratedBuckets(tree))
    with pytest.raises(BlueprintError, match=r"bucket . after '' is .* not a distribution"):
        query.strategy(Hand(tree.spec, seed=1).view(0))


def test_a_seat_that_is_not_to_act_is_refused() -> None:
    tree = Tree(catalogue("leduc"), "min")
    query = Query(Drawn(tree), EnumeratedBuckets(tree))
    with pytest.raises(BlueprintError, match="seat 1 is not to act: seat 0 is to act"):
        query.strategy(Hand(tree.spec, seed=1).view(1))
    unknown = query.strategy(Hand(tree.spec).view(0))
    assert unknown.status == "off-tree"
    assert "cards" in unknown.reason
