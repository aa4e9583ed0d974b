"""Spots: what they mean, their text and files, and where they come from."""

from __future__ import annotations

import pickle
import re
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from riverboat.blueprint import Blueprint, decision_at
from riverboat.cards import Range, parse_hole
from riverboat.errors import MenuError, RiverboatError, SpotError
from riverboat.game import Hand, Rake, catalogue
from riverboat.histories import from_text, record_of, to_text
from riverboat.spots import Spot
from riverboat.tree import SHOWDOWN, PublicState

TRAINED = Path(__file__).parents[1] / "compatibility/files_02/training/holdem.blueprint"
# As the example of postflop-solver is written for it.
BASIC = """\
# postflop-solver's own "basic" example: a turn
board = Td9d6hQc
pot = 200
stack = 900
oop = 66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s
ip = QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+
turn_bet = 60%, e, a
turn_raise = 2.5x
river_bet = 60%, e, a
river_raise = 2.5x
river_donk = 50%
add_allin = 1.5
force_allin = 0.15
merging = 0.1
"""
RIVER: dict[str, Any] = {
    "board": "2s3h4d6c7c",
    "pot": 20,
    "stack": 10,
    "oop": "AsAh, QsQh",
    "ip": "KsKh",
    "menu": "a",
}


def spot(**changes: Any) -> Spot:
    return Spot(**{**RIVER, **changes})


def test_the_game_of_a_spot() -> None:
    flop = spot(board="Js 7h 2d", pot=55, stack=(975, 1200))
    assert (flop.board, flop.street, flop.stacks) == ("Js7h2d", "flop", (975, 1200))
    spec = flop.spec
    assert (spec.stacks, spec.antes, spec.board_sizes) == ((1003, 1002), (28, 27), (3, 4, 5))
    assert [spec.first_seat(street) for street in range(3)] == [0, 0, 0]
    hand = Hand(spec)
    assert (hand.pot, hand.actor, hand.stacks) == (55, 0, (975, 975))
    tree = flop.tree()
    assert tree.chance
    assert tree.settle(tree.node("kk/kk/kk"), [1, 1]).tolist() == [
        -0.5,
        0.5,
    ]  # 27.5 of the pot each
    assert tree.actions(0) == ("k", "b975")


def test_rules_of_other_spots() -> None:
    short = spot(board="Ks7h9d", oop="KK, 55", ip="QQ", deck="short")
    assert (len(short.spec.deck), short.spec.showdown) == (36, "short-deck")
    assert short.ranges[0] == Range.parse("KK").without("Ks")
    limit = spot(board="Js7h9d", stack=400, betting="fixed-limit", big_blind=10, menu="")
    assert [street.bet_size for street in limit.spec.streets] == [10, 20, 20]
    assert limit.tree().actions(0) == ("k", "b10")
    sizes = limit.changed({"bet_sizes": (4, 8)})
    assert [street.bet_size for street in sizes.spec.streets] == [4, 8, 8]
    turn = limit.changed({"board": "Js7h9d2c"})
    assert [street.bet_size for street in turn.spec.streets] == [20, 20]
    pot = spot(stack=400, betting="pot-limit", menu="100%, a").tree()
    assert pot.actions(0) == ("k", "b20")
    blinds = spot(stack=400, menu="min, 3bb", big_blind=7).tree()
    assert blinds.actions(0) == ("k", "b7", "b21")
    assert spot(stack=400, menu="min").tree().actions(0) == ("k", "b1")


def test_rake() -> None:
    # postflop-solver's test: 5 % with a cap of 10, from a pot of 60 goes 3.
    raked = spot(board="AcAdKh", pot=60, rake_percent=5, rake_cap=10, oop="AA", ip="QQ").tree()
    end = raked.node("kk/kk/kk")
    assert raked.kind[end] == SHOWDOWN
    assert (raked.settle(end, [2, 1]) + 30).tolist() == [57, 0]
    assert (raked.settle(end, [1, 1]) + 30).tolist() == [28.5, 28.5]


def test_ranges_as_text_or_weights() -> None:
    weights = Range.parse("AsAh:0.25, QsQh").weights
    assert spot(oop=weights.tolist()) == spot(oop="QsQh, AsAh:0.25")
    held = spot(oop="AA, 7c7d, 22:0.5").ranges[0]
    assert held.weights[parse_hole("7c7d")] == 0
    assert held.weights[parse_hole("2c2d")] == 0.5
    assert held.weights[parse_hole("2s2d")] == 0
    assert pickle.loads(pickle.dumps(spot())) == spot()


