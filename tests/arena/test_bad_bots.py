"""Bots that fail in every way: they check or fold, it is counted, and the match goes on."""

from __future__ import annotations

import math
from pathlib import Path
from textwrap import dedent, indent
from typing import Any, ClassVar

import msgspec
import pytest

from arena.table_bots import Clumsy, Fish
from riverboat.arena import (
    Chair,
    Ledger,
    Match,
    MatchResult,
    MatchSettings,
    play_hand,
    play_match,
    play_matches,
)
from riverboat.blueprint import default_blueprint
from riverboat.bots import prints_file
from riverboat.bots._prints import MOST_PRINTED
from riverboat.errors import ArenaError, DamagedFileError
from riverboat.game import Hand, View, catalogue
from sanitized import not_sanitized


def bot_file(folder: Path, body: str, name: str = "Mine") -> str:
    """Write a bot whose `act` is `body`."""
    path = folder / f"{name.lower()}.py"
    head = f"import os, sys, time\n\n\nclass {name}:\n    hoard = []\n\n    def act(self, view):\n"
    path.write_text(head + indent(dedent(body).strip(), " " * 8) + "\n")
    return str(path)


def play(bot: str, hands: int = 8, **settings: Any) -> MatchResult:
    """Play one session, whatever the bot does: seats change from hand to hand."""
    given = {"keep_going": True, "duplicate": False, **settings}
    return play_match([bot, Fish], hands=hands, seed=1, **given)


def test_a_good_bot_of_a_file_plays_as_one_of_ours(tmp_path: Path) -> None:
    text = 'print("I call")\nreturn "c" if view.to_call else "k"'
    result = play(bot_file(tmp_path, text), 100)
    own = play_match(
        [Fish, Fish], hands=100, seed=1, duplicate=False, deal_seed=result.settings.deal_seed
    )
    assert result.errors(0) == {}
    assert result.unit_chips.tolist() == own.unit_chips.tolist()
    assert result.times(0).decisions == own.times(0).decisions == 400


def test_a_bot_that_raises_an_error(tmp_path: Path) -> None:
    result = play(bot_file(tmp_path, 'raise KeyError("lost")'))
    # It gives up its small blind at once, and checks the big blind and four streets.
    assert result.errors(0) == {"raised": 4 + 4 * 4}
    assert result.said(0) == {"raised": "key error: 'lost'"}
    assert result.hands == 8


@pytest.mark.parametrize("answer", ['"nonsense"', "None", '"f"'])
def test_a_bot_that_answers_what_is_not_allowed(tmp_path: Path, answer: str) -> None:
    result = play(bot_file(tmp_path, f"return {answer}"))
    expected = {"illegal": 16 if answer == '"f"' else 20}  # a fold is fine in the small blind
    assert result.errors(0) == expected
    assert result.hands == 8


def test_a_bot_that_sleeps_is_killed_and_left_out(tmp_path: Path) -> None:
    result = play(bot_file(tmp_path, "time.sleep(600)"), time_limit=0.2)
    errors = result.errors(0)
    assert errors == {"timeout": 3, "absent": 17}  # after three it is left out
    assert result.times(0).longest < 30
    assert "0.2 s" in result.said(0)["timeout"]


def test_a_bot_whose_process_ends(tmp_path: Path) -> None:
    result = play(bot_file(tmp_path, "os._exit(3)"))
    assert result.errors(0) == {"exited": 3, "absent": 17}
    assert "exit code 3" in result.said(0)["exited"]


def test_a_bot_that_exits_once_is_started_again(tmp_path: Path) -> None:
    flag = tmp_path / "done"
    body = f"""
        if not os.path.exists({str(flag)!r}):
            open({str(flag)!r}, "w").close()
            sys.exit(1)
        return "c" if view.to_call else "k"
        """
    result = play(bot_file(tmp_path, body), sandbox="off")  # it writes a file
    assert result.errors(0) == {"exited": 1}


@not_sanitized("there are no limits of memory")
def test_a_bot_that_eats_memory(tmp_path: Path) -> None:
    result = play(bot_file(tmp_path, "self.hoard.append(bytearray(8 << 30))\nreturn 'c'"))
    assert result.errors(0) == {"memory": 20}


