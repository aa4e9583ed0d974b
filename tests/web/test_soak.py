"""Thousands of hands over sockets: no card that a seat may not know, and no memory that grows."""

from __future__ import annotations

import json
import os
import random
import runpy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from riverboat.runs import resident_memory
from web_client import API, HEADERS, check_nothing_hidden, client_of, keep_tables, new_table
from web_client import some_move as any_move

if TYPE_CHECKING:
    from riverboat.web import House

pytestmark = pytest.mark.slow
HANDS = 1500
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
    seconds = float(os.environ.get("RIVERBOAT_SOAK_SECONDS", "60"))
    found = run(sessions=300, rate=200.0, seconds=seconds)
    assert found.problems == []
    assert found.decisions > 1000
    assert found.memory[-1] < 1.15 * found.memory[len(found.memory) // 4]
