"""Tables: playing over sockets, going on after a kill, nothing twice, nothing that is hidden."""

from __future__ import annotations

import asyncio
import errno
import json
import random
import time
from typing import TYPE_CHECKING, Any

import pytest
from starlette.websockets import WebSocketDisconnect

from own_loop import run_alone
from riverboat.arena import Ledger
from riverboat.game import Hand, catalogue
from riverboat.histories import read
from riverboat.web import _tables
from riverboat.web._journal import Begun, Journal
from riverboat.web._shelf import Shelf
from riverboat.web._table import Table
from riverboat.web._table_state import NewTable, Preset, _presets
from riverboat.web._turns import Searches
from web_client import (
    API,
    HEADERS,
    check_nothing_hidden,
    client_of,
    keep_tables,
    move,
    new_table,
    play_hands,
    some_move,
    try_move,
)

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

    from riverboat.web import House
    from riverboat.web._in_my_seat import Choice

pytestmark = pytest.mark.browser


def test_a_session_adds_up_and_is_kept(client: TestClient, house: House) -> None:
    states = play_hands(client, new_table(client, seed=3, opponents="checkcall"), 12)
    last = states[-1]
    assert last["results"]["hands"] == 12
    assert last["results"]["chips"] == last["chairs"][0]["total"]
    assert sum(chair["total"] for chair in last["chairs"]) == 0
    client.delete(f"{API}/tables/{last['id']}")
    assert client.get(f"{API}/tables/{last['id']}").status_code == 404
    file = house.room("tables") / f"{last['session']}.phhs"
    assert len(read(file).hands) == 12
    entry = Ledger().entries()[-1]
    assert (entry.kind, entry.hands) == ("play", 12)
    assert not list(house.room("tables").glob("*.jsonl"))


def test_a_move_is_made_once(client: TestClient) -> None:
    state = move(client, new_table(client, seed=1, opponents="checkcall"), "deal")
    after = move(client, state, "c")
    body = {"version": state["version"], "move": "c"}
    again = client.post(f"{API}/tables/{state['id']}/move", json=body)
    assert again.status_code == 400
    assert "has changed meanwhile" in again.json()["error"]
    assert client.get(f"{API}/tables/{state['id']}").json() == after


@pytest.mark.parametrize("bad", ["b1", "b99999", "x", "", "k", "d Ah", "b-5", "deal"])
def test_a_bad_move_changes_nothing(client: TestClient, bad: str) -> None:
    state = move(client, new_table(client, seed=1, opponents="checkcall"), "deal")
    body = {"version": state["version"], "move": bad}
    found = client.post(f"{API}/tables/{state['id']}/move", json=body)
    assert found.status_code == 400
    now = client.get(f"{API}/tables/{state['id']}").json()
    assert {**now, "version": 0, "problem": ""} == {**state, "version": 0, "problem": ""}


def test_a_full_disk_does_not_end_a_table(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = move(client, new_table(client, seed=1, opponents="checkcall"), "deal")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Journal, "write", full)
        state = move(client, state, "c")
    assert state["phase"] == "yours"
    assert "this table cannot be saved: No space left" in state["problem"]
    assert move(client, state, "k")["problem"] == ""


