"""The data folder of a server: nothing in it is run, and damage costs what is damaged."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from blueprint.strategies import leduc_solver, save
from browser.serving import ended as ended_server
from browser.serving import started
from riverboat.game import Hand, catalogue
from riverboat.histories import record_of, to_text
from riverboat.web import House
from web_client import API, client_of

if TYPE_CHECKING:
    from pathlib import Path

    from fastapi.testclient import TestClient

pytestmark = pytest.mark.browser

#: A bot that leaves a file where it was run.
BOT = """
from pathlib import Path
try:
    Path(__file__).with_suffix(".ran").touch()
except OSError:  # in the sandbox
    pass
class Mine:
    def act(self, view): return "c"
    def strategy(self, view): return {"c": 1.0}
"""


def hands() -> str:
    hand = Hand(catalogue("leduc"), cards=["Ks", "Js", "Qs"])
    hand.play("kb2f")
    return to_text(record_of(hand, names=["Ada", "Bob"]), "lines").strip() + "\n"


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(BOT)
    return path


def ended(client: TestClient, path: str) -> dict[str, Any]:
    """Wait until a job of this server has ended."""
    for _ in range(600):
        state: dict[str, Any] = client.get(f"{API}/{path}").json()
        if state["state"] in {"finished", "stopped", "failed"}:
            return state
        time.sleep(0.1)
    pytest.fail(f"{path} does not end")


def written(path: Path, value: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def test_a_restored_review_runs_no_python_file(tmp_path: Path, bot: Path) -> None:
    save(leduc_solver(30), tmp_path / "leduc.blueprint")
    house = House(tmp_path / "data", (tmp_path,))
    room = house.room("reviews") / "abc"
    asked = {"name": "h", "strategy": "leduc.blueprint", "file": str(tmp_path / "leduc.blueprint")}
    asked |= {"player": "Ada", "against": str(bot)}
    written(room / "asked.json", asked)
    (room / "hands").write_text(hands())
    with client_of(house) as client:
        state = ended(client, "reviews/abc")
    assert not bot.with_suffix(".ran").exists()
    assert (state["state"], "is a file" in state["error"]) == ("failed", True)


def test_a_restored_match_runs_no_python_file(tmp_path: Path, bot: Path) -> None:
    house = House(tmp_path / "data")
    asked = {"bots": [str(bot), "fold"], "game": "nolimit-100bb", "hands": 10, "seed": 0}
    rest = {"done": 0, "deals": 0, "result": None, "problem": ""}
    match = {"id": "abc", "state": "running", "asked": asked, **rest}
    written(house.room("matches") / "abc.match.json", match)
    with client_of(house) as client:
        state = ended(client, "matches/abc")
    assert (state["state"], "is a file" in state["problem"]) == ("failed", True)
    assert not bot.with_suffix(".ran").exists()


def test_a_restored_table_runs_no_python_file(tmp_path: Path, bot: Path) -> None:
    house = House(tmp_path / "data")
    begun = {"type": "begun", "id": "abc", "asked": {}, "bots": [str(bot)], "seed": 1, "began": 1.0}
    written(house.room("tables") / "abc.table.jsonl", begun)
    with client_of(house) as client:
        assert client.get(f"{API}/tables/abc").status_code == 404
    assert not bot.with_suffix(".ran").exists()


def test_two_servers_on_one_folder(tmp_path: Path) -> None:
    """The second is refused with the address of the first; kill -9 frees the folder."""
    first, address = started(tmp_path)
    command = [sys.executable, "-c", "from riverboat.cli import main; main()"]
    command += ["serve", "--port", "0", "--data", str(tmp_path)]
    second = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert second.returncode == 2
    assert f"belongs to a server that runs at {address}/" in " ".join(second.stderr.split())
    assert second.stdout == ""
    first.kill()
    ended_server(first)
    third, other = started(tmp_path)
    assert other != address
    third.send_signal(signal.SIGINT)
    ended_server(third)
