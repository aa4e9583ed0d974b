"""Yerevan: the parts that its figures stand on."""

import time
from collections.abc import Iterator
from itertools import combinations, permutations
from math import comb
from pathlib import Path

import numpy as np
import pytest

from riverboat.evaluate import exploitability
from riverboat.game import catalogue
from riverboat.reproductions import Found, ReproductionRun
from riverboat.reproductions.yerevan import _training
from riverboat.reproductions.yerevan._as_written import WAYS, AsWritten, _payoffs, four_bets_each
from riverboat.reproductions.yerevan._cards import SmallDeck, percentiles, small_game
from riverboat.reproductions.yerevan._report import ratio, threads_gain
from riverboat.reproductions.yerevan._sizes import count_hands, enumerate_hands, full_needs
from riverboat.reproductions.yerevan._training import (
    pace_of,
    run_trial,
    side_by_side,
    stops_at,
    workers_of,
)
from riverboat.solve import SCHEMES, Solver, enumerate_deals
from riverboat.statistics import Estimate
from riverboat.training import Stretch, iterate
from riverboat.tree import Tree

from .stored import found_of, replace, said


def test_ratios_follow_the_intervals() -> None:
    assert ratio([100, 101, 99], [50, 51, 49]).sign == -1
    assert ratio([100.0], [50.0]).sign == 0  # one run each says nothing
    assert ratio([100, 101, 99], [150.0]).sign == 1  # vanilla draws nothing
    assert ratio([100, 101, 99], [150.0]).text() == "1.50 (1.46 to 1.54)"


@pytest.mark.parametrize(
    ("one", "both", "gain"),
    [((100.0, 101.0), (190.0, 96.0), 1.9), ((100.0, 101.0), (300.0, 150.0), None),
     ((50.0, 101.0), (90.0, 96.0), None)],
)  # fmt: skip
def test_a_speed_up_needs_an_idle_machine(
    one: tuple[float, float], both: tuple[float, float], gain: float | None
) -> None:
    """More than two times on two threads, or a thread that waits, is no measurement."""
    paces = [Found(clock=clock, processor=processor) for clock, processor in (one, both)]
    speed = Found(one_thread=paces[0], all_threads=paces[1], threads=2)
    assert threads_gain(speed) == (gain and pytest.approx(gain))
    found = found_of("yerevan")
    text = said("yerevan", replace(found, speed=Found({**found.speed, **speed})), "over time")
    assert ("1.90 times as fast" if gain else "could not be measured") in text


def test_the_small_deck_deals_everything() -> None:
    deck = SmallDeck(small_game("QKA", "cdh"))
    assert len(deck.deals) == comb(9, 2) * comb(7, 2) * comb(5, 3)
    assert deck.winner.sum() == 0  # both seats are dealt alike
    every, classes = deck.every_hand(), deck.isomorphic()
    assert every.hands == comb(9, 2) * comb(7, 3)
    # Hands up to suits, counted by hand: 3 pairs, 3 suited and 3 unsuited combinations.
    assert classes.preflop.max() + 1 == 9
    assert classes.hands == len(set(_canonical(deck)))


def _canonical(deck: SmallDeck) -> Iterator[frozenset[object]]:
    """Name hands by all their renamings, without arrays: the slow twin."""
    cards = deck.cards.tolist()
    for hole in combinations(cards, 2):
        for flop in combinations([card for card in cards if card not in hole], 3):
            yield frozenset(
                tuple(frozenset(c - c % 4 + order[c % 4] for c in part) for part in (hole, flop))
                for order in permutations(range(3))
            )


