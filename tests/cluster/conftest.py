"""A Ray cluster of two nodes with a core each, on this machine, for tests marked `cluster`."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

STORE_BYTES = 200 << 20


def grown(cluster: Any, cores: int = 1) -> Any:
    """Add a node."""
    return cluster.add_node(num_cpus=cores, object_store_memory=STORE_BYTES)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Any]:
    """Start a head without cores, and two nodes; connect to them."""
    ray = pytest.importorskip("ray")
    utils = pytest.importorskip("ray.cluster_utils")
    head = {"num_cpus": 0, "object_store_memory": STORE_BYTES, "include_dashboard": False}
    paths = (str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", ""))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))  # nodes import jobs of tests
    made = utils.Cluster(initialize_head=True, head_node_args=head)
    try:
        for _ in range(2):
            grown(made)
        ray.init(made.address, log_to_driver=False, namespace="riverboat")
        yield made
    finally:
        ray.shutdown()
        made.shutdown()
