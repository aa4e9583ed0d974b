"""What runs on the nodes of a cluster: jobs, and questions about the node."""

import errno
import importlib
import os
import platform
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from typing import Any

import msgspec

from riverboat import __version__
from riverboat.cards import kernels
from riverboat.errors import GpuError, NodeError, in_words
from riverboat.runs import as_worker, attempt, available_memory, num_cores

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}


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


@contextmanager
def fit(given: str) -> Iterator[None]:
    """Tell what this node cannot do, and another one may, as an error of the node.

    Parameters
    ----------
    given
        The stamp of whoever gave the work.

    Raises
    ------
    NodeError
        If the node has another stamp, its disk is full, or its memory runs out.

    Examples
    --------
    >>> with fit(stamp()):
    ...     raise OSError(errno.ENOSPC, "No space left on device", "table")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    riverboat.errors.NodeError: ...: No space left on device: table
    """
    host = socket.gethostname()
    if given != stamp():
        raise NodeError(
            f"{host} has {stamp()}, and whoever gave the work has {given}: install the same "
            "everywhere"
        )
    try:
        yield
    except Exception as error:
        if trouble := _trouble(error):
            raise NodeError(f"{host}: {trouble}") from error
        raise


def _trouble(error: BaseException | None) -> str:
    """Say what of an error, or of those that led to it, is the node's; '' if nothing is."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in _FULL:
            return in_words(error)
        if isinstance(error, MemoryError):
            return "memory ran out"
        error = error.__cause__ or error.__context__
    return ""


def do(call: Call, job: object) -> tuple[Any, Exception | None]:
    """Do a job of another machine; return its result or what went wrong."""
    import ray  # noqa: PLC0415 - see `riverboat.cluster._ray`

    as_worker()
    result, failure = attempt(lambda it: _done(call, it), job)
    if isinstance(failure, NodeError):
        failure.node = ray.get_runtime_context().get_node_id()
    return result, failure


def _done(call: Call, job: object) -> Any:
    with suppress(OSError):  # where no path is relative, the folder is not needed
        os.chdir(call.folder)
    with fit(call.stamp):
        return _found(call)(job)


def _found(call: Call) -> Callable[[Any], Any]:
    try:
        found: Callable[[Any], Any] = getattr(importlib.import_module(call.module), call.function)
    except (ImportError, AttributeError) as error:
        raise NodeError(
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
