"""The table: it fits every window, shows the result of a hand, and moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from .serving import ended, started
from .test_play import changed, phase, sit, version

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
DESKTOPS = [(1280, 720), (1366, 650), (1440, 900), (1920, 950), (2560, 1440)]
PHONES = [(360, 640), (390, 844)]
#: Buttons and fields that lie outside the window, and cards that something else covers.
OUTSIDE = """() => [...document.querySelectorAll('.moves button, .moves input, .table-bar button')]
  .filter((each) => {
    const box = each.getBoundingClientRect();
    return box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth;
  }).map((each) => each.textContent)"""
COVERED = """() => [...document.querySelectorAll('.felt rb-card')].filter((card) => {
    const box = card.getBoundingClientRect();
    const points = [[.15, .15], [.85, .15], [.5, .5], [.15, .85], [.85, .85]];
    return points.some(([x, y]) => {
      const top = document.elementFromPoint(box.left + x * box.width, box.top + y * box.height);
      return !top || !card.contains(top);
    });
  }).length"""


def end_hand(page: Page) -> None:
    """Check and call until the hand is over."""
    while phase(page) != "over":
        before = version(page)
        page.locator("[data-move=k], [data-move=c]").first.click()
        changed(page, before)


@pytest.mark.parametrize("seats", [2, 6, 9])
@pytest.mark.parametrize(("width", "height"), DESKTOPS + PHONES)
def test_all_buttons_are_in_view(
    open_page: Callable[..., Page], width: int, height: int, seats: int
) -> None:
    page = open_page(f"/play?seats={seats}&opponents=checkcall", width, height=height)
    sit(page)
    assert page.locator(".preset").count() >= 3
    for _ in range(2):
        assert page.evaluate(OUTSIDE) == []
        assert page.evaluate(COVERED) == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        end_hand(page)
    assert page.locator(".result strong").is_visible()


def test_cards_are_large(open_page: Callable[..., Page]) -> None:
    """They were 52 pixels wide at 1440 x 900."""
    page = open_page("/play?opponents=checkcall", 1440)
    sit(page)
    boxes = [each.bounding_box() for each in page.locator(".chair.you rb-card").all()]
    assert all(box is not None and box["width"] >= 1.6 * 52 for box in boxes)


def test_the_result_is_on_the_table(open_page: Callable[..., Page]) -> None:
    """The winner, the hand in words, the net of this hand and not of the session; no pot."""
    page = open_page("/play?opponents=checkcall")
    sit(page)
    totals = []
    for _ in range(3):
        end_hand(page)
        net = page.locator(".chair.you .net")
        words = page.locator(".result").inner_text()
        assert page.locator(".pot, .bet:visible >> nth=0").count() == 0 or "bb" in words
        if "split" not in words:
            assert net.inner_text() in {"+1\u00a0bb", "\u22121\u00a0bb"}
            assert words.startswith(("You win 2\u00a0bb", "Stan wins 2\u00a0bb"))
            totals.append(net.inner_text())
        assert page.locator(".seat .bet").count() == 0
        before = version(page)
        page.keyboard.press("Space")
        changed(page, before)
    assert totals


def test_a_sentence_after_the_hand(open_page: Callable[..., Page]) -> None:
    page = open_page("/play?opponents=checkcall")
    sit(page)
    end_hand(page)
    page.locator(".after a").first.wait_for()
    words = page.locator(".after p").inner_text()
    assert words.startswith(("No mistake", "You lost "))
    page.get_by_role("link", name="See the solver").click()
    page.locator(".step.here").wait_for()
    page.go_back()
    page.get_by_role("link", name="Solve other sizes").click()
    page.locator(".forecast").wait_for()
    assert "board=" in page.url


def test_a_hand_of_three_players_says_why_it_is_not_graded(open_page: Callable[..., Page]) -> None:
    page = open_page("/play?seats=3&opponents=checkcall")
    sit(page)
    end_hand(page)
    page.locator(".after a").first.wait_for()
    words = page.locator(".after p").inner_text()
    assert words == "Not graded: no installed strategy plays this table of 3 players."
    assert page.get_by_role("link", name="Review hand").count() == 1


def test_amounts_in_blinds_or_chips(open_page: Callable[..., Page]) -> None:
    page = open_page("/play?opponents=checkcall")
    sit(page)
    assert "bb" in page.locator(".chair.you .stack-size").inner_text()
    page.get_by_role("button", name="Show chips").click()
    page.locator(".chair.you .stack-size", has_not_text="bb").wait_for()
    assert page.locator(".chair.you .stack-size").inner_text() in {"995", "990", "970"}
    page.get_by_role("button", name="Show bb").click()
    page.locator(".chair.you .stack-size", has_text="bb").wait_for()


def test_big_blinds_are_accepted(open_page: Callable[..., Page]) -> None:
    page = open_page("/play?opponents=checkcall")
    sit(page)
    assert "2.5x" in page.locator(".preset").first.inner_text()
    before = version(page)
    page.keyboard.press("b")
    page.keyboard.type("3bb")
    page.keyboard.press("Enter")
    changed(page, before)
    assert "raise to 3\u00a0bb" in page.locator(".notes").inner_text()
    assert "33 %" in page.locator(".presets").inner_text()
    assert "125 %" in page.locator(".presets").inner_text()


def test_own_sizes_are_kept(open_page: Callable[..., Page]) -> None:
    page = open_page("/play?opponents=checkcall")
    sit(page)
    page.get_by_role("button", name="Settings").click()
    page.locator('input[name="sizes"]').fill("2.2x, 9bb")
    page.locator('input[name="sizes"]').press("Tab")
    page.keyboard.press("Escape")
    page.reload()
    before = version(page)
    page.locator(".preset", has_text="9bb").click()
    page.locator(".notes", has_text="raise to 9").wait_for()
    assert version(page) != before


RECORD = """() => {
  window.seen = [];
  const before = Element.prototype.animate;
  Element.prototype.animate = function (frames, how) {
    seen.push({ names: frames.flatMap(Object.keys), how });
    return before.call(this, frames, how);
  };
}"""


def test_it_moves_with_transform_and_opacity_only(open_page: Callable[..., Page]) -> None:
    page = open_page("/play?opponents=checkcall", motion="full")
    page.evaluate(RECORD)
    sit(page)
    before = version(page)
    page.locator("[data-move=k], [data-move=c]").first.click()
    changed(page, before)
    seen: list[dict[str, Any]] = page.evaluate("seen")
    assert {name for each in seen for name in each["names"]} <= {"translate", "scale", "opacity"}
    assert all(150 <= each["how"]["duration"] <= 250 for each in seen)
    assert len(seen) > 2


@pytest.mark.parametrize("speed", ["0", "0.5", "2"])
def test_speed_of_motion_is_a_setting(open_page: Callable[..., Page], speed: str) -> None:
    page = open_page("/play?opponents=checkcall", motion="full")
    page.get_by_role("button", name="Settings").click()
    page.locator('select[name="speed"]').select_option(speed)
    page.keyboard.press("Escape")
    page.evaluate(RECORD)
    sit(page)
    page.locator("[data-move=k], [data-move=c]").first.click()
    page.locator(".board rb-card").nth(2).wait_for()
    seen = {each["how"]["duration"] * float(speed) for each in page.evaluate("seen")}
    assert all(150 <= each <= 250 for each in seen)
    assert bool(seen) == (speed != "0")


def test_an_opponent_thinks_before_it_acts(open_page: Callable[..., Page]) -> None:
    page = open_page("/play?opponents=checkcall", motion="full")
    sit(page)
    page.locator("[data-move=k], [data-move=c]").first.click()
    page.locator(".seat .dots", has_text="thinking").wait_for()


def test_sound_is_off_until_it_is_wanted(open_page: Callable[..., Page]) -> None:
    page = open_page("/play?opponents=checkcall", motion="full")
    page.evaluate("() => { delete window.AudioContext; }")  # a sound would be an error
    sit(page)
    page.locator("[data-move=k], [data-move=c]").first.click()
    page.locator(".board rb-card").nth(2).wait_for()
    assert page.get_by_role("button", name="♪ off").count() == 1


def test_the_most_used_control_is_the_largest(open_page: Callable[..., Page]) -> None:
    """It was the smallest: "Raise to" in a corner."""
    page = open_page("/play?opponents=checkcall")
    sit(page)
    widths = {}
    for button in page.locator(".buttons .move").all():
        box = button.bounding_box()
        assert box is not None
        widths[button.get_attribute("data-move")] = box["width"]
    assert len(widths) >= 2
    assert max(widths, key=lambda each: widths[each]) == "b"


def test_reduced_motion_is_respected(open_page: Callable[..., Page]) -> None:
    page = open_page("/play?opponents=checkcall")
    sit(page)
    end_hand(page)
    assert page.evaluate("document.getAnimations().length") == 0


def test_opponents_are_named(open_page: Callable[..., Page]) -> None:
    page = open_page("/play")
    page.get_by_role("radio").first.wait_for()
    assert page.get_by_role("radio").count() == 5
    assert page.get_by_role("radio", checked=True).inner_text().split("\n")[-1] == "bot: search"
    page.get_by_role("radio", name="Stan").click()
    sit(page)
    assert page.locator(".chair:not(.you) .who").inner_text() == "Stan"
    page.get_by_role("button", name="Leave table").click()
    page.get_by_role("radio").first.wait_for()
    page.get_by_role("slider").fill("6")
    assert page.get_by_role("radio", name="Sol").count() == 0
    sit(page)
    names = page.locator(".chair:not(.you) .who").all_inner_texts()
    assert len(set(names)) == 5


def test_the_link_for_a_second_person_has_a_token_that_becomes_a_cookie(
    open_page: Callable[..., Page], tmp_path: Path
) -> None:
    process, address = started(tmp_path, host="0.0.0.0")  # noqa: S104 - a token is needed
    try:
        place, _, token = address.partition("/?")
        place = place.replace("0.0.0.0", "127.0.0.1")  # noqa: S104 - replaced
        host = open_page(f"{place}/play?people=2&{token}")
        host.get_by_text("You play against each other").wait_for()
        assert "token" not in host.url
        sit(host)
        link = host.get_by_label("Link for the second person").input_value()
        assert token not in link
        guest = open_page(link, remote=True)  # a browser of its own
        guest.locator("[data-move=deal]").click()
        guest.locator(".chair.you rb-card").nth(1).wait_for()
        assert "token" not in guest.url
        guest.reload()
        guest.locator(".chair.you rb-card").nth(1).wait_for()
        [cookie] = guest.context.cookies()
        assert (cookie["name"], cookie["httpOnly"]) == ("riverboat", True)
        assert cookie["value"] in link
    finally:
        process.kill()
        ended(process)


def test_a_second_person_joins_by_link(open_page: Callable[..., Page]) -> None:
    host = open_page("/play?people=2")
    host.get_by_text("You play against each other").wait_for()
    sit(host)
    link = host.get_by_label("Link for the second person").input_value()
    assert "token" not in link
    guest = open_page(link)
    host.locator(".invite").wait_for(state="hidden")
    guest.locator("[data-move=deal]").click()
    for page in (host, guest):
        page.locator(".chair.you rb-card").nth(1).wait_for()
        assert page.locator(".chair:not(.you) rb-card[code='??']").count() == 2
    for _ in range(12):
        page = host if host.locator("[data-move=k], [data-move=c]").count() else guest
        page.locator("[data-move=k], [data-move=c]").first.click()
        host.wait_for_timeout(300)
        if phase(host) == phase(guest) == "over":
            break
    words = {page.locator(".result").inner_text().split()[0] for page in (host, guest)}
    assert words & {"You", "Player"}
    assert host.locator(".board rb-card").count() == 5