def test_isomorphism_changes_no_value() -> None:
    deck = SmallDeck(small_game("QKA", "cdh"))
    every, classes = deck.every_hand(), deck.isomorphic()
    solver = Solver(classes.deals, SCHEMES["cfr"])
    solver.run_all(iterations=30)
    strategy = solver.strategy()
    written = classes.expanded(strategy, every)
    left, right = exploitability(classes.deals, strategy), exploitability(every.deals, written)
    assert left.exploitability == pytest.approx(right.exploitability, rel=1e-9)
    assert left.values == pytest.approx(right.values, abs=1e-9)
    assert (classes.expanded(strategy, classes) == strategy).all()


def test_buckets_are_judged_in_the_real_game() -> None:
    deck = SmallDeck(small_game("QKA", "cdh"))
    classes, buckets = deck.isomorphic(), deck.by_strength(3, 4)
    solver = Solver(buckets.deals, SCHEMES["cfr+"])
    solver.run_all(iterations=200)
    inside = exploitability(buckets.deals, solver.strategy())
    outside = exploitability(classes.deals, buckets.expanded(solver.strategy(), classes))
    # Who sees his cards exploits who does not.
    assert outside.exploitability > 5 * inside.exploitability
    assert outside.values[0] == pytest.approx(inside.values[0], abs=1e-9)


def test_percentiles_keep_equal_hands_together() -> None:
    strengths = np.array([0.5, 0.2, 0.5, 0.9, 0.2])
    found = percentiles(strengths, np.ones(5), 3)
    assert found[0] == found[2]
    assert found[1] == found[4]
    assert found[1] < found[0] < found[3]


def test_what_the_real_deck_needs() -> None:
    needs = full_needs(Tree(catalogue("limit"), "min"), (169, 200, 200, 200))
    # Waugh 2013 and plain counting.
    flop = comb(52, 2) * comb(50, 3)
    assert needs[0].hands == (1326, flop, flop * 47, flop * 47 * 46)
    assert needs[1].hands == (169, 1_286_792, 55_190_538, 2_428_287_420)
    assert needs[2].hands == (169, 1_286_792, 13_960_050, 123_156_254)
    # Johanson 2013: 3.19e14 information sets, and 1.38e13 up to isomorphism.
    assert [f"{need.infosets:.2e}" for need in needs[:2]] == ["3.19e+14", "1.38e+13"]
    # 8, 70, 630 and 5,670 decisions by street.
    assert needs[3].infosets == 8 * 169 + (70 + 630 + 5670) * 200
    assert needs[1].table_bytes > needs[2].table_bytes > 10**12 > 10**8 > needs[3].table_bytes


@pytest.mark.parametrize("isomorphic", [False, True])
@pytest.mark.parametrize(("ranks", "suits"), [(3, 3), (4, 2), (2, 4)])
def test_hands_are_counted_by_formula_as_by_dealing(
    ranks: int, suits: int, isomorphic: bool
) -> None:
    dealt = enumerate_hands(ranks, suits, isomorphic=isomorphic)
    assert count_hands(ranks, suits, isomorphic=isomorphic) == dealt


def test_section_341_on_leduc() -> None:
    """Adding all regrets is chance sampling, which converges; adding positive ones does not."""
    leduc = enumerate_deals(Tree(catalogue("leduc"), "min"))
    trained = {name: AsWritten(leduc, way, 1) for name, way in WAYS.items()}
    for each in trained.values():
        each.run(5_000)
    chance, written = trained["chance"], trained["written"]
    assert chance.exploitable(chance.average) < 300
    assert written.exploitable(written.regrets) > 800
    assert written.exploitable(written.average) > 800


def test_one_deal_by_section_341_is_one_iteration_of_chance_sampling() -> None:
    """With uniform play the first traversal of both players has the regrets of plain CFR."""
    leduc = enumerate_deals(Tree(catalogue("leduc"), "min"))
    ours = AsWritten(leduc, WAYS["chance"], 7)
    ours.run(1)
    core = Solver(leduc, SCHEMES["chance"], seed=7)
    core.run_all(iterations=1)
    first = np.flatnonzero(leduc.tree.group_player == 0).tolist()
    for group in first:  # the core updates the first player before the second one
        mine, theirs = leduc.rows(ours.regrets, group), leduc.rows(core.regrets, group)
        np.testing.assert_allclose(mine, theirs, rtol=1e-6)


