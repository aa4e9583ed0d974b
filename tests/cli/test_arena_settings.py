"""What the commands of the arena refuse before they play, and what they tell."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from riverboat.arena import Ledger, Match, MatchSettings, play_matches
from riverboat.cli.app import make_app
from riverboat.errors import GameError


@pytest.fixture(autouse=True)
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the tests out of the user's ledger."""
    path = tmp_path / "ledger.sqlite"
    monkeypatch.setenv("RIVERBOAT_LEDGER", str(path))
    return path


def run(*words: str) -> Any:
    return CliRunner().invoke(make_app(), list(words))


def refusal(*words: str) -> str:
    """Run a command that must fail; return all that it says."""
    result = run(*words)
    assert result.exit_code != 0, result.output
    return str(result.exception) + result.output


def small(*more: str) -> tuple[str, ...]:
    return ("match", "random", "checkcall", "--game", "leduc", "--workers", "1", *more)


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_a_drawn_seed_is_told(command: str) -> None:
    # A process of its own: the console of messages keeps the stream it began with.
    start = [sys.executable, "-c", "from riverboat.cli import main; main()"]
    words = [command, "random", "checkcall", "--game", "leduc", "--hands", "20", "--workers", "1"]
    done = subprocess.run(  # noqa: S603
        [*start, *words, "--json"], capture_output=True, text=True, check=True
    )
    told = re.search(r"Seed (\d+)", done.stderr)
    assert told is not None
    assert int(told[1]) == json.loads(done.stdout)["seed"]


def test_the_ledger_shows_whole_seeds(ledger: Path) -> None:
    seed = 2**63 - 1
    assert run(*small("--hands", "20", "--seed", str(seed))).exit_code == 0
    assert str(seed) in run("ledger").stdout


def test_a_bot_that_does_not_play_the_game_is_refused(ledger: Path) -> None:
    assert "plays hold'em" in refusal("match", "rule-based", "random", "--game", "kuhn")
    assert Ledger(ledger).entries() == []


def test_nothing_is_booked_for_bad_settings(ledger: Path) -> None:
    assert "is no bot" in refusal("match", "random", "nobody")
    assert "workers=0" in refusal(*small("--workers", "0"))
    assert Ledger(ledger).entries() == []


def test_a_refusal_in_one_of_several_matches(ledger: Path) -> None:
    book = Ledger(ledger)
    matches = [
        Match(MatchSettings(bots, "kuhn", hands=10), ledger=book)
        for bots in (("random", "checkcall"), ("random", "rule-based"))
    ]
    with pytest.raises(GameError, match="hold'em"):
        list(play_matches(matches, 1))
    assert book.entries() == []
