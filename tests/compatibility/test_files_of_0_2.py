"""Every kind of file that version 0.2 wrote opens, says what it said, and can be gone on with.

`files_02/README.md` lists the files and the commands that wrote them; what 0.2 read from them is in
`files_02/seen.json`. The files of the pages are in `test_pages_of_0_2.py`.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from cli.typed import riverboat
from riverboat.arena import Ledger
from riverboat.blueprint import Blueprint
from riverboat.game import Hand
from riverboat.histories import read
from riverboat.learn import History, Trainer, open_deck, read_hands
from riverboat.spots import Solution

if TYPE_CHECKING:
    from riverboat.cards import HandStrength

FILES = Path(__file__).parent / "files_02"
SEEN: dict[str, Any] = json.loads((FILES / "seen.json").read_text(encoding="utf-8"))


def told(*words: str) -> Any:
    """What a command says as JSON."""
    return json.loads(riverboat(*words, "--json").stdout)


# ---- Strategies and trainings


@pytest.mark.parametrize("name", SEEN["strategies"])
def test_a_strategy_answers_the_same(name: str) -> None:
    blueprint = Blueprint.open(FILES / name)
    for row in SEEN["strategies"][name]:
        board = {"board": row["board"]} if row["board"] else {}
        hand = Hand(blueprint.tree.spec, hole=row["hole"], **board)
        hand.play(row["line"])
        assert hand.actor is not None
        answer = blueprint.strategy(hand.view(hand.actor))
        assert answer.status == row["status"] == "trained"
        assert dict(answer.actions) == pytest.approx(row["actions"], abs=1e-6)


@pytest.mark.parametrize("name", SEEN["strategies"])
def test_a_strategy_is_whole(name: str) -> None:
    riverboat("blueprint", "verify", str(FILES / name))
    info = told("blueprint", "info", str(FILES / name))
    assert info["riverboat"] == "0.2.0"
    assert info["values"] == ("uint8" if "8bit" in name else "float32")
    assert info["pruned"] is ("pruned" in name)
    weight = float(Blueprint.open(FILES / name).weights().sum())
    assert weight == pytest.approx(SEEN["weights"][name], rel=1e-5)


@pytest.mark.parametrize("name", ["leduc", "holdem"])
@pytest.mark.usefixtures("tables")  # buckets of hold'em come from them
def test_a_training_goes_on_to_the_same_strategy(kept: Path, name: str) -> None:
    os.chdir("training")
    half = Blueprint.open(f"{name}.blueprint").header.training.iterations
    recipe = riverboat("train", f"{name}.toml", "--output", name, code=2).stderr
    assert "--resume" in recipe  # it knows whose files are there
    riverboat("train", f"{name}.toml", "--output", name, "--resume")
    resumed, whole = (Blueprint.open(f"{each}.blueprint") for each in (name, f"{name}-whole"))
    assert resumed.header.training.iterations == whole.header.training.iterations == 2 * half
    np.testing.assert_array_equal(resumed.dense(), whole.dense())
    log = (kept / "training" / f"{name}.log.jsonl").read_text(encoding="utf-8")
    assert [json.loads(line)["iterations"] for line in log.splitlines()][-1] == 2 * half


def test_an_ensemble_goes_on(kept: Path) -> None:
    words = ("--output", "kuhn3", "--resume", "--iterations", "3000")
    os.chdir(kept / "training")
    riverboat("train", "kuhn.toml", *words)
    assert told("blueprint", "info", "kuhn3.1.blueprint")["iterations"] == 3000
    assert told("blueprint", "info", "kuhn3.blueprint")["iterations"] == 6000


# ---- Spots


@pytest.mark.parametrize("name", SEEN["solutions"])
def test_a_solution_shows_the_same(name: str) -> None:
    seen = SEEN["solutions"][name]
    assert Solution.open(FILES / name).share == pytest.approx(seen["share"])
    solved_again = "without-rivers" in name or "flop" in name
    for node in seen["nodes"]:
        words = ["--cards", node["cards"]] if node["cards"] else []
        shown = told("show", str(FILES / name), node["line"], *words)
        assert shown["iterations"] == seen["iterations"]
        near = 1e-2 if solved_again and node["cards"] else 1e-6
        assert shown["values"] == pytest.approx(node["values"], rel=near)
        frequencies = {each["action"]: each["frequency"] for each in shown["actions"]}
        assert frequencies == pytest.approx(node["frequencies"], abs=near)


def test_a_stopped_solve_goes_on_to_the_same_solution(kept: Path) -> None:
    words = ["--target", "0.001%", "--iterations", "40", "--threads", "1", "--no-plot", "--resume"]
    os.chdir("spots")
    riverboat("solve", "--file", "turn.toml", *words, "--output", "half.solution")
    lines = [[], ["k"], ["kk", "--cards", "9d"]]
    resumed, whole = (
        [told("show", file, *line) | {"file": ""} for line in lines]
        for file in ("half.solution", "half-whole.solution")
    )
    assert resumed == whole
    log = (kept / "spots" / "half.log.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["iteration"] for line in log] == [10, 20, 30, 40]


def test_a_spot_and_its_locks_are_read(kept: Path) -> None:
    words = ["--lock", "locks.txt", "--bits", "16", "--output", str(kept / "again.solution")]
    os.chdir("spots")
    again = told("solve", "--file", "river.toml", *words, "--no-plot")
    old = SEEN["solutions"]["spots/river-16.solution"]["nodes"][0]["values"]
    assert again["values"] == pytest.approx(old, abs=1e-3)


@pytest.mark.usefixtures("kept")
def test_a_library_is_shown_and_goes_on() -> None:
    report = told("spot-report", "spots/rivers")
    boards = ["2s3h4d6c7c", "2s3h4d6c8c"]
    assert [row["name"] for row in report["rows"]] == boards
    [old] = SEEN["solutions"]["spots/rivers/2s3h4d6c7c.solution"]["nodes"][:1]
    assert report["rows"][0]["frequencies"] == pytest.approx(old["frequencies"])
    os.chdir("spots")
    words = ["--target", "0.0001%", "--flops", ", ".join(boards), "--output", "stopped"]
    spots = told("solve", "--file", "river.toml", *words, "--iterations", "40", "--resume")["spots"]
    # What 0.2 said of them when it went on itself.
    went_on = [("stopped", 40, pytest.approx(0.15741356319174216))] * 2
    assert [(s["state"], s["iterations"], s["exploitability"]) for s in spots] == went_on


# ---- Matches


def without_clock(match: dict[str, Any]) -> dict[str, Any]:
    """A result as it is whenever and however fast it is played."""
    left_out = {"seconds", "hands_per_second", "played_with", "version", "ledger", "stopped"}
    kept = {name: value for name, value in match.items() if name not in left_out}
    for bot in kept["bots"]:
        for name in [name for name in bot if name.startswith("seconds")]:
            del bot[name]
    return kept


@pytest.mark.usefixtures("kept")
def test_the_ledger_lists_what_was_played() -> None:
    riverboat("ledger", "verify")
    entries = Ledger().entries()
    assert [(each.id, each.game, len(each.bots), each.hands) for each in entries] == [
        (1, "leduc", 2, 400),
        (2, "nolimit-100bb", 3, 30),
        (3, "nolimit-100bb", 2, 2),
        (4, "kuhn", 2, 40),
        (5, "nolimit-100bb", 2, 40),  # freeze-outs
        (6, "leduc", 2, 40),
        (7, "leduc", 2, 40),
        (8, "leduc", 2, 40),
        (9, "nolimit-100bb", 2, 300),
        (10, "holdem-game", 2, 20),
        (11, "nolimit-100bb", 2, 20),
        (12, "nolimit-100bb", 2, 20),
    ]
    assert [each.id for each in entries if each.kind == "play"] == [3]
    assert [each.id for each in entries if each.finished is None] == [9]
    assert {each.version for each in entries} == {"0.2.0"}
    shown = told("ledger")["matches"]
    assert [each["bots"] for each in shown if each["id"] == 2] == [["random", "fold", "checkcall"]]
    assert "secret" in str(entries[3].result)


@pytest.mark.usefixtures("kept")
def test_a_finished_match_says_what_is_played_today() -> None:
    old = Ledger().entry(1).result
    words = ["--game", "leduc", "--hands", "400", "--seed", "5", "--session", "50"]
    new = told("match", "random", "checkcall", *words, "--workers", "1", "--no-ledger")
    assert old is not None
    assert without_clock(new)["bots"] == without_clock(old)["bots"]


@pytest.mark.usefixtures("kept")
def test_an_interrupted_match_goes_on_to_the_same_result() -> None:
    words = ["--hands", "300", "--session", "25", "--seed", "3", "--workers", "1"]
    resumed = told("match", "shark:samples=300", "fish", *words, "--resume")
    whole = json.loads(Path("ledger/whole-match.json").read_text(encoding="utf-8"))
    assert resumed["ledger"] == 9
    assert without_clock(resumed)["bots"] == without_clock(whole)["bots"]
    assert Ledger().entry(9).finished


@pytest.mark.usefixtures("kept")
def test_hands_that_the_ledger_kept_are_read() -> None:
    source = read_hands("ledger:4")
    assert (len(source.hands), source.refused) == (40, ())
    assert sorted(source.hands[0].names) == ["caller.py", "random"]


@pytest.mark.usefixtures("kept")
def test_a_log_of_local_best_responses_goes_on() -> None:
    words = ["lbr", "blueprint:training/holdem.blueprint", "--game", "training/holdem-game.toml"]
    words += ["--set", "fcpa", "--seed", "2", "--workers", "1", "--hands", "64"]
    refused = riverboat(*words, "--log", "lbr/lbr.jsonl", code=2).stderr
    assert "lines of this run" in refused
    before = Path("lbr/lbr.jsonl").read_text(encoding="utf-8")
    resumed = told(*words, "--log", "lbr/lbr.jsonl", "--resume")["results"]
    whole = json.loads(Path("lbr/whole.json").read_text(encoding="utf-8"))["results"]
    for new, old in zip(resumed, whole, strict=True):
        assert (new["set"], new["hands"]) == (old["set"], old["hands"])
        assert new["mbb"]["mean"] == pytest.approx(old["mbb"]["mean"])
    after = Path("lbr/lbr.jsonl").read_text(encoding="utf-8")
    played = [len(json.loads(line)["chips"]) for line in after[len(before) :].splitlines()]
    assert after.startswith(before)
    assert sum(played) == 32 - 25  # of 32 deals; a block of 25 is whole


# ---- Hands, the trainer, the cache, what is left


HANDS = {"mine.phhs": 2, "mine.jsonl": 2, "mine.ohh": 1, "mine.pokerstars": 1, "three.phhs": 30}


@pytest.mark.parametrize("name", HANDS)
def test_hands_are_read(name: str) -> None:
    found = read(FILES / "hands" / name)
    assert (len(found.hands), found.refused) == (HANDS[name], ())
    first = found.hands[0]
    assert first.spec.players == (3 if name == "three.phhs" else 2)
    if name != "three.phhs":
        assert "You" in first.names
        assert first.line == "ck/kk/kk/kk"


def test_answers_of_the_trainer(kept: Path) -> None:
    file = kept / "drill" / "drill.sqlite3"
    old = json.loads((kept / "drill" / "answers.json").read_text(encoding="utf-8"))
    riverboat("drill", "--history", str(file), "--export", "new.json")
    assert json.loads((kept / "new.json").read_text(encoding="utf-8")) == old
    rows = told("drill", "--progress", "--history", str(file))["progress"]
    progress = {row["street"]: row for row in rows}
    assert {name: row["answers"] for name, row in progress.items()} == {
        "round 1": 5, "round 2": 1, "river": 2, "all": 8,
    }  # fmt: skip
    assert progress["all"]["loss_bb"]["mean"] == pytest.approx(0.17017075)


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("deck", ["training/leduc.blueprint", "spots/rivers"])
def test_what_is_due_is_asked_again(deck: str) -> None:
    old = json.loads(Path("drill/answers.json").read_text(encoding="utf-8"))["answers"]
    known = {(row["line"], row["hole"]) for row in old if row["source"].startswith(deck)}
    history = History(Path("drill/drill.sqlite3"))
    before, after = (datetime(year, 1, 1, tzinfo=UTC) for year in (2026, 2028))
    assert not Trainer(open_deck(deck), history, now=lambda: before).ask()[1]
    question, again = Trainer(open_deck(deck), history, now=lambda: after).ask()
    assert again
    assert (question.line, question.hole) in known


@pytest.mark.usefixtures("kept")
def test_solved_decisions_and_cached_tables(
    tables: HandStrength, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A review is what it was in 0.2; its cache is taken, or made anew."""
    for table in tables.folder.glob("*-v1.safetensors"):
        if not Path("cache", table.name).exists():
            os.link(table, Path("cache", table.name))
    monkeypatch.setenv("RIVERBOAT_CACHE", str(Path("cache").absolute()))
    states = told("cache", "verify")["tables"]
    assert states["preflop"] == states["fitted-f6f812b294a00296-v1"]
    assert set(states.values()) == {"every block matches its checksum"}
    words = ["--strategy", "training/holdem.blueprint", "--player", "random", "--solve"]
    review = told("review", "hands/holdem.phhs", *words)
    old = json.loads(Path("pages/seen.json").read_text(encoding="utf-8"))["reviews"][0]["totals"]
    for row, totals in zip(review["totals"], old, strict=True):
        assert [row[name] for name in ("street", "decisions", "mistakes")] == [
            totals[name] for name in ("street", "decisions", "mistakes")
        ]
        assert row["loss_bb"] == pytest.approx(totals["loss_bb"], abs=0.05)


