"""Jobs on workers, and what the machine has."""

from riverboat.work._interrupts import Stop, ended_as_interrupted, interrupts_held
from riverboat.work._machine import available_memory, num_cores, peak_memory, resident_memory
from riverboat.work._pool import run_jobs, without_interrupts
from riverboat.work._privacy import hidden_memory, hide_memory, why_not_hidden
from riverboat.work._threads import in_order

__all__ = [
    "Stop",
    "available_memory",
    "ended_as_interrupted",
    "hidden_memory",
    "hide_memory",
    "in_order",
    "interrupts_held",
    "num_cores",
    "peak_memory",
    "resident_memory",
    "run_jobs",
    "why_not_hidden",
    "without_interrupts",
]
