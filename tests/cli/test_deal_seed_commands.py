"""Matches with a deal seed, and `ledger verify`, as a user types them."""

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

from riverboat.arena import DealSeed, Ledger
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


def test_a_deal_seed_is_published_and_repeats_a_match(tmp_path: Path) -> None:
    own = tmp_path / "mine.py"
    own.write_text(BOT)
    result = run("match", own, "random", *SHORT, "--json")
    values = json.loads(result.stdout)
    [dealt] = values["deal_seeds"]
    assert dealt["seed"] not in result.stderr
    assert dealt["seed"] in run("ledger", 1).stdout
    assert json.loads(run("ledger", 1, "--json").stdout)["matches"][0]["deal_seeds"] == [
        dealt["seed"]
    ]
    # A built-in bot that decides the same gets the same cards from the deal seed.
    file = tmp_path / "result.json"
    file.write_text(result.stdout)
    again = run("match", "checkcall", "random", *SHORT, "--deal-seed", file, "--json")
    assert [bot["chips"] for bot in json.loads(again.stdout)["bots"]] == [
        bot["chips"] for bot in values["bots"]
    ]
    assert dealt["seed"] in run("match", "fold", "random", *SHORT, "--secret", file).stdout


def test_the_ledger_is_verified(ledger: Path) -> None:
    run("match", "fish", "random", *SHORT)
    run("match", "fold", "random", *SHORT)
    assert "every row matches its checksum" in run("ledger", "verify").stdout.replace("\n", " ")
    with closing(sqlite3.connect(ledger)) as database, database:
        database.execute("UPDATE matches SET result = replace(result, 'fish', 'shark')")
    found = json.loads(run("ledger", "verify", "--json", code=1).stdout)
    reason = "the row does not match its checksum"
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
    secret.write_text(DealSeed(bytes(32)).hex())
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
    [run] = Ledger(ledger).entry(1).deal_seeds
    assert run.seed == (None if number == signal.SIGKILL else DealSeed(bytes(32)).hex())
    assert list(Ledger(ledger).damage()) == []
