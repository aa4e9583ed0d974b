"""Cardiff reproduced: a tiny run from end to end."""

import base64
import re
from collections import Counter
from dataclasses import replace
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path

import pytest

from riverboat.cards import HandStrength
from riverboat.errors import ArenaError
from riverboat.game import GameSpec, Hand, catalogue
from riverboat.report import Comparison, Picture, Report
from riverboat.reproductions import (
    Found,
    ReproductionRun,
    Results,
    StepProgress,
    find_reproduction,
    reproduce,
)
from riverboat.reproductions.cardiff._matches import idea_recipe
from riverboat.reproductions.cardiff._recipe import DATA, toy_game
from riverboat.reproductions.cardiff._report import authors_error, explained, running
from riverboat.reproductions.cardiff._size import count_decisions, measure_size
from riverboat.reproductions.cardiff._training import (
    compare_precision,
    count_rows,
    train_and_measure,
)
from riverboat.statistics import Estimate
from riverboat.training import load_recipe
from riverboat.tree import Tree

STEPS = (
    "training", "cleaning", "csv", "table", "champion", "simulation", "engine", "reversed",
    "streets", "size", "rows", "precision", "ideas",
)  # fmt: skip


@pytest.fixture(scope="module")
def made(tables: HandStrength, tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, Path]:
    """A tiny run."""
    assert tables is not None
    folder = tmp_path_factory.mktemp("cardiff") / "run"
    return reproduce("cardiff", folder, effort="tiny", workers=1), folder


@pytest.mark.slow
def test_whole_run(made: tuple[Report, Path]) -> None:
    report, folder = made
    assert tuple(find_reproduction("cardiff").steps) == STEPS
    missing = set() if find_spec("pypokerengine") else {"engine"}
    assert {path.stem for path in (folder / "steps").glob("*.json")} == set(STEPS) - missing
    assert report.sections[0].title == "In five lines"
    assert any(isinstance(part, Comparison) for part in report.sections[2].parts)
    assert report.sections[-2].title == "What differs and why"
    assert len(report.sections) == 18


@pytest.mark.slow
def test_report_files(made: tuple[Report, Path]) -> None:
    report, folder = made
    page = (folder / "report.html").read_text(encoding="utf-8")
    text = (folder / "report.md").read_text(encoding="utf-8")
    pictures = [p for s in report.sections for p in s.parts if isinstance(p, Picture)]
    assert len(pictures) == 10
    assert page.count("data:image/png;base64,") == 10
    assert not re.search(r'(src|href)="(?!data:)', page)
    inside = re.findall(r"base64,([^\"]+)", page)
    assert all(base64.b64decode(each)[1:4] == b"PNG" for each in inside)
    # Section 3.2, figures 19 and 20, table 2.
    for published in ("11 h", "5.53 M", "2.75 M", "200 MB", "-1.75", "+68.65", "0.025"):
        assert published in page
        assert published in text


@pytest.mark.slow
def test_computed_values(made: tuple[Report, Path]) -> None:
    report, folder = made
    parts = (part for section in report.sections for part in section.parts)
    ours = {row.what: row for p in parts if isinstance(p, Comparison) for row in p.rows}
    after, before, visited = (
        round((ours[what].ours or 0) * 1e6)
        for what in (
            "CSV rows after cleaning",
            "CSV rows before cleaning",
            "infosets visited: all have a row before cleaning in the thesis",
        )
    )
    assert 0 < after <= before <= visited
    raw = (folder / "cardiff.csv").read_text(encoding="ascii").splitlines()
    assert len(raw) - 1 == before
    assert (ours["iterations per second"].ours or 0) > 250
    assert (ours["longest decision"].ours or 99) < 35
    exploitability = ours["exploitability, lower bound, chips per hand"]
    assert exploitability.ours is not None
    assert abs(exploitability.ours) < 100
    rows = (folder / "cardiff-clean.csv").read_text(encoding="ascii").splitlines()
    assert rows[0] == "info_set,strategies"
    assert len(rows) - 1 == after
    assert not any('"[0.33,0.33,0.33]"' in row for row in rows)


@pytest.mark.slow
def test_stored_results(made: tuple[Report, Path]) -> None:
    report, folder = made
    results = Results.read((folder / "results.json").read_bytes())
    found, cardiff = results.found, find_reproduction("cardiff")
    assert cardiff.sections(found, results.effort, results.seed) == report.sections
    rows = {(row.experiment, *row.what): row for row in results.rows}
    row = rows["table", "won", "CFRv2", "Monte-Carlo"]
    assert (row.unit, row.published, row.where[:7]) == ("sb/hand", -1.75, "table 2")
    names = list(DATA.bots)
    assert list(found.table.won) == list(found.table.times) == list(found.champion.won) == names
    for row, won in found.table.won.items():
        assert list(won) == [name for name in names if name != row]
        assert [each.mean for each in won.values()] == pytest.approx(
            [-found.table.won[name][row].mean for name in won]
        )
    assert found.table.failures == 0
    assert found.cleaning.rows_read == found.cleaning.after == found.csv.rows
    assert found.csv.only_one == 0
    assert list(found.csv.matches) == list(DATA.csv_opponents)
    assert list(found.ideas) == ["base", "raises"]
    assert list(found.ideas["raises"].won) == ["base", *DATA.variant_opponents]
    assert [row.streets for row in found.streets.rows] == [2]
    assert [each.iterations for each in found.training.sampled] == [100, 300, 2_000]
    assert [list(won) for won in found.simulation.won.values()] == [names, names]
    pairs = [f"{one} v {other}" for one, other in DATA.reversed]
    assert list(found.reversed.won) == list(found.table.seats) == list(explained(found)) == pairs
    assert (
        DATA.changed.samples not in found.reversed.won["CFRv2 v CFRv1"]
    )  # nobody's run-outs change


