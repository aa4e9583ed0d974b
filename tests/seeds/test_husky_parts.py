"""Husky's parts: speeds, optima, Killer's blocks, the bettor, and what is said of them."""

import random
from pathlib import Path

import numpy as np
import pytest

from riverboat.cards import HandStrength
from riverboat.game import Hand
from riverboat.seeds import (
    Table,
    Text,
)
from riverboat.seeds._reproduction import Effort, Reproduction
from riverboat.seeds._work import Won
from riverboat.seeds.husky import SEED
from riverboat.seeds.husky.bettor import MakeBettor
from riverboat.seeds.husky.cfr_report import cost_text
from riverboat.seeds.husky.data import Size, husky
from riverboat.seeds.husky.killer import learning_curve
from riverboat.seeds.husky.killer_report import judged, learning_table, told_text
from riverboat.seeds.husky.opponents import fit_law
from riverboat.seeds.husky.opponents_report import published_law
from riverboat.seeds.husky.points import (
    Scored,
    as_good,
    best,
    grid_points,
    nearest,
    spread_of_optimum,
)
from riverboat.seeds.husky.speed import (
    Rate,
    measure_rate,
    random_hands,
)
from riverboat.seeds.husky.summary import setting_section
from riverboat.seeds.husky.sweep_report import claim_section, verdict, wins_text
from riverboat.seeds.husky.sweeps import Pair
from riverboat.seeds.husky.translation import difference
from riverboat.training import load_recipe
from riverboat.translation._tracker import Tracker
from riverboat.tree import Tree
from seeds.husky_results import translated, won_points


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


def test_speed_is_the_median_of_rounds_and_not_the_luckiest() -> None:
    # The first call warms up. Rounds of at least 1 s: 4 calls of 0.25 s, 1 of 1 s, 1 of 2 s.
    clock = _Clock(50.0, 0.25, 0.25, 0.25, 0.25, 1.0, 2.0)
    assert measure_rate(clock.work, 0.5, 1.0, clock) == Rate(100.0, 50.0, 400.0, 3)
    assert clock.calls == list(range(7))  # each may deal other cards
    # Five rounds of 1 s fit into 4.5 s; a fast call alone makes no round.
    clock = _Clock(0.0, 0.0, 1.0)
    assert measure_rate(clock.work, 4.5, 1.0, clock) == Rate(100.0, 100.0, 200.0, 5)


def test_hands_that_are_evaluated_differ() -> None:
    hands = random_hands(seed=1)
    for cards in (5, 7):
        some = np.sort(hands[:, :cards], axis=1).astype(np.int64)
        assert (np.diff(some, axis=1) > 0).all()
        assert len(np.unique(some @ 52 ** np.arange(cards))) > 150_000
    assert hands.max() == 51


@pytest.mark.parametrize(
    ("effort", "said"),
    [
        # games and grids as the recipe has them
        ("quick", "Shark against Fish 100 games, fold up to 0 to 0.6 by 0.1, raise above 0 to 1"),
        ("full", "Shark against Fish 500 games, fold up to 0 to 1 by 0.05, raise above 0 to 1"),
        ("quick", "Angry Fish against several Fish 100 games, raise above 0.05 to 0.85 by 0.1"),
        ("tiny", "Shark against Fish 8 games, fold up to 0.1 and 0.7, raise above 0.6;"),
        ("quick", "Angry Fish against 1, 2, 4 and 8 Fish; results of tables of 3, 6 and 9 seats"),
        ("tiny", "speed of 2 to 3 seats; Angry Fish against 1 and 2 Fish; results of tables of 3 "),
    ],
)
def test_setting_tells_what_this_effort_runs(tmp_path: Path, effort: Effort, said: str) -> None:
    section = setting_section(Reproduction("husky", tmp_path, SEED.steps, effort))
    (table,) = (part for part in section.parts if isinstance(part, Table))
    assert any(said in ours for _, _, ours in table.rows)


def test_sizes_in_words_are_those_that_are_played() -> None:
    sizes = {size.name: size for size in husky().translation.sizes}
    assert sizes["small"].words.endswith("to 2 and 4 bb before the flop, 1 and 3 after")
    assert sizes["large"].words.endswith("to 3 and 5 bb before the flop, 2 and 4 after")
    assert sizes["all"].words == "all-in"
    for size in sizes.values():  # husky's menu: 2, 3 then 4, 5; after the flop 1, 2 then 3, 4
        if size.menu:
            menu = load_recipe("husky").menu
            assert size.before is not None
            assert all(f"{blinds:g}bb" in menu.partition("/")[0] for blinds in size.before)


