"""Reviews, the trainer, charts and runs over the API."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient  # noqa: TC002 - a fixture's type

from blueprint.strategies import leduc_solver, random_table, save
from riverboat.arena import Ledger, Match, MatchSettings, finish_matches, pairings, play_matches
from riverboat.blueprint import (
    Header,
    Layout,
    default_blueprints,
    default_name,
    write_blueprint,
)
from riverboat.buckets import make_abstraction
from riverboat.game import Hand, catalogue
from riverboat.histories import record_of, to_text
from riverboat.reproductions import find_reproduction
from riverboat.spots import Library, SolveSettings, Spot, solve
from riverboat.tree import Tree
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
    return ended(client, begun.json()["id"])


def ended(client: TestClient, number: str) -> dict[str, Any]:
    """Wait for the end of a review."""
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


def test_a_review_shows_its_ev_loss_over_hands_on_watch(small: TestClient) -> None:
    """Ada folds a king to a small bet in each of three hands."""
    text = hands() * 3
    state = reviewed(small, text=text, strategy="leduc.blueprint", player="Ada")
    [run] = [each for each in small.get(f"{API}/watch").json() if each["kind"] == "review"]
    assert (run["state"], run["facts"]["hands"]) == ("finished", 3)
    loss = 100 * state["totals"][-1]["loss_bb"] / 3
    assert [point[0] for point in run["curve"]] == [2, 3]
    assert [point[1] for point in run["curve"]] == pytest.approx([loss, loss], rel=1e-4)


def test_one_review_at_a_time(small: TestClient) -> None:
    """Two that are asked for at once: one of them is told of the other."""
    asked = {"text": hands(), "strategy": "leduc.blueprint", "player": "Ada"}
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda _: small.post(f"{API}/reviews", json=asked), range(2)))
    assert sorted(each.status_code for each in found) == [200, 400]
    assert {each.json().get("error", "")[:25] for each in found} == {
        "",
        "another review is running",
    }


def test_a_review_of_a_server_that_was_killed_goes_on(tmp_path: Path) -> None:
    folder, house = tmp_path / "strategies", House(tmp_path / "data", (tmp_path / "strategies",))
    folder.mkdir()
    save(leduc_solver(30), folder / "leduc.blueprint")
    with client_of(house) as client:
        done = reviewed(client, text=hands(), strategy="leduc.blueprint", player="Ada")
    file = house.room("reviews") / f"{done['id']}.job.json"
    record = json.loads(file.read_text())
    file.write_text(json.dumps({**record, "state": "stopped"}))
    with client_of(house) as client:  # one that ended while a server looked on is not begun
        told = client.get(f"{API}/reviews/{done['id']}").json()
        assert (told["state"], told["error"]) == ("stopped", "")
        [seen] = [run for run in client.get(f"{API}/watch").json() if run["kind"] == "review"]
        assert (seen["state"], seen["job"]) == ("stopped", f"/reviews/{done['id']}")
        client.post(f"{API}{seen['job']}/resume", json={})
        again = ended(client, done["id"])
        assert (again["state"], again["decisions"]) == ("finished", done["decisions"])
    file.write_text(json.dumps({**record, "state": "running", "report": None}))
    with client_of(house) as client:
        again = ended(client, done["id"])
        assert (again["state"], again["decisions"]) == ("finished", done["decisions"])


@pytest.mark.parametrize("text", ["", "\x00\x01\x02", "PokerStars Hand #1: no", "{]"])
def test_broken_files_get_a_sentence(small: TestClient, text: str) -> None:
    state = reviewed(small, text=text, strategy="leduc.blueprint")
    assert state["state"] == "failed"
    assert "no hand that can be reviewed" in state["error"]


def test_what_is_not_there_is_refused(small: TestClient) -> None:
    body = b'{"text": "\\ud800", "strategy": "leduc.blueprint"}'  # half a letter
    half = small.post(f"{API}/reviews", content=body, headers={"content-type": "application/json"})
    assert half.status_code in (400, 422)
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
    assert "the street must be one of" in wrong.json()["error"]


def test_solutions_of_a_folder_are_told_apart(small: TestClient, tmp_path: Path) -> None:
    """Two spots with one board: questions come from both, and are graded by their own."""
    folder = tmp_path / "strategies" / "rivers"
    folder.mkdir()
    for name, pot in (("a", 20), ("b", 60)):
        spot = Spot(board="2s3h4d6c7c", pot=pot, stack=10, oop="AsAh", ip="KsKh", menu="a")
        solve(spot, SolveSettings(target=0.5)).finish().write(folder / f"{name}.solution")
    decks = {each["name"]: each for each in small.get(f"{API}/drill/decks").json()}
    empty = {"game": "", "shown": ""}
    assert decks["rivers/"] == {"name": "rivers/", "kind": "library", "spots": 2, **empty}
    assert decks["leduc.blueprint"]["game"] == "leduc"
    assert decks["leduc.blueprint"]["shown"]
    seen = {}
    for _ in range(12):
        asked = small.post(f"{API}/drill/question", json={"strategy": "rivers/"}).json()
        question = asked["question"]
        seen[question["source"]] = question["pot"]
        told = {name: question[name] for name in ("line", "board", "hole", "source")}
        answer = {**told, "did": question["options"][0], "strategy": "rivers/"}
        assert small.post(f"{API}/drill/answer", json=answer).status_code == 200
    assert seen.keys() == {"rivers/#a.solution", "rivers/#b.solution"}
    assert seen["rivers/#a.solution"] < seen["rivers/#b.solution"]
    node = small.post(f"{API}/node", json={"strategy": "rivers/b.solution"})
    assert node.json()["pot"] == 60
    wrong = {**answer, "did": "b7"}
    assert "the solution has" in small.post(f"{API}/drill/answer", json=wrong).json()["error"]
    assert small.get(f"{API}/drill/progress").json()["progress"][-1]["answers"] == 12


def test_luck_needs_a_bot_that_says_what_it_does(small: TestClient) -> None:
    asked = {"text": hands(), "strategy": "leduc.blueprint", "against": "shark"}
    assert "which AIVAT needs" in small.post(f"{API}/reviews", json=asked).json()["error"]
    state = reviewed(small, **{**asked, "player": "Ada", "against": "checkcall"})
    assert "AIVAT needs hold'em" in state["error"]


def test_a_tournament_is_a_cross_table(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RIVERBOAT_LEDGER", str(tmp_path / "ledger.sqlite"))
    bots, ledger = ["fold", "checkcall"], Ledger()
    settings = MatchSettings(("fold", "checkcall"), "nolimit-100bb", hands=40, seed=3)
    matches = [Match(each, ledger=ledger) for each in pairings(bots, settings)]
    list(play_matches(matches, workers=1))

    def seen() -> dict[str, Any]:
        [run] = [each for each in client.get(f"{API}/watch").json() if each["kind"] == "tournament"]
        return dict(run)

    running = seen()
    assert (running["state"], running["facts"]["matches"]) == ("running", "0 of 1")
    finish_matches(matches)
    run = seen()
    assert (run["state"], run["facts"]["matches"]) == ("finished", "1 of 1")
    assert run["table"]["bots"] == bots
    [[own, lost], [won, other]] = run["table"]["cells"]
    assert own is other is None
    assert lost["mean"] == -won["mean"] < 0
    if running["facts"]["hands_done"]:
        assert running["table"]["cells"][0][1]["mean"] == pytest.approx(lost["mean"])


def test_libraries_and_reproductions_are_seen(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    spot = Spot(board="2s3h4d6c7c", pot=20, stack=10, oop="AsAh", ip="KsKh", menu="a")
    spots = [spot, spot.changed({"board": "2s3h4d6c8c"})]
    first = Library.of(tmp_path / "rivers", spots)
    assert next(first.solve(SolveSettings(target=0.5))).number == 1  # killed after the first
    (tmp_path / "cardiff").mkdir()
    (tmp_path / "cardiff" / "run.json").write_text('{"name": "cardiff", "effort": "quick"}')
    step = next(iter(find_reproduction("cardiff").steps))
    line = {"step": step, "event": "done", "seconds": 2.0}
    (tmp_path / "cardiff" / "log.jsonl").write_text(json.dumps(line) + "\n{torn")
    list(Library.of(tmp_path / "rivers", spots).solve(SolveSettings(target=0.5), resume=True))
    runs = {run["kind"]: run for run in client.get(f"{API}/watch").json()}
    assert (runs["library"]["name"], runs["library"]["state"]) == ("rivers", "finished")
    assert (runs["library"]["facts"]["spots"], runs["library"]["facts"]["solved"]) == (2, 2)
    facts = runs["reproduction"]["facts"]
    assert facts["steps_done"] == [step]
    assert facts["steps"] == f"1 of {len(find_reproduction('cardiff').steps)}"
    shares = [runs[kind]["share"] for kind in ("library", "reproduction")]
    assert shares == [1, 1 / len(find_reproduction("cardiff").steps)]
    failed = {"step": step, "event": "failed", "seconds": 2.0}
    (tmp_path / "cardiff" / "log.jsonl").write_text(json.dumps(failed) + "\n")
    runs = {run["kind"]: run for run in client.get(f"{API}/watch").json()}
    assert runs["reproduction"]["state"] == "failed"


def test_other_programs_runs_are_not_shown(client: TestClient, tmp_path: Path) -> None:
    """A running `riverboat` command in another folder is nobody's business."""
    (tmp_path / "theirs" / "secret").mkdir(parents=True)
    (tmp_path / "theirs" / "secret" / "run.json").write_text('{"name": "cardiff"}')
    script = tmp_path / "riverboat"
    script.write_text("import time\nprint('runs', flush=True)\ntime.sleep(600)\n")
    command = [sys.executable, str(script)]
    with subprocess.Popen(command, cwd=tmp_path / "theirs", stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"runs\n"
        names = [run["name"] for run in client.get(f"{API}/watch").json()]
        process.kill()
    assert "secret" not in names


def test_charts(client: TestClient) -> None:
    found = client.get(f"{API}/charts").json()
    assert found["charts"][0]["title"] == "SB, open"
    page = client.get(f"{API}/charts/page")
    assert page.text.startswith("<!doctype html>")
    assert client.get(f"{API}/charts?strategy=none").status_code == 400
    other = client.get(f"{API}/charts?palette=colour-blind").json()
    assert other["charts"][0]["actions"][0]["colour"] != found["charts"][0]["actions"][0]["colour"]
    assert client.get(f"{API}/charts?palette=none").status_code == 422


def test_charts_by_depth(tmp_path: Path) -> None:
    """The shallowest first; strategies of other games have none."""
    folder = tmp_path / "strategies"
    folder.mkdir()
    save(leduc_solver(2), folder / "leduc.blueprint")
    tree = Tree(catalogue("cardiff").replace(stacks=(50, 50)), "min ; cap 1")
    cards = make_abstraction("suitless 2")
    buckets = Header.of(tree, cards).num_buckets
    table = random_table(Layout(tree, buckets), 1)
    write_blueprint(folder / "shallow.blueprint", Header.of(tree, buckets), tree, table, cards)
    with client_of(House(tmp_path / "data", (folder,))) as client:
        found = client.get(f"{API}/charts/depths").json()
        shipped = [(default_name(depth), depth) for depth in default_blueprints()]
        wanted = [("shallow.blueprint", 5), *shipped]
        assert [(each["name"], each["depth_bb"]) for each in found] == wanted
        page = client.get(f"{API}/charts/page?strategy=all").text
        assert page.count("<h2>") == len(wanted)


def test_names_that_are_no_utf8_are_shown_as_commands_do(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / os.fsdecode(b"m\xff")
    folder.mkdir()
    (folder / "run.json").write_text('{"name": "cardiff", "effort": "quick"}')
    monkeypatch.chdir(tmp_path)
    names = [run["name"] for run in client.get(f"{API}/watch").json()]
    assert "m\\udcff" in names


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
    assert runs["training"]["share"] == 3 / (3 + 2)
    assert log.read_bytes() == before
    with log.open("a") as file:
        failed = line | {"event": "failed", "problem": "the disk is full"}
        file.write("\n" + json.dumps(failed) + "\n")
    runs = {run["kind"]: run for run in small.get(f"{API}/watch").json() if run["name"] == "mine"}
    assert (runs["training"]["state"], runs["training"]["problem"]) == (
        "failed",
        "the disk is full",
    )
