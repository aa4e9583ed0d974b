"""Jobs on worker processes: in order, a little ahead, with sentences for what goes wrong."""

from collections.abc import Iterator

import pytest

from riverboat.errors import GameError, WorkError
from riverboat.work import run_jobs
from work.jobs import crash, refuse, slow_first


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
    with pytest.raises(WorkError, match="key error: 'zero'"):
        list(run_jobs(refuse, [0], workers=2))


def test_a_worker_that_ends() -> None:
    with pytest.raises(WorkError, match="a worker process ended before its job"):
        list(run_jobs(crash, [1], workers=2))
