"""Husky reproduced: the report of made-up results, and a tiny run (slow)."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from matplotlib.figure import Figure

from riverboat.cards import HandStrength
from riverboat.report._markdown import markdown
from riverboat.seeds import (
    Comparison,
    Picture,
    Report,
    Section,
    StepProgress,
    Table,
    Text,
    reproduce,
)
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import Trained, Won
from riverboat.seeds.husky import SEED
from riverboat.seeds.husky.data import SweepPlan, husky
from riverboat.seeds.husky.killer import learning_curve
from riverboat.seeds.husky.opponents import Many
from riverboat.seeds.husky.points import (
    Scored,
    grid_points,
)
from riverboat.seeds.husky.seats import Seated
from riverboat.seeds.husky.speed import (
    Rate,
    SeatSpeed,
    Speeds,
)
from riverboat.seeds.husky.sweeps import Again, Grid, Pair
from riverboat.seeds.husky.table import DEFAULT_NAME, Ranked, Ranking
from riverboat.seeds.husky.training import CFR, WIDE, Both
from seeds.husky_results import translated, won_points


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


def _check_titles(sections: Sequence[Section]) -> None:
    titles = [section.title for section in sections]
    assert titles[:3] == ["The setting", "Published and ours", "Speed"]
    assert titles[-1] == "What differs and why"
    for word in (
        "Sweep: Honest",
        "Several opponents",
        "translation",
        "Killer",
        "Summary",
        "Tables of",
    ):
        assert any(word in title for title in titles), word


def _check_published(sections: Sequence[Section]) -> Comparison:
    # husky's document: 200,000 evaluations (in millions here), 2,200 and 232 hands a second;
    # 0.65; 0.1 and 0.6; 0.375; 0.375 and 1; N^-1/4; 500 to 1,000 hands.
    (comparison,) = (p for p in sections[1].parts if isinstance(p, Comparison))
    published = [row.published for row in comparison.rows]
    assert published == [
        0.2, 0.2, 2_200, 232, 0.65, 0.1, 0.6, 0.375, 0.375, 1.0, -0.25, -0.25,
    ]  # fmt: skip
    # Speeds alone are better the higher they are.
    assert [row.ratio is None for row in comparison.rows[4:]] == [True] * 8
    (learnt,) = (p for p in sections[1].parts if isinstance(p, Table))
    assert [row[:2] for row in learnt.rows] == [
        ("Fish", "500 to 1,000"),
        ("Shark", "500 to 1,000"),
    ]
    return comparison


@pytest.mark.slow
def test_has_all_sections_in_order(report: Report) -> None:
    _check_titles(report.sections)


@pytest.mark.slow
def test_every_step_was_done_and_told(
    report: Report, folder: Path, told: list[StepProgress]
) -> None:
    assert report.seconds > 0
    done = [standing.step for standing in told if standing.share == 1]
    assert tuple(dict.fromkeys(done)) == SEED.steps
    assert {path.stem for path in (folder / "steps").glob("*.json")} == set(SEED.steps)


@pytest.mark.slow
def test_published_figures_stand_beside_ours(report: Report) -> None:
    comparison = _check_published(report.sections)
    evaluations, _, hands, *_ = comparison.rows
    assert evaluations.ours is not None
    assert evaluations.ours > 0.001  # millions
    assert hands.ours is not None
    assert hands.ours > 100


@pytest.mark.slow
def test_pictures_are_there_and_inside_the_page(report: Report, folder: Path) -> None:
    pictures = [p for s in report.sections for p in s.parts if isinstance(p, Picture)]
    assert len(pictures) >= 11
    for picture in pictures:
        assert (folder / picture.file).read_bytes().startswith(b"\x89PNG")
        assert picture.caption
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page.count("data:image/png;base64,") == len(pictures)
    assert not re.search(r"(src|href)=\"(?!data:)", page)


@pytest.mark.slow
def test_tables_are_rectangular_and_written(report: Report, folder: Path) -> None:
    text = (folder / "report.md").read_text(encoding="utf-8")
    tables = [p for s in report.sections for p in s.parts if isinstance(p, Table)]
    for table in tables:
        assert all(len(row) == len(table.columns) for row in table.rows)
        assert table.caption in text
    assert "nan" not in text


@pytest.mark.slow
def test_results_of_a_table_add_up_to_nothing(report: Report, folder: Path) -> None:
    del report
    for table in json.loads((folder / "steps" / "seats.json").read_text()):
        assert len(table["won"]) == table["seats"]
        assert sum(won["mean"] for won in table["won"].values()) == pytest.approx(0, abs=1e-6)
    bots = json.loads((folder / "steps" / "bots.json").read_text())["bots"]
    assert {"Fish", "Shark", "Killer", "CFR"} <= {line["name"] for line in bots}
    by_name = {line["name"]: line["against"] for line in bots}
    fish, shark = by_name["Fish"]["Shark"]["mean"], by_name["Shark"]["Fish"]["mean"]
    assert fish == pytest.approx(-shark)


@pytest.mark.slow  # draws all pictures twice
def test_goes_on_where_it_was_stopped(report: Report, folder: Path) -> None:
    (folder / "steps" / "seats.json").unlink()
    steps: list[StepProgress] = []
    again = reproduce("husky", folder, effort="tiny", workers=1, resume=True, listener=steps.append)
    assert {standing.step for standing in steps} == {"seats"}
    assert again.sections == report.sections  # matches depend on nothing but their seeds


def _grid(plan: SweepPlan) -> Grid:
    """Made-up scores: the authors' point wins 0.6 of its games, another one 0.565, the rest 0.4."""
    points = grid_points(plan.grids.full)[:: 4 if len(plan.optimum) == 1 else 40]
    points = [plan.optimum, *(point for point in points if point != plan.optimum)]
    other = points[1]
    wins = [0.6 if p == plan.optimum else 0.565 if p == other else 0.4 for p in points]
    games = [Scored(p, won, 0.03) for p, won in zip(points, wins, strict=True)]
    chips = [Scored(p, 10 * won, 0.1) for p, won in zip(points, wins, strict=True)]
    return Grid(plan.key, Pair(games, chips), 500, 1_000)


