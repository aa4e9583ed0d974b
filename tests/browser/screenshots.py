"""Pictures of every page, at three widths and in both themes: `make screenshots`.

They are written into build/screenshots, to be looked at; `make screenshots DOCS=1` takes those of
docs/web.md again.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from playwright.sync_api import sync_playwright

from riverboat.arena import Ledger, Match, MatchSettings, finish_matches, pairings, play_matches
from riverboat.game import Hand, catalogue
from riverboat.histories import record_of, write

from .serving import ARGUMENTS, chromium, ended, started

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page, Route

ROOT = Path(__file__).parents[2]
PLACE = ROOT / "build" / "screenshots"
DOCS = ROOT / "docs" / "pictures"
WIDTHS = {"phone": 390, "tablet": 820, "desktop": 1400}
PATIENCE = 180_000.0
LONG = "checkcall,montecarlo-plus,honest,random-pypokerengine,rule-based,shark,matt,killer"
TURN = "board=Ks7h2d2c&pot=20&stack=20&oop=QQ,77,AQs&ip=AK,JJ,98s&menu=50%25,a&target=0.5"
SLOW = "board=Ks7h2d3c&pot=50&stack=400&target=0.0001&menu=50%25,a&name=a long one"


def sit(page: Page, moves: int = 3) -> None:
    """Sit down and go along for some moves."""
    page.get_by_role("button", name="Sit down").click()
    page.locator(".felt[data-version]").wait_for()
    for _ in range(moves):
        page.wait_for_timeout(400)
        page.locator("[data-move=k], [data-move=c], [data-move=s]").first.click(timeout=5000)
    page.wait_for_timeout(600)


def discard(page: Page) -> None:
    """Sit down and come to where a card can be thrown away."""
    sit(page, 0)
    for _ in range(20):
        page.wait_for_timeout(400)
        if page.locator('[data-move^="d "]').count():
            return
        page.locator("[data-move=deal], [data-move=k], [data-move=c]").first.click()


def over(page: Page) -> None:
    """Play a hand to its end, with a mistake, and wait for the grade."""
    sit(page, 0)
    page.locator("[data-move=c], [data-move=k]").first.click()
    page.wait_for_timeout(800)
    while page.locator('.felt[data-phase="over"]').count() == 0:
        page.locator(".preset:last-child, [data-move=k], [data-move=c]").first.click()
        page.wait_for_timeout(800)
    page.locator(".after a").first.wait_for()
    page.wait_for_timeout(500)


def home(page: Page) -> None:
    """Wait for the four spots."""
    page.locator(".small-matrix").nth(3).wait_for()
    page.locator(".winnings").wait_for()


def rows(page: Page) -> None:
    """Wait for a list."""
    page.locator("tbody tr").first.wait_for()


def replay(page: Page) -> None:
    """Wait for the grade of a hand."""
    page.locator(".side .after p:not(.dots)").wait_for()


def study(page: Page) -> None:
    """Wait for a decision."""
    page.locator(".step.here").wait_for()
    page.wait_for_timeout(800)


def form(page: Page) -> None:
    """Wait for the forecast, and unfold all."""
    page.locator(".forecast", has_text="memory").wait_for()
    page.locator(".menu summary, .lines summary").first.click()
    page.locator(".lines summary").click()
    page.wait_for_timeout(300)


def solved(page: Page) -> None:
    """Solve, and show a report over cards and the locks."""
    page.locator(".forecast", has_text="memory").wait_for()
    page.get_by_role("button", name="Solve", exact=True).click()
    page.locator('[data-fact="State"]', has_text="finished").wait_for()
    page.locator(".step.here .share", has_text="%").first.wait_for()
    for line in ("k", "kk"):
        page.keyboard.press("1")
        page.locator(f'.path[data-line="{line}"]').wait_for()
    page.locator('[data-code="8d"]').click()
    page.locator(".locks summary").click()
    page.get_by_role("button", name="Add lock").click()
    page.get_by_role("button", name="Aggregated report").click()
    page.get_by_role("region", name="Aggregated report").locator("tbody tr").first.wait_for()


def running(page: Page) -> None:
    """Begin a solve and look at it while it runs; the one of the picture before is stopped."""
    for solve in page.request.get("/api/v1/solves").json():
        page.request.post(f"/api/v1/solves/{solve['id']}/stop", data={})
    page.locator(".forecast", has_text="memory").wait_for()
    page.get_by_role("button", name="Solve", exact=True).click()
    page.locator(".graph .dot").first.wait_for()
    page.wait_for_timeout(1500)


def library(page: Page) -> None:
    """Stop what runs, and show what is kept."""
    page.locator(".library li").first.wait_for()
    for row in page.locator(".library li", has_text="a long one").all():
        row.get_by_role("button").click()
        page.wait_for_timeout(400)


def matches(page: Page) -> None:
    """Play a match."""
    page.get_by_role("button", name="Start match").click()
    page.locator(".match table").first.wait_for()


def reviewed(page: Page) -> None:
    """Drop hands of the river, which need no table, and wait for what they cost."""
    page.set_input_files("input[type=file]", str(ROOT / "build" / "hands.jsonl"))
    page.get_by_label("Player").fill("Ada")
    page.get_by_role("button", name="Review", exact=True).click()
    page.locator("tbody tr td a").first.wait_for()


def asked(page: Page) -> None:
    """Answer a question."""
    page.locator("button.answer").first.wait_for()
    page.keyboard.press("2")
    page.locator(".graded rb-matrix").wait_for()
    page.wait_for_timeout(500)


def whole_hand(page: Page) -> None:
    """Play a move that is graded."""
    page.locator("[data-move=k], [data-move=c]").first.click()
    page.locator(".told li").first.wait_for()
    page.wait_for_timeout(500)


def charts(page: Page) -> None:
    """Wait for the charts."""
    page.locator(".chart rb-matrix").first.wait_for()
    page.wait_for_timeout(500)


def watch(page: Page) -> None:
    """Show what is in the ledger, and nothing that runs on this machine by chance."""

    def ours(route: Route) -> None:
        runs = [each for each in route.fetch().json() if each["place"].startswith("ledger:")]
        route.fulfill(json=runs)

    page.route("**/api/v1/watch", ours)
    page.reload()
    page.locator(".run table").first.wait_for()


def prepare(folder: Path) -> None:
    """Write hands to be reviewed, a tournament into a ledger of its own, and a log."""
    game, hands = catalogue("nolimit-100bb"), []
    for place, (line, holes) in enumerate(
        [("b25c/kk/kk/b25f", ["AsKs", "7c2d"]), ("b25c/kk/kk/kb50f", ["7c2d", "AsKs"])]
    ):
        hand = Hand(game, hole=holes, board="QsJsTs2h3d")
        hand.play(line)
        names = ["Ada", "Bob"] if place == 0 else ["Bob", "Ada"]
        hands.append(record_of(hand, names=names, hand_id=f"{place + 1}"))
    (ROOT / "build").mkdir(exist_ok=True)
    write(hands, ROOT / "build" / "hands.jsonl")
    os.environ["RIVERBOAT_LEDGER"] = str(folder / "ledger.sqlite")
    bots = ["fish", "checkcall", "random"]
    settings = MatchSettings(("fish", "checkcall"), "nolimit-100bb", hands=1000, seed=1)
    matches = [Match(each, ledger=Ledger()) for each in pairings(bots, settings)]
    list(play_matches(matches, workers=1))
    finish_matches(matches)


#: What is looked at: a name, an address, and what is done there.
PICTURES: dict[str, tuple[str, Callable[[Page], None] | None]] = {
    "home": ("/", home),
    "sessions": ("/sessions", rows),
    "session": ("/sessions?id=sample", rows),
    "replay": ("/sessions?id=sample&hand=3&step=9", replay),
    "play-set-up": ("/play", None),
    "play-2": ("/play", sit),
    "play-6": (f"/play?seats=6&opponents={LONG}", lambda page: sit(page, 1)),
    "play-9": (f"/play?seats=9&opponents={LONG}", lambda page: sit(page, 0)),
    "play-discards": ("/play?game=tossem-2026&opponents=checkcall", discard),
    "play-over": ("/play?opponents=checkcall", over),
    "study": ("/study?line=b25c/kb25c/k&board=Ks7h2d3c&hand=AKo", study),
    "study-compare": ("/study?line=b25&with=default&withline=b60&hand=AKo", study),
    "solve-form": ("/solve", form),
    "solve-report": (f"/solve?{TURN}", solved),
    "solve-running": (f"/solve?{SLOW}", running),
    "solve-library": ("/solve", library),
    "matches": ("/matches?hands=4000&bots=shark,checkcall", matches),
    "review": ("/review", reviewed),
    "trainer": ("/trainer?street=preflop&position=SB", asked),
    "trainer-hands": ("/trainer?mode=hands", whole_hand),
    "charts": ("/charts", charts),
    "charts-depths": ("/charts?strategy=all", charts),
    "watch": ("/watch", watch),
    "docs": ("/docs", None),
}
#: Those of docs/web.md: name, width, theme.
SHOWN = [
    ("home", "desktop", "light"),
    ("replay", "desktop", "light"),
    ("matches", "desktop", "light"),
    ("play-6", "desktop", "light"),
    ("play-over", "phone", "dark"),
    ("study", "desktop", "dark"),
    ("solve-form", "desktop", "light"),
    ("solve-report", "desktop", "light"),
    ("review", "desktop", "light"),
    ("trainer", "desktop", "light"),
    ("trainer-hands", "phone", "dark"),
    ("charts", "desktop", "light"),
    ("watch", "desktop", "dark"),
]


class Picture(NamedTuple):
    """What is looked at, how, and where it is kept."""

    name: str
    width: str
    theme: str
    path: Path


def take(browser: Browser, address: str, asked: Picture) -> None:
    """Make one picture."""
    name, width, theme, path = asked
    where, act = PICTURES[name]
    context = browser.new_context(
        base_url=address,
        viewport={"width": WIDTHS[width], "height": 844 if width == "phone" else 900},
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(where)
    page.wait_for_timeout(500)
    if act is not None:
        act(page)
    page.evaluate("scrollTo(0, 0)")
    if path.suffix == ".jpg":
        page.screenshot(path=path, type="jpeg", quality=60)
    else:
        page.screenshot(path=path, full_page=True)
    context.close()


def main(chosen: list[str]) -> None:
    """Make the pictures whose names begin so, or all; with DOCS (and names) those of the docs."""
    PLACE.mkdir(parents=True, exist_ok=True)
    DOCS.mkdir(exist_ok=True)
    if chosen[:1] == ["DOCS"]:
        wanted = chosen[1:] or [each[0] for each in SHOWN]
        asked = [Picture(*each, DOCS / f"{each[0]}.jpg") for each in SHOWN if each[0] in wanted]
    else:
        asked = [
            Picture(name, width, theme, PLACE / f"{name}-{width}-{theme}.png")
            for name in PICTURES
            for width in WIDTHS
            for theme in ("light", "dark")
            if not chosen or f"{name}-{width}-{theme}".startswith(tuple(chosen))
        ]
    with tempfile.TemporaryDirectory() as data, sync_playwright() as driver:
        prepare(Path(data))
        process, address = started(Path(data))
        browser = driver.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        try:
            for each in asked:
                take(browser, address, each)
                print(each.path)
        finally:
            browser.close()
            process.terminate()
            ended(process)


if __name__ == "__main__":
    main(sys.argv[1:])