def test_half_of_the_pot_changes_only_folds_to_a_bet() -> None:
    tree = Tree(catalogue("leduc"), "min")
    half, chips = (_payoffs(tree, (1, 0), WAYS[name]) for name in ("written", "chips"))
    differ = {tree.line(node).split("/")[-1] for node in np.flatnonzero(half != chips).tolist()}
    assert differ
    assert all(line.endswith("f") for line in differ)


def test_four_bets_each_is_a_larger_tree() -> None:
    assert sum(Tree(four_bets_each(), "min").num_decisions) == 93_960


def nothing(solver: Solver) -> Estimate:
    del solver
    return Estimate.exact(7.0)


def test_a_trial_counts_only_training() -> None:
    solver = Solver(enumerate_deals(Tree(catalogue("leduc"), "min")), SCHEMES["pure"], seed=1)
    ticks = iter(np.arange(0.0, 1e6, 0.5).tolist())
    course = iterate(solver, stops_at((1.0, 2.0)), clock=lambda: next(ticks))
    trial = run_trial(solver, course, nothing)
    assert [point.exploitability.mean for point in trial.points] == [7.0, 7.0]
    assert trial.points[0].iterations < trial.points[-1].iterations == solver.iterations
    assert [point.seconds for point in trial.points] == [1.0, 2.0]  # a slice takes a tick


def test_trials_side_by_side_keep_their_order(tmp_path: Path) -> None:
    run = ReproductionRun("yerevan", tmp_path, ("one",), workers=2)
    deals = enumerate_deals(Tree(catalogue("kuhn"), "min"))
    jobs = [(Solver(deals, SCHEMES["pure"], seed=seed), nothing) for seed in range(3)]
    trials = side_by_side(run, jobs, (0.001,), "")
    assert [each.points[-1].iterations for each in trials] == [
        solver.iterations for solver, _ in jobs
    ]


def test_an_error_stops_the_trials_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deals = enumerate_deals(Tree(catalogue("kuhn"), "min"))
    short, long = (Solver(deals, SCHEMES["pure"]) for _ in range(2))
    ended = list[Solver]()

    def course(solver: Solver, stops: object, clock: object) -> Iterator[Stretch]:
        del stops, clock
        for _ in range(2000 if solver is long else 0):  # ten seconds
            time.sleep(0.005)
            yield Stretch(1, 0.0, 0.0, 0.0, None)
        ended.append(solver)
        yield Stretch(1, 1.0, 1.0, 1.0, 0)

    def fails(solver: Solver) -> Estimate:
        raise ZeroDivisionError(solver.seed)

    monkeypatch.setattr(_training, "iterate", course)
    run = ReproductionRun("yerevan", tmp_path, ("one",), workers=2)
    with pytest.raises(ZeroDivisionError):
        side_by_side(run, [(short, fails), (long, nothing)], (1.0,), "")
    assert ended == [short]


def test_a_pace_is_measured_by_both_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), SCHEMES["pure"], seed=1)
    solver.run_all(iterations=10)
    monkeypatch.setattr(solver, "run_all", lambda **_: None)
    reached = [Stretch(2010, 2.0, 4.0, 0.5, None), Stretch(4010, 4.0, 8.0, 1.0, 0)]
    monkeypatch.setattr(_training, "iterate", lambda *_: iter(reached))
    assert pace_of(solver, 0.01) == Found(
        clock=1000.0, processor=500.0
    )  # 4 s of the clock, two threads busy


def test_never_more_threads_than_cores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_training, "num_cores", lambda: 2)
    asked = (0, 1, 2, 8)
    given = [workers_of(ReproductionRun("yerevan", tmp_path, workers=workers)) for workers in asked]
    assert given == [2, 1, 2, 2]
