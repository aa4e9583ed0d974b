"""Safe re-solving in the spot engine: known games, its twin, and a turn that is solved again."""

from typing import Any, get_args

import numpy as np
import pytest
from numpy.typing import NDArray

from riverboat.cards import Range, parse_cards
from riverboat.errors import GameError
from riverboat.game import Rake
from riverboat.spots import SCHEDULES, Engine, Gadget, GadgetMode
from riverboat.tree import Tree
from spots.made import ON_CARD, hole, made, one_hand, played, spec_of
from twins.gadget import PlainGadget
from twins.spot import PlainSpot

RIVER = "2s3h4d6c7c"
BLUFF = ("AsAh, QsQh", "KsKh")
TURN = ("JsTs9h4h", "50%, a | a", ("22+, A2s+, KTs+, QTs+, 98s", "TT-66, A9s+, KJo+, J9s"))


def values_of(hands: dict[str, float], rest: float = np.nan) -> NDArray[np.float64]:
    values = np.full(1326, rest)
    for text, value in hands.items():
        values[hole(text)] = value
    return values


def bet_always(engine: Engine) -> None:
    """Lock the first player's all-in, so that only the other decides."""
    bet = np.zeros((2, 1326), dtype=np.float32)
    bet[1] = 1
    engine.lock(0, (), bet)


# ---- Known games


def coin_toss(gadget: Gadget) -> float:
    """Return how often kings call: the guess "tails" of the Coin Toss.

    Brown & Sandholm, Safe and nested subgame solving, 2017: who knows the coin wins 1 if the other
    guesses wrong, and loses 1 if right. Here aces are heads, queens tails; the pot is 20, the bet
    10. The folding hand is one that aces block and queens meet in 2 of 3 cases, so if kings call
    with probability c, aces win 20 + 10 c = 25 + 5 (2 c - 1), queens 20 - 10 c = 15 + 5 (1 - 2 c).
    """
    ranges = ("AsAh, QsQh", "KsKh:0.5, AhJc")
    engine = made(spec_of(RIVER, 20, 10), "a", RIVER, ranges, gadget=gadget)
    bet_always(engine)
    engine.lock(engine.tree.node("b10"), (), one_hand([1, 0], "AhJc"))
    engine.run(3000)
    return played(engine, "b10", "KsKh")[1]


def test_the_coin_toss() -> None:
    # Heads had 0 and tails -1/2 before: margins 0 - (2 c - 1) and -1/2 - (1 - 2 c) are equal at
    # c = 5/8. Heads could have had 1/2 elsewhere, a gift of 1/2: now at c = 3/4.
    before = values_of({"AsAh": 25, "QsQh": 15 - 5 / 2})
    gifts = values_of({"AsAh": 5 / 2}, 0.0)
    assert coin_toss(Gadget(0, before, "maxmargin")) == pytest.approx(5 / 8, abs=1e-3)
    assert coin_toss(Gadget(0, before, "reach", gifts=gifts)) == pytest.approx(3 / 4, abs=1e-3)
    # T of the reach is what both get at 3/4: there is no other safe guess.
    assert coin_toss(Gadget(0, before + gifts, "resolve")) == pytest.approx(3 / 4, abs=2e-3)


def test_what_is_indifferent_is_safe_with_a_gadget_only() -> None:
    # In equilibrium one bluff comes with three bets of value, and kings call 2/3: aces get 26 2/3,
    # queens nothing (test_engine.py). Against that range any call does for kings: unsafe play stays
    # even, and queens would win 20 / 2 - 10 / 2 = 5.
    ranges = ("AsAh, QsQh:0.33333333", "KsKh")
    unsafe = made(spec_of(RIVER, 20, 10), "a", RIVER, ranges)
    before = values_of({"AsAh": 80 / 3, "QsQh": 0})
    safe = made(spec_of(RIVER, 20, 10), "a", RIVER, ranges, gadget=Gadget(0, before))
    for engine in (unsafe, safe):
        bet_always(engine)
        engine.run(1000)
    if not ON_CARD:  # where rounding does not leave kings even
        assert played(unsafe, "b10", "KsKh")[1] == pytest.approx(1 / 2, abs=0.01)
        assert unsafe.best_values(0, 0)[hole("QsQh")] == pytest.approx(5, abs=0.5)
    assert played(safe, "b10", "KsKh")[1] == pytest.approx(2 / 3, abs=2e-3)
    assert np.nanmin(safe.margins()) > -0.02
    assert safe.exploitability()[2] < 0.02


