"""What needs no cluster: addresses, sentences, nodes that do not go together, sums of changes."""

import sys
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from cli.typed import riverboat
from cluster.copies import trained_apart
from riverboat.cluster import Node, check_divisible, check_same, cuts, opened, parse_address
from riverboat.errors import ClusterError, SolveError
from riverboat.solve import Scheme
from riverboat.training import load_recipe, prepare

RECIPE = load_recipe("leduc").changed({"scheme": "external linear", "threads": 1})
NODE = Node("one", "10.0.0.1", 4, 4, 2**33, (), "0.2.0", "3.12.1", "2.40.0", "x86-64-v3")


@pytest.mark.parametrize("on", ["", "Ray", "ray://", "ray://host", "ray://host:x", "http://h:1"])
def test_a_wrong_place_is_refused(on: str) -> None:
    with pytest.raises(ClusterError, match=r"--on is local, ray or ray://host:port, not"):
        parse_address(on)


def test_without_ray_a_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ClusterError, match=r"pip install 'riverboat\[ray\]'"), opened("ray"):
        pass


def test_nodes_of_several_versions_are_refused() -> None:
    check_same([NODE, replace(NODE, name="two", cores=0)])
    other = replace(NODE, name="two", address="10.0.0.2", version="0.1.0")
    with pytest.raises(
        ClusterError,
        match=r"of Riverboat: 0.2.0 on one \(10.0.0.1\); 0.1.0 on two \(10.0.0.2\)",
    ):
        check_same([NODE, other])
    with pytest.raises(ClusterError, match="several versions of kernels"):
        check_same([NODE, replace(NODE, kernels="baseline")])
    with pytest.raises(ClusterError, match="gives no cores"):
        check_same([replace(NODE, cores=0)])


def test_rules_that_cannot_be_added_up_are_refused() -> None:
    check_divisible(Scheme("public-chance", "dcfr"))
    with pytest.raises(ClusterError, match=r"regrets of cfr\+ are no sums"):
        check_divisible(Scheme("public-chance", "cfr+"))


def test_cuts_cover_all_once() -> None:
    for entries, parts in ((0, 1), (1, 1), (10, 3), (64, 64), (1000, 7)):
        found = np.concatenate([np.arange(entries)[cut] for cut in cuts(entries, parts)])
        assert found.tolist() == list(range(entries))


def test_one_worker_is_the_run_of_one_machine_but_for_rounding() -> None:
    solver = prepare(RECIPE).solver(RECIPE)
    solver.run_all(iterations=45_000)
    tables = trained_apart(RECIPE, 1, 15_000, 45_000)
    np.testing.assert_allclose(tables["average"], solver.average, rtol=1e-4, atol=1e-2)
    np.testing.assert_allclose(tables["regrets"], solver.regrets, rtol=1e-4, atol=1e-2)


def test_shares_walk_every_iteration_once() -> None:
    """Without a discount, and with regrets that never change, averages count the walks."""
    recipe = RECIPE.changed({"scheme": "external cfr"})
    setup = prepare(recipe)
    whole, *parts = (setup.solver(recipe) for _ in range(4))
    whole.run_all(iterations=1)
    shares = [(0.0, 0.25), (0.25, 0.7), (0.7, 1.0)]
    for solver, share in zip(parts, shares, strict=True):
        solver.take_share(*share)
        solver.run_all(iterations=1)
    np.testing.assert_array_equal(sum(each.average for each in parts), whole.average)
    assert sum(each.nodes for each in parts) == whole.nodes


def test_a_wrong_share_is_refused() -> None:
    solver = prepare(RECIPE).solver(RECIPE)
    with pytest.raises(SolveError, match=r"from 0 up to 1, not from 0.5 to 0.2"):
        solver.take_share(0.5, 0.2)
    full = RECIPE.changed({"scheme": "full cfr"})
    with pytest.raises(SolveError, match="full sampling has no share"):
        prepare(full).solver(full).take_share(0.0, 0.5)


@pytest.mark.parametrize(
    "command",
    [
        ("match", "fish", "random", "--no-ledger", "--hands", "2"),
        ("tournament", "fish", "random", "--no-ledger", "--hands", "2"),
        ("sweep", "shark", "--param", "low=0.1", "--against", "fish", "--no-ledger"),
        ("reproduce", "cardiff", "--quick"),
        ("train", "kuhn"),
        ("cluster", "check"),
    ],
)
def test_every_command_asks_where(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = riverboat(*command, "--on", "nowhere", code=2)
    assert "--on is local, ray or ray://host:port, not 'nowhere'" in refused.stderr
    assert list(tmp_path.iterdir()) == []


def test_one_spot_stays_here(tmp_path: Path) -> None:
    spot = ("--board", "2s3h4d6c7c", "--pot", "20", "--stack", "10", "--oop", "AA", "--ip", "KK")
    words = ("solve", *spot, "--menu", "a", "--on", "ray", "-o", str(tmp_path / "one"))
    assert "--on is for the many of --flops" in riverboat(*words, code=2).stderr
