"""What was tried, and what came of it: counted by the tests, shown in docs/security.md.

A hostile test wraps what it does:

    with tried("bots", "half a message"):
        ...  # an assertion that fails is a failure that is counted

and `make test-hostile` appends one line of JSON for each to the file that
`$RIVERBOAT_HOSTILE_RESULTS` names. Without that, nothing is written.
"""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from riverboat import __version__

__all__ = ["GROUPS", "RESULTS", "Trial", "tried"]

#: Where lines are appended; nothing is kept where it is not set.
RESULTS = "RIVERBOAT_HOSTILE_RESULTS"

#: The rows of the table.
GROUPS = ("parsers", "growth", "headers", "damage", "bots", "requests", "kills")


@dataclass(slots=True)
class Trial:
    """One kind of attempt: `attempts` and `failures` can be counted up inside `tried`."""

    group: str
    name: str
    seed: int | None = None
    attempts: int = 0
    failures: int = 0
    seconds: float | None = None
    python: str = field(default_factory=lambda: "{}.{}".format(*sys.version_info))
    version: str = __version__


@contextmanager
def tried(group: str, name: str, seed: int | None = None) -> Iterator[Trial]:
    """Count an attempt, or those that the body counts; a body that raises is a failure."""
    if group not in GROUPS:
        raise ValueError(f"{group!r} is none of {', '.join(GROUPS)}")
    trial = Trial(group, name, seed)
    try:
        yield trial
    except BaseException:
        trial.failures = max(1, trial.failures)
        raise
    finally:
        trial.attempts = max(1, trial.attempts)
        _keep(trial)


def _keep(trial: Trial) -> None:
    """Append a line, whole, also if other processes append theirs."""
    if place := os.environ.get(RESULTS):
        line = json.dumps(asdict(trial)) + "\n"
        Path(place).parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(place, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            os.write(handle, line.encode())
        finally:
            os.close(handle)