def test_edited_by_hand() -> None:
    edited = spot(stack=100, added=("b7",), removed=("kb100",)).tree()
    assert edited.actions(0) == ("k", "b7", "b100")
    assert edited.actions(edited.node("k")) == ("k",)
    with pytest.raises(MenuError, match="'b8' cannot be removed"):
        spot(stack=100, removed=("b8",)).tree()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"board": "Ks7h"}, "3, 4 or 5 different cards"),
        ({"board": "Ks7h7h"}, "7h"),
        ({"board": "Ks7h2x"}, "2x"),
        ({"board": "Ks7h2d", "deck": "short"}, "has no cards below the six"),
        ({"pot": 0}, "pot=0 is not allowed"),
        ({"pot": 2.5}, "pot=2.5 is not allowed"),
        ({"stack": (10, 0)}, "stack=(10, 0) is not allowed"),
        ({"stack": (10, 10, 10)}, "one number or two, not 3"),
        ({"oop": "AZs"}, "AZs"),
        ({"oop": "7c7d"}, "no hand that is possible on 2s3h4d6c7c"),
        ({"oop": "KsKh"}, "no two hands that can be dealt together"),
        ({"oop": [0.5] * 1325}, "(1326,)"),
        ({"oop": "AA," * 40_000}, "at most 100,000 characters"),
        ({"menu": "50"}, "a number needs a unit"),
        ({"betting": "limit"}, "no-limit, pot-limit or fixed-limit"),
        ({"betting": "fixed-limit"}, "bet_sizes or big_blind"),
        ({"rake_percent": 101}, "from 0 to 100"),
        ({"added": "b7"}, "added='b7' is not allowed"),
    ],
)
def test_what_is_no_spot(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SpotError, match=re.escape(sentence)):
        spot(**changes)


def test_text_by_street_is_the_menu() -> None:
    basic = Spot.parse(BASIC)
    assert basic.menu == (
        "60%, e, a | 2.5x / 60%, e, a | 2.5x ; donk 50% ; add 150% ; near 10% ; force 15% called"
    )
    assert [int(each.support) for each in basic.ranges] == [167, 250]  # as postflop-solver counts
    river = BASIC.replace("Td9d6hQc", "Td9d6hQc2s")
    assert Spot.parse(river).menu == (
        "60%, e, a | 2.5x ; donk 50% ; add 150% ; near 10% ; force 15% called"
    )
    sides = "river_bet_ip = 33%\nriver_raise =\nrake = 0.045\nrake_cap = 3\n"
    head = "board = 2s3h4d6c7c\npot = 20\nstack = 10, 12\noop = AA\nip = KK\n"
    found = Spot.parse(head + sides)
    assert (found.menu, found.rake_percent, found.rake_cap) == ("none ; ip 33% | none", 4.5, 3)
    assert found.stacks == (10, 12)
    edits = Spot.parse(head + "menu = 'a'\nadded = b3, kb4\nremoved = b10\n")
    assert (edits.added, edits.removed) == (("b3", "kb4"), ("b10",))


def test_files(tmp_path: Path) -> None:
    (tmp_path / "basic.spot").write_text(BASIC, encoding="utf-8")
    basic = Spot.read(tmp_path / "basic.spot")
    many = spot(stack=[50, 40], added=["b7", "kb9"], rake_percent=2.5, oop=[1 / 3] * 1326)
    for each in (basic, many):
        each.write(tmp_path / "spot.toml")
        assert Spot.read(tmp_path / "spot.toml") == each
        assert Spot.parse((tmp_path / "spot.toml").read_text(encoding="utf-8")) == each
    with pytest.raises(SpotError, match="cannot be read"):
        Spot.read(tmp_path / "none.spot")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "lacks the setting 'board'"),
        ("board", "line 1 of the spot is not key = value"),
        ("pot = 3\npot = 4", "line 2 of the spot repeats the key 'pot'"),
        (BASIC + "turn_bets = 50%", "no setting 'turn_bets' (did you mean 'turn_bet'?)"),
        (BASIC + "menu = a", "menu and sizes by street"),
        (BASIC + "rake = 5%", "is not a fraction"),
        ("board = 5\nturn_bet = 3\noop='AA'\nip='KK'\npot=1\nstack=1", "board=5 is not allowed"),
        (BASIC + "rake = nan", "is not a fraction"),
        (BASIC.replace("pot = 200", "pot = many"), "pot='many' is not allowed"),
        (BASIC.replace("merging = 0.1", "merging = -1"), "merging=-1.0 is not a fraction"),
        (BASIC.replace("2.5x", "2.5y"), "2.5y"),
        ("a = " + "[" * 100_000, "no setting 'a'"),
        ("# " + "x" * 300_000, "at most 300,000"),
    ],
)
def test_what_is_no_text(text: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(SpotError, match=re.escape(sentence)):
        Spot.parse(text)
    (tmp_path / "wrong.toml").write_text(text, encoding="utf-8")
    with pytest.raises(SpotError):
        Spot.read(tmp_path / "wrong.toml")


def test_spoiled_texts_get_sentences() -> None:
    rng = Random(16)
    pieces = ["\n", "=", "#", '"', "[", "%", "e", "\x00", "\ud800", "9" * 50, "1e400", "nan", ","]
    for _ in range(200):
        text = BASIC
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(text))
            text = text[:at] + rng.choice(pieces) + text[at + rng.randrange(9) :]
        with suppress(RiverboatError):
            Spot.parse(text).tree(5000)


# ---- From hands, histories, blueprints


