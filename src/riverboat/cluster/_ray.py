"""Ray, imported late: most people have one machine and no need of it."""

import importlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from riverboat.errors import ClusterError, one_line
from riverboat.runs import num_cores

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
