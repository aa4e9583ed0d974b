"""The data folder of a server: nothing in it is run, and damage costs what is damaged."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from blueprint.strategies import leduc_solver, save
from browser.serving import ended as ended_server
from browser.serving import started
from riverboat.game import Hand, catalogue
from riverboat.histories import record_of, to_text
from riverboat.web import House
from web_client import API, HEADERS, client_of, new_table, play_hands

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fastapi.testclient import TestClient

pytestmark = pytest.mark.browser

#: A bot that leaves a file where it was run.
BOT = """
from pathlib import Path
try:
    Path(__file__).with_suffix(".ran").touch()
except OSError:  # in the sandbox
    pass
class Mine:
    def act(self, view): return "c"
    def strategy(self, view): return {"c": 1.0}
"""


def hands() -> str:
    hand = Hand(catalogue("leduc"), cards=["Ks", "Js", "Qs"])
    hand.play("kb2f")
    return to_text(record_of(hand, names=["Ada", "Bob"]), "lines").strip() + "\n"


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(BOT)
    return path


def ended(client: TestClient, path: str) -> dict[str, Any]:
    """Wait until a job of this server has ended."""
    for _ in range(600):
        state: dict[str, Any] = client.get(f"{API}/{path}").json()
        if state["state"] in {"finished", "stopped", "failed"}:
            return state
        time.sleep(0.1)
    pytest.fail(f"{path} does not end")


def written(path: Path, value: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def test_a_restored_review_runs_no_python_file(tmp_path: Path, bot: Path) -> None:
    save(leduc_solver(30), tmp_path / "leduc.blueprint")
    house = House(tmp_path / "data", (tmp_path,))
    room = house.room("reviews") / "abc"
    asked = {"name": "h", "strategy": "leduc.blueprint", "file": str(tmp_path / "leduc.blueprint")}
    asked |= {"player": "Ada", "against": str(bot)}
    written(room / "asked.json", asked)
    (room / "hands").write_text(hands())
    with client_of(house) as client:
        state = ended(client, "reviews/abc")
    assert not bot.with_suffix(".ran").exists()
    assert (state["state"], "is a file" in state["error"]) == ("failed", True)


def test_a_restored_match_runs_no_python_file(tmp_path: Path, bot: Path) -> None:
    house = House(tmp_path / "data")
    asked = {"bots": [str(bot), "fold"], "game": "nolimit-100bb", "hands": 10, "seed": 0}
    rest = {"done": 0, "deals": 0, "result": None, "problem": ""}
    match = {"id": "abc", "state": "running", "asked": asked, **rest}
    written(house.room("matches") / "abc.match.json", match)
    with client_of(house) as client:
        state = ended(client, "matches/abc")
    assert (state["state"], "is a file" in state["problem"]) == ("failed", True)
    assert not bot.with_suffix(".ran").exists()


def test_a_restored_table_runs_no_python_file(tmp_path: Path, bot: Path) -> None:
    house = House(tmp_path / "data")
    begun = {"type": "begun", "id": "abc", "asked": {}, "bots": [str(bot)], "seed": 1, "began": 1.0}
    written(house.room("tables") / "abc.table.jsonl", begun)
    with client_of(house) as client:
        assert client.get(f"{API}/tables/abc").status_code == 404
    assert not bot.with_suffix(".ran").exists()


@pytest.mark.parametrize("bot", ["search:log={}", "search:even=0.1, log={}", "search:log =a={}"])
def test_a_bot_of_a_page_writes_no_file(tmp_path: Path, bot: str) -> None:
    file = tmp_path / "mine.txt"
    named = bot.format(file)
    asked = {"bots": [named, "fold"], "game": "nolimit-100bb", "hands": 10, "seed": 0}
    with client_of(House(tmp_path / "data")) as client:
        found = client.post(f"{API}/matches", json=asked)
        assert "write no files" in found.json()["error"]
        found = client.post(f"{API}/tables", json={"opponents": named})
        assert "write no files" in found.json()["error"]
    match = {"id": "abc", "state": "running", "asked": asked, "began": 1.0}
    written(tmp_path / "data" / "matches" / "abc.job.json", match)
    with client_of(House(tmp_path / "data")) as client:
        assert "write no files" in ended(client, "matches/abc")["problem"]
    assert not file.exists()


def test_two_servers_on_one_folder(tmp_path: Path) -> None:
    """The second is refused with the address of the first; kill -9 frees the folder."""
    first, address = started(tmp_path)
    command = [sys.executable, "-c", "from riverboat.cli import main; main()"]
    command += ["serve", "--port", "0", "--data", str(tmp_path)]
    second = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert second.returncode == 2
    assert f"is used by another server at {address}/" in " ".join(second.stderr.split())
    assert second.stdout == ""
    first.kill()
    ended_server(first)
    third, other = started(tmp_path)
    assert other != address
    third.send_signal(signal.SIGINT)
    ended_server(third)


# ---- Damage

TOY = {"board": "2s3h4d6c7c", "pot": 20, "stack": 10, "oop": "AsAh,QsQh", "ip": "KsKh", "menu": "a"}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A server's folders with one of each: a table, a match, a solve, a review, an answer."""
    folder = tmp_path_factory.mktemp("whole")
    save(leduc_solver(30), folder / "leduc.blueprint")
    with client_of(House(folder / "data", (folder,))) as client:
        for _ in range(2):  # one to be damaged, one to be there afterwards
            table = new_table(client, game="leduc", opponents="checkcall", seed=1)
            play_hands(client, table, 2)
            solve = {"spot": TOY, "target": 0.01}
            match = {"bots": ["random", "checkcall"], "game": "leduc", "hands": 20}
            review = {"text": hands(), "strategy": "leduc.blueprint", "player": "Ada"}
            for kind, asked in (("solves", solve), ("matches", match), ("reviews", review)):
                begun = client.post(f"{API}/{kind}", json=asked).json()
                assert ended(client, f"{kind}/{begun['id']}")["state"] == "finished"
        asked = client.post(f"{API}/drill/question", json={"strategy": "leduc.blueprint"}).json()
        told = {name: asked["question"][name] for name in ("line", "board", "hole")}
        answer = {**told, "did": asked["question"]["options"][0], "strategy": "leduc.blueprint"}
        assert client.post(f"{API}/drill/answer", json=answer).status_code == 200
    return folder


