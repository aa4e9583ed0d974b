"""Solves: asked for, watched, stopped, gone on with, looked into, locked, kept."""

from __future__ import annotations

import multiprocessing
import threading
import time
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from gpu.made import CARD, TwinEngine
from riverboat.files import locked
from riverboat.runs import JobPipe, JobProcess
from riverboat.spots import Solution, SolveFiles, SolveSettings, Spot, _forecast, solve
from riverboat.web import _solves
from web_client import HOST, client_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fastapi.testclient import TestClient

    from riverboat.web import House

pytestmark = pytest.mark.browser

API = "/api/v1"
# Values from the spot issue's witness: unlocked, queens bluff a third of the time.
TOY = {"board": "2s3h4d6c7c", "pot": 20, "stack": 10, "oop": "AsAh,QsQh", "ip": "KsKh", "menu": "a"}
TURN = {"board": "Ks7h2d3c", "pot": 55, "stack": 200, "oop": "QQ-22,AJ", "ip": "AA,AK,KQ"}


def begin(client: TestClient, spot: dict[str, Any], **asked: Any) -> dict[str, Any]:
    found = client.post(f"{API}/solves", json={"spot": spot, **asked})
    assert found.status_code == 200, found.text
    state: dict[str, Any] = found.json()
    return state


def ended(client: TestClient, number: str) -> dict[str, Any]:
    for _ in range(600):
        state: dict[str, Any] = client.get(f"{API}/solves/{number}").json()
        if state["state"] in {"finished", "stopped", "failed"}:
            return state
        time.sleep(0.05)
    raise AssertionError(state)


def test_a_solve_and_a_lock(client: TestClient, house: House) -> None:
    state = ended(client, begin(client, TOY, target=0.0005)["id"])
    assert (state["state"], state["problem"]) == ("finished", "")
    assert state["progress"][-1]["share"] <= 0.0005
    assert state["values"] == pytest.approx([13.333, 6.667], abs=0.05)
    node = client.post(f"{API}/solves/{state['id']}/node", json={}).json()
    assert [action["action"] for action in node["actions"]] == ["k", "b10"]
    assert node["averages"][1]["value"] == pytest.approx(6.667, abs=0.05)
    locked = begin(client, TOY, locks=["b10: KsKh = f 25 c 75"], target=0.0005)
    assert ended(client, locked["id"])["values"][1] == pytest.approx(6.25, abs=0.05)
    names = {each["name"] for each in client.get(f"{API}/strategies").json()}
    assert f"{state['id']}.solution" in names
    assert Solution.open(house.room("solves") / f"{state['id']}.solution").share <= 0.0005
    client.delete(f"{API}/solves/{state['id']}")
    assert client.get(f"{API}/solves/{state['id']}").status_code == 404
    assert not list(house.room("solves").glob(f"{state['id']}*"))


