"""Checks between iterations: when they come, how exact they are, and what they leave alone."""

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from riverboat.cards import Range, parse_cards
from riverboat.errors import GameError
from riverboat.game import Rake
from riverboat.spots import Engine, SolveSettings, Spot, checked_down, solve
from spots.made import hole, made, one_hand, spec_of

if TYPE_CHECKING:
    from riverboat.spots._engine import Check

RIVER = "2s3h4d6c7c"
HANDS = ("AA, QQ, 76s, 98s, T9s, 22", "KK-JJ, AK, 54s, 33")


def river(pot: int = 20, stack: int = 60, menu: str = "50%, a", **options: Any) -> Engine:
    return made(spec_of(RIVER, pot, stack), menu, RIVER, HANDS, **options)


def turn(**options: Any) -> Engine:
    return made(spec_of(RIVER[:8], 20, 60), "a", RIVER[:8], HANDS, **options)


# ---- When


def next_check(before: tuple[int, float] | None, now: tuple[int, float], target: float) -> int:
    """The plan in plain Python: a twin of the core's."""
    iteration, value = now
    if before is None:
        return iteration + 10
    if not (0 < value < before[1] and target > 0):
        return iteration + 50
    slope = math.log(before[1] / value) / math.log(iteration / before[0])
    wanted = math.log(value / target) / slope
    step = 50.0 if wanted > 5 else 0.8 * iteration * (math.exp(wanted) - 1)
    return iteration + round(min(50, max(3, step)))


def test_checks_are_where_the_last_two_predict() -> None:
    # s = ln 2 / ln 2 = 1, t* = 20 (0.02 / 0.01) = 40, 0.8 of the way.
    assert next_check((10, 0.04), (20, 0.02), 0.01) == 36
    assert next_check(None, (10, 0.04), 0.01) == 20
    assert next_check((10, 0.04), (20, 0.0101), 0.01) == 23  # at least 3
    assert next_check((10, 0.04), (20, 0.039), 0.0001) == 70  # at most 50
    assert next_check((10, 0.04), (20, 0.05), 0.01) == 70


@pytest.mark.parametrize("target", [0.5, 0.05, 0.004, 0.0])
def test_the_core_has_the_plan_of_its_twin(target: float) -> None:
    engine, before, following = river(), None, 10
    checks: list[Check] = []
    for length in (0, 1, 30, 200):
        last = checks[-1] if checks else None
        found, following = engine.run_checked(length, target, following, last)
        checks += found
    assert len(checks) > 2
    for now, then in itertools.pairwise(checks):
        where = next_check(before, (now.iteration, now.exploitability), target)
        assert then.iteration == where
        before = (now.iteration, now.exploitability)


# ---- How exact


@pytest.mark.parametrize(
    "engines",
    [
        [river(), river()],
        [river(stack=20_000, menu="300%, a"), river(stack=20_000, menu="300%, a")],
        [river(bits=16), river(bits=16)],
        [turn(), turn(threads=2)],
    ],
    ids=["river", "deep", "16 bits", "turn"],
)
def test_single_precision_is_good_to_a_millionth(engines: list[Engine]) -> None:
    fast, exact = engines
    largest = 10 + fast.tree.spec.stacks[0]
    for iterations in (3, 20, 100):
        [check], _ = fast.run_checked(iterations, -1e9, fast.iteration + iterations)
        exact.run(iterations)
        assert not check.exact
        wanted = exact.exploitability()
        assert list(check[1:4]) == pytest.approx(wanted, abs=2e-6 * largest)
        assert check[1:4] != wanted  # it is in single precision


def test_a_check_near_the_target_is_exact() -> None:
    engine, other = river(), river()
    checks, _ = engine.run_checked(1000, 0.05, 10)
    last = checks[-1]
    assert last.exact
    assert last.exploitability <= 0.05
    assert not any(check.exact for check in checks[:-1] if check.exploitability > 0.051)
    assert engine.iteration == last.iteration < 1000
    other.run(last.iteration)
    assert last[1:4] == other.exploitability()


