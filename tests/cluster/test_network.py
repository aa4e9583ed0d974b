"""Two machines with an address each, as two network namespaces, and a cable that is cut."""

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from cli.typed import riverboat
from cluster.conftest import ON_RAY, STORE_BYTES
from cluster.copies import without_time

pytestmark = [*ON_RAY, pytest.mark.slow]

HERE, THERE = "10.77.0.1", "10.77.0.2"
ADDRESS = f"{HERE}:6399"
#: A node that is silent for some seconds is given up: by default it takes Ray half a minute.
SOON = {"RAY_health_check_period_ms": "1000", "RAY_health_check_failure_threshold": "5"}
#: Nodes of other machines must know the cluster's token.
TOKEN = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(16)}
MATCH = ("match", "checkcall", "random", "--game", "leduc", "--seed", "5", "--no-ledger", "--json")


def ip(*words: str) -> str:
    """Run the command ip; return what it printed."""
    command = ["ip", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Machine:
    """A network namespace, and the end of a cable of the same name."""

    def __init__(self, name: str, address: str) -> None:
        self.name, self.address = name, address
        ip("netns", "add", name)
        ip("link", "set", name, "netns", name)
        ip("-n", name, "address", "add", f"{address}/24", "dev", name)
        for each in ("lo", name):
            ip("-n", name, "link", "set", each, "up")

    def start(self, *words: str, **more: str) -> subprocess.Popen[str]:
        """Start a module there."""
        command = ["ip", "netns", "exec", self.name, sys.executable, "-m", *words]
        return subprocess.Popen(
            command, env={**os.environ, **TOKEN, **more},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def riverboat(self, *words: str) -> subprocess.Popen[str]:
        """Start a command of ours there, for all nodes."""
        return self.start("riverboat", *words, "--on", "ray", RAY_ADDRESS=ADDRESS)

    def join(self, *words: str) -> None:
        """Start a node of Ray with a core."""
        common = ("--num-cpus=1", f"--object-store-memory={STORE_BYTES}")
        place = f"--node-ip-address={self.address}"
        ray = self.start("ray.scripts.scripts", "start", place, *common, *words, **SOON)
        out, err = ray.communicate()
        assert "Ray runtime started" in out + err, out + err

    def works(self) -> bool:
        """Whether a session of a match is played there."""
        names = []
        for process in ip("netns", "pids", self.name).split():
            with suppress(OSError):  # it ended meanwhile
                names.append(Path("/proc", process, "cmdline").read_bytes())
        return any(name.startswith(b"ray::session") for name in names)

    def cut(self) -> None:
        """Cut the cable."""
        ip("-n", self.name, "link", "set", self.name, "down")

    def close(self) -> None:
        """Kill all that runs there."""
        for process in ip("netns", "pids", self.name).split():
            with suppress(ProcessLookupError):
                os.kill(int(process), signal.SIGKILL)
        ip("netns", "delete", self.name)


@pytest.fixture
def machines() -> Iterator[tuple[Machine, Machine]]:
    pytest.importorskip("ray")
    if os.geteuid() or shutil.which("ip") is None:
        pytest.skip("network namespaces need root and the command ip")
    number = os.getpid()
    cables = f"rb{number}a", f"rb{number}b"
    with ExitStack() as stack:
        ip("link", "add", cables[0], "type", "veth", "peer", "name", cables[1])
        pair = []
        for name, address in zip(cables, (HERE, THERE), strict=True):
            pair.append(Machine(name, address))
            stack.callback(pair[-1].close)
        folder = stack.enter_context(TemporaryDirectory())  # names of sockets must be short
        pair[0].join("--head", "--port=6399", "--include-dashboard=false", f"--temp-dir={folder}")
        pair[1].join(f"--address={ADDRESS}")
        yield pair[0], pair[1]


def told(driver: subprocess.Popen[str]) -> Any:
    out, err = driver.communicate(timeout=600)
    assert driver.returncode == 0, err
    return json.loads(out)


def nodes_from(machine: Machine, count: int) -> list[dict[str, Any]]:
    """Ask until so many nodes are there."""
    end = time.monotonic() + 120
    while True:
        driver = machine.riverboat("cluster", "check", "--json")
        out, err = driver.communicate(timeout=120)
        found = json.loads(out)["nodes"] if driver.returncode == 0 else []
        if len(found) == count:
            return list(found)
        assert time.monotonic() < end, err


def test_two_machines_and_a_cut_cable(machines: tuple[Machine, Machine]) -> None:
    here, there = machines
    found = nodes_from(here, 2)
    assert {node["address"] for node in found} == {HERE, THERE}
    few, many = (*MATCH, "--hands", "8000"), (*MATCH, "--hands", "400000")
    alone = json.loads(riverboat(*few).stdout)
    assert without_time(told(here.riverboat(*few))) == without_time(alone)
    alone = json.loads(riverboat(*many).stdout)
    driver = here.riverboat(*many)
    while not there.works():
        assert driver.poll() is None
        time.sleep(0.1)
    there.cut()
    assert without_time(told(driver)) == without_time(alone)
    assert [node["address"] for node in nodes_from(here, 1)] == [HERE]
