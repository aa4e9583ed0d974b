"""The home page and the sessions, as a person uses them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .serving import ended, started
from .test_play import changed, version
from .test_table import end_hand

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[str]:
    """The address of a server that nobody has used."""
    process, address = started(tmp_path)
    yield address
    process.kill()
    ended(process)


def test_one_click_deals_cards(open_page: Callable[..., Page]) -> None:
    page = open_page("/")
    page.get_by_role("button", name="Deal me in").click()
    page.locator(".chair.you rb-card").nth(1).wait_for()
    assert page.locator(".chair:not(.you) .who").inner_text() == "Sol"


def test_an_empty_home_shows_a_sample_that_works(
    open_page: Callable[..., Page], fresh: str
) -> None:
    page = open_page(f"{fresh}/")
    page.get_by_role("heading", name="A sample session").wait_for()
    page.locator(".spot-tile .small-matrix").nth(3).wait_for()
    page.get_by_role("link", name="Review it").click()
    page.get_by_role("heading", name="Sample session").wait_for()
    page.locator("tbody tr").nth(59).wait_for()
    page.get_by_role("button", name="Ask me these again").click()
    page.locator(".status", has_text="decisions").wait_for()
    page.goto(f"{fresh}/")
    page.locator(".spot-tile .small-matrix").first.click()
    page.locator(".step.here").wait_for()


def test_home_is_one_screen(open_page: Callable[..., Page]) -> None:
    """Everything is in view on the smallest desktop."""
    page = open_page("/", 1280, height=720)
    page.locator(".spot-tile .small-matrix").nth(3).wait_for()
    page.locator(".winnings").wait_for()
    assert page.evaluate("document.documentElement.scrollHeight") <= 720


def test_a_session_is_listed_replayed_saved_and_deleted(
    open_page: Callable[..., Page], fresh: str
) -> None:
    page = open_page(f"{fresh}/play?opponents=checkcall")
    page.get_by_role("button", name="Sit down").click()
    page.locator(".felt[data-version]").wait_for()
    end_hand(page)
    cards = page.locator(".chair.you rb-card").evaluate_all("all => all.map((e) => e.code)")
    page.get_by_role("link", name="Review hand").click()
    page.locator(".replay").wait_for()
    assert "hand=1" in page.url
    assert page.locator(".chair.you rb-card").evaluate_all("all => all.map((e) => e.code)") == cards
    page.keyboard.press("ArrowRight")
    assert "step=1" in page.url
    page.keyboard.press("End")
    page.locator(".result").wait_for()
    page.keyboard.press("Home")
    assert page.locator(".result").count() == 0
    address = page.url
    page.get_by_role("link", name="Session", exact=True).click()
    for format_, begin in (("PHH", "[1]"), ("PokerStars", "PokerStars Hand #1")):
        with page.expect_download() as found:
            page.get_by_role("link", name=f"Save as {format_}").click()
        assert found.value.path().read_text(encoding="utf-8").startswith(begin)
    page.goto(f"{fresh}/play")
    page.get_by_role("link", name="Return to your table").click()
    page.get_by_role("button", name="Leave table").click()
    page.get_by_role("radio").first.wait_for()
    page.goto(address.partition("&")[0])
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete").click()
    page.get_by_text("No session of yours yet").wait_for()


def test_results_are_adjusted_for_luck(open_page: Callable[..., Page], fresh: str) -> None:
    """Limit hold'em against a calling station: its strategy is known, and no table is needed."""
    page = open_page(f"{fresh}/play?game=limit&opponents=checkcall")
    page.get_by_role("button", name="Sit down").click()
    page.locator(".felt[data-version]").wait_for()
    for _ in range(2):
        end_hand(page)
        before = version(page)
        page.keyboard.press("Space")
        changed(page, before)
    end_hand(page)
    page.get_by_role("link", name="Review hand").click()
    page.get_by_role("link", name="Session", exact=True).click()  # the hands are saved now
    page.get_by_role("link", name="All sessions").click()
    page.get_by_text("Luck-adjusted: AIVAT in 3 of 3 hands.").wait_for()
    assert page.locator(".winnings .key").count() == 3
    assert page.get_by_role("columnheader", name="Luck-adjusted").count() == 1
    page.locator("tbody a").first.click()
    page.locator("p", has_text="bb luck-adjusted").wait_for()
    page.goto(f"{fresh}/watch")
    card = page.locator(".run", has_text="Luck-adjusted results")
    assert "finished" in card.locator('[data-fact="state"]').inner_text()


def test_a_session_is_reviewed_with_one_click(open_page: Callable[..., Page], fresh: str) -> None:
    """The review is followed on Review, and on Watch, where it can be stopped."""
    page = open_page(f"{fresh}/sessions?id=sample")
    page.get_by_role("button", name="Review this session").click()
    page.get_by_role("region", name="Review").locator(".status").wait_for()
    assert "review=" in page.url
    page.goto(f"{fresh}/watch")
    card = page.locator(".run", has_text="review")
    card.get_by_role("button", name="Stop").click()
    card.locator('[data-fact="state"]', has_text="stopped").wait_for()
    card.get_by_role("link", name="Open").click()
    page.get_by_text("This review was stopped.").wait_for()
    page.get_by_role("button", name="Resume").click()
    page.get_by_role("region", name="Review").locator(".status").wait_for()


def test_an_empty_review_has_sample_hands(open_page: Callable[..., Page], fresh: str) -> None:
    page = open_page(f"{fresh}/review")
    page.get_by_role("button", name="Review sample hands").click()
    page.get_by_role("region", name="Review").locator(".status").wait_for()
