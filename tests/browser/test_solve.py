"""Solve as a person does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from .conftest import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
#: Aces or queens against kings, from docs/spots.md: queens bluff one time in three.
BLUFF = "/solve?board=2s3h4d6c7c&pot=20&stack=10&oop=AsAh,QsQh&ip=KsKh&menu=a&target=0.01"
TURN = "/solve?board=Ks7h2d2c&pot=20&stack=20&oop=QQ,77&ip=AK,JJ&menu=a&target=0.5"


def solved(page: Page) -> None:
    page.locator(".forecast", has_text="memory").wait_for()
    page.get_by_role("button", name="Solve", exact=True).click()
    page.locator('[data-fact="State"]', has_text="finished").wait_for()
    page.locator(".step.here .share", has_text="%").first.wait_for()


def test_a_range_is_painted_and_typed(open_page: Callable[..., Page]) -> None:
    page = open_page("/solve", refused=True)
    page.locator(".forecast", has_text="memory").wait_for()
    editor = page.locator(".range").first
    text = editor.locator("textarea")
    editor.get_by_role("button", name="Clear").click()
    editor.locator('[data-name="22"]').scroll_into_view_if_needed()
    first, last = (editor.locator(f'[data-name="{name}"]').bounding_box() for name in ("AA", "AJs"))
    assert first is not None
    assert last is not None
    page.mouse.move(first["x"] + 5, first["y"] + 5)
    page.mouse.down()
    page.mouse.move(last["x"] + 5, last["y"] + 5, steps=20)
    page.mouse.up()
    editor.locator("small", has_text="18 combos").wait_for()  # six aces, four each of AKs, AQs, AJs
    page.locator(".forecast", has_text="memory").wait_for()
    for _ in range(200):  # the server writes the text
        if text.input_value() == "AA, AJs+":
            break
        page.wait_for_timeout(50)
    assert text.input_value() == "AA, AJs+"
    editor.locator('[data-name="AA"]').focus()
    editor.locator("input[type=range]").fill("50")
    page.locator('.range >> nth=0 >> [data-name="AA"]').press("ArrowDown")
    page.keyboard.press("Space")  # ace king offsuit by half: six hands more
    editor.locator('[data-small="50"]').first.wait_for()
    page.wait_for_url("**AKo*")
    assert "AKo:0.5" in text.input_value()
    text.fill("QQ+, 72o")
    editor.locator("small", has_text="30 combos").wait_for()
    text.fill("QQ+, 7x")
    assert "7x" in editor.get_by_role("alert").inner_text()


def test_a_river_is_solved_and_locked(open_page: Callable[..., Page]) -> None:
    page = open_page(BLUFF)
    solved(page)
    assert page.locator(".graph .dot").count() > 1
    page.locator('[data-name="QQ"]').click()
    label = page.locator('[data-name="QQ"]').get_attribute("aria-label") or ""
    bluffs = re.search(r"all-in 10 (\d+) %", label)
    assert bluffs is not None
    assert abs(int(bluffs[1]) - 33) <= 3
    page.locator('.step.here [data-action="b10"]').click()
    page.locator('.path[data-line="b10"]').wait_for()
    page.locator(".locks summary").click()
    page.locator('[data-lock="f"]').wait_for()
    page.locator('[data-lock="hands"]').fill("KK")
    page.locator('[data-lock="f"]').fill("25")
    page.locator('[data-lock="c"]').fill("75")
    page.get_by_role("button", name="Add lock").click()
    assert page.locator(".lock-list code").inner_text() == "b10: KK = f 25 c 75"
    before = page.url
    page.get_by_role("button", name="Solve with this lock").click()
    page.wait_for_url(lambda url: url != before)
    page.locator('[data-fact="State"]', has_text="finished").wait_for()
    page.locator(".path .step").nth(1).wait_for()
    page.keyboard.press("Backspace")
    page.locator(".path .step").nth(1).wait_for(state="detached")
    label = page.locator('[data-name="QQ"]').get_attribute("aria-label") or ""
    assert "check 100 %" in label


def test_a_turn_with_a_report(open_page: Callable[..., Page]) -> None:
    page = open_page(TURN)
    solved(page)
    for line in ("k", "kk"):
        page.keyboard.press("1")
        page.locator(f'.path[data-line="{line}"]').wait_for()
    page.locator('[data-code="8d"]').click()
    page.get_by_role("button", name="Aggregated report").click()
    rows = page.get_by_role("region", name="Aggregated report").locator("tbody tr")
    rows.first.wait_for()
    assert rows.count() >= 48
    rows.nth(3).locator("button").click()
    page.wait_for_url(lambda url: "board=Ks7h2d2c8d" not in url)


def test_the_library(open_page: Callable[..., Page]) -> None:
    page = open_page(BLUFF + "&name=of%20kings")
    solved(page)
    page.get_by_role("link", name="Solve", exact=True).click()
    row = page.locator(".library li", has_text="of kings")
    row.get_by_role("link", name="Copy").click()
    expect(page.locator('[name="name"]')).to_have_value("of kings", timeout=PATIENCE)
    page.locator(".forecast", has_text="memory").wait_for()
    assert page.locator('[name="pot"]').input_value() == "20"
    page.locator(".library li", has_text="of kings").get_by_role("button").click()
    page.locator(".library li", has_text="of kings").wait_for(state="detached")


def test_a_solve_is_stopped_and_goes_on(open_page: Callable[..., Page]) -> None:
    page = open_page("/solve?board=Ks7h2d3c&pot=50&stack=400&target=0.0001&menu=50%25,a")
    page.locator(".forecast", has_text="memory").wait_for()
    page.get_by_role("button", name="Solve", exact=True).click()
    page.locator(".graph .dot").first.wait_for()
    page.locator(".step.here .share", has_text="%").first.wait_for()
    page.get_by_role("button", name="Stop").click()
    page.locator('[data-fact="State"]', has_text="stopped").wait_for()
    page.get_by_role("button", name="Resume").click()
    page.get_by_role("button", name="Stop").click()
    page.locator('[data-fact="State"]', has_text="stopped").wait_for()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("heading", name="Library").wait_for()


def test_all_that_a_spot_accepts(open_page: Callable[..., Page]) -> None:
    page = open_page(
        "/solve?board=Ks7h9d8c&pot=40&stack=100&oop=QQ,TT&ip=AK&menu=50%25", refused=True
    )
    page.locator(".forecast", has_text="memory").wait_for()
    page.locator('[name="stack_ip"]').fill("90")
    page.locator('[name="betting"]').select_option("pot-limit")
    page.locator('[name="deck"]').select_option("short")
    page.locator('[name="big_blind"]').fill("2")
    page.locator(".lines summary").click()
    page.locator('[name="added"]').fill("b7")
    page.locator('[name="removed"]').fill("kk/b20")
    page.locator(".menu summary").click()
    page.locator('[data-size="river-ip"]').fill("33% | 3x")
    page.locator('[data-size="turn-donk"]').fill("25%")
    page.locator('[data-size="add"]').fill("150")
    menu = "50% ; donk 25% / 50% ; ip 33% | 3x ; add 150%"
    expect(page.locator('[name="menu"]')).to_have_value(menu, timeout=PATIENCE)
    page.wait_for_url("**removed=**")
    page.locator(".forecast", has_text="memory").wait_for()
    page.get_by_role("button", name="Solve", exact=True).click()
    page.wait_for_url("**id=*")
    number = page.url.partition("id=")[2].partition("&")[0]
    state = page.request.get(f"/api/v1/solves/{number}").json()
    spot = state["asked"]["spot"]
    asked = ("stack", "betting", "deck", "big_blind", "added", "removed")
    assert [spot[name] for name in asked] == [
        [100, 90],
        "pot-limit",
        "short",
        2,
        ["b7"],
        ["kk/b20"],
    ]
    page.goto(f"/solve?from={number}")
    page.locator(".forecast", has_text="memory").wait_for()
    assert page.locator('[name="stack_ip"]').input_value() == "90"
    assert page.locator('[name="added"]').input_value() == "b7"
    page.locator('[name="betting"]').select_option("fixed-limit")
    page.locator('[name="bet_sizes"]').fill("4, 8")
    page.locator('[name="menu"]').fill("min ; cap 4")
    page.locator('[name="added"]').fill("")
    page.locator('[name="removed"]').fill("")
    page.locator(".forecast", has_text="memory").wait_for()