def test_an_exported_player_plays(kept: Path) -> None:
    """It comes to its engine, and goes when the engine does."""
    shutil.copy(kept / "mit" / "player", kept / "mit" / "player.py")
    with socket.create_server(("127.0.0.1", 0)) as engine:
        words = [sys.executable, "player.py", str(engine.getsockname()[1])]
        with subprocess.Popen(words, cwd=kept / "mit", stderr=subprocess.PIPE, text=True) as player:
            engine.settimeout(60)
            engine.accept()[0].close()
            assert player.stderr is not None
            assert (player.wait(60), player.stderr.read()) == (0, "")


@pytest.mark.usefixtures("kept")
def test_the_folder_of_another_run_is_refused() -> None:
    refused = riverboat("demo", "--output", "reproduction", code=2).stderr
    assert "reproduction holds a run with effort 'tiny', not 'full'" in refused


def test_files_are_found_where_0_2_left_them(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the user's data folder, on Linux."""
    data = tmp_path / "share" / "riverboat"
    data.mkdir(parents=True)
    shutil.copy(kept / "ledger" / "ledger.sqlite", data / "ledger.sqlite")
    shutil.copy(kept / "drill" / "drill.sqlite3", data / "drill.sqlite3")
    monkeypatch.delenv("RIVERBOAT_LEDGER")
    monkeypatch.setenv("XDG_DATA_HOME", str(data.parent))
    assert len(told("ledger")["matches"]) == 12
    assert told("drill", "--progress")["progress"][-1]["answers"] == 8
