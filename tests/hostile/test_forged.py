"""Forged and damaged files of every kind: sentences, and nothing is run that they name."""

import json
import os
from pathlib import Path
from random import Random

import pytest

from hostile.forged import (
    KINDS,
    SPOT,
    damage,
    forge,
    make_files,
    open_wholly,
    reseal,
    sums_are_right,
)
from hostile.trial import tried
from riverboat.blueprint import Blueprint
from riverboat.bots import make_bot
from riverboat.errors import DamagedFileError, RiverboatError
from riverboat.files import ArrayFile
from riverboat.spots import Solution

SEED = int(os.environ.get("RIVERBOAT_FUZZ_SEED") or Random().randrange(2**32))
FORGERIES, DAMAGES, SHORT = 200, 200, 15


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, bytes]]:
    """A good file of each kind, and its bytes."""
    files = make_files(tmp_path_factory.mktemp("good"))
    return {kind: (path, path.read_bytes()) for kind, path in files.items()}


def refused(kind: str, path: Path) -> str:
    """Open a file wholly; return the sentence, or nothing if it was taken."""
    try:
        open_wholly(kind, path)
    except RiverboatError as error:
        return str(error)
    return ""


def forged_headers(kind: str, path: Path, data: bytes, seed: int, count: int) -> int:
    """Open forged files; return how many were refused."""
    random, found = Random(seed), 0
    for number in range(count):
        path.write_bytes(forge(data, random))
        try:
            told = refused(kind, path)
        except Exception as error:
            pytest.fail(f"{kind}, seed {seed}, forgery {number}: {error!r:.300}", pytrace=False)
        found += bool(told)
        assert len(told) < 5_000
    path.write_bytes(data)
    return found


def damaged_files(kind: str, path: Path, data: bytes, seed: int, count: int) -> None:
    random = Random(seed)
    for number in range(count):
        path.write_bytes(damage(data, random))
        assert refused(kind, path), f"{kind}, seed {seed}, damage {number}"
    path.write_bytes(data)


@pytest.mark.parametrize("kind", KINDS)
def test_a_few(kind: str, good: dict[str, tuple[Path, bytes]]) -> None:
    path, data = good[kind]
    assert not refused(kind, path)
    forged_headers(kind, path, data, 1, SHORT)
    damaged_files(kind, path, data, 1, SHORT)


@pytest.mark.hostile
@pytest.mark.parametrize("kind", KINDS)
def test_many_forged_headers(kind: str, good: dict[str, tuple[Path, bytes]]) -> None:
    with tried("headers", kind, SEED) as trial:
        trial.attempts = FORGERIES
        assert forged_headers(kind, *good[kind], SEED, FORGERIES) > FORGERIES // 4


@pytest.mark.hostile
@pytest.mark.parametrize("kind", KINDS)
def test_much_damage(kind: str, good: dict[str, tuple[Path, bytes]]) -> None:
    with tried("damage", kind, SEED) as trial:
        trial.attempts = DAMAGES
        damaged_files(kind, *good[kind], SEED, DAMAGES)


def with_header(data: bytes, key: str, text: str) -> bytes:
    """Put another text into the metadata of a file, with the right checksum."""
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    header["__metadata__"][key] = text
    return reseal(data, json.dumps(header))


