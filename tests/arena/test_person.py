"""A person's session: counted like a match, and entered in the ledger."""

import json
import random
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from riverboat.arena import Ledger, PersonLog, Secret, verify_match
from riverboat.arena._ledger_rows import encode_session
from riverboat.arena._ledger_schema import match_checksum, session_checksum
from riverboat.cards import equity
from riverboat.errors import ArenaError
from riverboat.game import Hand, catalogue
from riverboat.table import Session

NOLIMIT = catalogue("nolimit-100bb")


def test_all_in_hands_count_by_their_expectation() -> None:
    log = PersonLog(NOLIMIT, ["You", "fish"], seed=1)
    cards = {"hole": ["AhKh", "QsQd"], "board": "Qh7h2c3d9s"}
    log.add(Hand.from_line(NOLIMIT, "ck/b990c", **cards), seated=(0, 1))
    log.add(Hand.from_line(NOLIMIT, "f", **cards), seated=(1, 0))
    result = log.result(seconds=1.0)
    assert (result.hands, result.run_outs, result.unit) == (2, 1, "deal")
    assert result.unit_chips.tolist() == [[-1000, 1000], [5, -5]]
    share = equity("AhKh", "QsQd", board="Qh7h2c").players[0].equity
    assert result.unit_corrected[0] == pytest.approx([2000 * share - 1000, 1000 - 2000 * share])
    assert result.corrected_per_hand().mean > result.chips_per_hand().mean
    assert [part.hands for part in result.by_seat(0)] == [1, 1]


def test_swaps_are_not_corrected() -> None:
    game = catalogue("discard-2017")
    log = PersonLog(game, ["You", "fish"], seed=1)
    hand = Hand(game, seed=3)
    hand.do("b200")
    hand.do("c")
    while hand.actor is not None:
        hand.do("s")
    log.add(hand, seated=(0, 1))
    assert log.result(1.0).run_outs == 0


def test_a_session_is_logged_as_it_is_played(tmp_path: Path) -> None:
    rng = random.Random(1)
    spec = catalogue("nolimit-100bb", 3)
    session = Session(spec, [None, "fish", "random"], seed=4)
    for _ in range(60):
        session.deal()
        while session.waiting is not None:
            session.play(rng.choice(list(session.view.legal)))
    result = session.result(seconds=30.0)
    assert (result.hands, result.unit_chips[:, 0].sum()) == (60, session.totals[0])
    assert abs(result.unit_chips.sum()) == abs(result.unit_corrected.sum().round(6)) == 0
    assert [part.hands for part in result.by_seat(0)] == [20, 20, 20]
    settings = {"game": spec.name, "bots": list(session.names), "seed": 4}
    book = Ledger(tmp_path / "ledger.sqlite")
    entry = book.entry(book.add_result("play", settings, result.summary(), result.seconds))
    assert (entry.kind, entry.bots, entry.hands) == ("play", ("You", "fish", "random"), 60)
    assert entry.finished is not None
    assert entry.finished > entry.started
    assert entry.result is not None
    you = entry.result["bots"][0]
    assert you["bot"] == "You"
    assert you["chips"] == session.totals[0]
    for key in ("mbb_per_hand", "corrected_mbb_per_hand"):
        low, high = you[key]["interval_95"]
        assert low < you[key]["mean"] < high


def entered(book: Ledger, secret: Secret, *, carry: bool) -> Session:
    """Play at random at a table of a secret, and enter the session as `riverboat play` does."""
    rng = random.Random(3)
    spec = catalogue("nolimit-100bb", 3)
    session = Session(spec, [None, "fish", "random"], seed=4, carry=carry, secret=secret)
    for _ in range(30):
        session.deal()
        while session.waiting is not None:
            session.play(rng.choice(list(session.view.legal)))
    settings = {"game": spec.name, "bots": list(session.names), "seed": 4, "carry": carry}
    result = session.result(seconds=1.0)
    book.add_result(
        "play",
        settings | {"rules": asdict(spec)},
        result.summary(),
        session=result.sessions[0],
        secret=secret,
    )
    return session


@pytest.mark.parametrize("carry", [False, True])
def test_a_session_of_a_secret_is_checked_as_a_match_is(tmp_path: Path, carry: bool) -> None:
    book = Ledger(tmp_path / "ledger.sqlite")
    session = entered(book, Secret.draw(), carry=carry)
    check = verify_match(book, 1)
    assert check.passed, check
    assert check.hands == session.played == 30
    assert [each.check for each in check.checks] == ["commitment", "result", "cards", "sessions"]
    assert not list(book.damage())


def wrong(book: Ledger) -> list[str]:
    return [each.text for each in verify_match(book, 1).checks if not each.passed]


def test_a_forged_session_is_told(tmp_path: Path) -> None:
    book = Ledger(tmp_path / "ledger.sqlite")
    entered(book, Secret(bytes(32)), carry=True)
    played = book.sessions(1)[0]
    first, second, *rest = played.records
    for records, words in (
        ((second, first, *rest), "hand 0 is not as dealt|hand 0 was not dealt from the secret"),
        ((replace(first, seed=5), second, *rest), "hand 0 was not dealt from the secret"),
        ((first, second), "do not give its hands|do not give its bots"),
        ((), "no hands"),
    ):
        forge_session(book, encode_session(replace(played, records=records)))
        assert any(re.search(words, each) for each in wrong(book)), (wrong(book), words)
    forge_session(book, encode_session(replace(played, chips=played.chips * 2)))
    assert wrong(book) == ["the session: its hands do not give its chips"]
    forge_session(book, encode_session(played))
    assert wrong(book) == []
    forge_match(book, "result", lambda value: value.replace('"hands": 30', '"hands": 31'))
    assert "the sessions do not give its" in wrong(book)[0]
    forge_match(book, "secrets", lambda value: value.replace("00" * 32, "11" * 32))
    assert "not the one that was promised" in wrong(book)[0]
    forge_match(book, "secrets", lambda _: "[]")
    forge_match(book, "settings", lambda _: json.dumps({"secret": "00" * 32}))
    with pytest.raises(ArenaError, match="the hands of match 1 were not kept"):
        verify_match(book, 1)


def forge_session(book: Ledger, data: bytes) -> None:
    with closing(sqlite3.connect(book.path)) as database, database:
        values = data, session_checksum(1, 0, 0, data)
        database.execute("UPDATE sessions SET data = ?, checksum = ?", values)


def forge_match(book: Ledger, column: str, change: Callable[[str], str]) -> None:
    with closing(sqlite3.connect(book.path)) as database, database:
        database.row_factory = sqlite3.Row
        row = dict(database.execute("SELECT * FROM matches").fetchone())
        row[column] = change(row[column])
        values = row[column], match_checksum(row)
        database.execute(f"UPDATE matches SET {column} = ?, checksum = ?", values)  # noqa: S608


def test_estimates_are_those_of_the_result() -> None:
    session = Session("nolimit-100bb", [None, "all-in", "checkcall"], seed=2)
    for _ in range(40):
        session.deal()
        while session.running:
            session.play("c" if session.view.legal.call else "k")
    result = session.result(1.0)
    for chair in range(3):
        won, adjusted = session.per_hand(chair)
        assert (won.mean, won.error) == pytest.approx(
            (result.chips_per_hand(chair).mean, result.chips_per_hand(chair).error)
        )
        assert adjusted is not None
        corrected = result.corrected_per_hand(chair)
        assert (adjusted.mean, adjusted.error) == pytest.approx((corrected.mean, corrected.error))
