"""The line of play as text, both ways, and the sentences for what is wrong."""

from __future__ import annotations

import pickle
import random
from typing import TYPE_CHECKING

import pytest

from game.random_games import random_catalogue_spec, random_move, random_spec
from riverboat.errors import GameError, IllegalActionError, RiverboatError
from riverboat.game import Action, Hand, actions_of, catalogue, line_prefixes, parse_line

if TYPE_CHECKING:
    from riverboat.game import GameSpec


def test_a_line_reads_back_as_it_was_written() -> None:
    for seed in range(400):
        rng = random.Random(seed)
        spec: GameSpec = (random_spec if seed % 2 else random_catalogue_spec)(rng)
        hand = Hand(spec, seed=seed)
        while not hand.finished:
            hand.do(random_move(hand, rng))
        again = Hand(spec, seed=seed)
        again.play(hand.full_line)
        assert again.full_line == hand.full_line
        assert again.payoffs() == hand.payoffs()


def test_a_line_is_parsed_into_the_actions_of_each_street() -> None:
    for seed in range(100):
        rng = random.Random(seed)
        hand = Hand((random_spec if seed % 2 else random_catalogue_spec)(rng), seed=seed)
        while not hand.finished:
            hand.do(random_move(hand, rng))
        line, events = hand.full_line, hand.events
        streets = parse_line(line)
        assert streets == tuple(
            tuple(event.action for event in events if event.street == street)
            for street in range(line.count("/") + 1)
        )
        texts = [str(action) for street in streets for action in street]
        assert actions_of(line) == texts
        assert [action for action, _ in line_prefixes(line)] == texts
        again = Hand(hand.spec, cards=hand.deal, stacks=hand.starting_stacks)
        for action, so_far in line_prefixes(line):
            again.do(action)
            assert so_far == again.full_line


@pytest.mark.parametrize("line", ["b25x", "r20", "b", "b25 c", "C", "b25c/?"])
def test_parsing_skips_nothing(line: str) -> None:
    with pytest.raises(IllegalActionError, match="is not an action"):
        parse_line(line)


def test_a_line_can_be_continued() -> None:
    hand = Hand(catalogue("nolimit"), seed=1)
    hand.play("b25")
    hand.play("c")
    hand.play("k")
    hand.play("b30c")
    hand.play("/kk/")
    assert hand.line == "b25c/kb30c/kk"
    assert hand.street == 3


def test_closed_streets_may_be_written_as_slumbot_does() -> None:
    for text in ("b1000c", "b1000c/", "b1000c///"):
        hand = Hand(catalogue("nolimit"), seed=1)
        hand.play(text)
        assert hand.line == "b1000c"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("b15", "'b15' is not allowed: a raise must be to at least 20 and at most 1000"),
        ("b1001", "'b1001' is not allowed: a raise must be to at least 20 and at most 1000"),
        ("k", "'k' is not allowed: there are 5 to call; call with c or fold with f"),
        ("ck/f", "'f' is not allowed: there is nothing to call; check with k"),
        ("ck/c", "'c' is not allowed: there is nothing to call; check with k"),
        ("ck/b5", "'b5' is not allowed: a bet must be to at least 10 and at most 990"),
        ("b1000b2000", "'b2000' is not allowed: seat 1 has only 990 chips and can call or fold"),
        ("ff", "'f' is not allowed: the hand is finished"),
        ("cs", "'s' is not allowed: seat 1 must bet, not discard"),
        ("ckk", "'/' is missing: the street is over"),
        ("c/", "'/' is not allowed: the street is not over"),
        ("b1000c////", "'/' is not allowed: the street is not over"),
        ("f/", "'/' is not allowed: the street is not over"),
        ("b", "'b' is not an action"),
        ("r20", "'r20' is not an action"),
        ("b99999999999999", "'b99999999999...' is not an action"),
        ("x", "'x' is not an action: write k .check., c .call., f .fold."),
        (" ", "' ' is not an action"),
        ("b20.", "is not an action"),
        ("C", "'C' is not an action"),
        ("♥", "is not an action"),
    ],
)
def test_a_wrong_line_is_refused_whole(line: str, sentence: str) -> None:
    hand = Hand(catalogue("nolimit"), seed=1)
    with pytest.raises(IllegalActionError, match=sentence) as error:
        hand.play(line)
    assert "at place" in str(error.value)
    assert hand.line == ""
    assert hand.num_actions == 0


