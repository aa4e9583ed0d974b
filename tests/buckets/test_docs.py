"""Every example of docs/buckets.md is run."""

import doctest
from pathlib import Path

from riverboat.buckets import KINDS
from riverboat.cards import HandStrength

PAGE = Path(__file__).parents[2] / "docs" / "buckets.md"


def test_examples(tables: HandStrength) -> None:
    assert tables.folder
    results = doctest.testfile(str(PAGE), module_relative=False)
    assert results.attempted > 8
    assert results.failed == 0


def test_every_kind_is_described() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name, kind in KINDS.items():
        assert f"`{kind.example}`" in text
        assert f"# {name}\n" in text or f"# percentile, {name}\n" in text or f"# {name}, " in text