def test_a_card_solves_where_it_is_sooner(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernels' twin stands in for it, in a thread of this process."""

    class Here(JobProcess):
        def __init__(self, function: Callable[..., object], *given: object) -> None:
            ours, theirs = multiprocessing.Pipe()
            self.pipe = JobPipe(ours)

            def work() -> None:
                function(JobPipe(theirs), *given)
                theirs.send_bytes(b'{"ended": ""}')

            self.thread = threading.Thread(target=work)
            self.thread.start()

        def __exit__(self, *given: object) -> None:
            self.thread.join()

    monkeypatch.setattr(_solves, "JobProcess", Here)
    monkeypatch.setattr(_forecast, "DeviceEngine", TwinEngine)
    monkeypatch.setattr(_forecast, "gpu_cards", lambda: [CARD])
    with client_of(house) as client:
        for setup, device in ((1e3, "cpu"), (-1e3, "gpu")):
            monkeypatch.setattr(_forecast, "_SETUP_SECONDS", setup)
            found = ended(client, begin(client, TOY, target=0.002)["id"])
            assert (found["state"], found["problem"]) == ("finished", "")
            assert found["values"] == pytest.approx([13.333, 6.667], abs=0.05)
            logged = SolveFiles.of(house.room("solves") / found["id"]).read_log()
            assert {line["device"] for line in logged} == {device}


def test_it_is_watched_stopped_and_gone_on_with(house: House) -> None:
    with client_of(house) as client:
        number = begin(client, TURN, target=1e-7, seconds=600)["id"]
        path = f"{API}/solves/{number}/progress"
        with client.websocket_connect(path, headers={"host": HOST}) as socket:
            while len((state := socket.receive_json())["progress"]) < 2:
                pass
        assert state["state"] == "running"
        during = client.post(f"{API}/solves/{number}/node", json={"line": "k"}).json()
        assert (during["player"], during["line"]) == (1, "k")
        refused = client.post(f"{API}/solves/{number}/resume", json={})
        assert "is running" in refused.json()["error"]
        stopped = client.post(f"{API}/solves/{number}/stop", json={}).json()
        assert stopped["state"] == "stopped"
        rows = client.post(f"{API}/solves/{number}/cards", json={"line": "kk"}).json()
        assert len(rows) == 48
    with client_of(house) as client:  # another server on the same folder
        found = client.get(f"{API}/solves/{number}").json()
        assert found["state"] == "stopped"
        assert (found["progress"], found["values"]) == (stopped["progress"], stopped["values"])
        client.post(f"{API}/solves/{number}/resume", json={})
        client.post(f"{API}/solves/{number}/stop", json={})
        after = client.get(f"{API}/solves/{number}").json()
        assert after["problem"] == ""


def test_a_queue_goes_on_when_one_leaves_it(client: TestClient) -> None:
    first, second, third = (begin(client, TURN, target=1e-7, seconds=600)["id"] for _ in range(3))
    states = [client.get(f"{API}/solves/{number}").json() for number in (second, third)]
    assert [each["before"] for each in states] == [1, 2]
    for number in (second, first):
        stopped = client.post(f"{API}/solves/{number}/stop", json={}).json()
        assert stopped["state"] == "stopped"
    path = f"{API}/solves/{third}/progress"
    with client.websocket_connect(path, headers={"host": HOST}) as socket:
        while socket.receive_json()["state"] != "running":
            pass
    client.post(f"{API}/solves/{third}/stop", json={})


def test_what_was_cut_off_goes_on(house: House) -> None:
    """A server that was killed leaves what was asked for, and no solution."""
    with client_of(house) as client:
        number = begin(client, TOY)["id"]
        ended(client, number)
    (house.room("solves") / f"{number}.solution").unlink()
    with client_of(house) as client:
        assert ended(client, number)["state"] == "finished"


def test_a_solve_waits_for_the_process_of_a_killed_server(house: House) -> None:
    """It still writes the solution; a solve that waits for it can be stopped."""
    with client_of(house) as client:
        number = begin(client, TOY)["id"]
        ended(client, number)
        path = house.room("solves") / f"{number}.job.json"
    path.write_text(path.read_text().replace('"state":"finished"', '"state":"running"'))
    with locked(house.room("solves") / f"{number}.solution") as free, client_of(house) as client:
        assert free
        assert client.get(f"{API}/solves/{number}").json()["state"] == "running"
        assert client.post(f"{API}/solves/{number}/stop", json={}).json()["state"] == "stopped"


def test_what_nobody_stopped_goes_on(house: House) -> None:
    """Its process wrote what there was, as after a stop; but no server saw that."""
    with client_of(house) as client:
        number = begin(client, TURN, target=1e-7, seconds=600)["id"]
        client.post(f"{API}/solves/{number}/stop", json={})
    file = house.room("solves") / f"{number}.job.json"
    file.write_text(file.read_text().replace('"state":"stopped"', '"state":"running"'))
    with client_of(house) as client:
        assert client.get(f"{API}/solves/{number}").json()["state"] in {"waiting", "running"}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"board": "2s2s4d"}, "2s"),
        ({"pot": 0}, "pot"),
        ({"menu": "50%, bad"}, "bad"),
        ({"oop": "AsAh", "ip": "AsAh"}, "no two hands that can be dealt together"),
        ({"nonsense": 1}, "nonsense"),
    ],
)
def test_bad_spots_get_a_sentence(
    client: TestClient, change: dict[str, Any], sentence: str
) -> None:
    for path in ("forecast", "solves"):
        found = client.post(f"{API}/{path}", json={"spot": {**TOY, **change}})
        assert found.status_code in {400, 422}
        assert sentence in found.json()["error"]
    assert client.get(f"{API}/solves").json() == []


def test_too_large_a_spot_is_refused_before(client: TestClient) -> None:
    wide = {"board": "Ks7h2d", "pot": 10, "stack": 9990, "oop": "random", "ip": "random",
            "menu": "10%, 20%, 30%, 50%, 70%, 100%, 150%, a"}  # fmt: skip
    found = client.post(f"{API}/solves", json={"spot": wide})
    assert found.status_code == 400
    assert client.get(f"{API}/solves").json() == []


def test_a_node_is_that_of_the_solution(client: TestClient) -> None:
    """The page's numbers are the package's, rounded."""
    number = begin(client, TURN, target=0.01)["id"]
    ended(client, number)
    node = client.post(f"{API}/solves/{number}/node", json={"line": "k"}).json()
    own = solve(Spot(**TURN), SolveSettings(target=0.01)).finish().node("k")  # type: ignore[arg-type]
    shares = [each for each, live in zip(node["holes"][0], own.alive, strict=True) if live]
    assert (
        max(abs(a / 1000 - b) for a, b in zip(shares, own.strategy[own.alive, 0], strict=True))
        < 0.001
    )
    assert node["averages"][0]["value"] == pytest.approx(own.value(0), abs=0.001)
    assert node["path"][0]["chosen"] == "k"


def test_a_solve_ends_with_its_server(tmp_path: Path) -> None:
    """The process of a solve whose server was killed keeps what there is, and ends."""
    path = tmp_path / "cut.solution"
    settings = SolveSettings(target=1e-9, seconds=600.0)
    paused = multiprocessing.get_context("spawn").Event()
    given = paused, msgspec.json.encode(TURN), str(path), settings, False
    process = JobProcess(_solves.solve_here, *given)
    while "report" not in (process.pipe.receive(60) or {}):
        pass
    process.pipe.close()  # as the system does when a server is killed
    process._process.join(60)
    assert process._process.exitcode == 0
    assert path.exists()
    assert path.with_suffix(".checkpoint").exists()