@pytest.mark.slow
def test_resumed_from_its_steps(made: tuple[Report, Path]) -> None:
    report, folder = made
    before = {path: path.stat().st_mtime_ns for path in (folder / "steps").glob("*.json")}
    again = reproduce("cardiff", folder, effort="tiny", workers=1, resume=True)
    assert {path: path.stat().st_mtime_ns for path in (folder / "steps").glob("*.json")} == before
    assert again.sections == report.sections


@pytest.mark.slow
def test_training_goes_on(tables: HandStrength, tmp_path: Path) -> None:
    """A training that was stopped in a measurement measures that one again, and no other."""
    assert tables is not None
    told: list[str] = []

    def stop(standing: StepProgress) -> None:
        told.append(standing.text)
        if told.count("measures at 2,000 iterations") == 1:
            raise KeyboardInterrupt

    run = ReproductionRun(
        "cardiff", tmp_path, STEPS, "tiny", workers=1, listener=stop, units=DATA.all_units
    )
    with pytest.raises(KeyboardInterrupt):
        train_and_measure(run)
    assert (tmp_path / "cardiff.checkpoint").exists()
    run.listener = lambda standing: told.append(standing.text)
    told.clear()
    found = train_and_measure(run)
    assert [text for text in told if "measures" in text] == ["measures at 2,000 iterations"]
    assert [point.iterations for point in found.points] == [300, 2_000]
    assert [each.iterations for each in found.sampled] == [100, 300, 2_000]
    assert not (tmp_path / "cardiff.checkpoint").exists()


def test_recipe_is_the_thesis(tmp_path: Path) -> None:
    found = DATA
    table = found.table2
    assert all(table[b][a] == -table[a][b] for a, b in combinations(found.bots, 2))
    assert tuple(table["CFRv2"]) == tuple(found.bots)[:-1]
    assert tuple(table["CFRv2"].values()) == (1.56, 0.81, 11.51, 0.09, -1.75, 2.13)  # table 2
    assert found.effort["full"].iterations[-1] == 10_000_000
    assert found.effort["full"].table_hands == 100_000
    assert load_recipe("cardiff").spec == toy_game(2)
    assert Tree(toy_game(2), found.effort["full"].menu).num_decisions == (14, 182)
    assert found.effort["full"].variants == tuple(found.variants)
    for name, variant in found.variants.items():
        recipe = idea_recipe(ReproductionRun("cardiff", tmp_path), name)
        assert (recipe.spec.players, len(recipe.spec.streets)) == (2, variant.streets)
    assert {*found.csv_opponents, *found.variant_opponents} <= set(found.bots)


def test_rows_of_figure_19(tmp_path: Path) -> None:
    """Line numbers of figure 19: 5,534,185 rows. 76,895 suitless hands, 13 of five equal ranks."""
    found = count_rows(ReproductionRun("cardiff", tmp_path, STEPS))
    assert found.classes == 76_895 - 13
    *near, ours = found.nearest
    assert (near[0].menu, near[0].decisions) == ("min ; cap 4 / min ; cap 3", (10, 72))
    assert (ours.menu, ours.decisions) == ("min ; cap 3 each", (14, 182))
    assert found.half.decisions == (12, 72)
    published = DATA.published["rows_before"].value
    assert near[0].rows.minus(published).sign == 0
    assert near[0].rows_of_two.minus(published).sign == near[1].rows.minus(published).sign * -1 == 1


def test_float32_hardly_changes_leduc(tmp_path: Path) -> None:
    run = ReproductionRun("cardiff", tmp_path, STEPS, "tiny")
    found = compare_precision(run)
    one, other = found.exploitability.values()
    assert one != other
    assert one == pytest.approx(other, rel=1e-4)
    assert found.node_bytes["float64"] - found.node_bytes["float32"] == 24  # of six numbers
    assert found.most_visits < 2**24  # float32 sums of ones stop there


