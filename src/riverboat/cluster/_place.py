"""Jobs on the nodes of a Ray cluster: the second back end of `riverboat.runs`."""

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from riverboat.cluster._far import Call, do, stamp
from riverboat.cluster._ray import (
    check_same,
    connected,
    cores_of,
    nodes_of,
    parse_address,
    sentence_of,
)
from riverboat.cluster._training import helpers
from riverboat.errors import ClusterError, NodeError, RunError
from riverboat.runs import Queue, Work, working_at
from riverboat.training import Helped

_AHEAD = 8  # jobs per core that may finish before the next job in order
_LOOK_SECONDS = 0.5
_RETRIES = 10  # machines disappear more often than processes crash


@contextmanager
def opened(on: str) -> Iterator["RayPlace | None"]:
    """Run jobs at a place while the block runs: `local`, `ray` or `ray://host:port`.

    Raises
    ------
    ClusterError
        If Ray is missing, there is no cluster, or its nodes have different versions.

    Examples
    --------
    >>> with opened("local") as place:
    ...     print(place)
    None
    """
    address = parse_address(on)
    if address is None:
        yield None
        return
    with connected(address) as ray:
        check_same(nodes_of(ray))
        place = RayPlace(ray)
        with working_at(place):
            yield place


class RayPlace:
    """A cluster to which this process is connected.

    Parameters
    ----------
    ray
        The module, connected.

    Attributes
    ----------
    left_out
        Nodes that failed, by Ray's name, with the reason; they get no more jobs.
    """

    def __init__(self, ray: Any) -> None:
        self.left_out: dict[str, str] = {}
        self._ray = ray

    @property
    def cores(self) -> int:
        """Number of jobs that the cluster can run at once now."""
        return cores_of(self._ray)

    def helpers(self) -> Helped:
        """Return the `helped` argument of `riverboat.training.train`: all nodes train."""
        return helpers(self._ray, left_out=self.left_out)

    def run(
        self,
        work: Work,
        jobs: Iterable[Any],
        workers: int,
        stopped: Callable[[], bool] | None = None,
    ) -> Generator[tuple[Any, Any], None, None]:
        """Run jobs on the nodes: see `riverboat.runs.run_jobs`."""
        if work.private:
            raise RunError("jobs with a secret must run on this machine: use --on local")
        submit = self._submitter(work)
        queue = Queue(jobs, _AHEAD * max(1, workers), work.ordered)
        most = workers if workers < self.cores else 2 * workers  # keeps all cores busy
        running: dict[Any, int] = {}
        try:
            while stopped is None or not stopped():
                while len(running) < most and (following := queue.take()) is not None:
                    running[submit(following[1])] = following[0]
                if not running:
                    return
                for done in self._ray.wait(list(running), timeout=_LOOK_SECONDS)[0]:
                    number = running.pop(done)
                    try:
                        queue.put(number, self._result(done))
                    except NodeError as error:
                        self._leave_out(error, work)
                        running[submit(queue.job(number))] = number
                yield from queue.ready()
        finally:
            for each in running:
                self._ray.cancel(each, force=True)

    def _submitter(self, work: Work) -> Callable[[Any], Any]:
        """Return a function that submits a job and returns the reference to its result."""
        self._check_memory(work.memory)
        function = self._ray.remote(do)
        settings = {
            "name": work.name or work.function.__name__,
            "num_cpus": 1,
            "memory": work.memory or None,
            "max_retries": _RETRIES if work.retries else 0,
            "scheduling_strategy": "SPREAD",
        }
        call = Call(stamp(), *work.importable(), str(os.getcwd()))
        return lambda job: function.options(**settings, **self._elsewhere()).remote(call, job)

    def _elsewhere(self) -> dict[str, Any]:
        """Return Ray's options that exclude nodes that are left out."""
        if not self.left_out:
            return {}
        return {"label_selector": {"ray.io/node-id": f"!in({','.join(self.left_out)})"}}

    def _leave_out(self, error: NodeError, work: Work) -> None:
        """Exclude a node; raise if no node is left, or the job must not be retried."""
        self.left_out[error.node] = str(error)
        able = [
            node["NodeID"]
            for node in self._ray.nodes()
            if node["Alive"] and node["Resources"].get("CPU", 0)
        ]
        if not work.retries or not set(able) - self.left_out.keys():
            raise error

    def _check_memory(self, needed: int) -> None:
        """Refuse a job that needs more memory than any node has."""
        alive = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
        most = max((each.get("memory", 0) for each in alive), default=0)
        if needed > most:
            raise ClusterError(
                f"a job needs {needed:,} bytes of memory, but the largest node has {most:,.0f}"
            )

    def _result(self, done: Any) -> Any:
        try:
            result, failure = self._ray.get(done)
        except self._ray.exceptions.RayError as error:
            raise RunError(sentence_of(error)) from error
        if failure is not None:
            raise failure
        return result
