"""A server in a process of its own, and the browser that looks at it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import urllib.request
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.error import HTTPError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


def chromium() -> str | None:
    """Where Chromium is: RIVERBOAT_CHROMIUM, or the one that is installed."""
    return os.environ.get("RIVERBOAT_CHROMIUM") or shutil.which("chromium")


def started(
    data: Path,
    port: int = 0,
    folders: Sequence[Path] = (),
    *,
    group: bool = False,
    host: str = "127.0.0.1",
) -> tuple[subprocess.Popen[str], str]:
    """Start a server that shows the strategies of folders; return its process and its address.

    With `group`, it is the leader of a new group of processes. For a `host` that needs a token,
    the address ends in it.
    """
    command = [
        sys.executable, "-c", "from riverboat.cli import main; main()",
        "serve", "--port", str(port), "--data", str(data), "--host", host,
        *map(str, folders),
    ]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=group)
    assert process.stdout is not None
    found = process.stdout.readline().split()[3].rstrip("/")
    about = f"{found.partition('/?')[0]}/api/v1/about"
    with suppress(HTTPError):  # it needs a token
        # Who comes before the server is ready waits.
        urllib.request.urlopen(about, timeout=60).close()  # noqa: S310 - ours
    return process, found


def ended(process: subprocess.Popen[str]) -> None:
    """Wait for the end of a server."""
    process.wait(30)
    if process.stdout is not None:
        process.stdout.close()