#: Where a file is, and how many of `counted` may be missing because of it.
FILES = {
    "tables/*.table.jsonl": "tables",
    "tables/*[!e].jsonl": "",  # hands: the journal writes them again
    "matches/*.job.json": "matches",
    "solves/*.job.json": "solves",
    "solves/*.solution": "",  # it is solved again
    "solves/*.log.jsonl": "",
    "reviews/*.job.json": "reviews",
    "reviews/*/hands": "",
    "reviews/*/page.html": "",
    "drill/drill.sqlite3": "answers",
}


def flipped(data: bytes) -> bytes:
    """A byte in the middle that is no UTF-8."""
    return data[: len(data) // 2] + b"\xff" + data[len(data) // 2 + 1 :]


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "no UTF-8": flipped,
    "empty": lambda _: b"",
    "cut off": lambda data: data[: len(data) // 2],
    "brackets": lambda _: b"[" * 100_000,
    "a number": lambda data: re.sub(rb"[\[{].*[]}]", b"5", data, flags=re.DOTALL),
    "NUL in the id": lambda data: re.sub(rb'"id":"', rb'"id":"a\\u0000b', data),
    "a long id": lambda data: re.sub(rb'"id":"', b'"id":"' + b"a" * 5000, data),
}


def counted(client: TestClient, data: Path) -> dict[str, int]:
    """How much of everything a server has."""
    found = {kind: client.get(f"{API}/{kind}").json() for kind in ("solves", "matches", "reviews")}
    for kind, jobs in found.items():
        for job in jobs:
            ended(client, f"{kind}/{job['id']}")
    numbers = {path.name.partition(".")[0] for path in data.glob("tables/*.table.jsonl")}
    answers = client.get(f"{API}/drill/export").json()["answers"]
    open_tables = [client.get(f"{API}/tables/{each}") for each in numbers]
    counts = {kind: len(jobs) for kind, jobs in found.items()} | {"answers": len(answers)}
    return counts | {"tables": sum(each.status_code == 200 for each in open_tables)}


@pytest.mark.parametrize("damage", [*DAMAGE, "a folder"])
@pytest.mark.parametrize("pattern", FILES)
def test_one_damaged_file_costs_itself(
    whole: Path, tmp_path: Path, pattern: str, damage: str
) -> None:
    """Whatever is wrong with it, the server starts with everything else and nothing is lost."""
    data = tmp_path / "data"
    shutil.copytree(whole / "data", data)
    path = sorted(data.glob(pattern))[0]
    before = path.read_bytes()
    if damage == "a folder":
        path.unlink()
        path.mkdir()
        (path / "inside").write_bytes(before)
        damaged = before
    else:
        damaged = DAMAGE[damage](before)
        path.write_bytes(damaged)
    told: list[str] = []
    house = House(data, (whole,), told.append)
    with client_of(house) as client:
        counts = counted(client, data)
        whole_counts = {"solves": 2, "matches": 2, "reviews": 2, "answers": 1, "tables": 2}
        missing = {kind for kind, count in whole_counts.items() if counts[kind] < count}
        assert missing <= {FILES[pattern]}
        assert all(counts[kind] >= count - 1 for kind, count in whole_counts.items())
        if missing and damaged:
            [sentence] = told
            assert f"{path} is damaged" in sentence
        if told:  # it was set aside, with what was in it
            [aside] = [file for file in (data / "damaged").rglob("*") if file.is_file()]
            assert aside.read_bytes() == damaged or aside.suffix == ".sqlite3"
    with client_of(House(data, (whole,), told.append)) as client:  # and told once
        assert counted(client, data).keys() == whole_counts.keys()
    assert len(told) <= 1


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        ("solves", {"points": [[1.0]]}),
        ("solves", {"report": {"values": 5}}),
        ("matches", {"result": 5}),
    ],
)
def test_a_job_that_cannot_be_shown_is_set_aside(
    whole: Path, tmp_path: Path, kind: str, wrong: dict[str, Any]
) -> None:
    """Numbers of the wrong kind deep in a file do not spoil the list of all."""
    data = tmp_path / "data"
    shutil.copytree(whole / "data", data)
    path = sorted(data.glob(f"{kind}/*.job.json"))[0]
    written(path, json.loads(path.read_bytes()) | wrong)
    told: list[str] = []
    with client_of(House(data, (whole,), told.append)) as client:
        assert counted(client, data)[kind] == 1
    assert [f"{path} is damaged" in each for each in told] == [True]


