"""Husky's parts: speeds, optima, Killer's blocks, the bettor, and the plan."""

import random

import numpy as np
import pytest
from msgspec.structs import replace

from riverboat.cards import HandStrength
from riverboat.game import Hand
from riverboat.reproductions import Found
from riverboat.reproductions.husky import _matches
from riverboat.reproductions.husky._matches import MakeBettor, learning_curve
from riverboat.reproductions.husky._recipe import DATA, Seeds, Size
from riverboat.reproductions.husky._report import (
    as_good,
    fit_law,
    learnt_at,
    point_at,
    range_of,
    surely_below,
    wins,
)
from riverboat.reproductions.husky._sweeps import (
    best_point,
    grid_points,
    measure_rate,
    random_hands,
    spread_of_optimum,
)
from riverboat.statistics import Estimate
from riverboat.training import load_recipe
from riverboat.translation import Tracker
from riverboat.tree import Tree


def scored(high: float, score: Estimate) -> Found:
    return Found(parameters={"high": high}, score=score)


def won_points(*means: float, margin: float = 0.02) -> list[Found]:
    scores = [Estimate.with_margin(mean, margin) for mean in means]
    return [scored(at / 10, score) for at, score in enumerate(scores)]


class _Clock:
    """Goes on by as much as each call of the work takes; the last time holds for all others."""

    def __init__(self, *times: float) -> None:
        self.now, self.calls, self._times = 0.0, list[int](), times

    def __call__(self) -> float:
        return self.now

    def work(self, call: int) -> int:
        self.now += self._times[min(len(self.calls), len(self._times) - 1)]
        self.calls.append(call)
        return 100


def rate(median: float, slowest: float, fastest: float, rounds: int) -> Found:
    return Found(median=median, slowest=slowest, fastest=fastest, rounds=rounds)


def test_speed_is_the_median_of_rounds_and_not_the_luckiest() -> None:
    # The first call warms up. Rounds of at least 1 s: 4 calls of 0.25 s, 1 of 1 s, 1 of 2 s.
    clock = _Clock(50.0, 0.25, 0.25, 0.25, 0.25, 1.0, 2.0)
    assert measure_rate(clock.work, 0.5, 1.0, clock) == rate(100.0, 50.0, 400.0, 3)
    assert clock.calls == list(range(7))  # each may deal other cards
    # Five rounds of 1 s fit into 4.5 s; a fast call alone makes no round.
    clock = _Clock(0.0, 0.0, 1.0)
    assert measure_rate(clock.work, 4.5, 1.0, clock) == rate(100.0, 100.0, 200.0, 5)


def test_hands_that_are_evaluated_differ() -> None:
    hands = random_hands(seed=1)
    for cards in (5, 7):
        some = np.sort(hands[:, :cards], axis=1).astype(np.int64)
        assert (np.diff(some, axis=1) > 0).all()
        assert len(np.unique(some @ 52 ** np.arange(cards))) > 150_000
    assert hands.max() == 51


def test_sizes_in_words_are_those_that_are_played() -> None:
    menu = load_recipe("husky").menu.partition("/")[0]
    for size in DATA.translation.sizes:
        if size.before is None or size.after is None:
            assert size.share > 0
            continue
        first, second, third, fourth = (f"{blinds:g}" for blinds in (*size.before, *size.after))
        words = f": to {first} and {second} bb before the flop, {third} and {fourth} after"
        assert size.label.endswith(words)
        # husky's menu: 2, 3 then 4, 5; after the flop 1, 2 then 3, 4
        assert all(f"{blinds}bb" in menu for blinds in (first, second)) == size.menu


def test_plan_has_what_the_document_names() -> None:
    plan, full = DATA, DATA.effort["full"]
    assert [sweep.optimum for sweep in plan.sweeps] == [
        {"high": 0.65}, {"low": 0.1, "high": 0.6}, {"low": 0.375}, {"low": 0.375, "high": 1.0},
    ]  # fmt: skip
    assert (full.killer.seeds, full.killer.hands) == (100, 3_000)
    assert max(len(table) for table in full.seated) == 9
    assert max(full.several.counts) == 8
    names = {bot.name for bot in plan.bots}
    assert all(set(table) <= names for table in full.seated)
    # The authors' optimum is a point of the full grid.
    for sweep in plan.sweeps:
        assert sweep.optimum in grid_points(full.sweeps[sweep.key].grids)
    # Every effort's trainings are recipes that can be trained.
    for effort in (full, plan.effort["quick"]):
        recipe = load_recipe(plan.training).changed(effort.narrow)
        assert recipe.changed(effort.wide).menu == "50%, 100%, a ; cap 2"
    assert plan.rule(16) == pytest.approx(0.325)  # 0.65 / 16 ** 0.25


