"""No task of a page takes longer than 50 ms while cards and chips move.

Long tasks (w3c.github.io/longtasks) are those of more than 50 ms, which a person notices. The test
counts the CPU time of the main thread's tasks from Chromium's trace, not their elapsed time, which
depends on what else the machine does.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from .test_lighthouse import MOST_SHIFT
from .test_play import changed, phase, sit, version

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
MOST = 50.0  # milliseconds
#: Counts shifts also after a click, which Lighthouse leaves out.
SHIFTS = """() => {
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) window.shifts += each.value;
  }).observe({ type: "layout-shift" });
}"""
SPIN = """() => new Promise((done) => setTimeout(() => {
  const end = performance.now() + 400;
  while (performance.now() < end) Math.sqrt(end);
  done();
}))"""


def tasks(browser: Browser, page: Page, act: Callable[[], object]) -> list[float]:
    """Return the CPU time of each task of the pages' main threads, in milliseconds."""
    browser.start_tracing(page=page, categories=["toplevel", "__metadata"])
    try:
        act()
    finally:
        trace = browser.stop_tracing()
    events = json.loads(trace)["traceEvents"]
    main = {
        (each["pid"], each["tid"])
        for each in events
        if each["name"] == "thread_name" and each["args"]["name"] == "CrRendererMain"
    }
    return [
        each["tdur"] / 1000
        for each in events
        if (each["pid"], each["tid"]) in main
        and each["name"].endswith("RunTask")
        and "tdur" in each
    ]


def play(page: Page, hands: int) -> None:
    """Play hands to the river, with motion."""
    for _ in range(hands):
        while phase(page) != "over":
            before = version(page)
            page.locator("[data-move=k], [data-move=c]").first.click()
            changed(page, before)
        before = version(page)
        page.locator("[data-move=deal]").click()
        changed(page, before)


@pytest.mark.parametrize("seats", [2, 6])
def test_dealing_and_moving_chips_has_no_long_task(
    browser: Browser, open_page: Callable[..., Page], seats: int
) -> None:
    page = open_page(f"/play?seats={seats}&opponents=checkcall", motion="full")
    sit(page)
    found = tasks(browser, page, lambda: play(page, 2))
    assert len(found) > 100
    assert max(found) <= MOST


@pytest.mark.parametrize("width", [360, 1400])
def test_nothing_shifts_while_a_hand_is_played(open_page: Callable[..., Page], width: int) -> None:
    """Buttons stay where they are when moves change; Lighthouse's bound is for a whole visit."""
    page = open_page("/play?seats=6&opponents=checkcall", width, motion="full")
    sit(page)
    page.evaluate(SHIFTS)
    play(page, 1)
    assert page.evaluate("shifts") <= MOST_SHIFT


def test_a_long_task_is_seen(browser: Browser, open_page: Callable[..., Page]) -> None:
    page = open_page("/play?opponents=checkcall", motion="full")
    assert max(tasks(browser, page, lambda: page.evaluate(SPIN))) > MOST
