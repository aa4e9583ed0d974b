"""Real bets to menu bets: sizes, and the draw between two of them."""

from itertools import pairwise

import pytest

from riverboat.errors import MenuError
from riverboat.translation import size_shares
from riverboat.translation._bets import TRANSLATIONS, draw_for, share_of_smaller


def test_pseudo_harmonic_is_the_papers_function() -> None:
    # Ganzfried & Sandholm 2013, section 6: f(x) = (B - x)(1 + A) / ((B - A)(1 + x)). With A = 0
    # and B = 1 a half-pot bet is the smaller one with 0.5 * 1 / (1 * 1.5) = 1/3.
    assert share_of_smaller(0.5, 0.0, 1.0) == pytest.approx(1 / 3)
    # Its median x* = (A + B + 2AB) / (A + B + 2); for 0.5 and 1: 2.5 / 3.5.
    assert share_of_smaller(2.5 / 3.5, 0.5, 1.0) == pytest.approx(0.5)


@pytest.mark.parametrize("rule", TRANSLATIONS)
def test_boundaries_and_monotony(rule: str) -> None:
    sizes = [0.5 + i / 200 for i in range(101)]
    shares = [share_of_smaller(size, 0.5, 1.0, rule) for size in sizes]  # type: ignore[arg-type]  # a rule's name
    assert shares[0] == 1.0
    assert shares[-1] == 0.0
    assert all(a >= b for a, b in pairwise(shares))


def test_nearest_rules_switch_at_the_two_means() -> None:
    # Geometric mean of 0.5 and 2 is 1, arithmetic mean 1.25.
    assert share_of_smaller(0.99, 0.5, 2.0, "nearest-ratio") == 1.0
    assert share_of_smaller(1.01, 0.5, 2.0, "nearest-ratio") == 0.0
    assert share_of_smaller(1.24, 0.5, 2.0, "nearest-amount") == 1.0
    assert share_of_smaller(1.26, 0.5, 2.0, "nearest-amount") == 0.0


def test_sizes_on_the_menu_and_outside_need_no_draw() -> None:
    menu = [0.5, 1.0, 3.0]
    found = [size_shares(size, menu) for size in (0.5, 1.0, 3.0, 9.0)]
    assert found == [((index, 1.0),) for index in (0, 1, 2, 2)]
    assert [index for index, _ in size_shares(0.1, menu)] == [-1, 0]


def test_probabilities_of_two_sizes_add_up_to_one() -> None:
    for size in (0.1, 0.75, 2.0):
        (smaller, share), (larger, rest) = size_shares(size, [0.5, 1.0, 3.0])
        assert (larger - smaller, share + rest) == (1, 1)


def test_draws_follow_the_probability() -> None:
    # 4,000 lines at probability 3/7: standard deviation sqrt(4000 * 12/49) = 31.3, four of
    # them 125.2.
    (_, share), _ = size_shares(0.75, [0.5, 1.0])
    smaller = sum(draw_for(5, f"b{line}") < share for line in range(4000))
    assert abs(smaller - 4000 * 3 / 7) < 126


def test_draws_depend_on_seed_line_and_cards_only() -> None:
    assert draw_for(1, "b40", (3, 7)) == draw_for(1, "b40", (7, 3))
    assert len({draw_for(1, "b40"), draw_for(2, "b40"), draw_for(1, "b41")}) == 3
    assert draw_for(1, "b40") != draw_for(1, "b40", (3, 7))
    # Recorded: a draw must be the same in every process and on every machine.
    assert draw_for(1, "b40", (3, 7)) == pytest.approx(RECORDED, abs=0)


RECORDED = 0.050707137350878506


def test_what_is_no_translation_is_refused() -> None:
    with pytest.raises(MenuError, match="must be between"):
        share_of_smaller(0.4, 0.5, 1.0)
    with pytest.raises(MenuError, match=r"pseudo-harmonic.*not 'best'"):
        share_of_smaller(0.6, 0.5, 1.0, "best")  # type: ignore[arg-type]  # wrong on purpose
