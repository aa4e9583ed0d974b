"""A question of cards waits for NumPy and the core, and for nothing else that is slow to import."""

import subprocess
import sys

import pytest

from riverboat import cards

SLOW = (
    "concurrent.futures",
    "hashlib",
    "jinja2",
    "matplotlib",
    "platformdirs",
    "rich",
    "riverboat.cards._hand_strength",
    "riverboat.runs",
)


def loaded_by(statement: str) -> set[str]:
    """Modules that a statement loads beyond those of NumPy."""
    program = (
        "import sys, numpy, numpy.typing; before = set(sys.modules)\n"
        f"{statement}\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    return set(found.stdout.decode().split())


def test_cards_import_little() -> None:
    loaded = loaded_by("import riverboat.cards")
    assert "riverboat.cards" in loaded
    assert loaded.isdisjoint(SLOW)


def test_tables_are_imported_when_asked_for() -> None:
    loaded = loaded_by("from riverboat.cards import HandStrength")
    assert {"riverboat.cards._hand_strength", "riverboat.files"} <= loaded


def test_all_names_are_there() -> None:
    assert set(cards.__all__) <= set(dir(cards))
    assert {name for name in cards.__all__ if not hasattr(cards, name)} == set()
    with pytest.raises(AttributeError, match="has no attribute 'Omaha'"):
        cards.Omaha  # type: ignore[attr-defined]  # noqa: B018 - on purpose
