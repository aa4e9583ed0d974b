"""The strategies that ship with Riverboat: no-limit hold'em, 100 big blinds, and limit hold'em.

The first is the default. `riverboat train default` and `riverboat train limit` train them; the
files have 8 bits. docs/default.md has recipes, training times and results.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from riverboat.errors import BlueprintError, did_you_mean
from riverboat.settings import shown

#: Name of its game in the catalogue.
DEFAULT_GAME: Final = "nolimit-100bb"

_FOLDER: Final = Path(__file__).parent / "data"
_FILE: Final = _FOLDER / "default.blueprint"
#: The game of each shipped strategy, by the strategy's name.
SHIPPED: Final = {"default": DEFAULT_GAME, "limit": "limit"}


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
    """Return the path of a blueprint; names of shipped ones count unless a file has that name.

    Examples
    --------
    >>> [find_blueprint(name).name for name in ("mine.blueprint", "default", "limit")]
    ['mine.blueprint', 'default.blueprint', 'limit.blueprint']
    """
    path = Path(text)
    if text not in SHIPPED or path.exists():
        return path
    return default_blueprint() if text == "default" else _FOLDER / f"{text}.blueprint"


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
    near = did_you_mean(str(path), [*SHIPPED, *sorted(names)])
    return f"there is no strategy file {shown(str(path))}{near}"