# ---- Values that decide by themselves


def test_a_worthless_alternative_is_no_alternative() -> None:
    board, menu, ranges = "JsTs9h4h2c", *TURN[1:]
    spec = spec_of(board, 20, 40)
    plain = made(spec, menu, board, ranges)
    always = made(spec, menu, board, ranges, gadget=Gadget(1, np.full(1326, -np.inf)))
    low = made(spec, menu, board, ranges, gadget=Gadget(1, np.full(1326, -1e9)))
    for engine in (plain, always, low):
        engine.run(30)
    for name, table in plain.state().items():
        assert table.tobytes() == always.state()[name].tobytes()
    assert always.exploitability() == pytest.approx(plain.exploitability())
    assert (always.reach(1, 0)[always.hands[1]] == 1).all()
    assert (low.reach(1, 0)[low.hands[1]] > 0.999).all()
    assert np.isinf(always.margins()[always.hands[1]]).all()


@pytest.mark.parametrize("opponent", [0, 1])
def test_nobody_leaves_a_fortune(opponent: int) -> None:
    engine = made(
        spec_of(RIVER, 20, 10), "a", RIVER, BLUFF, gadget=Gadget(opponent, np.full(1326, np.inf))
    )
    engine.run(5)
    assert not engine.reach(opponent, 0).any()
    assert engine.exploitability()[2] == pytest.approx(0)
    fortune = Gadget(opponent, np.full(1326, np.inf), "maxmargin")
    with pytest.raises(GameError, match="finite value"):
        made(spec_of(RIVER, 20, 10), "a", RIVER, BLUFF, gadget=fortune)


def test_combined_reach_is_the_range_and_more() -> None:
    # QsQh of weight 1/2 enters, 1/2 more. Both hands are 3/2: entries are capped at a fifth of
    # that, 0.3, and an even share of a tenth of 1.8 is 0.09 for each hand, to at most 1.
    ranges = ("AsAh, QsQh:0.5", "KsKh")
    for value, entries in ((-np.inf, 0.3), (np.inf, 0.0)):
        gadget = Gadget(0, np.full(1326, value), "combined")
        engine = made(spec_of(RIVER, 20, 10), "a", RIVER, ranges, gadget=gadget)
        engine.run(3)
        reach, even = engine.reach(0, 0), 0.05 * (1.5 + entries)
        assert reach[hole("QsQh")] == pytest.approx(0.5 + entries + even)
        assert reach[hole("AsAh")] == 1


# ---- From a street that is solved to the next

RIVERS = ("2c", "8d", "Ah")


@pytest.fixture(scope="module")
def solved() -> Engine:
    board, menu, ranges = TURN
    engine = made(spec_of(board, 20, 40), menu, board, ranges)
    engine.run(200)
    return engine


def next_street(solved: Engine, card: str, opponent: int, mode: Any) -> Engine:
    """Return the river after check, bet 10, call: the opponent with each hand he had."""
    node, cards = solved.tree.node("kb10c/"), parse_cards(card)
    reach = [solved.reach(player, node, cards) for player in (0, 1)]
    gadget = None
    if mode is not None:
        gadget = Gadget(opponent, solved.best_values(opponent, node, cards), mode)
        could = (solved.reach(opponent, 0) > 0) & ~np.isnan(gadget.raised())
        reach[opponent] = could.astype(np.float64)
    tree = Tree(spec_of(TURN[0] + card, 40, 30), TURN[1], chance=True)
    return Engine(tree, (*solved.board, *cards), (reach[0], reach[1]), gadget=gadget)


