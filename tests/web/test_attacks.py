"""What was tried against the server: files, links, messages, crowds, looks at the wrong time."""

from __future__ import annotations

import json
import random
import resource
import threading
from typing import TYPE_CHECKING, Any

import pytest
from starlette.websockets import WebSocketDisconnect

from riverboat.game import catalogue_names
from riverboat.table import Session
from riverboat.web import hashed
from web_client import (
    API,
    HEADERS,
    check_nothing_hidden,
    client_of,
    keep_tables,
    move,
    new_table,
    some_move,
    try_move,
)

if TYPE_CHECKING:
    from pathlib import Path

    from fastapi.testclient import TestClient
    from starlette.testclient import WebSocketTestSession

    from riverboat.web import House

pytestmark = pytest.mark.browser


def table(client: TestClient, **asked: Any) -> dict[str, Any]:
    return new_table(client, **{"opponents": "checkcall", "seed": 1, **asked})


def closing(socket: WebSocketTestSession) -> WebSocketDisconnect:
    """How a line ends, whatever comes before."""
    while True:
        try:
            socket.receive_json()
        except WebSocketDisconnect as closed:
            return closed


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file of this machine that no page may read."""
    path = tmp_path / "secret.txt"
    path.write_text("hunter2 is the word\n")
    return path


def test_no_game_is_read_from_a_file(client: TestClient, secret: Path) -> None:
    for path, body in (
        ("tables", {}),
        ("strategy", {"hole": "AhKh"}),
        ("matches", {"bots": ["fold", "fold"]}),
    ):
        found = client.post(f"{API}/{path}", json={**body, "game": str(secret)[:80]})
        assert found.status_code == 400
        assert "not a game of the catalogue" in found.json()["error"]
        assert "hunter2" not in found.text


@pytest.mark.parametrize("bot", ["blueprint:{}", "search:{}", "cfrv1:file={}", "blueprint: {}"])
def test_no_bot_plays_from_any_file(client: TestClient, secret: Path, bot: str) -> None:
    named = bot.format(secret)
    for path, body in (
        ("tables", {"opponents": named}),
        ("strategy", {"hole": "AhKh", "bot": named}),
        ("matches", {"bots": [named, "fold"]}),
    ):
        found = client.post(f"{API}/{path}", json=body)
        assert found.status_code == 400
        assert "there is no strategy" in found.json()["error"]


def test_a_bot_plays_from_a_file_of_the_shelf(client: TestClient) -> None:
    asked = {"hole": "AhKh", "line": "b25"}
    found = client.post(f"{API}/strategy", json={**asked, "bot": "blueprint:default,streets=4"})
    usual = client.post(f"{API}/strategy", json={**asked, "bot": "blueprint"})
    assert found.json()["actions"] == usual.json()["actions"]


@pytest.mark.parametrize("token", ["x%0d%0aX-Evil:1", "%e2%82%ac", "any"])
def test_a_link_sets_no_cookie_of_its_own(house: House, token: str) -> None:
    with client_of(house) as client:
        assert "set-cookie" not in client.get(f"/study?token={token}").headers
    with client_of(house, token_hash=hashed("right")) as client:
        bearer = {"authorization": "Bearer right"}
        page = client.get(f"/study?token={token}", headers=bearer)
        assert page.status_code == 200
        assert "set-cookie" not in page.headers


def test_an_origin_that_is_none(client: TestClient) -> None:
    assert client.get(f"{API}/about", headers={"origin": "http://["}).status_code == 403


@pytest.mark.parametrize(
    "body", [b"[" * 500_000, b'{"text":' * 50_000, b'{"text":' + b"9" * 500_000, b"\xff\xfe", b""]
)
def test_bodies_that_are_no_request(client: TestClient, body: bytes) -> None:
    kind = {"content-type": "application/json"}
    found = client.post(f"{API}/range", content=body, headers=kind)
    assert found.status_code in {400, 422}
    assert found.json()["error"]


def test_messages_that_are_none_leave_the_line_open(client: TestClient) -> None:
    state = table(client)
    with client.websocket_connect(f"{API}/tables/{state['id']}/play", headers=HEADERS) as socket:
        assert socket.receive_json() == state
        for bad in ("[" * 60_000, '{"version":' * 5_000, "", "null", '{"version":1e400}'):
            socket.send_text(bad)
            assert "error" in socket.receive_json()
        socket.send_bytes(b"\x00\xff")
        assert "error" in socket.receive_json()
        for version, what in ((99, "deal"), (state["version"], "c"), (-1, "k")):
            socket.send_text(json.dumps({"version": version, "move": what}))
            assert "error" in socket.receive_json()
        socket.send_text(json.dumps({"version": state["version"], "move": "deal"}))
        assert socket.receive_json()["hand"] == 1


def test_too_many_messages_close_the_line(client: TestClient) -> None:
    state = table(client)
    with client.websocket_connect(f"{API}/tables/{state['id']}/play", headers=HEADERS) as socket:
        for _ in range(80):
            socket.send_text("x")
        assert closing(socket).code == 1008


def test_two_pages_on_one_table(client: TestClient, house: House) -> None:
    """Both see each move; who comes second changes nothing; both hear that the table was left."""
    state = table(client)
    path = f"{API}/tables/{state['id']}/play"
    with (
        client.websocket_connect(path, headers=HEADERS) as first,
        client.websocket_connect(path, headers=HEADERS) as second,
    ):
        assert first.receive_json() == second.receive_json() == state
        first.send_text(json.dumps({"version": state["version"], "move": "deal"}))
        after = first.receive_json()
        assert second.receive_json() == after
        second.send_text(json.dumps({"version": state["version"], "move": "deal"}))
        assert "has changed meanwhile" in second.receive_json()["error"]
        client.delete(f"{API}/tables/{state['id']}")
        for page in (first, second):
            closed = closing(page)
            assert (closed.code, closed.reason) == (1008, "this table was closed")
    assert not list(house.room("tables").glob("*.jsonl"))


def test_more_tables_than_open_files(client: TestClient) -> None:
    """A table holds no file open while nobody moves."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (128, hard))
    try:
        found = [table(client)["id"] for _ in range(130)]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert client.get(f"{API}/tables/{found[-1]}").status_code == 200


