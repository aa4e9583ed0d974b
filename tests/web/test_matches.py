"""Matches: played, stopped, resumed, kept across servers."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest

from riverboat.arena import Ledger, Match, MatchSettings, play_matches
from riverboat.errors import ArenaError
from web_client import API, HEADERS, client_of

if TYPE_CHECKING:
    from pathlib import Path

    from fastapi.testclient import TestClient

    from riverboat.web import House

pytestmark = pytest.mark.browser
SHORT = {"bots": ["random", "checkcall"], "game": "leduc", "hands": 200, "seed": 3}
#: Would take minutes.
LONG = {"bots": ["fish", "fish"], "hands": 1_000_000}


def begun(client: TestClient, asked: dict[str, Any]) -> str:
    return str(client.post(f"{API}/matches", json=asked).json()["id"])


def reached(client: TestClient, number: str, *states: str, least: int = 0) -> dict[str, Any]:
    """The match when it has come to one of these states, with so many deals."""
    path = f"{API}/matches/{number}/progress"
    with client.websocket_connect(path, headers=HEADERS) as socket:
        while True:
            match: dict[str, Any] = socket.receive_json()
            if match["state"] in states and match["done"] >= least:
                return match


def test_it_is_played_and_entered(client: TestClient) -> None:
    match = reached(client, begun(client, SHORT), "finished", "failed")
    assert (match["problem"], match["done"]) == ("", match["deals"])
    assert match["result"]["hands"] == 200
    assert Ledger().entries()[-1].hands == 200
    assert client.delete(f"{API}/matches/{match['id']}").status_code == 200
    assert client.get(f"{API}/matches/{match['id']}").status_code == 404


def test_it_has_a_curve_with_its_interval_and_a_verdict(client: TestClient) -> None:
    asked = {"bots": ["fold", "checkcall"], "hands": 2000, "seed": 3}
    match = reached(client, begun(client, asked), "finished", "failed")
    hands, mean, low, high = match["curve"][-1]
    assert (hands, match["unit"]) == (2000, "bb / 100 hands")
    assert low <= mean <= high < 0
    assert match["result"]["verdict"]["winner"] == "checkcall"


def test_a_failed_match_is_not_running(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A bot that fails most decisions ends a match; Watch says so, until it is resumed."""
    monkeypatch.setenv("RIVERBOAT_LEDGER", str(tmp_path / "ledger.sqlite"))
    bad = tmp_path / "bad.py"
    bad.write_text("class Bad:\n    def act(self, view):\n        return 'nonsense'\n")
    settings = MatchSettings((str(bad), "fold"), "nolimit-100bb", hands=400, seed=3)
    match = Match(settings, ledger=Ledger())
    with pytest.raises(ArenaError, match="failed"):
        list(play_matches([match], workers=1))
    [run] = [each for each in client.get(f"{API}/watch").json() if each["kind"] == "match"]
    assert run["state"] == "failed"
    assert "bad.py" in run["problem"]
    assert Ledger().entries()[-1].problem == run["problem"]


def test_watch_stops_and_resumes_a_match(client: TestClient) -> None:
    number = begun(client, {**LONG, "seed": 5})
    reached(client, number, "running")

    def seen() -> dict[str, Any]:
        name = "fish against fish"
        [run] = [run for run in client.get(f"{API}/watch").json() if run["name"] == name]
        return dict(run)

    assert (seen()["state"], seen()["job"]) == ("running", f"/matches/{number}")
    client.post(f"{API}{seen()['job']}/stop", json={})
    assert seen()["state"] == "stopped"
    client.post(f"{API}{seen()['job']}/resume", json={})
    reached(client, number, "running", "waiting")
    client.post(f"{API}{seen()['job']}/stop", json={})


def test_it_is_stopped_and_one_waits(client: TestClient) -> None:
    first, second = begun(client, LONG), begun(client, {**LONG, "seed": 1})
    reached(client, first, "running")
    assert client.get(f"{API}/matches/{second}").json()["state"] == "waiting"
    assert client.delete(f"{API}/matches/{first}").status_code == 400
    assert client.post(f"{API}/matches/{second}/stop", json={}).json()["state"] == "stopped"
    assert client.post(f"{API}/matches/{first}/stop", json={}).json()["state"] == "stopped"
    assert client.post(f"{API}/matches/{first}/stop", json={}).json()["state"] == "stopped"


def test_it_goes_on_after_a_stop_with_the_same_result(client: TestClient) -> None:
    asked = {**SHORT, "hands": 12_000}
    number = begun(client, asked)
    reached(client, number, "running", "finished", least=1)
    stopped = client.post(f"{API}/matches/{number}/stop", json={}).json()
    assert stopped["done"] > 0
    assert stopped["state"] in {"stopped", "finished"}  # on a fast machine
    if stopped["state"] == "stopped":
        client.post(f"{API}/matches/{number}/resume", json={})
    match = reached(client, number, "finished", "failed")
    whole = reached(client, begun(client, asked), "finished", "failed")
    chips = [[bot["chips"] for bot in each["result"]["bots"]] for each in (match, whole)]
    assert chips[0] == chips[1]
    assert [entry.hands for entry in Ledger().entries()[-2:]] == [12_000, 12_000]


def test_it_goes_on_after_a_kill(house: House) -> None:
    with client_of(house) as client:
        match = reached(client, begun(client, SHORT), "finished")
    [file] = house.room("matches").glob("*.job.json")
    record = json.loads(file.read_text())
    file.write_text(json.dumps({**record, "state": "running", "result": None}))
    with client_of(house) as client:
        again = reached(client, match["id"], "finished", "failed")
        assert again["problem"] == ""
        assert again["result"]["hands"] == 200


def test_a_failure_is_told(client: TestClient) -> None:
    number = begun(client, {"bots": ["blueprint", "random"], "game": "kuhn"})
    match = reached(client, number, "failed")
    assert match["problem"]
    again = client.post(f"{API}/matches/{match['id']}/resume", json={})
    assert again.json()["state"] in {"running", "failed"}
    deadline = time.monotonic() + 60
    while client.get(f"{API}/matches/{match['id']}").json()["state"] != "failed":
        assert time.monotonic() < deadline