def test_one_table_that_cannot_be_tidied(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are, and again and again."""
    monkeypatch.setattr(_tables, "_LOOK", 0.01)
    saved: list[str] = []

    async def save(table: Table) -> None:
        saved.append(table.id)
        if table.id == saved[0]:
            raise OSError("the disk is gone")

    monkeypatch.setattr(Table, "save", save)

    async def tidied() -> None:
        tables = _tables.Tables(house, Searches(), Shelf(()))
        for _ in range(2):
            await tables.new(NewTable(opponents="checkcall"))
        tidy = asyncio.create_task(tables.tidy())
        while len(saved) < 5:
            await asyncio.sleep(0.01)
        tidy.cancel()

    run_alone(asyncio.wait_for(tidied(), 30))
    assert len(set(saved)) == 2


def test_a_raise_that_can_only_be_all_in_says_so() -> None:
    hand = Hand.from_line(catalogue("nolimit-100bb"), "b510", seed=1)
    assert _presets(hand.view(1)) == [Preset("all-in", 1000)]
    limit = Hand(catalogue("limit"), seed=1)
    assert [each.name for each in _presets(limit.view(0))] == ["min"]


def test_presets_are_sizes_that_people_use() -> None:
    open_ = Hand(catalogue("nolimit-100bb"), seed=1)
    assert _presets(open_.view(0))[:2] == [Preset("2.5x", 25), Preset("3x", 30)]
    raised = Hand.from_line(catalogue("nolimit-100bb"), "b25", seed=1)
    assert _presets(raised.view(1))[1] == Preset("3x", 75)
    flop = Hand.from_line(catalogue("nolimit-100bb"), "b25c/", seed=1)  # pot 50
    assert [each.to for each in _presets(flop.view(1))] == [17, 25, 38, 63, 975]


def test_frames_show_what_happened_since_the_last_decision(client: TestClient) -> None:
    state = move(client, new_table(client, seed=1, opponents="checkcall"), "deal")
    assert state["frames"] == []
    state = move(client, state, "b30")
    frames = [(each["chair"], each["said"], each["bets"], each["pot"]) for each in state["frames"]]
    assert frames[:2] == [(0, "raises to 30", [30, 10], 40), (1, "calls 20", [30, 30], 60)]
    assert state["winners"] == []
    while state["phase"] == "yours":
        state = move(client, state, "k")
    assert state["pot"] == 0
    assert {chair["bet"] for chair in state["chairs"]} == {0}
    assert sum(chair["net"] for chair in state["chairs"]) == 0
    assert sum(each["chips"] for each in state["winners"]) == 60
    assert all(each["words"] for each in state["winners"])


def test_the_default_opponent_is_that_of_the_terminal(client: TestClient) -> None:
    assert new_table(client, seed=1)["chairs"][1]["name"] == "Sol (search)"
    [*names] = [chair["name"] for chair in new_table(client, seats=6)["chairs"]]
    assert "random" not in str(names)
    assert len(set(names)) == 6


def test_two_people_at_one_table(client: TestClient, house: House) -> None:
    host = new_table(client, seats=3, people=2, opponents="checkcall")
    early = try_move(client, host, "deal")
    assert "has not come yet" in early["error"]
    guest = client.get(f"{API}/tables/{host['invite']}").json()
    assert (guest["you"], guest["id"]) == (1, host["invite"])
    assert [chair["name"] for chair in guest["chairs"]] == ["Player 1", "You", "Stan (checkcall)"]
    for _ in range(2):
        host = client.get(f"{API}/tables/{host['id']}").json()
        assert host["invite"] == ""
        host = move(client, host, "deal")
        while host["phase"] != "over":
            guest = client.get(f"{API}/tables/{guest['id']}").json()
            states = {state["phase"]: state for state in (host, guest)}
            assert sorted(states) == ["thinking", "yours"]
            assert "not your turn" in try_move(client, states["thinking"], "c")["error"]
            for me, other in ((0, guest), (1, host)):
                assert other["chairs"][me]["cards"] == ["??", "??"]
            acting = states["yours"]
            move(client, acting, "k" if acting["legal"]["check"] else "c")
            host = client.get(f"{API}/tables/{host['id']}").json()
        guest = client.get(f"{API}/tables/{guest['id']}").json()
        assert guest["results"]["chips"] == host["chairs"][1]["total"]
    assert "only the person" in client.delete(f"{API}/tables/{guest['id']}").json()["error"]
    with client_of(house) as second:  # both go on after a kill
        assert second.get(f"{API}/tables/{guest['id']}").json()["hand"] == 2
        second.delete(f"{API}/tables/{host['id']}")
        assert second.get(f"{API}/tables/{guest['id']}").status_code == 404


def test_nobody_chooses_the_cards_of_two_people(client: TestClient) -> None:
    """A table alone with the same seed would have the same cards."""
    refused = client.post(f"{API}/tables", json={"people": 2, "seed": 5})
    assert refused.status_code == 400
    assert "the seed 5 is for one person" in refused.json()["error"]


def test_over_a_socket(client: TestClient) -> None:
    table = new_table(client, seed=5, opponents="checkcall")
    with client.websocket_connect(f"{API}/tables/{table['id']}/play", headers=HEADERS) as socket:
        assert socket.receive_json() == table
        socket.send_text(json.dumps({"version": table["version"], "move": "deal"}))
        state = socket.receive_json()
        assert state["phase"] == "yours"
        socket.send_text("nonsense")
        assert "error" in socket.receive_json()
        socket.send_text(json.dumps({"version": state["version"], "move": "b1"}))
        assert "error" in socket.receive_json()
    with client.websocket_connect(f"{API}/tables/{table['id']}/play", headers=HEADERS) as socket:
        assert socket.receive_json()["hand"] == 1  # the page was lost and comes back


def test_a_socket_of_no_table(client: TestClient) -> None:
    with (
        client.websocket_connect(f"{API}/tables/none/play", headers=HEADERS) as socket,
        pytest.raises(WebSocketDisconnect),
    ):
        socket.receive_json()


@pytest.mark.parametrize(
    "asked",
    [
        {"seed": 7, "opponents": "blueprint"},
        {"seed": 8, "game": "discard-2017", "opponents": "random"},
        {"seed": 9, "game": "limit"},  # against the limit strategy that ships
        {"seed": 9, "seats": 4, "opponents": "random", "carry": True},
    ],
)
def test_it_goes_on_after_a_kill(house: House, asked: dict[str, Any]) -> None:
    first = client_of(house)
    first.__enter__()  # never left: the server is killed
    states = play_hands(first, new_table(first, **asked), 3)
    state = move(first, states[-1], "deal")
    with client_of(house) as second:
        found = second.get(f"{API}/tables/{state['id']}").json()
        changing = dict.fromkeys(("version", "problem", "wait", "seconds_left"), None)
        assert {**found, **changing} == {**state, **changing}
        play_hands(second, found, 5)
        second.delete(f"{API}/tables/{state['id']}")
    [file] = [*house.room("tables").glob(f"{state['session']}.phhs"),
              *house.room("tables").glob(f"{state['session']}.jsonl")]  # fmt: skip
    assert len(read(file).hands) == Ledger().entries()[-1].hands == 5


def test_a_journal_that_was_cut_off(house: House) -> None:
    with client_of(house) as client:
        state = move(client, new_table(client, seed=2, opponents="checkcall"), "deal")
    [journal] = house.room("tables").glob("*.table.jsonl")
    journal.write_bytes(journal.read_bytes() + b'{"type":"reached","hand":2,"act')
    (house.room("tables") / "other.table.jsonl").write_bytes(b"\xff\x00garbage\n")
    with client_of(house) as client:
        assert client.get(f"{API}/tables/{state['id']}").json()["hand"] == 1


def test_the_clock_checks_or_folds(client: TestClient) -> None:
    table = new_table(client, seed=1, opponents="checkcall", seconds=0.05)
    state = move(client, table, "deal")
    assert 0 <= state["seconds_left"] <= 0.05
    for _ in range(100):
        time.sleep(0.02)
        state = client.get(f"{API}/tables/{table['id']}").json()
        if state["phase"] == "over":
            break
    assert state["line"] == "f"


def test_choices_are_told_when_the_hand_is_over(client: TestClient) -> None:
    state = move(client, new_table(client, seed=1), "deal")
    early = client.get(f"{API}/tables/{state['id']}/choices")
    assert early.status_code == 400
    state = move(client, state, "f")
    [choice] = client.get(f"{API}/tables/{state['id']}/choices").json()
    assert choice["did"] == "f"
    assert sum(choice["actions"].values()) == pytest.approx(1)


def test_choices_of_a_hand_before_a_restart(house: House) -> None:
    with client_of(house) as client:
        state = move(client, new_table(client, opponents="checkcall", seed=1), "deal")
        state = move(client, state, "c")
        while state["phase"] == "yours":
            state = move(client, state, "f" if state["legal"]["fold"] else "k")
        before = client.get(f"{API}/tables/{state['id']}/choices").json()
    with client_of(house) as client:
        after = client.get(f"{API}/tables/{state['id']}/choices").json()
    assert [each["did"] for each in after][:2] == ["c", "k"]
    assert [{**each, "values": 0, "loss": 0, "error": 0} for each in after] == [
        {**each, "values": 0, "loss": 0, "error": 0} for each in before
    ]


@pytest.mark.parametrize("game", ["nolimit-100bb", "discard-2017", "leduc"])
def test_no_hidden_card_leaves_the_server(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """Every state of many hands has no card but the person's, the board's and those shown."""
    kept = keep_tables(monkeypatch)
    state = new_table(client, seed=11, game=game, opponents="random")
    choice = random.Random(2)
    for _ in range(120):
        state = move(client, state, some_move(state, choice))
        check_nothing_hidden(kept[0].session, json.dumps(state))


def test_choices_are_empty_while_the_next_hand_is_dealt(house: House) -> None:
    """A person may deal before the page has asked for the grades of the last hand."""

    async def asked() -> list[list[Choice]]:
        begun = Begun("id", NewTable(opponents="checkcall", seed=1), ["checkcall"], 1, 0.0)
        folder = house.room("tables")
        table = Table(begun, Journal.begin(folder, begun), folder, None)
        await table.deal(table.version)
        await table.move(table.version, "f")
        found = [await table.in_my_seat(1)]
        dealing = asyncio.create_task(table.deal(table.version))
        while not dealing.done():
            await asyncio.sleep(0)
            if table.state().phase == "thinking":
                found.append(await table.in_my_seat(1))
                break
        await dealing
        return found

    graded, while_dealt = run_alone(asked())
    assert [len(graded), len(while_dealt)] == [1, 0]