def test_a_look_while_a_hand_is_dealt(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chairs have moved on and the last hand still lies there: that is shown to nobody."""
    state = move(client, table(client), "deal")
    while state["phase"] == "yours":
        state = move(client, state, "f")
    moved, seen = threading.Event(), threading.Event()
    deal = Session.deal

    def slowly(self: Session, actions: Any = ()) -> None:
        chairs = self._table.deal

        def stop() -> Any:
            found = chairs()
            moved.set()
            seen.wait(10)
            return found

        monkeypatch.setattr(self._table, "deal", stop)
        deal(self, actions)

    monkeypatch.setattr(Session, "deal", slowly)
    page = threading.Thread(target=move, args=(client, state, "deal"))
    page.start()
    assert moved.wait(10)
    during = client.get(f"{API}/tables/{state['id']}").json()
    choices = client.get(f"{API}/tables/{state['id']}/choices")
    seen.set()
    page.join()
    assert during["chairs"] == state["chairs"]
    assert during["phase"] == "thinking"
    assert choices.status_code == 400


@pytest.mark.parametrize(
    ("game", "seats"), [*((name, None) for name in catalogue_names()), ("nolimit-100bb", 5)]
)
def test_no_hidden_card_in_anything(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, game: str, seats: int | None
) -> None:
    """States, choices and refusals of every game: no card but those that the person may know."""
    kept = keep_tables(monkeypatch)
    usual = 3 if game == "kuhn3" else 2
    state = table(client, game=game, seats=seats or usual, opponents="random", seed=4)
    choice = random.Random(3)
    for _ in range(25):
        told = [json.dumps(state)]
        if state["phase"] == "yours":
            told.append(json.dumps(try_move(client, state, "b1")))
            told.append(client.get(f"{API}/tables/{state['id']}/choices").text)
            state = client.get(f"{API}/tables/{state['id']}").json()
        check_nothing_hidden(kept[0].session, "\n".join(told))
        state = move(client, state, some_move(state, choice))
        if state["phase"] == "over":
            choices = client.get(f"{API}/tables/{state['id']}/choices").text
            check_nothing_hidden(kept[0].session, choices + json.dumps(state))
