"""Jobs: queued, stopped, resumed, deleted, restored; and their processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from riverboat.errors import GameError, RunError
from riverboat.runs import Job, JobPipe, JobProcess, Jobs

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WAIT = 60


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def counting(job: Job[int, int]) -> int | None:
    """Count to what is asked, from what was reached; -1 never ends, -2 fails."""
    number = (job.record.report or 0) if job.again else 0
    if job.asked == -2:
        raise GameError("no such number")
    while number != job.asked:
        if job.stopping.is_set():
            return None
        number += 1
        job.tell(number, (float(number), 0.5))
        time.sleep(0.001)
    return number


def jobs_in(folder: Path, at_once: int = 1) -> Jobs[int, int]:
    return Jobs("count", folder, (int, int), counting, at_once=at_once, most=6)


def states(jobs: Jobs[int, int]) -> list[str]:
    return [job.record.state for job in jobs]


@pytest.mark.parametrize("at_once", [1, 2])
def test_so_many_run_and_the_others_wait(tmp_path: Path, at_once: int) -> None:
    jobs = jobs_in(tmp_path, at_once)
    first, second, third = (jobs.new(-1) for _ in range(3))
    assert states(jobs) == (["running"] * 3)[:at_once] + (["waiting"] * 3)[at_once:]
    assert [jobs.before(job) for job in (first, third)] == [0, 2]
    assert jobs.stop(third.id).record.state == "stopped"
    jobs.stop(first.id)
    until(lambda: second.record.state == "running")
    jobs.end()
    assert sorted(states(jobs)) == ["stopped", "stopped", "waiting"]


def test_a_stopped_job_continues_and_a_failed_one_says_why(tmp_path: Path) -> None:
    jobs = jobs_in(tmp_path)
    job, bad = jobs.new(300), jobs.new(-2)
    with pytest.raises(RunError, match="is running"):
        jobs.resume(job.id)
    until(lambda: (job.record.report or 0) > 2)
    jobs.stop(job.id)
    reached = job.record.report or 0
    assert 2 < reached < 300
    jobs.resume(job.id)
    job.wait()
    assert (job.record.state, job.record.result) == ("finished", 300)
    assert [point[0] for point in job.record.points] == [float(n) for n in range(1, 301)]
    bad.wait()
    assert (bad.record.state, bad.record.problem) == ("failed", "no such number")
    with pytest.raises(RunError, match="is finished"):
        jobs.resume(job.id)


def test_observers_hear_of_every_state(tmp_path: Path) -> None:
    jobs, heard = jobs_in(tmp_path), []
    job = jobs.new(-1)
    job.observe(lambda: heard.append(job.record.state))
    until(lambda: len(heard) > 2)
    assert set(heard) == {"running"}
    jobs.stop(job.id)
    assert heard[-1] == "stopped"
    count = len(heard)
    jobs.forget(job.id)
    assert (job.gone, len(heard)) == ("this count was deleted", count + 1)


def test_jobs_of_a_process_that_ends_continue_in_the_next(tmp_path: Path) -> None:
    """As after a kill; who was stopped by somebody stays stopped."""
    jobs = jobs_in(tmp_path)
    running, waiting, mine = jobs.new(400), jobs.new(3), jobs.new(5)
    jobs.stop(mine.id)
    until(lambda: running.record.report is not None)
    jobs.end()
    assert states(jobs) == ["waiting", "waiting", "stopped"]
    jobs = jobs_in(tmp_path)
    jobs.restore()
    for job in jobs:
        job.wait()
    assert [job.record.result for job in jobs] == [400, 3, None]
    assert jobs[running.id].again
    assert jobs[waiting.id].record.state == "finished"


def test_deleting_takes_its_files_and_no_others(tmp_path: Path) -> None:
    jobs = jobs_in(tmp_path)
    job, other, endless = jobs.new(3), jobs.new(3), jobs.new(-1)
    with pytest.raises(RunError, match="stop it first"):
        jobs.forget(endless.id)
    other.wait()
    job.path().mkdir()
    (job.path() / "inside").touch()
    job.path(".more").touch()
    jobs.forget(job.id)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(job.id)]
    assert other.path(".job.json").is_file()
    jobs.end()


def test_no_more_than_so_many_are_kept(tmp_path: Path) -> None:
    jobs = jobs_in(tmp_path)
    for _ in range(6):
        jobs.new(0).wait()
    with pytest.raises(RunError, match="there are 6 counts already"):
        jobs.new(0)


def test_points_are_thinned_and_those_done_again_replaced(tmp_path: Path) -> None:
    def points(job: Job[int, int]) -> bool:
        for number in range(5000):
            job.tell(number, (float(number),))
        seen.extend(job.record.points)
        job.tell(2500, (2500.0,))  # from a checkpoint
        return True

    seen: list[tuple[float, ...]] = []

    job = Jobs("run", tmp_path, (int, int), points).new(0)
    job.wait()
    kept = [point[0] for point in job.record.points]
    assert (seen[0], seen[-1], 200 <= len(seen) <= 400) == ((0.0,), (4999.0,), True)
    assert (kept[0], kept[-1]) == (0, 2500)
    assert kept == sorted(kept)


def test_jobs_of_a_killed_process_continue(tmp_path: Path) -> None:
    words = (
        "import sys; sys.path.insert(0, sys.argv[1]); from runs.test_job import *; "
        "from pathlib import Path; jobs = jobs_in(Path(sys.argv[2])); "
        "jobs.stop(jobs.new(-1).id); jobs.new(1).wait(); jobs.new(40); jobs.new(2); "
        "print('ready', flush=True); time.sleep(60)"
    )
    tests = os.path.dirname(os.path.dirname(__file__))
    command = [sys.executable, "-c", words, tests, str(tmp_path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.kill()
    process.wait()
    process.stdout.close()
    jobs = jobs_in(tmp_path)
    jobs.restore()
    for job in jobs:
        job.wait()
    assert [(job.asked, job.record.state, job.record.result) for job in jobs] == [
        (-1, "stopped", None),
        (1, "finished", 1),
        (40, "finished", 40),
        (2, "finished", 2),
    ]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text[:-5],
        lambda text: text.replace(b'"state"', b'"st\xffte"'),
        lambda text: b"\xff" + text,
        lambda text: text.replace(b'"points":[', b'"points":5,"x":['),
        lambda _: b"[" * 100_000,
        lambda text: json.dumps({**json.loads(text), "id": "a\0b"}).encode(),
        lambda text: json.dumps({**json.loads(text), "id": "a" * 5000}).encode(),
        lambda text: json.dumps({**json.loads(text), "state": "asleep"}).encode(),
        lambda _: b"",
    ],
)
def test_a_damaged_record_is_set_aside(tmp_path: Path, change: Callable[[bytes], bytes]) -> None:
    jobs, aside = jobs_in(tmp_path), []
    good, bad = jobs.new(1), jobs.new(2)
    jobs.end()
    path = bad.path(".job.json")
    path.write_bytes(change(path.read_bytes()))
    again = jobs_in(tmp_path)
    again.restore(lambda path, why: aside.append((path, why)))
    assert [job.id for job in again] == [good.id]
    [(damaged, why)] = aside
    assert damaged == path
    assert why


def talk(pipe: JobPipe, what: str) -> None:
    """The work of a process."""
    if what == "echo":
        pipe.send({"heard": pipe.receive(WAIT)})
    elif what == "fail":
        raise GameError("it fails")
    elif what == "die":
        os._exit(3)
    elif what == "interrupt":
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGTERM)  # as systemd sends it to all processes of a server
        pipe.send("still here")
    elif what == "sleep":
        pipe.send("ready")
        time.sleep(WAIT)


def test_a_process_hears_and_answers() -> None:
    never = threading.Event()
    with JobProcess(talk, "echo") as process:
        process.pipe.send("hello")
        assert list(process.messages(never, process.kill)) == [{"heard": "hello"}]
    with JobProcess(talk, "interrupt") as process:
        assert list(process.messages(never, process.kill)) == ["still here"]
    for what, sentence in (("fail", "it fails"), ("die", "ended unexpectedly")):
        with pytest.raises(RunError, match=sentence), JobProcess(talk, what) as process:
            list(process.messages(never, process.kill))


def test_a_process_that_is_stopped_ends_without_an_error() -> None:
    stopping = threading.Event()
    with JobProcess(talk, "sleep") as process:
        for message in process.messages(stopping, process.kill):
            assert message == "ready"
            stopping.set()
