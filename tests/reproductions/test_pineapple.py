"""Pineapple: what the experiments compute, and a tiny run (slow)."""

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from riverboat.blueprint import Layout
from riverboat.bots import discard
from riverboat.buckets import bucket_tables, make_abstraction
from riverboat.cards import HandStrength
from riverboat.errors import DamagedFileError
from riverboat.evaluate import exploitability
from riverboat.game import Hand, catalogue
from riverboat.report import Comparison, Report
from riverboat.reproductions import (
    ReproductionRun,
    Results,
    StepProgress,
    find_reproduction,
    reproduce,
)
from riverboat.reproductions.pineapple._comparisons import discard_by_run_outs
from riverboat.reproductions.pineapple._training import (
    DATA,
    Workshop,
    _Course,
    all_in_by_tenths,
    read_tenths,
    train,
)
from riverboat.reproductions.pineapple._watching import contribution
from riverboat.runs import Checkpoint
from riverboat.solve import Deals, Scheme, Solver, holdem_deals, tabulate
from riverboat.training import load_recipe
from riverboat.training import train as train_recipe
from riverboat.tree import Tree

MENU = "a ; cap 1"


@pytest.fixture(scope="module")
def deals(tables: HandStrength, cache: Path) -> Deals:
    cards = make_abstraction("equity-bins 3/4/3/4 recall", tables)
    tree = Tree(catalogue("discard-2017"), MENU)
    return holdem_deals(tree, bucket_tables(cards, tables, cache), tables)


@pytest.fixture(scope="module")
def report(deals: Deals, tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, Path]:
    del deals  # it has built the tables that a run needs
    folder = tmp_path_factory.mktemp("pineapple") / "run"
    return reproduce("pineapple", folder, effort="tiny", seed=7, workers=1), folder


@pytest.mark.slow
def test_a_run_does_all_steps_and_writes_all_reports(report: tuple[Report, Path]) -> None:
    found, folder = report
    for step in find_reproduction("pineapple").steps:
        assert (folder / "steps" / f"{step}.json").exists(), step
    page = (folder / "report.html").read_text()
    assert page.count("data:image/png;base64,") == 6
    assert "src=" not in page.replace('src="data:', "")
    assert "http" not in page
    markdown = (folder / "report.md").read_text()
    for title in [section.title for section in found.sections]:
        assert f"## {title}" in markdown
    assert found.sections[0].title == "In five lines"
    assert found.sections[-2].title == "What differs and why"
    assert msgspec.json.decode((folder / "report.json").read_bytes(), type=Report) == found


@pytest.mark.slow
def test_published_figures_stand_beside_ours(report: tuple[Report, Path]) -> None:
    found, folder = report
    (table,) = [part for part in found.sections[2].parts if isinstance(part, Comparison)]
    rows = {row.what: row for row in table.rows}
    # The authors' report, "Training Results" and "Game Abstraction".
    assert rows["infosets reached"].published == 70_000
    assert rows["infosets in the abstract game"].published == 3_300_000
    assert rows["untrained infosets in play"].published == 5
    assert rows["time of one sample"].published == pytest.approx(0.18)  # 50 h, a million samples
    assert rows["time of the training"].ours is None  # a tiny run takes fewer samples
    # -2,349 chips in 100 hands with a big blind of 2 chips: the log in their code.
    assert rows["CFR bot against the backup bot"].published == -11_745
    trained = Results.read((folder / "results.json").read_bytes()).found.training
    assert rows["infosets reached"].ours == trained.points[-1].visited
    assert rows["samples of the training"].ours == 400


