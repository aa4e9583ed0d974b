"""A cluster elsewhere, by Ray's client: `--on ray://host:port`, in processes of their own."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from cli.typed import riverboat
from cluster.conftest import ON_RAY
from cluster.copies import without_time

pytestmark = ON_RAY


def by_client(cluster: Any, *words: str) -> Any:
    """Run a command through the client; return what it printed as JSON."""
    on = f"ray://127.0.0.1:{cluster.client_port}"
    command = [sys.executable, "-m", "riverboat", *words, "--on", on, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_nodes_by_the_client(cluster: Any) -> None:
    found = by_client(cluster, "cluster", "check")
    assert sorted(node["cores"] for node in found["nodes"]) == [0, 1, 1]
    assert len(found["links"]) == 3


def test_a_match_by_the_client(cluster: Any) -> None:
    words = ("match", "checkcall", "random", "--game", "leduc", "--hands", "8000", "--seed", "5")
    here = json.loads(riverboat(*words, "--no-ledger", "--json").stdout)
    there = by_client(cluster, *words, "--no-ledger")
    assert without_time(there) == without_time(here)


def test_a_training_by_the_client(cluster: Any, tmp_path: Path) -> None:
    words = ("train", "leduc", "--scheme", "external linear", "--iterations", "200000")
    found = by_client(cluster, *words, "--bound-every", "0", "-o", str(tmp_path / "one"))
    assert (found["event"], found["iterations"]) == ("finished", 200_000)
    assert found["measured"] is None
