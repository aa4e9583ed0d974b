"""Numbers as people read them, and the one rule for judgements."""

import math
from typing import get_args

import pytest

from riverboat.report import (
    Palette,
    Text,
    action_colour,
    cell,
    duration,
    fill_template,
    judge,
    number,
)
from riverboat.statistics import Estimate


def said(template: str, v: object) -> str:
    """Return what a template makes of a value."""
    [section] = fill_template(f"## x\n{template}", v=v)
    [part] = section.parts
    assert isinstance(part, Text)
    return part.text


@pytest.mark.parametrize(
    ("seconds", "text"), [(59.7, "1 min"), (3599.9, "1 h"), (4e-7, "0.4 µs"), (9.96, "10 s")]
)
def test_durations_are_rounded_before_they_are_parted(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_what_is_no_number_is_a_dash() -> None:
    assert number(float("inf")) == number(float("nan")) == number(None) == "-"


def test_numbers_have_the_digits_that_count() -> None:
    values = (0, 0.5, 505.1, 8_133_888)
    assert said("{% for x in v %}{{ x | short }}; {% endfor %}", values) == "0; 0.500; 505; 8.13 M;"
    # The margin has two digits; where it is rounded up to the next ten, none is too many.
    assert said("{{ v | pm }}", Estimate.with_margin(1.0, 9.96)) == "1 ± 10"
    assert said("{{ v | pm }}", Estimate.with_margin(1.0, 0.996)) == "1.0 ± 1.0"
    assert said("{{ v | pm }}", Estimate.with_margin(-3.14159, 0.0)) == "-3.14 ± 0.00"
    shares = [said("{{ v | proportion }}", v) for v in (0, 1, 0.0999, 0.00999, 0.000999)]
    assert shares == ["0 %", "100 %", "10.0 %", "1.00 %", "0.100 %"]
    assert [said("{{ v | listed }}", v) for v in ([], [1, 2])] == ["none", "1 and 2"]


def test_whatever_a_table_holds_is_written() -> None:
    found = [cell(value) for value in (1_000, 0.5, "a", None, True, ("a", "b"))]
    assert found == ["1,000", "0.5", "a", "", "yes", "a and b"]
    assert cell(Estimate(3.0, None)) == "3.0 ± ?"
    assert duration(math.inf) == "unknown"


@pytest.mark.parametrize(
    ("mean", "margin", "said"),
    [(5, 2, "yes"), (-5, 2, "no"), (5, 7, "open"), (-5, 7, "open"), (5, math.inf, "open")],
)
def test_a_judgement_is_where_the_interval_lies(mean: float, margin: float, said: str) -> None:
    assert judge(Estimate.with_margin(mean, margin), "yes", "no", "open") == said


def test_what_is_judged_is_a_sign() -> None:
    with pytest.raises(KeyError):
        judge(2, "yes", "no", "open")


def test_a_tally_names_who_stands_where() -> None:
    won, lost, open_ = (Estimate.with_margin(mean, 1.0) for mean in (5, -5, 0))
    named = {"fish": won, "shark": lost, "killer": open_, "honest": won}
    told = '{{ told(tally(v), "beats", "loses to", "is level with") }}'
    assert said(told, named) == "beats fish and honest; loses to shark; is level with killer"
    many: tuple[list[Estimate], ...] = ([won, won], [lost], [won, lost], [won, open_], [])
    assert [said("{{ tally(v).all }}", each) for each in many] == ["1", "-1", "0", "0", "0"]


def test_bets_are_coloured_by_their_size() -> None:
    for palette in get_args(Palette):
        shares = (0.1, 0.4, 0.41, 1.2, 1.21)
        least, *bets = (action_colour("bet", share, palette) for share in shares)
        assert least == bets[0]
        assert action_colour("check", palette=palette) == action_colour("call", palette=palette)
        all_in = action_colour("bet", math.inf, palette)
        others = [action_colour(kind, 0.0, palette) for kind in ("fold", "call", "discard")]
        assert len({*bets, all_in, *others}) == 8
