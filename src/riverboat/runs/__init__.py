"""Runs with files and checkpoints, jobs that are watched from elsewhere, and worker processes.

A *task* is long work in slices: training, a solve, a match. `Run` runs a task to its end and does
the rest: output files, locks, resuming, checkpoints, log, plot, budget and Ctrl-C.

A *job* is a run that is watched from elsewhere; `Jobs` queues, stops, resumes and restores jobs.

`run_jobs` calls a function with plain data in worker processes: on this machine, or on the
machines of `riverboat.cluster` if a workplace is open.
"""

from riverboat.runs._files import Checkpoint, PieceLog, RunFiles, RunLog, refused
from riverboat.runs._interrupts import Stop, ended_as_interrupted, interrupts_held
from riverboat.runs._job import Job, JobRecord, Jobs, JobState, Observed, thinned
from riverboat.runs._job_process import JobPipe, JobProcess
from riverboat.runs._machine import (
    CpuTime,
    available_memory,
    cpu_time,
    hidden_memory,
    num_cores,
    peak_memory,
    resident_memory,
)
from riverboat.runs._place import (
    as_worker,
    in_order,
    in_worker,
    is_remote,
    num_workers,
    place,
    run_jobs,
    warn_once,
    working_at,
)
from riverboat.runs._pool import Queue, Work, attempt
from riverboat.runs._run import Run, Task, advance
from riverboat.runs._slices import Clock, Due, Slices
from riverboat.runs._timing import Timing, speed_up

__all__ = [
    "Checkpoint",
    "Clock",
    "CpuTime",
    "Due",
    "Job",
    "JobPipe",
    "JobProcess",
    "JobRecord",
    "JobState",
    "Jobs",
    "Observed",
    "PieceLog",
    "Queue",
    "Run",
    "RunFiles",
    "RunLog",
    "Slices",
    "Stop",
    "Task",
    "Timing",
    "Work",
    "advance",
    "as_worker",
    "attempt",
    "available_memory",
    "cpu_time",
    "ended_as_interrupted",
    "hidden_memory",
    "in_order",
    "in_worker",
    "interrupts_held",
    "is_remote",
    "num_cores",
    "num_workers",
    "peak_memory",
    "place",
    "refused",
    "resident_memory",
    "run_jobs",
    "speed_up",
    "thinned",
    "warn_once",
    "working_at",
]
