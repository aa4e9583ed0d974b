"""Ray, imported late: most people have one machine and no need of it.

And who is in a cluster: machines, versions, and how fast they talk to each other.
"""

import importlib
import os
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
#: Errors of Ray by the name of their class, as sentences; those of a base class count too.
_SENTENCES = {
    "OutOfMemoryError": "a node's memory ran out, and the job was ended: give nodes more memory, "
    "or fewer cores to Ray",
    "ObjectStoreFullError": "the object store of a node is full: start Ray with a larger "
    "--object-store-memory, or free its disk for spilling",
    "OutOfDiskError": "the disk of a node is full: free its /tmp, or name another place with "
    "ray start --temp-dir",
    "ObjectLostError": "a result was lost with its node, and could not be made again",
    "NodeDiedError": "a node ended, and the job's tries are used up",
    "WorkerCrashedError": "a worker ended before its job: it crashed, or memory ran out",
    "ActorDiedError": "a worker ended, and its tries are used up",
    "ActorUnavailableError": "a worker cannot be reached",
    "GetTimeoutError": "a node did not answer in time",
}


class Link(msgspec.Struct, frozen=True):
    """How fast one node gets what another one has."""

    source: str
    target: str
    bytes_per_second: float


def ray_module() -> Any:
    """Return Ray, or refuse with how to get it.

    Raises
    ------
    ClusterError
        If it is not installed.
    """
    # What nodes have to say when they end would stand among our results on standard output.
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")
    # Under `uv run` Ray would send the whole working folder to the nodes, and build us there.
    os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise ClusterError(
            "Ray is not installed: pip install 'riverboat[ray]', or take --on local"
        ) from error


def parse_address(on: str) -> str | None:
    """Read what follows `--on`: None = this machine, else what Ray calls an address.

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
    raise ClusterError(f"--on is local, ray or ray://host:port, not {on!r}")


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """Connect to a cluster while the block runs; yield Ray.

    Without an address it is the one that runs here (`ray start`, or `RAY_ADDRESS`), or one that is
    started for the time being. A program that has connected before stays so.

    Raises
    ------
    ClusterError
        If there is none, or it has other versions.
    """
    ray = ray_module()
    if ray.is_initialized():
        yield ray
        return
    os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")  # a busy machine is slow to start
    quiet = {"log_to_driver": False, "logging_level": "ERROR", "namespace": "riverboat"}
    try:
        ray.init(address or None, **quiet)
    except Exception as error:
        where = address or "this machine"
        raise ClusterError(
            f"there is no Ray cluster to be had at {where}: {one_line(str(error))}"
        ) from error
    try:
        yield ray
    finally:
        ray.shutdown()


def sentence_of(error: BaseException) -> str:
    """Say what went wrong with a cluster.

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
    """Return the cores that a cluster gives to jobs; those of this machine if it does not say."""
    return int(ray.cluster_resources().get("CPU", 0)) or num_cores()


def nodes_of(ray: Any) -> list[Node]:
    """Ask every node of a cluster what it is; one that ends meanwhile is left out."""
    asked = {
        node["NodeID"]: _on(ray, node_facts, node).remote(
            node["NodeManagerAddress"], int(node["Resources"].get("CPU", 0))
        )
        for node in _alive(ray)
    }
    found = []
    for name, answer in asked.items():
        try:
            found += _got(ray, [answer])
        except ClusterError:
            if name in {node["NodeID"] for node in _alive(ray)}:
                raise
    return found


def bandwidths(ray: Any, size: int = _PROBE_BYTES) -> list[Link]:
    """Measure how fast each node gets bytes from the one before it; none of one node alone."""
    nodes = _alive(ray)
    if len(nodes) < 2:
        return []
    links = []
    for source, target in zip([nodes[-1], *nodes[:-1]], nodes, strict=True):
        kept = _on(ray, put_bytes, source).remote(size)
        [inner] = _got(ray, [kept])
        [seconds] = _got(ray, [_on(ray, seconds_to_get, target).remote([inner])])
        links.append(Link(_name(source), _name(target), size / seconds))
    return links


def check_same(nodes: Sequence[Node]) -> None:
    """Refuse nodes of several versions: results would not be those of one machine.

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
                f"the nodes have several versions of {names}: {each}; install one everywhere"
            )


def _alive(ray: Any) -> list[dict[str, Any]]:
    return sorted(
        (node for node in ray.nodes() if node["Alive"]), key=lambda node: str(node["NodeID"])
    )


def _name(node: dict[str, Any]) -> str:
    return f"{node['NodeManagerHostname']} ({node['NodeManagerAddress']})"


def _on(ray: Any, function: Any, node: dict[str, Any]) -> Any:
    """A function that runs on one node, whatever else it does."""
    strategies = ray.util.scheduling_strategies
    there = strategies.NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
    return ray.remote(function).options(
        num_cpus=0, name=f"riverboat {function.__name__}", scheduling_strategy=there
    )


def _got(ray: Any, asked: list[Any]) -> list[Any]:
    try:
        return list(ray.get(asked, timeout=_ANSWER_SECONDS))
    except ray.exceptions.RayError as error:
        raise ClusterError(f"a node does not answer: {sentence_of(error)}") from error
