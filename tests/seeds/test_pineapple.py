"""Pineapple, reproduced: a tiny run from beginning to end, its report, and its parts."""

import json
import re
from pathlib import Path

import msgspec
import numpy as np
import pytest

from riverboat.blueprint import Layout
from riverboat.bots._swap import discard
from riverboat.buckets import bucket_tables, make_abstraction
from riverboat.cards import HandStrength
from riverboat.evaluate import exploitability
from riverboat.game import Hand, catalogue
from riverboat.seeds import Comparison, Report, Reproduction, find_seed, reproduce, write_report
from riverboat.seeds._work import Won
from riverboat.seeds.pineapple import SEED, marks, training
from riverboat.seeds.pineapple.all_in import AllIn, all_in_by_tenths
from riverboat.seeds.pineapple.all_in_verdict import in_play
from riverboat.seeds.pineapple.better import Improved
from riverboat.seeds.pineapple.better_section import better_verdict
from riverboat.seeds.pineapple.closing import closing
from riverboat.seeds.pineapple.comparisons import duels, judge_bounds, scheme_line
from riverboat.seeds.pineapple.data import data
from riverboat.seeds.pineapple.exact import Descent, Exact
from riverboat.seeds.pineapple.matches import Against, Matches
from riverboat.seeds.pineapple.readings import Reading, Readings, contribution
from riverboat.seeds.pineapple.readings_section import readings_verdict
from riverboat.seeds.pineapple.samplings import Scheme as Sampling
from riverboat.seeds.pineapple.samplings import Schemes, cross_table
from riverboat.seeds.pineapple.settings import Setting, Settings
from riverboat.seeds.pineapple.swaps import BothWays, SwapTimes, discard_by_run_outs
from riverboat.seeds.pineapple.tabulated import tabulated
from riverboat.seeds.pineapple.watch import Offer, Watched, Watching
from riverboat.solve import Deals, Scheme, Solver, holdem_deals
from riverboat.training import load_recipe
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
    for step in find_seed("pineapple").steps:
        assert (folder / "steps" / f"{step}.json").exists(), step
    page = (folder / "report.html").read_text()
    assert page.count("data:image/png;base64,") == 5
    assert "src=" not in page.replace('src="data:', "")
    assert "http" not in page
    markdown = (folder / "report.md").read_text()
    for title in [section.title for section in found.sections]:
        assert f"## {title}" in markdown
    assert found.sections[0].title == "The setting"
    assert found.sections[-1].title == "What differs and why"
    assert msgspec.json.decode((folder / "report.json").read_bytes(), type=Report) == found


@pytest.mark.slow
def test_published_figures_stand_beside_ours(report: tuple[Report, Path]) -> None:
    found, folder = report
    (table,) = [part for part in found.sections[1].parts if isinstance(part, Comparison)]
    rows = {row.what: row for row in table.rows}
    # The authors' report, "Training Results" and "Game Abstraction".
    assert rows["infosets reached"].published == 70_000
    assert rows["infosets in the abstract game"].published == 3_300_000
    assert rows["untrained infosets in play"].published == 5
    assert rows["time of one sample"].published == pytest.approx(0.18)  # 50 h, a million samples
    assert rows["time of the training"].ours is None  # a tiny run takes fewer samples
    # -2,349 chips in 100 hands with a big blind of 2 chips: the log in their code.
    assert rows["CFR bot against the backup bot"].published == -11_745
    trained = json.loads((folder / "steps" / "training.json").read_bytes())
    assert rows["infosets reached"].ours == trained["points"][-1]["visited"]
    assert rows["infosets reached"].ratio is None  # of another number of infosets
    assert rows["share of infosets reached"].ratio is not None
    assert rows["samples of the training"].ours == 400


