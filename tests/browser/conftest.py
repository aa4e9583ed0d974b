"""A real server and a real browser."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, ConsoleMessage, Page

# What `make test-browser` brings.
if any(importlib.util.find_spec(name) is None for name in ("fastapi", "playwright")):
    collect_ignore_glob = ["test_*.py"]

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
PATIENCE = 30_000.0  # milliseconds


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that keeps nothing of what it is used for."""
    process, found = started(tmp_path_factory.mktemp("web"))
    yield found
    process.terminate()
    ended(process)


def started(data: Path, port: int = 0) -> tuple[subprocess.Popen[str], str]:
    """Start a server; return its process and its address."""
    command = [
        sys.executable, "-c", "from riverboat.cli import main; main()",
        "serve", "--port", str(port), "--data", str(data),
    ]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    found = process.stdout.readline().split()[3].rstrip("/")
    _wait(found)
    return process, found


def ended(process: subprocess.Popen[str]) -> None:
    """Wait for the end of a server."""
    process.wait(30)
    if process.stdout is not None:
        process.stdout.close()


def _wait(address: str) -> None:
    """Wait until a server answers."""
    for _ in range(600):
        try:
            urllib.request.urlopen(f"{address}/api/v1/about").close()  # noqa: S310 - ours
        except OSError:
            time.sleep(0.1)
        else:
            return
    pytest.fail(f"nobody answers at {address}")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium: RIVERBOAT_CHROMIUM, or the one that is installed."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = os.environ.get("RIVERBOAT_CHROMIUM") or shutil.which("chromium")
    if path is None:
        pytest.skip("there is no Chromium: set RIVERBOAT_CHROMIUM")
    with playwright.sync_playwright() as started:
        found = started.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield found
        found.close()


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """Open a page of the server; an error on its console fails the test.

    With `refused` the server may refuse what is asked for, with `lost` it may be away: a browser
    calls that an error, too.
    """
    problems: list[str] = []
    contexts = []

    def opened(
        path: str,
        width: int = 1400,
        theme: str = "light",
        refused: bool = False,
        lost: bool = False,
    ) -> Page:
        context = browser.new_context(
            base_url=address,
            viewport={"width": width, "height": 900},
            color_scheme="dark" if theme == "dark" else "light",
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()

        def heard(said: ConsoleMessage) -> None:
            allowed = [
                word for word, may in (("status of 400", refused), ("WebSocket", lost)) if may
            ]
            if said.type == "error" and not any(word in said.text for word in allowed):
                problems.append(said.text)

        page.on("console", heard)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert problems == []


def tool(variable: str, inside: str) -> Path:
    """A file of npm: named by a variable, or under node_modules; else the test is skipped."""
    root = Path(__file__).parents[2]
    for path in (os.environ.get(variable), root / "node_modules" / inside):
        if path and Path(path).exists():
            return Path(path)
    pytest.skip(f"{inside} is not there: npm install it, or set {variable}")
