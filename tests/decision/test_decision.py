"""One decision: sums by class, over all hands and over parts of a range; how it is shown."""

import json
from dataclasses import replace

import numpy as np
import pytest

from riverboat.cards import (
    CATEGORIES,
    CLASS_COMBOS,
    HOLES,
    Range,
    as_cards,
    evaluate,
    hole_cards,
    parse_class,
    parse_hole,
)
from riverboat.cards import category as category_of
from riverboat.decision import Decision, of_ranges
from riverboat.errors import CardError, RangeError, RiverboatError

BOARD = "Qh7c2d"


def random_decision(board: str = "", seed: int = 3) -> Decision:
    """Three actions with random shares, reach and values."""
    rng = np.random.default_rng(seed)
    empty = of_ranges({"b10": "AA", "c": "KK"}, board=board, pot=15, to_call=5)
    dead = ~empty.alive
    strategy, values = rng.dirichlet((1, 1, 1), 1326), rng.normal(0, 9, (2, 1326))
    strategy[dead], values[:, dead] = np.nan, np.nan
    reach = rng.random((2, 1326)) * empty.alive
    return replace(empty, strategy=strategy, values=values, reach=reach)


def test_a_class_has_6_4_or_12_hands_before_the_flop() -> None:
    """Combinatorics: 13 x 6 + 78 x 4 + 78 x 12 = 1,326; each hand counts by its reach."""
    decision = random_decision()
    by_class, reach = decision.by_class(), decision.class_reach()
    for name, count in (("TT", 6), ("T9s", 4), ("T9o", 12)):
        ranks = {"TT": (8, 8), "T9s": (8, 7), "T9o": (8, 7)}[name]
        own = [
            hole
            for hole, (a, b) in enumerate(HOLES.tolist())
            if sorted((a // 4, b // 4), reverse=True) == sorted(ranks, reverse=True)
            and (name[-1] == "T" or (a % 4 == b % 4) == (name[-1] == "s"))
        ]
        index = parse_class(name)
        assert len(own) == count == CLASS_COMBOS[index]
        weights = decision.reach[0][own]
        wanted = sum(w * decision.strategy[h] for w, h in zip(weights, own, strict=True))
        np.testing.assert_allclose(by_class[index], wanted / weights.sum(), atol=1e-7)
        assert reach[index] == pytest.approx(weights.sum() / count)
        row = decision.hand(name)
        np.testing.assert_allclose(row.strategy, by_class[index])
        assert row.value == pytest.approx(decision.class_mean(decision.values[0])[index])


@pytest.mark.parametrize(
    ("name", "left"), [("QQ", 3), ("AQs", 3), ("AQo", 9), ("77", 3), ("Q7s", 2), ("Q7o", 7)]
)
def test_suits_on_the_board_do_not_count(name: str, left: int) -> None:
    """With Qh 7c 2d out, QQ has C(3, 2) = 3 hands, Q7o 12 - 3 - 3 + 1 = 7, and so on."""
    decision = random_decision(BOARD)
    ones = replace(decision, reach=np.ones((2, 1326)) * decision.alive)
    dead = set(as_cards(BOARD))
    own = [
        hole
        for hole in Range.parse(name).weights.nonzero()[0].tolist()
        if not dead & set(hole_cards(hole))
    ]
    assert len(own) == left
    index = parse_class(name)
    np.testing.assert_allclose(ones.by_class()[index], decision.strategy[own].mean(axis=0))
    np.testing.assert_allclose(ones.hand(name).strategy, decision.strategy[own].mean(axis=0))
    assert ones.class_reach()[index] == 1


def test_a_class_that_the_board_takes_away_is_not_there() -> None:
    decision = random_decision("AhAdAc")
    aces = parse_class("AA")
    assert np.isnan(decision.by_class()[aces]).all()
    assert np.isnan(decision.class_reach()[aces])
    assert not decision.cells()[aces].alive
    assert decision.as_dict()["classes"][aces]["strategy"] is None
    with pytest.raises(CardError, match="AA is not in the range of seat 0 here"):
        decision.hand("AA")


def test_untrained_hands_do_not_count_but_are_alive() -> None:
    decision = random_decision()
    strategy = decision.strategy.copy()
    strategy[parse_hole("AhAd")] = np.nan
    some = replace(decision, strategy=strategy)
    others = [parse_hole(text) for text in ("AhAs", "AhAc", "AdAs", "AdAc", "AsAc")]
    weights = decision.reach[0][others]
    wanted = weights @ strategy[others] / weights.sum()
    np.testing.assert_allclose(some.by_class()[parse_class("AA")], wanted, atol=1e-7)
    assert some.class_reach()[parse_class("AA")] == decision.class_reach()[parse_class("AA")]
    assert not some.hand("AhAd").trained
    assert some.share_visited() == pytest.approx(1, abs=0.002)
    assert some.share_visited() < 1


def test_overall_frequencies_count_pairs_of_hands() -> None:
    """By the definition: every deal of two hands that share no card."""
    decision = random_decision(BOARD)
    holes = np.random.default_rng(1).choice(np.flatnonzero(decision.alive), 40, replace=False)
    mask = np.zeros(1326)
    mask[holes] = 1
    few = replace(decision, reach=decision.reach * mask)
    total, sums, won = 0.0, np.zeros(3), 0.0
    for own in holes:
        for other in holes:
            if not set(HOLES[own].tolist()) & set(HOLES[other].tolist()):
                weight = few.reach[0, own] * few.reach[1, other]
                total += weight
                sums += weight * few.strategy[own]
                won += weight * few.values[1, other]
    np.testing.assert_allclose(few.frequencies(), sums / total)
    assert few.weight == pytest.approx(total)
    assert few.value(1) == pytest.approx(won / total)


def test_parts_of_a_range() -> None:
    decision = random_decision(BOARD)
    part = decision.only("QQ, AhKh:0.5")
    assert sorted(np.flatnonzero(part.alive)) == sorted(
        parse_hole(text) for text in ("QsQc", "QsQd", "QcQd", "AhKh")
    )
    assert part.hand("AhKh").reach == pytest.approx(0.5 * decision.hand("AhKh").reach)
    assert part.reach[1].tolist() == decision.reach[1].tolist()
    assert [cell.name for cell in part.cells() if cell.alive] == ["AKs", "QQ"]
    with pytest.raises(CardError, match="before the flop"):
        random_decision().only("pair")


@pytest.mark.parametrize("name", ["high card", "pair", "two pair", "three of a kind"])
def test_hands_by_category(name: str) -> None:
    decision = random_decision(BOARD)
    part = decision.only(name)
    board = as_cards(BOARD)
    for hole in (parse_hole(text) for text in ("AhKh", "QsJs", "Qs7s", "QsQd", "7h7d", "9h8h")):
        wanted = category_of(evaluate([*hole_cards(hole), *board])) == name
        assert part.alive[hole] == wanted
    counted = sum(decision.only(each).alive.sum() for each in CATEGORIES)
    assert counted == decision.alive.sum() == 49 * 48 // 2


def test_ranges_that_somebody_types() -> None:
    plan = of_ranges({"b60": "QQ+, AKs:0.5", "c": "JJ"}, line="b20", pot=30, to_call=20)
    assert plan.actions == ("b60", "c", "f")
    assert plan.hand("AKs").strategy.tolist() == [0.5, 0, 0.5]
    # (3 x 6 + 4 / 2) and 6 of 1,326 hands
    np.testing.assert_allclose(plan.frequencies()[:2], [20 / 1326, 6 / 1326])
    assert plan.where == "After b20: seat 0 decides, pot 30, 20 to call"
    assert plan.keys[0].share == pytest.approx(0.8)  # 40 more into 50
    with pytest.raises(RangeError, match=r"the weights of AdAc add up to 2.00, more than 1"):
        of_ranges({"b60": "AA", "c": "QQ+"})


def test_plain_values_are_json() -> None:
    decision = random_decision(BOARD)
    told = json.loads(json.dumps(decision.as_dict()))
    assert [each["action"] for each in told["actions"]] == list(decision.actions)
    assert told["values"] == pytest.approx([decision.value(0), decision.value(1)])
    assert len(told["classes"]) == 169
    assert sum(told["classes"][0]["strategy"]) == pytest.approx(1)
    assert {"visits", "equity", "ev_error"}.isdisjoint(told["classes"][0])
    row = json.loads(json.dumps(decision.row_dict(decision.hand("AKs"))))
    assert set(row) == {"hand", "reach", "strategy"}


def test_means_of_classes_leave_out_what_is_not_known() -> None:
    of = np.full(1326, np.nan)
    of[parse_hole("AhAd")] = 7.0
    means = random_decision().class_mean(of)
    assert means[parse_class("AA")] == pytest.approx(7)
    assert np.isnan(np.delete(means, parse_class("AA"))).all()


def test_pictures_have_three_formats(tmp_path: object) -> None:
    with pytest.raises(RiverboatError, match=r"must end in .png, .svg, .pdf, not 'a.gif'"):
        of_ranges({"c": "AA"}).draw(tmp_path / "a.gif")  # type: ignore[operator]  # a path


def test_html_escapes_and_draws_every_class() -> None:
    decision = replace(random_decision(BOARD), game="<game>")
    page = decision._repr_html_()
    assert page.count("<td") == 169
    assert "&lt;game&gt;" in page
    assert "<game>" not in page
