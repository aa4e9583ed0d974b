"""docs/buckets.md: it has examples, which tests/docs runs, and describes every kind."""

import doctest
from pathlib import Path

from docs.pages import blocks_of
from docs.running import is_run
from riverboat.buckets import KINDS

PAGE = Path(__file__).parents[2] / "docs" / "buckets.md"


def test_all_examples_are_run() -> None:
    text = PAGE.read_text(encoding="utf-8")
    parser = doctest.DocTestParser()
    blocks = [block for block in blocks_of(text, "buckets") if is_run(block, "slow")]
    run = [example for block in blocks for example in parser.get_examples(block.text)]
    assert len(run) == len(parser.get_examples(text)) > 8


def test_every_kind_is_described() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name, kind in KINDS.items():
        assert f"`{kind.example}`" in text
        assert f"# {name}\n" in text or f"# percentile, {name}\n" in text or f"# {name}, " in text
