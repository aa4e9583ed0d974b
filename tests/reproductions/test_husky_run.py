"""Husky reproduced: a tiny run from beginning to end."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from reproductions.test_husky import SECTIONS, check_published
from riverboat.cards import HandStrength
from riverboat.report import Picture, Report, Table
from riverboat.reproductions import Results, StepProgress, find_reproduction, reproduce

pytestmark = pytest.mark.slow

MISSING = set() if find_spec("pypokerengine") else {"engine"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("husky") / "run"


@pytest.fixture(scope="module")
def told() -> list[StepProgress]:
    return []


@pytest.fixture(scope="module")
def report(tables: HandStrength, folder: Path, told: list[StepProgress]) -> Report:
    del tables
    return reproduce("husky", folder, effort="tiny", workers=1, listener=told.append)


def test_has_all_sections_in_order(report: Report) -> None:
    assert tuple(section.title for section in report.sections) == SECTIONS


def test_every_step_was_done_and_told(
    report: Report, folder: Path, told: list[StepProgress]
) -> None:
    assert report.seconds > 0
    done = [standing.step for standing in told if standing.share == 1]
    steps = [step for step in find_reproduction("husky").steps if step not in MISSING]
    assert list(dict.fromkeys(done)) == steps
    assert {path.stem for path in (folder / "steps").glob("*.json")} == set(steps)


def test_published_figures_stand_beside_ours(report: Report) -> None:
    comparison = check_published(report.sections)
    evaluations, _, hands, *_ = comparison.rows
    assert evaluations.ours is not None
    assert evaluations.ours > 0.001  # millions
    assert hands.ours is not None
    assert hands.ours > 100


def test_pictures_are_there_and_inside_the_page(report: Report, folder: Path) -> None:
    pictures = [p for s in report.sections for p in s.parts if isinstance(p, Picture)]
    assert len(pictures) >= 11
    for picture in pictures:
        assert (folder / picture.file).read_bytes().startswith(b"\x89PNG")
        assert picture.caption
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page.count("data:image/png;base64,") == len(pictures)
    assert not re.search(r"(src|href)=\"(?!data:)", page)


def test_tables_are_rectangular_and_written(report: Report, folder: Path) -> None:
    text = (folder / "report.md").read_text(encoding="utf-8")
    tables = [p for s in report.sections for p in s.parts if isinstance(p, Table)]
    for table in tables:
        assert all(len(row) == len(table.columns) for row in table.rows)
        assert table.caption in text
    assert "nan" not in text


def test_results_of_a_table_add_up_to_nothing(report: Report, folder: Path) -> None:
    del report
    found = Results.read((folder / "results.json").read_bytes()).found
    for table in found.seats.tables:
        assert len(table.won) == table.seats
        assert sum(won.mean for won in table.won.values()) == pytest.approx(0, abs=1e-6)
    bots = found.bots
    assert {"Fish", "Shark", "Killer", "CFR"} <= set(bots)
    fish, shark = bots["Fish"].against["Shark"].mean, bots["Shark"].against["Fish"].mean
    assert fish == pytest.approx(-shark)


def test_goes_on_where_it_was_stopped(report: Report, folder: Path) -> None:
    (folder / "steps" / "seats.json").unlink()
    steps: list[StepProgress] = []
    again = reproduce("husky", folder, effort="tiny", workers=1, resume=True, listener=steps.append)
    assert {standing.step for standing in steps} == {"seats"} | MISSING
    assert again.sections == report.sections  # matches depend on nothing but their seeds
