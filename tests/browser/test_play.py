"""Play as a person does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from .serving import ended, started

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
HANDS = 20
CODES = "all => all.map((each) => each.getAttribute('code'))"


def sit(page: Page) -> None:
    page.get_by_role("button", name="Sit down").click()
    page.locator(".felt[data-version]").wait_for()


def version(page: Page) -> str:
    return page.locator(".felt").get_attribute("data-version") or ""


def changed(page: Page, before: str) -> None:
    """Wait until the table has changed and nobody thinks."""
    page.locator(f'.felt:not([data-version="{before}"]):not([data-phase="thinking"])').wait_for()


def phase(page: Page) -> str:
    return page.locator(".felt").get_attribute("data-phase") or ""


def hand(page: Page) -> int:
    return int(page.locator(".felt").get_attribute("data-hand") or 0)


def decided(page: Page) -> bool:
    """Return whether the person had a decision in the hand that is over: the bot may fold first."""
    words = page.locator(".after p:not(.dots)")
    words.wait_for()
    return not words.inner_text().startswith("You had no decision")


def test_twenty_hands_by_mouse(open_page: Callable[..., Page]) -> None:
    page = open_page("/play")
    sit(page)
    moves = 0
    while hand(page) < HANDS or phase(page) != "over" or not decided(page):
        before = version(page)
        preset = page.locator(".preset").first
        if moves % 3 == 2 and preset.count():
            preset.click()
        else:
            page.locator("[data-move=deal], [data-move=k], [data-move=c]").first.click()
        moves += 1
        changed(page, before)
    assert page.locator(".results dd").first.inner_text() == str(hand(page))
    assert page.locator(".notes li").count() > 2
    page.get_by_role("button", name="All decisions").click()
    page.get_by_role("heading", name="Your decisions").wait_for()


def test_twenty_hands_by_keyboard(open_page: Callable[..., Page]) -> None:
    page = open_page("/play?opponents=checkcall")
    page.get_by_role("button", name="Sit down").wait_for()
    for _ in range(50):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Sit down":
            break
    page.keyboard.press("Enter")
    page.locator(".felt[data-version]").wait_for()
    moves = 0
    while hand(page) < HANDS or phase(page) != "over":
        before = version(page)
        if phase(page) != "yours":
            page.keyboard.press("Space")
        elif moves % 4 == 3 and page.locator(".size input[type=text]").count():
            page.keyboard.press("b")
            page.keyboard.type("half" if moves % 8 == 3 else "all-in")
            page.keyboard.press("Enter")
            page.locator(f'.felt:not([data-version="{before}"]), .toast').first.wait_for()
            if version(page) == before:  # half the pot is less than may be bet
                page.keyboard.press("Escape")
                page.keyboard.press("c")
        else:
            page.keyboard.press("f" if moves % 5 == 4 else "c")
            if phase(page) == "yours" and version(page) == before:
                page.keyboard.press("c")  # nothing to fold to: then it is a check
        moves += 1
        changed(page, before)
    assert page.locator(".results dd").first.inner_text() == str(HANDS)


def test_a_lost_page_goes_on_where_it_was(open_page: Callable[..., Page]) -> None:
    page = open_page("/play")
    sit(page)
    cards = page.locator(".chair.you rb-card").evaluate_all(CODES)
    page.reload()
    page.locator(".felt[data-version]").wait_for()
    again = page.locator(".chair.you rb-card").evaluate_all(CODES)
    assert re.search(r"table=", page.url)
    assert again == cards
    assert len(cards) == 2


def test_a_line_that_is_lost_comes_back(open_page: Callable[..., Page], tmp_path: Path) -> None:
    """The server is killed in the middle of a hand and started again; the page is not touched."""
    process, address = started(tmp_path)
    try:
        page = open_page(f"{address}/play?opponents=checkcall", lost=True)
        sit(page)
        cards = page.locator(".chair.you rb-card").evaluate_all(CODES)
        process.kill()
        ended(process)
        page.get_by_text("Connection lost").wait_for()
        process, _ = started(tmp_path, int(address.rpartition(":")[2]))
        page.locator(".status:empty").wait_for(state="attached")
        page.locator("[data-move=k], [data-move=c]").first.click()
        page.locator(".board rb-card").first.wait_for()
        assert page.locator(".chair.you rb-card").evaluate_all(CODES) == cards
        assert hand(page) == 1
    finally:
        process.kill()
        ended(process)


def test_what_cannot_be_bet_is_told(open_page: Callable[..., Page]) -> None:
    page = open_page("/play")
    sit(page)
    while phase(page) != "yours":
        before = version(page)
        page.keyboard.press("Space")
        changed(page, before)
    page.keyboard.press("b")
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    assert "1" in page.locator(".toast").inner_text()
    assert page.locator("[data-move]").first.get_attribute("aria-disabled") is None


def test_cards_are_thrown_away(open_page: Callable[..., Page]) -> None:
    page = open_page("/play?game=tossem-2026&opponents=checkcall")
    sit(page)
    for _ in range(40):
        thrown = page.locator('[data-move^="d "]')
        before = version(page)
        if thrown.count():
            thrown.first.click()
            changed(page, before)
            break
        page.locator("[data-move=deal], [data-move=k], [data-move=c]").first.click()
        changed(page, before)
    else:
        raise AssertionError("no card could be thrown away")


def test_nine_seats_and_leaving(open_page: Callable[..., Page]) -> None:
    page = open_page("/play?seats=9&opponents=checkcall")
    sit(page)
    assert page.locator(".chair").count() == 9
    assert page.locator('rb-card[code="??"]').count() > 0
    page.get_by_role("button", name="Leave table").click()
    page.get_by_role("button", name="Sit down").wait_for()
