"""The spot engine against solved games, other solvers' tests, and its twin in plain Python."""

import math

import numpy as np
import pytest

from riverboat.cards import Range, equity, parse_cards
from riverboat.errors import CardError, GameError
from riverboat.game import Rake
from riverboat.spots import SCHEDULES, Engine, Schedule, Spot
from riverboat.spots._inputs import core_schedule
from riverboat.tree import Tree
from spots.made import ON_CARD, hole, made, one_hand, played, spec_of
from spots.test_spot import BASIC
from twins.spot import PlainSpot

RIVER = "2s3h4d6c7c"
BLUFF = ("AsAh, QsQh", "KsKh")  # wins, loses; the other catches


def bluff_catcher() -> Engine:
    return made(spec_of(RIVER, 20, 10), "a", RIVER, BLUFF)


# ---- Solved games


def test_bluffs_and_calls_of_the_clairvoyant_half_pot_bet() -> None:
    # Chen & Ankenman, The Mathematics of Poker, chapter 11, for s = 1/2: a bluff for two bets of
    # value less, and so on: bluffs s/(1+s) of the losers here, calls 1/(1+s).
    engine = bluff_catcher()
    engine.run(1000)
    assert played(engine, "", "QsQh")[1] == pytest.approx(1 / 3, abs=0.003)
    assert played(engine, "b10", "KsKh")[1] == pytest.approx(2 / 3, abs=0.003)
    values = engine.values(0, 0)
    assert values[hole("AsAh")] == pytest.approx(26.667, abs=0.03)
    assert values[hole("QsQh")] == pytest.approx(0, abs=0.03)
    assert engine.values(1, 0)[hole("KsKh")] == pytest.approx(6.667, abs=0.03)
    assert engine.exploitability()[2] < 0.01


@pytest.mark.parametrize(
    ("calls", "losers", "winners", "catchers"), [(0.75, 0, 27.5, 6.25), (0.5, 5, 25, 5)]
)
def test_locked_calls(calls: float, losers: float, winners: float, catchers: float) -> None:
    # postflop-solver, src/game/tests.rs: node_locking.
    engine = bluff_catcher()
    engine.lock(engine.tree.node("b10"), (), one_hand([1 - calls, calls], "KsKh"))
    engine.run(300)
    values = engine.values(0, 0)
    assert values[hole("QsQh")] == pytest.approx(losers, abs=1e-3)
    assert values[hole("AsAh")] == pytest.approx(winners, abs=1e-3)
    assert engine.values(1, 0)[hole("KsKh")] == pytest.approx(catchers, abs=1e-3)
    assert played(engine, "b10", "KsKh") == pytest.approx([1 - calls, calls])
    assert engine.exploitability()[2] < 1e-3


def test_a_hand_can_be_locked_while_others_learn() -> None:
    # postflop-solver, src/game/tests.rs: node_locking_partial.
    spec = spec_of(RIVER, 10, 10)
    engine = made(spec, "a", RIVER, ("AsAh, QsQh, JsJh", "KsKh"))
    engine.lock(0, (), one_hand([0.8, 0.2], "JsJh"))
    engine.run(1000)
    assert played(engine, "", "QsQh")[1] == pytest.approx(0.3, abs=0.003)
    assert engine.values(0, 0)[hole("AsAh")] == pytest.approx(15, abs=0.03)
    assert engine.values(1, 0)[hole("KsKh")] == pytest.approx(5, abs=0.03)
    engine.unlock(0, ())
    engine.run(2000)
    jacks, queens = played(engine, "", "JsJh")[1], played(engine, "", "QsQh")[1]
    assert jacks + queens == pytest.approx(0.5, abs=0.01)
    assert jacks != pytest.approx(0.2, abs=1e-3)


def test_the_akq_game() -> None:
    # Chen & Ankenman, example 11.1: pot 2, bet 1, one bet by the first player only. Q bluffs 1/3,
    # K calls 1/3.
    every = "AsAh, KsKh, QsQh"
    engine = made(spec_of(RIVER, 2, 1), "a", RIVER, (every, every))
    check = np.zeros((2, 1326), dtype=np.float32)
    check[0] = 1
    engine.lock(engine.tree.node("k"), (), check)
    engine.run(2000)
    assert played(engine, "", "QsQh")[1] == pytest.approx(1 / 3, abs=0.01)
    assert played(engine, "b1", "KsKh")[1] == pytest.approx(1 / 3, abs=0.01)


