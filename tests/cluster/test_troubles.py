"""Nodes that are slow, full, or of another make: a sentence, and others do the work."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cluster.chaos import process_of, slowed
from cluster.conftest import ON_RAY, grown
from riverboat.cluster import Sliced, check_same, helpers, nodes_of, opened
from riverboat.errors import ClusterError, NodeError
from riverboat.runs import run_jobs
from riverboat.training import load_recipe, train
from runs.jobs import whose, write_in_cache

pytestmark = ON_RAY
RECIPE = load_recipe("leduc").changed(
    {"scheme": "external linear", "threads": 1, "budget": {"iterations": 400_000, "seconds": None}}
)


@contextmanager
def joined(cluster: Any, **settings: Any) -> Iterator[Any]:
    """Have another node while the block runs."""
    node = grown(cluster, **settings)
    try:
        yield node
    finally:
        cluster.remove_node(node, allow_graceful=False)


@contextmanager
def full_folder(path: Path) -> Iterator[Path]:
    """A file system of its own on which no file can be made."""
    path.mkdir()
    tiny = ["mount", "-t", "tmpfs", "-o", "size=16k,nr_inodes=1", "tmpfs", str(path)]
    if subprocess.run(tiny, capture_output=True, check=False).returncode:
        pytest.skip("only root can make a small file system")
    try:
        yield path
    finally:
        subprocess.run(["umount", str(path)], check=True)  # noqa: S607 - wherever it is


def shares_of(folder: Path) -> Counter[str]:
    """Train on the cluster; return how many iterations each node walked, but for the first ones."""
    import ray  # noqa: PLC0415 - most tests need none

    walked: Counter[str] = Counter()

    def told(kernel: Sliced) -> None:
        walked.update({name: each.iterations for name, each in kernel.walked.items()})

    *_, last = train(RECIPE, folder / "one", helped=helpers(ray, told=told), plot=False)
    assert last.iterations == sum(walked.values()) == 400_000
    return walked


def test_a_slow_node_gets_less_to_do(cluster: Any, tmp_path: Path) -> None:
    slow = next(iter(cluster.worker_nodes))
    with slowed(slow):
        with opened("ray"):
            done = Counter(parent for _, parent in run_jobs(whose, range(60), retries=1))
        walked = shares_of(tmp_path)
    assert sum(done.values()) == 60
    assert 0 < done[process_of(slow)] < 24
    assert 0 < walked[slow.node_id] < 0.4 * 400_000


def test_a_node_whose_disk_is_full_is_left_out(cluster: Any, tmp_path: Path) -> None:
    with (
        full_folder(tmp_path / "full") as folder,
        joined(cluster, env_vars={"RIVERBOAT_CACHE": str(folder)}) as full,
    ):
        with opened("ray") as place:
            assert place is not None
            jobs = list(run_jobs(write_in_cache, range(30), retries=1))
            assert list(place.left_out) == [full.node_id]
            assert "No space left on device" in place.left_out[full.node_id]
        with opened("ray"), pytest.raises(NodeError, match="No space left on device"):
            list(run_jobs(write_in_cache, range(30)))  # which may not be tried again
        assert process_of(full) not in {parent for _, parent in jobs}
    assert [job for job, _ in jobs] == list(range(30))


def test_a_node_of_another_make_is_refused_or_left_out(cluster: Any, tmp_path: Path) -> None:
    import ray  # noqa: PLC0415 - most tests need none

    if nodes_of(ray)[0].kernels == "baseline":
        pytest.skip("this processor has but one build of the kernels")
    with opened("ray") as place, joined(cluster, env_vars={"RIVERBOAT_ISA": "baseline"}) as other:
        assert place is not None
        with pytest.raises(ClusterError, match=r"several versions of kernels: .*baseline"):
            check_same(nodes_of(ray))
        found = {parent for _, parent in run_jobs(whose, range(30), retries=1)}
        *_, last = train(RECIPE, tmp_path / "one", helped=place.helpers(), plot=False)
        assert process_of(other) not in found
        assert last.iterations == 400_000
        assert list(place.left_out) == [other.node_id]
        trouble = place.left_out[other.node_id]
        assert "kernels baseline, and the machine that sent the job has" in trouble


@pytest.mark.parametrize(
    ("threshold", "says"), [("0.999", "84934656"), ("0.0001", "the disk of a node is full")]
)
def test_results_that_are_larger_than_the_store(threshold: str, says: str) -> None:
    script = Path(__file__).parent / "full_store.py"
    paths = {**os.environ, "PYTHONPATH": str(script.parents[1])}
    command = [sys.executable, str(script), threshold]
    done = subprocess.run(
        command, capture_output=True, text=True, env=paths, timeout=300, check=False
    )
    assert says in done.stdout, done.stderr
