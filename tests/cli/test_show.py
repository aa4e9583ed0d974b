"""`riverboat show`, as a user types it."""

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from rich.console import Console

from blueprint.strategies import leduc_solver, save
from riverboat.blueprint import (
    Blueprint,
    Header,
    Training,
    default_blueprint,
    write_blueprint,
)
from riverboat.bots import BlueprintBot, make_bot
from riverboat.buckets import make_abstraction
from riverboat.cards import HandStrength, parse_hole
from riverboat.cli import main
from riverboat.game import Hand, catalogue
from riverboat.spots import SolveSettings, Spot, solve
from riverboat.tree import Tree

PAGE = Path(__file__).parents[2] / "docs" / "json.md"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A strategy of hold'em up to the flop, and one of Leduc."""
    folder = tmp_path_factory.mktemp("show")
    spec = catalogue("nolimit-100bb")
    spec = spec.replace(streets=spec.streets[:2])
    tree = Tree(spec, "2.5x, a ; cap 2 / 50%, a ; cap 1")
    cards = make_abstraction("suitless 2")
    header = Header.of(tree, cards)
    table = np.random.default_rng(1).integers(1, 100, header.entries).astype(np.float32)
    table[: int(tree.group_entries[0])] = 0  # aces are untrained
    path = folder / "flop.blueprint"
    write_blueprint(path, header, tree, table, cards)
    return {"flop": path, "leduc": save(leduc_solver(50), folder / "leduc.blueprint")}


class Shown(NamedTuple):
    """The output of a command."""

    stdout: str
    stderr: str


@pytest.fixture
def riverboat(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Shown]:
    """Run the command as `main` does, in this process: a program start takes seconds."""

    def run(*arguments: str | Path, code: int = 0) -> Shown:
        monkeypatch.setattr("sys.argv", ["riverboat", "show", *map(str, arguments)])
        monkeypatch.setenv("COLUMNS", "80")
        with pytest.raises(SystemExit) as end:
            main()
        shown = Shown(*capsys.readouterr())
        assert (end.value.code or 0) == code, shown.stderr
        return shown

    return run


def test_matrix_frequencies_and_hands(
    files: dict[str, Path], riverboat: Callable[..., Shown]
) -> None:
    shown = riverboat(files["flop"], "", "--hole", "AhKh,QQ,A4s-A2s,AA").stdout
    lines = shown.splitlines()
    assert "at the start: seat 0 decides, pot 15, 5 to call" in lines[0]
    assert all(len(line) <= 80 for line in lines)
    assert lines[1] == "Shown as trained"
    assert lines[2].startswith("AA ?  AKs")
    assert lines[14].startswith("A2o")
    assert "all-in 1000" in shown
    for hand in ("AhKh", "QQ", "A4s", "A3s", "A2s"):
        assert any(line.strip().startswith(hand) for line in lines[15:])
    assert "?: untrained" in shown


def test_a_later_street_with_a_bet_off_the_menu(
    files: dict[str, Path], riverboat: Callable[..., Shown]
) -> None:
    shown = riverboat(files["flop"], "b25c/kb30", "--board", "Qh7c2d", "--hole", "QhQc").stdout
    assert "after b25c/kb25 on Qh7c2d: seat 1 decides, pot 75, 25 to call" in shown.replace(
        "\n", " "
    )
    assert "b25c/kb30 is read as b25c/kb25." in shown
    assert "on the board" in shown


def test_a_strategy_beside_a_solution(
    files: dict[str, Path], riverboat: Callable[..., Shown], tmp_path: Path
) -> None:
    spot = Spot(
        board="Qh7c2d", pot=50, stack=975, oop="QcQd, 7h7d", ip="AsKs", menu="50%, a ; cap 1"
    )
    path = tmp_path / "flop.solution"
    solve(spot, SolveSettings(target=0, iterations=3)).finish().write(path, rivers=False)
    shown = riverboat(path, "k", "--with", f"{files['flop']} b25c").stdout
    assert "After k on Qh7c2d: ip decides, pot 50" in shown
    own, other = zip(*re.findall(r"(?:k|b25|b975) +(\d+\.\d) +(\d+\.\d) ", shown), strict=True)
    assert sum(map(float, own)) == pytest.approx(100, abs=0.2)
    assert sum(map(float, other)) == pytest.approx(100, abs=0.2)
    values = json.loads(riverboat(path, "k", "--with", f"{files['flop']} b25c", "--json").stdout)
    assert set(values["other"]) == {"k", "b25", "b975"}
    assert "a strategy and the line" in riverboat(path, "--with", "default", code=2).stderr


