"""Code that runs on the nodes of a cluster: jobs, and descriptions of the node."""

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
    """Cores that Ray gives to jobs; the machine may have more."""
    machine_cores: int
    memory_bytes: int
    """Available memory."""
    gpus: tuple[str, ...]
    version: str
    python: str
    ray: str
    kernels: str
    """The build of the C++ core that the processor uses."""


class Call(msgspec.Struct, frozen=True):
    """The part that all jobs of a task share."""

    stamp: str
    """Stamp of the machine that sent the job: see `stamp`."""
    module: str
    function: str
    folder: str
    """Base of relative paths."""


def stamp() -> str:
    """Return the versions that must be the same on all machines for identical results.

    Examples
    --------
    >>> stamp().startswith(f"Riverboat {__version__}, Python 3.")
    True
    """
    python = ".".join(platform.python_version_tuple()[:2])
    return f"Riverboat {__version__}, Python {python}, kernels {kernels()}"


@contextmanager
def fit(given: str) -> Iterator[None]:
    """Turn errors that another node may not have into a `NodeError`.

    Parameters
    ----------
    given
        The stamp of the machine that sent the job.

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
            f"{host} has {stamp()}, and the machine that sent the job has {given}: install "
            "the same versions everywhere"
        )
    try:
        yield
    except Exception as error:
        if trouble := _trouble(error):
            raise NodeError(f"{host}: {trouble}") from error
        raise


def _trouble(error: BaseException | None) -> str:
    """Describe the node's part in an error or its causes; '' if it has none."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in _FULL:
            return in_words(error)
        if isinstance(error, MemoryError):
            return "memory ran out"
        error = error.__cause__ or error.__context__
    return ""


def do(call: Call, job: object) -> tuple[Any, Exception | None]:
    """Run a job from another machine; return its result or its error."""
    import ray  # noqa: PLC0415 - see `riverboat.cluster._ray`

    as_worker()
    result, failure = attempt(lambda it: _done(call, it), job)
    if isinstance(failure, NodeError):
        failure.node = ray.get_runtime_context().get_node_id()
    return result, failure


def _done(call: Call, job: object) -> Any:
    with suppress(OSError):  # only relative paths need the folder
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
    """Describe this machine."""
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
    """Put bytes into this node's object store; return the reference."""
    import ray  # noqa: PLC0415 - see `riverboat.cluster._ray`

    return ray.put(os.urandom(1 << 20) * (size >> 20))


def seconds_to_get(references: list[Any]) -> float:
    """Return the seconds to fetch an object from another node."""
    import ray  # noqa: PLC0415 - see `riverboat.cluster._ray`

    began = time.perf_counter()
    ray.get(references[0])
    return time.perf_counter() - began
