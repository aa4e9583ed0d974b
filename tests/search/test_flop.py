"""A flop on the CPU: sampled runouts, what is played of them, and when the file plays instead."""

import time
import zlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

import msgspec
import numpy as np
import pytest

from riverboat.bots import make_bot
from riverboat.cards import HOLES
from riverboat.errors import GameError
from riverboat.game import Hand, View, catalogue, find_game
from riverboat.search import Plan, Pool, Search, SearchBot, Searcher, analyse
from riverboat.search._bounds import likelihood, spread
from riverboat.search._street import Street
from riverboat.spots import SampledSettings, SampledSolver, Spot
from search.test_searcher import Strengthened, view
from sizes import slowly

NOLIMIT = catalogue("nolimit-100bb")
SMALL = "100% | 100% ; cap 2 / 100% ; cap 1 / 100% ; cap 1"
SEARCH = Search(flop=SMALL, turn="100% ; cap 1 / none", river="100%")
ONE = Plan(1)  # 64 iterations of a flop


def searcher(search: Search = SEARCH, threads: int = 1) -> Searcher:
    """With a memory of its own."""
    return Searcher(Strengthened(), search, threads, pool=Pool())


def flop_bot(settings: str = "iterations=1") -> SearchBot:
    """The bot; flops of this process are forgotten."""
    bot = make_bot(f"search:{settings},threads=1", seed=1)
    assert isinstance(bot, SearchBot)
    return bot


@pytest.fixture
def empty_pool() -> Iterator[Pool]:
    """The memory of this process, without anything in it."""
    bot = flop_bot().searcher(NOLIMIT)
    assert bot is not None
    bot.pool.clear()
    yield bot.pool
    bot.pool.clear()


