"""What must not come in does not, and is told why."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from own_loop import run_alone
from riverboat.web import Access, hashed, make_app
from riverboat.web._guard import Guard
from web_client import HOST, client_of, new_table

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.types import Message, Receive, Scope, Send

    from riverboat.web import House

pytestmark = pytest.mark.browser

API = "/api/v1"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "localhost", "localhost:1"])
def test_names_that_are_not_ours(client: TestClient, host: str) -> None:
    found = client.get(f"{API}/about", headers={"host": host})
    assert found.status_code == 421
    assert host in found.json()["error"]


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://localhost:8766"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_pages_of_other_sites(client: TestClient, headers: dict[str, str]) -> None:
    for call in (client.get(f"{API}/about", headers=headers),
                 client.post(f"{API}/tables", json={}, headers=headers)):  # fmt: skip
        assert call.status_code == 403
    table = client.post(f"{API}/tables", json={}).json()["id"]
    with (
        pytest.raises(WebSocketDisconnect) as closed,
        client.websocket_connect(f"{API}/tables/{table}/play", headers={"host": HOST, **headers}),
    ):
        pass
    assert closed.value.code == 1008


def test_our_own_pages_may_ask(client: TestClient) -> None:
    headers = {"origin": f"http://{HOST}", "sec-fetch-site": "same-origin"}
    assert client.post(f"{API}/tables", json={}, headers=headers).status_code == 200


def test_a_link_from_elsewhere_opens_a_page(client: TestClient) -> None:
    headers = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert client.get("/study", headers=headers).status_code == 200
    assert client.get(f"{API}/about", headers=headers).status_code == 403


def test_forms_are_refused(client: TestClient) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        found = client.post(f"{API}/tables", content=b"{}", headers={"content-type": kind})
        assert found.status_code == 415


def test_large_bodies(client: TestClient) -> None:
    found = client.post(f"{API}/range", json={"text": "A" * (1 << 20)})
    assert found.status_code == 413

    def parts() -> object:
        for _ in range(64):
            yield b" " * (1 << 15)

    header = {"content-type": "application/json"}
    found = client.post(f"{API}/range", content=parts(), headers=header)  # type: ignore[arg-type]
    assert found.status_code == 413
    assert "larger" in found.json()["error"]


def test_rates(house: House) -> None:
    with client_of(house, per_second=1.0, burst=5.0) as client:
        codes = [client.get(f"{API}/about").status_code for _ in range(7)]
    assert codes[:5] == [200] * 5
    assert 429 in codes[5:]


def test_a_token_is_needed_where_one_is_set(house: House) -> None:
    with client_of(house, token_hash=hashed("right")) as client:
        assert client.get("/study").status_code == 401
        assert client.get(f"{API}/about?token=right").status_code == 401  # addresses are logged
        assert client.get("/study?token=wrong").status_code == 401
        bearer = {"authorization": "Bearer right"}
        assert client.get(f"{API}/about", headers=bearer).status_code == 200
        page = client.get("/study?token=right")
        cookie = page.headers["set-cookie"]
        assert page.status_code == 200
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert client.get(f"{API}/about").status_code == 200  # with the cookie


def test_an_invitation_counts_as_the_token_while_the_table_is_open(house: House) -> None:
    with client_of(house, token_hash=hashed("right")) as client:
        client.headers["authorization"] = "Bearer right"
        host = new_table(client, people=2)
        found = client.get(f"{API}/tables/{host['id']}/invitation").json()
        assert (found["host"], found["local"]) == (HOST, True)
        refused = client.get(f"{API}/tables/{host['invite']}/invitation")
        assert "only the first of two people" in refused.json()["error"]
        alone = new_table(client)
        assert client.get(f"{API}/tables/{alone['id']}/invitation").status_code == 400
        del client.headers["authorization"]
        path, _, token = found["path"].partition("&token=")
        assert path == f"/play?table={host['invite']}"
        assert client.get(path).status_code == 401
        assert client.get(f"{path}&token={host['invite']}").status_code == 401
        assert client.get(found["path"]).headers["set-cookie"].startswith(f"riverboat={token};")
        assert client.get(f"{API}/tables/{host['invite']}").json()["you"] == 1
        own = new_table(client, people=2)
        refused = client.get(f"{API}/tables/{own['id']}/invitation")
        assert "cannot invite others" in refused.json()["error"]
        bearer = {"authorization": "Bearer right"}
        client.delete(f"{API}/tables/{host['id']}", headers=bearer)
        assert client.get(f"{API}/about").status_code == 401  # the cookie is of no use any more
        assert client.get(found["path"]).status_code == 401


def test_an_invitation_does_not_replace_the_token_of_its_host(house: House) -> None:
    with client_of(house, token_hash=hashed("right")) as client:
        client.get("/play?token=right")
        host = new_table(client, people=2)
        path = client.get(f"{API}/tables/{host['id']}/invitation").json()["path"]
        assert "set-cookie" not in client.get(path).headers


def test_the_token_of_the_server_replaces_an_invitation(house: House) -> None:
    with client_of(house, token_hash=hashed("right")) as client:
        client.headers["authorization"] = "Bearer right"
        table = f"{API}/tables/{new_table(client, people=2)['id']}"
        found = client.get(f"{table}/invitation").json()
        del client.headers["authorization"]
        client.get(found["path"])
        assert client.get("/play?token=right").headers["set-cookie"].startswith("riverboat=right;")
        assert client.get(f"{table}/invitation").json() == found


def test_who_sets_up_a_table_does_not_learn_its_token(house: House) -> None:
    """A guest may, too, and would stay after the host has closed the guest's table."""
    with client_of(house, token_hash=hashed("right")) as client:
        client.headers["authorization"] = "Bearer right"
        table = new_table(client, people=2)
        found = client.get(f"{API}/tables/{table['id']}/invitation").json()
        del client.headers["authorization"]
        token = found["path"].partition("&token=")[2]
        assert len(token) == 32
        assert token not in json.dumps(table)
        known = f"{table['id']} invites {table['invite']}"  # what 24 random bytes replaced
        assert client.get(f"/play?token={hashed(known)}").status_code == 401


