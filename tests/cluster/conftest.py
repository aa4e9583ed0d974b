"""A Ray cluster of two nodes with a core each, on this machine, for tests marked `cluster`."""

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from riverboat.cluster import ray_module
from riverboat.errors import ClusterError

STORE_BYTES = 200 << 20
#: Marks of tests that use the cluster.
ON_RAY = [
    pytest.mark.cluster,
    # Ray leaves some of its own processes and files to the collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def patiently(start: Callable[[], Any]) -> Any:
    """Start something of Ray, which gives a node 30 seconds: too few on a busy machine."""
    for left in (2, 1, 0):
        try:
            return start()
        except Exception as error:
            if not left or "timed out during startup" not in str(error):
                raise
    return None


def grown(cluster: Any, **settings: Any) -> Any:
    """Add a node of one core."""
    wanted = {"num_cpus": 1, "object_store_memory": STORE_BYTES, **settings}
    return patiently(lambda: cluster.add_node(**wanted))


def free_port() -> int:
    """Return a port of this machine that nobody listens at."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@pytest.fixture(scope="session")
def cluster() -> Iterator[Any]:
    """Start a head without cores, and two nodes; connect to them."""
    try:
        ray = ray_module()
    except ClusterError as missing:
        pytest.skip(str(missing))
    utils = pytest.importorskip("ray.cluster_utils")
    port = free_port()
    head = {
        "num_cpus": 0,
        "object_store_memory": STORE_BYTES,
        "include_dashboard": False,
        "ray_client_server_port": port,
    }
    paths = (str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", ""))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))  # nodes import jobs of tests
    made = patiently(lambda: utils.Cluster(initialize_head=True, head_node_args=head))
    made.client_port = port
    try:
        for _ in range(2):
            grown(made)
        ray.init(made.address, log_to_driver=False, namespace="riverboat")
        yield made
    finally:
        ray.shutdown()
        made.shutdown()