def test_what_the_authors_say_is_set_beside_the_games() -> None:
    angry, shark, *_ = husky().sweeps
    assert "as they say" in wins_text(angry, Scored({}, 0.6, 0.05))
    assert "against what they say" in wins_text(angry, Scored({}, 0.4, 0.05))
    assert "neither Angry Fish nor Fish surely" in wins_text(angry, Scored({}, 0.52, 0.05))
    for won in (0.4, 0.52, 0.6):
        assert "thresholds only" in wins_text(shark, Scored({}, won, 0.05))


def test_plan_has_what_the_document_names() -> None:
    plan = husky()
    assert [sweep.optimum for sweep in plan.sweeps] == [
        {"high": 0.65}, {"low": 0.1, "high": 0.6}, {"low": 0.375}, {"low": 0.375, "high": 1.0},
    ]  # fmt: skip
    assert (plan.killer.seeds.full, plan.killer.hands.full) == (100, 3_000)
    assert max(len(table) for table in plan.seats.tables.full) == 9
    assert max(plan.opponents.counts.full) == 8
    names = {bot.name for bot in plan.bots}
    assert all(set(table) <= names for table in plan.seats.tables.full)
    # The authors' optimum is a point of the full grid.
    for sweep in plan.sweeps:
        assert sweep.optimum in grid_points(sweep.grids.full)
    # Every effort's trainings are recipes that can be trained.
    for changes in (plan.training.narrow.full, plan.training.narrow.quick):
        recipe = load_recipe(plan.training.recipe).changed(changes)
        assert recipe.changed(plan.training.wide.full).menu == "50%, 100%, a ; cap 2"
    assert published_law().at(16) == pytest.approx(0.325)  # 0.65 / 16 ** 0.25


def test_best_and_as_good_points() -> None:
    points = won_points(0.5, 0.59, 0.6, 0.4)
    assert best(points).parameters == {"high": 0.2}
    assert [point.mean for point in as_good(points)] == [0.59, 0.6]
    # The difference of 0.035 has a margin of 0.03 * sqrt(2) = 0.042; one of 0.05 is told.
    assert len(as_good(won_points(0.6, 0.565, 0.55, margin=0.03))) == 2
    assert nearest(points, {"high": 0.27}).mean == 0.4
    unknown = [Scored({"high": 0.0}, 0.1, -1.0), *points]
    assert unknown[0] in as_good(unknown)
    assert as_good([Scored({"high": 0.0}, 0.9, -1.0), *points])[1:] == points


def test_spread_of_optimum_grows_where_points_are_alike() -> None:
    peak = won_points(0.2, 0.3, 0.9, 0.3, 0.2)
    assert spread_of_optimum(peak, "high", 500, seed=1) == (0.2, 0.2)
    flat = won_points(0.5, 0.5, 0.5, 0.5, 0.5)
    assert spread_of_optimum(flat, "high", 500, seed=1) == (0.0, 0.4)


def test_verdict_goes_by_both_intervals() -> None:
    theirs = Scored({}, 0.50, 0.03)
    assert verdict(theirs, Scored({}, 0.56, 0.04)) == 1
    assert verdict(theirs, Scored({}, 0.54, 0.04)) == 0
    assert verdict(theirs, Scored({}, 0.44, 0.04)) == -1
    assert verdict(theirs, Scored({}, 0.99, -1.0)) == 0


@pytest.mark.parametrize(
    ("won", "said"),
    [(0.7, "The sentence holds"), (0.3, "does not hold"), (0.51, "cannot be told")],
)
def test_claim_is_judged_by_its_interval(won: float, said: str) -> None:
    section = claim_section(Pair([Scored({}, won, 0.05)], [Scored({}, 1.0, 0.5)]))
    (text,) = section.parts
    assert isinstance(text, Text)
    assert said in text.text


def test_law_needs_positive_optima() -> None:
    at = [(1, [Scored({"high": 0.0}, 1.0, 0.1)]), (2, [Scored({"high": 0.5}, 1.0, 0.1)])]
    assert fit_law(at) is None


def test_learning_curve_of_a_bot_that_learns_at_once() -> None:
    random_chips = np.random.default_rng(1).normal(0, 1, (50, 900))
    chips = random_chips + np.where(np.arange(900) < 300, -5.0, 10.0)
    curve = learning_curve("fish", chips, chips, 100)
    assert curve.learnt_at == 400
    assert curve.final.first == 601
    assert curve.final.mean == pytest.approx(10, abs=0.1)
    # 300 hands at -5, 600 at +10
    assert curve.mean[-1] == pytest.approx(4_500, abs=30)
    assert curve.low[-1] < curve.mean[-1] < curve.high[-1]
    assert curve.ahead == 1.0
    assert [block.last for block in curve.blocks] == list(range(100, 901, 100))


