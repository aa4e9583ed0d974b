"""`riverboat bots` and `riverboat check-bot`."""

import json
from functools import partial
from pathlib import Path

import pytest

from cli.typed import riverboat
from riverboat.bots import bot_names

run = partial(riverboat, code=None)


def test_bots_are_listed() -> None:
    shown = run("bots")
    assert shown.returncode == 0
    for name in bot_names():
        assert name in shown.stdout
    assert "high=0.65" in shown.stdout
    one = run("bots", "Shark")
    assert "fold at this win rate" in one.stdout
    assert run("bots", "whale").stderr.startswith("riverboat: 'whale' is not a bot: there are")


def test_settings_are_whole_in_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    shown = run("bots", "blueprint").stdout
    assert all(len(line) <= 60 for line in shown.splitlines())
    for word in ("translation=pseudo-harmonic", "decisions", "calling-machine"):
        assert word in shown


def test_bots_as_json() -> None:
    values = json.loads(run("bots", "--json").stdout)
    assert [bot["name"] for bot in values["bots"]] == list(bot_names())
    shark = next(bot for bot in values["bots"] if bot["name"] == "shark")
    assert set(shark) == {"name", "description", "source", "learns", "settings"}
    low = next(setting for setting in shark["settings"] if setting["name"] == "low")
    assert low["default"] == 0.1
    assert set(low) == {"name", "description", "default", "allowed"}


def test_a_bot_is_checked(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("class Mine:\n    def act(self, view):\n        return 'k'\n")
    shown = run("check-bot", str(file), "--game", "kuhn", "--hands", "5", "--json")
    assert shown.returncode == 1
    values = json.loads(shown.stdout)
    assert values["passed"] is False
    assert (values["bot"], values["seed"]) == (str(file), 0)
    (game,) = values["games"]
    assert game["outcome"] == "failed"
    assert "'k' is illegal" in game["reason"]
    good = run("check-bot", "fish", "--game", "kuhn", "--game", "leduc", "--hands", "2")
    assert good.returncode == 0
    assert "fish passes the check" in good.stdout
    wrong = run("check-bot", "fish", "--game", "whist")
    assert wrong.returncode == 2
    assert "'whist' is not a game" in wrong.stderr


def test_a_fault_is_shown_once_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "class Mine:\n    def act(self, view):\n        print('hm')\n        return {}['lost']\n"
    )
    shown = run("check-bot", str(file), "--game", "kuhn", "--game", "leduc", "--hands", "2")
    assert shown.returncode == 1
    assert shown.stdout.count("line 4, in act") == 1
    assert "return {}['lost']" in shown.stdout
    assert "failed: key error: 'lost'" in shown.stdout
    assert shown.stdout.count("key error") == 1
    assert shown.stdout.count("KeyError") == 1  # as Python shows it, in no sentence of ours
    assert "_conformance" not in shown.stdout  # its own lines are what helps
    assert "hm" not in shown.stdout
    assert "prints/mine.txt" in shown.stderr
    file.write_text("x = 1\nx / 0\n")
    refused = run("check-bot", str(file), "--game", "kuhn")
    assert "(line 2 of mine.py)" in refused.stderr


def test_a_bot_is_checked_in_an_own_game(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[game]\nstacks = [50, 50, 50]\nblinds = [1, 2, 0]\n")
    shown = run("check-bot", "fish", "--game", str(file), "--hands", "2", "--json")
    (game,) = json.loads(shown.stdout)["games"]
    assert (game["seats"], game["outcome"], game["traceback"]) == (3, "passed", "")


def test_the_default_game_is_the_one_that_a_beginner_means(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "class Mine:\n    def act(self, view):\n        return 'k' if view.legal.check else 'c'\n"
    )
    values = json.loads(run("check-bot", str(file), "--hands", "2", "--json").stdout)
    assert values["passed"] is True
    assert [(game["game"], game["seats"]) for game in values["games"]] == [("nolimit-100bb", 2)]
    values = json.loads(run("check-bot", str(file), "--hands", "2", "--all", "--json").stdout)
    assert values["passed"] is False  # it tosses no card
    assert len(values["games"]) == 11
    both = run("check-bot", str(file), "--all", "--game", "kuhn")
    assert both.returncode == 2
    assert "leave out --game" in both.stderr
