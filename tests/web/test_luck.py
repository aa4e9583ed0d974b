"""Luck-adjusted results of sessions: which hands are scored, by a job that the pages follow."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from riverboat.histories import read
from riverboat.learn import results_without_luck
from web_client import API, client_of, new_table, play_hands

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

    from riverboat.web import House

pytestmark = pytest.mark.browser
#: Limit hold'em has no strategy here, so that AIVAT needs no table.
KNOWN = {"game": "limit", "opponents": "checkcall"}


def get(client: TestClient, path: str) -> Any:
    """Ask for something that is there."""
    found = client.get(f"{API}{path}")
    assert found.status_code == 200, found.text
    return found.json()


def session(client: TestClient, hands: int, **asked: Any) -> str:
    """Play some hands; return the session."""
    state = play_hands(client, new_table(client, **asked), hands)[-1]
    get(client, f"/sessions/{state['session']}")  # saves it
    return str(state["session"])


def scored(client: TestClient) -> dict[str, Any]:
    """Score all hands; return the facts."""
    client.post(f"{API}/luck", json={})
    return ended(client)


def ended(client: TestClient) -> dict[str, Any]:
    """Wait for the end of the job; return the facts."""
    for _ in range(600):
        facts: dict[str, Any] = get(client, "/luck/hands")
        if facts["job"]["state"] not in {"waiting", "running"}:
            return facts
        time.sleep(0.1)
    pytest.fail("the job does not end")


def test_hands_are_scored_once_and_drawn(client: TestClient, house: House) -> None:
    known, other = session(client, 6, seed=1, **KNOWN), session(client, 2, opponents="shark")
    facts = get(client, "/luck/hands")
    assert (facts["hands"], facts["held"], facts["unscored"]) == (8, 0, 6)
    assert (facts["slow"], facts["job"]) == (False, None)
    facts = scored(client)
    assert (facts["held"], facts["unscored"], facts["job"]["state"]) == (6, 0, "finished")
    rows = get(client, f"/sessions/{known}")["rows"]
    [path] = house.room("tables").glob(f"{known}.phh*")
    records = read(path).hands
    wanted = [each or 0.0 for each in results_without_luck(records, "You", "checkcall")]
    assert [row["adjusted"] for row in rows] == pytest.approx(wanted, abs=0.001)
    assert {row["adjusted"] for row in get(client, f"/sessions/{other}")["rows"]} == {None}
    sessions = {row["id"]: row for row in get(client, "/sessions")}
    assert (sessions[known]["held"], sessions[other]["held"]) == (6, 0)
    assert sessions[known]["adjusted"] == pytest.approx(sum(wanted), abs=0.01)
    assert sessions[other]["adjusted"] == sessions[other]["expected"]
    home = get(client, "/home")
    sums = sum(row["adjusted"] / row["unit"] for row in sessions.values())
    assert (home["held"], home["graph"][-1][3]) == (6, pytest.approx(sums, abs=0.02))
    [run] = [each for each in get(client, "/watch") if each["kind"] == "luck"]
    assert (run["state"], run["share"], run["job"]) == (
        "finished",
        1,
        f"/luck/{facts['job']['id']}",
    )


def test_later_hands_are_scored_later(client: TestClient) -> None:
    state = play_hands(client, new_table(client, seed=2, **KNOWN), 2)[-1]
    assert get(client, f"/sessions/{state['session']}")["hands"] == 2
    assert scored(client)["held"] == 2
    first = get(client, f"/sessions/{state['session']}")["rows"]
    play_hands(client, state, 4)
    assert get(client, f"/sessions/{state['session']}")["hands"] == 4
    assert get(client, "/luck/hands")["unscored"] == 2
    assert scored(client)["held"] == 4
    assert get(client, f"/sessions/{state['session']}")["rows"][:2] == first


@pytest.mark.parametrize(
    "asked",
    [
        {"opponents": "checkcall", "seats": 3},
        {"opponents": "montecarlo-plus"},  # it learns
        {"opponents": "checkcall", "game": "leduc"},
    ],
)
def test_aivat_needs_two_players_and_a_known_strategy(
    client: TestClient, asked: dict[str, Any]
) -> None:
    session(client, 2, seed=1, **asked)
    facts = get(client, "/luck/hands")
    assert (facts["hands"], facts["unscored"]) == (2, 0)
    facts = scored(client)
    assert (facts["held"], facts["job"]["state"]) == (0, "finished")


def test_a_table_is_asked_for_first(client: TestClient) -> None:
    """In the game of the default strategy, whose table nobody has computed here."""
    session(client, 2, opponents="checkcall")
    facts = get(client, "/luck/hands")
    assert (facts["unscored"], facts["slow"]) == (2, True)


def test_results_outlive_the_server_and_go_with_their_session(house: House) -> None:
    with client_of(house) as client:
        number = session(client, 2, seed=1, **KNOWN)
        assert scored(client)["held"] == 2
        [table] = house.room("tables").glob("*.table.jsonl")
        client.delete(f"{API}/tables/{table.name.partition('.')[0]}")
    with client_of(house) as client:
        assert get(client, "/home")["held"] == 2
        file = house.room("luck") / f"{number}.luck.json"
        file.write_text("[1.0, ")  # damaged: they are scored again
        assert get(client, "/luck/hands")["unscored"] == 2
        assert scored(client)["held"] == 2
        client.delete(f"{API}/sessions/{number}")
        assert not file.exists()


def test_it_is_stopped_and_resumed(client: TestClient) -> None:
    session(client, 3, seed=1, **KNOWN)
    number = client.post(f"{API}/luck", json={}).json()["id"]
    assert client.post(f"{API}/luck", json={}).json()["id"] == number  # one at a time
    stopped = client.post(f"{API}/luck/{number}/stop", json={}).json()
    if stopped["state"] == "stopped":  # on a fast machine it may have finished
        resumed = client.post(f"{API}/luck/{number}/resume", json={}).json()
        assert (resumed["id"], resumed["state"]) in {(number, "waiting"), (number, "running")}
    assert ended(client)["held"] == 3
