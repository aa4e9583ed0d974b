"""A real server, killed with -9 while people play, a solve runs and a match is played."""

from __future__ import annotations

import json
import os
import random
import signal
import time
import urllib.request
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pytest

from browser.serving import ended, started
from riverboat.arena import Ledger
from riverboat.histories import read
from web_client import some_move

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.browser
TABLES: list[dict[str, Any]] = [
    {"opponents": "random", "seed": 1},
    {"opponents": "random", "seed": 2, "seats": 4, "carry": True},
    {"opponents": "random", "seed": 3, "game": "discard-2017"},
]
SPOT = {"board": "Ks7h2d3c", "pot": 50, "stack": 400, "oop": "QQ,77", "ip": "AK", "menu": "50%, a"}
SOLVE = {"spot": SPOT, "target": 1e-6, "seconds": 60}
MATCH = {"bots": ["fish", "random"], "hands": 4000, "seed": 7}
PATIENCE = 90


def ask(address: str, path: str, body: Any = None, method: str | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json"}
    asked = urllib.request.Request(f"{address}/api/v1{path}", data, headers, method=method)  # noqa: S310
    with urllib.request.urlopen(asked) as answer:  # noqa: S310 - ours
        return json.load(answer)


def played(address: str, state: dict[str, Any], choice: random.Random, moves: int) -> Any:
    for _ in range(moves):
        body = {"version": state["version"], "move": some_move(state, choice)}
        state = ask(address, f"/tables/{state['id']}/move", body)
    return state


def came_to(address: str, path: str, *states: str) -> dict[str, Any]:
    deadline = time.monotonic() + PATIENCE
    while True:
        found: dict[str, Any] = ask(address, path)
        if found["state"] in states:
            return found
        assert time.monotonic() < deadline, found
        time.sleep(0.1)


def test_nothing_is_lost_and_nothing_counted_twice(tmp_path: Path) -> None:
    choice, folder = random.Random(5), tmp_path / "tables"
    before = len(Ledger().entries())
    process, address = started(tmp_path)
    states = [ask(address, "/tables", asked) for asked in TABLES]
    solve, match = ask(address, "/solves", SOLVE), ask(address, "/matches", MATCH)
    came_to(address, f"/solves/{solve['id']}", "running")
    for end in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):  # in the middle of hands
        states = [played(address, state, choice, 7) for state in states]
        process.send_signal(end)
        ended(process)
        process, address = started(tmp_path)
        for place, old in enumerate(states):
            new = ask(address, f"/tables/{old['id']}")
            same = ("hand", "line", "board", "pot", "chairs", "legal", "results")
            assert {name: new[name] for name in same} == {name: old[name] for name in same}
            states[place] = new
    assert came_to(address, f"/solves/{solve['id']}", "running", "finished")["problem"] == ""
    assert came_to(address, f"/matches/{match['id']}", "finished", "failed")["problem"] == ""
    hands = [state["results"]["hands"] if state["results"] else 0 for state in states]
    left = [ask(address, f"/tables/{state['id']}", method="DELETE") for state in states]
    process.kill()
    ended(process)
    entries = Ledger().entries()[before:]
    assert sorted(each.kind for each in entries) == ["match", "play", "play", "play"]
    for state, number in zip(left, hands, strict=True):
        assert state["results"]["hands"] in {number, number + 1}  # the hand on the table was folded
        assert sum(chair["total"] for chair in state["chairs"]) == 0
        [file] = folder.glob(f"{state['session']}.*")
        assert len(read(file).hands) == state["results"]["hands"]
    counted = sorted(each.hands for each in entries if each.kind == "play")
    assert counted == sorted(state["results"]["hands"] for state in left)


def test_a_review_goes_on_after_the_end_of_all_processes(tmp_path: Path) -> None:
    """SIGTERM to the whole group, as from systemd."""
    sample = (files("riverboat.web") / "sample.phhs").read_text(encoding="utf-8")
    process, address = started(tmp_path, group=True)
    review = ask(address, "/reviews", {"text": sample, "solve": True})
    came_to(address, f"/reviews/{review['id']}", "running", "solving")
    os.killpg(process.pid, signal.SIGTERM)
    ended(process)
    process, address = started(tmp_path, group=True)
    state = ask(address, f"/reviews/{review['id']}")
    ask(address, f"/reviews/{review['id']}", method="DELETE")
    os.killpg(process.pid, signal.SIGTERM)
    ended(process)
    assert (state["state"], state["error"]) in {("running", ""), ("solving", ""), ("finished", "")}
