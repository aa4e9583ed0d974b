"""A real server and a real browser."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from blueprint.strategies import leduc_solver, save

from .serving import ARGUMENTS, chromium, ended, started

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, ConsoleMessage, Page

# What `make test-browser` brings.
if any(importlib.util.find_spec(name) is None for name in ("fastapi", "playwright")):
    collect_ignore_glob = ["test_*.py"]

PATIENCE = 90_000.0  # milliseconds; machines that check are slow at times


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that keeps nothing of what it is used for."""
    folder = tmp_path_factory.mktemp("strategies")
    save(leduc_solver(30), folder / "leduc.blueprint")
    process, found = started(tmp_path_factory.mktemp("web"), folders=[folder])
    yield found
    process.terminate()
    ended(process)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium: RIVERBOAT_CHROMIUM, or the one that is installed."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = chromium()
    if path is None:
        missing("there is no Chromium: set RIVERBOAT_CHROMIUM")
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield found
        found.close()


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """Open a page of the server; an error on its console fails the test.

    With `refused` the server may refuse what is asked for, with `missing` it may not have it, with
    `lost` it may be away: a browser calls that an error, too. A `remote` page without encryption
    cannot have all headers. Nothing moves without `motion`.
    """
    problems: list[str] = []
    contexts = []

    def opened(  # noqa: PLR0917 - options of a page
        path: str,
        width: int = 1400,
        theme: str = "light",
        refused: bool = False,
        lost: bool = False,
        missing: bool = False,
        height: int = 900,
        motion: str = "reduce",
        remote: bool = False,
    ) -> Page:
        context = browser.new_context(
            base_url=address,
            viewport={"width": width, "height": height},
            reduced_motion="reduce" if motion == "reduce" else "no-preference",
            color_scheme="dark" if theme == "dark" else "light",
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()

        def heard(said: ConsoleMessage) -> None:
            refusals = ("status of 400", "status of 422") if refused else ()
            refusals = ("status of 404", *refusals) if missing else refusals
            allowed = (*refusals, "WebSocket") if lost else refusals
            allowed = (*allowed, "Cross-Origin-Opener-Policy") if remote else allowed
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


def tool(inside: str) -> Path:
    """A file that `scripts/browser_tools` brings from npm; without it the test is skipped."""
    path = Path(__file__).parents[2] / "build" / "npm" / "node_modules" / inside
    if not path.exists():
        missing(f"{inside} is not there: run scripts/browser_tools")
    return path


def missing(why: str) -> NoReturn:
    """Skip a test; where everything must be there, fail."""
    if os.environ.get("RIVERBOAT_BROWSER") == "required":
        pytest.fail(why)
    pytest.skip(why)
