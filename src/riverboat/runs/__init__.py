"""Long work, once: runs with their files, and jobs on workers.

A *task* is long work in slices: solving, training, a match. `Run` carries it to its end and owns
the rest: output files, locks, resuming, checkpoints, the log, the plot, budgets and Ctrl-C.

A *job* is a run that somebody watches from elsewhere: `Jobs` queues, stops, resumes and restores.

A function that other processes can import, and plain data, are enough for `run_jobs`: processes
of this machine call it, or the machines of `riverboat.cluster` where a place is open.
"""

from riverboat.runs._files import Checkpoint, PieceLog, RunFiles, RunLog, refused
from riverboat.runs._interrupts import Stop, ended_as_interrupted, interrupts_held
from riverboat.runs._job import Job, JobRecord, Jobs, JobState, Observed, thinned
from riverboat.runs._job_process import JobPipe, JobProcess
from riverboat.runs._machine import (
    available_memory,
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
    working_at,
)
from riverboat.runs._pool import Queue, Work, attempt
from riverboat.runs._run import Run, Task, advance
from riverboat.runs._slices import Clock, Due, Slices

__all__ = [
    "Checkpoint",
    "Clock",
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
    "Work",
    "advance",
    "as_worker",
    "attempt",
    "available_memory",
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
    "thinned",
    "working_at",
]
