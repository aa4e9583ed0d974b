"""`riverboat compare`: a table, files, JSON, sentences."""

import json
from pathlib import Path

from cli.typed import riverboat


def test_table_and_files(tmp_path: Path) -> None:
    picture, points = tmp_path / "kuhn.png", tmp_path / "kuhn.csv"
    shown = riverboat(
        *("compare", "kuhn", "--schemes", "cfr+, external linear linear", "--iterations", "200"),
        *("--seed", "3", "-o", str(picture), "-o", str(points)),
    )
    assert "kuhn, seed 3" in shown.stdout
    assert [line.split()[0] for line in shown.stdout.splitlines() if "200" in line] == [
        "cfr+",
        "external",
    ]
    assert [line for line in shown.stderr.splitlines() if "Wrote" in line] == [
        f"Wrote {picture}.",
        f"Wrote {points}.",
    ]
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert points.read_text().startswith("scheme,iterations,seconds,nodes,exploitability\ncfr+,1,")


def test_json_is_as_documented() -> None:
    shown = riverboat("compare", "kuhn", "--iterations", "10", "--marks", "1", "--json")
    values = json.loads(shown.stdout)
    assert set(values) == {"game", "seed", "finished", "schemes", "version"}
    assert [found["scheme"] for found in values["schemes"]] == ["cfr", "cfr+", "dcfr", "external"]
    page = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if "`schemes[].points[]`" in line)
    for found in values["schemes"]:
        assert [point["iterations"] for point in found["points"]] == [1, 10]
        assert all(f"`{key}`" in row for key in found["points"][0])


def test_sentences(tmp_path: Path) -> None:
    assert "can be enumerated" in riverboat("compare", "limit", code=2).stderr
    assert "no scheme 'crf'" in riverboat("compare", "kuhn", "--schemes", "crf", code=2).stderr
    nowhere = str(tmp_path / "none" / "x.csv")
    assert "does not exist" in riverboat("compare", "kuhn", "-o", nowhere, code=2).stderr
    assert ".parquet" in riverboat("compare", "kuhn", "-o", "x.txt", code=2).stderr
