"""The trained-response bound: below the exact exploitability, and close to it."""

import math
from pathlib import Path

import numpy as np
import pytest

from riverboat import _core
from riverboat.buckets import BucketTables, bucket_tables, make_abstraction
from riverboat.cards import HandStrength
from riverboat.errors import SolveError
from riverboat.evaluate import duel, exploitability, response_bound, sampled_value
from riverboat.game import Rake, catalogue
from riverboat.plain import Random
from riverboat.solve import Crew, Deals, Scheme, Solver, enumerate_deals, holdem_deals
from riverboat.tree import Tree
from sizes import BUCKETS, few_or_many, slowly
from twins.response import Dealt, ResponseTraining, deal_value


@pytest.fixture(scope="module")
def leduc() -> Deals:
    return enumerate_deals(Tree(catalogue("leduc"), "min"))


@pytest.mark.parametrize("iterations", few_or_many(200_000, 1_000_000))
@pytest.mark.parametrize("trained", [0, 30, 1000])
def test_leduc_bound_approaches_the_exact_value_from_below(
    leduc: Deals, trained: int, iterations: int
) -> None:
    solver = Solver(leduc, Scheme("full", "cfr+", "linear"))
    if trained:
        solver.run_all(iterations=trained)
    exact = exploitability(leduc, solver.strategy())
    found = response_bound(
        leduc, solver.strategy(), iterations=iterations, score_deals=20_000, seed=5
    )
    assert found.deals == 20_000
    error = found.bound.standard_error
    assert found.bound.mean <= exact.exploitability + 4 * error
    # What training misses: a hundredth of a chip at a million iterations, and the noise.
    missed = 0.01 * (1_000_000 / iterations) ** 0.5
    assert found.bound.mean >= exact.exploitability - missed - 4 * error
    for seat, best in zip(found.seats, exact.best_responses, strict=True):
        assert seat.value.mean <= best + 4 * seat.value.standard_error
        assert seat.iterations == iterations


def test_more_training_finds_more(leduc: Deals) -> None:
    strategy = Solver(leduc, Scheme("full")).strategy()
    short, long = (
        response_bound(leduc, strategy, iterations=count, seed=5) for count in (100, 100_000)
    )
    assert short.bound.mean + 4 * short.bound.standard_error < long.bound.mean


def test_value_of_a_seat_on_sampled_deals(leduc: Deals) -> None:
    solver = Solver(leduc, Scheme("full"))
    solver.run_all(iterations=200)
    exact = exploitability(leduc, solver.strategy())
    for seat in (0, 1):
        found = sampled_value(leduc, solver.strategy(), seat, score_deals=50_000, seed=2)
        assert abs(found.mean - exact.values[seat]) < 4 * found.standard_error
        low, high = found.interval
        assert 3.91 * found.standard_error < high - low < 3.93 * found.standard_error


def test_training_is_its_twin(leduc: Deals) -> None:
    rng = np.random.default_rng(3)
    weights = rng.random(leduc.num_entries, np.float32)
    frozen = np.empty_like(weights)
    _core.normalise_into(leduc.compiled, weights, frozen)
    for player in (0, 1):
        regrets, average = np.zeros_like(frozen), np.zeros(len(frozen))
        _core.train_response(
            leduc.compiled, player, 9, 1.5, 20, 220, Crew(1), frozen, regrets, average
        )
        plain = ResponseTraining(
            player, frozen.astype(float), np.zeros(len(frozen)), np.zeros(len(frozen)), 1.5
        )
        for stream in range(20, 220):
            random = Random(9, stream)
            random.uniform()  # the deal
            plain.walk(Dealt(leduc, *leduc.compiled.draw(9, stream)), random.uniform)
        np.testing.assert_allclose(regrets, plain.regrets, rtol=1e-4, atol=1e-3)
        np.testing.assert_allclose(average, plain.average, rtol=1e-4, atol=1e-3)
        assert np.count_nonzero(regrets) > 100


def test_score_of_a_deal_is_its_twin(leduc: Deals) -> None:
    rng = np.random.default_rng(4)
    own, others = np.empty((2, leduc.num_entries), np.float32)
    for strategy in (own, others):
        weights = rng.random(leduc.num_entries, np.float32)
        _core.normalise_into(leduc.compiled, weights, strategy)
    values = np.empty(30)
    _core.score_deals_into(leduc.compiled, 1, own, others, 2, 40, values)
    for i in range(30):
        dealt = Dealt(leduc, *leduc.compiled.draw(2, 40 + i))
        assert values[i] == pytest.approx(deal_value(dealt, 1, own, others), abs=1e-5)


