"""Schemes side by side: points at their marks, files, refusals, Ctrl-C."""

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from riverboat import plain
from riverboat.errors import SolveError
from riverboat.evaluate import Convergence, compare, exploitability, exploitability_at
from riverboat.game import catalogue
from riverboat.solve import Scheme, Solver, enumerate_deals
from riverboat.tree import Tree
from solve.games import classic

if TYPE_CHECKING:
    from collections.abc import Mapping

COLUMNS = ["scheme", "iterations", "seconds", "nodes", "exploitability"]


@pytest.fixture(scope="module")
def found() -> Convergence:
    return compare("leduc", "cfr+, external, public-chance", iterations=300, marks=2, seed=4)


def test_marks_and_figures(found: Convergence) -> None:
    assert (found.game, found.seed, found.finished) == ("leduc", 4, True)
    assert [curve.scheme for curve in found.curves] == ["cfr+", "external", "public-chance"]
    for curve in found.curves:
        # Two a decade: powers of the root of ten, rounded; and the end.
        assert [point.iterations for point in curve.points] == [1, 3, 10, 32, 100, 300]
        seconds = [point.seconds for point in curve.points]
        assert seconds == sorted(seconds)
    for name, curve in zip(("cfr+", "external"), found.curves, strict=False):
        scheme = Scheme("full", "cfr+", "linear") if name == "cfr+" else Scheme("external")
        solver = Solver(classic("leduc"), scheme, seed=4)
        solver.run_all(iterations=100)
        exact = exploitability(solver.deals, solver.strategy()).exploitability
        assert curve.points[4].exploitability == exact
        assert curve.points[4].nodes == solver.nodes


def test_time_is_a_budget_too() -> None:
    ended = compare("kuhn", ["cfr"], seconds=0.05, iterations=10**12).curves[0].points[-1]
    assert ended.seconds >= 0.05
    assert ended.iterations < 10**12


def test_own_solvers_and_trees() -> None:
    competitors: Mapping[str, Any] = {
        "kernel": Scheme("full", "cfr+", "linear"),
        "plain": lambda deals, seed: plain.Solver(deals, plain.CfrPlus(), seed=seed),
    }
    tree = Tree(catalogue("kuhn"), "min")
    for game in (tree, enumerate_deals(tree)):
        kernel, own = compare(game, competitors, iterations=20, marks=1).curves
        assert [point.nodes for point in kernel.points] == [point.nodes for point in own.points]
        for ours, theirs in zip(own.points, kernel.points, strict=True):
            assert ours.exploitability == pytest.approx(theirs.exploitability, abs=1e-12)


def test_files(found: Convergence, tmp_path: Path) -> None:
    rows = found.to_rows()
    assert len(rows) == 18
    assert list(rows[0]) == COLUMNS
    for suffix in ("csv", "json", "png"):
        found.write(tmp_path / f"found.{suffix}")
    with (tmp_path / "found.csv").open(newline="", encoding="utf-8") as file:
        read = list(csv.DictReader(file))
    assert [float(row["exploitability"]) for row in read] == [r["exploitability"] for r in rows]
    assert json.loads((tmp_path / "found.json").read_text()) == json.loads(
        json.dumps(found.as_dict())
    )
    assert (tmp_path / "found.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.peer
def test_parquet(found: Convergence, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    found.write(tmp_path / "found.parquet")
    assert parquet.read_table(tmp_path / "found.parquet").to_pylist() == found.to_rows()


def test_ctrl_c_leaves_what_there_is() -> None:
    def stop(name: str, share: float) -> None:
        if name == "dcfr" and share >= 0.5:
            raise KeyboardInterrupt

    ended = compare("kuhn", "cfr,dcfr,cfr+", iterations=100, marks=4, progress=stop)
    assert not ended.finished
    assert [curve.scheme for curve in ended.curves] == ["cfr", "dcfr"]
    assert ended.curves[0].points[-1].iterations == 100
    assert 50 <= ended.curves[1].points[-1].iterations < 100


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(SolveError, match="at most 5,000,000 can be enumerated"):
        compare("nolimit-100bb", ["cfr"], iterations=1)
    with pytest.raises(SolveError, match="give a budget"):
        compare("kuhn", ["cfr"])
    with pytest.raises(SolveError, match="no scheme 'crf'"):
        compare("kuhn", ["crf"], iterations=1)
    with pytest.raises(SolveError, match="at least one scheme"):
        compare("kuhn", "", iterations=1)
    with pytest.raises(SolveError, match="marks=0"):
        compare("kuhn", ["cfr"], iterations=1, marks=0)
    with pytest.raises(SolveError, match="two players: with 3 players use external"):
        compare("kuhn3", ["cfr"], iterations=1)
    with pytest.raises(SolveError, match=r"\.csv, \.json, \.parquet, \.png"):
        compare("kuhn", ["cfr"], iterations=1).write(tmp_path / "found.txt")


def test_reports_carry_exploitability_at_marks() -> None:
    solver = Solver(classic("kuhn"), Scheme("full"))
    marks = exploitability_at(20, 5)
    reports = list(solver.run(iterations=30, every=float("inf"), marks=marks))
    assert [report.iterations for report in reports] == [5, 20, 30]
    again = Solver(classic("kuhn"), Scheme("full"))
    again.run_all(iterations=20)
    exact = exploitability(again.deals, again.strategy()).exploitability
    assert reports[1].exploitability == exact
    assert reports[2].exploitability is None
