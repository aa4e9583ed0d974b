"""The `blueprint` commands: output, and JSON keys as in docs/json.md."""

import doctest
import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from rich.console import Console

from blueprint.strategies import leduc_solver, save
from cli.test_json_page import rows_of
from riverboat.blueprint import Blueprint
from riverboat.cli._app import make_app
from riverboat.errors import BlueprintError, DamagedFileError
from riverboat.solve import Scheme

RUNNER = CliRunner()


def run(*words: str | Path) -> str:
    result = RUNNER.invoke(make_app(), ["blueprint", *map(str, words)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def run_json(*words: str | Path) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(run(*words, "--json"))
    page = rows_of(f"blueprint {words[0]}")
    assert values.pop("version")
    for key, value in values.items():
        assert f"`{key}`" in page or f"`{key}[]`" in page or f"`{key}[]." in page, key
        inner = value[0] if isinstance(value, list) and value else value
        if isinstance(inner, dict) and key in {"findings", "whole", "streets"}:
            for part in inner:
                assert f".{part}`" in page, (key, part)
    return values


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Two Leduc strategies with untrained information sets."""
    return [
        save(leduc_solver(30, Scheme("external"), seed), tmp_path / f"{seed}.blueprint")
        for seed in (1, 2)
    ]


def test_info_and_verify(files: list[Path]) -> None:
    values = run_json("info", files[0])
    assert (values["game"], values["cards"], values["infosets"]) == ("leduc", "lossless", 288)
    assert (values["seed"], values["iterations"]) == (1, 30)
    shown = run("info", files[0])
    assert str(files[0]) in re.sub(r"\s", "", shown)  # in full, however narrow the terminal
    assert "leduc" in shown
    assert "288" in shown
    found = run_json("verify", files[0])["findings"]
    assert [finding["check"] for finding in found] == ["distributions", "visited"]
    assert "all 288 rows are distributions" in run("verify", files[0])


def test_tools_write_what_they_say(files: list[Path], tmp_path: Path) -> None:
    pruned = tmp_path / "pruned"
    values = run_json("prune", files[0], "-o", pruned)
    assert values["after"] == int((Blueprint.open(files[0]).weights() > 0).sum())
    assert "kept" in run("prune", files[0], "-o", tmp_path / "uniform", "--uniform")
    small = tmp_path / "small"
    values = run_json("quantise", pruned, "-o", small)
    assert values["largest_shift"] <= values["bound"]
    assert "bound 0.00261" in run("quantise", pruned, "-o", small, "--force")
    both = tmp_path / "both"
    assert run_json("combine", *files, "-o", both)["method"] == "sum"
    assert "(weighted)" in run("combine", *files, "-o", both, "--method", "weighted", "--force")
    values = run_json("compare", both, small)
    assert len(values["streets"]) == 2
    assert values["whole"]["both"] == sum(street["both"] for street in values["streets"])
    assert "Distances are total" in run("compare", both, small)


def test_bars_are_for_terminals(
    files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Progress bars count to the end on the error stream; without a terminal there are none."""
    commands: list[tuple[str, list[str | Path]]] = [
        ("checksums", ["verify", files[0]]),
        ("rows", ["verify", files[0]]),
        ("pruned", ["prune", files[0], "-o", tmp_path / "pruned", "--force"]),
        ("quantised", ["quantise", files[0], "-o", tmp_path / "small", "--force"]),
        ("combined", ["combine", *files, "-o", tmp_path / "both", "--force"]),
        ("compared", ["compare", *files]),
    ]
    for name, words in commands:
        for terminal in (True, False):
            shown = StringIO()
            screen = Console(file=shown, force_terminal=terminal, width=100, color_system=None)
            monkeypatch.setattr("riverboat.cli._progress.status", screen)
            run(*words)
            if not terminal:
                assert shown.getvalue() == ""
                continue
            last = [line for line in shown.getvalue().splitlines() if name in line][-1]
            done = re.search(r"([0-9]+)/([0-9]+)", last)
            assert done is not None, last
            assert done[1] == done[2]


@pytest.mark.peer
def test_export(files: list[Path], tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    out = tmp_path / "a.parquet"
    assert run_json("export", files[0], "-o", out)["bytes"] == out.stat().st_size
    assert "rows in" in run("export", files[0], "-o", tmp_path / "a", "--format", "arrow")


def test_mistakes_are_sentences(files: list[Path]) -> None:
    with pytest.raises(BlueprintError, match="exists already: name another file, or give --force"):
        run("prune", files[0], "-o", files[1])
    damaged = bytearray(files[0].read_bytes())
    damaged[-40] ^= 4
    files[0].write_bytes(damaged)
    with pytest.raises(DamagedFileError):
        run("verify", files[0])


def test_the_examples_of_the_guide_hold() -> None:
    guide = Path(__file__).parents[2] / "docs" / "blueprint.md"
    results = doctest.testfile(str(guide), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0