def test_no_tables_are_built_and_nothing_goes_into_a_pipe(
    tables: HandStrength,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    riverboat: Callable[..., Shown],
) -> None:
    spec = catalogue("nolimit-100bb")
    tree = Tree(spec, "a ; cap 1")
    cards = make_abstraction("lossless | suitless | suitless | equity-bins 10", tables)
    header = Header.of(tree, cards)
    table = np.ones(header.entries, np.float32)
    write_blueprint(tmp_path / "river.blueprint", header, tree, table, cards)
    cache = tmp_path / "cache"
    monkeypatch.setenv("RIVERBOAT_CACHE", str(cache))
    shown = riverboat(tmp_path / "river.blueprint", "ck/kk/kk/", "--board", "Qh7c2d3sTs")
    assert "100.0 % of the range is trained" in " ".join(shown.stdout.split())
    assert not shown.stderr
    assert not cache.exists() or not list(cache.iterdir())


def test_a_terminal_that_is_too_narrow_gets_a_sentence(
    files: dict[str, Path], monkeypatch: pytest.MonkeyPatch, riverboat: Callable[..., Shown]
) -> None:
    monkeypatch.setattr("riverboat.cli._output.console", Console(width=30, color_system=None))
    shown = " ".join(riverboat(files["flop"], "").stdout.split())
    assert "The matrix needs 40 columns, but the terminal has 30" in shown


@pytest.mark.parametrize(("columns", "width"), [(60, 53), (53, 53), (52, 40), (40, 40)])
def test_a_narrow_terminal_gets_a_matrix_without_names(
    files: dict[str, Path],
    columns: int,
    width: int,
    monkeypatch: pytest.MonkeyPatch,
    riverboat: Callable[..., Shown],
) -> None:
    monkeypatch.setattr("riverboat.cli._output.console", Console(width=columns, color_system=None))
    lines = riverboat(files["flop"], "").stdout.splitlines()
    assert all(len(line) <= columns for line in lines)
    top = next(at for at, line in enumerate(lines) if line.split() == list("AKQJT98765432"))
    rows = lines[top : top + 14]
    assert {len(row) for row in rows} == {width}
    assert [row[0] for row in rows] == [" ", *"AKQJT98765432"]
    values = json.loads(riverboat(files["flop"], "", "--json").stdout)
    letters = {"f": "F", "c": "C", "b25": "a", "b1000": "A"}
    actions = [action["action"] for action in values["actions"]]
    for index, entry in enumerate(values["classes"]):
        row, column = divmod(index, 13)
        cell = rows[row + 1].split()[column + 1]
        if entry["strategy"] is None:
            assert cell == "?"
            continue
        best = max(entry["strategy"])
        assert cell[0] == letters[actions[entry["strategy"].index(best)]]
        assert int(cell[1:] or 10) == pytest.approx(10 * best, abs=0.6)
    assert "Suited hands are above the diagonal" in " ".join(" ".join(lines).split())


@pytest.mark.parametrize(
    ("typed", "hands"),
    [
        ("AhKh QQ", ["AhKh", "QQ"]),
        ("QQ+ AhKh, Ac Kc", ["AA", "KK", "QQ", "AhKh", "AcKc"]),
        ("76s - 65s 22", ["76s", "65s", "22"]),
        ("AKs : 0.5", ["AKs"]),
    ],
)
def test_hands_are_listed_with_and_without_commas(
    typed: str, hands: list[str], files: dict[str, Path], riverboat: Callable[..., Shown]
) -> None:
    values = json.loads(riverboat(files["flop"], "--hole", typed, "--json").stdout)
    assert [entry["hand"] for entry in values["hands"]] == hands


