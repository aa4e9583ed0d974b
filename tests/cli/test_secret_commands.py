"""Matches from a secret, and the ledger's own check, as a person types them."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from riverboat.arena import Ledger, Secret
from riverboat.cli._app import make_app

if TYPE_CHECKING:
    from pathlib import Path

BOT = """
class Mine:
    def act(self, view):
        return "c" if view.to_call else "k"
"""
SHORT = ("--hands", "40", "--seed", "3", "--workers", "1", "--no-duplicate")


@pytest.fixture(autouse=True)
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the tests out of the user's ledger."""
    path = tmp_path / "ledger.sqlite"
    monkeypatch.setenv("RIVERBOAT_LEDGER", str(path))
    return path


def run(*words: object, code: int = 0) -> Any:
    result = CliRunner().invoke(make_app(), [str(word) for word in words])
    assert result.exit_code == code, (result.output, result.exception)
    return result


def test_a_match_is_promised_published_checked_and_repeated(tmp_path: Path, ledger: Path) -> None:
    own = tmp_path / "mine.py"
    own.write_text(BOT)
    result = run("match", own, "random", *SHORT, "--json")
    values = json.loads(result.stdout)
    [dealt] = values["secrets"]
    assert f"its SHA-256 is {dealt['commitment']}" in result.stderr.replace("\n", "")
    assert Secret.from_hex(dealt["secret"]).commitment == dealt["commitment"]
    assert "All is as it was promised: 40 hands" in run("verify-match", 1).stdout
    for target in (1, ledger):
        found = json.loads(run("verify-match", target, "--json").stdout)
        assert (found["match"], found["passed"], found["hands"]) == (1, True, 40)
    assert dealt["secret"] in run("ledger", 1).stdout
    # A built-in bot that decides the same gets the same cards by the secret, and not by the seed.
    file = tmp_path / "result.json"
    file.write_text(result.stdout)
    assert "The hands are in the ledger: not checked here" in run("verify-match", file).stdout
    again = run("match", "checkcall", "random", *SHORT, "--secret", file, "--json")
    assert [bot["chips"] for bot in json.loads(again.stdout)["bots"]] == [
        bot["chips"] for bot in values["bots"]
    ]
    assert dealt["secret"] in run("match", "fold", "random", *SHORT, "--secret", file).stdout


def test_a_forged_result_is_told(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text(Secret(bytes(32)).reveal())
    values = json.loads(run("match", "fish", "random", *SHORT, "--secret", secret, "--json").stdout)
    values["bots"][0]["chips"] += 5
    values["secrets"][0]["secret"] = "ab" * 32
    file = tmp_path / "result.json"
    file.write_text(json.dumps(values))
    text = run("verify-match", file, code=1).stdout
    assert "not the one that was promised" in text
    assert "chips do not add up: fish" in text


def test_a_terminal_obeys_no_file(tmp_path: Path) -> None:
    bot: dict[str, Any] = {"bot": "\x1b[31mfish\x9b2J", "chips": 1, "by_seat": [{"chips": 2}]}
    bot |= {"by_end": [], "showdown_chips": 0, "non_showdown_chips": 1}
    values = {"secrets": [{"commitment": "\x1b]0;mine\x07", "secret": None}], "bots": [bot]}
    file = tmp_path / "result.json"
    file.write_text(json.dumps(values))
    text = run("verify-match", file, code=1).stdout
    assert "[31mfish" in text
    assert not set(text) & {"\x1b", "\x07", "\x9b"}


def test_what_is_no_match_is_refused(tmp_path: Path, ledger: Path) -> None:
    empty, deep = tmp_path / "empty.json", tmp_path / "deep.json"
    empty.write_text("{}")
    deep.write_text("[" * 100_000)
    run("match", "fish", "random", *SHORT)
    for target, words in [
        (7, "no match 7"),
        ("nothing.json", "its matches have numbers"),
        ("-x", "No such option"),
        (empty, "not the result of a match"),
        (deep, "is no result of a match"),
        (1, "dealt from its seed"),
        (ledger, "no finished match that was dealt from a secret"),
    ]:
        result = CliRunner().invoke(make_app(), ["verify-match", str(target)])
        assert result.exit_code != 0
        assert words in str(result.exception) + result.output, target


def test_the_ledger_is_verified(ledger: Path) -> None:
    run("match", "fish", "random", *SHORT)
    run("match", "fold", "random", *SHORT)
    assert "every row matches its checksum" in run("ledger", "verify").stdout.replace("\n", " ")
    with closing(sqlite3.connect(ledger)) as database, database:
        database.execute("UPDATE matches SET result = replace(result, 'fish', 'shark')")
    found = json.loads(run("ledger", "verify", "--json", code=1).stdout)
    reason = "it does not match its checksum"
    assert found["damaged"] == [{"match": 1, "session": None, "reason": reason}]
    assert f"match 1 is damaged: {reason}" in run("ledger", "verify", code=1).stdout
    listed = run("ledger").stdout
    assert "damaged" in listed
    assert "shark" not in listed
    assert [m["damage"] for m in json.loads(run("ledger", "--json").stdout)["matches"]] == [
        reason,
        None,
    ]
    assert "match 1 of the ledger is damaged" in str(run("ledger", 1, code=1).exception)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_who_is_ended_publishes(tmp_path: Path, ledger: Path, number: int) -> None:
    secret = tmp_path / "secret"
    secret.write_text(Secret(bytes(32)).reveal())
    start = [sys.executable, "-c", "from riverboat.cli import main; main()"]
    words = ["match", "random", "random", "--hands", "10000000", "--seed", "1", "--session", "50"]
    process = subprocess.Popen(
        [*start, *words, "--workers", "1", "--secret", str(secret)],
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while not (ledger.exists() and Ledger(ledger).sessions(1)) and time.monotonic() < deadline:
        time.sleep(0.2)
    os.kill(process.pid, number)
    _, said = process.communicate(timeout=60)
    assert b"Traceback" not in said
    [run] = Ledger(ledger).entry(1).secrets
    assert run.secret == (None if number == signal.SIGKILL else Secret(bytes(32)).reveal())
    assert list(Ledger(ledger).damage()) == []
