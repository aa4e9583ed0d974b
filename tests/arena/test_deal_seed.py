"""Deals that no bot can know, and that can be repeated afterwards."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.table_bots import Watcher, is_open
from riverboat.arena import (
    BotMaker,
    DealSeed,
    Ledger,
    Match,
    MatchSettings,
    Sweep,
    pairings,
    play_match,
    play_matches,
)
from riverboat.errors import ArenaError
from riverboat.runs import hidden_memory

TESTS = Path(__file__).parents[1]
ONE, OTHER = DealSeed(bytes(range(32))), DealSeed(bytes(range(1, 33)))
GIVEN: dict[str, Any] = {"hands": 80, "seed": 3, "session": 10}
BOTS = ("random", "checkcall")


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "ledger.sqlite")


def test_a_spy_knows_nothing(tmp_path: Path) -> None:
    env = os.environ | {"PYTHONPATH": str(TESTS), "RIVERBOAT_LEDGER": str(tmp_path / "book.sqlite")}
    start = [sys.executable, str(TESTS / "arena" / "spied.py"), "--seed", "217"]
    done = subprocess.run(start, check=True, capture_output=True, text=True, env=env)
    found = json.loads(done.stdout)
    # What is dealt from the seed it knows by every attack; else this test would show nothing.
    assert found["seed"] == "runtime error: I know all cards by: ancestors, ledger, own seed"
    assert (found["secret"], found["file"]) == ("", "")


def test_numbers_of_a_secret_are_those_that_the_page_says() -> None:
    settings = MatchSettings(BOTS, deal_seed=ONE, **GIVEN)
    words = b"".join(number.to_bytes(8, "big") for number in (3, 1, 2, 0, 7))
    digest = hashlib.blake2b(words, digest_size=8, key=bytes(range(32))).digest()
    assert settings.deal_seeds(2)[7] == int.from_bytes(digest, "big") >> 1


def test_all_seeds_of_a_secret_differ() -> None:
    settings = MatchSettings(BOTS, deal_seed=ONE, hands=400, session=50, seed=3)
    sessions = range(settings.num_sessions)
    deals = [seed for session in sessions for seed in settings.deal_seeds(session)]
    bots = [seed for s in sessions for r in (0, 1) for seed in settings.bot_seeds(s, r)]
    tables = [settings.table_seed(s, r) for s in sessions for r in (0, 1)]
    hands = [settings.hand_seed(deals[0], played) for played in range(100)]
    everything = deals + bots + tables + hands
    assert len(set(everything)) == len(everything)
    other = msgspec.structs.replace(settings, deal_seed=OTHER)
    assert not set(other.deal_seeds(0)) & set(deals)
    # Without a secret, hands of a freeze-out are numbered on, as in 0.1.
    plain = msgspec.structs.replace(settings, deal_seed=None)
    assert [plain.hand_seed(2**63 - 1, n) for n in (0, 1)] == [2**63 - 1, 0]
    assert plain.table_seed(1, 0) == plain.bot_seeds(1, 0)[0]


def test_a_secret_is_never_shown_before_its_time(ledger: Ledger) -> None:
    settings = MatchSettings(BOTS, deal_seed=ONE, **GIVEN)
    match = Match(settings, ledger=ledger)
    texts = [repr(settings), str(ONE), json.dumps(settings.as_values()), settings.key]
    for _ in play_matches([match], workers=1):
        texts.append(ledger.path.read_bytes().decode("latin-1"))
        texts.append(json.dumps(match.result().summary()))
    assert all(ONE.hex() not in text and "\x00\x01\x02\x03" not in text for text in texts[:4])
    assert all(ONE.hex() not in text for text in texts)
    assert match.finish().summary()["deal_seeds"] == [{"seed": ONE.hex(), "sessions": [[0, 3]]}]
    assert ledger.entry(1).deal_seeds[0].seed == ONE.hex()


def test_the_same_secret_repeats_a_match_on_any_number_of_processes() -> None:
    bots: list[BotMaker] = [Watcher, "random"]
    first = play_match(bots, deal_seed=ONE, **GIVEN)
    on_two = play_match(bots, deal_seed=ONE, workers=2, **GIVEN)
    assert first.records() == on_two.records()
    assert on_two.errors(0) == {}  # its workers were shut
    assert first.records() != play_match(bots, deal_seed=OTHER, **GIVEN).records()


def test_who_gets_a_secret(tmp_path: Path) -> None:
    mine = str(tmp_path / "mine.py")
    first = MatchSettings(BOTS, **GIVEN)
    assert Match(first).settings.deal_seed is None
    pairs = pairings([*BOTS, mine], first)
    drawn = {pair.deal_seed for pair in pairs[1:]}
    assert pairs[0].deal_seed is None
    assert len(drawn) == 1
    assert None not in drawn
    points = Sweep("shark", {"low": (0.1, 0.2)}, MatchSettings(("shark", mine), **GIVEN)).matches()
    one, other = (point.settings for point in points if isinstance(point, Match))
    assert one.deal_seed == other.deal_seed is not None
    # A bot of a file could remember the cards of the point before.
    assert not set(one.deal_seeds(0)) & set(other.deal_seeds(0))


def stopped(match: Match, sessions: int) -> None:
    reports = play_matches([match], workers=1)
    assert len(list(itertools.islice(reports, sessions))) == sessions
    reports.close()


def test_a_stopped_match_goes_on_with_another_secret(ledger: Ledger) -> None:
    settings = MatchSettings(BOTS, deal_seed=ONE, **GIVEN)
    stopped(Match(settings, ledger=ledger), 2)
    assert [run.seed for run in ledger.entry(1).deal_seeds] == [ONE.hex()]
    again = Match(msgspec.structs.replace(settings, deal_seed=OTHER), ledger=ledger, resume=True)
    list(play_matches([again], workers=1))
    result = again.finish()
    assert [(run.seed, run.sessions) for run in result.dealt] == [
        (ONE.hex(), (0, 1)),
        (OTHER.hex(), (2, 3)),
    ]


def test_a_match_that_is_played_on_never_deals_from_a_published_secret() -> None:
    match = Match(MatchSettings(BOTS, deal_seed=ONE, **GIVEN))
    stopped(match, 2)
    list(play_matches([match], workers=1))
    first, second = match.finish().dealt
    assert (first.seed, first.sessions, second.sessions) == (ONE.hex(), (0, 1), (2, 3))
    assert second.seed not in (None, ONE.hex())


def test_the_secret_of_a_killed_run_is_lost(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = MatchSettings(BOTS, deal_seed=ONE, **GIVEN)
    with monkeypatch.context() as killed:
        killed.setattr(Match, "publish", lambda _: None)
        stopped(Match(settings, ledger=ledger), 2)
    again = Match(msgspec.structs.replace(settings, deal_seed=OTHER), ledger=ledger, resume=True)
    list(play_matches([again], workers=1))
    assert [run.seed for run in again.finish().dealt] == [None, OTHER.hex()]


def test_runs_that_dealt_nothing_do_not_count(ledger: Ledger) -> None:
    settings = MatchSettings(BOTS, deal_seed=ONE, **GIVEN)
    Match(settings, ledger=ledger).enter()  # and killed before the first session
    second = Match(msgspec.structs.replace(settings, deal_seed=OTHER), ledger=ledger, resume=True)
    list(play_matches([second], workers=1))  # all is played, but nobody asks for the result
    third = Match(settings, ledger=ledger, resume=True)
    list(play_matches([third], workers=1))
    assert [run.seed for run in third.finish().dealt] == [OTHER.hex()]
    assert [run.seed for run in ledger.entry(1).deal_seeds] == [None, OTHER.hex()]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "64 digits"),
        ("abc", "64 digits"),
        (json.dumps({"bot": "x" * 99}), "0 deal seeds"),
        ("[" * 100_000, "not the result"),
        ("[" * 100, "not the result"),
        (json.dumps([[]] * 99), "not the result"),
        (json.dumps({"secrets": 7, "x": "y" * 99}), "not the result"),
        (json.dumps({"secrets": [{"secret": "x" * 64}]}), "64 digits"),
        (json.dumps({"secrets": [{"secret": None}] * 9}), "0 deal seeds"),
        (json.dumps({"deal_seeds": [{"seed": 5}]}), "64 digits"),
        (json.dumps({"deal_seeds": [{"sessions": []}], "x": "y" * 99}), "not the result"),
        (json.dumps({"secrets": [{"secret": s.hex()} for s in (ONE, OTHER)]}), "2 deal seeds"),
    ],
)
def test_files_without_a_secret_are_refused(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "secret"
    path.write_text(text)
    with pytest.raises(ArenaError, match=words):
        DealSeed.read(path)


def test_secrets_are_read(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    result = {"deal_seeds": [{"seed": ONE.hex()}]}
    of_0_2 = {"secrets": [{"commitment": "ab", "secret": ONE.hex()}]}
    values = (result, of_0_2, {"matches": [result] * 2})
    for text in (f"{ONE.hex()}\n", *map(json.dumps, values)):
        path.write_text(text)
        assert DealSeed.read(path) == ONE
    with pytest.raises(ArenaError, match="not the result of a match"):
        DealSeed.read(tmp_path / "nothing")
    with pytest.raises(ArenaError, match="32 bytes"):
        DealSeed(b"short")


@pytest.mark.skipif(sys.platform != "linux", reason="a flag of Linux")
def test_memory_is_shut_while_cards_are_dealt_from_a_secret() -> None:
    open_before = is_open()
    assert play_match([Watcher, "checkcall"], deal_seed=ONE, **GIVEN).errors(0) == {}
    assert is_open() == open_before
    if open_before:
        assert play_match([Watcher, "checkcall"], keep_going=True, **GIVEN).errors(0)
    with hidden_memory():
        with hidden_memory():
            pass
        assert not is_open()


@pytest.mark.skipif(sys.platform != "linux", reason="a way of Linux")
def test_shut_memory_cannot_be_read() -> None:
    start = [sys.executable, str(TESTS / "arena" / "shut_memory.py")]
    done = subprocess.run(start, check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["open:", "True", "shut:", "False"]
