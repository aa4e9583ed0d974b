"""Every result as a table: its columns, HTML, and frames of pandas and polars."""

from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from riverboat.arena import (
    Ledger,
    Match,
    MatchSettings,
    Sweep,
    SweepPoints,
    TournamentResult,
    pairings,
    play_match,
    play_matches,
)
from riverboat.blueprint import (
    Answer,
    Blueprint,
    Header,
    Training,
    default_blueprint,
    prune,
    quantise,
    write_blueprint,
)
from riverboat.blueprint import (
    compare as compare_blueprints,
)
from riverboat.bots import ConformanceReport, check_bot
from riverboat.buckets import BucketSizes
from riverboat.cards import Range, equity
from riverboat.decision import of_ranges
from riverboat.errors import RiverboatError
from riverboat.evaluate import compare, exploitability, response_bound
from riverboat.game import Hand, catalogue, simulate
from riverboat.histories import ReadResult, record_of
from riverboat.report import (
    Columns,
    Compared,
    Comparison,
    Framed,
    Report,
    Section,
    Table,
    _frames,
    frame_of,
)
from riverboat.solve import Scheme, Solver, enumerate_deals
from riverboat.spots import SolveSettings, Spot, card_report, solve
from riverboat.training import Progress, load_recipe, train
from riverboat.tree import Tree


def solved() -> Solver:
    solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), Scheme("full"))
    solver.run_all(iterations=10)
    return solver


def saved(folder: Path, threshold: float = 0.0) -> Blueprint:
    solver = solved()
    tree = solver.deals.tree
    training = Training(recipe={"threshold": threshold} if threshold else {})
    header = Header.of(tree, solver.deals.num_buckets, training=training)
    write_blueprint(folder / "kuhn.blueprint", header, tree, solver.average)
    return Blueprint.open(folder / "kuhn.blueprint")


def match() -> Any:
    return play_match(["random", "checkcall"], "kuhn", hands=200, seed=1)


def tournament() -> TournamentResult:
    settings = MatchSettings(("random", "checkcall"), "kuhn", hands=40, seed=1)
    names = ("random", "checkcall", "fold")
    matches = [Match(each) for each in pairings(names, settings)]
    list(play_matches(matches, 1))
    return TournamentResult.of(names, matches)


def sweep() -> SweepPoints:
    settings = MatchSettings(("shark", "checkcall"), hands=4, seed=1)
    plan = Sweep("shark:samples=1", {"low": (0.1, 0.2)}, settings)
    matches = plan.matches()
    list(play_matches([each for each in matches if isinstance(each, Match)], 1))
    return plan.points(matches)


COMPARISON = Comparison("c", (Compared("speed", 2.0, 4.0, better="higher"),))
REPORT = Report("x", "c", "t", "quick", 1, 2.0, "m", "0", (Section("s", (COMPARISON,)),))


def bound() -> Any:
    solver = solved()
    return response_bound(solver.deals, solver.strategy(), iterations=50, score_deals=500)


def ledger(folder: Path) -> Ledger:
    kept = Ledger(folder / "ledger.sqlite")
    play_match(["random", "checkcall"], "kuhn", hands=40, seed=1, ledger=kept)
    kept.begin(MatchSettings(("random", "fold"), "kuhn", hands=40, seed=2))  # and not finished
    return kept


def progress(folder: Path) -> Progress:
    budget = {"iterations": 20}
    recipe = load_recipe({"game": "kuhn", "menu": "min", "scheme": "cfr+", "budget": budget})
    *_, last = train(recipe, folder / "kuhn", plot=False)
    return last


def checked() -> ConformanceReport:
    return ConformanceReport("fold", 0, tuple(check_bot("fold", [("kuhn", 2)], hands=1)))


def solved_spot(board: str = "2s3h4d6c7c") -> Any:
    spot = Spot(
        board=board, pot=20, stack=10, oop="AsAh, QsQh", ip="KsKh, JsJh, 9c9d, 8c8d", menu="a"
    )
    return solve(spot, SolveSettings(target=0.05))


def record() -> Any:
    return record_of(Hand.from_line(catalogue("nolimit-100bb"), "b25c/kb30f", seed=1))