@pytest.mark.parametrize(
    "change",
    [
        {"fallback": "evil.py"},
        {"fallback": "evil.py:Bot"},
        {"fallback": "folder/evil.py"},
        {"fallback": "os"} | {"menu": ["min"]},
        {"fallback": ["fish"]},
        {"fallback": "blueprint:{own}"},
        {"fallback": "blueprint:file=own.blueprint"},
        {"fallback": "blueprint"},
        {"fallback": "cfrv1:x"},
        {"notes": "one"},
        {"notes": ["\x1b[2J"]},
        {"game": "leduc"},
        {"game": {"stacks": 3}},
        {"menu": "mine.toml"},
        {"cards": {"streets": 7}},
        {"training": {"recipe": {"threshold": "high"}}},
        {"training": {"iterations": -5}},
        {"num_buckets": [2**70]},
        {"greatest_weight": 5.0},
        {"greatest_weight": 5.0, "format": 2},
        {"greatest_weight": "many"},
        {"format": 2},
        {"parents": [7]},
        {"tree": {"nodes": 10**15, "group_entries": [1], "group_decisions": [1], "checksum": 0}},
    ],
    ids=str,
)
def test_a_strategy_that_asks_for_more_is_damaged(
    change: dict[str, object],
    good: dict[str, tuple[Path, bytes]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    evil = "open('run', 'w').close()\nclass Bot:\n    def act(self, view): ...\n"
    for place in (tmp_path, tmp_path / "folder"):
        place.mkdir(exist_ok=True)
        (place / "evil.py").write_text(evil)
    path, (kept, data) = tmp_path / "own.blueprint", good["strategy"]
    values = json.loads(ArrayFile(kept).metadata["header"])
    changed = {key: str(path) if value == "{own}" else value for key, value in change.items()}
    path.write_bytes(with_header(data, "header", json.dumps({**values, **changed})))
    assert sums_are_right(path)
    with pytest.raises(DamagedFileError):
        make_bot(f"blueprint:{path}", seed=1)
    assert not (tmp_path / "run").exists()


def test_deep_headers_are_damaged(good: dict[str, tuple[Path, bytes]], tmp_path: Path) -> None:
    path, (_, data) = tmp_path / "deep", good["strategy"]
    for deep in ("[" * 100_000, '{"a":' * 900 + "1" + "}" * 900, "9" * 10_000):
        path.write_bytes(with_header(data, "header", deep))
        with pytest.raises(DamagedFileError):
            Blueprint.open(path)
        path.write_bytes(reseal(data, deep))
        with pytest.raises(DamagedFileError):
            Blueprint.open(path)


@pytest.mark.parametrize(
    "change",
    [
        {"spot": {"board": "Ks7h2d2c"}},
        {"spot": {**SPOT.as_dict(), "menu": "mine.toml"}},
        {"spot": {**SPOT.as_dict(), "stack": 10**9, "menu": "1% | 2x"}},
        {"spot": {**SPOT.as_dict(), "added": ["b7"] * 10_000}},
        {"locks": ["k: all = k 100"] * 100_000},
        {"locks": ["locks.txt"]},
        {"schedule": {"alpha": 1}},
        {"values": [0]},
        {"exploited": "me"},
        {"bits": 64},
        {"tree": {"nodes": 10**15, "group_entries": [1], "group_decisions": [1], "checksum": 0}},
    ],
    ids=lambda change: str(change)[:60],
)
def test_a_solution_that_asks_for_more_is_damaged(
    change: dict[str, object], good: dict[str, tuple[Path, bytes]], tmp_path: Path
) -> None:
    path, (kept, data) = tmp_path / "own.solution", good["solution"]
    values = json.loads(ArrayFile(kept).metadata["header"])
    path.write_bytes(with_header(data, "header", json.dumps({**values, **change})))
    with pytest.raises(DamagedFileError):
        Solution.open(path)


@pytest.mark.parametrize(
    ("kind", "key"),
    [
        *(("checkpoint", key) for key in ("progress", "identity", "cards")),
        *(("checkpoint of a spot", key) for key in ("progress", "identity")),
    ],
)
@pytest.mark.parametrize("text", ["[]", "7", '{"iterations": "x"}', "[" * 5_000, "null", '"x"'])
def test_forged_checkpoints_are_damaged(
    kind: str, key: str, text: str, good: dict[str, tuple[Path, bytes]], tmp_path: Path
) -> None:
    path, (_, data) = tmp_path / "forged.checkpoint", good[kind]
    path.write_bytes(with_header(data, key, text))
    # A whole table of another recipe is none of ours; all else is damage.
    other = key == "identity" and text[0] == "{"
    with pytest.raises(RiverboatError) as caught:
        open_wholly(kind, path)
    assert other or isinstance(caught.value, DamagedFileError)
