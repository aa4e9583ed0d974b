"""`riverboat buckets` and the bucket tables in `riverboat cache`, as a user types them."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from riverboat.buckets import (
    KINDS,
    abstraction_files,
    bucket_tables,
    fitted_abstraction,
    make_abstraction,
)
from riverboat.cards import HandStrength
from riverboat.cli import main

JSON_PAGE = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
TEXT = "equity-bins 3/4 recall"


@dataclass(frozen=True)
class Shown:
    """The output of a command."""

    stdout: str
    stderr: str


@pytest.fixture
def riverboat(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Shown]:
    """Run the command line in this process: many commands, and none waits for imports."""

    def run(*arguments: str, code: int = 0) -> Shown:
        monkeypatch.setattr(sys, "argv", ["riverboat", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
        shown = capsys.readouterr()
        assert (left.value.code or 0) == code, shown.err
        return Shown(shown.out, shown.err)

    return run


Run = Callable[..., Shown]


def as_json(riverboat: Run, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(riverboat(*arguments, "--json").stdout)
    assert found.pop("version")
    for key, value in found.items():
        parts = value[0] if isinstance(value, list) else {}
        assert parts or f"`{key}`" in JSON_PAGE, key
        for part in parts:
            assert f"`{key}[].{part}`" in JSON_PAGE or f"`.{part}`" in JSON_PAGE, (key, part)
    return found


def test_sizes(riverboat: Run, tables: HandStrength) -> None:
    assert tables.folder
    found = as_json(riverboat, "buckets", TEXT)
    preflop, flop = found["streets"]
    assert found["abstraction"] == TEXT
    assert (preflop["buckets"], flop["buckets"], flop["remembered"]) == (3, 4, 12)
    assert flop["table_bytes"] == 1755 * 1326
    shown = riverboat("buckets", TEXT).stdout
    assert "Bucket tables: 2.3 MB" in shown
    found = as_json(riverboat, "buckets", TEXT, "--street", "flop")
    assert sum(row["deals"] for row in found["buckets"]) == 22_100 * 1_176
    assert sum(row["share"] for row in found["buckets"]) == pytest.approx(1)
    for row in found["buckets"]:
        assert row["bucket"] / 4 <= row["strength"] <= (row["bucket"] + 1) / 4


def test_a_hand(riverboat: Run, tables: HandStrength) -> None:
    found = as_json(riverboat, "buckets", TEXT, "--hole", "AhKh", "--board", "Qh7c2d")
    preflop, flop = found["streets"]
    assert found["hole"] == "AhKh"
    assert round(flop["strength"], 6) == 0.580426  # 615,678 wins, 10,976 ties of 1,070,190
    assert (preflop["bucket"], flop["bucket"], flop["remembered"]) == (2, 2, 10)
    assert flop["mean_square"] == pytest.approx(tables.strength("AhKh", "Qh7c2d").mean_square)
    assert "Q♥ 7♣ 2♦" in riverboat("buckets", TEXT, "--hole", "AhKh", "--board", "Qh7c2d").stdout


def test_a_bucket(riverboat: Run, tables: HandStrength) -> None:
    cards = make_abstraction(TEXT, tables)
    asked = ("buckets", TEXT, "--street", "flop", "--bucket", "3", "--examples", "20")
    found = as_json(riverboat, *asked)
    assert len(found["examples"]) == 20
    for example in found["examples"]:
        assert cards.street_bucket(example["hole"], example["board"]) == 3
        assert example["strength"] >= 0.75
    assert as_json(riverboat, *asked) == found
    assert as_json(riverboat, *asked, "--seed", "1")["examples"] != found["examples"]
    assert "deals: 3,688,044" in riverboat(*asked).stdout


def test_kinds(riverboat: Run) -> None:
    assert [kind["kind"] for kind in as_json(riverboat, "buckets", "kinds")["kinds"]] == list(KINDS)
    shown = riverboat("buckets", "kinds").stdout
    for name in KINDS:
        assert name in shown


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["percentil 5"], "'percentil' at character 1 of the card abstraction"),
        ([TEXT, "--bucket", "3"], "needs a street as well, such as --street flop"),
        ([TEXT, "--board", "Qh7c2d"], "needs --hole"),
        ([TEXT, "--street", "flop", "--bucket", "4"], "they are 0 to 3"),
        ([TEXT, "--street", "river"], "it has preflop, flop"),
        ([TEXT, "--street", "showdown"], "'showdown' is not a street"),
        ([TEXT, "--hole", "AhKh", "--board", "Qh7c2d2c"], "a board of 0 or 3"),
        (["suitless 2", "--street", "flop"], "name one with --bucket"),
    ],
)
def test_mistakes_get_a_sentence(
    arguments: list[str], sentence: str, riverboat: Run, tables: HandStrength
) -> None:
    assert tables.folder
    assert sentence in riverboat("buckets", *arguments, code=2).stderr


def test_a_wrong_abstraction_builds_no_tables(
    riverboat: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables take a gigabyte: the text is read first."""
    monkeypatch.setattr("riverboat.cli._buckets.open_hand_strength", pytest.fail)
    assert "kinds are" in riverboat("buckets", "percentle 50", code=2).stderr


def test_cache_knows_bucket_tables(riverboat: Run, tables: HandStrength, tmp_path: Path) -> None:
    for text in ("suitless 2", "lossless | percentile 9"):
        bucket_tables(make_abstraction(text, tables), tables, tmp_path)
    folder = ("--folder", str(tmp_path))
    rows = as_json(riverboat, "cache", "show", *folder)["tables"][4:]
    assert {row["made_for"] for row in rows} == {"suitless 2", "lossless | percentile 9"}
    assert [row["state"] for row in rows] == ["ready"] * 2
    assert "lossless | percentile 9" in riverboat("cache", "show", *folder).stdout
    path = next(iter(abstraction_files(tmp_path)))
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    shown = json.loads(riverboat("cache", "verify", *folder, "--json", code=1).stdout)["tables"]
    assert "damaged" in shown.pop(path.stem)
    assert sorted(shown.values())[0].startswith("every block")
    shown = riverboat("cache", "clear", "--yes", "--buckets", *folder).stdout
    assert "Deleted 2 files" in shown
    assert not list(tmp_path.iterdir())


def test_a_hand_and_a_street_are_two_questions(riverboat: Run) -> None:
    shown = riverboat("buckets", TEXT, "--hole", "AhKh", "--street", "flop", code=2)
    assert "give one of them" in shown.stderr


def test_numbers_are_never_cut_short(riverboat: Run, tables: HandStrength) -> None:
    """The 1,286,792 classes of hands on the flop, with 169 before remembered: 80 columns."""
    assert tables
    shown = riverboat("buckets", "lossless 2 recall").stdout
    assert f"{169 * 1_286_792:,}" in shown
    assert "\N{HORIZONTAL ELLIPSIS}" not in shown


def test_the_cache_knows_fits(riverboat: Run, tables: HandStrength, tmp_path: Path) -> None:
    fitted_abstraction(TEXT, tables, folder=tmp_path)
    rows = as_json(riverboat, "cache", "show", "--folder", str(tmp_path))["tables"]
    assert [row["state"] for row in rows if row["table"].startswith("fitted-")] == ["ready"]
    riverboat("cache", "clear", "--buckets", "--yes", "--folder", str(tmp_path))
    assert not list(tmp_path.iterdir())
