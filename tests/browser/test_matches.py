"""Matches as a person plays them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser


def test_a_match_is_played(open_page: Callable[..., Page]) -> None:
    page = open_page("/matches?bots=random,checkcall&game=leduc&hands=200&seed=11")
    page.get_by_role("button", name="Start match").click()
    match = page.locator(".match", has_text="seed 11")
    match.locator("tbody tr").nth(1).wait_for()
    words = match.locator(".words").inner_text()
    assert words.startswith(("checkcall wins: ", "random wins: ", "Inconclusive after 200 hands."))
    assert "finished, 100 of 100 deals" in match.locator('[data-fact="state"]').inner_text()
    match.get_by_role("button", name="Delete").click()
    match.wait_for(state="detached")


def hold(page: Page, button: Locator) -> None:
    """Press a button, and let it go once it was drawn anew."""
    button.hover()
    page.mouse.down()
    first = button.element_handle()
    page.wait_for_function("(button) => !button.isConnected", arg=first)
    page.mouse.up()


def test_a_match_is_stopped_and_goes_on(open_page: Callable[..., Page]) -> None:
    page = open_page("/matches?bots=fish,fish&hands=1000000&seed=12")
    page.get_by_role("button", name="Start match").click()
    match = page.locator(".match", has_text="seed 12")
    for state in ("running", "stopped"):
        match.locator('[data-fact="state"]', has_text=state).wait_for()
        match.get_by_role("button", name="Stop" if state == "running" else "Resume").click()
    match.locator('[data-fact="state"]', has_text="running").wait_for()
    match.locator(".curve .band").wait_for(state="attached")  # flat: the bots are equal
    hold(page, match.get_by_role("button", name="Stop"))
    match.locator('[data-fact="state"]', has_text="stopped").wait_for()
    match.get_by_role("button", name="Delete").click()
    match.wait_for(state="detached")