@pytest.mark.slow
def test_what_a_run_computed_is_sane(report: tuple[Report, Path]) -> None:
    _, folder = report
    steps = Results.read((folder / "results.json").read_bytes()).found
    points = steps["training"]["points"]
    assert [point["iterations"] for point in points if point["strategy"]] == [40, 200, 400]
    reached = [point["visited"] for point in points]
    assert reached == sorted(reached)
    assert 0 < reached[0] < reached[-1] < steps["training"]["infosets"]
    assert steps.matches.main.units == 40  # duplicate deals of 80 hands
    watched = steps.watching.bots[-1]
    assert watched["hands"] == 40
    assert sum(offer["decisions"] for offer in watched["offers"]) > 0
    assert watched["trained"] + watched["untrained"] > 0
    assert 0 < watched["swaps"] < watched["swap_decisions"]
    assert len(steps["map"].document) == len(steps["map"].better) == len(steps["map"].scores) == 2
    assert [row.infosets for row in steps.others.rows] != []
    for name in ("rule_flop", "rule_turn", "card_flop", "card_turn"):
        assert all(value > 0 for value in steps["swaps"][name].values())
    assert steps["swaps"]["deal"] > 0 < steps["swaps"]["preparing"]
    readings = steps.readings.ways
    assert [row["name"] for row in readings] == [DATA.translation, *DATA.translations]
    assert (readings[0].total.mean, readings[0].total.error) == (0, 0)  # beside itself
    assert readings[0].total.units == 40
    for row in readings:
        assert row["folds"] + row["calls"] + row["raises"] == row["bets"] > 0
        assert row["taken_for_all_in"] + row["taken_for_none"] <= row["short"] <= row["bets"]
        parts = row.misread.mean + row.others.mean
        assert row.total.mean == pytest.approx(parts)
    assert steps["swaps"]["swaps_a_deal"] == 4  # two players, flop and turn
    assert [row["iterations"] > 0 for row in steps["samplings"]["rows"]] == [True] * 5
    for row in steps["exact"]["rows"]:
        assert len(row["exploitability"]) == len(row["seconds"]) == 2
        assert all(0 < each < 200 for each in row["exploitability"])  # chips: below the stack
        assert row["seconds"] == sorted(row["seconds"])
        assert row["seconds"][-1] >= DATA.effort["tiny"].exact_seconds[-1]
    theirs, paper = steps["settings"]["rows"]
    assert (theirs["epsilon"], theirs["beta"], theirs["tau"]) == (0.1, 10, 1)
    assert (paper["epsilon"], paper["beta"], paper["tau"]) == (0.05, 1e6, 1000)
    assert paper["visited"] > theirs["visited"]  # it walks nearly all actions


def test_contributions_add_up() -> None:
    more, counted = np.array([4.0, -8.0, 2.0, 6.0]), np.array([True, False, True, False])
    part, rest = contribution(more, counted), contribution(more, ~counted)
    assert (part.mean, rest.mean) == (6 / 4, -2 / 4)  # means over all four
    assert contribution(more, counted | True).mean == part.mean + rest.mean
    # Student's 95 % with three degrees of freedom: 3.182; values 4, 0, 2, 0.
    assert part.margin == pytest.approx(3.182 * (11 / 3 / 4) ** 0.5, rel=1e-3)


def test_a_discard_is_the_same_from_tables_and_by_run_outs(tables: HandStrength) -> None:
    del tables
    lines = ("ck/sskk/", "ck/sskk/s", "ck/", "ck/s")  # turn and flop, both seats
    found = []
    for seed, line in enumerate([*lines[:2] * 4, *lines[2:]]):
        hand = Hand(catalogue("discard-2017"), seed=seed)
        hand.play(line)
        assert hand.actor is not None
        view = hand.view(hand.actor)
        found.append(discard(view))
        assert discard_by_run_outs(view) == found[-1]
    assert "s" in found  # keeps, and swaps
    assert any(each.startswith("d") for each in found)


def test_schemes_have_no_commas_in_their_names() -> None:
    assert not any("," in scheme.name for scheme in DATA.samplings)


def test_every_published_figure_says_where_it_stands() -> None:
    assert all(figure.where for figure in DATA.published.values())
    assert load_recipe(DATA.recipe).game == "discard-2017"


POINT: list[dict[str, Any]] = [
    {"experiment": "watch", "what": ["points", 0, "iterations"], "value": 40},
    {"experiment": "watch", "what": ["points", 0, "strategy"], "value": "../x"},
]


@pytest.mark.parametrize(
    ("notes", "more", "complaint"),
    [
        ({}, 0, "damaged: 'rows'"),
        ({"rows": "["}, 0, "damaged: Expected `array`"),
        ({"rows": [{"experiment": 5}]}, 0, "damaged: Expected `str`"),
        ({"rows": []}, 0, "the notes are from another training"),  # without points
        (
            {"rows": [{**POINT[0], "what": ["points"], "value": []}]},
            1,
            "the notes are from another training",
        ),
        ({"rows": POINT}, 0, "the notes are from another training"),
    ],
)
def test_forged_notes_of_a_training_are_refused(
    deals: Deals, notes: dict[str, object], more: int, complaint: str, tmp_path: Path
) -> None:
    """A checkpoint may be anybody's: it names no file elsewhere, and fits the training."""
    del deals
    shop = Workshop(_run(tmp_path))
    recipe, setup = shop.recipe, shop.setup(shop.recipe)
    course = _Course(shop, setup)
    state, size = setup.solver(recipe).state(), course.layout.num_infosets + more
    noted: Any = {
        "watch.tenths": np.zeros(size, np.uint8),
        "watch.sums": np.zeros(size),
    }
    progress = {name: getattr(state, name) for name in ("iterations", "seconds", "nodes")}
    said = {"cards": {}, "watch": {"seen": [], "notes": notes}}
    checkpoint = Checkpoint(progress, {**state.arrays, **noted}, said)
    identity = recipe.identity()
    checkpoint.save(tmp_path / "k.checkpoint", "riverboat-checkpoint", identity)
    with pytest.raises(DamagedFileError, match=complaint):
        next(iter(train_recipe(recipe, tmp_path / "k", resume=True, setup=setup, watch=course)))


