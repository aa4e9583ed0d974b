"""The blueprint that ships with the package: no-limit hold'em with 100 big blinds, ready to play.

It is what `riverboat train default` makes, in 8 bits: docs/default.md has the recipe, how long it
was trained and what it wins.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from riverboat.errors import BlueprintError

__all__ = ["DEFAULT_GAME", "default_blueprint", "find_blueprint"]

#: The game of the catalogue that it was trained for.
DEFAULT_GAME: Final = "nolimit-100bb"

_FILE: Final = Path(__file__).parent / "data" / "default.blueprint"


def default_blueprint() -> Path:
    """Return the path of the shipped blueprint.

    Raises
    ------
    BlueprintError
        If this installation lacks the file.

    Examples
    --------
    >>> from riverboat.blueprint import Blueprint
    >>> Blueprint.open(default_blueprint()).header.game_name
    'nolimit-100bb'
    """
    if not _FILE.is_file():
        raise BlueprintError(
            f"the default blueprint is missing: there is no {_FILE}. Install Riverboat again, or "
            "make one with `riverboat train default` and name it: blueprint:default.blueprint"
        )
    return _FILE


def find_blueprint(text: str) -> Path:
    """Return the path that a person means: `default` is the shipped one, unless a file is so named.

    Examples
    --------
    >>> find_blueprint("mine.blueprint").name, find_blueprint("default").name
    ('mine.blueprint', 'default.blueprint')
    """
    path = Path(text)
    return default_blueprint() if text == "default" and not path.is_file() else path