@pytest.mark.slow
def test_what_a_run_computed_is_sane(report: tuple[Report, Path]) -> None:
    _, folder = report
    steps = {
        step: json.loads((folder / "steps" / f"{step}.json").read_bytes())
        for step in find_seed("pineapple").steps
    }
    points = steps["training"]["points"]
    assert [point["iterations"] for point in points if point["strategy"]] == [40, 200, 400]
    reached = [point["visited"] for point in points]
    assert reached == sorted(reached)
    assert 0 < reached[0] < reached[-1] < steps["training"]["infosets"]
    assert steps["matches"]["main"]["hands"] == 80
    watched = steps["watching"]["bots"][-1]
    assert watched["hands"] == 40
    assert sum(offer["decisions"] for offer in watched["offers"]) > 0
    bets = watched["trained_bets"] + watched["untrained_bets"]
    assert 0 < bets < watched["trained"] + watched["untrained"]  # the others are swaps
    for name in ("rule_flop", "rule_turn", "card_flop", "card_turn"):
        assert all(value > 0 for value in steps["swaps"][name].values())
    assert steps["swaps"]["deal"] > 0 < steps["swaps"]["preparing"]
    readings = steps["readings"]["rows"]
    assert [row["name"] for row in readings] == [data().translation, *data().translations]
    assert readings[0]["total"] == {"mean": 0.0, "margin": 0.0, "hands": 40}  # beside itself
    for row in readings:
        assert row["folds"] + row["calls"] + row["raises"] == row["bets"] > 0
        assert row["taken_for_all_in"] + row["taken_for_none"] <= row["short"] <= row["bets"]
        parts = row["misread"]["mean"] + row["others"]["mean"]
        assert row["total"]["mean"] == pytest.approx(parts)
    assert steps["swaps"]["swaps_a_deal"] == 6  # two players; one hand on the flop, two on the turn
    assert [row["iterations"] > 0 for row in steps["samplings"]["rows"]] == [True] * 5
    for row in steps["exact"]["rows"]:
        assert len(row["exploitability"]) == len(row["seconds"]) == 2
        assert all(0 < each < 200 for each in row["exploitability"])  # chips: below the stack
        assert row["seconds"] == sorted(row["seconds"])
        assert row["seconds"][-1] >= data().amounts["tiny"].exact_seconds[-1]
    theirs, paper = steps["settings"]["rows"]
    assert (theirs["epsilon"], theirs["beta"], theirs["tau"]) == (0.1, 10, 1)
    assert (paper["epsilon"], paper["beta"], paper["tau"]) == (0.05, 1e6, 1000)
    assert paper["visited"] > theirs["visited"]  # it walks nearly all actions


def _watching(barely: int) -> Watching:
    """Made up: so many all-ins of 100 barely trained decisions, 200 of 1,000 well trained ones."""
    offers = (Offer(1, 100, 0.3, 0.3, barely), Offer(10, 1000, 0.2, 0.3, 200))
    return Watching((Watched(400, 50, 95, 5, 0, 0, 20, 9, 11, 79, 1, offers),))


def _reading(name: str, all_ins: int, total: Won, misread: Won, others: Won) -> Reading:
    """Made up: so many of 200 bets short of all-in read as all-in."""
    sizes = (3.0, 3.75, 4.5)
    return Reading(
        name, 500, 210, sizes, 1.0, 200, all_ins, 3, 4, 70, 90, 50, total, misread, others
    )


NONE = Won(0.0, 0.0, 500)
AUTHORS = _reading("nearest-amount", 4, NONE, NONE, NONE)


def _better(backup: float, same_reading: float, theirs: float) -> Improved:
    """Made up: winnings with margins of 40, those of the last match with 50."""
    won = (Won(backup, 40.0, 100), Won(same_reading, 40.0, 100), Won(theirs, 50.0, 100))
    return Improved("a", "b", "external", 1.0, 9, 9, 10, *won)


def _schemes(*bounds: float) -> Schemes:
    """Made up: lower bounds with margins of 1, and a match that the second one wins."""
    rows = tuple(
        Sampling(name, 10, 3.0, 1000, 9, 1000, Won(bound, 1.0, 100), Won(200.0, 30.0, 100))
        for name, bound in zip(("its settings", "external"), bounds, strict=True)
    )
    return Schemes(3.0, 20, rows, cross_table(2, [Won(-50.0, 20.0, 100)]))