@pytest.mark.parametrize("suffix", ["checkpoint", "solution"])
def test_a_damaged_solve_is_set_aside_and_solved_again(tmp_path: Path, suffix: str) -> None:
    told: list[str] = []
    house = House(tmp_path, (), told.append)
    turn = {"board": "Ks7h2d3c", "pot": 55, "stack": 200, "oop": "QQ-22,AJ", "ip": "AA,AK,KQ"}
    with client_of(house) as client:
        asked = {"spot": turn, "target": 1e-7, "seconds": 600}
        number = client.post(f"{API}/solves", json=asked).json()["id"]
        with client.websocket_connect(f"{API}/solves/{number}/progress", headers=HEADERS) as page:
            while not page.receive_json()["progress"]:
                pass
        client.post(f"{API}/solves/{number}/stop", json={})
    file = house.room("solves") / f"{number}.{suffix}"
    damaged = flipped(file.read_bytes())
    file.write_bytes(damaged)
    with client_of(house) as client:
        client.post(f"{API}/solves/{number}/resume", json={})
        with client.websocket_connect(f"{API}/solves/{number}/progress", headers=HEADERS) as page:
            while page.receive_json()["state"] != "running":
                pass
        assert client.post(f"{API}/solves/{number}/stop", json={}).json()["problem"] == ""
    assert [f"{file} is damaged" in each for each in told] == [True]
    assert (tmp_path / "damaged" / "solves" / file.name).read_bytes() == damaged


@pytest.mark.parametrize("name", ["tables", "matches", "solves", "reviews", "drill"])
def test_a_file_in_place_of_a_folder(tmp_path: Path, name: str) -> None:
    told: list[str] = []
    house = House(tmp_path, (), told.append)
    (tmp_path / name).write_text("mine")
    with client_of(house) as client:
        assert client.get(f"{API}/matches").json() == []
        assert client.get(f"{API}/drill/progress").status_code == 200
    assert f"{tmp_path / name} is damaged" in told[0]
    assert (tmp_path / "damaged" / name).read_text() == "mine"
