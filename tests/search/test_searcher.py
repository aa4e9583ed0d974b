"""What is solved at the table: ranges, kept decisions, bets off the menu, what is remembered."""

import time
from dataclasses import replace
from itertools import count

import msgspec
import numpy as np
import pytest

from riverboat.bots import HandStrategies, make_bot
from riverboat.cards import HOLES, NUM_HOLES, HandStrength, parse_cards
from riverboat.errors import GameError
from riverboat.game import Hand, View, catalogue
from riverboat.search import Plan, Pool, Search, Searcher
from riverboat.search._bounds import likelihood, spread
from riverboat.search._plan import RIVER, TURN, Pace
from riverboat.search._street import Street
from riverboat.spots import Engine, GadgetMode, Spot
from sizes import slowly

NOLIMIT = catalogue("nolimit-100bb")
BOARD = "Ks7h2d3c8d"
SEARCH = Search(turn="100%, a | a ; cap 2", river="100%, a | a ; cap 2")
FEW = Plan(3)


class Strengthened:
    """Bets with high cards and calls with the rest, on every street: a strategy that is known."""

    def strategies(self, view: View) -> HandStrategies:
        """Play all hands."""
        high = (HOLES.max(axis=1) // 4) / 12
        rows = np.stack([1 - high, high], axis=1)
        passive = "k" if view.legal.check else "c"
        most = view.legal.raise_to
        return HandStrategies((passive, f"b{min(most[0] * 2, most[1])}" if most else "f"), rows)


def table(line: str, stacks: tuple[int, int] = (1000, 1000)) -> Hand:
    """A hand on the board of these tests."""
    hand = Hand(NOLIMIT, board=parse_cards(BOARD), stacks=stacks)
    hand.play(line)
    return hand


def view(line: str, stacks: tuple[int, int] = (1000, 1000)) -> View:
    """What the seat to act sees."""
    hand = table(line, stacks)
    assert hand.actor is not None
    return hand.view(hand.actor)


def searcher(search: Search = SEARCH, base: object = None, threads: int = 1) -> Searcher:
    """With a memory of its own."""
    return Searcher(base, search, threads, pool=Pool())  # type: ignore[arg-type]


def test_a_solve_is_the_spot_solved_with_the_ranges_of_the_line() -> None:
    """By hand: reach of each seat's actions, the opponent's mixed with an even share."""
    base, at = Strengthened(), view("b40c/kk/kk")
    search = Search(turn="", river="100%, a", even=0.25)
    found = searcher(search, base).rows(at, FEW)
    live = NOLIMIT.live_holes(at.board)
    high = (HOLES.max(axis=1) // 4) / 12
    own = spread((1 - high) ** 3, live, 1e-3)  # seat 1: call, check, check
    other = spread(high * (1 - high) ** 2, live, 0.25)  # seat 0: bet, check, check
    spot = Spot.from_hand(table("b40c/kk/kk"), ("100%", "100%"), "100%, a")
    engine = Engine(spot.tree(), spot.cards, (own, other))
    FEW.run(engine, RIVER, spot.pot)
    assert found.actions == ("k", "b80", "b960")
    assert np.array_equal(found.rows[live], engine.strategy(0).T[live].astype(np.float64))


def test_it_never_looks_at_the_own_cards() -> None:
    at = view("b40c/kk")
    rows = [
        searcher(base=Strengthened()).rows(msgspec.structs.replace(at, hole=hole), FEW).rows
        for hole in ((0, 1), (50, 51), (-1, -1))
    ]
    assert np.array_equal(rows[0], rows[1])
    assert np.array_equal(rows[0], rows[2])
    assert np.allclose(rows[0].sum(axis=1), 1)


@pytest.mark.threads
def test_threads_and_what_was_forgotten_change_nothing() -> None:
    river = view("b40c/kk/kb80c/k")
    one, two = searcher(base=Strengthened()), searcher(base=Strengthened(), threads=2)
    expected = one.rows(river, FEW).rows
    assert len(one.facts) == 2  # the turn, which gives the ranges, and the river
    assert np.array_equal(one.rows(river, FEW).rows, expected)
    assert len(one.facts) == 2
    one.pool.clear()
    assert np.array_equal(one.rows(river, FEW).rows, expected)
    assert len(one.facts) == 4
    assert np.array_equal(two.rows(river, FEW).rows, expected)


def test_one_solve_serves_all_lines_of_its_menu() -> None:
    bot = searcher(base=Strengthened())
    for line in ("b40c/kk/", "b40c/kk/kb80", "b40c/kk/kb960"):  # out of position: seat 1
        bot.rows(view(line), FEW)
    assert [facts.added for facts in bot.facts] == [""]
    for line in ("b40c/kk/k", "b40c/kk/b80", "b40c/kk/b960"):  # in position: seat 0
        bot.rows(view(line), FEW)
    assert len(bot.facts) == 2


def test_a_bet_that_no_menu_has_is_solved_with_what_was_done_kept() -> None:
    bot = searcher(base=Strengthened())
    first = bot.subgame(view("b40c/kk/"), FEW)
    again = bot.subgame(view("b40c/kk/kb33"), FEW)
    assert again.facts is not None
    assert again.facts.added == "kb33"
    assert again.planned.actions("k") == ("k", "b33", "b80", "b960")
    live = NOLIMIT.live_holes(view("b40c/kk/").board)
    kept, played = again.rows(""), first.rows("")
    assert kept.actions == played.actions
    assert np.allclose(kept.rows[live], played.rows[live], atol=1e-6)
    assert not np.allclose(again.rows("k").rows[live], 0.25)
    # A second one on the same street, after a raise of ours.
    third = bot.subgame(view("b40c/kk/kb33b960"), FEW)
    assert third is not again  # seat 0's own solve
    assert bot.rows(view("b40c/kk/kb33"), FEW).actions == ("f", "c", "b960")


def test_ranges_of_the_river_are_what_was_played_on_the_turn() -> None:
    bot = searcher(base=Strengthened())
    at = view("b40c/kk/kb33c/")
    river = bot.subgame(at, FEW)
    turn = bot.subgame(view("b40c/kk/kb33"), FEW)
    before = bot.subgame(view("b40c/kk/"), FEW)
    live = NOLIMIT.live_holes(at.board)
    own = turn.ranges[0] * before.rows("").column("k") * turn.rows("kb33").column("c")
    other = turn.ranges[1] * turn.rows("k").column("b33")
    for found, expected in zip(river.ranges, (own, other), strict=True):
        assert np.allclose(found, spread(expected, live, 1e-3), atol=1e-9)


def test_stacks_may_be_unequal() -> None:
    """A bet of more than the smaller stack is all-in, whoever has more."""
    short = (1000, 300)
    bot = searcher(base=Strengthened())
    covered = bot.rows(view("b40c/kk/kb700", short), FEW)
    assert covered.actions == ("f", "c")
    assert bot.rows(view("b40c/kk/", short), FEW).actions == ("k", "b80", "b260")
    # Over a bet of nearly all his chips the least raise of the other is above his stack.
    raised = bot.rows(view("b40c/kk/b250", short), FEW)
    assert raised.actions == ("f", "c", "b500")
    assert np.allclose(raised.rows.sum(axis=1), 1)


def test_a_bet_of_ones_own_that_no_menu_has_is_not_kept() -> None:
    """Nobody plays so, but somebody may ask what to do after it."""
    bot = searcher(base=Strengthened())
    assert bot.rows(view("b40c/kk/b55b200"), FEW).actions == ("f", "c")
    assert bot.rows(view("b40c/kk/b55c/"), FEW).actions == ("k", "b190", "b905")


def test_the_own_menu_of_either_seat() -> None:
    bot = searcher()
    assert bot.menu(view("b40c/kk/")) == ("k", "b80", "b960")
    assert bot.menu(view("b40c/kk/kb33")) == ("f", "c", "b960")
    assert not bot.facts  # a menu needs no solve


def test_what_cannot_be_searched_is_told() -> None:
    with pytest.raises(GameError, match="search does not apply after 'b40c'"):
        searcher().rows(view("b40c"), FEW)
    hidden = Hand(NOLIMIT)
    hidden.play("b40c/kk/")
    with pytest.raises(GameError, match="search needs the board, which is unknown after 'b40c/kk'"):
        searcher().rows(hidden.view(1), FEW)


def test_old_solvers_are_given_back_and_their_decisions_stay() -> None:
    bot = Searcher(None, Search(turn="", river="a"), pool=Pool(engine_bytes=1, row_bytes=10**9))
    lines = ("ck/kk/kk/", "b20c/kk/kk/", "b30c/kk/kk/")
    games = [bot.subgame(view(line), FEW) for line in lines]
    assert [game.engine_bytes > 0 for game in games] == [False, False, True]
    with pytest.raises(GameError, match="was released"):
        games[0].exploitability()
    assert games[0].rows("").actions == ("k", "b990")
    assert games[2].exploitability() > 0
    small = Pool(row_bytes=1)
    bot = Searcher(None, Search(turn="", river="a"), pool=small)
    for line in lines[1:]:
        bot.subgame(view(line), FEW)
    assert len(small) == 1


def test_it_converges() -> None:
    """1,000 iterations of a river with every hand: a perfect opponent wins less than 0.1 %."""
    at = view("b40c/kk/kk")
    found = searcher(Search(turn="", river="100%, a"), Strengthened()).subgame(at, Plan(250))
    assert found.facts is not None
    assert found.facts.iterations == 1000
    assert 0 < found.exploitability() < 0.001


@pytest.mark.parametrize("mode", ["resolve", *slowly("maxmargin", "reach", "combined")])
def test_a_river_may_be_solved_safely(mode: GadgetMode) -> None:
    """The opponent's hands are bounded by what they had on the turn, also once it is forgotten."""
    search = replace(SEARCH, mode=mode)
    bot, at = searcher(search, Strengthened()), view("b40c/kk/kb80c/")
    found = bot.subgame(at, Plan(20))
    turn = bot.subgame(view("b40c/kk/"), Plan(20))
    gadget = found.engine.gadget
    assert gadget is not None
    assert (gadget.player, gadget.mode) == (1, mode)
    node = turn.planned.node("kb80c")
    had = turn.engine.best_values(1, node, (at.board[4],))
    had[np.isnan(had)] = np.inf  # what met nothing bounds nothing
    assert np.array_equal(np.asarray(gadget.values), had)
    plain = searcher(SEARCH, Strengthened()).subgame(at, Plan(20))
    assert not np.allclose(found.rows("").rows, plain.rows("").rows, atol=1e-3)
    if mode != "combined":  # of 80 iterations: a little above what they had, in a pot of 240
        assert np.nanmin(found.engine.margins()) > -0.05 * found.planned.state.pot
    turn.release()
    later = bot.subgame(view("b40c/kk/kb80c/kb55"), Plan(20)).engine.gadget
    assert later is not None
    assert np.array_equal(np.asarray(later.values), had)
    other = bot.subgame(view("b40c/kk/kb80c/b240"), Plan(20)).engine.gadget
    assert other is not None
    assert other.player == 0  # the other seat's own solve


def test_likelihood_of_bets_off_the_menu() -> None:
    at = view("b40")  # pot 50, 30 to call: 80 after a call
    rows = HandStrategies(("f", "c", "b120", "b200"), np.tile([0.1, 0.2, 0.3, 0.4], (NUM_HOLES, 1)))
    assert likelihood(rows, at, "b120")[0] == 0.3
    assert likelihood(rows, at, "b900")[0] == 0.4  # above all: as the largest
    # Shares 1, 1.5 and 2 of the pot: (2 - 1.5)(1 + 1) / ((2 - 1)(1 + 1.5)) = 0.4 as the smaller.
    assert np.isclose(likelihood(rows, at, "b160")[0], 0.4 * 0.3 + 0.6 * 0.4)
    # Below all: 0 is a call, (1 - 0.5)(1 + 0) / ((1 - 0)(1 + 0.5)) = 1/3 of it.
    assert np.isclose(likelihood(rows, at, "b80")[0], 0.2 / 3 + 0.3 * 2 / 3)
    never = HandStrategies(("f",), np.ones((NUM_HOLES, 1)))
    assert likelihood(never, at, "c").min() == 1  # tells nothing
    assert likelihood(never, at, "b80").max() == 0


def test_ranges_that_are_empty_are_even() -> None:
    live = NOLIMIT.live_holes(tuple(parse_cards(BOARD)))
    assert np.count_nonzero(live) == 47 * 46 // 2
    empty = spread(np.zeros(NUM_HOLES), live, 0.1)
    assert np.isclose(empty.sum(), 1)
    assert len(set(empty[live].tolist())) == 1
    assert not empty[~live].any()
    assert np.count_nonzero(spread(np.eye(1, NUM_HOLES, 5)[0], live, 0.1)) == live.sum()


def test_streets_of_a_hand() -> None:
    street = Street.of(view("b40c/kk/kb33b100"))
    assert (street.name, street.line, street.seats) == ("turn", "kb33b100", (1, 0))
    assert list(street.decisions(1)) == ["", "kb33"]
    assert list(street.decisions(0)) == ["k", "kb33b100"]
    assert list(street.before.decisions(1)) == [""]
    assert [action for _, action in street.before.moves()] == ["b40", "c", "k", "k"]
    assert Street.of(view("b40c/kk/")).lines == ("b40c", "kk", "")


class FakeEngine:
    """An engine whose iterations take as long as they are told, by a clock that it moves."""

    def __init__(self, clock: list[float], each: list[float]) -> None:
        self.clock, self.each, self.iteration = clock, each, 0

    def run(self, count: int) -> None:
        """Let time pass."""
        for _ in range(count):
            self.clock[0] += self.each[min(self.iteration, len(self.each) - 1)]
            self.iteration += 1

    def exploitability(self) -> tuple[float, float, float]:
        """Get better."""
        return 0.0, 0.0, 1 / (1 + self.iteration)


@pytest.mark.parametrize("each", [[0.012], [0.2, 0.012], [0.0001], [0.012, 0.015, 0.012]])
def test_a_plan_of_seconds_is_never_late(
    monkeypatch: pytest.MonkeyPatch, each: list[float]
) -> None:
    clock = [10.0]
    monkeypatch.setattr("riverboat.search._plan.time.perf_counter", lambda: clock[0])
    engine = FakeEngine(clock, each)
    least = Plan(0, 12.0).run(engine, TURN, 100)  # type: ignore[arg-type]
    assert 11.9 < clock[0] <= 12.0
    assert 19 * each[-1] < least < 0.6
    engine = FakeEngine(clock, each)
    Plan(0, clock[0] - 1).run(engine, TURN, 100)  # type: ignore[arg-type]
    assert engine.iteration == 2  # the time was over before it began
    engine = FakeEngine(clock, [0.1])
    Plan(0, clock[0] + 1.5).run(engine, TURN, 100)  # type: ignore[arg-type]
    assert engine.iteration == 2  # 15 would fit, and 20 are the least


def test_a_pace_becomes_hopeful_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riverboat.search._plan.time.perf_counter", lambda: 0.0)
    pace, plan = Pace(), Plan(0, 1.0)
    assert pace.allows(2, plan)
    pace.learn(2, 1.5)
    assert [pace.allows(2, plan) for _ in range(4)] == [False, False, True, True]
    assert pace.allows(2, Plan(5))
    assert pace.allows(3, plan)
    pace.learn("sized", 1.5, size=10.0)  # 0.15 a unit
    assert pace.allows("sized", plan, size=6.0)
    assert not pace.allows("sized", plan, size=7.0)
    assert pace.allows("sized", plan, size=7.0)  # now 0.12 a unit


def test_what_time_ended_too_soon_is_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """The base plays in its place, and later ranges come from the base."""
    bot, base = searcher(base=Strengthened()), Strengthened()
    at, late = view("b40c/kk/"), Plan(0, 10.0)
    clock = count()  # a second passes whenever somebody looks
    with monkeypatch.context() as patched:
        patched.setattr("riverboat.search._plan.time.perf_counter", lambda: float(next(clock)))
        found = bot.rows(at, late)
        assert np.array_equal(bot.rows(at, late).rows, found.rows)
    assert np.array_equal(found.rows, base.strategies(at).rows)
    # It was tried once: the second time it is known that it cannot be done.
    assert [(facts.iterations, facts.too_short) for facts in bot.facts] == [(2, True)]
    assert not len(bot.pool)
    assert bot.subgame(at, FEW).facts is not None  # a number of iterations is a number

    bot.pool.clear()
    bot.pool.pace.learn((2, "exact"), 1e9)
    river = bot.subgame(view("b40c/kk/kk/"), Plan(0, time.perf_counter() + 30))
    assert [facts.street for facts in bot.facts] == ["turn", "turn", "river"]
    high = (HOLES.max(axis=1) // 4) / 12
    live = NOLIMIT.live_holes(tuple(parse_cards(BOARD)))
    assert np.allclose(river.ranges[0], spread((1 - high) ** 3, live, 1e-3))
    assert not Plan(3).too_short(3, TURN)


def test_a_river_that_is_good_enough_ends_early(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("riverboat.search._plan.time.perf_counter", lambda: clock[0])
    engine = FakeEngine(clock, [0.0001])
    Plan(0, 5.0).run(engine, RIVER, 1)  # type: ignore[arg-type]
    assert 1999 <= engine.iteration < 4000  # 0.05 % of the pot
    assert clock[0] < 1


def test_the_base_may_be_a_bot(tables: HandStrength) -> None:  # noqa: ARG001 - it needs them
    """The shipped strategy reads bets off its menu; ranges then come from both readings."""
    found = searcher(base=make_bot("blueprint", 1)).subgame(view("b37c/kb45c/"), Plan(1))
    live = NOLIMIT.live_holes(view("b37c/kb45c/").board)
    for reach, share in zip(found.ranges, (1e-3, 0.1), strict=True):
        assert np.isclose(reach.sum(), 1)
        assert np.isclose(reach[live].min(), share / live.sum(), rtol=0.5)
        assert reach.max() > 2 / live.sum()