@pytest.fixture
def made_up(tmp_path: Path) -> Reproduction:
    """A run whose steps are all done, with made-up results."""
    points = (training.Point(40, 0.1, 9, 8, "early"), training.Point(400, 1.0, 90, 80, "late"))
    tables = (AllIn(1, 1000, 0.3, 0.3, 0.9), AllIn(10, 1000, 0.2, 0.3, 0.1))
    won = Won(200.0, 30.0, 100)
    against = (Against("pseudo-harmonic", Won(-100.0, 40.0, 100)),)
    fold = (Against("fold", Won(210.0, 30.0, 100)),)
    trained = (Setting("theirs", 0.1, 10, 1, 1, 9, won), Setting("x", 0.05, 1e6, 1e3, 1, 9, won))
    descents = tuple(Descent(name, (1.0,), (9,), (5.0,)) for name in ("its settings", "external"))
    losses = (Won(-300.0, 50.0, 500), Won(-290.0, 40.0, 500), Won(-10.0, 20.0, 500))
    both = BothWays(1e-4, 0.1)
    results = {
        "training": training.Training(points, 1000, 50, 100, 300, 10**6, 10**5, tables),
        "matches": Matches(won, (Against("40 samples", won, 40),), against, fold),
        "watching": _watching(50),
        "readings": Readings((AUTHORS, _reading("pseudo-harmonic", 90, *losses))),
        "swaps": SwapTimes(both, both, both, both, 1e-6, 6, 0.2),
        "settings": Settings(200, 1000, trained, Won(50.0, 20.0, 100)),
        "samplings": _schemes(9.0, 2.0),
        "exact": Exact("a", 9, 99, 50, 30.0, descents),
        "better": _better(150.0, 120.0, 90.0),
    }
    run = _run(tmp_path)
    for name, result in results.items():
        (tmp_path / "steps" / f"{name}.json").write_bytes(msgspec.json.encode(result))
    return run


def test_the_report_follows_the_results(made_up: Reproduction, tmp_path: Path) -> None:
    sections = tuple(SEED.sections(made_up))
    report = Report("pineapple", SEED.command, SEED.title, "tiny", 1, 1.0, "-", "0", sections)
    write_report(report, tmp_path)
    page, text = ((tmp_path / f"report.{kind}").read_text() for kind in ("html", "md"))
    assert page.count("data:image/png;base64,") == 5
    assert not re.search(r'(src|href)="(?!data:)', page)  # no other file is needed
    # One of 80 betting decisions, five of 100 with swaps; the authors' report has 5 %.
    assert "| untrained infosets in play | 5 % | 1.25 % |" in text
    assert "with those on swaps, which were no decisions of theirs, 5.0 %" in text
    assert "next to the 3,300,000 of the authors" in text  # "Game Abstraction"
    # -100 against 200, with margins of 40 and 30: 3-4-5.
    assert "bets read by pseudo-harmonic the result changes by -300 ± 50 mbb/h." in text
    assert "untrained the result changes by +10 ± 42 mbb/h, which is not told apart" in text
    assert "Why was not tested" not in text
    assert "| pseudo-harmonic | 210 | 200 | 45 % | 1.5 % | 4 | 33 % | 43 % | 24 % |" in text
    assert "3.75 pots in the median, quartiles 3 and 4.5." in text
    assert "these responses win from external less than from its settings." in text
    # The same decision both ways: 0.1 ms and 100 ms.
    assert "| keep or swap by the fixed rule, flop | 100 µs | 100 ms | 1,000x |" in text
    assert "| infosets reached | 70,000 | 90 | - | no ratio: ours are of 1,000, theirs of" in text
    for changed in ("bets", "cards", "sampling", "bets not on the menu", "where untrained"):
        assert f"\n| {changed} | " in text.split("What was changed at once")[1]
    assert not re.search(r"[0-9]%", re.sub("`[^`]*`", "", text))  # "95 %", but for menus
    assert "trained against it for 20 ms of the clock a seat and scored on 20 fresh deals" in text
    assert "one of each scheme, that of its settings loses to external" in text
    assert "That holds of these two trainings, one with each setting." in text
    assert "here they are 10 % of the stack and a score of 0.6" in text  # the bot's defaults
    assert "Barely trained ones are nearly uniform more often, as the authors saw." in text
    assert "All-in exceeds uniform play more where an infoset is barely trained." in text