def test_greedy_takes_the_heaviest_action(leduc: Deals) -> None:
    rng = np.random.default_rng(6)
    weights = rng.random(leduc.num_entries)
    weights[:3] = 0
    strategy = np.empty(len(weights), np.float32)
    _core.greedy_into(leduc.compiled, weights, strategy)
    dealt = Dealt(leduc, *leduc.compiled.draw(0, 1))
    row = dealt.row(0)
    wanted = np.zeros(row.stop - row.start)
    wanted[weights[row].argmax()] = 1
    if weights[row].max() == 0:
        wanted[:] = 1 / len(wanted)
    assert strategy[row].tolist() == wanted.tolist()


def test_rake_is_taken_off() -> None:
    """With rake the seats' values do not cancel: gains are what responses win on top of them."""
    spec = catalogue("leduc").replace(rake=Rake(percent=10, no_flop_no_drop=False))
    deals = enumerate_deals(Tree(spec, "min"))
    strategy = Solver(deals, Scheme("full")).strategy()
    exact = exploitability(deals, strategy)
    assert sum(exact.values) < -0.1
    found = response_bound(deals, strategy, iterations=300_000, seed=1)
    assert abs(found.bound.mean - exact.exploitability) < 0.02 + 4 * found.bound.standard_error


@pytest.mark.slow
def test_cardiff_training_improves_on_uniform_play() -> None:
    deals = holdem_deals(
        Tree(catalogue("cardiff"), "cardiff"), bucket_tables(make_abstraction("suitless 2"))
    )
    solver = Solver(deals, Scheme("external"), seed=1)
    bounds = []
    for iterations in (0, 100_000):
        if iterations:
            solver.run_all(iterations=iterations)
        strategy = solver.strategy(np.float32)
        bounds.append(response_bound(deals, strategy, iterations=50_000, score_deals=4_000, seed=2))
    errors = bounds[0].bound.standard_error + bounds[1].bound.standard_error
    assert bounds[1].bound.mean + 4 * errors < bounds[0].bound.mean


@pytest.fixture(scope="module")
def buckets(tables: HandStrength, cache: Path) -> BucketTables:
    return bucket_tables(make_abstraction(BUCKETS, tables), tables, cache)


@pytest.mark.parametrize(
    ("game", "menu"), [("discard-2017", "a ; cap 1"), *slowly(("limit", "min"))]
)
def test_training_improves_on_uniform_play(
    game: str, menu: str, buckets: BucketTables, tables: HandStrength
) -> None:
    deals = holdem_deals(Tree(catalogue(game), menu), buckets, tables)
    solver = Solver(deals, Scheme("external"), seed=1)
    bounds = []
    for iterations in (0, 20_000):
        if iterations:
            solver.run_all(iterations=iterations)
        strategy = solver.strategy(np.float32)
        bounds.append(response_bound(deals, strategy, iterations=10_000, score_deals=2_000, seed=2))
    errors = bounds[0].bound.standard_error + bounds[1].bound.standard_error
    assert bounds[1].bound.mean + 4 * errors < bounds[0].bound.mean


@pytest.mark.threads
def test_same_seed_same_bound(leduc: Deals) -> None:
    strategy = Solver(leduc, Scheme("full")).strategy()
    first, second = (
        response_bound(leduc, strategy, iterations=5_000, score_deals=1_000, seed=3)
        for _ in range(2)
    )
    assert first.bound == second.bound
    assert first.seats == second.seats
    timed = response_bound(leduc, strategy, seconds=0.05, score_deals=1_000, seed=3, threads=2)
    assert timed.seats[0].iterations > 0


def test_bad_input_is_refused(leduc: Deals) -> None:
    strategy = Solver(leduc, Scheme("full")).strategy()
    with pytest.raises(SolveError, match="budget"):
        response_bound(leduc, strategy)
    bad: dict[str, tuple[object, ...]] = {
        "iterations": (-1, 2.5, True, 2**56 + 1, "many"),
        "seconds": (math.nan, -1.0, "long"),
        "score_deals": (1, 100.0, 10**9 + 1),
        "seed": (-1, 2**64, 1.0),
        "threads": (0, 1025, 1.5),
    }
    for name, values in bad.items():
        for wrong in values:
            budget = {} if name in {"iterations", "seconds"} else {"iterations": 1}
            with pytest.raises(SolveError, match=f"^{name}="):
                response_bound(leduc, strategy, **budget, **{name: wrong})  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(SolveError, match="entries"):
        response_bound(leduc, strategy[1:], iterations=1)
    for seat in (2, -1, 0.0):
        with pytest.raises(SolveError, match=f"seat={seat} .* a whole number from 0 to 1"):
            sampled_value(leduc, strategy, seat)  # type: ignore[arg-type]  # wrong on purpose
    for options in ({"score_deals": 1.5}, {"seed": -1}, {"seed": None}):
        with pytest.raises(SolveError, match="it must be a whole number"):
            sampled_value(leduc, strategy, **options)


