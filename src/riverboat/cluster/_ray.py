"""Ray, imported late, because most users have one machine and do not need it.

The module also lists a cluster's machines and versions, and measures its network.
"""

import importlib
import os
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec

from riverboat.cluster._far import Node, node_facts, put_bytes, seconds_to_get
from riverboat.errors import ClusterError, one_line
from riverboat.runs import num_cores

_ANSWER_SECONDS = 120.0
_PROBE_BYTES = 64 << 20
_CONNECTIONS = 4  # attempts at one
_PAUSE_SECONDS = 0.5  # between two of them
#: Messages for Ray's errors by class name; the name of a base class matches, too.
_SENTENCES = {
    "OutOfMemoryError": "a node ran out of memory and ended the job: give nodes more memory, "
    "or fewer cores to Ray",
    "ObjectStoreFullError": "the object store of a node is full: start Ray with a larger "
    "--object-store-memory, or free its disk for spilling",
    "OutOfDiskError": "the disk of a node is full: free its /tmp, or name another place with "
    "ray start --temp-dir",
    "ObjectLostError": "a result was lost with its node, and could not be computed again",
    "NodeDiedError": "a node ended, and no retries are left",
    "WorkerCrashedError": "a worker ended before its job: it crashed or ran out of memory",
    "ActorDiedError": "a worker ended, and no retries are left",
    "ActorUnavailableError": "a worker cannot be reached",
    "GetTimeoutError": "a node did not answer in time",
}


class Link(msgspec.Struct, frozen=True):
    """Bandwidth from one node to another."""

    source: str
    target: str
    bytes_per_second: float


def ray_module() -> Any:
    """Import Ray; the error says how to install it.

    Raises
    ------
    ClusterError
        If it is not installed.
    """
    # Messages of ending nodes would mix with our results on standard output.
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")
    # Under `uv run` Ray would send the working folder to the nodes and build Riverboat there.
    os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    # A busy machine is slow to start a node, of a test's cluster, too.
    os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise ClusterError(
            "Ray is not installed: run pip install 'riverboat[ray]', or use --on local"
        ) from error


def parse_address(on: str) -> str | None:
    """Parse the value of `--on`: None = this machine, otherwise Ray's address.

    Raises
    ------
    ClusterError
        If it is none of `local`, `ray` and `ray://host:port`.

    Examples
    --------
    >>> parse_address("local"), parse_address("ray"), parse_address("ray://head:10001")
    (None, '', 'ray://head:10001')
    """
    if on in ("local", "ray"):
        return None if on == "local" else ""
    scheme, _, rest = on.partition("://")
    host, _, port = rest.rpartition(":")
    if scheme == "ray" and host and port.isdecimal():
        return on
    raise ClusterError(f"--on must be local, ray or ray://host:port, not {on!r}")


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """Connect to a cluster while the block runs; yield Ray.

    Without an address it is this machine's cluster (`ray start`, or `RAY_ADDRESS`), or one that is
    started for the block. A program that has connected before stays connected.

    Raises
    ------
    ClusterError
        If there is no cluster.
    """
    ray = ray_module()
    if ray.is_initialized():
        yield ray
        return
    try:
        _connect(ray, address)
    except Exception as error:
        where = address or "this machine"
        raise ClusterError(
            f"cannot connect to a Ray cluster at {where}: {one_line(str(error))}"
        ) from error
    try:
        yield ray
    finally:
        ray.shutdown()


def _connect(ray: Any, address: str) -> None:
    """Connect, again if the server that Ray starts for each client died at once.

    Ray's proxy forks it while other threads call gRPC, which on a busy machine it may not survive.
    """
    quiet = {"log_to_driver": False, "logging_level": "ERROR", "namespace": "riverboat"}
    for left in reversed(range(_CONNECTIONS)):
        try:
            ray.init(address or None, **quiet)
        except ConnectionAbortedError:
            if not left:
                raise
            ray.shutdown()
            time.sleep(_PAUSE_SECONDS)
        else:
            return


def sentence_of(error: BaseException) -> str:
    """Return a message for an error of a cluster.

    Examples
    --------
    >>> sentence_of(ValueError("no such thing"))
    'the cluster failed: no such thing'
    """
    for kind in type(error).__mro__:
        if kind.__name__ in _SENTENCES:
            return _SENTENCES[kind.__name__]
    cause = getattr(error, "cause", None)
    return f"the cluster failed: {one_line(str(cause or error))}"


def cores_of(ray: Any) -> int:
    """Return the cores that a cluster gives to jobs; this machine's cores if unknown."""
    return int(ray.cluster_resources().get("CPU", 0)) or num_cores()


def nodes_of(ray: Any) -> list[Node]:
    """Describe every node of a cluster; a node that ends meanwhile is left out."""
    asked = {
        node["NodeID"]: _on(ray, node_facts, node).remote(
            node["NodeManagerAddress"], int(node["Resources"].get("CPU", 0))
        )
        for node in _alive(ray)
    }
    found = []
    for name, answer in asked.items():
        try:
            found += _results(ray, [answer])
        except ClusterError:
            if name in {node["NodeID"] for node in _alive(ray)}:
                raise
    return found


def bandwidths(ray: Any, size: int = _PROBE_BYTES) -> list[Link]:
    """Measure the bandwidth from each node to the next; empty for a single node."""
    nodes = _alive(ray)
    if len(nodes) < 2:
        return []
    links = []
    for source, target in zip([nodes[-1], *nodes[:-1]], nodes, strict=True):
        kept = _on(ray, put_bytes, source).remote(size)
        [inner] = _results(ray, [kept])
        [seconds] = _results(ray, [_on(ray, seconds_to_get, target).remote([inner])])
        links.append(Link(_name(source), _name(target), size / seconds))
    return links


def check_same(nodes: Sequence[Node]) -> None:
    """Refuse nodes with different versions, because results could differ.

    Raises
    ------
    ClusterError
        With what differs, and where.
    """
    if not any(node.cores for node in nodes):
        raise ClusterError("the cluster gives no cores to jobs: start its nodes with --num-cpus")
    for what in ("version", "python", "ray", "kernels"):
        found = defaultdict(list)
        for node in nodes:
            found[getattr(node, what)].append(f"{node.name} ({node.address})")
        if len(found) > 1:
            names = {"version": "Riverboat", "python": "Python", "ray": "Ray"}.get(what, what)
            each = "; ".join(f"{value} on {', '.join(where)}" for value, where in found.items())
            raise ClusterError(
                f"the nodes have several versions of {names}: {each}; "
                "install the same version everywhere"
            )


def _alive(ray: Any) -> list[dict[str, Any]]:
    return sorted(
        (node for node in ray.nodes() if node["Alive"]), key=lambda node: str(node["NodeID"])
    )


def _name(node: dict[str, Any]) -> str:
    return f"{node['NodeManagerHostname']} ({node['NodeManagerAddress']})"


def _on(ray: Any, function: Any, node: dict[str, Any]) -> Any:
    """Return a remote function that runs on one given node, also when the node is busy."""
    strategies = ray.util.scheduling_strategies
    there = strategies.NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
    return ray.remote(function).options(
        num_cpus=0, name=f"riverboat {function.__name__}", scheduling_strategy=there
    )


def _results(ray: Any, references: list[Any]) -> list[Any]:
    try:
        return list(ray.get(references, timeout=_ANSWER_SECONDS))
    except ray.exceptions.RayError as error:
        raise ClusterError(f"a node does not answer: {sentence_of(error)}") from error
