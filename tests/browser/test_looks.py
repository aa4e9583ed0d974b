"""How pages look: widths, themes, accessibility, types, size."""

from __future__ import annotations

import subprocess
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import riverboat.web

from . import api_types
from .conftest import tool

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
PAGES = Path(riverboat.web.__file__).parent / "pages"
MOST_BYTES = 300_000
SOLVE = "board=2s3h4d6c7c&pot=20&stack=10&oop=AsAh,QsQh&ip=KsKh&menu=a&target=0.5"
#: Pages, and what is there when they are drawn.
READY = {
    "/": ".small-matrix",
    "/sessions": "tbody tr",
    "/sessions?id=sample": "tbody tr",
    "/sessions?id=sample&hand=8&step=4": ".side .after p:not(.dots)",
    "/play": "form select",
    "/play?opponents=checkcall": "form select",
    "/play?seats=6&opponents=checkcall": "form select",
    "/play?game=tossem-2026&opponents=checkcall": "form select",
    "/study?line=b25c/k&board=Ks7h2d&hand=AKo": ".step.here",
    "/study?line=b25c/k&board=Ks7h2d&hand=AKo&with=default": ".step.here",
    "/study?line=b25c": ".board-picker[open]",
    "/solve": ".forecast",
    f"/solve?{SOLVE}": ".forecast",
    "/matches": "form select",
    "/review": "form select",
    "/trainer?street=preflop&position=SB": "button.answer",
    "/charts": ".chart rb-matrix",
    "/watch": ".run, .nothing",
    "/docs": ".api details",
}
CI_SIZES = {(360, "light"), (1400, "dark")}
#: All of them in `make test-browser`; CI takes two.
SIZES = [
    pytest.param(width, theme, marks=() if (width, theme) in CI_SIZES else pytest.mark.slow)
    for width in (360, 820, 1400)
    for theme in ("light", "dark")
]


def drawn(open_page: Callable[..., Page], path: str, width: int, theme: str) -> Page:
    page = open_page(path, width, theme)
    page.locator(READY[path]).first.wait_for()
    if path.startswith("/solve"):
        page.locator(".forecast", has_text="memory").wait_for()
    if SOLVE in path:
        page.get_by_role("button", name="Solve", exact=True).click()
        page.locator('[data-fact="State"]', has_text="finished").wait_for()
        page.locator(".step.here .share", has_text="%").first.wait_for()
    if "opponents" in path:
        page.get_by_role("button", name="Sit down").click()
        page.locator(".felt .chair").first.wait_for()
    return page


@pytest.mark.parametrize(("width", "theme"), SIZES)
@pytest.mark.parametrize("path", READY)
def test_it_fits_and_axe_finds_nothing_serious(
    open_page: Callable[..., Page], path: str, width: int, theme: str
) -> None:
    axe = tool("axe-core/axe.min.js").read_text(encoding="utf-8")
    page = drawn(open_page, path, width, theme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("html").get_attribute("data-theme") == theme
    page.evaluate(f"() => {{ {axe} }}")
    found = page.evaluate("() => axe.run()")
    serious = [each for each in found["violations"] if each["impact"] in {"serious", "critical"}]
    assert [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in serious] == []


#: Buttons of more than five words, and help of more than twelve; strategies and requests name
#: themselves.
LONG_WORDS = """() => {
  const words = (text) => (text.match(/[A-Za-z][\\w'-]*/g) ?? []).length;
  const told = (each) => {
    const copy = each.cloneNode(true);
    copy.querySelectorAll("kbd, small").forEach((part) => part.remove());
    return copy.textContent;
  };
  const buttons = [...document.querySelectorAll("button, a.button, summary")]
    .filter((each) => !each.closest("[role=radiogroup], rb-matrix, .notes, .api, .step"));
  const help = [...document.querySelectorAll(".field small, .card > small, .invite small")];
  const long = (each, most) => words(told(each)) > most;
  return [...buttons.filter((each) => long(each, 5)), ...help.filter((each) => long(each, 12))]
    .map(told);
}"""


@pytest.mark.parametrize("path", [path for path in READY if "opponents" not in path])
def test_words_are_few(open_page: Callable[..., Page], path: str) -> None:
    page = drawn(open_page, path, 1400, "light")
    assert page.evaluate(LONG_WORDS) == []
    page.get_by_role("button", name="Settings").click()
    page.locator('input[name="sizes"]').wait_for()
    assert page.evaluate(LONG_WORDS) == []


def test_settings_are_kept(open_page: Callable[..., Page]) -> None:
    page = open_page("/study")
    page.locator(".step.here").wait_for()
    colour = page.locator(".step.here .swatch").first.get_attribute("style")
    page.get_by_role("button", name="Settings").click()
    page.locator('select[name="theme"]').select_option("dark")
    page.locator('select[name="deck"]').select_option("two")
    page.locator('select[name="palette"]').select_option("colour-blind")
    page.keyboard.press("Escape")
    page.reload()
    page.locator(".step.here").wait_for()
    assert page.locator("html").get_attribute("data-theme") == "dark"
    assert page.locator("html").get_attribute("data-deck") == "two"
    assert page.locator(".step.here .swatch").first.get_attribute("style") != colour


def test_types_of_the_api_are_those_of_the_server() -> None:
    assert api_types.FILE.read_text(encoding="utf-8") == api_types.declarations(), (
        "the API has changed: run tests/browser/api_types.py"
    )


def test_types_of_the_pages() -> None:
    checker = tool(".bin/tsc")
    command = [str(checker), "--project", str(Path(__file__).parent / "tsconfig.json")]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_all_pages_are_small(address: str) -> None:
    total = 0
    for path in PAGES.iterdir():
        where = "/play" if path.name == "index.html" else f"/static/{path.name}"
        asked = urllib.request.Request(address + where, headers={"accept-encoding": "gzip"})  # noqa: S310
        with urllib.request.urlopen(asked) as answer:  # noqa: S310 - ours
            total += len(answer.read())
    assert 10_000 < total <= MOST_BYTES