def test_two_streets_of_bluffs() -> None:
    # Chen & Ankenman, chapter 15: with two pot-sized bets to come 5/9 of the first bets are
    # bluffs. Quads meet better quads or nothing: no card changes that.
    board = "AsAhKsKh"
    engine = made(spec_of(board, 2, 8), "100% | none", board, ("AdAc, 2d3d, 2c3c", "KdKc"))
    engine.run(500)
    bluffs = sum(played(engine, "", hand)[1] for hand in ("2d3d", "2c3c"))
    assert bluffs / (bluffs + played(engine, "", "AdAc")[1]) == pytest.approx(5 / 9, abs=0.01)
    assert engine.exploitability()[2] < 0.01


def test_the_basic_example_of_another_solver() -> None:
    # postflop-solver, examples/basic.rs: 91.945 out of position, measured with it at 0.05 %.
    spot = Spot.parse(BASIC)
    ranges = (spot.ranges[0].weights, spot.ranges[1].weights)
    engine = Engine(spot.tree(), spot.cards, ranges)
    engine.run(200)
    best, other, exploitability = engine.exploitability()
    assert exploitability < 0.001 * spot.pot
    assert best + other == pytest.approx(spot.pot + 2 * exploitability)
    assert engine.value(0) == pytest.approx(91.945, abs=0.05)


# ---- Values without learning


def test_even_play_with_every_hand() -> None:
    # postflop-solver, src/game/tests.rs: one_raise_all_range: after a bet 75 / 15, call 60 / 60,
    # fold 90 / 0. Here the second player may bet, too: at the root 33.75 / 26.25.
    board = "Td9d6hQc"
    engine = made(spec_of(board, 60, 30), "none / 50% | none", board, ("random", "random"))
    assert engine.value(0) == pytest.approx(33.75)
    assert engine.value(1) == pytest.approx(26.25)
    river = parse_cards("7s")
    for line, first, second in [("kk/b30", 75, 15), ("kk/b30c", 60, 60), ("kk/b30f", 90, 0)]:
        node = engine.tree.node(line)
        assert np.nanmean(engine.values(0, node, river)) == pytest.approx(first)
        assert np.nanmean(engine.values(1, node, river)) == pytest.approx(second)
    assert np.nanmean(engine.equity(0, 0)) == pytest.approx(0.5)
    bet = engine.action_values(engine.tree.node("kk/"), river)
    assert np.nanmean(bet, axis=1) == pytest.approx([22.5, 45])


def test_rake() -> None:
    # postflop-solver, src/game/tests.rs: always_win, always_tie with rake 5 %, cap 10 of 60.
    rake = Rake(5, 100)
    board = "AcAdKh"
    engine = made(spec_of(board, 600, 60, rake=rake), "none", board, ("AsAh", "2c2d"))
    assert [engine.value(0), engine.value(1)] == pytest.approx([570, 0])
    board = "2c6dTh"
    engine = made(spec_of(board, 600, 60, rake=rake), "none", board, ("AA", "AA"))
    assert [engine.value(0), engine.value(1)] == pytest.approx([285, 285])
    assert engine.exploitability()[2] == pytest.approx(0, abs=1e-9)


def test_equities_are_the_exact_ones() -> None:
    board = "Ts9s4d"
    engine = made(spec_of(board, 10, 10), "none", board, ("AsKs", "QhQd"))
    exact = equity("AsKs", "QhQd", board=board).players[0].equity
    assert engine.equity(0, 0)[hole("AsKs")] == pytest.approx(exact)
    assert engine.equity(1, 0)[hole("QhQd")] == pytest.approx(1 - exact)


# ---- The twin

# Hands of the second pair do not block each other. Where all that is left of a range is blocked,
# rounding decides, and the twins part after a few iterations.
BLOCKING = ("AhAd:0.5, KsQs, JhTh, 9c9d, 6s7s:0.25", "AsKs, QdJd, TcTs, 8h8d:0.7, 6s7s")
APART = ("AhAd:0.5, KsQs, JhTh:0.9", "AsKh:0.8, QdJd, TcTs:0.7")
FEWEST = ("AhAd:0.5, KsQs", "QdJd, TcTs:0.7")
SHORT = {"showdown": "short-deck", "ranks": "6789TJQKA"}
TWINS = [
    (("9s7d6hKcTd", "50%, a | a", BLOCKING, {}), "ramp", 2),
    (("9s7d6hKcTd", "50%, a | a", BLOCKING, {"rake": Rake(5, 3)}), "pfs", 2),
    (("9s7d6hKc", "a", BLOCKING, SHORT), "ramp", 1),
    (("9s7d6hKc8c", "50%, a | a", APART, {}), "ramp", 10),
    (("9s7d6hKc", "none / a | none", APART, SHORT), "ramp", 10),
    (("9s7d6h", "none / none / a | none", FEWEST, SHORT), "cfr+", 1),
]


