"""Results of tiny runs that are stored, changed where a case needs it, and what is said of them."""

from pathlib import Path
from typing import Any

from riverboat.report import Section, Text
from riverboat.reproductions import Effort, Found, Results, find_reproduction

__all__ = ["GOLDEN", "found_of", "replace", "said", "section", "sections"]

GOLDEN = Path(__file__).parent / "golden"


def found_of(name: str) -> Found:
    """Return the stored results of a tiny run."""
    return Results.read((GOLDEN / f"{name}.results.json").read_bytes()).found


def replace(found: Found, **changes: Any) -> Found:
    """Return results with some changed; unknown names are refused."""
    assert set(changes) <= set(found), set(changes) - set(found)
    return Found({**found, **changes})


def sections(name: str, found: Found, effort: Effort = "quick") -> tuple[Section, ...]:
    return find_reproduction(name).sections(found, effort, 1)


def section(name: str, found: Found, words: str, effort: Effort = "quick") -> Section:
    """Return the section whose title has these words."""
    (wanted,) = (each for each in sections(name, found, effort) if words in each.title)
    return wanted


def said(name: str, found: Found, words: str) -> str:
    """Return its paragraphs."""
    parts = section(name, found, words).parts
    return " ".join(part.text for part in parts if isinstance(part, Text))