def test_json_has_the_numbers_of_the_file(
    files: dict[str, Path], riverboat: Callable[..., Shown]
) -> None:
    arguments = ("b25", "--hole", "AhKh,7d2c", "--json")
    values = json.loads(riverboat(files["flop"], *arguments).stdout)
    blueprint = Blueprint.open(files["flop"])
    assert blueprint.cards is not None
    node = blueprint.tree.node("b25")
    assert (values["node"], values["player"], values["line"]) == (node, 1, "b25")
    assert [action["action"] for action in values["actions"]] == list(blueprint.tree.actions(node))
    for line, hole in zip(values["hands"], ("AhKh", "7d2c"), strict=True):
        row = blueprint.row(node, blueprint.cards.street_bucket(hole))
        assert row is not None
        assert line["strategy"] == pytest.approx(row.tolist())
    classes = {entry["hand"]: entry for entry in values["classes"]}
    assert len(classes) == 169
    assert classes["AKs"]["strategy"] == pytest.approx(values["hands"][0]["strategy"])
    frequencies = [action["frequency"] for action in values["actions"]]
    assert sum(frequencies) == pytest.approx(1)
    _all_keys_are_on_the_page(values)


def _all_keys_are_on_the_page(values: dict[str, Any]) -> None:
    _, _, rest = PAGE.read_text(encoding="utf-8").partition("| `show` |")
    rows = "\n".join(rest.splitlines()[:30])
    for key, value in values.items():
        inner = value[0] if isinstance(value, list) and value else {}
        for part in inner:
            assert f"`{key}[].{part}`" in rows or f"`.{part}`" in rows, (key, part)
        assert inner or key == "version" or f"`{key}`" in rows, key


def test_small_games_are_listed_by_bucket(
    files: dict[str, Path], riverboat: Callable[..., Shown]
) -> None:
    shown = riverboat(files["leduc"], "kb2").stdout
    for text in ("fold", "call", "raise to 4", "cards", "K"):
        assert text in shown
    values = json.loads(riverboat(files["leduc"], "kb2c/", "--json").stdout)
    assert len(values["buckets"]) == 9
    assert {bucket["cards"] for bucket in values["buckets"]} >= {"K/Q", "J/J"}
    for bucket in values["buckets"]:
        assert sum(bucket["strategy"]) == pytest.approx(1)
    _all_keys_are_on_the_page(values)


@pytest.mark.usefixtures("plain_pictures")
def test_a_picture(files: dict[str, Path], tmp_path: Path, riverboat: Callable[..., Shown]) -> None:
    picture = tmp_path / "root.png"
    riverboat(files["flop"], "", "--plot", picture, "--colour-blind", "--json")
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size > 4_000
    refused = riverboat(files["flop"], "", "--plot", tmp_path / "root.txt", code=2)
    assert "a picture must end in .png, .svg, .pdf, not 'root.txt'" in refused.stderr
    assert not (tmp_path / "root.txt").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["b25c/"], "the board has 3 cards, but none are given"),
        (["", "--board", "Qh7c2d"], "omit --board"),
        (["f"], "the hand is over after 'f'"),
        (["b25x"], "'x' is not an action"),
        (["b25c/", "--board", "Qh7c2d", "--hole", "ZZ"], "ZZ"),
        (["b40b80b200b400b900"], "leaves the tree"),
    ],
)
def test_mistakes_get_a_sentence(
    files: dict[str, Path],
    arguments: list[str],
    sentence: str,
    riverboat: Callable[..., Shown],
) -> None:
    result = riverboat(files["flop"], *arguments, code=2)
    assert sentence in result.stderr
    assert not result.stdout


def test_options_of_hold_em_are_refused_elsewhere(
    files: dict[str, Path], tmp_path: Path, riverboat: Callable[..., Shown]
) -> None:
    result = riverboat(files["leduc"], "", "--hole", "QQ", code=2)
    assert "all buckets are listed" in result.stderr
    assert "there is no strategy file " in riverboat(tmp_path / "none.blueprint", "", code=2).stderr


