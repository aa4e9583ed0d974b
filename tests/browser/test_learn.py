"""Review, trainer, charts and watch in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from riverboat.game import Hand, catalogue
from riverboat.histories import record_of, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_charts_are_drawn_and_lead_to_study(open_page: Callable[..., Page]) -> None:
    page = open_page("/charts")
    page.wait_for_selector(".chart rb-matrix [role=gridcell]")
    assert page.locator(".chart").count() >= 6
    page.get_by_role("link", name="BB, against a limp").click()
    page.wait_for_selector(".step.here")
    assert "line=c" in page.url


def test_a_question_is_answered_by_key_and_graded(open_page: Callable[..., Page]) -> None:
    page = open_page("/trainer?street=preflop&position=SB")
    page.wait_for_selector("button.answer")
    page.keyboard.press("2")
    page.wait_for_selector(".graded", timeout=180_000)  # tables may be built first
    assert "the strategy " in page.locator(".graded").inner_text()
    page.wait_for_selector(".graded rb-matrix")
    page.keyboard.press("n")
    page.wait_for_selector(".question button.answer:not([disabled])")
    page.get_by_role("button", name="Delete my answers").click()


def test_a_whole_hand_is_graded_move_by_move(open_page: Callable[..., Page]) -> None:
    page = open_page("/trainer?mode=hands&strategy=leduc.blueprint")
    page.locator("[data-move=k], [data-move=c]").first.click()
    page.locator(".told li", has_text="the strategy ").first.wait_for()
    while page.locator('.felt[data-phase="over"]').count() == 0:
        page.keyboard.press("c")
        page.wait_for_timeout(100)
    page.keyboard.press("Space")
    page.locator('.felt[data-hand="2"]').wait_for()
    page.locator("form select").nth(1).select_option("")
    page.wait_for_selector("button.answer")


def test_a_file_is_dropped_and_studied(open_page: Callable[..., Page], tmp_path: Path) -> None:
    """A king that folds is found; its line leads to the decision in Study."""
    hand = Hand(catalogue("leduc"), cards=["Ks", "Js", "Qs"])
    hand.play("kb2f")
    path = tmp_path / "hands.jsonl"
    write([record_of(hand, names=["Ada", "Bob"])], path)
    page = open_page("/review", refused=True)  # Study shows hold'em only, and says so
    page.set_input_files("input[type=file]", str(path))
    page.get_by_label("Strategy").select_option("leduc.blueprint")
    page.get_by_label("Player").fill("Ada")
    page.get_by_role("button", name="Review", exact=True).click()
    row = page.locator("tbody tr", has=page.get_by_role("img", name="king of spades"))
    row.wait_for(timeout=180_000)  # a process of its own
    assert "review=" in page.url
    assert float(row.locator("td").nth(7).inner_text()) > 0.1
    page.locator(".columns select").first.select_option("round 1")
    assert page.locator("output").inner_text().startswith("1 decisions")
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save as HTML page").click()
    assert saved.value.suggested_filename == "review.html"
    row.get_by_role("link", name="kb2").click()
    page.wait_for_url("**/study?strategy=leduc.blueprint&line=kb2**")


def test_a_file_that_is_nobodys_is_told(open_page: Callable[..., Page], tmp_path: Path) -> None:
    """Hands of another game need no table."""
    hand = Hand(catalogue("leduc"), seed=1)
    hand.play("kk/kk")
    path = tmp_path / "hands.jsonl"
    write([record_of(hand, names=["Ada", "Bob"])], path)
    page = open_page("/review")
    page.set_input_files("input[type=file]", str(path))
    page.get_by_label("Strategy").select_option("leduc.blueprint")
    page.get_by_label("Player").fill("Nobody")
    page.get_by_role("button", name="Review", exact=True).click()
    page.locator(".problem", has_text="no player is called 'Nobody'").wait_for(timeout=180_000)


def test_runs_are_listed(open_page: Callable[..., Page]) -> None:
    page = open_page("/watch")
    page.wait_for_selector(".run, .nothing")
