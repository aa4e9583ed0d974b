"""Kills of workers, nodes and drivers while commands run on a cluster of this machine."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from cluster.conftest import grown

__all__ = ["Chaos", "process_of", "slowed", "workers_of"]

_OURS = ("ray::session", "ray::spot", "ray::Walker")
_MOST_SECONDS = 1800.0
_JOIN_SECONDS = 1.0  # until another node takes the place of one that is gone


def process_of(node: Any) -> int:
    """Return the process of a node, which starts those of its workers."""
    return int(node.all_processes["raylet"][0].process.pid)


def workers_of(*nodes: Any, named: tuple[str, ...] = _OURS) -> list[int]:
    """Return the processes in which nodes do our jobs."""
    parents = {process_of(node) for node in nodes}
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            name = (place / "cmdline").read_bytes().split(b"\0")[0].decode(errors="replace")
            parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):  # it ended meanwhile
            continue
        if parent in parents and name.startswith(named):
            found.append(int(place.name))
    return found


@contextmanager
def slowed(node: Any) -> Iterator[None]:
    """Let the workers of a node run a quarter of the time while the block runs."""
    over = threading.Event()

    def go() -> None:
        while not over.is_set():
            held = workers_of(node, named=("ray::",))
            for number, pause in ((signal.SIGSTOP, 0.15), (signal.SIGCONT, 0.05)):
                for process in held:
                    with suppress(ProcessLookupError):
                        os.kill(process, number)
                over.wait(pause)
        for process in held:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)

    thread = threading.Thread(target=go)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


class Chaos:
    """Kills, by chance, but so that each kind has its turn.

    Parameters
    ----------
    cluster
        Of Ray's own utility; a node that is killed is replaced.
    seed
        Of who is killed, and when.
    """

    def __init__(self, cluster: Any, seed: int) -> None:
        self.kills: Counter[str] = Counter()
        self._cluster = cluster
        self._random = random.Random(seed)

    def run(self, command: Sequence[str], kept: Path, kills: int) -> str:
        """Run a command of Riverboat to its end, so often killed; return what it printed.

        Parameters
        ----------
        command
            As typed, without `--on`.
        kept
            Where there is something to resume once this exists: before, the driver is spared.
        kills
            At most; a command that ends sooner has fewer.
        """
        until = sum(self.kills.values()) + kills
        end = time.monotonic() + _MOST_SECONDS
        resume: tuple[str, ...] = ()
        while True:
            assert time.monotonic() < end
            killed, code, text = self._drive((*command, *resume), kept, until)
            if not killed:
                assert code == 0, text
                return text
            resume = ("--resume",)

    def _drive(self, command: Sequence[str], kept: Path, until: int) -> tuple[bool, int, str]:
        """Run a driver; return whether it was killed, its exit status and what it printed."""
        words = [sys.executable, "-m", "riverboat", *command, "--on", "ray"]
        place = {**os.environ, "RAY_ADDRESS": self._cluster.address}
        pipe = subprocess.PIPE
        with subprocess.Popen(words, stdout=pipe, stderr=pipe, text=True, env=place) as driver:
            killed = False
            while driver.poll() is None and not killed and sum(self.kills.values()) < until:
                time.sleep(self._random.uniform(0.5, 3.0))
                killed = self._kill(driver, kept) == "driver"
            out, err = driver.communicate()
        return killed, driver.returncode, err if driver.returncode else out

    def _kill(self, driver: "subprocess.Popen[str]", kept: Path) -> str:
        """Kill somebody, of the kind that had its turn least; nobody before work is under way."""
        workers = workers_of(*self._cluster.worker_nodes)
        kinds = ["worker", "node", "driver"] if kept.exists() else ["worker", "node"]
        kind = min(kinds, key=lambda kind: (self.kills[kind], self._random.random()))
        if not workers or driver.poll() is not None:
            return ""
        if kind == "driver":
            driver.kill()
        elif kind == "worker":
            os.kill(self._random.choice(workers), signal.SIGKILL)
        else:
            victim = self._random.choice(sorted(self._cluster.worker_nodes, key=id))
            self._cluster.remove_node(victim, allow_graceful=False)
            time.sleep(_JOIN_SECONDS)
            grown(self._cluster)
        self.kills[kind] += 1
        return kind