# What it is, how many rows it has, and some of its columns.
RESULTS = [
    (lambda: equity("AhAd", "KK", board="2c7d9h"), 2, ["player", "win", "equity", "low"]),
    (lambda: Range.parse("AA, KK:0.5"), 12, ["hole", "class", "weight"]),
    (
        lambda: Hand.from_line(catalogue("nolimit-100bb"), "b25c/kb30f", seed=1),
        5,
        ["street", "seat", "action", "amount"],
    ),
    (lambda: simulate(catalogue("kuhn"), 10, seed=1), 2, ["seat", "chips"]),
    (
        lambda: BucketSizes("preflop", np.array([1, 2]), np.array([0.1, 0.5])),
        2,
        ["bucket", "deals", "share", "strength"],
    ),
    (lambda: solved().report(), 1, ["iterations", "average_regret"]),
    (
        lambda: exploitability(solved().deals, solved().strategy()),
        2,
        ["seat", "value", "best_response", "gain"],
    ),
    (bound, 2, ["seat", "value", "value_low", "candidate"]),
    (lambda: Answer("trained", (("k", 0.25), ("b1", 0.75))), 2, ["action", "probability"]),
    (match, 2, ["bot", "hands", "chips", "mbb_per_hand", "mbb_per_hand_low"]),
    (tournament, 6, ["bot", "opponent", "mbb_per_hand"]),
    (sweep, 2, ["low", "score", "score_low", "refused"]),
    (lambda: Table("c", ("", "n", "n"), (("a", "1", "2"),)), 1, ["1", "n", "n 3"]),
    (lambda: COMPARISON, 1, ["what", "published", "ours", "ratio"]),
    (lambda: REPORT, 1, ["section", "what", "ours"]),
    (lambda: compare("kuhn", "cfr, dcfr", iterations=10, marks=1), 4, ["scheme", "exploitability"]),
    (checked, 1, ["game", "outcome", "decisions"]),
    (record, 5, ["street", "seat", "action", "amount"]),
    (lambda: solved_spot().finish(), 6, ["player", "hole", "equity", "ev", "k", "ev b10"]),
    (lambda: solved_spot().finish().node("k"), 6, ["player", "hole", "reach", "k", "b10"]),
    (lambda: card_report(solved_spot("2s3h4d6c").finish(), "kk"), 48, ["cards", "ev oop"]),
    (lambda: [*solved_spot()][-1], 1, ["event", "iteration", "exploitability"]),
    (lambda: ReadResult((record(),), (), "phh"), 1, ["players", "board", "line", "payoffs"]),
]
# The same of results that come with a file.
FILED = [
    (ledger, 2, ["id", "bots", "hands", "mbb_per_hand", "mbb_per_hand_high"]),
    (progress, 1, ["event", "iterations", "findings", "measured_exploitability"]),
    (lambda folder: prune(saved(folder), folder / "small"), 1, ["before", "after", "bytes_after"]),
    (lambda folder: quantise(saved(folder), folder / "small"), 1, ["mean_shift", "bound"]),
    (
        lambda folder: compare_blueprints(saved(folder), saved(folder))[0],
        1,
        ["both", "mean_distance"],
    ),
]
NAMES = [str(columns[:3]) for _, _, columns in RESULTS]


@pytest.mark.parametrize(("make", "rows", "columns"), RESULTS, ids=NAMES)
def test_every_result_is_a_table(make: Any, rows: int, columns: list[str]) -> None:
    check_table(make(), rows, columns)


@pytest.mark.parametrize(("make", "rows", "columns"), FILED, ids=[str(row[2][:2]) for row in FILED])
def test_every_result_with_a_file(make: Any, rows: int, columns: list[str], tmp_path: Path) -> None:
    check_table(make(tmp_path), rows, columns)


def check_table(result: Any, rows: int, columns: list[str]) -> None:
    """It has those columns and so many rows, in each form."""
    values = result.frame_columns()
    assert set(columns) <= set(values)
    assert {len(column) for column in values.values()} == {rows}
    assert "<" in result._repr_html_()
    for library in ("pandas", "polars"):
        if find_spec("pyarrow") and find_spec(library):
            frame = result.to_frame(library)
            assert type(frame).__module__.startswith(library)
            assert (len(frame), list(frame.columns)) == (rows, list(values))