@not_sanitized("there are no limits of memory")
def test_a_bot_that_kills_its_process_by_memory_little_by_little(tmp_path: Path) -> None:
    body = "while True:\n    self.hoard.append(bytearray(1 << 24))"
    result = play(bot_file(tmp_path, body), hands=2, memory_limit=1 << 30)
    errors = result.errors(0)
    assert set(errors) <= {"memory", "exited", "absent"}
    assert sum(errors.values()) == 5


def test_a_tournament_hook_that_fails_is_counted(tmp_path: Path) -> None:
    path = Path(bot_file(tmp_path, "return 'c' if view.to_call else 'k'"))
    path.write_text(path.read_text() + "\n    def hand_over(self, view):\n        1 / 0\n")
    result = play(str(path))
    assert result.errors(0) == {"hook": 8}
    assert result.said(0)["hook"].startswith("zero division error")


def test_bots_in_this_process_fail_as_softly() -> None:
    result = play_match([Clumsy, Fish], hands=8, seed=1, keep_going=True)
    # Illegal on three streets as big blind and folded as small blind; an error on the flop.
    assert result.errors(0) == {"illegal": 4 + 4 * 3, "raised": 4}
    assert result.mbb_per_hand(0).units == 4


class Clocked(Fish):
    """Remembers how much time it had."""

    seen: ClassVar[set[float | None]] = set()

    def act(self, view: View) -> str:
        """Choose."""
        self.seen.add(view.seconds_left)
        return super().act(view)

    def hand_over(self, view: View) -> None:
        """Hear how it ended: there is nothing to decide."""
        assert view.seconds_left is None


def test_bots_know_the_time_they_have(tmp_path: Path) -> None:
    assert play_match([Clocked, Fish], hands=4, time_limit=7.5).errors(0) == {}
    assert Clocked.seen == {7.5}
    play_hand(hand := Hand(catalogue("leduc"), seed=1), [Chair(Clocked(), math.inf)] * 2)
    assert Clocked.seen == {7.5, None}
    assert hand.view(0).seconds_left is None
    outside = bot_file(
        tmp_path, "assert view.seconds_left == 7.5\nreturn 'c' if view.to_call else 'k'"
    )
    assert play(outside, time_limit=7.5).errors(0) == {}


def test_a_slow_bot_in_this_process_is_too_late() -> None:
    result = play_match([Fish, Fish], hands=8, seed=1, time_limit=1e-12, keep_going=True)
    # Every small blind is given up, so that a hand has one decision.
    assert result.errors(0) == {"timeout": 4}


class Shy(Fish):
    """Cannot be made."""

    def __init__(self, seed: int) -> None:
        raise OSError(f"not today, {seed}")


def test_a_bot_that_cannot_be_made_in_the_middle_does_not_end_the_match() -> None:
    result = play_match([Shy, Fish], hands=8, seed=1, keep_going=True)
    assert result.errors(0) == {"absent": 20}
    assert "not today" in result.said(0)["absent"]


def test_a_bot_that_breaks_the_line_is_garbled(tmp_path: Path) -> None:
    # It finds the socket and writes something else than an answer.
    result = play(bot_file(tmp_path, 'os.write(int(sys.argv[1]), b"\\0\\0\\0\\1x")\nreturn "k"'), 2)
    assert set(result.errors(0)) <= {"garbled", "illegal", "absent"}
    assert result.errors(0)["garbled"] >= 1
    assert result.hands == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("class A:\n", "cannot be created"),
        ("x = 1\n", "must have exactly one class with act"),
        ("1 / 0\n", "zero division"),
    ],
)
def test_a_file_that_is_no_bot_is_refused_before_the_match(
    tmp_path: Path, text: str, words: str
) -> None:
    path = tmp_path / "broken.py"
    path.write_text(text)
    with pytest.raises(ArenaError, match=words):
        play(str(path))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match="cannot be created"):
        play(str(tmp_path / "nobody.py"))