def test_the_authors_mean_weighs_by_iterations() -> None:
    def value(mean: float) -> Estimate:
        return Estimate(mean, 0.5, 100, "normal")

    sampled = [
        Found(iterations=10, small_blind=value(4.0), big_blind=value(-2.0)),
        Found(iterations=40, small_blind=value(0.0), big_blind=value(0.0)),
    ]
    training = Found(points=[Found(iterations=40)], sampled=sampled)
    assert [each.mean for each in running(training, "small_blind")] == [4.0, 1.0]
    both = running(training, "small_blind", "big_blind")
    assert [each.mean for each in both] == [1.0, 0.25]
    # Half of each seat's error, 10 and 30 of 40 iterations.
    assert both[1].error == pytest.approx(0.5 / 2 * (2 * (10**2 + 30**2)) ** 0.5 / 40)
    assert authors_error(training) == pytest.approx(0.5 * 10 / 80**0.5)


def _missing() -> None:
    raise ArenaError("PyPokerEngine is not installed")


_NEED_ENGINE = "riverboat.reproductions._work.need_engine"


def test_missing_engine_is_told_at_the_start_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before any step, in a line that a bar has room for; not if the table is already there."""
    told: list[StepProgress] = []

    def stop(standing: StepProgress) -> None:
        told.append(standing)
        raise KeyboardInterrupt

    monkeypatch.setattr(_NEED_ENGINE, _missing)
    with pytest.raises(KeyboardInterrupt):
        reproduce("cardiff", tmp_path / "run", effort="tiny", listener=stop)
    assert [(each.step, each.index) for each in told] == [("engine", 7)]
    assert told[0].text == "left out: PyPokerEngine is missing"
    assert len(told[0].text) <= 40
    kept = tmp_path / "run" / "steps" / "engine.json"
    assert not kept.exists()
    kept.write_text('{"rows": []}')
    with pytest.raises(KeyboardInterrupt):
        reproduce("cardiff", tmp_path / "run", effort="tiny", resume=True, listener=stop)
    assert told[1].step == "training"
    monkeypatch.setattr(_NEED_ENGINE, lambda: None)
    with pytest.raises(KeyboardInterrupt):
        reproduce("cardiff", tmp_path / "other", effort="tiny", listener=stop)
    assert told[2].step == "training"


def test_a_step_that_is_left_out_says_why(tmp_path: Path) -> None:
    """The others are done, and what is missing is a result that no file keeps."""
    only = {"one": lambda _: Found(hands=3), "two": lambda _: Found(hands=4)}
    needs = {"two": lambda: "PyPokerEngine is not installed"}
    cardiff = replace(find_reproduction("cardiff"), steps=only, needs=needs, setting=None)
    run = ReproductionRun("cardiff", tmp_path, tuple(only))
    found = cardiff.compute(run)
    assert found == {"one": {"hands": 3}, "two": {"missing": "PyPokerEngine is not installed"}}
    assert [path.name for path in (tmp_path / "steps").glob("*.json")] == ["one.json"]
    whole = replace(cardiff, needs={}).compute(ReproductionRun("cardiff", tmp_path, tuple(only)))
    assert whole.two.hands == 4


def test_force_begins_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with an old run is cleared: its steps, too."""
    monkeypatch.setattr(_NEED_ENGINE, lambda: None)
    told: list[str] = []

    def stop(standing: StepProgress) -> None:
        told.append(standing.step)
        raise KeyboardInterrupt

    for force in (False, True):
        with pytest.raises(KeyboardInterrupt):
            reproduce("cardiff", tmp_path / "run", effort="tiny", force=force, listener=stop)
        (tmp_path / "run" / "steps" / "training.json").write_text("{}")
    assert told == ["training", "training"]


def all_decisions(spec: GameSpec) -> list[int]:
    """Count the betting decisions by street by playing every line with every size."""
    found = Counter[int]()

    def play(hand: Hand) -> None:
        if hand.actor is None:
            return
        found[hand.street] += 1
        after = hand.clone()
        after.check_or_call()
        play(after)
        for size in range(hand.min_raise_to or 0, (hand.max_raise_to or -1) + 1):
            after = hand.clone()
            after.bet_to(size)
            play(after)

    play(Hand(spec, seed=1))
    return [found[street] for street in range(4)]


@pytest.mark.parametrize(
    ("stack", "blinds"), [(4, (1, 2)), (7, (1, 2)), (25, (5, 10)), (28, (5, 10))]
)
def test_the_formula_counts_what_the_rules_allow(stack: int, blinds: tuple[int, int]) -> None:
    spec = catalogue("nolimit-100bb").replace(name="small", stacks=(stack, stack), blinds=blinds)
    assert count_decisions(spec) == all_decisions(spec)


def test_suited_hands_on_a_flop_of_their_suit(tmp_path: Path) -> None:
    """C(11, 3) of C(50, 3) flops, and 23.5 % of hands are suited."""
    found = measure_size(ReproductionRun("x", tmp_path, ("size",)))
    assert f"{found.flush_if_suited:.4f} {found.flush_of_all:.4f}" == "0.0084 0.0020"
    assert f"{found.infosets:.1e}" == "5.0e+55"