def test_learning_counts_from_the_block_after_which_none_falls_back() -> None:
    rates = np.repeat([-5.0, 10.0, 2.0, 10.0, 9.5, 10.5, 10.0, 10.0, 10.0], 10)
    chips = rates + np.linspace(-0.1, 0.1, 5)[:, None]
    curve = learning_curve("fish", chips, chips, 10)
    assert curve.learnt_at == 40  # hands 11 to 20 earn as much, 21 to 30 do not
    assert curve.surely_below == 30
    noisy = chips + np.linspace(-20, 20, 5)[:, None] * (rates == 2.0)
    assert learning_curve("fish", noisy, noisy, 10).surely_below == 10
    late = np.hstack([chips, np.full((5, 10), 5.0)])
    assert learning_curve("fish", late, late, 10).learnt_at is None  # the last block falls back


@pytest.mark.parametrize(
    ("rates", "said", "cells"),
    [
        ([5.0, 10.0, 10.0], "in line with the authors' 500 to 1,000", "1,000 500 in line"),
        ([5.0, 5.0, 5.0, 10.0, 10.0, 10.0], "later than the authors' 500", "2,000 1,500 later"),
        ([10.0, 10.0, 10.0], "not settled here", "500 - not settled"),
        ([-10.0, -10.0, -10.0], "not surely more than nothing", "- - does not surely win"),
    ],
)
def test_killer_is_judged_by_its_blocks(rates: list[float], said: str, cells: str) -> None:
    chips = np.repeat(rates, 500) + np.linspace(-0.1, 0.1, 5)[:, None]
    curve = learning_curve("fish", chips, chips, 500)
    assert said in told_text(curve)
    (row,) = learning_table([curve]).rows
    assert " ".join(row) == f"Fish 500 to 1,000 {cells}"


def test_killer_is_not_settled_between_what_is_seen_and_what_is_sure() -> None:
    # Hands 1 to 500 are surely below 9, hands 501 to 1,000 are below it but may be luck.
    noise = np.linspace(-5, 5, 5)[:, None] * (np.arange(3_000) // 500 == 1)
    chips = np.repeat([1.0, 8.0, 10.0, 10.0, 10.0, 10.0], 500) + noise
    curve = learning_curve("fish", chips, chips, 500)
    assert (curve.surely_below, curve.learnt_at) == (500, 1_500)
    assert judged(curve) == "not settled"
    assert "whether it takes longer than the authors' 500 to 1,000 is not settled" in told_text(
        curve
    )


def test_learning_curve_of_a_bot_that_never_wins() -> None:
    chips = np.random.default_rng(1).normal(-1, 1, (20, 60))
    curve = learning_curve("shark", chips, chips, 20)
    assert curve.learnt_at is None
    assert not curve.wins
    assert curve.ahead == 0.0
    assert learning_curve("shark", chips[:1], chips[:1], 20).final.margin == -1.0


@pytest.mark.parametrize("size", husky().translation.sizes, ids=lambda size: size.name)
def test_bettor_stays_on_the_menu_with_its_sizes_only(tables: HandStrength, size: Size) -> None:
    del tables
    recipe = load_recipe("husky")
    tracker = Tracker(Tree(recipe.spec(), recipe.menu))
    chooser, translated, raises = random.Random(1), 0, 0
    for seed in range(40):
        hand, bettor = Hand(recipe.spec(), seed=seed), MakeBettor(size, 0.1, 0.4)(seed)
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


@pytest.mark.parametrize(
    ("all_in", "said"),
    [(-90.0, "surely more than nothing"), (9.0, "cannot be told"), (60.0, "a gain")],
)
def test_cost_of_translation_is_judged_by_its_interval(all_in: float, said: str) -> None:
    cfr = {"small": 8.0, "large": 12.0, "all": all_in}  # the menu's mean is 10
    found = [
        translated(size.name, cfr.get(size.name, -500.0), 10.0)
        for size in husky().translation.sizes
    ]
    text = cost_text(found)
    assert said in text
    # Means of the same deals average their margins of 1; differences add squares: 1.4, then 2.
    assert f"{all_in - 10:+.1f} ± 1.4" in text
    assert f"{all_in - 10:+.1f} ± 2.0" in text


def test_difference_of_results_adds_their_errors() -> None:
    assert difference(Won(5, 3, 10), Won(1, 4, 10)) == Won(4, 5, 20)
    assert difference(Won(5, -1, 10), Won(1, 4, 10)).margin == -1