def test_numbers_of_numpy_are_numbers(leduc: Deals) -> None:
    strategy = Solver(leduc, Scheme("full")).strategy()
    plain = response_bound(leduc, strategy, iterations=100, score_deals=50, seed=3)
    given = response_bound(
        leduc,
        strategy,
        iterations=np.int64(100),  # type: ignore[arg-type]  # NumPy's numbers are numbers
        seconds=np.float32(60),  # type: ignore[arg-type]  # NumPy's numbers are numbers
        score_deals=np.uint16(50),  # type: ignore[arg-type]  # NumPy's numbers are numbers
        seed=np.uint64(3),  # type: ignore[arg-type]  # NumPy's numbers are numbers
    )
    assert given.bound == plain.bound


def test_averages_do_not_stop_growing(leduc: Deals) -> None:
    """float32 would stay at 2^24: 2^24 + 1 is not one of its numbers."""
    frozen = Solver(leduc, Scheme("full")).strategy(np.float32)
    regrets, average = np.zeros_like(frozen), np.full(len(frozen), 2.0**24)
    _core.train_response(leduc.compiled, 0, 1, 1.0, 0, 100, Crew(1), frozen, regrets, average)
    assert (average - 2.0**24).sum() > 99


def test_a_prior_starts_responses_from_the_strategy() -> None:
    """Kuhn: a strategy that is nearly an equilibrium, and responses that are hardly trained.

    From uniform play they are worse than the strategy itself, which is then taken; from the
    strategy they gain nothing. Trained longer they find what a best response gains.
    """
    deals = enumerate_deals(Tree(catalogue("kuhn"), "min"))
    solver = Solver(deals, Scheme("full", "cfr+", "linear"))
    solver.run_all(iterations=1000)
    plain, prior = (
        response_bound(deals, solver.strategy(), iterations=3, seed=5, prior=visits)
        for visits in (0.0, 1e6)
    )
    assert [seat.candidate for seat in plain.seats] == ["unchanged", "unchanged"]
    assert abs(plain.bound.mean) < 1e-6  # both play the strategy: values cancel on every deal
    assert abs(prior.bound.mean) < 1e-6
    uniform = np.full(deals.num_entries, 0.5)
    found = response_bound(deals, uniform, iterations=20_000, seed=1, prior=200.0).bound
    assert abs(found.mean - 11 / 24) < 4 * found.standard_error + 0.02  # exact: 11/24


def test_a_duel_is_what_both_seats_win(leduc: Deals) -> None:
    """Its exact value: each strategy in the other's seat once, by the exact walk."""
    solver = Solver(leduc, Scheme("external"), seed=1)
    weak = solver.strategy()
    solver.run_all(iterations=5000)
    strong, mixed = solver.strategy(), []
    for seat in range(2):
        each = weak.copy()
        for group in np.flatnonzero(leduc.tree.group_player == seat):
            leduc.rows(each, int(group))[:] = leduc.rows(strong, int(group))
        mixed.append(exploitability(leduc, each).values[seat])
    found = duel(leduc, strong, weak, score_deals=4000, seed=3)
    assert abs(found.mean - sum(mixed) / 2) < 4 * found.standard_error
    assert found.sign == 1
    assert found.units == 4000


@pytest.mark.threads
def test_a_duel_is_fair_and_zero_sum() -> None:
    """Limit hold'em to the flop: one bucket before it, four made-up ones on it."""
    game = catalogue("limit")
    tree = Tree(game.replace(name="limit to the flop", streets=game.streets[:2]), "min")
    flops = np.random.default_rng(1).integers(0, 4, (1755, 1326), np.uint8)  # canonical boards
    tables = (np.zeros((1, 1326), np.uint8), flops)
    limit = holdem_deals(tree, BucketTables("made up", tables, (1, 4)))
    solver = Solver(limit, Scheme("pure"), seed=1)
    uniform = solver.strategy(np.float32)
    solver.run_all(iterations=2000)
    trained = solver.strategy(np.float32)
    won = duel(limit, trained, uniform, score_deals=60, seed=3, threads=2)
    lost = duel(limit, uniform, trained, score_deals=60, seed=3)
    assert won.mean == pytest.approx(-lost.mean, abs=1e-5)
    assert duel(limit, trained, trained, score_deals=60, seed=3).mean == pytest.approx(0, abs=1e-5)
    assert won.sign == 1


def test_a_duel_is_for_two() -> None:
    deals = enumerate_deals(Tree(catalogue("kuhn3"), "min"))
    uniform = Solver(deals, Scheme("external")).strategy()
    with pytest.raises(SolveError, match="two players, not 3"):
        duel(deals, uniform, uniform)
