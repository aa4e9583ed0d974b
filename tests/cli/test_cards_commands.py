"""The commands about cards and the cache, as a user types them."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from cli.typed import riverboat
from riverboat.cards import HandStrength, table_path


def as_json(*arguments: str, code: int = 0) -> dict[str, Any]:
    parsed = json.loads(riverboat(*arguments, "--json", code=code).stdout)
    assert parsed["version"]
    assert isinstance(parsed, dict)
    return parsed


def test_evaluate() -> None:
    shown = riverboat("evaluate", "KhKd4s4cQs7h2d").stdout
    assert "two pair, kings and fours, queen kicker" in shown
    assert shown.startswith("K♥ K♦ 4♠ 4♣ Q♠ 7♥ 2♦: ")
    plain = riverboat("evaluate", "KhKd4s4cQs7h2d", encoding="ascii").stdout
    assert plain.startswith("Kh Kd 4s 4c Qs 7h 2d: ")
    result = as_json("evaluate", "AsKsQsJsTs")
    assert result == {
        "strength": 7461,
        "category": "straight flush",
        "ranks": ["A"],
        "kickers": [],
        "description": "royal flush",
        "cactus_kev": 1,
        "version": result["version"],
    }
    assert as_json("evaluate", "KhKd4s4cQs7h2d")["kickers"] == ["Q"]
    assert as_json("evaluate", "As6s7s8s9s", "--short-deck")["cactus_kev"] is None


def test_equity(monkeypatch: pytest.MonkeyPatch) -> None:
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
    monkeypatch.setenv("COLUMNS", "60")
    sampling = ("--method", "monte-carlo")
    narrow = riverboat("equity", "QQ, JTs", "random", "--samples", "1000", *sampling).stdout
    assert "95 % interval\n" in "\n".join(line.strip() for line in narrow.splitlines())


def test_range() -> None:
    result = as_json("range", "QQ+, AK:0.5", "--dead", "Ah")
    assert result["combos"] == 3 + 6 + 6 + 0.5 * 12
    assert len(result["matrix"]) == 13
    shown = riverboat("range", "QQ+, AKs:0.25").stdout.splitlines()
    assert shown[0].startswith("AA    AKs25")


def test_cards_and_ranges_as_people_type_them() -> None:
    assert as_json("evaluate", "A♠K♠Q♠️J♤10s")["description"] == "royal flush"
    assert as_json("range", "ATs+ 1010+")["text"] == "TT+, ATs+"
    # 200 of 1,326 combos: the class that reaches 15 % is there whole.
    assert as_json("range", "15%")["combos"] == 200
    one, other = as_json("equity", "A♠A♥", "10♠10♥")["players"]
    assert one["equity"] > 0.8 > other["equity"]


def test_a_plus_that_adds_nothing_gets_a_sentence() -> None:
    note = "AKs+ is AKs alone: no kicker is higher below the A"
    assert riverboat("range", "QQ+ AKs+").stdout.splitlines()[-1] == note
    assert as_json("range", "QQ+ AKs+")["notes"] == [note]
    assert as_json("range", "QQ+")["notes"] == []
    shown = riverboat("equity", "AKs+", "Ah Ad", "--method", "monte-carlo", "--samples", "1000")
    assert shown.stdout.splitlines()[-1] == note


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["evaluate", "1h"], "'1h' is not a card: ranks are 23456789TJQKA, suits cdhs"),
        (["evaluate", "AhKh"], "'AhKh' has 2"),
        (["equity", "AhKh"], "2 to 10 players, not 1"),
        (["equity", "AhKh", "QQ", "--method", "x"], "auto, exact or monte-carlo"),
        (["range", "QQ+, AX"], "'AX' at character 6"),
        (["range", "AK♠"], "write the suit symbol after each rank"),
        (["range", "150%"], "a number from 0 to 100 and %, such as 15%"),
    ],
)
def test_mistakes_get_a_sentence(arguments: list[str], sentence: str) -> None:
    result = riverboat(*arguments, code=2)
    assert sentence in result.stderr
    assert not result.stdout


def test_help_and_version() -> None:
    assert "demo" in riverboat("--help").stdout
    assert riverboat("--version").stdout.startswith("riverboat ")


def test_a_process_of_its_own() -> None:
    start = [sys.executable, "-c", "from riverboat.cli import main; main()", "evaluate"]
    good = subprocess.run([*start, "AsKsQsJsTs"], capture_output=True, text=True, check=True)
    assert "royal flush" in good.stdout
    bad = subprocess.run([*start, "1h"], capture_output=True, text=True, check=False)
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr.startswith("riverboat: '1h' is not a card")


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
    assert "riverboat cache build" in riverboat("cache", "verify", *folder, code=1).stderr
    (tmp_path / "notes.txt").write_text("not a table")
    riverboat("cache", "clear", "--yes", *folder)
    assert [entry.name for entry in tmp_path.iterdir()] == ["notes.txt"]
    assert "no tables" in riverboat("cache", "clear", *folder).stdout


def test_cache_build_reads_every_block(tables: HandStrength, tmp_path: Path) -> None:
    folder = ("--folder", str(tmp_path))
    for table in tables.folder.glob("hand-strength-*"):
        os.link(table, tmp_path / table.name)
    path = table_path("flop", tmp_path)
    path.unlink()
    shutil.copy(table_path("flop", tables.folder), path)  # the one that is spoilt
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        byte = file.read(1)[0]
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte ^ 1]))
    built = riverboat("cache", "build", *folder)
    assert "The flop table is damaged: building it again" in built.stderr
    assert "All hand-strength tables are ready" in built.stdout
    riverboat("cache", "verify", *folder)


def test_square_brackets_are_shown(tmp_path: Path) -> None:
    folder = tmp_path / "[bold]a[" / ":smile:"
    shown = riverboat("cache", "clear", "--folder", str(folder)).stdout
    assert "[bold]a[/:smile:" in shown.replace("\n", "")


def test_what_the_system_refuses_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    shown = riverboat("cache", "build", "--folder", str(tmp_path / "file"), code=2).stderr
    assert "cannot read or write hand-strength tables" in shown
    (tmp_path / table_path("flop").name).mkdir()
    for command in (["build"], ["show"], ["verify"], ["clear", "--yes"]):
        shown = riverboat("cache", *command, "--folder", str(tmp_path), code=2).stderr
        assert "Is a directory" in shown


def test_ctrl_c_says_so() -> None:
    start = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from riverboat.cli import main; print('ready', flush=True); main()"
    )
    arguments = ["equity", *["random"] * 6, "--method", "monte-carlo", "--samples", str(10**12)]
    with subprocess.Popen(
        [sys.executable, "-c", start, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.7)  # most likely in the middle of the samples; any other moment must do too
        process.send_signal(signal.SIGINT)
        _, shown = process.communicate(timeout=60)
    assert process.returncode == 130
    assert shown.strip().endswith("riverboat: stopped")
    assert "Traceback" not in shown