def test_best_and_as_good_points() -> None:
    swept = won_points(0.5, 0.59, 0.6, 0.4)
    assert best_point(swept).parameters == {"high": 0.2}
    assert [point.score.mean for point in as_good(swept)] == [0.59, 0.6]
    assert range_of(swept, "high") == (0.1, 0.2)
    # The difference of 0.035 has a margin of 0.03 * sqrt(2) = 0.042; one of 0.05 is told.
    assert len(as_good(won_points(0.6, 0.565, 0.55, margin=0.03))) == 2
    assert point_at(swept, {"high": 0.27}).score.mean == 0.4
    worst, best = (scored(0.0, Estimate(mean, None)) for mean in (0.1, 0.9))
    assert worst in as_good([worst, *swept])
    assert as_good([best, *swept]) == [best, *swept]


def test_spread_of_optimum_grows_where_points_are_alike() -> None:
    assert spread_of_optimum(won_points(0.2, 0.3, 0.9, 0.3, 0.2), 500, seed=1) == (0.2, 0.2)
    assert spread_of_optimum(won_points(*[0.5] * 5), 500, seed=1) == (0.0, 0.4)


def test_law_needs_positive_optima() -> None:
    assert fit_law({1: 0.0, 2: 0.5}) is None
    two = fit_law({1: 0.6, 2: 0.3})
    assert two is not None
    assert not two.exponent.known


def test_learning_curve_of_a_bot_that_learns_at_once() -> None:
    random_chips = np.random.default_rng(1).normal(0, 1, (50, 900))
    chips = random_chips + np.where(np.arange(900) < 300, -5.0, 10.0)
    curve = learning_curve(chips, chips, 100)
    assert learnt_at(curve) == 400
    assert curve.final.first == 601
    assert curve.final.won.mean == pytest.approx(10, abs=0.1)
    # 300 hands at -5, 600 at +10
    assert curve.total[-1] == pytest.approx(4_500, abs=30)
    assert curve.total_low[-1] < curve.total[-1] < curve.total_high[-1]
    assert curve.ahead == 1.0
    assert [block.last for block in curve.blocks] == list(range(100, 901, 100))


def test_learning_counts_from_the_block_after_which_none_falls_back() -> None:
    rates = np.repeat([-5.0, 10.0, 2.0, 10.0, 9.5, 10.5, 10.0, 10.0, 10.0], 10)
    chips = rates + np.linspace(-0.1, 0.1, 9)[:, None]
    curve = learning_curve(chips, chips, 10)
    assert learnt_at(curve) == 40  # hands 11 to 20 earn as much, 21 to 30 do not
    assert surely_below(curve) == 30
    noisy = chips + np.linspace(-20, 20, 9)[:, None] * (rates == 2.0)
    assert surely_below(learning_curve(noisy, noisy, 10)) == 10
    late = np.hstack([chips, np.full((9, 10), 5.0)])
    assert learnt_at(learning_curve(late, late, 10)) is None  # the last block falls back


def test_learning_curve_of_a_bot_that_never_wins() -> None:
    chips = np.random.default_rng(1).normal(-1, 1, (20, 60))
    curve = learning_curve(chips, chips, 20)
    assert learnt_at(curve) is None
    assert not wins(curve)
    assert curve.ahead == 0.0
    assert learning_curve(chips[:1], chips[:1], 20).final.won.error is None


@pytest.mark.parametrize("size", DATA.translation.sizes, ids=lambda size: size.name)
def test_bettor_stays_on_the_menu_with_its_sizes_only(tables: HandStrength, size: Size) -> None:
    del tables
    recipe = load_recipe("husky")
    tracker = Tracker(Tree(recipe.spec, recipe.menu))
    chooser, translated, raises = random.Random(1), 0, 0
    for seed in range(40):
        hand, bettor = Hand(recipe.spec, seed=seed), MakeBettor(size, 0.1, 0.4)(seed)
        while hand.actor is not None:
            view = hand.view(hand.actor)
            place = tracker.find(view)
            if hand.actor == seed % 2:
                move = bettor.act(view)
                raises += move.startswith("b")
            elif place.exact:  # one of the menu's own moves
                move = chooser.choice(list(tracker.nodes[place.node].children))
                move = "k" if move == "f" and view.legal.check else move
            else:
                translated += 1
                move = "k" if view.legal.check else "c"
            hand.do(move)
    assert raises > 20
    assert (translated == 0) == size.menu


def test_the_nearest_point_of_a_grid() -> None:
    score = Estimate.exact(0.5)
    points = [Found(parameters={"low": low, "high": 0.6}, score=score) for low in (0.1, 0.3, 0.5)]
    assert point_at(points, {"low": 0.25, "high": 1.0}).parameters["low"] == 0.3


def test_a_life_notes_who_plays_at_the_end_of_each_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """All-In from the start would need patience 0: with 1 hand of it and a loss it comes second."""
    plan = replace(DATA.killer, chain="killer:patience=1,trial=1,x=1")
    monkeypatch.setattr(_matches, "DATA", replace(DATA, killer=plan))
    won, stages = _matches._live(Seeds(1, 60, 10), ("all-in", 5))
    assert (len(won), len(stages)) == (60, 6)
    order = ["killer", "allin", "honest", "shark"]
    places = [order.index(stage) for stage in stages]
    assert places == sorted(places)
    assert places[-1] > 0
