"""Where search begins, and after: what the opponent's hands had, and what they gave away."""

import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from blueprint.strategies import random_blueprint
from riverboat.bots import BlueprintBot, RangeBot, make_bot
from riverboat.cards import HOLES, NUM_HOLES, HandStrength, evaluate, hands_met, parse_cards
from riverboat.game import Hand, View, catalogue
from riverboat.search import Plan, Pool, Search, Searcher, Subgame
from riverboat.search._bounds import Bound, base_bound, solved_bound
from riverboat.search._street import Street
from riverboat.spots import Engine
from riverboat.tree import DECISION
from spots.test_gadget import coin_toss, values_of

NOLIMIT = catalogue("nolimit-100bb")
BOARD = parse_cards("Ks7h2d3c8d")
MENU = "50%, 100% ; cap 1"
RIVER = Search(turn="", river=MENU)
TURN = Search(turn=MENU, river=MENU)


@pytest.fixture(scope="module")
def base(tables: HandStrength, tmp_path_factory: pytest.TempPathFactory) -> BlueprintBot:
    """Plays one size of bet at random, by few buckets."""
    path = tmp_path_factory.mktemp("bounds") / "random.blueprint"
    blueprint = random_blueprint(path, tables, NOLIMIT, MENU, least=1)
    return BlueprintBot(blueprint.query(), make_bot("checkcall", 0), seed=1)


def view(line: str) -> View:
    """What the seat to act sees."""
    hand = Hand(NOLIMIT, board=BOARD)
    hand.play(line)
    assert hand.actor is not None
    return hand.view(hand.actor)


def solved(search: Search, base: Any, line: str, iterations: int = 5) -> Subgame:
    """A solve with a memory of its own, and its solver."""
    bot = Searcher(base, search, pool=Pool())
    return bot.subgame(view(line), Plan(iterations), whole=True)


def rows_of(base: BlueprintBot, found: Subgame, line: str) -> dict[int, np.ndarray]:
    """[actions, 1326] of the strategy at each decision of a river that has its menu."""
    tree, rows = found.planned.tree, {}
    for node in np.flatnonzero(tree.kind == DECISION).tolist():
        told = base.strategies(view(line + tree.line(node)))
        rows[node] = np.stack([told.column(action) for action in tree.actions(node)])
    return rows


# ---- Where search begins


@pytest.mark.parametrize(("line", "threshold"), [("b30c/kk/kk/", 0.0), ("b20c/kk/kb20c/k", 0.2)])
def test_a_river_begins_with_what_the_strategy_is_worth(
    base: BlueprintBot, line: str, threshold: float
) -> None:
    """An engine that plays the strategy on both sides has these values, in the same unit."""
    bot = BlueprintBot(base.query, make_bot("checkcall", 0), 1, threshold=threshold)
    found = solved(replace(RIVER, mode="resolve"), bot, line)
    engine = Engine(found.planned.tree, found.planned.state.board, found.ranges)
    start = line[: line.rindex("/") + 1]
    for node, rows in rows_of(bot, found, start).items():
        engine.lock(node, (), rows)
    gadget = found.engine.gadget
    assert gadget is not None
    assert gadget.player == (1 if line.endswith("/") else 0)  # the one who does not ask
    expected = engine.values(gadget.player, 0)
    known = ~np.isnan(expected)
    assert known.sum() == 47 * 46 // 2
    np.testing.assert_allclose(np.asarray(gadget.values)[known], expected[known], atol=1e-3)


def test_a_turn_begins_with_what_the_strategy_is_worth(base: BlueprintBot) -> None:
    """As a river does, over all rivers: an engine that plays the strategy on both streets."""
    line = "b30c/kk/"
    found = solved(replace(TURN, mode="resolve"), base, line)
    tree, board = found.planned.tree, found.planned.state.board
    engine = Engine(tree, board, found.ranges, isomorphism=False)
    for node in np.flatnonzero(tree.kind == DECISION).tolist():
        cards = sorted({*range(52)} - {*board}) if tree.street[node] else [0]
        for card in cards:
            new = (card,) if tree.street[node] else ()
            hand = Hand(NOLIMIT, board=(*board, *new))
            hand.play(line + tree.line(node))
            told = base.strategies(hand.view(hand.actor or 0))
            engine.lock(node, new, np.stack([told.column(each) for each in tree.actions(node)]))
    expected, gadget = engine.values(1, 0), found.engine.gadget
    assert gadget is not None
    known = ~np.isnan(expected)
    np.testing.assert_allclose(np.asarray(gadget.values)[known], expected[known], atol=1e-3)


