"""What needs no cluster: addresses, sentences, nodes that do not go together, sums of changes."""

import errno
import os
import random
import sys
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from cli.typed import riverboat
from cluster.copies import trained_apart
from riverboat.cluster import (
    Node,
    Ranges,
    _far,
    _ray,
    _training,
    check_same,
    helpers,
    opened,
    parse_address,
    ray_module,
    slice_here,
)
from riverboat.errors import ClusterError, NodeError, SpotError
from riverboat.solve import Solver
from riverboat.training import load_recipe, prepare

RECIPE = load_recipe("leduc").changed({"scheme": "external linear", "threads": 1})
NODE = Node("one", "10.0.0.1", 4, 4, 2**33, (), "0.2.0", "3.12.1", "2.40.0", "x86-64-v3")


@pytest.mark.parametrize("on", ["", "Ray", "ray://", "ray://host", "ray://host:x", "http://h:1"])
def test_a_wrong_place_is_refused(on: str) -> None:
    with pytest.raises(ClusterError, match=r"--on must be local, ray or ray://host:port, not"):
        parse_address(on)


def test_without_ray_a_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ClusterError, match=r"pip install 'riverboat\[ray\]'"), opened("ray"):
        pass


def test_ray_does_not_build_us_on_each_node(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under `uv run` it would pack the working folder and start workers by `uv run`."""
    monkeypatch.delenv("RAY_ENABLE_UV_RUN_RUNTIME_ENV", raising=False)
    monkeypatch.setitem(sys.modules, "ray", ModuleType("ray"))
    ray_module()
    assert os.environ["RAY_ENABLE_UV_RUN_RUNTIME_ENV"] == "0"


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
    recipe = RECIPE.changed({"scheme": "public-chance cfr+"})
    setup = prepare(recipe)
    with (
        pytest.raises(ClusterError, match=r"regrets of cfr\+ are not sums"),
        helpers(None)(recipe, setup, setup.solver(recipe)),
    ):
        pass


@pytest.mark.parametrize(("count", "workers"), [(0, 1), (1, 1), (10, 3), (64, 64), (1000, 7)])
def test_even_shares_cover_all_once(count: int, workers: int) -> None:
    names = [f"{number:02}" for number in range(workers)]
    ranges = Ranges(0, count, dict.fromkeys(names, 1.0), even=True)
    taken = [found for name in names if (found := ranges.take(name)) is not None]
    assert [each for found in taken for each in range(*found)] == list(range(count))
    assert max((last - first for first, last in taken), default=0) <= -(-count // workers)


def test_one_worker_is_the_run_of_one_machine_but_for_rounding() -> None:
    solver = prepare(RECIPE).solver(RECIPE)
    solver.run_all(iterations=45_000)
    tables = trained_apart(RECIPE, 1, 15_000, 45_000)
    np.testing.assert_allclose(tables["average"], solver.average, rtol=1e-4, atol=1e-2)
    np.testing.assert_allclose(tables["regrets"], solver.regrets, rtol=1e-4, atol=1e-2)


@pytest.mark.parametrize("even", [False, True])
@pytest.mark.parametrize("count", [1, 2, 7, 1_000, 123_457])
def test_every_iteration_is_taken_once_and_in_order(count: int, even: bool) -> None:
    draws = random.Random(count)
    for workers in (1, 2, 5):
        names = [f"node {number}" for number in range(workers)]
        ranges = Ranges(40, 40 + count, {name: draws.uniform(1, 4) for name in names}, even=even)
        taken: dict[str, list[tuple[int, int]]] = {name: [] for name in names}
        busy = list(names)
        while busy:
            name = draws.choice(busy)
            if (found := ranges.take(name)) is None:
                busy.remove(name)
            else:
                taken[name].append(found)
        assert all(own == sorted(own) for own in taken.values())
        whole = sorted(found for own in taken.values() for found in own)
        assert [40, *(last for _, last in whole)] == [*(first for first, _ in whole), 40 + count]


def test_the_others_wait_little_for_a_worker_that_became_slow() -> None:
    """Two that are believed alike, one of them slow by 4: together they are worth 1.25."""
    ranges, seconds = Ranges(0, 100_000, {"one": 1.0, "slow": 1.0}), {"one": 1.0, "slow": 4.0}
    clocks = dict.fromkeys(seconds, 0.0)
    busy = set(seconds)
    while busy:
        name = min(busy, key=clocks.__getitem__)
        if (found := ranges.take(name)) is None:
            busy.remove(name)
        else:
            clocks[name] += seconds[name] * (found[1] - found[0])
    assert max(clocks.values()) < 1.15 * 100_000 / 1.25  # 200,000 if shares were fixed


@pytest.mark.parametrize("exchange", [0.001, 0.5, 7.0, 100.0])
def test_slow_exchanges_make_slices_longer_and_never_shorter(exchange: float) -> None:
    lengths = [_training.slice_length(exchange, 2.0**number) for number in range(12)]
    assert lengths == sorted(lengths)
    assert lengths[0] == 0.5
    assert lengths[-1] == pytest.approx(min(30.0, max(0.5, 19 * exchange)))


def test_walks_of_ranges_are_those_of_a_whole() -> None:
    """Without a discount, and with regrets that never change, averages count the walks."""
    recipe = RECIPE.changed({"scheme": "external cfr"})
    setup = prepare(recipe)
    whole, *parts = (setup.solver(recipe) for _ in range(3))
    whole.run_all(iterations=1)
    tables = slice_here(parts, _empty(whole), 0, 2, [0.5, 0.5])
    np.testing.assert_array_equal(parts[0].average, whole.average)
    assert parts[0].nodes == whole.nodes
    assert parts[1].average.sum() > 0
    np.testing.assert_array_equal(tables["average"], parts[0].average + parts[1].average)


def _empty(solver: Solver) -> dict[str, Any]:
    """A solver's tables before its first iteration."""
    return {name: np.zeros_like(table) for name, table in solver.state().arrays.items()}


def test_a_full_disk_is_the_trouble_of_one_node() -> None:
    full, given = OSError(errno.ENOSPC, "No space left on device", "table"), _far.stamp()
    with (
        pytest.raises(NodeError, match=r": No space left on device: table"),
        _far.fit(given),
    ):
        raise SpotError("it cannot be written") from full
    with pytest.raises(SpotError, match="no such spot"), _far.fit(given):
        raise SpotError("no such spot")
    with (
        pytest.raises(NodeError, match=r"the machine that sent the job has Riverboat 0\.1"),
        _far.fit("Riverboat 0.1"),
    ):
        pass


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
    assert "--on must be local, ray or ray://host:port, not 'nowhere'" in refused.stderr
    assert list(tmp_path.iterdir()) == []


def test_one_spot_stays_here(tmp_path: Path) -> None:
    spot = ("--board", "2s3h4d6c7c", "--pot", "20", "--stack", "10", "--oop", "AA", "--ip", "KK")
    words = ("solve", *spot, "--menu", "a", "--on", "ray", "-o", str(tmp_path / "one"))
    assert "--on needs --flops" in riverboat(*words, code=2).stderr


@pytest.mark.parametrize(("failures", "attempts"), [(0, 1), (3, 4), (9, 4)])
def test_a_server_of_ray_that_dies_at_once_is_started_again(
    monkeypatch: pytest.MonkeyPatch, failures: int, attempts: int
) -> None:
    """Ray's proxy forks one for each client; in 1 of about 20 runs on a busy machine it died."""
    ray, tried = ModuleType("ray"), list[object]()

    def init(address: str, **_: object) -> None:
        tried.append(address)
        if len(tried) <= failures:
            raise ConnectionAbortedError("Starting Ray client server failed.")

    vars(ray).update(init=init, is_initialized=bool, shutdown=bool)
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.setattr(_ray, "_PAUSE_SECONDS", 0)
    refused = failures >= attempts
    with (
        pytest.raises(ClusterError, match="Ray client server failed") if refused else nullcontext(),
        _ray.connected("ray://host:1"),
    ):
        pass
    assert tried == ["ray://host:1"] * attempts
