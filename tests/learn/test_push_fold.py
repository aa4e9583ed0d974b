"""Push or fold: published equilibria, exact exploitability, antes, charts."""

import csv
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from riverboat.cards import CLASS_COMBOS, NUM_CLASSES, class_text
from riverboat.errors import ReviewError
from riverboat.learn import ChartBook, PushFold, push_fold_depth, solve_push_fold, write_charts
from riverboat.learn._push_fold import _class_pairs

INDEX = {class_text(number): number for number in range(NUM_CLASSES)}

#: Largest stack in big blinds with which a hand is played, to a tenth, without antes: the heads-up
#: push or fold chart of HoldemResources (holdemresources.net/hune). Hands there are played with
#: every smaller stack, too.
PUSHED = {
    "K2s": 19.3, "K7o": 16.1, "K2o": 11.6, "Q2o": 7.0, "J2o": 4.6, "T2o": 2.9, "72o": 1.6,
}  # fmt: skip
CALLED = {"K2s": 10.7, "Q2s": 7.2, "J2s": 5.6}


@cache
def solved(depth: float, ante: float = 0.0) -> PushFold:
    return solve_push_fold(depth, ante)


@pytest.mark.parametrize(
    ("seat", "hand", "most"),
    [(seat, *row) for seat, chart in enumerate((PUSHED, CALLED)) for row in chart.items()],
)
def test_published_stacks(seat: int, hand: str, most: float) -> None:
    plays = [
        float(solved(round(most + step, 1)).strategy[seat, INDEX[hand]]) for step in (-0.2, 0.2)
    ]
    assert plays[0] > 0.7
    assert plays[1] < 0.3


@pytest.mark.parametrize(("depth", "ante"), [(2, 0), (5, 0), (10, 0), (10, 0.125), (20, 0)])
def test_it_cannot_be_exploited(depth: float, ante: float) -> None:
    assert 0 <= solved(depth, ante).exploitability < 0.01  # mbb/hand, exact


def test_shares_of_hands_with_ten_big_blinds() -> None:
    """HoldemResources: with 10 big blinds 58.3 % of hands are pushed, 37 % called."""
    combos = np.array(CLASS_COMBOS) / np.sum(CLASS_COMBOS)
    pushed, called = solved(10).strategy @ combos
    assert pushed == pytest.approx(0.583, abs=0.002)
    assert called == pytest.approx(0.37, abs=0.01)


def test_with_antes_more_is_pushed() -> None:
    combos = np.array(CLASS_COMBOS) / np.sum(CLASS_COMBOS)
    shares = [solved(10, ante).strategy[0] @ combos for ante in (0, 0.125, 0.25)]
    assert shares == sorted(shares)
    assert shares[2] > shares[0] + 0.05


def test_pairs_of_classes() -> None:
    """1,326 x 1,225 ordered pairs of hands; AA wins 81.9 % from KK (scripts/preflop_points)."""
    combinations, won = _class_pairs()
    assert combinations.sum() == 1326 * 1225
    np.testing.assert_allclose(won + won.T, combinations)
    aces, kings = INDEX["AA"], INDEX["KK"]
    assert combinations[aces, kings] == 36
    assert won[aces, kings] / 36 == pytest.approx(0.8195, abs=0.0005)


def test_charts(tmp_path: Path) -> None:
    book = ChartBook.push_fold("push-fold-10bb", 10, 0.1)
    assert book.shown.startswith("push or fold, ante 0.1 bb, exploitability ")
    push, call = book.charts
    assert (push.depth, push.share) == (10, 1.0)
    assert [push.words(action) for action in push.actions] == ["fold", "open all-in"]
    assert [call.words(action) for action in call.actions] == ["fold", "call"]
    assert call.share == pytest.approx(push.frequencies[1])
    write_charts(tmp_path / "nash.csv", [book])
    with (tmp_path / "nash.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    [aces] = [row for row in rows if row["hand"] == "AA" and row["words"] == "call"]
    assert float(aces["probability"]) == 1


def test_names_and_limits() -> None:
    assert push_fold_depth("push-fold-7.5bb") == 7.5
    assert push_fold_depth("push-fold-bb") is None
    with pytest.raises(ReviewError, match=r"1\.1 to 50 big blinds, not for 100"):
        solve_push_fold(100)
    with pytest.raises(ReviewError, match="ante must be 0 to 1 big blinds, not 2"):
        solve_push_fold(10, 2)
