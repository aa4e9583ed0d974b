"""What pages name is there: other pages, headings, files, commands within a sentence."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs.command_names import wrong_words
from docs.pages import PAGES, ROOT, name_of, prose_of
from docs.shell import words_of

NAMES = [*map(name_of, PAGES), "SECURITY.md"]
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_FOLDERS = r"(?:bench|core|docs|scripts|src|tests)"
_FILE = re.compile(rf"(?<![\w/.-])({_FOLDERS}/[\w./-]+\w)")
_CODE = re.compile(r"`([^`\n]+(?:\n[^`\n]+)?)`")


def anchors(page: Path) -> set[str]:
    """The names of a page's headings, as the common Markdown renderers make them, and its own."""
    text = prose_of(page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    plain = [re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings]
    named = re.findall(r'<a id="([^"]+)"></a>', text)
    return {heading.strip().replace(" ", "-") for heading in plain} | {*named}


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_somewhere(name: str) -> None:
    page = ROOT / name
    for link in _LINK.findall(prose_of(page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue  # not ours
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("name", NAMES)
def test_files_exist(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert [path for path in _FILE.findall(text) if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("name", NAMES)
def test_commands_within_sentences_are_known(name: str) -> None:
    """Square brackets stand around what may be left out."""
    for code in _CODE.findall(prose_of((ROOT / name).read_text(encoding="utf-8"))):
        if code.startswith("riverboat "):
            words = words_of(re.sub(r"[\[\]]", "", code))
            assert wrong_words(words[1:]) == [], code


@pytest.mark.parametrize("name", NAMES)
def test_words_of_the_makefile(name: str) -> None:
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    named = re.findall(r"`make ([\w-]+)`", (ROOT / name).read_text(encoding="utf-8"))
    assert set(named) <= set(targets)


def test_no_page_has_the_name_of_one_that_sphinx_writes() -> None:
    """It would be written over: nobody could read it on the site."""
    own = {"search", "genindex", "modindex", "py-modindex"}
    assert not own & {path.stem for path in (ROOT / "docs").glob("*.md")}


def test_every_page_is_in_the_index() -> None:
    """The seeds' pages are found by their folder."""
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"index.md"}
    assert {name for name in pages if f"]({name})" not in index} == set()


def test_tables_of_settings_are_current() -> None:
    root = Path(__file__).parents[2]
    script = [sys.executable, str(root / "scripts" / "settings_tables"), "--check"]
    found = subprocess.run(script, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (0, "")
    pages = (page.read_text(encoding="utf-8") for page in root.glob("docs/*.md"))
    assert sum(page.count("\n<!-- end of settings -->") for page in pages) >= 5


def test_modules_of_the_architecture_page_exist() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"(?<![\w/])([a-z_]+/(?:_?[a-z]\w*\.py))", text))
    assert len(named) > 30
    assert [name for name in sorted(named) if not (ROOT / "src/riverboat" / name).exists()] == []
