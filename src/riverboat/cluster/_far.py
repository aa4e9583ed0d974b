"""What runs on the nodes of a cluster: jobs, and questions about the node."""

import importlib
import os
import platform
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from typing import Any

import msgspec

from riverboat import __version__
from riverboat.cards import kernels
from riverboat.errors import ClusterError, GpuError
from riverboat.work import as_worker, attempt, available_memory, num_cores

__all__ = ["Call", "Node", "do", "node_facts", "stamp"]


class Node(msgspec.Struct, frozen=True):
    """One machine of a cluster."""

    name: str
    address: str
    cores: int
    """That Ray gives to jobs; the machine may have more."""
    machine_cores: int
    memory_bytes: int
    """That can still be used."""
    gpus: tuple[str, ...]
    version: str
    python: str
    ray: str
    kernels: str
    """Which build of the core the processor takes."""


class Call(msgspec.Struct, frozen=True):
    """What every job of a task has in common."""

    stamp: str
    """Of who gives it: see `stamp`."""
    module: str
    function: str
    folder: str
    """Where relative paths begin."""


def stamp() -> str:
    """Return what must be the same everywhere, or results would not be those of one machine.

    Examples
    --------
    >>> stamp().startswith(f"Riverboat {__version__}, Python 3.")
    True
    """
    python = ".".join(platform.python_version_tuple()[:2])
    return f"Riverboat {__version__}, Python {python}, kernels {kernels()}"


def do(call: Call, job: object) -> tuple[Any, Exception | None]:
    """Do a job of another machine; return its result or what went wrong."""
    as_worker()
    if call.stamp != stamp():
        return None, ClusterError(
            f"{socket.gethostname()} has {stamp()}, and whoever gave the job has {call.stamp}: "
            "install the same everywhere"
        )
    with suppress(OSError):  # where no path is relative, the folder is not needed
        os.chdir(call.folder)
    function, failure = attempt(_found, call)
    return attempt(function, job) if failure is None else (None, failure)


def _found(call: Call) -> Callable[[Any], Any]:
    try:
        found: Callable[[Any], Any] = getattr(importlib.import_module(call.module), call.function)
    except (ImportError, AttributeError) as error:
        raise ClusterError(
            f"{socket.gethostname()} has no {call.module}.{call.function} ({error}): install the "
            "same packages everywhere"
        ) from error
    return found


def node_facts(address: str, cores: int) -> Node:
    """Describe the machine that this runs on."""
    return Node(
        socket.gethostname(),
        address,
        cores,
        num_cores(),
        available_memory(),
        _gpus(),
        __version__,
        platform.python_version(),
        version("ray"),
        kernels(),
    )


def _gpus() -> tuple[str, ...]:
    from riverboat.gpu import gpu_cards  # noqa: PLC0415 - most nodes have none

    try:
        return tuple(card.name for card in gpu_cards())
    except GpuError:
        return ()


def put_bytes(size: int) -> Any:
    """Keep so many bytes in this node's store; return the reference."""
    import ray  # noqa: PLC0415 - see `riverboat.cluster._ray`

    return ray.put(os.urandom(1 << 20) * (size >> 20))


def seconds_to_get(kept: list[Any]) -> float:
    """Return the seconds that it takes to bring what another node has put to this one."""
    import ray  # noqa: PLC0415 - see `riverboat.cluster._ray`

    began = time.perf_counter()
    ray.get(kept[0])
    return time.perf_counter() - began
