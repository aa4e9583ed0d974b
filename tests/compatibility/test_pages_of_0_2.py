"""A server opens the data folder of the pages that a server of 0.2 left when it was killed.

What that server answered before is in `files_02/pages/seen.json`; its ledger is beside the folder.
"""

from __future__ import annotations

import json
import shutil
import signal
import time
import urllib.request
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from browser.serving import ended, started
from riverboat.histories import read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riverboat.cards import HandStrength

FILES = Path(__file__).parent / "files_02"
SEEN: dict[str, Any] = json.loads((FILES / "pages" / "seen.json").read_text(encoding="utf-8"))
PATIENCE = 120


@pytest.fixture(scope="module")
def pages(tables: HandStrength, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a copy of all files of 0.2: the working folder of the server."""
    del tables  # a review works its values out from them
    folder = tmp_path_factory.mktemp("pages") / "files"
    shutil.copytree(FILES, folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("RIVERBOAT_LEDGER", str(folder / "pages" / "ledger.sqlite"))
        yield folder


@pytest.fixture(scope="module")
def address(pages: Path) -> Iterator[str]:
    """Start the server."""
    process, found = started(pages / "pages" / "data", folders=[Path("training"), pages / "spots"])
    yield f"{found}/api/v1"
    process.send_signal(signal.SIGINT)
    ended(process)


def ask(address: str, path: str, body: Any = None, method: str | None = None) -> Any:
    """Ask the server."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json"}
    asked = urllib.request.Request(address + path, data, headers, method=method)  # noqa: S310
    with urllib.request.urlopen(asked) as answer:  # noqa: S310 - ours
        return json.load(answer)


def came_to(address: str, path: str, *states: str) -> dict[str, Any]:
    """Wait for a state of a solve, a match or a review."""
    deadline = time.monotonic() + PATIENCE
    while True:
        found: dict[str, Any] = ask(address, path)
        if found["state"] in states:
            return found
        assert time.monotonic() < deadline, found
        time.sleep(0.1)


@pytest.mark.parametrize("number", range(3))
def test_a_table_goes_on_where_it_was(address: str, number: int) -> None:
    old = SEEN["tables"][number]
    new = ask(address, f"/tables/{old['id']}")
    same = ("game", "phase", "hand", "street", "line", "board", "pot", "to_call", "unit",
            "chairs", "legal", "results")  # fmt: skip
    for chair, before in zip(new["chairs"], old["chairs"], strict=True):
        for added in chair.keys() - before.keys():
            del chair[added]
        if "(" in before["name"]:  # some bots have got another first name
            assert chair["name"].split("(")[1] == before["name"].split("(")[1]
            chair["name"] = before["name"]
    assert {name: new[name] for name in same} == {name: old[name] for name in same}
    move = {"version": new["version"], "move": "f"}
    assert ask(address, f"/tables/{old['id']}/move", move)["phase"] != "yours"
    left = ask(address, f"/tables/{old['id']}", method="DELETE")
    assert left["results"]["hands"] == 4


def test_hands_of_the_tables_are_kept(pages: Path) -> None:
    folder = pages / "pages" / "data" / "tables"
    assert len(read(folder / f"{SEEN['left']}.phhs").hands) == 3  # the last was folded by leaving
    for table in SEEN["tables"]:
        named = sha256(table["id"].encode()).hexdigest()[:16]  # the session, no longer the table
        kept = list(folder.glob(f"{named}.*"))
        assert not list(folder.glob(f"{table['id']}.phhs"))
        assert next(len(read(each).hands) for each in kept) >= 3


def test_solves(address: str) -> None:
    for old, node in zip(SEEN["solves"], SEEN["nodes"], strict=True):
        new = ask(address, f"/solves/{old['id']}")
        for name in ("name", "state", "asked", "problem"):
            assert new[name] == old[name]
        assert new["values"] == pytest.approx(old["values"])
        assert new["progress"][-1]["iteration"] == old["progress"][-1]["iteration"]
        shown = ask(address, f"/solves/{old['id']}/node", {"line": "k"})
        frequencies = [[each["frequency"] for each in found["actions"]] for found in (shown, node)]
        assert frequencies[0] == pytest.approx(frequencies[1], abs=1e-6)


def test_a_solve_that_was_stopped_goes_on(address: str) -> None:
    old = SEEN["solves"][1]
    ask(address, f"/solves/{old['id']}/resume", {})
    new = came_to(address, f"/solves/{old['id']}", "finished", "stopped", "failed")
    assert (new["state"], new["problem"]) == ("stopped", "")
    assert new["progress"][-1]["iteration"] >= old["progress"][-1]["iteration"]


def test_a_solve_that_was_killed_goes_on(address: str) -> None:
    new = came_to(address, f"/solves/{SEEN['killed']['solve']}", "finished", "stopped", "failed")
    assert (new["name"], new["problem"]) == ("killed", "")
    assert new["values"] == pytest.approx(SEEN["solves"][1]["values"], rel=0.05)  # a like turn


def test_matches(address: str, pages: Path) -> None:
    done, stopped = SEEN["matches"]
    new = ask(address, f"/matches/{done['id']}")
    assert (new["state"], new["asked"]) == ("finished", done["asked"])
    assert new["result"]["bots"][0]["chips"] == done["result"]["bots"][0]["chips"] == -36
    assert ask(address, f"/matches/{stopped['id']}")["state"] == "stopped"
    ask(address, f"/matches/{stopped['id']}/resume", {})
    went_on = came_to(address, f"/matches/{stopped['id']}", "finished", "failed")
    whole = json.loads((pages / "pages" / "whole-match.json").read_text(encoding="utf-8"))
    assert went_on["problem"] == ""
    assert [bot["chips"] for bot in went_on["result"]["bots"]] == [
        bot["chips"] for bot in whole["bots"]
    ]


def test_reviews(address: str) -> None:
    listed = {each["id"]: each["name"] for each in ask(address, "/reviews")}
    assert sorted(listed.values()) == ["bad.txt", "holdem.phhs", "killed.phhs"]
    for old in SEEN["reviews"]:
        new = ask(address, f"/reviews/{old['id']}")
        for name in ("state", "error", "player", "hands", "graded", "totals", "decisions"):
            assert new[name] == old[name]
    went_on = came_to(address, f"/reviews/{SEEN['killed']['review']}", "finished", "failed")
    assert (went_on["error"], went_on["hands"], went_on["graded"]) == ("", 12, 10)
    with urllib.request.urlopen(f"{address}/reviews/{SEEN['reviews'][0]['id']}/page") as page:  # noqa: S310
        assert b"holdem.phhs" in page.read()


def test_answers_of_the_trainer(address: str) -> None:
    assert ask(address, "/drill/progress")["progress"] == SEEN["drill"]
    answers = ask(address, "/drill/export")["answers"]
    assert [each["source"] for each in answers] == ["leduc.blueprint"] * 2 + ["holdem.blueprint"]


def test_runs_are_watched(address: str, pages: Path) -> None:
    runs = {
        Path(run["place"]).relative_to(pages).as_posix(): run
        for run in ask(address, "/watch")
        if Path(run["place"]).is_relative_to(pages)
    }
    assert runs["reproduction/run.json"]["facts"]["steps"] == "3 of 3"
    assert runs["reproduction/report.json"]["name"] == "A no-limit hold'em bot, from nothing"
    assert runs["training/leduc.log.jsonl"]["facts"]["iterations"] == 30
    assert runs["spots/rivers/index.json"]["facts"]["solved"] == 2
    assert runs["spots/stopped/index.json"]["facts"]["solved"] == 0
