"""`riverboat show`, as a user types it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from rich.console import Console

from blueprint.strategies import leduc_solver, save
from riverboat.blueprint import Blueprint, Header, group_buckets, write_blueprint
from riverboat.buckets import make_abstraction
from riverboat.cards import HandStrength
from riverboat.cli import main
from riverboat.cli._matrix import action_keys, matrix_lines
from riverboat.game import catalogue
from riverboat.tree import Tree

PAGE = Path(__file__).parents[2] / "docs" / "json.md"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A strategy of hold'em before and on the flop, and one of Leduc."""
    folder = tmp_path_factory.mktemp("show")
    spec = catalogue("nolimit-100bb")
    spec = spec.replace(streets=spec.streets[:2])
    tree = Tree(spec, "2.5x, a ; cap 2 / 50%, a ; cap 1")
    cards = make_abstraction("suitless 2")
    header = Header.of(tree, group_buckets(tree, cards))
    table = np.random.default_rng(1).integers(1, 100, header.entries).astype(np.float32)
    table[: int(tree.group_entries[0])] = 0  # aces are untrained
    path = folder / "flop.blueprint"
    write_blueprint(path, header, tree, table, cards)
    return {"flop": path, "leduc": save(leduc_solver(50), folder / "leduc.blueprint")}


class Shown(NamedTuple):
    """What a command printed."""

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
    shown = riverboat(files["flop"], "", "--hands", "AhKh,QQ,A4s-A2s,AA").stdout
    lines = shown.splitlines()
    assert "at the start: seat 0, pot 15, 5 to call" in lines[0]
    assert all(len(line) <= 80 for line in lines)
    assert lines[1].startswith("AA ?  AKs")
    assert lines[13].startswith("A2o")
    assert "all-in 1000" in shown
    for hand in ("AhKh", "QQ", "A4s", "A3s", "A2s"):
        assert any(line.strip().startswith(hand) for line in lines[14:])
    assert "is untrained" in shown


def test_a_later_street_with_a_bet_off_the_menu(
    files: dict[str, Path], riverboat: Callable[..., Shown]
) -> None:
    shown = riverboat(files["flop"], "b25c/kb30", "--board", "Qh7c2d", "--hands", "QhQc").stdout
    assert "after b25c/kb25 on Qh7c2d: seat 1, pot 75, 25 to call" in shown.replace("\n", " ")
    assert "b25c/kb30 is read as b25c/kb25." in shown
    assert "on the board" in shown


def test_no_tables_are_built_and_nothing_goes_into_a_pipe(
    tables: HandStrength,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    riverboat: Callable[..., Shown],
) -> None:
    spec = catalogue("nolimit-100bb")
    tree = Tree(spec, "a ; cap 1")
    cards = make_abstraction("lossless | suitless | suitless | percentile 10", tables)
    header = Header.of(tree, group_buckets(tree, cards))
    table = np.ones(header.entries, np.float32)
    write_blueprint(tmp_path / "river.blueprint", header, tree, table, cards)
    cache = tmp_path / "cache"
    monkeypatch.setenv("RIVERBOAT_CACHE", str(cache))
    shown = riverboat(tmp_path / "river.blueprint", "ck/kk/kk/", "--board", "Qh7c2d3sTs")
    assert "100.0 % of these are trained" in " ".join(shown.stdout.split())
    assert not shown.stderr
    assert not cache.exists() or not list(cache.iterdir())


def test_a_narrow_terminal_gets_a_sentence(
    files: dict[str, Path], monkeypatch: pytest.MonkeyPatch, riverboat: Callable[..., Shown]
) -> None:
    monkeypatch.setattr("riverboat.cli._show.console", Console(width=50, color_system=None))
    shown = riverboat(files["flop"], "").stdout
    assert all(len(line) <= 50 for line in shown.splitlines())
    assert "The matrix has 77 columns, and 50 of them fit" in shown


def test_json_has_the_numbers_of_the_file(
    files: dict[str, Path], riverboat: Callable[..., Shown]
) -> None:
    arguments = ("b25", "--hands", "AhKh,7d2c", "--json")
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


def test_a_picture(files: dict[str, Path], tmp_path: Path, riverboat: Callable[..., Shown]) -> None:
    picture = tmp_path / "root.png"
    riverboat(files["flop"], "", "--plot", picture, "--colour-blind", "--json")
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size > 20_000
    refused = riverboat(files["flop"], "", "--plot", tmp_path / "root.txt", code=2)
    assert "a picture ends in png, svg, pdf, not 'root.txt'" in refused.stderr
    assert not (tmp_path / "root.txt").exists()


def test_colours_fill_cells_by_shares() -> None:
    tree = Tree(catalogue("nolimit-100bb"), "2.5x, a ; cap 2")
    keys = action_keys(tree, 0)
    strategy = np.tile([0.6, 0.4, 0.0, 0.0], (169, 1))
    strategy[0] = [0, 0, 0, 1]
    strategy[1] = np.nan
    console = Console(force_terminal=True, color_system="truecolor", width=80)
    rows = list(matrix_lines(strategy, np.ones(169, bool), keys, console))
    assert rows[0].plain.startswith("AA A  AKs?  AQsF6")
    backgrounds = [span.style.bgcolor for span in rows[1].spans[:5]]  # type: ignore[union-attr]  # a Style, not its name
    triplets = [tuple(colour.triplet) for colour in backgrounds if colour and colour.triplet]
    assert triplets == [keys[0].colour] * 3 + [keys[1].colour] * 2
    plain = Console(color_system=None, width=80)
    colourless = list(matrix_lines(strategy, np.ones(169, bool), keys, plain))
    assert [row.plain for row in colourless] == [row.plain for row in rows]
    assert not any(span.style.bgcolor for row in colourless for span in row.spans)  # type: ignore[union-attr]  # a Style, not its name
    blind = action_keys(tree, 0, "colour-blind")
    assert len({key.colour for key in blind}) == len({key.colour for key in keys}) == 4


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["b25c/"], "the board has 3 cards, and none are given"),
        (["", "--board", "Qh7c2d"], "leave --board out"),
        (["f"], "the hand is over after 'f'"),
        (["b25x"], "'x' is no action"),
        (["b25c/", "--board", "Qh7c2d", "--hands", "ZZ"], "ZZ"),
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
    result = riverboat(files["leduc"], "", "--hands", "QQ", code=2)
    assert "all buckets are listed" in result.stderr
    assert "cannot be read" in riverboat(tmp_path / "none.blueprint", "", code=2).stderr