def test_a_flop_is_the_spot_solved_with_the_ranges_of_the_line() -> None:
    """By hand: reach of each seat's actions, the opponent's mixed with an even share."""
    at, bot = view("b40c/"), searcher(replace(SEARCH, even=0.25))
    found = bot.rows(at, ONE)
    live = NOLIMIT.live_holes(at.board)
    high = (HOLES.max(axis=1) // 4) / 12
    own = spread(1 - high, live, 1e-3)  # seat 1 called
    other = spread(high, live, 0.25)  # seat 0 bet
    hand = Hand(NOLIMIT, board=at.board)
    hand.play("b40c/")
    scaled = [(held / held.max()).tolist() for held in (own, other)]
    spot = Spot.from_hand(hand, (scaled[0], scaled[1]), SMALL)
    seed = zlib.crc32(spot.board.encode())
    solver = SampledSolver(spot, SampledSettings(seed=seed, threads=1))
    solver.run(64)
    assert found.actions == spot.tree().actions(0)
    assert np.allclose(found.rows[live], solver.strategy(0).T[live], atol=1e-6)
    (facts,) = bot.facts
    assert (facts.street, facts.iterations, facts.exploitability) == ("flop", 64, None)
    assert "64 iterations in" in facts.note


@pytest.mark.threads
def test_answers_repeat_bit_for_bit() -> None:
    """With any number of threads, also once it is forgotten, with a bet that no menu has."""
    at, one, two = view("b40c/kb33"), searcher(), searcher(threads=2)
    expected = one.rows(at, ONE).rows
    assert [facts.added for facts in one.facts] == ["", "kb33"]
    assert np.array_equal(one.rows(at, ONE).rows, expected)
    assert len(one.facts) == 2
    one.pool.clear()
    assert np.array_equal(one.rows(at, ONE).rows, expected)
    assert np.array_equal(two.rows(at, ONE).rows, expected)


def test_a_bet_that_no_menu_has_is_put_in_and_what_was_played_stays() -> None:
    bot = searcher()
    first = bot.subgame(view("b40c/"), ONE)
    again = bot.subgame(view("b40c/kb33"), ONE)
    assert again.planned.actions("k") == ("k", "b33", "b80")
    assert again.rows("kb33").actions == ("f", "c", "b179")
    live = NOLIMIT.live_holes(view("b40c/").board)
    assert np.array_equal(again.rows("").rows[live], first.rows("").rows[live])
    assert not np.allclose(again.rows("k").rows[live], 1 / 3)


def test_a_solve_with_a_bet_put_in_knows_what_was_played() -> None:
    """By hand: the spot with that line and the own decision locked."""
    at, bot = view("b40c/kb33"), searcher()
    found = bot.subgame(at, ONE)
    played = bot.subgame(view("b40c/"), ONE).rows("").rows.T
    hand = Hand(NOLIMIT, board=at.board)
    hand.play("b40c/")
    weights = [(held / held.max()).tolist() for held in found.ranges]
    spot = Spot.from_hand(hand, (weights[0], weights[1]), SMALL).changed({"added": ("kb33",)})
    settings = SampledSettings(seed=zlib.crc32(spot.board.encode()), threads=1)
    locked, free = SampledSolver(spot, settings), SampledSolver(spot, settings)
    locked.lock(0, played)
    live = NOLIMIT.live_holes(at.board)
    for solver in (locked, free):
        solver.run(64)
    for line in ("", "k", "kb33", "b80"):
        node = locked.tree.node(line)
        assert np.allclose(found.rows(line).rows[live], locked.strategy(node).T[live], atol=1e-6)
        assert not np.allclose(found.rows(line).rows[live], free.strategy(node).T[live], atol=0.01)


def test_the_turn_gets_the_ranges_of_the_flop() -> None:
    """By Bayes' rule: what was played on the flop, and at an added bet what its solve says."""
    bot = searcher()
    at = view("b40c/kb33c/")
    turn = bot.subgame(at, ONE)
    assert [(facts.street, facts.added) for facts in bot.facts] == [
        ("flop", ""), ("flop", "kb33"), ("turn", "")
    ]  # fmt: skip
    before, flop = bot.subgame(view("b40c/"), ONE), bot.subgame(view("b40c/kb33"), ONE)
    own = flop.ranges[0] * before.rows("").column("k") * flop.rows("kb33").column("c")
    other = flop.ranges[1] * flop.rows("k").column("b33")
    live = NOLIMIT.live_holes(at.board)
    for found, expected in zip(turn.ranges, (own, other), strict=True):
        assert np.allclose(found, spread(expected, live, 1e-3), atol=1e-7)


def test_a_turn_after_a_half_searched_flop_has_the_range_that_was_played() -> None:
    """The first decision by search; then the clock leaves an added bet to the base."""
    bot = searcher()
    first = bot.subgame(view("b40c/"), ONE)
    bot.skip(view("b40c/kb33"))
    at = view("b40c/kb33c/")
    turn = bot.subgame(at, Plan(0, time.perf_counter() + 2))
    assert [facts.street for facts in bot.facts] == ["flop", "turn"]
    base = Strengthened()
    preflop = bot.base_reach(Street.of(view("b40c/")))[view("b40c/").seat]
    own = preflop * first.rows("").column("k")
    own = own * likelihood(base.strategies(view("b40c/kb33")), view("b40c/kb33"), "c")
    live = NOLIMIT.live_holes(at.board)
    assert np.allclose(turn.ranges[0], spread(own, live, 1e-3), atol=1e-6)


@pytest.mark.usefixtures("tables", "empty_pool")
def test_the_bot_plays_what_it_says() -> None:
    """200 draws against the row of its hand: 5 standard errors."""
    bot = flop_bot()
    for line in ("b25c/", "b25c/kb25", "b25c/kb31"):
        hand = Hand.from_line(NOLIMIT, line, seed=3)
        assert hand.actor is not None
        at = hand.view(hand.actor)
        strategy = bot.strategy(at)
        drawn = [str(bot.act(at)) for _ in range(200)]
        for action, share in strategy.items():
            error = (share * (1 - share) / 200) ** 0.5
            assert abs(drawn.count(action) / 200 - share) <= 5 * error + 1e-9
    assert bot.counts == {"search": 600}
    assert bot.flop_share == 1
    assert [facts.street for facts in bot.solves] == ["flop"] * len(bot.solves)


def test_a_flop_with_too_few_iterations_is_the_bases(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it, and later ranges come from the base."""
    bot, late = searcher(), Plan(0, 10.0)
    clock = count()  # a second passes whenever somebody looks
    with monkeypatch.context() as patched:
        patched.setattr("riverboat.search._plan.time.perf_counter", lambda: float(next(clock)))
        assert bot.searched(view("b40c/"), late) is None
    assert [(facts.iterations, facts.too_short) for facts in bot.facts] == [(40, True)]
    assert bot.searched(view("b40c/kb80"), Plan(0, time.perf_counter() + 60)) is None
    rows = bot.rows(view("b40c/kb80"), Plan(0, time.perf_counter() + 60)).rows
    assert np.array_equal(rows, Strengthened().strategies(view("b40c/kb80")).rows)
    assert len(bot.facts) == 1
    turn = bot.subgame(view("b40c/kb80c/"), Plan(0, time.perf_counter() + 2))
    high = (HOLES.max(axis=1) // 4) / 12
    live = NOLIMIT.live_holes(view("b40c/kb80c/").board)
    assert np.allclose(turn.ranges[1], spread(high * high, live, 0.1))
    assert bot.searched(view("b40c/"), ONE) is not None  # a number of iterations has time


def test_a_flop_that_cannot_be_solved_in_time_is_known_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By one that was tried, by its size; after some refusals a busy machine gets a new trial."""
    bot, clock = searcher(), count()  # a second passes whenever somebody looks

    def ask(at: View, seconds: float = 20.0) -> list[int]:
        assert bot.searched(at, Plan(0, next(clock) + seconds)) is None
        return [facts.iterations for facts in bot.facts]

    monkeypatch.setattr("riverboat.search._plan.time.perf_counter", lambda: float(next(clock)))
    assert ask(view("b40c/")) == [40]
    asked = 0
    while len(ask(view(f"b{42 + 2 * asked}c/"))) == 1:
        asked += 1
    # A trial says 51 seconds: of 40 iterations 2, and 25 ms for each of 1,960 more. Of these 80 %
    # are left after each refusal, until 19 seconds suffice.
    assert asked == 5
    assert [facts.too_short for facts in bot.facts] == [True, True]
    assert ask(view("b38c/"), 30.0) == [40, 40]  # 80 % of 51 s are left
    # A pot of 80 and 60 behind has a fifth of the tree, and half of the work: less than 30 s.
    assert ask(view("b40c/", (100, 100)), 30.0) == [40, 40, 40]
    assert bot.searched(view("b38c/"), ONE) is not None  # iterations are not limited by time


def test_the_floor_is_a_setting() -> None:
    few = searcher(replace(SEARCH, least_flop=60)).subgame(view("b40c/"), ONE)
    assert few.effort.least == 60
    usual = searcher().subgame(view("b40c/"), ONE)
    assert usual.effort.least == 2000
    assert Plan(0).too_short(1999, usual.effort)
    assert not Plan(0).too_short(2000, usual.effort)


@pytest.mark.usefixtures("tables", "empty_pool")
def test_a_clock_decides_what_is_searched() -> None:
    """What the clock does not pay for is the file's, the rest of the street too."""
    bot, file = flop_bot("flop_seconds=5"), make_bot("blueprint", 1)
    at = Hand.from_line(NOLIMIT, "b25c/", seed=4).view(1)
    assert bot.search_seconds(at) == 10.0
    assert bot.search_seconds(Hand.from_line(NOLIMIT, "b25", seed=4).view(1)) == 0
    hurried = msgspec.structs.replace(at, seconds_left=0.0)
    assert bot.act(hurried) in hurried.legal
    assert bot.counts == {"blueprint": 1}
    assert bot.flop_share == 0
    assert bot.search_seconds(at) == 0  # the street is the file's
    facing = Hand.from_line(NOLIMIT, "b25c/kb25", seed=4).view(1)
    assert bot.strategies(facing).actions == file.strategies(facing).actions  # type: ignore[attr-defined]
    assert not bot.solves
    counted = flop_bot()
    assert counted.search_seconds(at) == 0  # a number of iterations asks for no clock
    assert counted.strategies(at).rows.shape[0] == 1326


@pytest.mark.usefixtures("tables", "empty_pool")
def test_what_is_solved_needs_no_clock() -> None:
    bot = flop_bot("flop_iterations=1,flop_seconds=1,seconds=1")
    at = Hand.from_line(NOLIMIT, "b25b75c/", seed=5).view(1)
    rows = bot.strategies(at).rows
    if not bot.solves[-1].too_short:
        assert bot.search_seconds(at) == 0
        assert bot.act(msgspec.structs.replace(at, seconds_left=0.0)) in at.legal
        assert bot.counts == {"search": 1}
        assert np.array_equal(bot.strategies(at).rows, rows)


@pytest.mark.usefixtures("tables", "empty_pool")
@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("limit", "ck/"),
        ("potlimit", "b30c/"),
        ("nolimit-20bb", "b40c/"),
        ("nolimit-200bb", "b200c/"),
    ],
)
def test_other_games_and_depths(game: str, line: str) -> None:
    spec = find_game(game)
    hand = Hand.from_line(spec, line, seed=6)
    assert hand.actor is not None
    bot, at = flop_bot(), hand.view(hand.actor)
    live = spec.live_holes(at.board)
    rows = bot.strategies(at).rows[live]
    assert np.allclose(rows.sum(axis=1), 1)
    assert bot.solves[-1].street == "flop"