@pytest.mark.slow
def test_a_training_that_was_stopped_goes_on(deals: Deals, tmp_path: Path) -> None:
    """What was looked at before is not looked at again, and what was not is."""
    del deals
    told: list[str] = []

    def stop(standing: StepProgress) -> None:
        told.append(standing.text)
        if standing.text == "measures at 160 samples" and len(told) == told.index(told[-1]) + 1:
            raise KeyboardInterrupt

    whole, stopped = _run(tmp_path / "whole"), _run(tmp_path / "stopped")
    expected = train(whole)
    stopped.listener = stop
    with pytest.raises(KeyboardInterrupt):
        train(stopped)
    assert (tmp_path / "stopped" / "training.checkpoint").exists()
    again = _run(tmp_path / "stopped")
    again.listener = stop
    found = train(again)
    looked = [text for text in told if text.startswith("measures at")]
    assert looked.count("measures at 160 samples") == 2
    assert len(looked) == len(expected.points) + 1
    assert found.all_in == expected.all_in
    assert [(p.iterations, p.visited) for p in found.points] == [
        (p.iterations, p.visited) for p in expected.points
    ]
    assert (read_tenths(stopped) == read_tenths(whole)).all()
    assert not (tmp_path / "stopped" / "training.checkpoint").exists()


def _run(folder: Path) -> ReproductionRun:
    units = find_reproduction("pineapple").recipe.all_units
    return ReproductionRun("pineapple", folder, ("training",), "tiny", 7, workers=1, units=units)


def test_tabulated_deals_fit_the_whole_game(deals: Deals) -> None:
    table = tabulate(deals, 30, seed=3)
    assert table.num_buckets == deals.num_buckets
    assert table.num_entries == deals.num_entries
    solver = Solver(table, Scheme("full", "cfr+", "linear"))
    before = exploitability(table, solver.strategy()).exploitability
    solver.run_all(iterations=60)
    found = exploitability(table, solver.strategy())
    assert found.exploitability < 0.1 * before
    assert sum(found.values) == pytest.approx(0)
    # The deal of probability 0 is never drawn: two tables of one seed are one game.
    assert exploitability(tabulate(deals, 30, seed=3), solver.strategy()) == found


def test_all_in_by_tenths(deals: Deals) -> None:
    layout = Layout(deals.tree, deals.num_buckets)
    average = np.zeros(layout.num_entries)
    tenths = np.zeros(layout.num_infosets, np.uint8)
    root = layout.span(0)  # fold, call, all-in
    assert deals.tree.actions(0) == ("f", "c", "b200")
    average[root.entry : root.entry + 3] = (1.0, 1.0, 2.0)  # bucket 0
    tenths[root.infoset] = 10
    second = root.entry + root.bucket_entries
    average[second : second + 3] = (7.0, 7.0, 7.0)  # bucket 1
    tenths[root.infoset + root.bucket_infosets] = 1
    rows = all_in_by_tenths(layout, average, tenths)
    assert (rows[10].infosets, rows[10].probability, rows[10].near_uniform) == (1, 0.5, 0)
    assert (rows[1].infosets, rows[1].near_uniform) == (1, 1)
    assert rows[1].probability == pytest.approx(1 / 3)
    assert rows[0].probability == pytest.approx(rows[0].uniform)  # untrained: uniform play
    offered = sum(
        deals.num_buckets[group]
        for node, group in zip(range(deals.tree.num_nodes), deals.tree.group, strict=True)
        if deals.tree.kind[node] == 0 and "b" in deals.tree.actions(node)[-1]
    )
    assert sum(row.infosets for row in rows) == offered  # the menu has no other bet


def test_their_menu_gives_their_number_of_histories() -> None:
    """About 3.3 million (Game Abstraction); bins 3, 4, 3, 4 with those of earlier streets."""
    menus = {"code": "pineapple", "document": load_recipe(DATA.recipe).menu}
    game = catalogue("discard-2017").without_swaps()
    count = {
        name: sum(Tree(game, menu).num_infosets((3, 12, 36, 144))) for name, menu in menus.items()
    }
    assert count == {"code": 848_088, "document": 3_366_084}