def test_limit_and_caps_in_sentences() -> None:
    hand = Hand(catalogue("limit"), seed=1)
    with pytest.raises(IllegalActionError, match="'b25' is not allowed: a raise must be to 20 "):
        hand.play("b25")
    with pytest.raises(IllegalActionError, match=r"the street.s limit of 3 raises is reached"):
        hand.play("rrrr")
    hand = Hand(catalogue("cardiff"), seed=1)
    with pytest.raises(
        IllegalActionError, match="seat 0 has reached its limit of 3 raises on this street"
    ):
        hand.play("rrrrrrr")


@pytest.mark.parametrize("text", ["f", "k", "c", "s", "d", "dAh", "b25"])
def test_actions_are_values(text: str) -> None:
    action = Action(text)
    assert str(action) == text
    assert repr(action) == f"Action('{text}')"
    assert action == Action(text)
    assert action != text
    assert len({action, Action(text)}) == 1
    assert pickle.loads(pickle.dumps(action)) == action


def test_action_fields() -> None:
    assert (Action("b25").kind, Action("b25").amount, Action("b25").card) == ("bet", 25, -1)
    assert (Action("dAh").kind, Action("dAh").amount, Action("dAh").card) == ("discard", 0, 50)
    kinds = [Action(text).kind for text in "fkcs"]
    assert kinds == ["fold", "check", "call", "stand"]


@pytest.mark.parametrize("bad", ["", "b25c", 25, None, "\ud800", b"c", ["c"]])
def test_what_is_no_action(bad: object) -> None:
    hand = Hand(catalogue("nolimit"), seed=1)
    with pytest.raises(RiverboatError):
        Action(bad)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(RiverboatError):
        hand.do(bad)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize("bad", [25, None, "\ud800", b"c", ["c"]])
def test_what_is_no_line(bad: object) -> None:
    with pytest.raises(RiverboatError):
        Hand(catalogue("nolimit"), seed=1).play(bad)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize("bad", [25.0, "25", None, 10**30, -(10**30), 2**64])
def test_what_is_no_amount(bad: object) -> None:
    hand = Hand(catalogue("nolimit"), seed=1)
    with pytest.raises(IllegalActionError):
        hand.bet_to(bad)  # type: ignore[arg-type]  # wrong on purpose


def test_methods_and_texts_do_the_same() -> None:
    by_method = Hand(catalogue("nolimit"), seed=1)
    by_method.bet_to(25)
    by_method.call()
    by_method.check()
    by_method.bet_to(30)
    by_method.fold()
    by_text = Hand(catalogue("nolimit"), seed=1)
    for action in ("b25", Action("c"), "k", "b30", "f"):
        by_text.do(action)
    assert by_method.line == by_text.line == "b25c/kb30f"


def test_nothing_to_undo() -> None:
    with pytest.raises(IllegalActionError, match="the hand has just begun"):
        Hand(catalogue("nolimit"), seed=1).undo()


def test_payoffs_come_at_the_end() -> None:
    hand = Hand(catalogue("nolimit"), seed=1)
    with pytest.raises(GameError, match="the hand is not finished: seat 0 is to act"):
        hand.payoffs()


@pytest.mark.parametrize("half", ["\ud800", "é\ud800"])
def test_a_sentence_quotes_no_long_text_whole(half: str) -> None:
    with pytest.raises(IllegalActionError) as raised:
        Hand(catalogue("nolimit-100bb"), seed=1).play(half * 5_000)
    assert len(str(raised.value).encode("utf-8", "backslashreplace")) < 500
