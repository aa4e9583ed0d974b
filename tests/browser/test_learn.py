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
    assert page.locator(".chart").count() > 8
    page.get_by_role("link", name="BB, against a limp").click()
    page.wait_for_selector(".step.here")
    assert "line=c" in page.url


def test_a_question_is_answered_by_key_and_graded(open_page: Callable[..., Page]) -> None:
    page = open_page("/trainer?street=preflop&position=SB")
    page.wait_for_selector("button.answer")
    page.keyboard.press("2")
    page.wait_for_selector(".graded", timeout=180_000)  # tables may be built first
    assert "The strategy does that in" in page.locator(".graded").inner_text()
    page.wait_for_selector(".graded rb-matrix")
    page.keyboard.press("n")
    page.wait_for_selector(".question button.answer:not([disabled])")
    page.get_by_role("button", name="Delete my answers").click()


def test_a_file_is_dropped_and_told(open_page: Callable[..., Page], tmp_path: Path) -> None:
    """Hands of another game need no table, and are told apart."""
    spec = catalogue("nolimit-100bb").replace(stacks=(1000,) * 3, blinds=(5, 10, 0), antes=(0,) * 3)
    hand = Hand(spec, seed=1)
    hand.play("cck/kkk/kkk/kkk")
    path = tmp_path / "hands.phhs"
    write([record_of(hand, names=["Ada", "Bob", "Cyd"])], path)
    page = open_page("/review")
    page.set_input_files("input[type=file]", str(path))
    page.get_by_label("Player").fill("Nobody")
    page.get_by_role("button", name="Review", exact=True).click()
    page.wait_for_selector(".problem, .status")
    assert "review=" in page.url


def test_runs_are_listed(open_page: Callable[..., Page]) -> None:
    page = open_page("/watch")
    page.wait_for_selector(".run, .nothing")
