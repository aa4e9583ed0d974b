"""The blueprint that ships with the package: no-limit hold'em with 100 big blinds, ready to play.

It is what `riverboat train default` makes, in 8 bits: docs/default.md has the recipe, how long it
was trained and what it wins.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from riverboat.errors import BlueprintError, did_you_mean
from riverboat.settings import shown

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


def no_such_strategy(path: Path | str, suffixes: tuple[str, ...] = (".blueprint",)) -> str:
    """Return the sentence for a strategy file that is not there, with the name that comes nearest.

    Parameters
    ----------
    path
        What was typed.
    suffixes
        Of the files beside it that may have been meant.

    Examples
    --------
    >>> no_such_strategy("defalt")
    "'defalt' is no strategy file (did you mean 'default'?): there is no such file"
    """
    folder = Path(path).parent
    try:
        there = [str(folder / each.name) for each in folder.iterdir() if each.suffix in suffixes]
    except (OSError, ValueError):  # no folder, or a name that no folder can have
        there = []
    near = did_you_mean(str(path), ["default", *sorted(there)])
    return f"{shown(str(path))} is no strategy file{near}: there is no such file"
