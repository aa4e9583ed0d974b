"""Each document item by item: the data, the section of the report and the page of the docs.

After a run, `scripts/reproduction_pages FOLDER` writes the sections of a page that come from it.
"""

import re
from pathlib import Path

import pytest

from riverboat.report import Table
from riverboat.reproductions import NAMES, Found, find_reproduction
from riverboat.reproductions._recipe import Item, shown_items

from .stored import found_of, section, sections

PAGES = Path(__file__).parents[2] / "docs" / "reproductions"
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
