"""The glossary's words are the project's: phrases of its column *never* stand nowhere else.

Pages, templates and the scripts of the web pages are read whole, of Python files all texts and
docstrings; help texts and messages are among these.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.pages import PAGES, ROOT, name_of

GLOSSARY = ROOT / "docs" / "glossary.md"
TEXTS = (".css", ".html", ".j2", ".js", ".md", ".toml")
_ROW = re.compile(r"^\| *(?:<a id=\"([^\"]+)\"></a>)?(.*?) *\|(.*?)\|(.*?)\|(.*?)\|(.*?)\|$", re.M)


def rows() -> list[tuple[str, ...]]:
    """Anchor, term, meaning, page, never, rather not."""
    found = [tuple(cell.strip() for cell in row) for row in _ROW.findall(GLOSSARY.read_text())]
    return [row for row in found if row[0]]


def never() -> list[str]:
    return [phrase.strip() for row in rows() for phrase in row[4].split(";") if phrase.strip()]


_ANY = "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in never())
PHRASES = re.compile(rf"(?<![\w-])(?:{_ANY})s?(?![\w-])", re.IGNORECASE)


def files() -> list[Path]:
    source = [path for path in (ROOT / "src" / "riverboat").rglob("*") if path.is_file()]
    texts = [path for path in source if path.suffix in (".py", *TEXTS)]
    pages = [*PAGES, ROOT / "SECURITY.md", ROOT / "CHANGELOG.md"]
    return [*pages, *texts]


def texts_of(path: Path) -> Iterator[str]:
    """What a reader may read; tables of settings are made of texts in Python files."""
    text = path.read_text(encoding="utf-8")
    if path.name == "CHANGELOG.md":
        yield text[: text.index("\n## ", text.index("\n## ") + 1)]  # what is not released yet
    elif path == GLOSSARY:
        yield from (f"{row[1]}: {row[2]}" for row in rows())
    elif path.suffix == ".py":
        nodes = ast.walk(ast.parse(text))
        yield from (
            n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)
        )
    else:
        yield re.sub(r"<!-- settings: .*?<!-- end of settings -->", "", text, flags=re.DOTALL)


def uses(page: str, term: str) -> bool:
    """Whether a page has a term, one of its other names, or its first word (`donk`, `prun`)."""
    text = " ".join((ROOT / "docs" / page).read_text(encoding="utf-8").lower().split())
    names = [name.strip().lower() for name in re.split(r"[,()]", term) if name.strip()]
    firsts = [re.sub(r"(?<=....)ing$", "", name.split()[0]) for name in names]
    return any(name in text for name in (*names, *firsts))


def test_every_term_is_whole_and_its_page_uses_it() -> None:
    found = rows()
    assert len(found) > 100
    assert len({row[0] for row in found}) == len(found)
    assert [row[1] for row in found if not row[2]] == []
    pages = [(row[1], *re.findall(r"\]\(([\w/]+\.md)\)", row[3])) for row in found]
    assert [term for term, *named in pages if len(named) != 1] == []
    assert [(term, page) for term, page in pages if not uses(page, term)] == []


def test_phrases_are_found_across_lines() -> None:
    assert PHRASES.search("on a Graphics\n    card")
    assert PHRASES.search("Run-outs are drawn")
    assert not PHRASES.search("the hero is in the middle")


@pytest.mark.parametrize("path", files(), ids=name_of)
def test_no_phrase_that_a_better_one_exists_for(path: Path) -> None:
    found = [hit[0] for text in texts_of(path) for hit in PHRASES.finditer(text)]
    assert found == [], "docs/glossary.md has the words to use"