@pytest.mark.parametrize("opponent", [0, 1])
@pytest.mark.parametrize("mode", ["resolve", "maxmargin"])
def test_solving_the_river_again_gives_no_hand_more(
    solved: Engine, opponent: int, mode: str
) -> None:
    # The solved turn's own river gives no hand more than T, so the least margin can be 0, and what
    # is below is the accuracy of this solve: of the game with choices, 0.1 % of the pot.
    for card in RIVERS:
        engine = next_street(solved, card, opponent, mode)
        engine.run(600)
        assert engine.exploitability()[2] < 0.04
        assert np.nanmin(engine.margins()) > -0.04


def test_unsafe_solving_of_the_same_river_gives_more(solved: Engine) -> None:
    engine = next_street(solved, "2c", 0, None)
    engine.run(600)
    assert engine.exploitability()[2] < 0.01
    node, cards = solved.tree.node("kb10c/"), parse_cards("2c")
    margins = solved.best_values(0, node, cards) - engine.best_values(0, 0)
    assert np.nanmin(margins) < -0.3


def test_values_of_a_street_are_in_the_unit_of_the_next(solved: Engine) -> None:
    # Locked to what the turn plays there, the river gives each hand what the turn says.
    node, cards = solved.tree.node("kb10c/"), parse_cards("8d")
    engine = next_street(solved, "8d", 0, "resolve")
    for river in np.flatnonzero(engine.tree.num_actions).tolist():
        there = solved.tree.node(f"kb10c/{engine.tree.line(river)}")
        engine.lock(river, (), solved.strategy(there, cards))
    both = ~np.isnan(engine.values(0, 0))
    found = engine.values(0, 0)[both]
    np.testing.assert_allclose(found, solved.values(0, node, cards)[both], atol=1e-4)
    locked = engine.margins()[both]  # locked hands respond as locked
    np.testing.assert_allclose(locked, solved.best_values(0, node, cards)[both] - found, atol=1e-4)


# ---- The twin

# Odd numbers: where two actions are worth the same, rounding decides, and the twins part.
BLOCKING = ("AhAd:0.53, KsQs, JhTh:0.91, 9c9d, 6s7s:0.27", "AsKs, QdJd:0.83, TcTs, 8h8d:0.71, 6s7s")
APART = ("AhAd:0.53, KsQs, JhTh:0.91", "AsKh:0.83, QdJd, TcTs:0.71")
SHORT = {"showdown": "short-deck", "ranks": "6789TJQKA"}
TWINS = [
    (("9s7d6hKcTd", "50%, a | a", BLOCKING, {}), "ramp", 2),
    (("9s7d6hKcTd", "50%, a | a", APART, {"rake": Rake(5, 3)}), "pfs", 2),
    (("9s7d6hKc8c", "50%, a | a", APART, {}), "cfr+", 10),
    (("9s7d6hKc", "none / a", APART, SHORT), "ramp", 2),
]