def test_rake_and_locks_are_in_it() -> None:
    pair = []
    for _ in range(2):
        spec = spec_of(RIVER, 200, 600, rake=Rake(5, 100))
        engine = made(spec, "50%, a", RIVER, HANDS)
        engine.lock(engine.tree.node("b100"), (), one_hand([0.1, 0.7, 0.1, 0.1], "KsKh"))
        pair.append(engine)
    [check], _ = pair[0].run_checked(20, 0, 20)
    pair[1].run(20)
    assert list(check[1:4]) == pytest.approx(pair[1].exploitability(), abs=2e-6 * 800)


# ---- Without more bets


@pytest.mark.parametrize("dealt", [3, 4, 5])
def test_hands_checked_down_are_worth_what_the_engine_says(dealt: int) -> None:
    board = RIVER[: 2 * dealt]
    engine = made(spec_of(board, 20, 60), "none", board, HANDS)
    ranges = tuple(Range.parse(text).weights for text in HANDS)
    found = checked_down(engine.tree, engine.board, (ranges[0], ranges[1]))
    for player in (0, 1):
        assert found[player] == pytest.approx(engine.equity(player, 0), nan_ok=True)


def test_hands_that_meet_nobody_have_no_share() -> None:
    tree = made(spec_of(RIVER, 20, 60), "none", RIVER, HANDS).tree
    both = tuple(Range.parse(text).weights for text in ("AsAh, AdAc", "AsAd, KsKh"))
    found = checked_down(tree, parse_cards(RIVER), (both[0], both[1]))
    assert found[0, [hole("AsAh"), hole("AdAc")]] == pytest.approx([1, 1])
    assert found[1, [hole("AsAd"), hole("KsKh")]] == pytest.approx([np.nan, 0], nan_ok=True)
    with pytest.raises(GameError, match="3 to 5 different cards"):
        checked_down(tree, parse_cards("2s3h"), (both[0], both[1]))


# ---- What they leave alone


@pytest.mark.threads
@pytest.mark.parametrize("bits", [32, 16])
def test_checks_change_no_bit_of_the_tables(bits: int) -> None:
    checked, plain, shared = turn(bits=bits), turn(bits=bits), turn(bits=bits, threads=2)
    for engine in (checked, shared):
        engine.run_checked(13, 0, 3)
        engine.run_checked(12, 0, 14)
    plain.run(25)
    for name, table in plain.state().items():
        assert np.array_equal(checked.state()[name], table)
        assert np.array_equal(shared.state()[name], table)


def tiny() -> bool:
    """Whether this thread has numbers below the least normal one."""
    return bool(np.float32(1e-20) * np.float32(1e-20) > 0)


def test_small_numbers_are_there_again_after_every_call() -> None:
    assert tiny()
    engine = turn(threads=2)
    engine.run(2)
    assert tiny()
    engine.run_checked(3, 0, 4)
    engine.values(0, 0)
    engine.equity(1, 0)
    assert tiny()
    for node, cards in [(0, (51,)), (10_000, ())]:
        with pytest.raises(GameError):
            engine.values(0, node, cards)
        assert tiny()


def test_reports_of_a_slice_come_in_order() -> None:
    spot = Spot(board=RIVER, pot=20, stack=60, oop=HANDS[0], ip=HANDS[1], menu="50%, a")
    reports = list(solve(spot, SolveSettings(target=0.001, threads=1)))
    iterations, seconds = [r.iteration for r in reports], [r.seconds for r in reports]
    assert iterations == sorted(set(iterations))
    assert seconds == sorted(seconds)
    assert [r.values is None for r in reports] == [True] * (len(reports) - 1) + [False]
    assert reports[-1].values is not None
    assert sum(reports[-1].values) == pytest.approx(20)
