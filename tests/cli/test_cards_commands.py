"""The commands about cards and the cache, as a user types them."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from riverboat.cards import HandStrength
from riverboat.cards.strength_tables import table_path


def riverboat(*arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run the command line as a user does, in a terminal of 80 columns."""
    start = "from riverboat.cli import main; main()"
    result = subprocess.run(  # noqa: S603
        [sys.executable, "-c", start, *arguments], capture_output=True, text=True, check=False
    )
    assert result.returncode == code, result.stderr
    assert "Traceback" not in result.stderr
    return result


def as_json(*arguments: str, code: int = 0) -> dict[str, Any]:
    parsed = json.loads(riverboat(*arguments, "--json", code=code).stdout)
    assert parsed["version"]
    assert isinstance(parsed, dict)
    return parsed


def test_evaluate() -> None:
    shown = riverboat("evaluate", "KhKd4s4cQs7h2d").stdout
    assert "two pair, kings and fours, queen kicker" in shown
    result = as_json("evaluate", "AsKsQsJsTs")
    assert result == {
        "strength": 7461,
        "category": "straight flush",
        "description": "royal flush",
        "cactus_kev": 1,
        "version": result["version"],
    }
    assert as_json("evaluate", "As6s7s8s9s", "--short-deck")["cactus_kev"] is None


def test_equity() -> None:
    result = as_json("equity", "AhKh", "random", "--board", "Qh7c2d")
    assert (result["method"], result["deals"], result["seed"]) == ("exact", 1_070_190, None)
    assert round(result["players"][0]["equity"], 6) == 0.580426
    sampled = as_json(
        "equity", "AA", "KK", "--method", "monte-carlo", "--samples", "1000", "--seed", "7"
    )
    low, high = sampled["players"][0]["interval_95"]
    assert low < sampled["players"][0]["equity"] < high
    assert sampled["seed"] == 7
    shown = riverboat("equity", "AA", "KK", "--method", "monte-carlo", "--samples", "1000").stdout
    assert "1,000 samples" in shown
    assert "95 % interval" in shown


def test_range() -> None:
    result = as_json("range", "QQ+, AK:0.5", "--dead", "Ah")
    assert result["combos"] == 3 + 6 + 6 + 0.5 * 12
    assert len(result["matrix"]) == 13
    shown = riverboat("range", "QQ+, AKs:0.25").stdout.splitlines()
    assert shown[0].startswith("AA    AKs25")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["evaluate", "1h"], "'1h' is not a card: ranks are 23456789TJQKA, suits cdhs"),
        (["evaluate", "AhKh"], "'AhKh' has 2"),
        (["equity", "AhKh"], "2 to 10 players, not 1"),
        (["equity", "AhKh", "QQ", "--method", "x"], "auto, exact or monte-carlo"),
        (["range", "QQ+, AX"], "'AX' at character 6"),
    ],
)
def test_mistakes_get_a_sentence(arguments: list[str], sentence: str) -> None:
    result = riverboat(*arguments, code=2)
    assert sentence in result.stderr
    assert not result.stdout


def test_help_and_version() -> None:
    assert "demo" in riverboat("--help").stdout
    assert riverboat("--version").stdout.startswith("riverboat ")


def test_demo_runs(tables: HandStrength) -> None:
    shown = riverboat("demo", "--folder", str(tables.folder)).stdout
    for part in ("queen kicker", "23,294,460", "58.043%", "AA ", "wins 0.6622"):
        assert part in shown


def test_cache(tables: HandStrength, tmp_path: Path) -> None:
    states = [row["state"] for row in as_json("cache", "show", "--folder", str(tmp_path))["tables"]]
    assert states == ["missing"] * 4
    shutil.copy(table_path("flop", tables.folder), tmp_path)
    folder = ("--folder", str(tmp_path))
    assert as_json("cache", "show", *folder)["tables"][1]["state"] == "ready"
    assert as_json("cache", "verify", *folder)["tables"]["flop"].startswith("every block")
    path = table_path("flop", tmp_path)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    assert "damaged" in as_json("cache", "verify", *folder, code=1)["tables"]["flop"]
    (tmp_path / "notes.txt").write_text("not a table")
    riverboat("cache", "clear", "--yes", *folder)
    assert [entry.name for entry in tmp_path.iterdir()] == ["notes.txt"]
    assert "no tables" in riverboat("cache", "clear", *folder).stdout


def test_cache_build(tables: HandStrength) -> None:
    assert (
        "All tables are there" in riverboat("cache", "build", "--folder", str(tables.folder)).stdout
    )