def test_no_color_and_ascii(
    files: dict[str, Path], monkeypatch: pytest.MonkeyPatch, riverboat: Callable[..., Shown]
) -> None:
    buffer = io.TextIOWrapper(io.BytesIO(), encoding="ascii", write_through=True)
    plain = Console(
        file=buffer, force_terminal=True, no_color=True, width=60, highlight=False, markup=False
    )
    for module in ("_show_rows", "_output"):
        monkeypatch.setattr(f"riverboat.cli.{module}.console", plain)
    riverboat(files["flop"], "", "--hole", "AhKh,QQ")
    buffer.seek(0)
    shown = buffer.read()  # a letter that is not ASCII would have ended the command
    assert "weighted by reach" in shown
    assert not re.search(r"\x1b\[[0-9;]*[34]8;", shown)
    assert all(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) <= 60 for line in shown.splitlines())


def test_visits_are_counted_and_few_are_marked(
    tmp_path: Path, riverboat: Callable[..., Shown]
) -> None:
    spec = catalogue("nolimit-100bb")
    tree = Tree(spec.replace(streets=spec.streets[:2]), "a ; cap 1")
    cards = make_abstraction("suitless 2")
    header = Header.of(
        tree,
        cards,
        Training(scheme={"sampling": "external"}, iterations=1000, recipe={"threshold": 0.3}),
    )
    table = np.full(header.entries, 50.0)
    table[: int(tree.group_entries[0])] = 5.0  # the first bucket: three actions, 15 visits
    file = tmp_path / "visited.blueprint"
    write_blueprint(file, header, tree, table, cards)
    values = json.loads(riverboat(file, "", "--hole", "AA,KK", "--json").stdout)
    assert values["few_visits_below"] == 100
    assert [(line["visits"], line["few_visits"]) for line in values["hands"]] == [
        (15, True),
        (150, False),
    ]
    by_class = {entry["hand"]: entry for entry in values["classes"]}
    assert (by_class["AA"]["visits"], by_class["AA"]["few_visits"]) == (15, True)
    assert values["visited"] == pytest.approx(1 - 6 / 1326)
    shown = riverboat(file, "", "--hole", "AA,KK").stdout
    assert "15~" in shown
    assert "~: fewer than 100 training visits" in " ".join(shown.split())
    assert "AA F~" in shown
    assert "with 100 visits or more" in " ".join(shown.split())
    assert "--as-played shows the strategy as a bot plays it" in " ".join(shown.split())
    _all_keys_are_on_the_page(values)


def test_visits_that_nobody_knows_are_said_to_be_so(
    files: dict[str, Path], riverboat: Callable[..., Shown]
) -> None:
    shown = " ".join(riverboat(files["flop"], "b25").stdout.split())
    assert "training visits are unknown" in shown
    values = json.loads(riverboat(files["flop"], "b25", "--json").stdout)
    assert values["few_visits_below"] is None
    assert {entry["visits"] for entry in values["classes"]} == {None}


def test_a_bot_is_shown_as_it_plays(riverboat: Callable[..., Shown]) -> None:
    bot = json.loads(riverboat("default", "b25", "--json").stdout)
    assert (bot["shown"], bot["threshold"]) == ("as played", 0.3)
    named = json.loads(riverboat("blueprint", "b25", "--json").stdout)
    assert named["classes"] == bot["classes"]
    file = json.loads(riverboat("default", "b25", "--as-trained", "--json").stdout)
    assert (file["shown"], file["threshold"]) == ("as trained", 0)
    same = json.loads(riverboat(bot["file"], "b25", "--json").stdout)
    assert same["classes"] == file["classes"]
    assert same["classes"] != bot["classes"]
    other = json.loads(riverboat("blueprint:threshold=1", "b25", "--json").stdout)
    # What is neither call nor likeliest is left out.
    assert {sum(share > 0 for share in entry["strategy"]) for entry in other["classes"]} == {1, 2}
    assert "without a style" in riverboat("blueprint:style=tight", "", code=2).stderr


