"""The trial counts what it sees, and the page shows what was counted."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hostile.trial import RESULTS, tried

ROOT = Path(__file__).parents[2]


def lines(path: Path) -> list[tuple[str, int, int]]:
    kept = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [(line["name"], line["attempts"], line["failures"]) for line in kept]


def test_attempts_and_failures_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = tmp_path / "new" / "results.jsonl"
    monkeypatch.setenv(RESULTS, str(results))
    with tried("bots", "one"):
        pass
    with tried("parsers", "many", seed=3) as trial:
        trial.attempts = 500
    with pytest.raises(AssertionError), tried("kills", "bad"):
        raise AssertionError
    assert lines(results) == [("one", 1, 0), ("many", 500, 0), ("bad", 1, 1)]


def test_a_group_is_one_of_the_table() -> None:
    with pytest.raises(ValueError, match="'birds' is none of parsers, "), tried("birds", "x"):
        pass


def test_the_page_shows_the_results() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "hostile_table"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
