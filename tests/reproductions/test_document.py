"""Each document item by item: the data, the section of the report and the page of the docs.

After a run, `scripts/reproduction_pages FOLDER` writes the sections of a page that come from it.
"""

import re
import sys
from pathlib import Path
from runpy import run_path

import msgspec
import pytest

from riverboat.report import Report, Table
from riverboat.reproductions import NAMES, Found, find_reproduction
from riverboat.reproductions._recipe import Item, shown_items

from .stored import found_of, section, sections

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "reproductions"
BETWEEN = "<!-- run: In five lines -->\nold\n<!-- end of run -->\n"
NUM_CLAIMS = 5
TITLE = "## In the document, and here"
# Documents whose items name the experiment that ran them.
NAMED = ("cardiff", "pineapple", "yerevan", "husky", "caltech")


def cells(line: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


@pytest.mark.parametrize("name", NAMES)
def test_every_item_says_where_and_why(name: str) -> None:
    items = find_reproduction(name).items
    assert len(items) > 15
    assert all(item.where and item.what and item.how for item in items)
    assert len({(item.where, item.what) for item in items}) == len(items)
    assert {"present", "differs"} <= {item.here for item in items}


@pytest.mark.parametrize("name", NAMED)
def test_what_is_present_comes_from_an_experiment(name: str) -> None:
    """Nothing is present without a step that ran it and a result that shows it."""
    reproduction = find_reproduction(name)
    for item in reproduction.items:
        assert item.step in ("", "setting", *reproduction.steps), item.what
        if item.here == "present":
            assert item.step, item.what
            assert "{{" in item.shown, item.what
        if item.here in ("elsewhere", "not here"):
            assert not item.shown, item.what


@pytest.mark.parametrize("name", NAMES)
def test_the_last_section_lists_them(name: str) -> None:
    last = sections(name, found_of(name))[-1]
    (table,) = (part for part in last.parts if isinstance(part, Table))
    assert [row[1] for row in table.rows] == [item.what for item in find_reproduction(name).items]


@pytest.mark.parametrize("name", NAMED)
def test_what_is_present_shows_a_result(name: str) -> None:
    last = section(name, found_of(name), "In the document")
    (table,) = (part for part in last.parts if isinstance(part, Table))
    for _, what, here, _, shown in table.rows:
        assert shown or here != "present", what


def test_an_item_whose_experiment_was_left_out_is_not_in_this_run() -> None:
    item = Item("5", "a table", "present", "the same table", "table", "{{ r.table.hands }} hands")
    (ran,) = shown_items([item], r=Found(table=Found(hands=2_000)))
    (left_out,) = shown_items([item], r=Found(table=Found(missing="no engine")))
    assert (ran.here, ran.shown) == ("present", "2,000 hands")
    assert (left_out.here, left_out.shown) == ("not in this run", "no engine")


@pytest.mark.parametrize("name", NAMED)
def test_a_report_begins_with_five_claims(name: str) -> None:
    first = sections(name, found_of(name))[0]
    (table,) = first.parts
    assert first.title == "In five lines"
    assert isinstance(table, Table)
    assert all(all(row) for row in table.rows)


def test_the_demo_has_no_document() -> None:
    assert find_reproduction("demo").items == ()


@pytest.mark.parametrize("name", NAMES)
def test_the_page_ends_with_the_same_items(name: str) -> None:
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8").split(TITLE)[1]
    _, _, *rows = [line for line in page.splitlines() if line.startswith("|")]
    listed = [(item.where, item.what, item.how) for item in find_reproduction(name).items]
    assert [(where, what, how) for where, what, _, how, *_ in map(cells, rows)] == listed


def test_pages_are_written_from_the_folder_of_all_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sections between the marks come from the report; the rest of a page stays."""
    script, pages = run_path(str(ROOT / "scripts" / "reproduction_pages")), tmp_path / "pages"
    pages.mkdir()
    for name in ("caltech", "husky"):
        (pages / f"{name}.md").write_text("# Kept\n\n" + BETWEEN, encoding="utf-8")
        (tmp_path / "all" / name).mkdir(parents=True)
        how = ("tiny", 7, 1.0, "2 cores", "0")
        report = Report(name, "x", "A title", *how, sections(name, found_of(name)))
        (tmp_path / "all" / name / "report.json").write_bytes(msgspec.json.encode(report))
    monkeypatch.setitem(script["main"].__globals__, "PAGES", pages)
    monkeypatch.setattr(sys, "argv", ["reproduction_pages", str(tmp_path / "all")])
    script["main"]()
    for name in ("caltech", "husky"):
        page = (pages / f"{name}.md").read_text(encoding="utf-8")
        assert page.startswith(
            "# Kept\n\n<!-- run: In five lines -->\n## In five lines\n\nA tiny run"
        )
        assert page.count("\n| ") == NUM_CLAIMS + 2
        assert page.endswith("<!-- end of run -->\n")
    monkeypatch.setattr(sys, "argv", ["reproduction_pages", str(tmp_path / "none")])
    with pytest.raises(
        SystemExit, match=r"name folders with the report\.json of a run, not .*none"
    ):
        script["main"]()
