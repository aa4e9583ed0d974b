"""Run the command line in this process, so that no test waits for imports.

`main`, its exit code, both outputs and the typed input are real. Tests of signals, terminals and
the environment at start need a process of their own.
"""

import io
import subprocess
import sys
from unittest.mock import patch

from riverboat.cli import main

__all__ = ["riverboat"]


def riverboat(
    *arguments: str,
    code: int | None = 0,
    typed: str | bytes = "",
    encoding: str = "utf-8",
) -> subprocess.CompletedProcess[str]:
    """Run a command.

    Parameters
    ----------
    *arguments
        Words after `riverboat`.
    code
        The exit code that is expected; None if any will do.
    typed
        What comes from standard input; then it ends.
    encoding
        Of the outputs.
    """
    given = io.BytesIO(typed if isinstance(typed, bytes) else typed.encode())
    outputs = [io.TextIOWrapper(io.BytesIO(), encoding, write_through=True) for _ in range(2)]
    words = ["riverboat", *arguments]
    with (
        patch.object(sys, "argv", words),
        patch.object(sys, "stdin", io.TextIOWrapper(given, "utf-8")),
        patch.object(sys, "stdout", outputs[0]),
        patch.object(sys, "stderr", outputs[1]),
    ):
        try:
            main()
            left: object = 0
        except SystemExit as end:
            left = end.code or 0
    shown = [output.buffer.getvalue().decode(encoding) for output in outputs]
    assert isinstance(left, int), left
    assert code in (None, left), shown[1]
    assert "Traceback" not in shown[1]
    return subprocess.CompletedProcess(words, left, *shown)
