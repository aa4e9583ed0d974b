"""Who is in a cluster: machines, versions, and how fast they talk to each other."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import msgspec

from riverboat.cluster._far import Node, node_facts, put_bytes, seconds_to_get
from riverboat.cluster._ray import sentence_of
from riverboat.errors import ClusterError

_ANSWER_SECONDS = 120.0
_PROBE_BYTES = 64 << 20


class Link(msgspec.Struct, frozen=True):
    """How fast one node gets what another one has."""

    source: str
    target: str
    bytes_per_second: float


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
