"""Each document item by item: the data, the section of the report and the page of the docs.

After a change of a `document.toml`,
`python tests/reproductions/test_document.py` writes the tables of the pages.
"""

from pathlib import Path

import pytest

from riverboat.report import Report, Table, markdown
from riverboat.reproductions import NAMES, find_reproduction

PAGES = Path(__file__).parents[2] / "docs" / "reproductions"
TITLE = "## In the document, and here"


def table_of(name: str) -> str:
    """Return the section as a page has it: without the head of a report."""
    report = Report(
        name, "x", "x", "full", 1, 1.0, "x", "0", find_reproduction(name).document_sections()
    )
    return TITLE + markdown(report).split(TITLE)[1].rstrip() + "\n"


@pytest.mark.parametrize("name", NAMES)
def test_every_item_says_where_and_why(name: str) -> None:
    items = find_reproduction(name).items
    assert len(items) > 15
    assert all(item.where and item.what and item.how for item in items)
    assert len({(item.where, item.what) for item in items}) == len(items)
    assert {"present", "differs"} <= {item.here for item in items}


@pytest.mark.parametrize("name", NAMES)
def test_the_section_counts_and_lists_them(name: str) -> None:
    (section,) = find_reproduction(name).document_sections()
    (table,) = (part for part in section.parts if isinstance(part, Table))
    assert [row[1] for row in table.rows] == [item.what for item in find_reproduction(name).items]
    present = sum(item.here == "present" for item in find_reproduction(name).items)
    assert f"Present: {present};" in table_of(name)


def test_the_demo_has_no_document() -> None:
    assert find_reproduction("demo").document_sections() == ()


@pytest.mark.parametrize("name", NAMES)
def test_the_page_ends_with_the_same_table(name: str) -> None:
    assert (PAGES / f"{name}.md").read_text(encoding="utf-8").endswith("\n\n" + table_of(name))


if __name__ == "__main__":
    for name in NAMES:
        page = PAGES / f"{name}.md"
        text = page.read_text(encoding="utf-8").split(TITLE)[0].rstrip()
        page.write_text(f"{text}\n\n{table_of(name)}", encoding="utf-8")
