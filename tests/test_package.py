"""The package as a whole: version, builds for both instruction sets, light import."""

import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import riverboat
from riverboat import _core

ROOT = Path(__file__).parents[1]


def run(code: str, **environment: str) -> str:
    result = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return result.stdout.strip()


def test_version() -> None:
    assert riverboat.__version__.count(".") == 2


def test_the_entry_points_of_the_project_are_installed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    installed = {
        (entry.group, entry.name): entry for entry in distribution("riverboat").entry_points
    }
    for group, entries in project["entry-points"].items():
        for name, value in entries.items():
            entry = installed.get((group, name))
            assert entry is not None, f"install Riverboat again: {group} lacks {name}"
            assert entry.value == value
            assert entry.load()


def test_baseline_and_fast_kernels_agree() -> None:
    code = """
import numpy as np
from riverboat import _core
from riverboat.cards import equity, evaluate_batch
rng = np.random.default_rng(1)
hands = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (20000, 1)), axis=1)[:, :7]
players = equity("AhKh", "QQ", "random", method="monte-carlo", samples=50000, seed=4).players
print(_core.ISA, int(evaluate_batch(hands).sum(dtype=int)), players)
"""
    baseline = run(code, RIVERBOAT_ISA="baseline").split(" ", 1)
    chosen = run(code).split(" ", 1)
    assert baseline[0] == "baseline"
    assert chosen[0] == _core.ISA
    assert baseline[1] == chosen[1]


def test_unknown_instruction_sets_are_refused() -> None:
    code = "from riverboat.cli import main; main()"
    result = subprocess.run(
        [sys.executable, "-c", code, "evaluate", "AsKsQsJsTs"],
        env={"RIVERBOAT_ISA": "avx9"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 2
    sentence = (
        "riverboat: RIVERBOAT_ISA='avx9' is not known: use baseline, x86-64-v3 or leave it empty\n"
    )
    assert result.stderr == sentence


def test_importing_cards_does_not_import_the_command_line() -> None:
    loaded = run("import sys, riverboat.cards; print(sorted(sys.modules))")
    for heavy in ("'rich'", "'click'", "'matplotlib'"):
        assert heavy not in loaded