@pytest.mark.parametrize(("spot", "name", "iterations"), TWINS)
def test_the_plain_twin_agrees(
    spot: tuple[str, str, tuple[str, str], dict[str, object]], name: str, iterations: int
) -> None:
    board, menu, ranges, changes = spot
    schedule = SCHEDULES[name]
    engine = made(spec_of(board, 20, 30, **changes), menu, board, ranges, schedule=schedule)
    weights = [Range.parse(text).weights.tolist() for text in ranges]
    twin = PlainSpot(engine.tree, engine.board, (weights[0], weights[1]), schedule.own_reach)
    for t, factors in enumerate(schedule.factors(0, iterations).tolist()):
        engine.run(1)
        twin.run(tuple(factors[:3]))
        if t == 0 or (t in (1, 9) and not (ON_CARD and iterations > 2)):
            agree(engine, twin)
    if ON_CARD:
        steps_agree(engine, (weights[0], weights[1]), iterations)


def agree(engine: Engine, twin: PlainSpot) -> None:
    for player in (0, 1):
        found = engine.best_response(player), engine.value(player)
        assert found == pytest.approx((twin.best_response(player), twin.value(player)), abs=2e-5)


def steps_agree(engine: Engine, weights: tuple[list[float], list[float]], count: int) -> None:
    """Check each iteration of a card against the CPU's, from the same tables.

    Sums in another order differ in their last digits. Where two actions are worth the same these
    decide what is played next, so that whole runs part, and no step of them does.
    """
    cpu = Engine(engine.tree, engine.board, weights, schedule=engine.schedule)
    for t in range(count):
        engine.load_state({name: table.copy() for name, table in cpu.state().items()}, t)
        for each in (cpu, engine):
            each.run(1)
        for name, table in engine.state().items():
            np.testing.assert_allclose(table, cpu.state()[name], rtol=1e-5, atol=1e-4)


# ---- Invariance

TURN = ("JsTs9h4h", "50%, a | a", ("22+, A2s+, KTs+, QTs+, 98s", "TT-66, A9s+, KJo+, J9s"))


def test_renamed_run_outs_are_solved_once() -> None:
    board, menu, ranges = TURN
    found = [
        made(spec_of(board, 20, 40), menu, board, ranges, isomorphism=i) for i in (True, False)
    ]
    for engine in found:
        engine.run(3)
    with_it, without = found
    assert with_it.state()["regrets0"].size < 0.8 * without.state()["regrets0"].size
    assert with_it.exploitability() == pytest.approx(without.exploitability(), rel=1e-5)
    node = with_it.tree.node("kk/b10")
    for card in parse_cards("2c2d2h2s"):
        mine, other = with_it.values(1, node, [card]), without.values(1, node, [card])
        np.testing.assert_allclose(mine, other, rtol=1e-4, atol=1e-4)
        mine, other = with_it.reach(0, node, [card]), without.reach(0, node, [card])
        np.testing.assert_allclose(mine, other, rtol=1e-4, atol=1e-5)


@pytest.mark.threads
@pytest.mark.parametrize("board", ["JsTs9h4h", "JsTs9h4h2c"])
def test_threads_change_no_bit(board: str) -> None:
    _, menu, ranges = TURN
    spec = spec_of(board, 20, 40)
    one, two = (made(spec, menu, board, ranges, threads=threads) for threads in (1, 3))
    for engine in (one, two):
        engine.run(4)
    for name, table in one.state().items():
        assert table.tobytes() == two.state()[name].tobytes()
    assert one.exploitability() == two.exploitability()


def test_names_of_suits_do_not_matter() -> None:
    board, menu = "JsTs9h4c", "a"
    rename = str.maketrans("cdhs", "hscd")
    ranges = ("AsKs, QhQd, 9c9d, 8s7s, AcAd:0.5", "TT, AhQh, 5s4s, KsQd")
    other = (ranges[0].translate(rename), ranges[1].translate(rename))
    spec = spec_of(board, 20, 40)
    first = made(spec, menu, board, ranges)
    second = made(spec, menu, board.translate(rename), other)
    for engine in (first, second):
        engine.run(1000 if ON_CARD else 20)
    if ON_CARD:  # see `steps_agree`: what both come to is the same
        near = 0.0005 * 20  # of the pot
        assert max(first.exploitability()[2], second.exploitability()[2]) < near
        assert first.both_values() == pytest.approx(second.both_values(), abs=2 * near)
        return
    assert first.exploitability() == pytest.approx(second.exploitability(), rel=1e-4)


