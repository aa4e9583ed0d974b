"""Work for requests: few at once, for a limited time, and only while somebody waits for it."""

from __future__ import annotations

import asyncio
import json
import signal
import threading
from typing import TYPE_CHECKING, Any

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request

from browser.serving import ended, started
from own_loop import run_alone
from riverboat.web import _work
from riverboat.web._turns import Searches
from web_client import API, client_of

if TYPE_CHECKING:
    from pathlib import Path

    from riverboat.runs import Stop
    from riverboat.web import House

pytestmark = pytest.mark.browser

#: Eight players with sixteen cards: of 24^8 = 1.1e11 drawn holdings, 3.3e6 share no card.
CROWDED = {"players": ["JJ+"] * 8}


def test_a_question_without_end_is_refused(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_work.RequestWork.__init__, "__defaults__", (2, 16, 0.2))
    with client_of(house) as client:
        found = client.post(f"{API}/equity", json=CROWDED)
        assert found.status_code == 408
        assert "more than 0.2 seconds" in found.json()["error"]
        easy = client.post(f"{API}/equity", json={"players": ["AhKh", "QQ"], "board": "Qh7c2d"})
        assert easy.status_code == 200


def waiting(gone: asyncio.Event | None = None) -> Request:
    """A request whose client hangs up when an event is set."""

    async def receive() -> dict[str, Any]:
        await (gone or asyncio.Event()).wait()
        return {"type": "http.disconnect"}

    return Request({"type": "http"}, receive)


def held(stop: Stop) -> str:
    """Work that lasts until it is stopped."""
    asked = threading.Event()
    stop.then(asked.set)
    asked.wait()
    return "stopped"


def test_who_hangs_up_ends_the_work() -> None:
    async def hang_up() -> int:
        gone, work = asyncio.Event(), _work.RequestWork(seconds=1e6)
        task = asyncio.create_task(work.do(waiting(gone), held))
        await asyncio.sleep(0)
        gone.set()
        with pytest.raises(HTTPException) as refused:
            await task
        assert await work.do(waiting(), lambda _: "next") == "next"
        return refused.value.status_code

    assert run_alone(hang_up()) == 499


def test_few_wait_and_the_end_of_the_server_ends_all() -> None:
    async def crowd() -> tuple[int, list[int]]:
        work = _work.RequestWork(at_once=1, most=3, seconds=1e6)
        tasks = [asyncio.create_task(work.do(waiting(), held)) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(HTTPException) as refused:
            await work.do(waiting(), held)
        work.end()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        return refused.value.status_code, [
            end.status_code for end in ends if isinstance(end, HTTPException)
        ]

    assert run_alone(crowd()) == (429, [503, 503, 503])


def test_who_is_cancelled_ends_the_work() -> None:
    async def cancelled() -> None:
        work = _work.RequestWork(seconds=1e6)
        task = asyncio.create_task(work.do(waiting(), held))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run_alone(cancelled())


@pytest.mark.parametrize(("seconds", "status"), [(0.1, 408), (1e6, 503)])
def test_the_limit_includes_waiting_for_a_search(seconds: float, status: int) -> None:
    async def queued() -> int:
        searches, work = Searches(), _work.RequestWork(seconds=seconds)
        async with searches.search(lambda _: None):  # of a table, which goes on
            turn = searches.turn("search")
            task = asyncio.create_task(work.do(waiting(), lambda _: "done", turn))
            await asyncio.sleep(0.01)
            if status == 503:
                work.end()
            with pytest.raises(HTTPException) as refused:
                await asyncio.wait_for(task, 30)
            assert searches.paused.is_set()
        turn = searches.turn("search")
        assert not searches.paused.is_set()
        free = _work.RequestWork()
        assert await free.do(waiting(), lambda _: "next", turn) == "next"
        return refused.value.status_code

    assert run_alone(queued()) == status


def test_pages_are_served_and_the_server_ends_while_questions_wait(tmp_path: Path) -> None:
    process, address = started(tmp_path)
    port = int(address.rpartition(":")[2])
    body = json.dumps(CROWDED).encode()
    head = (
        f"POST {API}/equity HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n"
        f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    )

    async def ask() -> asyncio.StreamReader:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(head.encode() + body)
        await writer.drain()
        lines.append(writer)
        return reader

    lines: list[asyncio.StreamWriter] = []

    async def crowd() -> tuple[list[bytes], bytes]:
        readers = [await ask() for _ in range(42)]
        first = await asyncio.gather(*(reader.readline() for reader in readers[16:]))
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET /study HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n".encode())
        page = await reader.readline()
        process.send_signal(signal.SIGTERM)
        first += await asyncio.gather(*(reader.readline() for reader in readers[:16]))
        lines.append(writer)
        for each in lines:
            each.close()
        return first, page

    first, page = run_alone(crowd())
    ended(process)
    assert page.split()[1] == b"200"
    assert {line.split()[1] for line in first} <= {b"429", b"503", b"408"}
