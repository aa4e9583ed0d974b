"""One estimate: its kinds of interval, what it decides, and its way through JSON."""

import math

import msgspec
import numpy as np
import pytest

from riverboat.statistics import Estimate, as_good_as_best, mean_estimate, share_estimate


def test_intervals_by_kind() -> None:
    # Student's t, 4 degrees of freedom: 2.776; normal: 1.960 (any table).
    assert Estimate(0.0, 1.0, 5).margin == pytest.approx(2.776, abs=1e-3)
    assert Estimate(0.0, 1.0, 5, "normal").margin == pytest.approx(1.960, abs=1e-3)
    # Wilson's interval of 8 successes in 10 trials, by his formula: 0.490 to 0.943.
    share = Estimate(0.8, math.sqrt(0.8 * 0.2 / 10), 10, "share")
    assert share.interval == pytest.approx((0.490, 0.943), abs=1e-3)


@pytest.mark.parametrize("count", [0, 3, 10])
def test_a_share_of_what_was_counted(count: int) -> None:
    # Wilson's interval by his formula.
    wanted = {0: (0.0, 0.2775), 3: (0.1078, 0.6032), 10: (0.7225, 1.0)}
    assert share_estimate(count, 10).interval == pytest.approx(wanted[count], abs=1e-4)
    assert share_estimate(0, 0).interval == (0.0, 1.0)


def test_the_difference_of_two_shares() -> None:
    one, other = share_estimate(56, 70), share_estimate(48, 80)
    found = one.minus(other)
    # Newcombe 1998, table II, method 10: 56/70 - 48/80 is 0.0524 to 0.3339.
    assert found.interval[0] == pytest.approx(0.0524, abs=1e-4)
    assert other.minus(one).interval[1] == pytest.approx(-0.0524, abs=1e-4)
    assert one.minus(other, 0.5).mean == pytest.approx(-0.3)
    assert one.minus(other, 0.5).interval[1] == pytest.approx(0.3339 - 0.5, abs=1e-4)
    assert share_estimate(0, 0).minus(one).sign == 0


def test_one_unit_tells_nothing() -> None:
    single = mean_estimate(np.array([3.0]))
    assert not single.known
    assert single.sign == 0
    assert single.text() == "3.0 ± ?"
    assert single.as_values() == {"mean": 3.0, "interval_95": [None, None]}


def test_sign_and_difference() -> None:
    first, second = Estimate.with_margin(0.5, 0.03), Estimate.with_margin(0.6, 0.04)
    assert (first.sign, first.scaled(-2).sign) == (1, -1)
    difference = first.minus(second)
    assert difference.margin == pytest.approx(0.05)  # 3, 4, 5
    assert difference.sign == -1
    assert first.minus(Estimate.with_margin(0.54, 0.04)).sign == 0
    assert first.minus(0.45).sign == 1


def test_as_good_as_best_goes_by_the_difference() -> None:
    """Alone the second's interval does not reach the first's mean; their difference reaches 0."""
    points = [Estimate.with_margin(0.60, 0.03), Estimate.with_margin(0.565, 0.03)]
    assert points[1].interval[1] < points[0].mean
    assert as_good_as_best(points) == [0, 1]
    assert as_good_as_best([*points, Estimate.with_margin(0.5, 0.03)]) == [0, 1]
    assert as_good_as_best([]) == []


@pytest.mark.parametrize(
    "estimate",
    [
        Estimate(1.5, 0.25, 40),
        Estimate(0.5, None, 1, "share"),
        Estimate.exact(2.0),
        Estimate.with_margin(1.0, math.inf),
    ],
)
def test_json_keeps_everything(estimate: Estimate) -> None:
    assert msgspec.json.decode(msgspec.json.encode(estimate), type=Estimate) == estimate