def _made_up_ranking() -> Ranking:
    """Every bot wins 10 chips a hand from those that stand below it."""
    names = [DEFAULT_NAME, WIDE, *(bot.name for bot in husky().bots), CFR]
    return Ranking(
        [
            Ranked(
                name,
                Won(5.0 - row, 1.0, 900),
                {
                    other: Won(10.0 if row < column else -10.0, 2.0, 100)
                    for column, other in enumerate(names)
                    if other != name
                },
            )
            for row, name in enumerate(names)
        ]
    )


def _rate(median: float) -> Rate:
    return Rate(median, 0.9 * median, 1.1 * median, 5)


def _made_up_results() -> dict[str, object]:
    plans = husky().sweeps
    grids = [_grid(plan) for plan in plans]
    again = [
        Pair([Scored(plan.optimum, 0.6, 0.03)] * 3, [Scored(plan.optimum, 6.0, 0.1)] * 3)
        for plan in plans
    ]
    trained = Trained(500, 40.0, 12.5, 1_000, 900, 10**8, "x.blueprint", 10**6, ())
    chips = np.where(np.arange(60) < 20, -5.0, 10.0) + np.arange(3)[:, None] / 10
    tables = [table[: 3 * (at + 1)] for at, table in enumerate(husky().seats.tables.full)]
    return {
        "speed": Speeds(
            {5: _rate(2e6), 7: _rate(13_999_398)},
            {5: _rate(2e8), 7: _rate(1e8)},
            [SeatSpeed(2, _rate(49_573), _rate(1e5), _rate(2e6))],
            200_000,
        ),
        "sweeps": grids,
        "again": Again(again, Pair([Scored({}, 0.7, 0.02)], [Scored({}, 1.0, 0.1)])),
        "opponents": [
            Many(count, won_points(0.3, 0.6, 0.4), won_points(0.3, 0.4, 0.6)) for count in (1, 2, 3)
        ],
        "training": Both(trained, trained),
        "translation": [
            translated(size.name, 10.0 if size.menu else -50.0, 10.0)
            for size in husky().translation.sizes
        ],
        "killer": [learning_curve(name, chips, chips, 10) for name in husky().killer.opponents],
        "bots": _made_up_ranking(),
        "seats": [
            Seated(len(names), {name: Won(0.0, 1.0, 90) for name in names}, 90) for names in tables
        ],
    }


