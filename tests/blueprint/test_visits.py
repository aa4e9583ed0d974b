"""How often training came to an infoset, in files and in what is made of them."""

import json
from pathlib import Path

import numpy as np
import pytest

from blueprint.strategies import leduc_solver
from riverboat.blueprint import (
    Blueprint,
    Header,
    Layout,
    Training,
    combine,
    decision_at,
    export_arrow,
    prune,
    quantise,
    read_csv,
    verify,
    without_rare,
    write_blueprint,
    write_csv,
)
from riverboat.buckets import make_abstraction
from riverboat.cli import main
from riverboat.errors import BlueprintError
from riverboat.game import catalogue
from riverboat.solve import Scheme
from riverboat.tree import Tree

DATA = Path(__file__).parents[1] / "compatibility" / "files_02"
MENU = "min ; cap 1"


def trained(path: Path, scheme: Scheme, iterations: int, seed: int = 1) -> Blueprint:
    """Leduc, with all that training writes."""
    solver = leduc_solver(iterations, scheme, seed)
    training = Training(scheme=scheme.as_whole_dict(), iterations=iterations, recipe={"name": "a"})
    header = Header.of(solver.deals.tree, solver.deals.num_buckets, training)
    write_blueprint(path, header, solver.deals.tree, solver.average)
    return Blueprint.open(path)


@pytest.mark.parametrize("averaging", ["uniform", "linear", "quadratic"])
@pytest.mark.parametrize("sampling", ["external", "chance"])
def test_the_root_is_visited_once_an_iteration(
    tmp_path: Path, sampling: str, averaging: str
) -> None:
    scheme = Scheme.from_dict({"sampling": sampling, "averaging": averaging, "step": 100})
    blueprint = trained(tmp_path / "a", scheme, 2000)
    visits = [blueprint.visits(0, bucket) for bucket in range(3)]
    # The midpoint rule is exact up to linear weights.
    assert sum(each or 0 for each in visits) == pytest.approx(2000, rel=1e-3)
    assert all(each is not None and 500 < each < 833 for each in visits)  # 667 +- 8 sigma


def test_files_made_of_others_know_their_visits(tmp_path: Path) -> None:
    scheme = Scheme("external", averaging="linear", step=100)
    first, second = (trained(tmp_path / str(seed), scheme, 2000, seed) for seed in (1, 2))
    combine([first, second], tmp_path / "both")
    both = Blueprint.open(tmp_path / "both")
    assert both.visits(0, 1) == pytest.approx(
        (first.visits(0, 1) or 0) + (second.visits(0, 1) or 0)
    )
    prune(first, tmp_path / "pruned")
    quantise(Blueprint.open(tmp_path / "pruned"), tmp_path / "small")
    assert Blueprint.open(tmp_path / "small").visits(0, 1) == pytest.approx(
        first.visits(0, 1), rel=0.045
    )
    other = trained(tmp_path / "other", Scheme("external"), 2000)
    combine([first, other], tmp_path / "mixed")
    assert Blueprint.open(tmp_path / "mixed").visits(0, 1) is None


def test_full_walks_see_every_deal_at_a_visit(tmp_path: Path) -> None:
    blueprint = trained(tmp_path / "a", Scheme("full", "cfr+", "linear"), 50)
    assert blueprint.visit_scale is not None
    assert blueprint.visit_scale.few == 1
    # A card is one of three, and counts by its chance.
    assert blueprint.visits(0, 0) == pytest.approx(50 / 3)


@pytest.mark.parametrize("path", sorted(DATA.rglob("*.blueprint")), ids=lambda path: path.stem)
def test_files_of_0_2_say_how_often_a_row_was_visited(path: Path) -> None:
    blueprint = Blueprint.open(path)
    known = path.stem != "leduc-combined"  # weights of two files are no visits
    assert (blueprint.visit_scale is not None) == known
    assert (blueprint.visits(0, 0) is not None) == known


def test_findings_count_few_visits(tmp_path: Path) -> None:
    blueprint = trained(tmp_path / "a", Scheme("external"), 300)
    finding = next(each for each in verify(blueprint) if each.check == "visits")
    weights = blueprint.weights()
    few = int(((weights > 0) & (weights < 100)).sum())
    assert 0 < few < 288
    assert finding.text.startswith(f"{few} of these were visited fewer than 100 times")


@pytest.fixture(scope="module")
def cardiff(tmp_path_factory: pytest.TempPathFactory) -> Blueprint:
    """The thesis's game with one raise a street: 3 to 300 visits; on the flop few buckets."""
    tree, cards = Tree(catalogue("cardiff"), MENU), make_abstraction("suitless 2")
    training = Training(scheme={"sampling": "external"}, iterations=1000, recipe={"threshold": 0.3})
    header = Header.of(tree, cards, training)
    rng = np.random.default_rng(1)
    table = rng.integers(1, 100, header.entries).astype(np.float64)
    for chunk in Layout(tree, header.num_buckets).chunks():
        if tree.group_street[chunk.group] == 1:
            block = table[chunk.entries].reshape(chunk.num_buckets, -1)
            block[rng.random(chunk.num_buckets) < 0.99] = 0
    path = tmp_path_factory.mktemp("visits") / "cardiff.blueprint"
    write_blueprint(path, header, tree, table, cards)
    return Blueprint.open(path)