def test_a_reading_is_judged_by_intervals() -> None:
    losses = (Won(-300.0, 50.0, 500), Won(-290.0, 40.0, 500), Won(-10.0, 20.0, 500))
    text = readings_verdict(AUTHORS, _reading("pseudo-harmonic", 90, *losses))
    # 90 and 4 of 200: Wilson's intervals are far apart.
    assert "taken for all-in more often than by the authors' reading: 45 % (38 % to 52 %)" in text
    assert "-290 ± 40 from deals in which it took a bet for all-in that was none" in text
    assert text.endswith("lies mostly in the deals with such readings.")
    unsure = (Won(-30.0, 20.0, 500), Won(-20.0, 15.0, 500), Won(-10.0, 15.0, 500))
    text = readings_verdict(AUTHORS, _reading("nearest-ratio", 5, *unsure))
    assert "not surely more or less often than" in text
    assert text.endswith("has more of the change is not told apart.")
    # Other deals gain what such readings lose.
    even = (Won(5.0, 20.0, 500), Won(-90.0, 15.0, 500), Won(95.0, 15.0, 500))
    text = readings_verdict(AUTHORS, _reading("nearest-ratio", 5, *even))
    assert text.endswith("The whole is not told apart from zero.")


def test_contributions_add_up() -> None:
    more, counted = [4.0, -8.0, 2.0, 6.0], [True, False, True, False]
    part, rest = contribution(more, counted), contribution(more, [not each for each in counted])
    assert (part.mean, rest.mean) == (6 / 4, -2 / 4)  # means over all four
    assert contribution(more, [True] * 4).mean == part.mean + rest.mean
    # Student's 95 % with three degrees of freedom: 3.182; values 4, 0, 2, 0.
    assert part.margin == pytest.approx(3.182 * (11 / 3 / 4) ** 0.5, rel=1e-3)


@pytest.mark.parametrize(
    ("better", "words"),
    [
        # Theirs wins 200 with a margin of 30: 50 with the other's 40.
        (_better(100.0, 210.0, 90.0), ("this bot wins.", "wins less (-100 ± 50)", "is not told")),
        (_better(210.0, 300.0, 9.0), ("no winner is", "it (+10 ± 50)", "wins more (+100 ± 50)")),
        (_better(260.0, 100.0, -90.0), ("bot loses.", "more (+60 ± 50)", "less (-100 ± 50)")),
    ],
)
def test_the_better_bot_is_judged_by_intervals(better: Improved, words: tuple[str, ...]) -> None:
    text = better_verdict(better, Matches(Won(200.0, 30.0, 100), (), (), ()))
    assert all(word in text for word in words), text
    assert "the reading of bets and the play where untrained were changed at once" in text


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


def test_no_order_without_intervals_that_are_apart(tmp_path: Path) -> None:
    text = judge_bounds(_run(tmp_path), _schemes(3.0, 2.0))
    assert "No two of their intervals are apart: no order follows from them." in text
    assert "less than from" not in text
    assert "nothing sure" not in text  # both lie above 0


def test_a_bound_that_holds_zero_is_called_nothing(tmp_path: Path) -> None:
    text = judge_bounds(_run(tmp_path), _schemes(3.0, 0.5))
    assert "In external they found nothing sure: the interval holds 0." in text
    assert "win from external less than from its settings." in text


@pytest.mark.parametrize(
    ("chosen", "beside", "found"),
    [
        # Of 100: 95 % intervals about 40 to 60, 15 to 31 and 6 to 17; well trained 18 to 23.
        (50, "more than the 30 % of uniform", "all-in more often where barely"),
        (22, "not told apart from the 30 % of uniform", "do not tell where"),
        (10, "less than the 30 % of uniform", "all-in less often where barely"),
    ],
)
def test_all_ins_are_judged_by_intervals(chosen: int, beside: str, found: str) -> None:
    text = in_play(_watching(chosen))
    assert f"of 100 decisions where barely trained, {beside}" in text
    assert found in text


