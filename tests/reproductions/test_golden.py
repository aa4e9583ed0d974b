"""One golden report for each reproduction: the template filled with stored results.

After a change of a template or of a result, write them again on purpose:
`PYTHONPATH=tests python tests/reproductions/test_golden.py NAME RESULTS.json` reads a tiny run's
`results.json`.
"""

import sys
from pathlib import Path

import pytest

from riverboat.report import Picture, Report, markdown
from riverboat.reproductions import (
    ReproductionRun,
    Results,
    find_reproduction,
)
from riverboat.reproductions._run import rows_of
from sizes import slowly

GOLDEN = Path(__file__).parent / "golden"
NAMES = sorted(path.name.removesuffix(".results.json") for path in GOLDEN.glob("*.results.json"))


def golden_report(name: str, stored: bytes) -> Report:
    reproduction, results = find_reproduction(name), Results.read(stored)
    how = (results.effort, results.seed)
    sections = reproduction.sections(results.found, *how)
    title = reproduction.recipe.title
    return Report(name, reproduction.command, title, *how, 1.0, "2 cores", "0", sections)


@pytest.mark.parametrize("name", NAMES)
def test_the_report_of_stored_results(name: str) -> None:
    report = golden_report(name, (GOLDEN / f"{name}.results.json").read_bytes())
    assert markdown(report) == (GOLDEN / f"{name}.md").read_text(encoding="utf-8")
    assert "{" not in markdown(report)  # no field of the setting is left open


@pytest.mark.parametrize("name", NAMES)
def test_stored_results_are_rows_with_units(name: str, tmp_path: Path) -> None:
    """They are written as they were read, and every number has a declared unit."""
    stored = (GOLDEN / f"{name}.results.json").read_bytes()
    results, units = Results.read(stored), find_reproduction(name).recipe.all_units
    results.write(tmp_path / "results.json")
    assert (tmp_path / "results.json").read_bytes() == stored
    again = [row for key, each in results.found.items() for row in rows_of(key, each, units)]
    assert [(row.what, row.value, row.unit) for row in again] == [
        (row.what, row.value, row.unit) for row in results.rows
    ]


@pytest.mark.usefixtures("plain_pictures")
@pytest.mark.parametrize("name", [NAMES[0], *slowly(*NAMES[1:])])
def test_the_pictures_of_stored_results(name: str, tmp_path: Path) -> None:
    """What `draw` draws is there; what the experiments draw themselves is not looked for."""
    stored = (GOLDEN / f"{name}.results.json").read_bytes()
    found = Results.read(stored).found
    report = golden_report(name, stored)
    find_reproduction(name).report.draw(ReproductionRun(name, tmp_path), found)
    drawn = {path.name for path in tmp_path.glob("*.png")}
    shown = [p.file for section in report.sections for p in section.parts if isinstance(p, Picture)]
    assert drawn <= set(shown)
    assert len(set(shown)) == len(shown)
    assert all((tmp_path / file).stat().st_size > 1_000 for file in drawn)


def write_golden(name: str, results: Path) -> None:
    stored = results.read_bytes()
    (GOLDEN / f"{name}.results.json").write_bytes(stored)
    (GOLDEN / f"{name}.md").write_text(markdown(golden_report(name, stored)), encoding="utf-8")


if __name__ == "__main__":
    write_golden(sys.argv[1], Path(sys.argv[2]))
