"""Sessions over the API: list, hands, export, review, questions, deletion."""

from __future__ import annotations

import random
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pytest

from riverboat.histories import from_text, read
from riverboat.web import _home
from web_client import API, move, new_table, play_hands, some_move

if TYPE_CHECKING:
    from pathlib import Path

    from fastapi.testclient import TestClient

    from riverboat.web import House

pytestmark = pytest.mark.browser
SAMPLE = files("riverboat.web") / "sample.phhs"


def get(client: TestClient, path: str) -> Any:
    """Ask for something that is there."""
    found = client.get(f"{API}{path}")
    assert found.status_code == 200, found.text
    return found.json()


def test_the_sample_is_shown_until_there_is_a_session(client: TestClient) -> None:
    [sample] = get(client, "/sessions")
    assert (sample["id"], sample["hands"]) == ("sample", 60)
    assert get(client, "/home")["sample"]
    assert len(SAMPLE.read_bytes()) < 200_000
    state = play_hands(client, new_table(client, seed=3, opponents="checkcall"), 4)[-1]
    assert get(client, f"/sessions/{state['session']}")["hands"] == 4  # saved when it is asked for
    [row] = get(client, "/sessions")
    assert (row["id"], row["live"]) == (state["session"], True)
    assert row["won"] == state["chairs"][0]["total"]
    assert row["opponents"] == ["Stan (checkcall)"]
    home = get(client, "/home")
    assert not home["sample"]
    assert home["graph"][-1][:2] == [4, row["won"] / 10]
    refused = client.delete(f"{API}/sessions/{state['session']}")
    assert "still being played" in refused.json()["error"]
    client.delete(f"{API}/tables/{state['id']}")
    assert client.delete(f"{API}/sessions/{state['session']}").json()["id"] == "sample"


def test_a_hand_is_replayed_as_it_was(client: TestClient) -> None:
    state = move(client, new_table(client, seed=5, seats=3, opponents="checkcall"), "deal")
    while state["phase"] == "yours":
        state = move(client, state, "k" if state["legal"]["check"] else "c")
    found = get(client, f"/sessions/{state['session']}/hands/1")
    assert found["board"] == state["board"]
    assert found["winners"] == state["winners"]
    for player, chair in zip(found["players"], state["chairs"], strict=True):
        assert (player["name"], player["cards"]) == (chair["name"], chair["cards"])
        assert (player["net"], player["button"]) == (chair["net"], chair["button"])
        assert player["stack"] + player["net"] == chair["stack"]
    assert len(found["frames"]) == state["line"].replace("/", "").__len__()
    refused = client.get(f"{API}/sessions/{state['session']}/hands/2")
    assert refused.json()["error"] == "the session has hands 1 to 1, not 2"


def test_hidden_cards_stay_hidden(client: TestClient) -> None:
    """The opponent's cards of a hand that ended by a fold are not in the replay."""
    state = move(client, new_table(client, seed=1, opponents="checkcall"), "deal")
    state = move(client, state, "f")
    found = get(client, f"/sessions/{state['session']}/hands/1")
    assert found["players"][1]["cards"] == ["??", "??"]


def test_export_of_bytes_that_are_no_text(client: TestClient, house: House) -> None:
    state = play_hands(client, new_table(client, seed=3, opponents="checkcall"), 2)[-1]
    client.delete(f"{API}/tables/{state['id']}")
    [path] = house.room("tables").glob(f"{state['session']}.phhs")
    path.write_bytes(path.read_bytes() + b"\n# \xed\xa0\x80\n")
    found = client.get(f"{API}/sessions/{state['session']}/export")
    assert found.status_code == 200
    assert found.text.startswith("[1]")


def test_export(client: TestClient, tmp_path: Path) -> None:
    phh = client.get(f"{API}/sessions/sample/export").text
    assert phh == SAMPLE.read_text(encoding="utf-8")
    stars = client.get(f"{API}/sessions/sample/export?format=pokerstars").text
    path = tmp_path / "stars.txt"
    path.write_text(stars, encoding="utf-8")
    hands = read(path).hands
    assert len(hands) == 60
    assert [each.line for each in hands] == [each.line for each in read(str(SAMPLE)).hands]
    assert from_text(phh.split("[2]")[0].partition("]")[2].strip(), "phh").names[0] == "You"


