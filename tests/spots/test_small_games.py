"""Small games as public trees: the spot engine on Kuhn, Leduc and small decks."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from riverboat.cards import hole_cards
from riverboat.errors import GameError
from riverboat.evaluate import exploitability
from riverboat.game import GameSpec, Street, catalogue
from riverboat.solve import bucket_key, enumerate_deals
from riverboat.spots import SCHEDULES, Engine, one_card_holes
from riverboat.tree import DECISION, Tree
from spots.made import made
from twins.spot import PlainSpot


def every_card(spec: GameSpec) -> NDArray[np.float64]:
    weights = np.zeros(1326)
    weights[one_card_holes(spec)] = 1
    return weights


def small_game(spec: GameSpec, **options: Any) -> Engine:
    cards = every_card(spec)
    return Engine(Tree(spec, "min", chance=True), (), (cards, cards), **options)


# ---- Solved games


def test_kuhn_as_a_river_of_three_pairs() -> None:
    # Kuhn, A simplified two-person poker, 1950: the first player loses 1/18 of an ante. A pair of
    # the same two cards excludes nothing but itself; the share of a pot of two antes is 1.
    board, every = "2s3h4d6c7c", "AsAh, KsKh, QsQh"
    spec = GameSpec(stacks=(2, 2), antes=(1, 1), min_bet=1, streets=(Street(hole=2, board=5),))
    engine = made(spec, "a", board, (every, every))
    engine.run(2000)
    assert engine.exploitability()[2] < 1e-4
    assert engine.value(0) - 1 == pytest.approx(-1 / 18, abs=1e-4)


def test_kuhn_as_it_is() -> None:
    engine = small_game(catalogue("kuhn"))
    assert [len(hands) for hands in engine.hands] == [3, 3]
    # Uniform play: the first player wins 1/8, NashConv 11/12 (OpenSpiel, exploitability_test.py).
    assert engine.value(0) - 1 == pytest.approx(1 / 8)
    assert 2 * engine.exploitability()[2] == pytest.approx(11 / 12)
    engine.run(2000)
    assert engine.value(0) - 1 == pytest.approx(-1 / 18, abs=1e-4)


@pytest.mark.parametrize("isomorphism", [True, False])
def test_leduc(isomorphism: bool) -> None:
    engine = small_game(catalogue("leduc"), isomorphism=isomorphism)
    # NashConv of uniform play 4.747222 (OpenSpiel, exploitability_test.py).
    assert 2 * engine.exploitability()[2] == pytest.approx(4.747222, abs=1e-6)
    engine.run(1500)
    assert engine.exploitability()[2] < 1e-3
    # The game's value, -0.0856 (OpenSpiel, tests of its solvers on leduc_poker).
    assert engine.value(0) - 1 == pytest.approx(-0.0856, abs=1e-3)


def test_suits_of_leduc_are_solved_once() -> None:
    spec, boards = catalogue("leduc"), []
    cards, tree = every_card(spec), Tree(spec, "min", chance=True)
    for isomorphism in (True, False):
        forecast = Engine.forecast(tree, (), (cards, cards), isomorphism=isomorphism)
        boards.append(forecast.num_boards)
    assert boards == [1 + 3, 1 + 6]


def test_questions_about_leduc() -> None:
    # A king meets five cards: he ties with one and, while nobody pairs, beats the others. The board
    # pairs him in 1 of 4 cases, the other in 1 of 4 (not if they tie).
    engine = small_game(catalogue("leduc"))
    spec, holes = engine.tree.spec, one_card_holes(engine.tree.spec)
    kings, jacks = holes[-2:], holes[:2]
    assert engine.equity(0, 0)[kings] == pytest.approx((4 / 5) * (3 / 4) + (1 / 5) / 2)
    assert np.isnan(np.delete(engine.equity(0, 0), holes)).all()
    node = engine.tree.node("kk/")
    paired = engine.equity(1, node, [spec.deck[0]])  # a jack on the board
    assert paired[jacks[1]] == 1
    assert np.isnan(paired[jacks[0]])
    assert engine.reach(0, node, [spec.deck[0]])[jacks[1]] == pytest.approx(1 / 2)
    assert engine.values(0, engine.tree.node("b2f"))[kings] == pytest.approx(4)


@pytest.mark.parametrize(
    "options", [{"bits": 16}, {"threads": 2}, {"schedule": SCHEDULES["pcfr+"]}]
)
def test_leduc_by_other_means(options: dict[str, Any]) -> None:
    engine = small_game(catalogue("leduc"), **options)
    engine.run(500)
    assert engine.value(0) - 1 == pytest.approx(-0.0856, abs=0.01)
    assert engine.exploitability()[2] < 0.02


# ---- The same game, another walk


def strategy_entries(engine: Engine) -> NDArray[np.float64]:
    """Return the averages of a one-card game as the solvers of enumerated deals have them."""
    tree = Tree(engine.tree.spec, engine.tree.menu)
    deals = enumerate_deals(tree)
    holes = dict(zip(tree.spec.deck, one_card_holes(tree.spec).tolist(), strict=True))
    found = np.zeros(deals.num_entries)
    for node in np.flatnonzero(tree.kind == DECISION).tolist():
        group, street = int(tree.group[node]), int(tree.street[node])
        line, offset = tree.line(node), int(tree.offset[node])
        entries = slice(offset, offset + int(tree.num_actions[node]))
        rows, keys = deals.rows(found, group), (deals.bucket_keys or ())[group]
        for board in [()] if street == 0 else [(card,) for card in tree.spec.deck]:
            played = engine.strategy(engine.tree.node(line), board)
            for card in set(tree.spec.deck) - set(board):
                bucket = keys.index(bucket_key(tree.spec, (card,), board, street))
                rows[bucket, entries] = played[:, holes[card]]
    return found


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_the_walk_of_enumerated_deals_finds_the_same_values(name: str) -> None:
    engine = small_game(catalogue(name))
    engine.run(20)
    entries = strategy_entries(engine)
    exact = exploitability(enumerate_deals(Tree(engine.tree.spec, engine.tree.menu)), entries)
    first, second, gap = engine.exploitability()
    assert exact.best_responses == pytest.approx((first - 1, second - 1), abs=1e-6)
    assert exact.values[0] == pytest.approx(engine.value(0) - 1, abs=1e-6)
    assert exact.exploitability == pytest.approx(gap, abs=1e-6)


# ---- The twin on small decks

# Iterations until rounding decides what is played where all that is left of a range is blocked.
ONE_CARD = [
    (catalogue("kuhn"), 10),
    (catalogue("kuhn").replace(ranks="789TJQKA", name="eight ranks"), 5),
    (catalogue("leduc"), 1),
    (catalogue("leduc").replace(ranks="QK", suits="cdh", name="three suits"), 1),
]


@pytest.mark.parametrize(("spec", "iterations"), ONE_CARD)
def test_the_plain_twin_agrees_on_one_card(spec: GameSpec, iterations: int) -> None:
    schedule = SCHEDULES["ramp"]
    cards = every_card(spec)
    cards[one_card_holes(spec)[0]] = 0.5
    tree = Tree(spec, "min", chance=True)
    engine = Engine(tree, (), (cards, every_card(spec)), schedule=schedule)
    twin = PlainSpot(tree, (), (cards.tolist(), every_card(spec).tolist()), schedule.own_reach)
    for factors in schedule.factors(0, iterations).tolist():
        engine.run(1)
        twin.run(tuple(factors[:3]))
    for player in (0, 1):
        found = engine.best_response(player), engine.value(player)
        assert found == pytest.approx((twin.best_response(player), twin.value(player)), abs=2e-5)


def test_the_plain_twin_agrees_on_a_deck_of_sixteen() -> None:
    spec = GameSpec(
        stacks=(5, 5),
        antes=(2, 2),
        min_bet=1,
        ranks="JQKA",
        streets=(Street(hole=2, board=3), Street(board=1)),
    )
    board = (51, 46, 45)
    weights = np.array([float(min(hole_cards(hole)) >= 44) for hole in range(1326)])
    tree, schedule = Tree(spec, "a | none", chance=True), SCHEDULES["ramp"]
    engine = Engine(tree, board, (weights, weights), schedule=schedule)
    twin = PlainSpot(tree, board, (weights.tolist(), weights.tolist()), schedule.own_reach)
    for factors in schedule.factors(0, 2).tolist():
        engine.run(1)
        twin.run(tuple(factors[:3]))
    found = engine.best_response(0), engine.value(0)
    assert found == pytest.approx((twin.best_response(0), twin.value(0)), abs=2e-5)


# ---- What is refused


def test_a_card_has_one_hole_pair() -> None:
    spec = catalogue("kuhn")
    cards = every_card(spec)
    cards[one_card_holes(spec)[0] + 1] = 1  # the same card with another partner, or two of a kind
    tree = Tree(spec, "min", chance=True)
    with pytest.raises(GameError, match="one hole pair for each card"):
        Engine(tree, (), (cards, every_card(spec)))
    with pytest.raises(GameError, match="not 2 and 52"):
        one_card_holes(catalogue("limit"))
    with pytest.raises(GameError, match="for two players"):
        Engine(Tree(catalogue("kuhn3"), "min", chance=True), (), (cards, cards))
