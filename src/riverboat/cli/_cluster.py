"""`riverboat cluster`: what the machines of a Ray cluster are, and whether they go together."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Final

import msgspec
from rich.console import RenderableType
from rich.text import Text

from riverboat.cli._command import option
from riverboat.cli._output import Answer, grid
from riverboat.cluster import Link, Node, bandwidths, check_same, connected, nodes_of, parse_address
from riverboat.errors import ClusterError
from riverboat.report import size


def check_command(
    on: Annotated[str, option("ray or ray://host:port.")] = "ray",
) -> Answer:
    """Show the nodes of a cluster and how fast they talk; refuse nodes of several versions."""
    address = parse_address(on)
    if address is None:
        raise ClusterError("this machine is described by riverboat doctor; --on ray asks a cluster")
    with connected(address) as ray:
        nodes = nodes_of(ray)
        links = bandwidths(ray)
    check_same(nodes)
    values = {"nodes": msgspec.to_builtins(nodes), "links": msgspec.to_builtins(links)}
    return Answer(values, *_parts(nodes, links))


def _parts(nodes: Sequence[Node], links: Sequence[Link]) -> Iterator[RenderableType]:
    rows = [
        (
            node.name,
            node.address,
            f"{node.cores} of {node.machine_cores}",
            size(node.memory_bytes),
            ", ".join(node.gpus) or "-",
            f"{node.version}, Python {node.python}, Ray {node.ray}",
            node.kernels,
        )
        for node in nodes
    ]
    names = ["node", "address", "cores", "memory", "GPU", "versions", "kernels"]
    yield grid(names, rows, left=len(names))
    for link in links:
        speed = size(round(link.bytes_per_second))
        yield Text(f"{link.source} -> {link.target}: {speed}/s")
    yield f"{sum(node.cores for node in nodes)} cores on {len(nodes)} nodes"


COMMANDS: Final = {
    "check": check_command,
}