def test_hand_by_hand(base: BlueprintBot) -> None:
    """A sum over our hands by the range of the solve, each against one of the opponent's."""
    found = solved(replace(RIVER, mode="resolve"), base, "b30c/kk/kk/")
    tree, rows = found.planned.tree, rows_of(base, found, "b30c/kk/kk/")
    gadget = found.engine.gadget
    assert gadget is not None

    def won(node: int, holes: tuple[int, int]) -> float:
        if tree.kind[node] != DECISION:
            strengths = [evaluate([*HOLES[hole].tolist(), *BOARD]) for hole in holes]
            return float(tree.settle(node, strengths)[1])
        row = rows[node][:, holes[int(tree.player[node])]]
        pairs = zip(row.tolist(), tree.children(node), strict=True)
        return float(sum(share * won(child, holes) for share, child in pairs))

    ours = found.ranges[0]
    for his in (17, 600):
        total = met = 0.0
        for hole in np.flatnonzero(ours).tolist():
            if not {*HOLES[hole].tolist()} & {*HOLES[his].tolist()}:
                total += ours[hole] * won(0, (hole, his))
                met += ours[hole]
        expected = total / met + int(tree.contributions[0, 1])
        assert np.asarray(gadget.values)[his] == pytest.approx(expected, abs=1e-6)


def test_a_bet_between_two_sizes_is_both(base: BlueprintBot) -> None:
    """25 is 20 with 3/7 and 30 with 4/7; values are shares of the pot, which here is 50."""
    street = Street.of(view("b25c/kk/kk/"))
    ranges = np.random.default_rng(1).random((2, NUM_HOLES))
    both = ranges[0], ranges[1]
    bound = base_bound(base, street, 1, both, "resolve")
    assert bound is not None
    expected = np.zeros(NUM_HOLES)
    for line, factor in (("b20c/kk/kk/", 3 / 7 * 50 / 40), ("b30c/kk/kk/", 4 / 7 * 50 / 60)):
        node = base.values.tree.node(line)
        reach = ranges[::-1]  # seat 1 is out of position
        expected += factor * base.values.hands(0, node, street.board, reach=reach).values
    np.testing.assert_allclose(bound.values, expected)
    assert not bound.gifts.any()


def test_where_nothing_is_known_it_is_plain(base: BlueprintBot) -> None:
    ranges = np.ones(NUM_HOLES), np.ones(NUM_HOLES)
    off_tree, flop = "b30b90c/kk/kk/", Street.of(view("b30c/"))
    assert base_bound(base, Street.of(view(off_tree)), 1, ranges, "resolve") is None
    assert base_bound(base, flop, 1, ranges, "resolve") is None  # two cards are to come
    caller, river = make_bot("checkcall", 0), Street.of(view("b30c/kk/kk/"))
    assert isinstance(caller, RangeBot)
    assert base_bound(caller, river, 1, ranges, "resolve") is None
    safe, plain = (
        solved(replace(RIVER, mode=mode), base, off_tree) for mode in ("resolve", "unsafe")
    )
    assert safe.engine.gadget is None
    assert np.array_equal(safe.rows("").rows, plain.rows("").rows)


def test_where_there_is_no_time_for_values_it_is_plain(base: BlueprintBot) -> None:
    bot = Searcher(base, replace(RIVER, mode="resolve"), pool=Pool())
    bot.pool.pace.learn(("bound", 3, "resolve"), 1e9)
    at = view("b30c/kk/kk/")
    assert bot.subgame(at, Plan(0, time.perf_counter() + 30)).engine.gadget is None
    bot.pool.clear()
    assert bot.subgame(at, Plan(3)).engine.gadget is not None  # a number of iterations has time


# ---- What they are good for


def above(found: Subgame, values: np.ndarray) -> tuple[float, float]:
    """What a hand of the opponent has most above T, and what all win that choose: chips."""
    best = found.engine.best_values(1, 0)
    there = ~np.isnan(best)
    met, most = hands_met(found.ranges[0])[there], np.maximum(best, values)[there]
    return float((best - values)[there].max()), float(met @ most / met.sum())


