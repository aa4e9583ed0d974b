"""Look into a strategy as a person does."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def here(page: Page, line: str) -> None:
    """Wait for the decision of an address."""
    page.wait_for_url(f"**line={line}*")
    page.locator(f'.path[data-line="{line}"]').wait_for()


def test_a_line_is_walked_along_and_back(open_page: Callable[..., Page]) -> None:
    page = open_page("/study")
    page.locator('.step.here [data-action="b25"]').click()
    here(page, "b25")
    page.locator('.step.here [data-action="c"]').click()
    here(page, "b25c")
    for code in ("Ks", "7h", "2d"):
        page.locator(f'[data-code="{code}"]').click()
        page.locator(f'.path[data-board$="{code}"]').wait_for()
    page.locator(".step.here .share", has_text="%").first.wait_for()
    assert "board=Ks7h2d" in page.url
    page.keyboard.press("1")
    here(page, "b25c/k")
    page.locator(".path .step").nth(3).wait_for()
    page.go_back()
    page.locator(".path .step").nth(3).wait_for(state="detached")
    page.go_forward()
    here(page, "b25c/k")
    page.locator(".path .step").nth(3).wait_for()
    page.locator(".path .step").nth(0).locator("button.choice", has_text="call").click()
    here(page, "c")
    page.keyboard.press("Backspace")
    page.locator(".path .step").nth(1).wait_for(state="detached")


def test_hands_by_keyboard_and_by_address(open_page: Callable[..., Page]) -> None:
    page = open_page("/study?line=b25c&board=Ks7h2d")
    page.locator(".step.here").wait_for()
    page.keyboard.press("m")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**hand=AKo*")
    page.locator(".combo").first.wait_for()
    assert page.locator(".combo").count() == 9  # twelve, less those with the king of spades
    page.locator(".combo").first.click()
    page.wait_for_url("**hand=A*K*")
    again = open_page(page.url)
    again.locator('.combo[aria-pressed="true"]').wait_for()
    label = again.locator('[data-name="AKo"]').get_attribute("aria-label") or ""
    assert label.startswith("AKo, ace king offsuit: ")


def test_pictures_and_comparison(open_page: Callable[..., Page]) -> None:
    page = open_page("/study?line=b25&with=default&withline=c")
    page.get_by_role("button", name="Difference").wait_for()
    assert page.get_by_role("button", name="Difference").get_attribute("aria-pressed") == "true"
    page.locator(".modes button", has_text="Equity").click()
    page.wait_for_url("**view=equity*")
    assert page.locator(".graph .curve").count() == 2
    page.locator('.modes [data-key="equity"][aria-pressed="true"]').wait_for()
    small = page.locator('[data-name="AA"]').get_attribute("data-small")
    assert 60 < int(small or 0) < 95


def test_files(open_page: Callable[..., Page], tmp_path: Path) -> None:
    page = open_page("/study")
    page.locator(".step.here").wait_for()
    found = {}
    for kind in ("CSV", "JSON", "PNG"):
        with page.expect_download() as download:
            page.get_by_role("button", name=kind).click()
        found[kind] = tmp_path / kind
        download.value.save_as(found[kind])
    rows = list(csv.DictReader(found["CSV"].read_text().splitlines()))
    assert len(rows) == 1326
    node = json.loads(found["JSON"].read_text())
    for row in rows[::97]:
        assert sum(float(row[each["action"]]) for each in node["actions"]) == pytest.approx(
            1, abs=0.003
        )
    assert found["PNG"].read_bytes().startswith(b"\x89PNG")


def test_solve_from_here(open_page: Callable[..., Page]) -> None:
    page = open_page("/study?line=b25c/kk/kk&board=Ks7h2d3c8d")
    page.get_by_role("button", name="Solve from here").click()
    page.locator(".forecast", has_text="memory").wait_for()
    assert page.locator('[name="pot"]').input_value() == "50"
    assert page.locator('[name="stack"]').input_value() == "975"
    assert "AA" in page.get_by_label("Range out of position: text").input_value()


def test_keys_are_told(open_page: Callable[..., Page]) -> None:
    page = open_page("/study")
    page.locator(".step.here").wait_for()
    page.get_by_role("button", name="Keyboard shortcuts").click()
    assert "Backspace" in page.get_by_role("dialog").inner_text()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