def test_an_invitation_outlives_the_server(house: House) -> None:
    with client_of(house, token_hash=hashed("right")) as client:
        client.get("/play?token=right")
        host = new_table(client, people=2)
        path = client.get(f"{API}/tables/{host['id']}/invitation").json()["path"]
    with client_of(house, token_hash=hashed("another")) as client:
        assert client.get(path).status_code == 200
        assert client.get(f"{API}/tables/{host['invite']}").json()["you"] == 1


def test_an_invitation_has_no_token_where_none_is_needed(client: TestClient) -> None:
    host = new_table(client, people=2)
    found = client.get(f"{API}/tables/{host['id']}/invitation").json()
    assert found["path"] == f"/play?table={host['invite']}"


@pytest.mark.parametrize(
    ("hosts", "host", "wanted"),
    [
        (["127.0.0.1:1", "localhost:1"], "localhost:1", "localhost:1"),
        (["0.0.0.0:1", "127.0.0.1:1", "10.0.0.7:1", "box:1"], "127.0.0.1:1", "10.0.0.7:1"),
        (["0.0.0.0:1", "10.0.0.7:1", "box:1"], "0.0.0.0:1", "10.0.0.7:1"),
        (["[::]:1", "[fe80::1]:1", "[2001:db8::7]:1", "box:1"], "[::]:1", "[2001:db8::7]:1"),
        (["0.0.0.0:1", "127.0.0.1:1", "box:1"], "127.0.0.1:1", "box:1"),
        (["10.0.0.7:1", "box:1"], "box:1", "box:1"),
    ],
)
def test_others_get_an_address_that_they_reach(hosts: list[str], host: str, wanted: str) -> None:
    assert Access(frozenset(hosts)).address_for_others(host) == wanted


def test_every_answer_has_the_headers(client: TestClient) -> None:
    for path in ("/", "/nothing", f"{API}/about", f"{API}/tables/none", "/static/none.js"):
        headers = client.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert headers["x-content-type-options"] == "nosniff"
    refused = client.get("/", headers={"host": "evil.example"})
    assert refused.headers["content-security-policy"].startswith("default-src 'none'")


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("/tables", {"seats": 12}, "seats must be a whole number from 2 to 9"),
        ("/tables", {"carry": "maybe"}, "carry must be true or false"),
        ("/matches", {"bots": ["fish"]}, "bots must have at least 2 entries"),
        ("/tables", {"game": "x" * 81}, "game must have at most 80 characters"),
        ("/forecast", {"spot": {"board": 3}}, "spot.board: expected str, got int"),
        ("/forecast", {"spot": 3}, "spot must be a table"),
        ("/forecast", {"spot": {"board": "2s3h4d"}}, "spot: object missing required field pot"),
        ("/solves", {"bits": 8}, "bits must be 32 or 16"),
    ],
)
def test_wrong_bodies_get_plain_sentences(
    client: TestClient, path: str, body: dict[str, object], words: str
) -> None:
    """Without the decoder's notation, such as `$.seats`."""
    assert client.post(f"{API}{path}", json=body).json()["error"] == words


