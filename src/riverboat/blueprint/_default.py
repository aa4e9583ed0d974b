"""The strategies that ship with Riverboat: no-limit hold'em for two players, and limit hold'em.

`default` is the one for 100 big blinds, `default-20bb` and so on are those for other depths,
`limit` is for limit hold'em, and `six-max` is for tables of three to nine players. `riverboat train
default-20bb` trains a recipe of the same name; docs/default.md has the recipes, the training times
and the results. Files for other depths than 100 big blinds and for six players may be missing.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from riverboat.errors import BlueprintError, did_you_mean
from riverboat.settings import shown

#: Name of its game in the catalogue.
DEFAULT_GAME: Final = "nolimit-100bb"

#: Depths, in big blinds, that have a recipe by name; others can be trained as well.
DEFAULT_DEPTHS: Final = (10, 15, 20, 30, 50, 75, 100, 150, 200)
#: The game of shipped strategies, by name; `default_blueprints` has those for other depths.
SHIPPED: Final = {"default": DEFAULT_GAME, "limit": "limit"}

#: Depths of the six-max strategy, in big blinds, that have a recipe by name; as above.
SIX_MAX_DEPTHS: Final = (40, 100, 200)

_FOLDER: Final = Path(__file__).parent / "data"
_FILE: Final = _FOLDER / "default.blueprint"
_DEPTH: Final = 100


def default_depth(name: str) -> int | None:
    """Return the depth of a default strategy's name, in big blinds; None if it is not one.

    Examples
    --------
    >>> default_depth("default"), default_depth("default-20bb"), default_depth("laptop")
    (100, 20, None)
    """
    found = re.fullmatch(r"default(?:-([1-9]\d{0,3})bb)?", name)
    return int(found[1] or _DEPTH) if found else None


def default_name(depth: int) -> str:
    """Return the name of the default strategy for a depth.

    Examples
    --------
    >>> default_name(100), default_name(20)
    ('default', 'default-20bb')
    """
    return "default" if depth == _DEPTH else f"default-{depth}bb"


def six_max_depth(name: str) -> int | None:
    """Return the depth of a six-max strategy's name, in big blinds; None if it is not one.

    Examples
    --------
    >>> six_max_depth("six-max"), six_max_depth("six-max-40bb"), six_max_depth("six-max-rake")
    (100, 40, None)
    """
    found = re.fullmatch(r"six-max(?:-([1-9]\d{0,3})bb)?", name)
    return int(found[1] or _DEPTH) if found else None


def six_max_name(depth: int) -> str:
    """Return the name of the six-max strategy for a depth.

    Examples
    --------
    >>> six_max_name(100), six_max_name(40)
    ('six-max', 'six-max-40bb')
    """
    return "six-max" if depth == _DEPTH else f"six-max-{depth}bb"


def six_max_blueprints() -> dict[int, Path]:
    """Return the six-max blueprints by depth in big blinds, the shallowest first.

    A file such as `six-max.blueprint` in the current folder, where training writes it, is preferred
    to one that ships. There may be none.
    """
    found = {
        depth: path
        for folder in (_FOLDER, Path())
        for path in sorted(folder.glob("six-max*.blueprint"))
        if (depth := six_max_depth(path.stem))
    }
    return {depth: found[depth] for depth in sorted(found)}


def default_blueprints() -> dict[int, Path]:
    """Return the shipped blueprints by depth in big blinds, the shallowest first.

    Examples
    --------
    >>> default_blueprints()[100] == default_blueprint()
    True
    """
    found = {default_depth(path.stem): path for path in _FOLDER.glob("default*.blueprint")}
    return {depth: found[depth] for depth in sorted(each for each in found if each)}


def shipped_blueprints() -> dict[str, Path]:
    """Return all shipped blueprints by name.

    Examples
    --------
    >>> shipped_blueprints()["limit"].name
    'limit.blueprint'
    """
    found = {default_name(depth): path for depth, path in default_blueprints().items()}
    six = {path.stem: path for path in sorted(_FOLDER.glob("six-max*.blueprint"))}
    return {name: _FOLDER / f"{name}.blueprint" for name in SHIPPED} | found | six


def default_blueprint() -> Path:
    """Return the path of the shipped blueprint for 100 big blinds.

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
    """Return the path of a blueprint; `default`, `default-20bb` and `limit` are shipped ones.

    A file of that name is preferred; `six-max` may be a file in the current folder.

    Raises
    ------
    BlueprintError
        If no default strategy of that depth ships, or there is no six-max strategy.

    Examples
    --------
    >>> [find_blueprint(name).name for name in ("mine.blueprint", "default", "limit")]
    ['mine.blueprint', 'default.blueprint', 'limit.blueprint']
    """
    path, depth, shipped = Path(text), default_depth(text), shipped_blueprints()
    if not path.exists() and (seats := six_max_depth(text)):
        return _find_six_max(seats)
    if path.exists() or (depth is None and text not in shipped):
        return path
    if depth == _DEPTH:
        return default_blueprint()
    name = text if depth is None else default_name(depth)
    if name not in shipped:
        depths = ", ".join(map(str, default_blueprints()))
        raise BlueprintError(
            f"no default strategy for {depth} big blinds ships with Riverboat, only for {depths}: "
            f"train it with `riverboat train {name}` (memory and time: `riverboat train {name} "
            f"--estimate`) and use {name}.blueprint"
        )
    return shipped[name]


def _find_six_max(depth: int) -> Path:
    found = six_max_blueprints()
    if depth not in found:
        name = six_max_name(depth)
        raise BlueprintError(
            f"there is no file {name}.blueprint, neither here nor in Riverboat: train it with "
            f"`riverboat train {name}` (memory and time: `riverboat train {name} --estimate`)"
        )
    return found[depth]


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
    near = did_you_mean(str(path), [*shipped_blueprints(), *sorted(names)])
    return f"there is no strategy file {shown(str(path))}{near}"