@pytest.mark.parametrize("mode", ["resolve", "maxmargin", "combined"])
@pytest.mark.parametrize("opponent", [0, 1])
@pytest.mark.parametrize(("spot", "name", "iterations"), TWINS)
def test_the_plain_twin_agrees(
    spot: tuple[str, str, tuple[str, str], dict[str, Any]],
    name: str,
    iterations: int,
    opponent: int,
    mode: Any,
) -> None:
    board, menu, ranges, changes = spot
    schedule = SCHEDULES[name]
    before = np.random.default_rng(1).uniform(0, 20, 1326)
    engine = made(
        spec_of(board, 26, 37, **changes),
        menu,
        board,
        ranges,
        schedule=schedule,
        gadget=Gadget(opponent, before, mode),
        isomorphism=False,
    )
    weights = [Range.parse(text).weights.tolist() for text in ranges]
    gadget = PlainGadget(opponent, before.tolist(), mode)
    twin = PlainSpot(
        engine.tree, engine.board, (weights[0], weights[1]), schedule.own_reach, gadget
    )
    agree(engine, twin)
    for factors in schedule.factors(0, iterations).tolist():
        engine.run(1)
        twin.run((factors[0], factors[1], factors[2]))
    agree(engine, twin)
    reach = gadget.mean_reach()
    found = engine.reach(opponent, 0)[engine.hands[opponent]]
    assert sorted(found) == pytest.approx(sorted(reach.values()), abs=1e-5)


def agree(engine: Engine, twin: PlainSpot) -> None:
    for player in (0, 1):
        found = engine.best_response(player), engine.value(player)
        assert found == pytest.approx((twin.best_response(player), twin.value(player)), abs=5e-5)


# ---- With what else an engine has


def gadget_of(board: str, mode: Any, opponent: int = 0, **options: Any) -> Engine:
    _, menu, ranges = TURN
    before = np.full(1326, 9.0)
    gifts = np.ones(1326) if mode == "reach" else None
    gadget = Gadget(opponent, before, mode, gifts=gifts)
    return made(spec_of(board, 20, 40), menu, board, ranges, gadget=gadget, **options)


@pytest.mark.parametrize("mode", get_args(GadgetMode))
def test_the_game_with_choices_is_solved(mode: str) -> None:
    engine = gadget_of("JsTs9h4h2c", mode)
    engine.run(10)
    early = engine.exploitability()[2]
    engine.run(600)
    first, second, gap = engine.exploitability()
    assert gap < min(0.05, early)
    assert sum(engine.both_values()) == pytest.approx(engine.value(0) + engine.value(1))
    if mode in ("maxmargin", "reach"):
        assert first == pytest.approx(-np.nanmin(engine.margins()), abs=1e-5)
    assert first + second == pytest.approx(20 + 2 * gap)


@pytest.mark.threads
@pytest.mark.parametrize("board", ["JsTs9h4h", "JsTs9h4h2c"])
@pytest.mark.parametrize("mode", ["resolve", "maxmargin", "combined"])
def test_threads_change_no_bit(board: str, mode: str) -> None:
    one, two = (gadget_of(board, mode, threads=threads) for threads in (1, 3))
    for engine in (one, two):
        engine.run(3)
    for name, table in one.state().items():
        assert table.tobytes() == two.state()[name].tobytes()
    assert one.exploitability() == two.exploitability()


@pytest.mark.parametrize("opponent", [0, 1])
def test_state_goes_on(opponent: int) -> None:
    first, second = (gadget_of("JsTs9h4h2c", "resolve", opponent) for _ in range(2))
    first.run(3)
    second.load_state({name: table.copy() for name, table in first.state().items()}, 3)
    for engine in (first, second):
        engine.run(2)
    assert first.exploitability() == second.exploitability()
    assert first.margins().tobytes() == second.margins().tobytes()


@pytest.mark.skipif(ON_CARD, reason="gadgets have 32 bits on a GPU")
def test_tables_of_16_bits_have_gadgets() -> None:
    wide, narrow = (gadget_of("JsTs9h4h2c", "resolve", bits=bits) for bits in (32, 16))
    for engine in (wide, narrow):
        engine.run(300)
    assert narrow.exploitability()[2] < 0.05
    assert narrow.value(0) == pytest.approx(wide.value(0), abs=0.05)