@pytest.mark.parametrize("name", ["../_app.py", "..%2f_app.py", "%2e%2e/_app.py", "_app.py"])
def test_only_files_of_pages_are_served(client: TestClient, name: str) -> None:
    assert client.get(f"/static/{name}").status_code == 404


@pytest.mark.parametrize("length", ["9" * 5000, "1e3", "-1", "²"])
def test_lengths_that_are_none(client: TestClient, length: str) -> None:
    headers = {"content-type": "application/json", "content-length": length.encode("latin-1")}
    found = client.post(f"{API}/range", content=b"{}", headers=headers)  # type: ignore[arg-type]
    assert found.status_code == 413


def test_few_files_at_once() -> None:
    """Each is in memory as a whole: a third one waits."""

    async def ask(guard: Guard) -> list[int]:
        sent: list[int] = []

        async def send(message: Message) -> None:
            if "status" in message:
                sent.append(message["status"])

        await guard(_upload(), _nothing, send)
        return sent

    async def three() -> list[list[int]]:
        gate = asyncio.Event()

        async def app(_: Scope, __: Receive, ___: Send) -> None:
            await gate.wait()

        guard = Guard(app, Access(frozenset({HOST})))
        first = [asyncio.create_task(ask(guard)) for _ in range(2)]
        await asyncio.sleep(0)
        refused = await ask(guard)
        gate.set()
        await asyncio.wait(first)
        return [refused, await ask(guard)]

    assert run_alone(three()) == [[429], []]


def _upload() -> Scope:
    headers = [(b"host", HOST.encode()), (b"content-type", b"application/json")]
    path = f"{API}/reviews"
    return {
        "type": "http", "method": "POST", "path": path, "headers": headers, "query_string": b""
    }  # fmt: skip


async def _nothing() -> Message:
    return {"type": "http.request", "body": b""}


@pytest.mark.parametrize("twice", ["host", "origin", "content-type", "content-length"])
def test_headers_that_are_there_twice(client: TestClient, twice: str) -> None:
    """Another program on the way may read the other one."""
    usual = {"host": HOST, "origin": f"http://{HOST}", "content-type": "application/json"}
    headers = [*usual.items(), (twice, usual.get(twice, "2")), (twice, usual.get(twice, "2"))]
    found = client.post(f"{API}/range", content=b"{}", headers=headers)
    assert found.status_code == 400
    assert f"the header {twice} is there twice" in found.json()["error"]


def test_slow_uploads_are_cut(house: House) -> None:
    """Two clients that send a byte now and then do not keep others from uploading."""

    async def slowly(guard: Callable[..., Awaitable[None]]) -> tuple[int, str]:
        sent: list[Message] = []

        async def trickle() -> Message:
            await asyncio.sleep(0.01)
            return {"type": "http.request", "body": b" ", "more_body": True}

        async def send(message: Message) -> None:
            sent.append(message)

        await guard(_upload(), trickle, send)
        return sent[0]["status"], sent[1]["body"].decode()

    async def crowd() -> list[tuple[int, str]]:
        app = make_app(house, Access(frozenset({HOST}), grace=0.1))
        first = await asyncio.gather(slowly(app), slowly(app))
        return [*first, await slowly(app)]

    for status, body in run_alone(crowd()):
        assert status == 408
        assert "too slow" in body


@pytest.mark.parametrize("name", ["a" * 5000 + ".js", "%ff" * 200 + ".js", "a" * 300, "%00.js"])
def test_long_names_are_no_failure_of_the_server(house: House, name: str) -> None:
    app = make_app(house, Access(frozenset({HOST})))
    with TestClient(app, f"http://{HOST}", raise_server_exceptions=False) as client:
        for path in ("/static/", "/", f"{API}/tables/", f"{API}/solves/", f"{API}/reviews/"):
            found = client.get(f"{path}{name}")
            assert found.status_code in {400, 404}
            assert len(found.text) < 2000  # an unknown page is a page
            assert name not in found.text or len(name) < 10


def test_messages_do_not_repeat_long_requests(client: TestClient) -> None:
    body = {"players": ["AA", "KK"], "x" * 50_000: 1}
    found = client.post(f"{API}/equity", json=body)
    assert found.status_code == 422
    assert len(found.json()["error"]) == 500
