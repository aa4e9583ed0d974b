"""Husky reproduced: the report of made-up results, the pieces, and a tiny run (slow)."""

import json
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from matplotlib.figure import Figure

from riverboat.abstraction.tracker import Tracker
from riverboat.cards import HandStrength
from riverboat.game import Hand
from riverboat.recipes import (
    Comparison,
    Picture,
    Report,
    Section,
    Standing,
    Table,
    Text,
    reproduce,
)
from riverboat.recipes.husky import SEED
from riverboat.recipes.husky.bettor import MakeBettor
from riverboat.recipes.husky.cfr_report import cost_text
from riverboat.recipes.husky.data import Size, SweepPlan, husky
from riverboat.recipes.husky.killer import learning_curve
from riverboat.recipes.husky.killer_report import judged, learning_table, told_text
from riverboat.recipes.husky.opponents import Many, fit_law
from riverboat.recipes.husky.opponents_report import published_law
from riverboat.recipes.husky.points import (
    Scored,
    as_good,
    best,
    grid_points,
    nearest,
    spread_of_optimum,
)
from riverboat.recipes.husky.seats import Seated
from riverboat.recipes.husky.speed import (
    Rate,
    SeatSpeed,
    Speeds,
    measure_rate,
    random_hands,
)
from riverboat.recipes.husky.summary import setting_section
from riverboat.recipes.husky.sweep_report import claim_section, verdict, wins_text
from riverboat.recipes.husky.sweeps import Again, Grid, Pair
from riverboat.recipes.husky.table import DEFAULT_NAME, Ranked, Ranking
from riverboat.recipes.husky.training import CFR, WIDE, Both
from riverboat.recipes.husky.translation import Translated, Watched, difference
from riverboat.recipes.markdown import markdown
from riverboat.recipes.run import Effort, Run
from riverboat.recipes.work import Trained, Won
from riverboat.training import load_recipe
from riverboat.tree import Tree


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("husky") / "run"


@pytest.fixture(scope="module")
def told() -> list[Standing]:
    return []


@pytest.fixture(scope="module")
def report(tables: HandStrength, folder: Path, told: list[Standing]) -> Report:
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
def test_every_step_was_done_and_told(report: Report, folder: Path, told: list[Standing]) -> None:
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
    steps: list[Standing] = []
    again = reproduce("husky", folder, effort="tiny", workers=1, resume=True, listener=steps.append)
    assert {standing.step for standing in steps} == {"seats"}
    assert again.sections == report.sections  # matches depend on nothing but their seeds


