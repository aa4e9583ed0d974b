"""`riverboat bots` and `riverboat check-bot`."""

import json
from functools import partial
from pathlib import Path

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
    assert "folds at this win rate" in one.stdout
    assert run("bots", "whale").stderr.startswith("riverboat: 'whale' is no bot: there are")


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
    assert "'k' is not allowed" in game["reason"]
    good = run("check-bot", "fish", "--game", "kuhn", "--game", "leduc", "--hands", "2")
    assert good.returncode == 0
    assert "fish keeps to the rules" in good.stdout
    wrong = run("check-bot", "fish", "--game", "whist")
    assert wrong.returncode == 2
    assert "none of whist is tried: there are nolimit-100bb" in wrong.stderr