def test_rounding_hides_no_verdict() -> None:
    # 2,541 of 10,000: 24.57 % to 26.27 %, just above uniform play.
    rows = (Offer(1, 100, 0.3, 0.245, 22), Offer(10, 10_000, 0.25, 0.2452, 2541))
    watching = Watching((Watched(400, 50, 95, 5, 0, 0, 20, 9, 11, 79, 1, rows),))
    text = in_play(watching)
    assert "25.4 % (24.6 % to 26.3 %) of 10,000" in text
    assert "more than the 24.5 % of uniform play at these decisions" in text


def test_schemes_have_no_commas_in_their_names() -> None:
    assert not any("," in scheme.name for scheme in data().samplings)
    rows = tuple(_schemes(9.0, 2.0).rows[0] for _ in range(4))
    names = ("theirs", "a", "b", "c")
    rows = tuple(
        msgspec.structs.replace(row, name=name, nodes=356_571_957)
        for row, name in zip(rows, names, strict=True)
    )
    found = Schemes(3.0, 20, rows, cross_table(4, [Won(-50.0, 20.0, 100)] * 6))
    assert "that of theirs loses to a, b and c." in duels(found)
    assert scheme_line(rows[0])[3] == "119 M"  # a second, in three


def test_every_published_figure_says_where_it_stands() -> None:
    assert all(figure.where for figure in data().published.values())
    assert load_recipe(data().recipe).game == "discard-2017"


@pytest.mark.slow
def test_a_training_that_was_stopped_goes_on(
    deals: Deals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del deals
    monkeypatch.setattr(training, "_SAVE_SECONDS", -1.0)
    whole = _run(tmp_path / "whole")
    expected = training.train(whole)
    stopped = _run(tmp_path / "stopped")
    monkeypatch.setattr(training, "keep", _keep_and_stop)
    with pytest.raises(KeyboardInterrupt):
        training.train(stopped)
    assert (tmp_path / "stopped" / "training.checkpoint").exists()
    monkeypatch.setattr(training, "keep", marks.keep)
    found = training.train(_run(tmp_path / "stopped"))
    assert found.all_in == expected.all_in
    assert [(p.iterations, p.visited) for p in found.points] == [
        (p.iterations, p.visited) for p in expected.points
    ]
    assert (marks.read_tenths(stopped) == marks.read_tenths(whole)).all()
    assert not list((tmp_path / "stopped").glob("noted-*"))


def _run(folder: Path) -> Reproduction:
    return Reproduction("pineapple", folder, find_seed("pineapple").steps, "tiny", 7, workers=1)


def _keep_and_stop(run: Reproduction, solver: Solver, recipe: object, noted: marks.Kept) -> None:
    marks.keep(run, solver, recipe, noted)  # type: ignore[arg-type]
    if solver.iterations >= 160:
        raise KeyboardInterrupt


def test_tabulated_deals_fit_the_whole_game(deals: Deals) -> None:
    table = tabulated(deals, 30, seed=3)
    assert table.num_buckets == deals.num_buckets
    assert table.num_entries == deals.num_entries
    solver = Solver(table, Scheme("full", "cfr+", "linear"))
    before = exploitability(table, solver.strategy()).exploitability
    solver.run_all(iterations=60)
    found = exploitability(table, solver.strategy())
    assert found.exploitability < 0.1 * before
    assert sum(found.values) == pytest.approx(0)
    # The deal of probability 0 is never drawn: two tables of one seed are one game.
    assert exploitability(tabulated(deals, 30, seed=3), solver.strategy()) == found


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


@pytest.mark.parametrize(
    ("won", "word"), [(9.0, "wins"), (-9.0, "still loses"), (1.0, "no winner")]
)
def test_the_verdict_goes_by_the_interval(won: float, word: str) -> None:
    matches = Matches(Won(won, 3.0, 100), (), (), ())
    assert word in closing(matches).parts[0].text  # type: ignore[union-attr]