def _texts(sections: Sequence[Section]) -> str:
    """All paragraphs and captions."""
    parts = [part for section in sections for part in section.parts]
    captions = [part.caption for part in parts if not isinstance(part, Text)]
    return "\n".join([*(part.text for part in parts if isinstance(part, Text)), *captions])


@pytest.fixture
def plain_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw in few dots and without fitting margins, which takes most of a picture's time."""
    save = Figure.savefig

    def plainly(figure: Figure, *args: Any, **settings: Any) -> None:
        figure.set_layout_engine("none")
        save(figure, *args, **{**settings, "dpi": 30})

    monkeypatch.setattr(Figure, "savefig", plainly)


@pytest.mark.usefixtures("plain_pictures")
def test_the_report_follows_the_results(tmp_path: Path) -> None:
    run = Reproduction("husky", tmp_path, SEED.steps)
    results = _made_up_results()
    assert set(results) == set(SEED.steps)
    for name, result in results.items():
        (tmp_path / "steps" / f"{name}.json").write_bytes(msgspec.json.encode(result))
    sections = tuple(SEED.sections(run))
    _check_titles(sections)
    _check_published(sections)
    parts = [part for section in sections for part in section.parts]
    for picture in (part for part in parts if isinstance(part, Picture)):
        assert (tmp_path / picture.file).read_bytes().startswith(b"\x89PNG")
    for table in (part for part in parts if isinstance(part, Table)):
        assert all(len(row) == len(table.columns) for row in table.rows)
    said = _texts(sections)
    # 0.6 and 0.565, each ± 0.03: a difference of 0.035 ± 0.042.
    assert "1 of the 6 other points may be as good" in said
    assert "Angry Fish wins more games than Fish, as they say" in said
    assert "Shark wins more games than All-In, of which they say nothing" in said
    assert "every block from the one that ends at hand 30 on has at least 90 % of that" in said
    assert "costs surely more than nothing" in said
    assert said.count("Each was trained once") == 2
    assert "Of these two trainings, one for each menu, wide CFR beats CFR" in said
    # The document's table has Fish, Angry Fish, All-In, Honest and Shark.
    assert "The 5 bots of the document's summary table" in said
    assert "Only the table of 9 has All-In, KillBot and Killer." in said
    assert "means over 11 opponents" in said
    assert (
        f"{DEFAULT_NAME} beats 11 of 11 others and loses to none surely; wide CFR beats 10" in said
    )
    assert f"and {DEFAULT_NAME}, wide CFR and CFR, which stand in the next one" in said
    assert (
        "(KillBot and Killer) are kept for a life of 1,500 hands" in said
    )  # [table] of the recipe
    assert "(KillBot and Killer) are kept for a life of 300 hands" in said  # [seats]
    assert "Tables of 3, 6 and 9 seats" in [section.title for section in sections]
    _check_wording(sections)


def _check_wording(sections: Sequence[Section]) -> None:
    """One name for one bot, one way to write percents, few digits."""
    whole = markdown(Report("husky", "x", "x", "full", 1, 1.0, "x", "0", tuple(sections)))
    assert "twin" not in whole.lower()
    assert whole.count("a second one, wide CFR,") == 1
    assert "95 %" in whole
    assert not re.search(r"\d%", whole)
    assert "| 0.2 M | 14 M | 70x | one call each, from Python; median of 5 rounds from" in whole
    assert "14.0 M (12.6 M to 15.4 M)" in whole  # 13,999,398 and a tenth to either side
    assert "49,600 (44,600 to 54,500)" in whole
    assert not re.search(r"\d,\d{3},\d{3}", whole)
    assert "on its menu: to 2 and 4 bb before the flop, 1 and 3 after" in whole
