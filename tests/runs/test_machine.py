"""How many cores may be used: by affinity, and by the limits of control groups."""

import os
from pathlib import Path

import pytest

from riverboat.runs import _machine as machine
from riverboat.runs import num_cores


@pytest.fixture
def groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Pretend to be on a machine of eight cores, in groups of our own."""
    monkeypatch.setattr(machine, "_GROUPS", tmp_path / "groups")
    monkeypatch.setattr(machine, "_OWN_GROUPS", tmp_path / "own")
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    monkeypatch.setattr(os, "process_cpu_count", lambda: 8, raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    return tmp_path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_without_groups_affinity_counts(groups: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert num_cores() == 8
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {1, 5}, raising=False)
    assert num_cores() == 2
    monkeypatch.setattr(os, "process_cpu_count", lambda: 1, raising=False)
    assert num_cores() == 1
    assert not (groups / "own").exists()


@pytest.mark.parametrize(
    ("limit", "cores"),
    [("max 100000", 8), ("400000 100000", 4), ("250000 100000", 3), ("1000 100000", 1), ("", 8)],
)
def test_version_2(groups: Path, limit: str, cores: int) -> None:
    write(groups / "own", "0::/a/b\n")
    write(groups / "groups/a/b/cpu.max", limit + "\n")
    assert num_cores() == cores


def test_a_group_is_bound_by_those_it_is_in(groups: Path) -> None:
    write(groups / "own", "0::/a/b\n")
    write(groups / "groups/a/b/cpu.max", "600000 100000\n")
    write(groups / "groups/a/cpu.max", "200000 100000\n")
    assert num_cores() == 2


def test_a_container_sees_its_limit_at_the_root(groups: Path) -> None:
    write(groups / "own", "0::/docker/of/the/host\n")
    write(groups / "groups/cpu.max", "300000 100000\n")
    assert num_cores() == 3


def test_version_1(groups: Path) -> None:
    write(groups / "own", "5:memory:/x\n4:cpu,cpuacct:/y\n0::/\n")
    write(groups / "groups/cpu/y/cpu.cfs_quota_us", "-1\n")
    write(groups / "groups/cpu/y/cpu.cfs_period_us", "100000\n")
    assert num_cores() == 8
    write(groups / "groups/cpu/y/cpu.cfs_quota_us", "50000\n")
    assert num_cores() == 1
