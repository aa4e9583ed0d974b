"""Deals that no bot can know, and that everybody can check afterwards."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.table_bots import Watcher, is_open
from riverboat.arena import (
    BotMaker,
    Ledger,
    Match,
    MatchSettings,
    Secret,
    Sweep,
    check_result,
    pairings,
    play_match,
    play_matches,
    verify_match,
)
from riverboat.arena._ledger_rows import encode_session
from riverboat.arena._ledger_schema import match_checksum, session_checksum
from riverboat.errors import ArenaError
from riverboat.runs import hidden_memory

TESTS = Path(__file__).parents[1]
ONE, OTHER = Secret(bytes(range(32))), Secret(bytes(range(1, 33)))
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
    settings = MatchSettings(BOTS, secret=ONE, **GIVEN)
    words = b"".join(number.to_bytes(8, "big") for number in (3, 1, 2, 0, 7))
    digest = hashlib.blake2b(words, digest_size=8, key=bytes(range(32))).digest()
    assert settings.deal_seeds(2)[7] == int.from_bytes(digest, "big") >> 1
    assert ONE.commitment == hashlib.sha256(bytes(range(32))).hexdigest()


def test_all_seeds_of_a_secret_differ() -> None:
    settings = MatchSettings(BOTS, secret=ONE, hands=400, session=50, seed=3)
    sessions = range(settings.num_sessions)
    deals = [seed for session in sessions for seed in settings.deal_seeds(session)]
    bots = [seed for s in sessions for r in (0, 1) for seed in settings.bot_seeds(s, r)]
    tables = [settings.table_seed(s, r) for s in sessions for r in (0, 1)]
    hands = [settings.hand_seed(deals[0], played) for played in range(100)]
    everything = deals + bots + tables + hands
    assert len(set(everything)) == len(everything)
    other = msgspec.structs.replace(settings, secret=OTHER)
    assert not set(other.deal_seeds(0)) & set(deals)
    # Without a secret, hands of a freeze-out are numbered on, as in 0.1.
    plain = msgspec.structs.replace(settings, secret=None)
    assert [plain.hand_seed(2**63 - 1, n) for n in (0, 1)] == [2**63 - 1, 0]
    assert plain.table_seed(1, 0) == plain.bot_seeds(1, 0)[0]


def test_a_secret_is_never_shown_before_its_time(ledger: Ledger) -> None:
    settings = MatchSettings(BOTS, secret=ONE, **GIVEN)
    match = Match(settings, ledger=ledger)
    texts = [repr(settings), str(ONE), json.dumps(settings.as_values()), settings.key]
    for _ in play_matches([match], workers=1):
        texts.append(ledger.path.read_bytes().decode("latin-1"))
        texts.append(json.dumps(match.result().summary()))
    assert all(ONE.reveal() not in text and "\x00\x01\x02\x03" not in text for text in texts[:4])
    assert all(ONE.reveal() not in text for text in texts)
    assert any(ONE.commitment in text for text in texts[4:])
    assert match.finish().summary()["secrets"] == [
        {"commitment": ONE.commitment, "secret": ONE.reveal(), "sessions": [[0, 3]]}
    ]
    assert ledger.entry(1).secrets[0].secret == ONE.reveal()


def test_the_same_secret_repeats_a_match_on_any_number_of_processes() -> None:
    bots: list[BotMaker] = [Watcher, "random"]
    first = play_match(bots, secret=ONE, **GIVEN)
    on_two = play_match(bots, secret=ONE, workers=2, **GIVEN)
    assert first.records() == on_two.records()
    assert on_two.errors(0) == {}  # its workers were shut
    assert first.records() != play_match(bots, secret=OTHER, **GIVEN).records()


def test_who_gets_a_secret(tmp_path: Path) -> None:
    mine = str(tmp_path / "mine.py")
    first = MatchSettings(BOTS, **GIVEN)
    assert Match(first).settings.secret is None
    pairs = pairings([*BOTS, mine], first)
    drawn = {pair.secret for pair in pairs[1:]}
    assert pairs[0].secret is None
    assert len(drawn) == 1
    assert None not in drawn
    points = Sweep("shark", {"low": (0.1, 0.2)}, MatchSettings(("shark", mine), **GIVEN)).matches()
    one, other = (point.settings for point in points if isinstance(point, Match))
    assert one.secret == other.secret is not None
    # A bot of a file could remember the cards of the point before.
    assert not set(one.deal_seeds(0)) & set(other.deal_seeds(0))


def stopped(match: Match, sessions: int) -> None:
    reports = play_matches([match], workers=1)
    assert len(list(itertools.islice(reports, sessions))) == sessions
    reports.close()


def test_a_stopped_match_goes_on_with_another_secret(ledger: Ledger) -> None:
    settings = MatchSettings(BOTS, secret=ONE, **GIVEN)
    stopped(Match(settings, ledger=ledger), 2)
    assert [run.secret for run in ledger.entry(1).secrets] == [ONE.reveal()]
    again = Match(msgspec.structs.replace(settings, secret=OTHER), ledger=ledger, resume=True)
    list(play_matches([again], workers=1))
    result = again.finish()
    assert [(run.secret, run.sessions) for run in result.dealt] == [
        (ONE.reveal(), (0, 1)),
        (OTHER.reveal(), (2, 3)),
    ]
    check = verify_match(ledger, 1)
    assert check.passed, check.checks
    assert check.hands == 80


def test_a_match_that_is_played_on_never_deals_from_a_published_secret() -> None:
    match = Match(MatchSettings(BOTS, secret=ONE, **GIVEN))
    stopped(match, 2)
    list(play_matches([match], workers=1))
    first, second = match.finish().dealt
    assert (first.secret, first.sessions, second.sessions) == (ONE.reveal(), (0, 1), (2, 3))
    assert second.secret not in (None, ONE.reveal())


def test_the_secret_of_a_killed_run_is_lost(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = MatchSettings(BOTS, secret=ONE, **GIVEN)
    with monkeypatch.context() as killed:
        killed.setattr(Match, "publish", lambda _: None)
        stopped(Match(settings, ledger=ledger), 2)
    again = Match(msgspec.structs.replace(settings, secret=OTHER), ledger=ledger, resume=True)
    list(play_matches([again], workers=1))
    assert [run.secret for run in again.finish().dealt] == [None, OTHER.reveal()]
    check = verify_match(ledger, 1)
    assert not check.passed
    assert "lost when a run was killed" in check.checks[0].text
    assert check.hands == 40  # those of the second run


def test_runs_that_dealt_nothing_do_not_count(ledger: Ledger) -> None:
    settings = MatchSettings(BOTS, secret=ONE, **GIVEN)
    Match(settings, ledger=ledger).enter()  # and killed before the first session
    second = Match(msgspec.structs.replace(settings, secret=OTHER), ledger=ledger, resume=True)
    list(play_matches([second], workers=1))  # all is played, but nobody asks for the result
    third = Match(settings, ledger=ledger, resume=True)
    list(play_matches([third], workers=1))
    assert [run.secret for run in third.finish().dealt] == [OTHER.reveal()]
    assert [run.secret for run in ledger.entry(1).secrets] == [None, OTHER.reveal()]
    assert verify_match(ledger, 1).passed


@pytest.mark.parametrize("more", [{}, {"games": 6, "hands": 0, "session": 2}])
def test_a_match_is_checked(ledger: Ledger, more: dict[str, Any]) -> None:
    given = GIVEN | more
    result = play_match(["random", "random"], secret=ONE, ledger=ledger, **given)
    check = verify_match(ledger, 1)
    assert check.passed, check.checks
    assert check.hands == result.hands
    assert {each.check for each in check.checks} == {"commitment", "cards", "sessions", "result"}
    assert check_result(json.loads(json.dumps(result.summary()))).passed


def test_all_in_hands_and_a_match_that_ends_early_are_checked(ledger: Ledger) -> None:
    settings = MatchSettings(("all-in", "fold"), secret=ONE, hands=20_000, session=500)
    match = Match(settings, until_sure=True, ledger=ledger)
    list(play_matches([match], workers=1))
    match.finish()
    play_match(["all-in", "all-in"], secret=ONE, ledger=ledger, **GIVEN)
    assert len(match.sessions) < settings.num_sessions
    assert verify_match(ledger, 1).passed
    assert verify_match(ledger, 2).passed


def forge_session(ledger: Ledger, change: Any) -> None:
    """Change session 1 of match 1, checksum and all, as a cheat would."""
    session = change(ledger.sessions(1)[1])
    data = encode_session(session)
    with ledger._open() as database:
        values = (data, session_checksum(1, 1, 0, data))
        database.execute("UPDATE sessions SET data = ?, checksum = ? WHERE session = 1", values)


def forge_match(ledger: Ledger, **fields: str) -> None:
    """Change fields of match 1, checksum and all."""
    with ledger._open() as database:
        row = dict(database.execute("SELECT * FROM matches").fetchone()) | fields
        row["checksum"] = match_checksum(row)
        names = ", ".join(f"{name} = :{name}" for name in row)
        database.execute(f"UPDATE matches SET {names}", row)  # noqa: S608 - our own names


def other_hand(number: int, **fields: Any) -> Any:
    def change(session: Any) -> Any:
        records = list(session.records)
        records[number] = replace(records[number], **fields)
        return replace(session, records=tuple(records))

    return change


@pytest.mark.parametrize(
    ("change", "check", "words"),
    [
        (other_hand(5, seed=12345), "cards", "hand 5 was not dealt from the secret"),
        (other_hand(5, line="b20f"), "sessions", "its hands do not give its"),
        (other_hand(5, line="b15"), "cards", "hand 5 is not as dealt"),
        (other_hand(5, line="nonsense"), "cards", "hand 5 is not as dealt"),
        (lambda s: replace(s, records=s.records[:-1]), "cards", "hands are missing"),
        (lambda s: replace(s, records=(*s.records, s.records[0])), "cards", "hand 20 was not"),
        (lambda s: replace(s, chips=s.chips + 10), "sessions", "do not give its chips"),
        (lambda s: replace(s, corrected=s.corrected[:-1]), "sessions", "its corrected"),
    ],
)
def test_forged_sessions_are_found(ledger: Ledger, change: Any, check: str, words: str) -> None:
    play_match(BOTS, secret=ONE, ledger=ledger, **GIVEN)
    assert verify_match(ledger, 1).passed
    forge_session(ledger, change)
    wrong = [each for each in verify_match(ledger, 1).checks if not each.passed]
    assert any(each.check == check and words in each.text for each in wrong), wrong


def test_forged_matches_are_found(ledger: Ledger) -> None:
    play_match(BOTS, secret=ONE, ledger=ledger, **GIVEN)
    entry = ledger.entry(1)
    assert entry.result is not None
    entry.result["bots"][0]["chips"] += 1000
    forge_match(ledger, result=json.dumps(entry.result))
    assert "do not give its bots" in verify_match(ledger, 1).checks[1].text
    with pytest.raises(ArenaError, match="as `match --json` prints it"):
        check_result({"bots": [], "secrets": 7})
    assert not check_result(entry.result).passed
    for runs, words in (
        ([{"commitment": ONE.commitment, "secret": OTHER.reveal()}], "not the one"),
        ([{"commitment": OTHER.commitment, "secret": OTHER.reveal()}], "was not dealt"),
    ):
        forge_match(ledger, secrets=json.dumps(runs))
        texts = [each.text for each in verify_match(ledger, 1).checks if not each.passed]
        assert any(words in text or "is not as dealt" in text for text in texts), texts
    forge_match(ledger, secrets=json.dumps([{"commitment": 3, "secret": 7}]))
    assert not verify_match(ledger, 1).passed
    forge_match(ledger, settings="{}")
    assert "makes no sense" in verify_match(ledger, 1).checks[-1].text
    forge_match(ledger, secrets="[{}]")
    with pytest.raises(ArenaError, match="match 1 of the ledger is damaged: it makes no sense"):
        verify_match(ledger, 1)


@pytest.mark.parametrize("until_sure", [False, True])
def test_a_match_that_was_cut_short_is_found(ledger: Ledger, until_sure: bool) -> None:
    hands = 20_000 if until_sure else 2_000
    settings = MatchSettings(("all-in", "fold"), secret=ONE, hands=hands, session=500)
    match = Match(settings, until_sure=until_sure)
    list(play_matches([match], workers=1))
    cut = Match(settings, until_sure=until_sure, ledger=ledger)
    stopped(cut, len(match.sessions) - 1)  # before somebody's luck turns
    cut.finish()
    assert "sessions of the match are missing" in verify_match(ledger, 1).checks[1].text


def test_what_cannot_be_checked_is_said(ledger: Ledger) -> None:
    play_match(BOTS, ledger=ledger, **GIVEN)
    with pytest.raises(ArenaError, match="dealt from its seed, 3"):
        verify_match(ledger, 1)
    stopped(Match(MatchSettings(BOTS, secret=ONE, **GIVEN), ledger=ledger), 1)
    with pytest.raises(ArenaError, match="match 2 is not finished"):
        verify_match(ledger, 2)
    with pytest.raises(ArenaError, match="dealt from its seed"):
        check_result(play_match(BOTS, **GIVEN).summary())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "64 digits"),
        ("abc", "64 digits"),
        (json.dumps({"bot": "x" * 99}), "0 secrets"),
        ("[" * 100_000, "no result"),
        ("[" * 100, "no result"),
        (json.dumps([[]] * 99), "no result"),
        (json.dumps({"secrets": 7, "x": "y" * 99}), "no result"),
        (json.dumps({"secrets": [{"secret": "x" * 64}]}), "64 digits"),
        (json.dumps({"secrets": [{"secret": None}] * 9}), "0 secrets"),
        (json.dumps({"secrets": [{"secret": s.reveal()} for s in (ONE, OTHER)]}), "2 secrets"),
    ],
)
def test_files_without_a_secret_are_refused(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "secret"
    path.write_text(text)
    with pytest.raises(ArenaError, match=words):
        Secret.read(path)


def test_secrets_are_read(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    result = {"secrets": [{"secret": ONE.reveal()}]}
    for text in (f"{ONE.reveal()}\n", json.dumps(result), json.dumps({"matches": [result] * 2})):
        path.write_text(text)
        assert Secret.read(path) == ONE
    with pytest.raises(ArenaError, match="no result of a match"):
        Secret.read(tmp_path / "nothing")
    with pytest.raises(ArenaError, match="32 bytes"):
        Secret(b"short")


@pytest.mark.skipif(sys.platform != "linux", reason="a flag of Linux")
def test_memory_is_shut_while_cards_are_dealt_from_a_secret() -> None:
    open_before = is_open()
    assert play_match([Watcher, "checkcall"], secret=ONE, **GIVEN).errors(0) == {}
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