def test_no_hand_gets_more_than_by_responding_to_the_strategy(base: BlueprintBot) -> None:
    """The least margin: the strategy's own river has 0, so the solve has no less."""
    safe, plain = (
        solved(replace(RIVER, mode=mode), base, "b30c/kk/kk/", 200)
        for mode in ("maxmargin", "unsafe")
    )
    gadget = safe.engine.gadget
    assert gadget is not None
    had = np.asarray(gadget.values)
    node, board = base.values.tree.node("b30c/kk/kk/"), BOARD
    reach = np.stack([safe.ranges[1], safe.ranges[0]])  # by seat
    best = base.values.best(0, node, board, reach=reach).values
    np.testing.assert_allclose(had[~np.isnan(best)], best[~np.isnan(best)])
    combined = base_bound(base, Street.of(view("b30c/kk/kk/")), 1, safe.ranges, "combined")
    assert combined is not None
    np.testing.assert_array_equal(combined.values, best)
    assert above(safe, had)[0] < 0.001 * safe.planned.state.pot
    assert above(plain, had)[0] > above(safe, had)[0]


def test_hands_that_choose_win_less_than_from_a_plain_solve(base: BlueprintBot) -> None:
    """`resolve` makes least what all hands win, each by its best response or T."""
    safe, plain = (
        solved(replace(RIVER, mode=mode), base, "b30c/kk/kk/", 200)
        for mode in ("resolve", "unsafe")
    )
    gadget = safe.engine.gadget
    assert gadget is not None
    had = np.asarray(gadget.values)
    assert above(safe, had)[1] < above(plain, had)[1]


# ---- Gifts


def test_the_coin_toss() -> None:
    """With the gift of test_gadget.py the guess is 3/4, without it 5/8."""
    before = values_of({"AsAh": 25, "QsQh": 15 - 5 / 2})
    bound = Bound(before, values_of({"AsAh": 5 / 2}, 0.0))
    for mode, guess in (("reach", 3 / 4), ("maxmargin", 5 / 8)):
        gadget = bound.gadget(0, mode)  # type: ignore[arg-type]
        assert gadget is not None
        assert coin_toss(gadget) == pytest.approx(guess, abs=1e-3)


def test_gifts_of_a_solved_street(base: BlueprintBot) -> None:
    """At each of his decisions what the best action has more than his, hand by hand."""
    search = replace(TURN, mode="reach")
    bot = Searcher(base, search, pool=Pool())
    river = bot.subgame(view("b30c/kk/kb60c/"), Plan(5))
    turn = bot.subgame(view("b30c/kk/kb60"), Plan(5), whole=True)
    gadget, tree = river.engine.gadget, turn.planned.tree
    assert gadget is not None
    assert (gadget.player, gadget.mode) == (1, "reach")
    node = tree.node("k")  # the opponent's only decision: check or bet 30 or 60
    worth = []
    for child in tree.children(node):
        chips = int(tree.contributions[child, 1] - tree.contributions[node, 1])
        worth.append(turn.engine.best_values(1, child) - chips)
    lost = np.nan_to_num(np.max(worth, axis=0) - worth[tree.actions(node).index("b60")])
    np.testing.assert_allclose(np.asarray(gadget.gifts), lost, atol=1e-9)
    assert lost.min() == 0
    assert lost.max() > 1
    street = Street.of(view("b30c/kk/kb60c/"))
    assert solved_bound(turn, street, 0, "reach").gifts.max() > 0  # of ours: a check and a call
    assert not solved_bound(turn, street, 1, "resolve").gifts.any()


def test_gifts_where_search_begins(base: BlueprintBot) -> None:
    """Before a river those of the turn, where the strategy's values are exact."""
    found = solved(replace(RIVER, mode="reach"), base, "b30c/kk/kb60c/")
    gadget, values = found.engine.gadget, base.values
    assert gadget is not None
    node = values.tree.node("b30c/kk/k")
    worth = values.best_actions(node, BOARD[:4])
    taken = values.tree.actions(node).index("b60")
    lost = np.nan_to_num(worth.max(axis=1) - worth[:, taken])
    np.testing.assert_allclose(np.asarray(gadget.gifts), lost)
    assert lost.max() > 1