def test_from_a_hand() -> None:
    hand = Hand(catalogue("nolimit-100bb"), board="Ks7h2d3c8d")
    hand.play("b25c/kb33b90c/kb100")
    turn = Spot.from_hand(hand, ("QQ-22", "AK"), "50%, a")
    assert (turn.street, turn.board, turn.pot, turn.stacks) == ("turn", "Ks7h2d3c", 230, (885, 885))
    assert (turn.big_blind, turn.added) == (10, ("kb100",))
    tree = turn.tree()
    assert tree.actions(tree.node("k")) == ("k", "b100", "b115", "b885")
    flop = Spot.from_hand(hand, ("QQ-22", "AK"), "50%, a", street="flop")
    assert (flop.pot, flop.stacks, flop.added) == (50, (975, 975), ("kb33b90c/kb100",))
    assert flop.tree().node("kb33b90c/kb100")


def test_seats_of_many_players_and_unequal_stacks() -> None:
    # Six seats: the big blind (seat 1) calls the button's (seat 5) raise, and is first after it.
    spec = catalogue("nolimit-100bb", players=6).replace(rake=Rake(5, 30))
    hand = Hand(spec, stacks=(1000, 400, 1000, 1000, 1000, 800), board="Ks7h2d")
    hand.play("fffb25fc/kb775")
    found = Spot.from_hand(hand, ("QQ", "AK"), "a")
    assert (found.pot, found.stacks, found.rake_percent, found.rake_cap) == (55, (375, 775), 5, 30)
    assert found.added == ("kb375",)  # more cannot be called
    assert PublicState.of(hand).seats == (1, 5)
    assert found.tree().node("kb375c")


def test_limit_hands_keep_sizes_and_caps() -> None:
    hand = Hand(catalogue("limit"), board="Ks7h2d")
    hand.play("ck")
    found = Spot.from_hand(hand, ("QQ", "AK"), "min")
    assert (found.betting, found.bet_sizes, found.menu) == (
        "fixed-limit",
        (10, 20, 20),
        "min ; cap 4",
    )
    tree = found.tree()
    assert tree.actions(tree.node("b10b20b30b40")) == ("f", "c")


@pytest.mark.parametrize(
    ("game", "line", "street", "sentence"),
    [
        ("nolimit-100bb", "b25", None, "this hand is preflop"),
        ("nolimit-100bb", "b25c", "preflop", "not on 'preflop'"),
        ("nolimit-100bb", "b25c", "turn", "turn of this hand is not a spot: nobody can bet"),
        ("nolimit-100bb", "b1000c", "flop", "nobody can bet"),
        ("leduc", "kk", None, "spots exist in hold'em"),
        ("discard-2017", "ck", None, "spots exist in hold'em"),
    ],
)
def test_hands_that_are_no_spot(game: str, line: str, street: Any, sentence: str) -> None:
    hand = Hand.from_line(catalogue(game), line, seed=3)
    with pytest.raises(SpotError, match=sentence):
        Spot.from_hand(hand, ("QQ", "AK"), "a", street)


def test_three_players_are_no_spot() -> None:
    hand = Hand.from_line(catalogue("nolimit-100bb", players=3), "cck", seed=1)
    with pytest.raises(SpotError, match="3 players are left"):
        Spot.from_hand(hand, ("QQ", "AK"), "a")


def test_from_a_history() -> None:
    hand = Hand(catalogue("nolimit-100bb"), seed=4)
    hand.play("b25c/kb30c/kk/b60f")
    told = from_text(to_text(record_of(hand, names=["Ada", "Bob"]), "phh"), "phh").hand()
    river = Spot.from_hand(told, ("22+, A2+", "22+, K2+"), "50%")
    assert (river.street, river.pot, river.stacks, river.added) == (
        "river",
        110,
        (945,) * 2,
        ("b60f",),
    )


@pytest.fixture(scope="module")
def blueprint() -> Blueprint:
    return Blueprint.open(TRAINED)


def test_from_a_blueprint(blueprint: Blueprint) -> None:
    """After limp and check: the ranges are the rows of these two decisions."""
    found = Spot.from_blueprint(blueprint, "ck", "Ks7h2d")
    assert (found.pot, found.stacks, found.menu) == (20, (190, 190), "100% ; cap 1")
    tree = blueprint.tree
    for line, action, held in (("c", 0, found.ranges[0]), ("", 1, found.ranges[1])):
        rows = decision_at(blueprint, tree.node(line), "", lambda: None).strategy
        untrained = np.full(1326, 1 / rows.shape[1])
        row = np.where(np.isnan(rows[:, action]), untrained, rows[:, action])
        expected = Range.from_weights(row).without("Ks7h2d").weights
        np.testing.assert_allclose(held.weights, expected / expected.max())
    played = Spot.from_blueprint(blueprint, "ck/kb20", "Ks7h2d", menu="50%")
    assert (played.ranges, played.added, played.menu) == (found.ranges, ("kb20",), "50%")


def test_blueprints_that_have_no_such_spot(blueprint: Blueprint) -> None:
    with pytest.raises(MenuError, match="b25 is not on the menu"):
        Spot.from_blueprint(blueprint, "b25c", "Ks7h2d")
    with pytest.raises(SpotError, match="board of the flop is not known"):
        Spot.from_blueprint(blueprint, "ck", "Ks7h")
