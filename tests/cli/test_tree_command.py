"""`riverboat tree` as a user types it."""

import json
from functools import partial
from pathlib import Path

import pytest

from cli.typed import riverboat

tree = partial(riverboat, "tree")


def test_table() -> None:
    arguments = ("--game", "nolimit-100bb", "--menu", "laptop")
    shown = tree(*arguments, "--buckets", "169,200,200,200").stdout
    # 11,324 decisions: the design target of this menu.
    for part in ("11,324", "8,456", "2,263,436", "5,811,401", "29,078 nodes", "69.7 MB", "4 bytes"):
        assert part in shown
    assert "Give --buckets" in tree(*arguments).stdout


def test_large_tables_fit_80_columns() -> None:
    shown = tree("--game", "holdem", "--menu", "caltech", "--buckets", "1000000").stdout
    assert "…" not in shown
    assert all(len(line) <= 80 for line in shown.splitlines())


def test_json() -> None:
    parsed = json.loads(
        tree("--game", "leduc", "--menu", "min", "--buckets", "3,9", "--json").stdout
    )
    assert parsed.pop("build_seconds") > 0
    assert parsed.pop("version")
    assert parsed == {
        "game": "leduc",
        "menu": "min",
        "nodes": 85,
        "decisions": [6, 30],
        "folds": [4, 20],
        "showdowns": [0, 25],
        "groups": 4,
        "buckets": [3, 9],
        "infosets": [18, 270],
        "entries": [42, 630],
        "training_bytes": 8064,
    }
    without = json.loads(tree("--game", "leduc", "--menu", "min", "--json").stdout)
    assert without["buckets"] is without["infosets"] is without["training_bytes"] is None


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--game", "x", "--menu", "a"], "'x' is not a game of the catalogue"),
        (["--game", "kuhn", "--menu", "50"], "'50' at character 1 of the bet menu"),
        (
            ["--game", "leduc", "--menu", "a", "--buckets", "1,2,3"],
            "takes one whole number above 0, or 2 of them",
        ),
        (["--game", "leduc", "--menu", "a", "--buckets", "0"], "above 0"),
        (["--game", "limit", "--menu", "min", "--max-nodes", "99"], "more than 99 nodes"),
        (["--game", "limit", "--menu", "min", "--max-nodes", "0"], "1 to 200,000,000 nodes"),
    ],
)
def test_mistakes_get_a_sentence(arguments: list[str], sentence: str) -> None:
    result = tree(*arguments, code=2)
    assert sentence in result.stderr
    assert not result.stdout


def test_draw(tmp_path: Path) -> None:
    file = tmp_path / "kuhn.svg"
    tree("--game", "kuhn", "--menu", "min", "--draw", str(file), "--deals")
    assert file.read_text(encoding="utf-8").count("<circle") == 24
    refused = tree("--game", "kuhn", "--menu", "min", "--draw", str(tmp_path / "kuhn.gif"), code=2)
    assert "--draw writes .svg files, not 'kuhn.gif'" in refused.stderr