# ---- Schedules


@pytest.mark.parametrize("name", SCHEDULES)
def test_every_schedule_converges(name: str) -> None:
    engine = made(spec_of(RIVER, 20, 30), "50%, a | a", RIVER, TURN[2], schedule=SCHEDULES[name])
    engine.run(20)
    early = engine.exploitability()[2]
    engine.run(200)
    assert engine.exploitability()[2] < min(0.15, early)


def test_schedules_are_the_papers() -> None:
    # Brown & Sandholm 2019: t^a / (t^a + 1) and (t / (t + 1))^g; postflop-solver's average restarts
    # at powers of 4, and its regrets count from t - 1.
    assert SCHEDULES["dcfr"].factors(4, 5)[0] == pytest.approx([8 / 9, 0.5, 0.64, 1])
    assert SCHEDULES["pfs"].factors(5, 6)[0] == pytest.approx([8 / 9, 0.5, 0.125, 1])
    assert SCHEDULES["pfs"].factors(16, 17)[0, 2] == 0
    assert SCHEDULES["ramp"].exponents(100) == (1.375, 0.25, 5)
    means = SCHEDULES["linear"].factors(0, 4, running_mean=True)[:, 2:]
    assert means[:, 1] == pytest.approx([1, 2 / 3, 1 / 2, 2 / 5])  # t / (1 + .. + t)
    assert means.sum(axis=1) == pytest.approx(1)
    assert SCHEDULES["cfr+"].factors(7, 8)[0, :2].tolist() == [1, 0]
    with pytest.raises(GameError, match="not 1;"):
        Schedule((1, 1, 1), restart=1)


@pytest.mark.parametrize("name", SCHEDULES)
@pytest.mark.parametrize("running_mean", [False, True])
def test_the_core_has_the_same_factors(name: str, running_mean: bool) -> None:
    for begin, end in [(0, 70), (190, 260), (256, 256)]:
        found = np.empty((end - begin, 4), dtype=np.float32)
        core_schedule(SCHEDULES[name], running_mean).factors_into(begin, found)
        expected = SCHEDULES[name].factors(begin, end, running_mean=running_mean)
        assert found == pytest.approx(expected, rel=1e-6)


# ---- 16 bits


def test_tables_of_16_bits_learn_the_same_in_half_the_memory() -> None:
    board, menu, ranges = TURN
    spec = spec_of(board, 20, 40)
    wide, narrow = (made(spec, menu, board, ranges, bits=bits) for bits in (32, 16))
    for engine in (wide, narrow):
        engine.run(100)
    sizes = [sum(table.nbytes for table in engine.state().values()) for engine in (wide, narrow)]
    assert sizes[1] < 0.52 * sizes[0]
    assert narrow.exploitability()[2] < max(0.02, 1.3 * wide.exploitability()[2])
    assert narrow.value(0) == pytest.approx(wide.value(0), abs=0.05)
    assert not narrow.own_reach


@pytest.mark.threads
def test_tables_of_16_bits_have_locks_and_threads() -> None:
    board, menu, ranges = TURN
    spec = spec_of(board, 20, 40)
    one, two = (made(spec, menu, board, ranges, bits=16, threads=n) for n in (1, 2))
    for engine in (one, two):
        engine.lock(0, (), one_hand([0.5, 0.25, 0.25], "KhKs"))
        engine.run(3)
    for name, table in one.state().items():
        assert table.tobytes() == two.state()[name].tobytes()
    assert played(one, "", "KhKs") == [0.5, 0.25, 0.25]
    won = one.adopt_best_response(1)
    assert one.value(1) == pytest.approx(won)


def test_there_are_no_tables_of_other_bits() -> None:
    with pytest.raises(GameError, match="not 8"):
        made(spec_of(RIVER, 20, 10), "a", RIVER, BLUFF, bits=8)
    with pytest.raises(GameError, match="predictive"):
        made(spec_of(RIVER, 20, 10), "a", RIVER, BLUFF, bits=16, schedule=SCHEDULES["pcfr+"])


# ---- Responses, state, what is refused


