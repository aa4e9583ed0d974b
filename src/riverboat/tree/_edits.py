"""Lines of play that a person adds to a tree or takes out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverboat.errors import MenuError
from riverboat.game import Action

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["LETTERS", "checked_lines", "edit_numbers"]

LETTERS = "fkcbsd"  # by kind of action

_MOST_LINES = 1000
_MOST_CHARACTERS = 2000


def checked_lines(lines: Sequence[str], what: str) -> tuple[str, ...]:
    """Return the lines as a tuple, or say what is wrong with them."""
    if isinstance(lines, str) or not all(isinstance(line, str) for line in lines):
        raise MenuError(f"lines that are {what} are a list of text, not {lines!r}")
    if len(lines) > _MOST_LINES:
        raise MenuError(f"at most {_MOST_LINES:,} lines can be {what}, not {len(lines):,}")
    for line in lines:
        if not line.strip("/ "):
            raise MenuError(f"the empty line cannot be {what}: name an action, such as b50")
        if len(line) > _MOST_CHARACTERS:
            raise MenuError(f"a line that is {what} has at most {_MOST_CHARACTERS:,} characters")
    return tuple(lines)


def edit_numbers(move: str) -> tuple[int, int]:
    """Return kind and amount of a move as the core takes them."""
    return LETTERS.index(move[0]), Action(move).amount
