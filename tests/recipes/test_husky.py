"""Husky reproduced: a tiny run from end to end, and the pieces that need no run."""

import json
import random
import re
from pathlib import Path

import numpy as np
import pytest

from riverboat.abstraction.tracker import Tracker
from riverboat.cards import HandStrength
from riverboat.game import Hand
from riverboat.recipes import Comparison, Picture, Report, Standing, Table, Text, reproduce
from riverboat.recipes.husky import SEED
from riverboat.recipes.husky.bettor import MakeBettor
from riverboat.recipes.husky.cfr_report import translation_section
from riverboat.recipes.husky.data import Size, husky
from riverboat.recipes.husky.killer import learning_curve
from riverboat.recipes.husky.opponents import fit_law
from riverboat.recipes.husky.opponents_report import published_law
from riverboat.recipes.husky.points import (
    Scored,
    as_good,
    best,
    grid_points,
    nearest,
    spread_of_optimum,
)
from riverboat.recipes.husky.sweep_report import claim_section, verdict
from riverboat.recipes.husky.sweeps import Pair
from riverboat.recipes.husky.translation import Translated, Watched, difference
from riverboat.recipes.run import Run
from riverboat.recipes.work import Won
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


def test_has_all_sections_in_order(report: Report) -> None:
    titles = [section.title for section in report.sections]
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


def test_every_step_was_done_and_told(report: Report, folder: Path, told: list[Standing]) -> None:
    assert report.seconds > 0
    done = [standing.step for standing in told if standing.share == 1]
    assert tuple(dict.fromkeys(done)) == SEED.steps
    assert {path.stem for path in (folder / "steps").iterdir()} == set(SEED.steps)


def test_published_figures_stand_beside_ours(report: Report) -> None:
    # husky's document: 200,000 evaluations, 2,200 and 232 hands a second; 0.65; 0.1 and 0.6;
    # 0.375; 0.375 and 1; N^-1/4; 500 to 1,000 hands.
    (comparison,) = (p for p in report.sections[1].parts if isinstance(p, Comparison))
    published = [row.published for row in comparison.rows]
    assert published == [
        200_000, 200_000, 2_200, 232, 0.65, 0.1, 0.6, 0.375, 0.375, 1.0, -0.25, -0.25,
        1_000, 1_000,
    ]  # fmt: skip
    evaluations, _, hands, *_ = comparison.rows
    assert evaluations.ours is not None
    assert evaluations.ours > 1_000
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


def _won_points(*means: float, margin: float = 0.02) -> list[Scored]:
    return [Scored({"high": index / 10}, mean, margin) for index, mean in enumerate(means)]


def test_best_and_as_good_points() -> None:
    points = _won_points(0.5, 0.59, 0.6, 0.4)
    assert best(points).parameters == {"high": 0.2}
    assert [point.mean for point in as_good(points)] == [0.59, 0.6]
    assert nearest(points, {"high": 0.27}).mean == 0.4
    unknown = [Scored({"high": 0.0}, 0.1, -1.0), *points]
    assert unknown[0] in as_good(unknown)


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


def test_learning_curve_of_a_bot_that_never_wins() -> None:
    chips = np.random.default_rng(1).normal(-1, 1, (20, 60))
    curve = learning_curve("shark", chips, chips, 20)
    assert curve.learnt_at is None
    assert curve.ahead == 0.0
    assert learning_curve("shark", chips[:1], chips[:1], 20).final.margin == -1.0


@pytest.mark.parametrize("size", husky().translation.sizes, ids=lambda size: size.name)
def test_bettor_stays_on_the_menu_with_its_sizes_only(size: Size) -> None:
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
def test_cost_of_translation_is_judged_by_its_interval(
    tmp_path: Path, all_in: float, said: str
) -> None:
    sizes = [size.name for size in husky().translation.sizes]
    found = [_translated(size, 10.0, 10.0) for size in sizes]
    found = [
        _translated(size, all_in, 10.0) if i >= 2 else found[i] for i, size in enumerate(sizes)
    ]
    section = translation_section(Run("husky", tmp_path), found)
    texts = [part.text for part in section.parts if isinstance(part, Text)]
    assert any(said in text for text in texts)
    assert (tmp_path / "translation.png").exists()


def test_difference_of_results_adds_their_errors() -> None:
    assert difference(Won(5, 3, 10), Won(1, 4, 10)) == Won(4, 5, 20)
    assert difference(Won(5, -1, 10), Won(1, 4, 10)).margin == -1