@pytest.mark.parametrize(
    ("line", "board"),
    [
        ("", ""),
        ("c", ""),
        ("b25", ""),
        ("b25b75", ""),
        ("b25c/", "Qh7c2d"),
        ("b25c/kb25", "Qh7c2d"),
    ],
)
def test_what_is_shown_is_what_the_bot_plays(
    line: str, board: str, tables: HandStrength, riverboat: Callable[..., Shown]
) -> None:
    assert tables  # which `show` finds, and is quick
    hands = ["AhAd", "Th9c", "Jh5d", "7s2s", "8s8d", "Kd3d", "6h4s"]
    options = ("--board", board, "--hole", ",".join(hands), "--json")
    played, trained = (
        json.loads(riverboat("default", line, *options, how).stdout)
        for how in ("--as-played", "--as-trained")
    )
    bot = make_bot("blueprint:default", seed=0)
    assert isinstance(bot, BlueprintBot)
    plain = Blueprint.open(default_blueprint())
    actions = [action["action"] for action in played["actions"]]
    for place, hole in enumerate(hands):
        holes = [hole if seat == played["player"] else "????" for seat in range(2)]
        hand = Hand(catalogue("nolimit-100bb"), hole=holes, board=board)
        hand.play(line)
        view = hand.view(played["player"])
        shown = dict(zip(actions, played["hands"][place]["strategy"], strict=True))
        assert bot.strategy(view) == pytest.approx(shown)
        asked = plain.query(threshold=plain.threshold).strategy(view)
        assert (dict(asked.actions), asked.threshold) == (bot.strategy(view), 0.3)
        shown = dict(zip(actions, trained["hands"][place]["strategy"], strict=True))
        assert dict(plain.strategy(view).actions) == pytest.approx(shown)


def test_what_actions_are_worth(files: dict[str, Path], riverboat: Callable[..., Shown]) -> None:
    """Matrix, hands and JSON show the EVs that the strategy computes."""
    asked = files["flop"], "b25c/kb25", "--board", "Qh7c2d", "--hole", "AhKh,QhQc", "--ev"
    shown = riverboat(*asked).stdout
    assert all(len(line) <= 80 for line in shown.splitlines())
    query = Blueprint.open(files["flop"]).query()
    values = query.all_values.actions(query.tree.node("b25c/kb25"), "Qh7c2d")
    assert f"seat 1: EV {values.value(1):.2f} chips" in shown
    own = values.action_values[parse_hole("AhKh")]
    for action, ev in zip(values.actions, own.tolist(), strict=True):
        assert re.search(rf"AhKh +{action} +[\d.]+ +{re.escape(f'{ev + 0.0:.2f}')}", shown), action
    assert re.search(r"QhQc +on the board +- ", shown)
    told = json.loads(riverboat(*asked, "--json").stdout)
    assert (told["found"], told["samples"]) == ("exact", 0)
    assert told["ev"] == pytest.approx(values.value(1))
    assert told["hands"][0]["action_evs"] == pytest.approx(own.tolist())
    assert told["hands"][0]["action_errors"] == [0] * len(own)
    assert told["hands"][1]["ev"] is None
    assert told["classes"][0]["ev"] > 0  # aces
    _, _, rest = PAGE.read_text(encoding="utf-8").partition("| `show` |")
    for key in ("ev", "found", "samples", "classes[].ev", "hands[].ev", "buckets[].ev"):
        assert f"`{key}`" in rest, key


def test_drawn_values_have_errors(files: dict[str, Path], riverboat: Callable[..., Shown]) -> None:
    asked = files["flop"], "", "--ev", "--samples", "2", "--hole", "KK"
    told = json.loads(riverboat(*asked, "--json").stdout)
    assert (told["found"], told["samples"]) == ("2 runouts sampled", 2)
    assert told["hands"][0]["ev_error"] > 0
    assert "+-" in riverboat(*asked).stdout
    wrong = riverboat(files["flop"], "", "--ev", "--samples", "0", code=2)
    assert "runouts before the flop" in wrong.stderr.replace("\n", " ")


def test_samples_are_for_values(files: dict[str, Path], riverboat: Callable[..., Shown]) -> None:
    refused = riverboat(files["flop"], "", "--samples", "4", code=2)
    assert "--samples 4 needs --ev" in refused.stderr
    assert not refused.stdout


def test_small_games_tell_what_buckets_win(
    files: dict[str, Path], riverboat: Callable[..., Shown]
) -> None:
    told = json.loads(riverboat(files["leduc"], "b2", "--ev", "--json").stdout)
    assert [len(bucket["action_evs"]) for bucket in told["buckets"]] == [3, 3, 3]
    best = max(bucket["ev"] for bucket in told["buckets"])
    assert f"{best:.2f}" in riverboat(files["leduc"], "b2", "--ev").stdout