def test_mistakes_are_asked_again(client: TestClient) -> None:
    found = client.post(f"{API}/sessions/sample/again", json={}).json()
    assert found["decisions"] > 60
    assert 0 < found["questions"] <= 20
    answers = client.get(f"{API}/drill/export").json()["answers"]
    assert len(answers) == found["questions"]
    assert {each["rating"] for each in answers} == {"again"}


def test_each_mistake_becomes_a_question_once(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_home, "_MOST_AGAIN", 2)
    counts: list[int] = []
    while not counts or counts[-1]:
        counts.append(client.post(f"{API}/sessions/sample/again", json={}).json()["questions"])
    answers = client.get(f"{API}/drill/export").json()["answers"]
    asked = {(each["line"], each["board"], each["hole"]) for each in answers}
    assert len(asked) == len(answers) == sum(counts)
    assert counts == [2, 1, 0]  # the sample has three mistakes


def test_examples_have_a_matrix(client: TestClient) -> None:
    examples = get(client, "/examples")
    assert len(examples) == 4
    for example in examples:
        assert len(example["cells"]) == 169
        known = [cell for cell in example["cells"] if cell]
        assert known
        assert all(abs(sum(cell) - 1) < 0.01 for cell in known)
        assert client.get(example["address"]).status_code == 200


def test_an_export_has_no_cards_that_the_host_did_not_see(
    client: TestClient, house: House, tmp_path: Path
) -> None:
    host, choice = new_table(client, people=2, seats=3, opponents="checkcall"), random.Random(4)
    chairs = host["id"], host["invite"]
    get(client, f"/tables/{chairs[1]}")
    while (host["results"] or {"hands": 0})["hands"] < 6 or host["phase"] != "over":
        states = [get(client, f"/tables/{chair}") for chair in chairs]
        mine = next((each for each in states if each["phase"] == "yours"), states[0])
        move(client, mine, some_move(mine, choice))
        host = get(client, f"/tables/{chairs[0]}")
    path = f"/sessions/{host['session']}"
    replays = [get(client, f"{path}/hands/{place}")["players"] for place in range(1, 7)]
    full = read(house.room("tables") / f"{host['session']}.phhs").hands
    hidden = 0
    for format_, name in (("phh", "a.phhs"), ("pokerstars", "a.txt")):
        (tmp_path / name).write_text(client.get(f"{API}{path}/export?format={format_}").text)
        found = read(tmp_path / name).hands
        assert [each.payoffs() for each in found] == [each.payoffs() for each in full]
        for record, players in zip(found, replays, strict=True):
            told = {
                record.names[seat]: [-1 in record.hand().hole_cards(seat)] * 2 for seat in range(3)
            }
            assert told == {
                each["name"]: [card == "??" for card in each["cards"]] for each in players
            }
            hidden += told["Player 2"][0]
    assert hidden


def test_a_session_does_not_give_the_table_away(client: TestClient) -> None:
    """The id of a table is the secret of its first chair: no list of sessions has it."""
    host = new_table(client, people=2)
    chairs = host["id"], host["invite"]
    for _ in range(2):
        get(client, f"/tables/{chairs[1]}")  # the second person comes
        move(client, get(client, f"/tables/{chairs[0]}"), "deal")
        states = [get(client, f"/tables/{chair}") for chair in chairs]
        move(client, next(each for each in states if each["phase"] == "yours"), "f")
    session = host["session"]
    assert get(client, f"/sessions/{session}")["hands"] == 2
    told = [get(client, path) for path in ("/sessions", "/home", f"/sessions/{session}")]
    assert chairs[0] not in str(told)
    assert client.get(f"{API}/sessions/{chairs[0]}").status_code == 400
    assert client.get(f"{API}/tables/{session}").status_code == 404
    assert client.delete(f"{API}/tables/{session}").status_code == 404


@pytest.mark.parametrize("number", ["none", "..", "%2e%2e%2fsecret"])
def test_other_files_are_not_sessions(client: TestClient, number: str) -> None:
    assert client.get(f"{API}/sessions/{number}").status_code in {400, 404}
    assert (
        "sample session cannot be deleted"
        in client.delete(f"{API}/sessions/sample").json()["error"]
    )