class Broken(Fish):
    """Knows the first hands of a session only."""

    known = 0

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.decisions = 0

    def act(self, view: View) -> str:
        """Choose."""
        self.decisions += 1
        if self.decisions > self.known:
            raise LookupError("forgotten")
        return super().act(view)


class HalfBroken(Broken):
    """Fails every other decision."""

    def act(self, view: View) -> str:
        """Choose."""
        self.decisions += 1
        if self.decisions % 2 == 0:
            raise LookupError("forgotten")
        return Fish.act(self, view)


@pytest.mark.parametrize("hands", [4, 4_000])
def test_a_bot_that_fails_most_decisions_ends_the_match(hands: int) -> None:
    with pytest.raises(ArenaError, match=r"Broken failed .* lookup error: forgotten") as caught:
        play_match([Broken, Fish], hands=hands, seed=1)
    said = str(caught.value)
    assert ("failed 100 of 100" in said) == (hands == 4_000)  # it is stopped at once
    assert "--keep-going" in said
    assert play_match([Broken, Fish], hands=4, seed=1, keep_going=True).hands == 4


def test_a_bot_that_fails_half_of_its_decisions_plays_on() -> None:
    result = play_match([HalfBroken, Fish], hands=200, seed=1)
    assert result.hands == 200
    assert result.errors(0)["raised"] * 2 <= result.times(0).decisions


def test_failures_add_up_over_sessions() -> None:
    # 50 decisions a session and rotation: no session has the hundred, the match has.
    with pytest.raises(ArenaError, match="Broken failed"):
        play_match([Broken, Fish], hands=400, session=10, seed=1)


def test_hooks_are_no_decisions(tmp_path: Path) -> None:
    path = Path(bot_file(tmp_path, "return 'f' if view.legal.fold else 'k'"))
    path.write_text(path.read_text() + "\n    def hand_started(self, view):\n        1 / 0\n")
    result = play(str(path), hands=120, keep_going=False)
    assert result.errors(0) == {"hook": 120}


def test_a_stopped_match_is_not_finished_and_can_be_played_on(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.sqlite")
    bot = bot_file(tmp_path, "raise KeyError('lost')")
    settings = MatchSettings((bot, "fish"), "leduc", hands=8, seed=1)
    for resume in (False, True):
        with pytest.raises(ArenaError, match="failed"):
            list(play_matches([Match(settings, ledger=ledger, resume=resume)], 1))
    [entry] = ledger.entries()
    assert entry.finished is None
    on = Match(msgspec.structs.replace(settings, keep_going=True), ledger=ledger, resume=True)
    list(play_matches([on], 1))
    assert on.number == entry.id
    assert on.finish().hands == 8


def test_a_damaged_strategy_is_refused_before_the_match(tmp_path: Path) -> None:
    whole = bytearray(default_blueprint().read_bytes())
    whole[len(whole) // 2] ^= 0xFF  # a block that the first decision does not need
    damaged = tmp_path / "hurt.blueprint"
    damaged.write_bytes(whole)
    ledger = Ledger(tmp_path / "ledger.sqlite")
    with pytest.raises(DamagedFileError, match="does not match its checksum"):
        play_match([f"blueprint:{damaged}", "fish"], hands=4, ledger=ledger, keep_going=True)
    assert ledger.entries() == []


def test_what_a_bot_prints_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIVERBOAT_CACHE", str(tmp_path))
    bot = bot_file(tmp_path, "print('I see', view)\nreturn 'c' if view.to_call else 'k'", "Talker")
    assert not prints_file(bot).exists()
    for _ in range(2):  # the second match begins anew
        play(bot, hands=2)
        printed = prints_file(bot).read_text()
        # Under `make coverage` the sandboxed process also says that it cannot write its data.
        assert printed.count("I see ") == 8
        first = printed[printed.index("I see ") :]
        assert first.startswith("I see preflop, seat 0 (small blind, button) with ")


def test_prints_have_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIVERBOAT_CACHE", str(tmp_path))
    bot = bot_file(tmp_path, "print('x' * 500_000)\nreturn 'c' if view.to_call else 'k'", "Loud")
    play(bot, hands=2)
    assert MOST_PRINTED <= prints_file(bot).stat().st_size < 2 * MOST_PRINTED
