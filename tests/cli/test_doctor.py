"""`riverboat doctor`: JSON keys as documented, and the reason for each missing feature."""

import json
from pathlib import Path

import pytest

from cli.typed import riverboat
from riverboat.cli import _machine
from riverboat.errors import SandboxError
from riverboat.sandbox import Protection

PAGE = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
FOUND = [Protection("network", "a network namespace"), Protection("files", "", "mount: refused")]


def test_every_key_is_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_machine, "protections", lambda: FOUND)
    values = json.loads(riverboat("doctor", "--json").stdout)
    rows = PAGE.partition("| `doctor` |")[2].partition("| `bots` |")[0]
    assert [key for key in values if key != "version" and f"`{key}" not in rows] == []
    assert values["sandbox"][1] == {
        "name": "files",
        "on": False,
        "by": "",
        "reason": "mount: refused",
    }


def test_what_is_missing_is_shown_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_machine, "protections", lambda: FOUND)
    shown = riverboat("doctor").stdout
    assert "a network namespace" in shown
    assert "missing" in shown
    assert "mount: refused" in shown


def test_a_sandbox_that_does_not_come_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> list[Protection]:
        raise SandboxError("the sandbox did not start (exit code 1)")

    monkeypatch.setattr(_machine, "protections", fail)
    assert "did not start" in " ".join(riverboat("doctor").stdout.split())


def test_a_wrong_word_for_the_sandbox_is_told() -> None:
    words = ["match", "fish", "fish", "--hands", "2", "--seed", "1", "--sandbox", "maybe"]
    assert (
        "'maybe' is not allowed: it must be auto, off or required"
        in riverboat(*words, code=2).stderr
    )
