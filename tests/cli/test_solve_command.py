"""`riverboat solve`, `show` of a solution and `spot-report`, as a user types them."""

import json
import re
from pathlib import Path

import pytest

from cli.typed import riverboat
from riverboat.spots import Spot

PAGE = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
BLUFF = ("--board", "2s3h4d6c7c", "--pot", "20", "--stack", "10")
RANGES = ("--oop", "AsAh, QsQh", "--ip", "KsKh", "--menu", "a", "--no-plot")
TURN = Spot(board="Ks7h2d2c", pot=20, stack=20, oop="QQ, 77", ip="AK, JJ", menu="a")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A river and a turn that are solved."""
    place = tmp_path_factory.mktemp("solve")
    riverboat("solve", *BLUFF, *RANGES, "--target", "0.01%", "-o", str(place / "river"))
    TURN.write(place / "turn.toml")
    riverboat("solve", "--file", str(place / "turn.toml"), "-o", str(place / "turn"), "--no-plot")
    return place


def rows_of(command: str) -> str:
    """The rows of docs/json.md for one command."""
    found = re.search(rf"\| `{re.escape(command)}` \|(.*?)(?=\n\| `|\n[^|]|\Z)", PAGE, re.DOTALL)
    assert found is not None, command
    return found[0]


def keys_are_told(command: str, values: dict[str, object]) -> None:
    """Every key, and those of the rows within, is on the page."""
    rows = rows_of(command)
    for key, value in values.items():
        if key == "version":
            continue
        inner = value[0] if isinstance(value, list) and value else value
        assert f"`{key}" in rows, key
        if isinstance(inner, dict) and key not in ("spot", "other", "mean"):
            for part in inner:
                assert f"`{key}[].{part}`" in rows or f"`.{part}`" in rows, (key, part)


def test_a_spot_of_options_and_its_end(folder: Path) -> None:
    shown = riverboat("show", str(folder / "river.solution"), "--hole", "AsAh,QsQh,72o")
    assert "At the start on 2s3h4d6c7c: oop decides, pot 20" in shown.stdout
    assert "oop: equity 50.0 %, EV 13.33 chips" in shown.stdout
    assert re.search(r"AsAh +100.0 +100.0 +26.\d+ ", shown.stdout)
    assert re.search(r"72o +not in the range", shown.stdout)


def test_json_of_solve(folder: Path) -> None:
    out = str(folder / "json")
    lock = ("--lock", "b10: KK = f 25 c 75", "--target", "0.001%")
    told = riverboat("solve", *BLUFF, *RANGES, *lock, "-o", out, "--json")
    values = json.loads(told.stdout)
    keys_are_told("solve", values)
    assert values["values"] == pytest.approx([13.75, 6.25], abs=1e-3)
    assert (values["event"], values["checkpoint"]) == ("finished", None)
    assert Path(values["log"]).read_text().count("\n") >= 1
    estimate = json.loads(riverboat("solve", *BLUFF, *RANGES, "--estimate", "--json").stdout)
    keys_are_told("solve --estimate", estimate)
    assert estimate["decisions"] == 4


def test_locks_of_a_file_and_the_best_response(folder: Path) -> None:
    (folder / "locks.txt").write_text("# calls with all\nb10: all = c 100\n")
    lock = ("--lock", str(folder / "locks.txt"), "--exploit", "oop")
    told = riverboat("solve", *BLUFF, *RANGES, *lock, "-o", str(folder / "best"), "--json")
    assert json.loads(told.stdout)["values"] == pytest.approx([15, 5])
    shown = riverboat("show", str(folder / "best.solution"))
    assert "1 locked; oop plays the best response" in shown.stdout.replace("\n", " ").replace(
        "  ", " "
    )
    against = ("--exploit", "oop", "--against", str(folder / "river.solution"))
    told = riverboat("solve", *BLUFF, *RANGES, *against, "-o", str(folder / "resp"), "--json")
    assert json.loads(told.stdout)["values"][0] == pytest.approx(13.33, abs=0.02)


def test_a_budget_can_be_resumed(folder: Path) -> None:
    words = ("solve", "--file", str(folder / "turn.toml"), "--no-plot", "-o", str(folder / "part"))
    told = riverboat(*words, "--target", "0%", "--iterations", "10", "--bits", "16")
    assert "The same command with --resume goes on." in told.stdout
    assert "exists: --resume" in riverboat(*words, code=None).stderr.replace("\n", " ")
    told = riverboat(*words, "--bits", "16", "--resume", "--target", "2%", "--json")
    assert json.loads(told.stdout)["event"] == "finished"


def test_json_of_show_and_of_reports(folder: Path) -> None:
    file = str(folder / "turn.solution")
    values = json.loads(
        riverboat("show", file, "kk", "--cards", "8d", "--hole", "QQ", "--json").stdout
    )
    keys_are_told("show (solution)", values)
    assert (values["board"], values["player"], values["to_call"]) == ("Ks7h2d2c8d", "oop", 0)
    assert sum(values["values"]) == pytest.approx(20)
    assert sum(each["frequency"] for each in values["actions"]) == pytest.approx(1)
    out = folder / "rivers.csv"
    report = json.loads(
        riverboat("spot-report", file, "--line", "kk", "-o", str(out), "--json").stdout
    )
    keys_are_told("spot-report", report)
    assert json.loads(riverboat("spot-report", file, "--json").stdout) == report
    assert len(report["rows"]) == 48
    assert out.read_text().count("\n") == 49
    several = riverboat("spot-report", file, str(folder / "turn.solution"))
    assert several.stdout.count("Ks7h2d2c") == 2


def test_a_file_without_rivers(folder: Path) -> None:
    out = folder / "small.solution"
    words = ("solve", "--file", str(folder / "turn.toml"), "--without-rivers", "--no-plot")
    riverboat(*words, "-o", str(out))
    assert out.stat().st_size * 4 < (folder / "turn.solution").stat().st_size
    shown = riverboat("show", str(out), "kk", "--cards", "8d")
    assert "After kk on Ks7h2d2c8d: oop decides" in shown.stdout


def test_with_is_for_solutions() -> None:
    refused = riverboat("show", "default", "--with", "default ck", code=None)
    assert "--with is for solutions" in refused.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "a spot needs --board, --pot, --stack, --oop, --ip as well"),
        ((*BLUFF, *RANGES, "--target", "little"), "--target is per cent of the pot"),
        ((*BLUFF, *RANGES, "--bits", "8"), "--bits is 32 or 16, not 8"),
        ((*BLUFF, *RANGES, "--exploit", "me"), "--exploit is oop or ip, not 'me'"),
        ((*BLUFF, *RANGES, "--rake", "200"), "rake_percent"),
        ((*BLUFF, *RANGES, "--lock", "b10 KK"), "is not LINE: HANDS = SHARES"),
    ],
)
def test_sentences(words: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    told = riverboat("solve", *words, "-o", str(tmp_path / "x"), code=None)
    assert told.returncode != 0
    assert sentence in told.stderr.replace("\n", " ")
    assert list(tmp_path.iterdir()) == []
