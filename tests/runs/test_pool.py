"""Jobs on worker processes: in order, a little ahead, with sentences for what goes wrong."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from riverboat.errors import GameError, RunError
from riverboat.runs import Work, in_worker, is_remote, num_workers, run_jobs, working_at
from runs.jobs import crash, crash_once, refuse, second_first, signalled_at_the_end, slow_first
from runs.places import InThisProcess


@pytest.mark.parametrize("workers", [1, 3])
def test_results_come_in_order(workers: int) -> None:
    found = list(run_jobs(slow_first, range(20), workers))
    assert found == [(number, number * number) for number in range(20)]


def test_no_jobs() -> None:
    assert list(run_jobs(slow_first, [], workers=2)) == []


def test_jobs_are_taken_only_a_little_ahead() -> None:
    taken = []

    def jobs() -> Iterator[int]:
        for number in range(1000):
            taken.append(number)
            yield number

    results = run_jobs(slow_first, jobs(), workers=2)
    assert next(results) == (0, 0)
    assert len(taken) <= 20
    results.close()


def test_errors_of_jobs() -> None:
    with pytest.raises(GameError, match="1 is refused"):
        list(run_jobs(refuse, [1], workers=2))
    with pytest.raises(RunError, match="key error: 'zero'"):
        list(run_jobs(refuse, [0], workers=2))


def test_a_worker_that_ends() -> None:
    with pytest.raises(RunError, match="a worker process ended during its job"):
        list(run_jobs(crash, [1], workers=2))


def test_a_job_whose_worker_ended_is_tried_again(tmp_path: Path) -> None:
    jobs = [(str(tmp_path), number) for number in range(3)]
    found = [result for _, result in run_jobs(crash_once, jobs, workers=2, retries=1)]
    assert found == [0, 1, 2]


def test_tries_end() -> None:
    with pytest.raises(RunError, match="a worker process ended during its job"):
        list(run_jobs(crash, [1], workers=2, retries=1))


def test_workers_end_with_who_gives_the_work_out(tmp_path: Path) -> None:
    program = (
        "import sys; from riverboat.runs import run_jobs; from runs.jobs import tell_and_sleep\n"
        "if __name__ == '__main__': list(run_jobs(tell_and_sleep, sys.argv[1:] * 2, workers=2))"
    )
    (tmp_path / "jobs.py").write_text(program)
    folder = tmp_path / "workers"
    folder.mkdir()
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, str(tmp_path / "jobs.py"), str(folder)]
    with subprocess.Popen(command, env={**os.environ, **path}) as process:
        until(lambda: len(list(folder.iterdir())) == 2)
        process.kill()
    until(lambda: not any(is_alive(int(each.name)) for each in folder.iterdir()))


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_results_as_they_come(tmp_path: Path) -> None:
    jobs = [(number, str(tmp_path / "done")) for number in range(4)]
    found = list(run_jobs(second_first, jobs, workers=2, ordered=False))
    assert sorted(found) == [(job, job[0] ** 2) for job in jobs]
    assert found[0] != (jobs[0], 0)


def test_jobs_that_fit_only_one_at_a_time() -> None:
    found = list(run_jobs(slow_first, range(3), workers=3, memory=2**60))
    assert found == [(0, 0), (1, 1), (2, 4)]


def test_jobs_go_to_the_place_that_is_open() -> None:
    place = InThisProcess()
    with working_at(place):
        assert num_workers() == 7
        assert list(run_jobs(slow_first, [2], name="squares")) == [(2, 4)]
    assert [task.name for task in place.tasks] == ["squares"]
    assert not in_worker()
    assert not is_remote()


def test_a_function_that_others_cannot_import() -> None:
    assert Work(slow_first).importable() == ("runs.jobs", "slow_first")
    with pytest.raises(RunError, match="cannot be imported by other processes"):
        Work(lambda job: job).importable()


def test_a_worker_that_is_ended_twice_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    assert list(run_jobs(signalled_at_the_end, [1, 2], workers=2)) == [(1, 1), (2, 2)]
    assert capfd.readouterr().err == ""