@pytest.mark.peer
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_strategy_by_infoset_with_names(library: Any, tmp_path: Path) -> None:
    frame = saved(tmp_path).to_frame(library)
    assert len(frame) == 24  # 12 infosets of two actions
    assert set(map(str, frame["hand"])) == {"J", "Q", "K"}
    assert set(map(str, frame["action"])) == {"k", "b1", "c", "f"}
    assert float(frame["probability"].sum()) == pytest.approx(12)


def test_a_strategy_says_what_it_is(tmp_path: Path) -> None:
    drawn = saved(tmp_path)._repr_html_()
    assert "kuhn.blueprint" in drawn
    assert ">infosets</td>" in drawn


def test_a_decision_has_a_row_for_each_hole_pair_off_the_board() -> None:
    buckets = np.where(np.arange(1326) < 6, -1, 0)
    decision = replace(
        of_ranges({"b1": "AA"}),
        strategy=np.full((1326, 2), 0.5),
        alive=buckets == 0,
        buckets=buckets,
        visits=np.ones(1326),
    )
    values = decision.frame_columns()
    names = ["player", "hole", "class", "reach", "bucket", "visits", "b1", "k"]
    assert list(values) == names
    assert {len(column) for column in values.values()} == {1320}


def test_notebooks_say_which_strategy_they_show(tmp_path: Path) -> None:
    actions = (("k", 0.25), ("b1", 0.75))
    assert "<p>at the start, as trained</p>" in Answer("trained", actions)._repr_html_()
    played = Answer("trained", actions, line="k", threshold=0.1)._repr_html_()
    assert "<p>k, as played: bets and folds rarer than 10 % left out</p>" in played
    assert "<p>no &lt;tree&gt;</p>" in Answer("off-tree", reason="no <tree>")._repr_html_()
    assert ">as trained</td>" in saved(tmp_path)._repr_html_()
    default = Blueprint.open(default_blueprint())._repr_html_()
    assert "as played: bets and folds rarer than 30 % left out" in default


@pytest.mark.peer
def test_a_frame_of_a_strategy_as_played(tmp_path: Path) -> None:
    blueprint = saved(tmp_path, threshold=0.4)
    trained, played = blueprint.to_frame("pandas"), blueprint.to_frame("pandas", as_played=True)
    assert len(trained) == len(played) == 24
    rare = (trained["probability"] < 0.4) & ~trained["action"].isin(["k", "c"])
    assert rare.any()
    assert (played["probability"][rare] == 0).all()
    assert played["probability"].sum() == pytest.approx(12)


@pytest.mark.peer
def test_values_come_through() -> None:
    for library in ("pandas", "polars"):
        frame = Range.parse("AA, KK:0.5").to_frame(library)
        assert float(frame["weight"].sum()) == 9
    assert isinstance(match().to_frame(), import_module("pandas").DataFrame)


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_frames, "find_spec", lambda _: None)
    with pytest.raises(RiverboatError, match="needs the package pyarrow: pip install 'riverboat"):
        frame_of({"a": [1]})
    monkeypatch.setattr(_frames, "find_spec", lambda name: None if name == "polars" else name)
    with pytest.raises(RiverboatError, match=r"the package polars: .*riverboat\[polars\]"):
        frame_of({"a": [1]}, "polars")


def test_html_is_short_and_escaped() -> None:
    class Drawn(Framed):
        def __init__(self, columns: Columns) -> None:
            self.frame_columns = lambda: columns  # type: ignore[method-assign]

    drawn = Drawn({"<i>": range(1000), "x": np.linspace(0, 1, 1000)})._repr_html_()
    assert drawn.count("<tr>") == 21
    assert "&lt;i&gt;" in drawn
    assert "and 980 more rows" in drawn
    assert ">0.001001</td>" in drawn
    assert Drawn({"x": [None, True, float("nan")]})._repr_html_().count("<td") == 3
