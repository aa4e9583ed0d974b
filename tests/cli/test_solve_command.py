"""`riverboat solve`, `show` of a solution and `spot-report`, as a user types them."""

import json
import re
from pathlib import Path

import pytest

from cli.typed import riverboat
from riverboat.cli._solve_options import spot_of, strategy_against
from riverboat.spots import Imported, Spot

PAGE = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
BLUFF = ("--board", "2s3h4d6c7c", "--pot", "20", "--stack", "10")
RANGES = ("--oop", "AsAh, QsQh", "--ip", "KsKh", "--menu", "a", "--no-plot")
TURN = Spot(board="Ks7h2d2c", pot=20, stack=20, oop="QQ, 77", ip="AK, JJ", menu="a")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A solved river and a solved turn."""
    place = tmp_path_factory.mktemp("solve")
    riverboat("solve", *BLUFF, *RANGES, "--target", "0.01%", "-o", str(place / "river"))
    TURN.write(place / "turn.toml")
    riverboat("solve", "--file", str(place / "turn.toml"), "-o", str(place / "turn"), "--no-plot")
    return place


def rows_of(command: str) -> str:
    """The rows of docs/json.md for one command."""
    row = rf"^\| `{re.escape(command)}` \|(.*?)(?=\n\| `|\n[^|]|\Z)"
    found = re.search(row, PAGE, re.DOTALL | re.MULTILINE)
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
        if isinstance(inner, dict) and key not in ("spot", "other", "mean", "imported"):
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
    assert "The same command with --resume continues." in told.stdout
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


def test_where_play_never_comes(folder: Path) -> None:
    file = str(folder / "never.solution")
    lock = ("--lock", "b20: all = f 100")
    riverboat("solve", "--file", str(folder / "turn.toml"), *lock, "--no-plot", "-o", file)
    for words in (("show", file, "b20", "--hole", "AK"), ("show", file, "kb20", "--hole", "77")):
        assert "nan" not in riverboat(*words).stdout
    one = ("--board", "Ks7h2d2c", "--pot", "20", "--stack", "20", "--oop", "QQ", "--ip", "AhKh")
    riverboat("solve", *one, "--menu", "a", "--no-plot", "--force", "-o", file)
    shown = riverboat("show", file, "kk", "--cards", "Ah", "--hole", "QQ")
    assert "Play never reaches this decision." in shown.stdout
    assert "nan" not in shown.stdout
    values = json.loads(riverboat("show", file, "kk", "--cards", "Ah", "--json").stdout)
    assert values["values"] == [None, None]
    report = riverboat("spot-report", file)
    assert "- is never reached" in report.stdout
    assert "nan" not in report.stdout


def test_a_table_of_hands_that_is_too_wide(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = str(folder / "wide.solution")
    spot = ("--board", "2s3h4d6c7c", "--pot", "2000", "--stack", "15000", "--no-plot")
    menu = ("--menu", "20%, 50%, 100%, 200%, a", "--target", "5%")
    riverboat("solve", *spot, *menu, "--oop", "AA, QQ", "--ip", "KK", "-o", file)
    monkeypatch.setattr("riverboat.cli._output.console.width", 80)
    shown = riverboat("show", file, "--hole", "QQ,KK").stdout
    table = shown[shown.index(" hand ") :]
    assert "b4000" in table
    assert "…" not in table
    assert re.search(r"QQ +b4000 +\d+\.\d +-?[\d,]+\.\d\d", table)


def test_a_file_without_rivers(folder: Path) -> None:
    out = folder / "small.solution"
    words = ("solve", "--file", str(folder / "turn.toml"), "--without-rivers", "--no-plot")
    riverboat(*words, "-o", str(out))
    assert out.stat().st_size * 4 < (folder / "turn.solution").stat().st_size
    shown = riverboat("show", str(out), "kk", "--cards", "8d")
    assert "After kk on Ks7h2d2c8d: oop decides" in shown.stdout


def test_a_strategy_that_is_led_elsewhere(folder: Path) -> None:
    refused = riverboat("show", str(folder / "turn.solution"), "--with", "default b25c", code=None)
    assert "leads to a board of 3 cards" in refused.stderr


def test_with_is_for_solutions() -> None:
    refused = riverboat("show", "default", "--with", "default ck", code=None)
    assert "--with needs a solution" in refused.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "a spot also needs --board, --pot, --stack, --oop, --ip,"),
        ((*BLUFF, *RANGES, "--target", "little"), "--target is a percentage of the pot"),
        ((*BLUFF, *RANGES, "--bits", "8"), "'8' is not allowed: it must be 32 or 16"),
        ((*BLUFF, *RANGES, "--exploit", "me"), "'me' is not allowed: it must be oop or ip"),
        ((*BLUFF, *RANGES, "--rake", "200"), "it must be a number from 0 to 100"),
        (
            (*BLUFF[:4], *RANGES, "--stack", "ten"),
            "'ten' is not allowed: it must be a whole number from 1",
        ),
        ((*BLUFF[:4], *RANGES, "--stack", "1,2,3"), "stack must be one number or two, not 3"),
        ((*BLUFF[:4], *RANGES, "--stack", "0"), "stack"),
        ((*BLUFF, *RANGES, "--lock", "b10 KK"), "--lock is 'LINE: HANDS = SHARES', or a file"),
    ],
)
def test_sentences(words: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    told = riverboat("solve", *words, "-o", str(tmp_path / "x"), code=None)
    assert told.returncode != 0
    assert sentence in told.stderr.replace("\n", " ")
    assert list(tmp_path.iterdir()) == []


# ---- Strategies to exploit, and sets of boards


def test_a_strategy_to_exploit(tmp_path: Path) -> None:
    spot = ("--board", "Ks7h2d3c8d", "--pot", "50", "--stack", "975", "--oop", "QQ", "--ip", "AK")
    words = ("solve", *spot, "--against", "default b25c/kk/kk", "--exploit")
    out = str(tmp_path / "best")
    values = json.loads(riverboat(*words, "oop", "-o", out, "--json").stdout)
    keys_are_told("solve", values)
    assert set(values["imported"]) <= {"trained", "untrained", "off-tree"}
    shown = riverboat("show", f"{out}.solution").stdout.replace("\n", " ")
    assert "oop plays the best response to default.blueprint b25c/kk/kk" in shown
    told = riverboat(*words, "ip", "-o", str(tmp_path / "other")).stdout.replace("\n", " ")
    assert "ip plays the best response to default.blueprint b25c/kk/kk." in told
    assert "% trained, " in told


def test_each_may_have_a_stack() -> None:
    words = ("--board", "2s3h4d6c7c", "--pot", "20", "--stack", "10,25", *RANGES, "--estimate")
    spot = json.loads(riverboat("solve", *words, "--json").stdout)["spot"]
    assert spot["stack"] == [10, 25]
    assert Spot(**spot).spec.stacks == (20, 20)  # the smaller one is played for


def test_a_strategy_to_exploit_brings_its_spot() -> None:
    origin = strategy_against("default b25c")
    assert isinstance(origin, Imported)
    spot = spot_of({"board": "Ks7h2d", "rake_percent": 5.0}, None, origin=origin)
    assert (spot.pot, spot.stacks, spot.rake_percent, spot.big_blind) == (50, (975, 975), 5, 10)
    assert spot.menu == "50%, 100%, a | 100%, a ; cap 3"
    assert [each.support > 600 for each in spot.ranges] == [True, True]


def test_a_set_of_boards_and_its_report(tmp_path: Path) -> None:
    (tmp_path / "boards.txt").write_text("2s3h4d6c7c\n2s3h4d6c8c\n")
    words = ("solve", "--flops", str(tmp_path / "boards.txt"), *BLUFF[2:], *RANGES)
    out = ("-o", str(tmp_path / "set"))
    estimate = json.loads(riverboat(*words, *out, "--estimate", "--json").stdout)
    keys_are_told("solve --flops --estimate", estimate)
    told = riverboat(*words, *out)
    assert "2 of 2 spots are solved" in told.stdout
    assert "1/2 2s3h4d6c7c: iteration" in told.stderr
    values = json.loads(riverboat(*words, *out, "--resume", "--json").stdout)
    keys_are_told("solve --flops", values)
    report = riverboat("spot-report", str(tmp_path / "set"), "-o", str(tmp_path / "r.csv"))
    assert "2s3h4d6c8c" in report.stdout
    assert (tmp_path / "r.csv").read_text().count("\n") == 3
    textures = json.loads(
        riverboat("spot-report", str(tmp_path / "set"), "--by", "suits", "--json").stdout
    )
    assert [row["name"] for row in textures["rows"]] == ["rainbow"]
    assert textures["mean"]["values"] == textures["rows"][0]["values"]
    one = str(tmp_path / "set" / "2s3h4d6c7c.solution")
    assert (
        "--by needs several solutions, or a folder"
        in riverboat("spot-report", one, "--by", "high", code=2).stderr
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--against", "default b25c"), "--against needs --exploit oop or --exploit ip"),
        (("--against", "default", "--exploit", "ip"), "--against takes a solution, or a strategy"),
        (("--against", "defualt b25c", "--exploit", "ip"), "no strategy file"),
        (("--against", "none.solution", "--exploit", "ip"), "there is no solution"),
        (("--against", "default b26c", "--exploit", "ip"), "b26 is not on the menu"),
        (("--against", "default b25c", "--exploit", "ip"), "needs --board"),
        (("--flops", "Ks7h2d", "--board", "Ks7h2d"), "give --board or --flops, not both"),
        (("--flops", "Ks7h2d"), "a spot also needs --pot, --stack, --oop, --ip"),
    ],
)
def test_sentences_of_sets_and_strategies(
    words: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    board = ("--board", "Ks7h2d") if "b26c" in " ".join(words) else ()
    told = riverboat("solve", *words, *board, code=None)
    assert sentence in told.stderr.replace("\n", " ")
    assert list(tmp_path.iterdir()) == []


def test_rivers_that_cannot_be_left_out_are_refused_before_solving(tmp_path: Path) -> None:
    words = ("solve", *BLUFF, *RANGES, "--without-rivers", "-o", str(tmp_path / "x"))
    assert "is a river" in riverboat(*words, code=None).stderr
    assert not (tmp_path / "x.log.jsonl").exists()
