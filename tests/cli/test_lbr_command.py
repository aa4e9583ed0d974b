"""`riverboat lbr`: table, verdict, the note on its limits, JSON as documented."""

import json
import sys
from pathlib import Path

import pytest

from cli.typed import riverboat
from riverboat.bots import BlueprintBot
from riverboat.cli._completion import lbr_sets
from riverboat.evaluate import NO_PROOF

FOLD = ("lbr", "fold", "--hands", "20", "--seed", "3", "--workers", "1")


def test_table_verdict_and_what_it_does_not_prove() -> None:
    shown = riverboat(*FOLD, "--set", "fcpa", "--set", "c-c-nine-nine").stdout
    assert "Local best response against fold, nolimit-100bb, seed 3" in shown
    assert shown.count("750.00") == 2  # the raw results of two rows
    assert "c-c-fcpa-fcpa: LBR wins +" in shown
    assert " ".join(shown.split()).endswith(NO_PROOF)


def test_tables_are_built_first(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []
    build = lambda _, progress=None, _spec=None: told.append(progress)  # noqa: E731 - a method
    monkeypatch.setattr(BlueprintBot, "build_tables", build)
    monkeypatch.setattr(
        "riverboat.cli._exploitability.local_best_response", lambda *_, **__: sys.exit(7)
    )
    riverboat("lbr", "blueprint", "--set", "fcpa", "--hands", "2", "--workers", "1", code=7)
    assert len(told) == 1
    assert callable(told[0])


def test_a_wrong_number_of_processes_is_refused() -> None:
    shown = riverboat("lbr", "fold", "--hands", "20", "--workers", "-3", code=2)
    assert "workers=-3 is not allowed" in shown.stderr


def test_json_is_as_documented() -> None:
    values = json.loads(riverboat(*FOLD, "--set", "fcpa", "--json").stdout)
    assert set(values) == {"results", "note", "version"}
    [result] = values["results"]
    assert result["mbb_plain"] == {"mean": 750.0, "interval_95": [750.0, 750.0]}
    page = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
    rows = page.partition("| `lbr` |")[2].partition("| `compare` |")[0]
    assert [key for key in result if f"`.{key}`" not in rows and f".{key}`" not in rows] == [
        "by_seat"
    ]
    assert "`results[].by_seat[]`" in rows


def test_the_four_usual_sets_are_played_by_default() -> None:
    values = json.loads(riverboat(*FOLD, "--json").stdout)
    assert [result["set"] for result in values["results"]] == [
        *("fc-fc-fc-fc", "c-c-fcpa-fcpa", "c-c-nine-nine", "fc-nine-nine-nine")
    ]


def test_a_log_is_gone_on_with(tmp_path: Path) -> None:
    log = tmp_path / "lbr.jsonl"
    kept = (*FOLD, "--set", "fcpa", "--log", str(log))
    riverboat(*kept)
    assert "1 line of this run" in riverboat(*kept, code=2).stderr
    assert "750.00" in riverboat(*kept, "--resume").stdout
    assert len(log.read_text().splitlines()) == 1
    assert "folder does not exist" in riverboat(*FOLD, "--log", "no/such.jsonl", code=2).stderr


def test_completion_goes_street_by_street() -> None:
    assert lbr_sets("n") == ["nine"]
    assert lbr_sets("c-c-f") == ["c-c-fc", "c-c-fcpa"]