def test_csv_tells_visits_and_reads_them_over(cardiff: Blueprint, tmp_path: Path) -> None:
    write_csv(cardiff, tmp_path / "plain.csv", digits=6)
    write_csv(cardiff, tmp_path / "visits.csv", digits=6, visits=True)
    plain = (tmp_path / "plain.csv").read_text().splitlines()
    told = (tmp_path / "visits.csv").read_text().splitlines()
    assert told[0] == "info_set,strategies,visits"
    assert [line.rpartition(",")[0] for line in told[1:]] == plain[1:]
    assert cardiff.cards is not None
    visits = cardiff.visits(0, cardiff.cards.street_bucket("AhAd"))
    assert visits is not None
    mark = "~" if visits < 100 else ""
    row = next(line for line in told if line.startswith("AA,"))
    assert row.endswith(f'",{visits:.0f}{mark}')
    assert any(line.endswith("~") for line in told)
    assert not all(line.endswith("~") for line in told[1:])
    read, reread = (read_csv(tmp_path / f"{name}.csv", menu=MENU) for name in ("plain", "visits"))
    assert np.array_equal(read.strategy, reread.strategy)
    assert read.report == reread.report
    assert read.report.read > 1000
    reread.save(tmp_path / "b")
    with pytest.raises(BlueprintError, match="the training visits of"):
        write_csv(Blueprint.open(tmp_path / "b"), tmp_path / "c.csv", visits=True)
    assert not (tmp_path / "c.csv").exists()


def test_csv_as_played(cardiff: Blueprint, tmp_path: Path) -> None:
    write_csv(cardiff, tmp_path / "a.csv", digits=6, threshold=cardiff.threshold)
    assert cardiff.cards is not None
    rows = dict(line.split(",", 1) for line in (tmp_path / "a.csv").read_text().splitlines())
    view = decision_at(cardiff, 0, threshold=0.3)
    for text, hole in (("AA", "AhAd"), ("72o", "7h2d"), ("K7s", "Kc7c")):
        row = cardiff.row(0, cardiff.cards.street_bucket(hole))
        assert row is not None
        named = dict(zip(cardiff.tree.actions(0), row.tolist(), strict=True))
        wanted = list(without_rare(named, 0.3).values())
        assert json.loads(json.loads(rows[text])) == pytest.approx(wanted, abs=1e-6)
        index = int(np.flatnonzero(view.buckets == cardiff.cards.street_bucket(hole))[0])
        assert view.strategy[index].tolist() == pytest.approx(wanted)


def test_export_says_which_strategy_it_holds(
    cardiff: Blueprint,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def export(*options: str) -> str:
        words = ["blueprint", "export", str(cardiff.path), "-o", str(tmp_path / "a.csv"), "--force"]
        monkeypatch.setattr("sys.argv", ["riverboat", *words, *options])
        with pytest.raises(SystemExit) as end:
            main()
        assert not end.value.code
        return " ".join(capsys.readouterr().out.split())

    assert "as trained" in export()
    assert (tmp_path / "a.csv").read_text().startswith("info_set,strategies,visits\n")
    values = json.loads(export("--as-played", "--no-visits", "--json"))
    assert (values["shown"], values["threshold"], values["few_visits_below"]) == (
        "as played",
        0.3,
        100,
    )
    assert (tmp_path / "a.csv").read_text().startswith("info_set,strategies\n")


@pytest.mark.peer
def test_parquet_tells_visits_and_which_strategy(cardiff: Blueprint, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    leduc = trained(tmp_path / "a", Scheme("external"), 300)
    export_arrow(leduc, tmp_path / "a.parquet", threshold=0.4)
    table = parquet.read_table(tmp_path / "a.parquet")
    shown = table.schema.metadata[b"riverboat.shown"].decode()
    assert shown == "as played: bets and folds rarer than 40 % left out"
    for row in table.to_pylist():
        node = leduc.tree.node(row["line"])
        assert row["visits"] == pytest.approx(leduc.visits(node, row["bucket"]))
        assert row["few_visits"] == (row["visits"] < 100)
        passive = row["action"] in {"k", "c"}  # never left out
        assert passive or row["probability"] == 0 or row["probability"] > 1 / 3 - 1e-6
    read = read_csv_saved(cardiff, tmp_path)
    export_arrow(read, tmp_path / "b.parquet")
    unknown = parquet.read_table(tmp_path / "b.parquet", columns=["visits", "few_visits"])
    assert unknown["visits"].null_count == unknown["few_visits"].null_count == len(unknown)


def read_csv_saved(blueprint: Blueprint, folder: Path) -> Blueprint:
    """The same strategy, through CSV."""
    write_csv(blueprint, folder / "through.csv")
    read_csv(folder / "through.csv", menu=MENU).save(folder / "through")
    return Blueprint.open(folder / "through")


def test_a_notebook_fades_by_reach_and_marks_few_visits(cardiff: Blueprint) -> None:
    start = decision_at(cardiff, 0)
    page = start._repr_html_()
    assert page.count("<td") == 169
    assert "as trained" in page
    assert page.count("class='few'") == int(start.class_few().sum()) > 0
    assert "fewer than 100 training visits" in page
    played = int((start.by_class() > 0).sum())
    assert page.count("/ 1.00)") == pytest.approx(played, abs=20)  # at the start nothing is faint
    assert "/ 0." not in page
    later = decision_at(cardiff, cardiff.tree.node("cb20"), threshold=0.3)
    assert later.class_emphasis().min() < later.class_emphasis().max() == 1
    assert "as played: bets and folds rarer than 30 % left out" in later._repr_html_()
    assert f"/ {later.class_emphasis().min():.2f})" in later._repr_html_()
