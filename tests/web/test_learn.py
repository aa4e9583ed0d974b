"""Reviews, the trainer, charts and runs over the API."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient  # noqa: TC002 - a fixture's type

from blueprint.strategies import leduc_solver, save
from riverboat.game import Hand, catalogue
from riverboat.histories import record_of, to_text
from riverboat.web import House
from web_client import API, client_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.browser


@pytest.fixture
def small(tmp_path: Path) -> Iterator[TestClient]:
    """A server with a strategy whose values need no table."""
    folder = tmp_path / "strategies"
    folder.mkdir()
    save(leduc_solver(30), folder / "leduc.blueprint")
    with client_of(House(tmp_path / "data", (folder,))) as client:
        yield client


def hands() -> str:
    hand = Hand(catalogue("leduc"), cards=["Ks", "Js", "Qs"])
    hand.play("kb2f")
    return to_text(record_of(hand, names=["Ada", "Bob"]), "lines").strip() + "\n"


def reviewed(client: TestClient, **asked: Any) -> dict[str, Any]:
    """Ask for a review and wait for its end."""
    begun = client.post(f"{API}/reviews", json=asked)
    assert begun.status_code == 200, begun.text
    number = begun.json()["id"]
    for _ in range(600):
        state: dict[str, Any] = client.get(f"{API}/reviews/{number}").json()
        if state["state"] in ("finished", "failed"):
            return state
        time.sleep(0.1)
    pytest.fail("the review does not end")


def test_a_file_is_reviewed_in_a_process(small: TestClient) -> None:
    asked = {"text": hands(), "name": "<b>.jsonl", "strategy": "leduc.blueprint", "player": "Ada"}
    state = reviewed(small, **asked)
    assert (state["state"], state["error"]) == ("finished", "")
    assert (state["hands"], state["graded"]) == (1, 1)
    assert state["decisions"][0]["grade"]["did"] == "f"
    page = small.get(f"{API}/reviews/{state['id']}/page")
    assert page.headers["content-disposition"].startswith("attachment")
    assert "<b>.jsonl" not in page.text
    assert small.get(f"{API}/reviews").json()[0]["id"] == state["id"]
    assert small.delete(f"{API}/reviews/{state['id']}").status_code == 200
    assert small.get(f"{API}/reviews/{state['id']}").status_code == 400


@pytest.mark.parametrize("text", ["", "\x00\x01\x02", "PokerStars Hand #1: no", "{]"])
def test_broken_files_get_a_sentence(small: TestClient, text: str) -> None:
    state = reviewed(small, text=text, strategy="leduc.blueprint")
    assert state["state"] == "failed"
    assert "no hand that can be reviewed" in state["error"]


def test_what_is_not_there_is_refused(small: TestClient) -> None:
    assert small.post(f"{API}/reviews", json={"text": "", "strategy": "none"}).status_code == 400
    for path in ("..", "%2e%2e", "no"):
        assert small.get(f"{API}/reviews/{path}/page").status_code in (400, 404)


def test_large_bodies_are_for_reviews_only(small: TestClient) -> None:
    text = "x" * 2_000_000
    assert small.post(f"{API}/equity", content=json.dumps({"hands": [text]})).status_code in (
        413,
        415,
    )
    assert reviewed(small, text=text, strategy="leduc.blueprint")["state"] == "failed"


def test_questions_and_answers(small: TestClient) -> None:
    asked = small.post(f"{API}/drill/question", json={"strategy": "leduc.blueprint"}).json()
    question = asked["question"]
    told = {name: question[name] for name in ("line", "board", "hole")}
    answer = {**told, "did": question["options"][0], "strategy": "leduc.blueprint"}
    graded = small.post(f"{API}/drill/answer", json=answer).json()
    assert graded["rating"] in ("again", "hard", "good")
    assert small.get(f"{API}/drill/progress").json()["progress"][-1]["answers"] == 1
    assert small.get(f"{API}/drill/export").json()["answers"][0]["hole"] == question["hole"]
    assert small.delete(f"{API}/drill").json()["answers"] == 1
    wrong = small.post(f"{API}/drill/question", json={"strategy": "leduc.blueprint", "street": "x"})
    assert "the street is one of" in wrong.json()["error"]


def test_charts(client: TestClient) -> None:
    found = client.get(f"{API}/charts").json()
    assert found["charts"][0]["title"] == "SB, open"
    page = client.get(f"{API}/charts/page")
    assert page.text.startswith("<!doctype html>")
    assert client.get(f"{API}/charts?strategy=none").status_code == 400


def test_runs_are_seen_and_not_touched(
    small: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "strategies"
    log = folder / "mine.log.jsonl"
    line = {"event": "training", "iterations": 5, "seconds": 1.5, "average_regret": 0.25}
    line |= {"iterations_per_second": 3.0, "infosets": 9, "visited": 4, "version": "0.2"}
    line |= {"measured": None, "table_bytes": 8, "resident_bytes": 8, "seconds_left": 2.0}
    log.write_text(json.dumps(line) + "\n" + json.dumps(line | {"seconds": 3.0}) + "\n{torn")
    before = log.read_bytes()
    monkeypatch.chdir(folder)
    runs = {run["kind"]: run for run in small.get(f"{API}/watch").json() if run["name"] == "mine"}
    assert runs["training"]["state"] == "running"
    assert runs["training"]["facts"]["infosets"] == 9
    assert runs["training"]["curve"] == [[1.5, 0.25, None, None], [3.0, 0.25, None, None]]
    assert log.read_bytes() == before
