"""Jobs on workers, and what the machine has.

A job is a function that other processes can import, and plain data; `run_jobs` has it done by
processes of this machine, or by the machines of `riverboat.cluster` where a place is open.
"""

from riverboat.runs._interrupts import Stop, ended_as_interrupted, interrupts_held
from riverboat.runs._machine import available_memory, num_cores, peak_memory, resident_memory
from riverboat.runs._place import (
    Workplace,
    as_worker,
    in_worker,
    is_remote,
    num_workers,
    place,
    run_jobs,
    working_at,
)
from riverboat.runs._pool import without_interrupts
from riverboat.runs._privacy import hidden_memory, hide_memory, why_not_hidden
from riverboat.runs._task import Queue, Task, attempt, importable
from riverboat.runs._threads import in_order

__all__ = [
    "Queue",
    "Stop",
    "Task",
    "Workplace",
    "as_worker",
    "attempt",
    "available_memory",
    "ended_as_interrupted",
    "hidden_memory",
    "hide_memory",
    "importable",
    "in_order",
    "in_worker",
    "interrupts_held",
    "is_remote",
    "num_cores",
    "num_workers",
    "peak_memory",
    "place",
    "resident_memory",
    "run_jobs",
    "why_not_hidden",
    "without_interrupts",
    "working_at",
]
