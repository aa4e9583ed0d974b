"""Lighthouse on every page: accessibility, and no layout shift. Its times depend on the machine."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from .conftest import tool
from .serving import chromium

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
LEAST = 0.95
#: Lighthouse calls a page good up to here (web.dev/articles/cls).
MOST_SHIFT = 0.1
PAGES = [
    *("/", "/play", "/sessions", "/sessions?id=sample", "/matches", "/watch", "/study", "/solve"),
    *("/review", "/trainer", "/charts", "/docs"),
]
SHIFTS = """() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) if (!each.hadRecentInput) sum += each.value;
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum), 1500);
})"""


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES)
def test_accessibility(address: str, tmp_path: Path, path: str) -> None:
    script, report = tool("lighthouse/cli/index.js"), tmp_path / "report.json"
    command = [
        "node", str(script), address + path, "--quiet", "--preset=desktop",
        "--only-categories=performance,accessibility", "--output=json",
        f"--output-path={report}", "--chrome-flags=--headless --no-sandbox --disable-gpu",
    ]  # fmt: skip
    environment = {**os.environ, "CHROME_PATH": str(chromium())}
    subprocess.run(command, check=True, capture_output=True, env=environment)
    found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    print(path, {name: each["score"] for name, each in found["categories"].items()})
    assert found["categories"]["accessibility"]["score"] >= LEAST
    assert found["audits"]["cumulative-layout-shift"]["numericValue"] <= MOST_SHIFT


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("width", [360, 1400])
def test_nothing_shifts(open_page: Callable[..., Page], path: str, width: int) -> None:
    page = open_page(path, width)
    assert page.evaluate(SHIFTS) <= MOST_SHIFT


def test_an_unknown_address_has_a_page(open_page: Callable[..., Page]) -> None:
    page = open_page("/nothing", missing=True)
    page.get_by_role("heading", name="There is no such page").wait_for()
    page.get_by_role("link", name="Home", exact=True).click()
    page.locator(".deal-in").wait_for()