def stacked(big_blinds: int) -> View:
    """A raised flop with stacks that the file was not trained for."""
    chips = 10 * big_blinds
    holes = ["AhKd", "8s8c"]
    hand = Hand(NOLIMIT, hole=holes, board="Ks7h2d", stacks=(chips, chips))
    hand.play("b20c/")
    return hand.view(1)


@pytest.mark.usefixtures("tables", "empty_pool")
@pytest.mark.parametrize("big_blinds", [10, 250, *slowly(15, 40, 150)])
def test_stacks_of_all_depths(big_blinds: int) -> None:
    at, bot = stacked(big_blinds), flop_bot()
    assert np.allclose(bot.strategies(at).rows[NOLIMIT.live_holes(at.board)].sum(axis=1), 1)
    assert bot.act(at) in at.legal
    assert bot.counts == {"search": 1}


def test_after_a_sampled_flop_a_gadget_has_the_values_of_the_file(tables: object) -> None:
    del tables
    base = make_bot("blueprint", 1)
    bot = Searcher(base, replace(SEARCH, mode="resolve"), pool=Pool())  # type: ignore[arg-type]
    found = bot.subgame(view("b25c/kk/"), ONE)
    assert found.engine.gadget is not None
    assert found.engine.gadget.mode == "resolve"
    assert [facts.street for facts in bot.facts] == ["flop", "turn"]


@pytest.mark.usefixtures("tables", "empty_pool")
def test_a_flop_is_analysed_without_values() -> None:
    at = Hand.from_line(NOLIMIT, "b25c/k", board="Ks7h2d").view(0)
    found = analyse(flop_bot(), at)
    assert (found.source, found.facts["iterations"]) == ("search", 64)
    assert not len(found.action_values)
    assert "by sampled runouts" in found.note
    assert found.facts["exploitability"] is None
    searched = flop_bot().searcher(NOLIMIT)
    assert searched is not None
    with pytest.raises(GameError, match="was released"):
        searched.subgame(at, ONE).exploitability()


@pytest.mark.usefixtures("empty_pool")
def test_without_a_file_a_flop_uses_its_time() -> None:
    """A strategy file would play below the minimum; here there is none."""
    bot = flop_bot("flop_seconds=0.3,flop_iterations=1000000")
    hand = Hand.from_line(catalogue("short-deck"), "ck", seed=3)
    assert hand.actor is not None
    bot.act(hand.view(hand.actor))
    assert bot.counts == {"search": 1}
    assert [facts.too_short for facts in bot.solves] == [False]