def _won_points(*means: float, margin: float = 0.02) -> list[Scored]:
    return [Scored({"high": index / 10}, mean, margin) for index, mean in enumerate(means)]


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
            Many(count, _won_points(0.3, 0.6, 0.4), _won_points(0.3, 0.4, 0.6))
            for count in (1, 2, 3)
        ],
        "training": Both(trained, trained),
        "translation": [
            _translated(size.name, 10.0 if size.menu else -50.0, 10.0)
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
    run = Run("husky", tmp_path, SEED.steps)
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


class _Clock:
    """Goes on by as much as each call of the work takes; the last time holds for all others."""

    def __init__(self, *times: float) -> None:
        self.now, self.calls, self._times = 0.0, list[int](), times

    def __call__(self) -> float:
        return self.now

    def work(self, call: int) -> int:
        self.now += self._times[min(len(self.calls), len(self._times) - 1)]
        self.calls.append(call)
        return 100


def test_speed_is_the_median_of_rounds_and_not_the_luckiest() -> None:
    # The first call warms up. Rounds of at least 1 s: 4 calls of 0.25 s, 1 of 1 s, 1 of 2 s.
    clock = _Clock(50.0, 0.25, 0.25, 0.25, 0.25, 1.0, 2.0)
    assert measure_rate(clock.work, 0.5, 1.0, clock) == Rate(100.0, 50.0, 400.0, 3)
    assert clock.calls == list(range(7))  # each may deal other cards
    # Five rounds of 1 s fit into 4.5 s; a fast call alone makes no round.
    clock = _Clock(0.0, 0.0, 1.0)
    assert measure_rate(clock.work, 4.5, 1.0, clock) == Rate(100.0, 100.0, 200.0, 5)


def test_hands_that_are_evaluated_differ() -> None:
    hands = random_hands(seed=1)
    for cards in (5, 7):
        some = np.sort(hands[:, :cards], axis=1).astype(np.int64)
        assert (np.diff(some, axis=1) > 0).all()
        assert len(np.unique(some @ 52 ** np.arange(cards))) > 150_000
    assert hands.max() == 51


@pytest.mark.parametrize(
    ("effort", "said"),
    [
        # games and grids as the recipe has them
        ("quick", "Shark against Fish 100 games, fold up to 0 to 0.6 by 0.1, raise above 0 to 1"),
        ("full", "Shark against Fish 500 games, fold up to 0 to 1 by 0.05, raise above 0 to 1"),
        ("quick", "Angry Fish against several Fish 100 games, raise above 0.05 to 0.85 by 0.1"),
        ("tiny", "Shark against Fish 8 games, fold up to 0.1 and 0.7, raise above 0.6;"),
        ("quick", "Angry Fish against 1, 2, 4 and 8 Fish; results of tables of 3, 6 and 9 seats"),
        ("tiny", "speed of 2 to 3 seats; Angry Fish against 1 and 2 Fish; results of tables of 3 "),
    ],
)
def test_setting_tells_what_this_effort_runs(tmp_path: Path, effort: Effort, said: str) -> None:
    section = setting_section(Run("husky", tmp_path, SEED.steps, effort))
    (table,) = (part for part in section.parts if isinstance(part, Table))
    assert any(said in ours for _, _, ours in table.rows)


def test_sizes_in_words_are_those_that_are_played() -> None:
    sizes = {size.name: size for size in husky().translation.sizes}
    assert sizes["small"].words.endswith("to 2 and 4 bb before the flop, 1 and 3 after")
    assert sizes["large"].words.endswith("to 3 and 5 bb before the flop, 2 and 4 after")
    assert sizes["all"].words == "all-in"
    for size in sizes.values():  # husky's menu: 2, 3 then 4, 5; after the flop 1, 2 then 3, 4
        if size.menu:
            menu = load_recipe("husky").menu
            assert size.before is not None
            assert all(f"{blinds:g}bb" in menu.partition("/")[0] for blinds in size.before)


def test_what_the_authors_say_is_set_beside_the_games() -> None:
    angry, shark, *_ = husky().sweeps
    assert "as they say" in wins_text(angry, Scored({}, 0.6, 0.05))
    assert "against what they say" in wins_text(angry, Scored({}, 0.4, 0.05))
    assert "neither Angry Fish nor Fish surely" in wins_text(angry, Scored({}, 0.52, 0.05))
    for won in (0.4, 0.52, 0.6):
        assert "thresholds only" in wins_text(shark, Scored({}, won, 0.05))


def test_plan_has_what_the_document_names() -> None:
    plan = husky()
    assert [sweep.optimum for sweep in plan.sweeps] == [
        {"high": 0.65}, {"low": 0.1, "high": 0.6}, {"low": 0.375}, {"low": 0.375, "high": 1.0},
    ]  # fmt: skip
    assert (plan.killer.seeds.full, plan.killer.hands.full) == (100, 3_000)
    assert max(len(table) for table in plan.seats.tables.full) == 9
    assert max(plan.opponents.counts.full) == 8
    names = {bot.name for bot in plan.bots}
    assert all(set(table) <= names for table in plan.seats.tables.full)
    # The authors' optimum is a point of the full grid.
    for sweep in plan.sweeps:
        assert sweep.optimum in grid_points(sweep.grids.full)
    # Every effort's trainings are recipes that can be trained.
    for changes in (plan.training.narrow.full, plan.training.narrow.quick):
        recipe = load_recipe(plan.training.recipe).changed(changes)
        assert recipe.changed(plan.training.wide.full).menu == "50%, 100%, a ; cap 2"
    assert published_law().at(16) == pytest.approx(0.325)  # 0.65 / 16 ** 0.25


def test_best_and_as_good_points() -> None:
    points = _won_points(0.5, 0.59, 0.6, 0.4)
    assert best(points).parameters == {"high": 0.2}
    assert [point.mean for point in as_good(points)] == [0.59, 0.6]
    # The difference of 0.035 has a margin of 0.03 * sqrt(2) = 0.042; one of 0.05 is told.
    assert len(as_good(_won_points(0.6, 0.565, 0.55, margin=0.03))) == 2
    assert nearest(points, {"high": 0.27}).mean == 0.4
    unknown = [Scored({"high": 0.0}, 0.1, -1.0), *points]
    assert unknown[0] in as_good(unknown)
    assert as_good([Scored({"high": 0.0}, 0.9, -1.0), *points])[1:] == points


def test_spread_of_optimum_grows_where_points_are_alike() -> None:
    peak = _won_points(0.2, 0.3, 0.9, 0.3, 0.2)
    assert spread_of_optimum(peak, "high", 500, seed=1) == (0.2, 0.2)
    flat = _won_points(0.5, 0.5, 0.5, 0.5, 0.5)
    assert spread_of_optimum(flat, "high", 500, seed=1) == (0.0, 0.4)


def test_verdict_goes_by_both_intervals() -> None:
    theirs = Scored({}, 0.50, 0.03)
    assert verdict(theirs, Scored({}, 0.56, 0.04)) == 1
    assert verdict(theirs, Scored({}, 0.54, 0.04)) == 0
    assert verdict(theirs, Scored({}, 0.44, 0.04)) == -1
    assert verdict(theirs, Scored({}, 0.99, -1.0)) == 0


@pytest.mark.parametrize(
    ("won", "said"),
    [(0.7, "The sentence holds"), (0.3, "does not hold"), (0.51, "cannot be told")],
)
def test_claim_is_judged_by_its_interval(won: float, said: str) -> None:
    section = claim_section(Pair([Scored({}, won, 0.05)], [Scored({}, 1.0, 0.5)]))
    (text,) = section.parts
    assert isinstance(text, Text)
    assert said in text.text


def test_law_needs_positive_optima() -> None:
    at = [(1, [Scored({"high": 0.0}, 1.0, 0.1)]), (2, [Scored({"high": 0.5}, 1.0, 0.1)])]
    assert fit_law(at) is None


def test_learning_curve_of_a_bot_that_learns_at_once() -> None:
    random_chips = np.random.default_rng(1).normal(0, 1, (50, 900))
    chips = random_chips + np.where(np.arange(900) < 300, -5.0, 10.0)
    curve = learning_curve("fish", chips, chips, 100)
    assert curve.learnt_at == 400
    assert curve.final.first == 601
    assert curve.final.mean == pytest.approx(10, abs=0.1)
    # 300 hands at -5, 600 at +10
    assert curve.mean[-1] == pytest.approx(4_500, abs=30)
    assert curve.low[-1] < curve.mean[-1] < curve.high[-1]
    assert curve.ahead == 1.0
    assert [block.last for block in curve.blocks] == list(range(100, 901, 100))


def test_learning_counts_from_the_block_after_which_none_falls_back() -> None:
    rates = np.repeat([-5.0, 10.0, 2.0, 10.0, 9.5, 10.5, 10.0, 10.0, 10.0], 10)
    chips = rates + np.linspace(-0.1, 0.1, 5)[:, None]
    curve = learning_curve("fish", chips, chips, 10)
    assert curve.learnt_at == 40  # hands 11 to 20 earn as much, 21 to 30 do not
    assert curve.surely_below == 30
    noisy = chips + np.linspace(-20, 20, 5)[:, None] * (rates == 2.0)
    assert learning_curve("fish", noisy, noisy, 10).surely_below == 10
    late = np.hstack([chips, np.full((5, 10), 5.0)])
    assert learning_curve("fish", late, late, 10).learnt_at is None  # the last block falls back


@pytest.mark.parametrize(
    ("rates", "said", "cells"),
    [
        ([5.0, 10.0, 10.0], "in line with the authors' 500 to 1,000", "1,000 500 in line"),
        ([5.0, 5.0, 5.0, 10.0, 10.0, 10.0], "later than the authors' 500", "2,000 1,500 later"),
        ([10.0, 10.0, 10.0], "not settled here", "500 - not settled"),
        ([-10.0, -10.0, -10.0], "not surely more than nothing", "- - does not surely win"),
    ],
)
def test_killer_is_judged_by_its_blocks(rates: list[float], said: str, cells: str) -> None:
    chips = np.repeat(rates, 500) + np.linspace(-0.1, 0.1, 5)[:, None]
    curve = learning_curve("fish", chips, chips, 500)
    assert said in told_text(curve)
    (row,) = learning_table([curve]).rows
    assert " ".join(row) == f"Fish 500 to 1,000 {cells}"


def test_killer_is_not_settled_between_what_is_seen_and_what_is_sure() -> None:
    # Hands 1 to 500 are surely below 9, hands 501 to 1,000 are below it but may be luck.
    noise = np.linspace(-5, 5, 5)[:, None] * (np.arange(3_000) // 500 == 1)
    chips = np.repeat([1.0, 8.0, 10.0, 10.0, 10.0, 10.0], 500) + noise
    curve = learning_curve("fish", chips, chips, 500)
    assert (curve.surely_below, curve.learnt_at) == (500, 1_500)
    assert judged(curve) == "not settled"
    assert "whether it takes longer than the authors' 500 to 1,000 is not settled" in told_text(
        curve
    )


def test_learning_curve_of_a_bot_that_never_wins() -> None:
    chips = np.random.default_rng(1).normal(-1, 1, (20, 60))
    curve = learning_curve("shark", chips, chips, 20)
    assert curve.learnt_at is None
    assert not curve.wins
    assert curve.ahead == 0.0
    assert learning_curve("shark", chips[:1], chips[:1], 20).final.margin == -1.0


@pytest.mark.parametrize("size", husky().translation.sizes, ids=lambda size: size.name)
def test_bettor_stays_on_the_menu_with_its_sizes_only(tables: HandStrength, size: Size) -> None:
    del tables
    recipe = load_recipe("husky")
    tracker = Tracker(Tree(recipe.spec(), recipe.menu))
    chooser, translated, raises = random.Random(1), 0, 0
    for seed in range(40):
        hand, bettor = Hand(recipe.spec(), seed=seed), MakeBettor(size, 0.1, 0.4)(seed)
        while hand.actor is not None:
            view = hand.view(hand.actor)
            place = tracker.find(view)
            if hand.actor == seed % 2:
                move = bettor.act(view)
                raises += move.startswith("b")
            elif place.exact:  # one of the menu's own moves
                move = chooser.choice(list(tracker.spots[place.node].children))
                move = "k" if move == "f" and view.legal.check else move
            else:
                translated += 1
                move = "k" if view.legal.check else "c"
            hand.do(move)
    assert raises > 20
    assert (translated == 0) == size.menu


def _translated(size: str, cfr: float, wide: float) -> Translated:
    won = Won(cfr, 1.0, 1_000)
    rules = {"pseudo-harmonic": won, "nearest-ratio": won, "nearest-amount": won}
    return Translated(size, rules, Won(wide, 1.0, 1_000), Watched(0.5, 0.01, 0.1))


@pytest.mark.parametrize(
    ("all_in", "said"),
    [(-90.0, "surely more than nothing"), (9.0, "cannot be told"), (60.0, "a gain")],
)
def test_cost_of_translation_is_judged_by_its_interval(all_in: float, said: str) -> None:
    cfr = {"small": 8.0, "large": 12.0, "all": all_in}  # the menu's mean is 10
    found = [
        _translated(size.name, cfr.get(size.name, -500.0), 10.0)
        for size in husky().translation.sizes
    ]
    text = cost_text(found)
    assert said in text
    # Means of the same deals average their margins of 1; differences add squares: 1.4, then 2.
    assert f"{all_in - 10:+.1f} ± 1.4" in text
    assert f"{all_in - 10:+.1f} ± 2.0" in text


def test_difference_of_results_adds_their_errors() -> None:
    assert difference(Won(5, 3, 10), Won(1, 4, 10)) == Won(4, 5, 20)
    assert difference(Won(5, -1, 10), Won(1, 4, 10)).margin == -1
