"""Thousands of hands over sockets: no card that a seat may not know, and no memory that grows."""

from __future__ import annotations

import json
import os
import random
import runpy
import signal
import threading
import time
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from browser.serving import ended, started
from riverboat.histories import read
from riverboat.runs import resident_memory
from web.test_kill import TABLES, ask, played
from web_client import API, HEADERS, check_nothing_hidden, client_of, keep_tables, new_table
from web_client import some_move as any_move

if TYPE_CHECKING:
    from riverboat.web import House

pytestmark = pytest.mark.slow
HANDS = 1500
SECONDS = float(os.environ.get("RIVERBOAT_SOAK_SECONDS", "60"))
SAME = ("hand", "line", "board", "pot", "chairs", "legal", "results")
ENDS = (signal.SIGKILL,) * 3 + (signal.SIGTERM, signal.SIGINT)
GAMES: list[dict[str, Any]] = [
    {"opponents": "random", "seed": 1},
    {"opponents": "fish,random", "seed": 2, "seats": 6, "carry": True},
    {"opponents": "random", "seed": 3, "game": "discard-2017"},
]


@pytest.mark.parametrize("asked", GAMES)
def test_no_hidden_card_in_the_traffic_of_thousands_of_hands(
    house: House, monkeypatch: pytest.MonkeyPatch, asked: dict[str, Any]
) -> None:
    kept = keep_tables(monkeypatch)
    choice = random.Random(4)
    with client_of(house) as client:
        state = new_table(client, **asked)
        path = f"{API}/tables/{state['id']}/play"
        while (state["results"] or {"hands": 0})["hands"] < HANDS:
            with client.websocket_connect(path, headers=HEADERS) as socket:
                told = socket.receive_text()
                for _ in range(50):  # then the line is lost, and there is another
                    check_nothing_hidden(kept[0].session, told)
                    state = json.loads(told)
                    move = {"version": state["version"], "move": any_move(state, choice)}
                    socket.send_text(json.dumps(move))
                    told = socket.receive_text()
                check_nothing_hidden(kept[0].session, told)
        assert len(kept) == 1


def test_memory_stays_as_it_is(house: House) -> None:
    """A server that sets up, plays and leaves tables keeps nothing of them."""
    choice = random.Random(6)
    with client_of(house) as client:

        def sessions(count: int) -> int:
            for seed in range(count):
                state = new_table(client, opponents="blueprint", seed=seed)
                for _ in range(30):
                    body = {"version": state["version"], "move": any_move(state, choice)}
                    path = f"{API}/tables/{state['id']}"
                    state = client.post(f"{path}/move", json=body).json()
                client.delete(path)
            return resident_memory()

        sessions(250)  # what a bot looks up for the first time stays in memory
        first, last = sessions(50), sessions(200)
    assert last - first < 10_000_000  # a kept table is 100 kB: 200 would be 20 MB


def test_many_at_once() -> None:
    """A soak with pages on sockets: RIVERBOAT_SOAK_SECONDS, a minute if not given."""
    run = runpy.run_path(str(Path(__file__).parents[2] / "bench" / "web.py"))["run"]
    found = run(sessions=300, rate=200.0, seconds=SECONDS)
    assert found.problems == []
    assert found.decisions > 1000
    assert found.memory[-1] < 1.15 * found.memory[len(found.memory) // 4]


def reached(state: dict[str, Any]) -> tuple[int, int, int]:
    """How far a table has come."""
    over = state["results"]["hands"] if state["results"] else 0
    return over, state["hand"], len(state["line"])


def play_until_killed(address: str, states: list[Any], choice: random.Random) -> int:
    """Play on all tables until the server is gone; return the table whose answer did not come."""
    while True:
        place = choice.randrange(len(states))
        try:
            states[place] = played(address, states[place], choice, 1)
        except (OSError, HTTPException, json.JSONDecodeError):
            return place
        time.sleep(0.005)


def hands_of(folder: Path, state: dict[str, Any]) -> int:
    """The hands in the file of a session."""
    return sum(len(read(path).hands) for path in folder.glob(f"{state['session']}.*"))


def test_kills_again_and_again(tmp_path: Path) -> None:
    """People play while the server is killed: nothing is lost, and nothing counted twice."""
    choice, kills, end = random.Random(3), 0, time.monotonic() + SECONDS
    process, address = started(tmp_path)
    states = [ask(address, "/tables", {**TABLES[i % 3], "seed": i}) for i in range(24)]
    while time.monotonic() < end:
        timer = threading.Timer(choice.uniform(0.2, 8), process.send_signal, [choice.choice(ENDS)])
        timer.start()
        late = play_until_killed(address, states, choice)
        timer.join()
        ended(process)
        process, address = started(tmp_path)
        kills += 1
        for place, old in enumerate(states):
            new = states[place] = ask(address, f"/tables/{old['id']}")
            if place == late:  # the move may have been made, and nobody told
                assert reached(new) >= reached(old)
            else:
                assert [new[name] for name in SAME] == [old[name] for name in SAME]
    left = [ask(address, f"/tables/{state['id']}", method="DELETE") for state in states]
    process.kill()
    ended(process)
    hands = [state["results"]["hands"] if state["results"] else 0 for state in left]
    assert hands == [hands_of(tmp_path / "tables", state) for state in left]
    assert all(sum(chair["total"] for chair in state["chairs"]) == 0 for state in left)
    print(f"{kills} kills, {sum(hands):,} hands, {len(states)} tables")