@pytest.mark.parametrize("opponent", [0, 1])
@pytest.mark.parametrize("mode", ["resolve", "maxmargin"])
def test_renamed_run_outs_are_solved_once(mode: Any, opponent: int) -> None:
    board, menu, ranges = TURN
    gadget = Gadget(opponent, np.full(1326, 9.0), mode)
    with_it, without = (
        made(spec_of(board, 26, 43), menu, board, ranges, gadget=gadget, isomorphism=i)
        for i in (True, False)
    )
    for engine in (with_it, without):
        engine.run(3)
    assert with_it.state()["regrets0"].size < 0.8 * without.state()["regrets0"].size
    # A card adds and multiplies at once, which rounds equal hands apart: some are near even here.
    near, chips = (3e-3, 0.05) if ON_CARD else (1e-5, 1e-4)
    assert with_it.exploitability() == pytest.approx(without.exploitability(), rel=near)
    np.testing.assert_allclose(with_it.margins(), without.margins(), atol=chips)


def test_values_that_tell_suits_apart_need_all_run_outs() -> None:
    board, menu, ranges = TURN
    before = values_of({"AcTc": 9.5}, 9.0)
    with pytest.raises(GameError, match="without isomorphism"):
        made(spec_of(board, 20, 40), menu, board, ranges, gadget=Gadget(0, before))
    before = values_of({"AcTc": 9.00001}, 9.0)  # rounding
    made(spec_of(board, 20, 40), menu, board, ranges, gadget=Gadget(0, before)).run(1)


@pytest.mark.parametrize("mode", ["resolve", "maxmargin"])
def test_a_best_response_takes_its_choice(mode: str) -> None:
    engine = gadget_of("JsTs9h4h2c", mode)
    engine.run(5)
    margins = engine.margins()[engine.hands[0]]
    won = engine.adopt_best_response(0)
    assert engine.value(0) == pytest.approx(won)
    entered = engine.reach(0, 0)[engine.hands[0]] > 0
    if mode == "resolve":
        assert (entered == (margins < 0)).all()
    else:
        assert np.flatnonzero(entered).tolist() == [int(margins.argmin())]


def test_ranges_of_the_opponent_count_as_even() -> None:
    board, (_, menu, ranges) = "JsTs9h4h2c", TURN
    before = np.full(1326, 9.0)
    some = (ranges[0], "TT-66:0.3, A9s+, KJo+:0.7, J9s")
    for mode, same in (("resolve", True), ("combined", False)):
        gadget = Gadget(1, before, mode)  # type: ignore[arg-type]
        engines = [
            made(spec_of(board, 20, 40), menu, board, both, gadget=gadget)
            for both in (ranges, some)
        ]
        for engine in engines:
            engine.run(2)
        tables = [engine.state()["regrets0"].tobytes() for engine in engines]
        assert (tables[0] == tables[1]) is same


# ---- What is refused


def test_what_is_no_gadget_is_refused() -> None:
    before = np.full(1326, 9.0)
    for arguments, words in [
        ((2, before), "must be 0 or 1, not 2"),
        ((0, before, "safe"), "'safe': choose one of resolve, maxmargin, reach, combined"),
        ((0, before, "reach"), "mode reach needs gifts"),
        ((0, before, "combined", -1.0), "not -1.0 and 0.1"),
        ((0, before, "resolve", 0.2, 0.1, before), "mode resolve takes no gifts"),
    ]:
        with pytest.raises(GameError, match=words):
            Gadget(*arguments)  # type: ignore[arg-type]
    with pytest.raises(GameError, match=r"\[1326\], not \[3\]"):
        made(spec_of(RIVER, 20, 10), "a", RIVER, BLUFF, gadget=Gadget(0, [1, 2, 3]))
    lacking = Gadget(0, values_of({"AsAh": 1}))
    with pytest.raises(GameError, match="no value for QsQh, a hand of player 0"):
        made(spec_of(RIVER, 20, 10), "a", RIVER, BLUFF, gadget=lacking)
    with pytest.raises(GameError, match="where it has a gadget"):
        made(spec_of(RIVER, 20, 10), "a", RIVER, BLUFF).margins()