def test_a_best_response_can_be_adopted() -> None:
    engine = bluff_catcher()
    engine.lock(engine.tree.node("b10"), (), one_hand([0.5, 0.5], "KsKh"))
    won = engine.adopt_best_response(0)
    assert won == engine.best_response(0) == pytest.approx(engine.value(0)) == pytest.approx(15)
    assert played(engine, "", "QsQh") == [0, 1]


def test_state_goes_on() -> None:
    board, menu, ranges = TURN
    first, second = (made(spec_of(board, 20, 40), menu, board, ranges) for _ in range(2))
    first.run(3)
    second.load_state({name: table.copy() for name, table in first.state().items()}, 3)
    for engine in (first, second):
        engine.run(2)
    assert first.exploitability() == second.exploitability()
    with pytest.raises(GameError, match="regrets0"):
        first.load_state({}, 0)


def test_forecasts_are_what_is_taken() -> None:
    board, menu, ranges = TURN
    engine = made(spec_of(board, 20, 40), menu, board, ranges)
    weights = (Range.parse(ranges[0]).weights, Range.parse(ranges[1]).weights)
    forecast = Engine.forecast(engine.tree, engine.board, weights)
    assert forecast.table_bytes == sum(table.nbytes for table in engine.state().values())
    assert forecast.num_boards == 1 + 13 + 11 + 11  # one of two suits that the board lacks
    assert forecast.bytes > forecast.table_bytes


def test_locks_that_break_the_symmetry_of_suits_are_refused() -> None:
    board, menu, ranges = TURN
    engine = made(spec_of(board, 20, 40), menu, board, ranges)
    with pytest.raises(GameError, match="without isomorphism"):
        engine.lock(0, None, one_hand([1, 0, 0], "AcTc"))
    free = made(spec_of(board, 20, 40), menu, board, ranges, isomorphism=False)
    free.lock(0, None, one_hand([1, 0, 0], "AcTc"))
    free.run(2)
    assert played(free, "", "AcTc") == [1, 0, 0]


def test_a_lock_after_a_card_holds_where_suits_are_renamed() -> None:
    # postflop-solver, src/game/tests.rs: node_locking_isomorphism.
    board, menu, ranges = TURN
    engine = made(spec_of(board, 20, 40), menu, board, ranges)
    node = engine.tree.node("kk/")
    engine.lock(node, parse_cards("2d"), one_hand([0.25, 0.75, 0], "AcTc"))
    engine.run(2)
    rows = {card: engine.strategy(node, parse_cards(card)) for card in ("2d", "2c", "3c")}
    assert rows["2d"][:, hole("AcTc")].tolist() == [0.25, 0.75, 0]
    assert rows["2c"][:, hole("AdTd")].tolist() == [0.25, 0.75, 0]
    assert rows["3c"][:, hole("AdTd")].tolist() != [0.25, 0.75, 0]


def test_dead_hands_are_nan() -> None:
    board, menu, ranges = TURN
    engine = made(spec_of(board, 20, 40), menu, board, ranges)
    node = engine.tree.node("kk/")
    assert math.isnan(engine.values(0, node, parse_cards("Ac"))[hole("AcTc")])
    assert np.isnan(engine.strategy(node, parse_cards("Ac"))[:, hole("AcTc")]).all()
    assert engine.reach(0, node, parse_cards("Ac"))[hole("AcTc")] == 0
    assert engine.hands[0].tolist() == np.flatnonzero(~np.isnan(engine.values(0, 0))).tolist()


def test_what_is_no_spot_is_refused() -> None:
    board, menu, ranges = TURN
    spec = spec_of(board, 20, 40)
    with pytest.raises(GameError, match="4 cards, not 5"):
        made(spec, menu, RIVER, ranges)
    weights = (Range.parse(ranges[0]).weights, Range.parse(ranges[1]).weights)
    with pytest.raises(GameError, match="chance=True"):
        Engine(Tree(spec, menu), parse_cards(board), weights)
    with pytest.raises(GameError, match="player 1 has no hand"):
        made(spec, menu, board, (ranges[0], "JsTs"))
    engine = made(spec, menu, board, ranges)
    with pytest.raises(GameError, match="after 1 cards, not 0"):
        engine.values(0, engine.tree.node("kk/"))
    with pytest.raises(CardError, match="Js cannot be dealt there"):
        engine.values(0, engine.tree.node("kk/"), parse_cards("Js"))
    with pytest.raises(GameError, match="add up to 1"):
        engine.lock(0, None, one_hand([0.5, 0, 0], "AcTc"))
    with pytest.raises(GameError, match="not 3"):
        engine.values(3, 0)
    with pytest.raises(GameError, match="not -1"):
        engine.run(-1)
