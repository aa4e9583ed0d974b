"""The default strategy: the blueprint that ships with Riverboat, no-limit hold'em, 100 big blinds.

`riverboat train default` trains it; the shipped file has 8 bits. docs/default.md has the recipe,
the training time and the results.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from riverboat.errors import BlueprintError, did_you_mean
from riverboat.settings import shown

#: Name of its game in the catalogue.
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
            f"the default blueprint {_FILE} is missing: install Riverboat again, or train it with "
            "`riverboat train default` and use blueprint:default.blueprint"
        )
    return _FILE


def find_blueprint(text: str) -> Path:
    """Return the path of a blueprint; `default` is the shipped one, unless a file has that name.

    Examples
    --------
    >>> find_blueprint("mine.blueprint").name, find_blueprint("default").name
    ('mine.blueprint', 'default.blueprint')
    """
    path = Path(text)
    return default_blueprint() if text == "default" and not path.is_file() else path


def no_such_strategy(path: Path | str, suffixes: tuple[str, ...] = (".blueprint",)) -> str:
    """Return the error message for a missing strategy file, with the most similar name.

    Parameters
    ----------
    path
        The path as given.
    suffixes
        Suffixes of files in the same folder to suggest.

    Examples
    --------
    >>> no_such_strategy("defalt")
    "there is no strategy file 'defalt' (did you mean 'default'?)"
    """
    folder = Path(path).parent
    try:
        names = [str(folder / file.name) for file in folder.iterdir() if file.suffix in suffixes]
    except (OSError, ValueError):  # no folder, or an impossible name
        names = []
    near = did_you_mean(str(path), ["default", *sorted(names)])
    return f"there is no strategy file {shown(str(path))}{near}"
