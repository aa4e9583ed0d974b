"""Same seed, same result: on any number of processes, after Ctrl-C, out of the ledger."""

from __future__ import annotations

import itertools
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from msgspec.structs import replace

from arena.table_bots import Counting, Fish
from riverboat.arena import Ledger, Match, MatchSettings, play_match, play_matches
from riverboat.bots import RandomBot
from riverboat.errors import ArenaError

if TYPE_CHECKING:
    from pathlib import Path

    from riverboat.arena import MatchResult

CLOCK = ("seconds", "hands_per_second", "seconds_mean", "seconds_99", "seconds_max")


def without_clock(result: MatchResult) -> dict[str, Any]:
    """Every figure that does not depend on how fast the machine is."""
    values = result.summary()
    for part in (values, *values["bots"]):
        for key in CLOCK:
            part.pop(key, None)
    return values


def same(one: MatchResult, other: MatchResult) -> bool:
    return without_clock(one) == without_clock(other) and bool(
        np.array_equal(one.unit_corrected, other.unit_corrected)
    )


def test_one_and_two_processes_give_the_same() -> None:
    settings: dict[str, Any] = {"hands": 1_201, "seed": 9, "session": 100}
    one = play_match(["random", RandomBot], workers=1, **settings)
    two = play_match(["random", RandomBot], workers=2, **settings)
    assert one.hands == 1_202  # whole deals
    assert len(one.sessions) == 7
    assert same(one, two)
    assert not same(one, play_match(["random", RandomBot], **{**settings, "seed": 10}))


def test_sessions_of_learning_bots_are_the_units() -> None:
    result = play_match([Counting, Fish], hands=400, seed=1, session=20)
    # 10 sessions of 20 deals, each played from both sides by fresh bots.
    assert (result.unit, len(result.unit_hands)) == ("session", 10)
    assert result.unit_hands.tolist() == [40] * 10
    # Half of every session it plays as the fish does, then it folds its small blinds.
    value = result.chips_per_hand()
    assert value.units == 10
    assert abs(value.mean + 5 / 4) < 4 * value.standard_error


@pytest.mark.parametrize(
    ("bot", "hands", "length"),
    [
        ("fish", 1_000_000, 500),
        ("Killer:line=yes", 2_000, 500),
        ("killer", 40_000, 2_000),
        ("killer", 1_000_000, 5_000),
        ("search:iterations=9", 4_000, 10),
    ],
)
def test_lengths_of_sessions(bot: str, hands: int, length: int) -> None:
    assert MatchSettings((bot, "random"), hands=hands).session_length == length
    assert MatchSettings((bot, "random"), hands=hands, session=7).session_length == 7


def test_a_session_is_the_unit_on_two_processes_too() -> None:
    settings: dict[str, Any] = {"hands": 400, "seed": 1, "session": 20}
    one = play_match([Counting, Fish], workers=1, **settings)
    assert same(one, play_match([Counting, Fish], workers=2, **settings))


def interrupted(match: Match, sessions: int) -> None:
    """Play some sessions and stop, as Ctrl-C does."""
    reports = play_matches([match], workers=1)
    assert len(list(itertools.islice(reports, sessions))) == sessions
    reports.close()


def test_a_stopped_match_goes_on_where_it_was(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "book.sqlite")
    settings = MatchSettings(("random", "checkcall"), hands=1_000, seed=3, session=50, record=True)
    interrupted(Match(settings, ledger=ledger), 4)
    found = ledger.latest(settings)
    assert found is not None
    assert (found.id, found.finished) == (1, None)
    assert ledger.latest(replace(settings, seed=4)) is None
    again = Match(settings, ledger=ledger, resume=True)
    assert (again.number, again.done) == (1, 200)
    list(play_matches([again], workers=1))
    whole = Match(settings)
    list(play_matches([whole], workers=1))
    assert same(again.finish(), whole.finish())
    assert again.result().hands_before == 400  # 4 sessions of 50 duplicate deals
    assert again.result().hands_per_second == 600 / again.seconds
    assert again.result().records() == whole.result().records()
    assert [entry.id for entry in ledger.entries()] == [1]


def test_the_ledger_keeps_what_a_result_depends_on(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "book.sqlite")
    result = play_match(["random", "checkcall"], "leduc", hands=100, seed=3, ledger=ledger)
    entry = Ledger(tmp_path / "book.sqlite").entry(1)
    assert entry.finished is not None
    assert entry.result is not None
    assert (entry.bots, entry.game, entry.seed) == (("random", "checkcall"), "leduc", 3)
    assert entry.result["bots"][0]["chips"] == result.unit_chips[:, 0].sum()
    assert entry.settings["session"] == 500
    assert entry.version
    assert len(ledger.sessions(1)) == 1
    with closing(sqlite3.connect(ledger.path)) as database, database:  # two days later
        database.execute("UPDATE matches SET finished = '2026-01-01T00:00:00+00:00'")
    play_match(["random", "checkcall"], "leduc", hands=100, seed=4, ledger=ledger)
    assert (len(ledger.sessions(1)), len(ledger.sessions(2))) == (0, 1)


def test_a_match_that_was_killed_before_it_was_shown_is_not_played_again(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "book.sqlite")
    settings = MatchSettings(("random", "checkcall"), "leduc", hands=200, seed=3)
    first = Match(settings, ledger=ledger)
    list(play_matches([first], workers=1))
    shown = first.finish()
    again = Match(settings, ledger=ledger, resume=True)
    assert not list(play_matches([again], workers=1))
    assert same(again.finish(), shown)
    assert [entry.id for entry in ledger.entries()] == [1]
    other = Match(replace(settings, seed=4), ledger=ledger, resume=True)
    assert (other.number, other.over) == (None, False)
    with pytest.raises(ArenaError, match="no match 7"):
        ledger.entry(7)


def test_a_file_that_is_no_ledger_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.sqlite"
    path.write_text("these are not the matches you are looking for" * 100)
    with pytest.raises(ArenaError, match="cannot use"):
        Ledger(path)
    assert path.read_text().startswith("these")


def test_what_cannot_be_played_is_refused() -> None:
    changes: list[tuple[dict[str, Any], str]] = [
        ({"hands": 0}, "exactly one of them"),
        ({"games": 5}, "one of them"),
        ({"seed": -1}, "seed"),
        ({"bots": ("random",)}, "2 to 10 bots"),
        ({"bots": "random"}, "list of names"),
        ({"time_limit": 0.0}, "time_limit=0.0 is not allowed: it must be a number above 0"),
        ({"session": -3}, "session"),
    ]
    for change, words in changes:
        values: dict[str, Any] = {"bots": ("random", "random"), "hands": 10} | change
        with pytest.raises(ArenaError, match=words):
            MatchSettings(**values)
    with pytest.raises(ValueError, match="is not a bot"):
        play_match(["random", "nobody"], hands=10)
