"""Which value AIVAT takes: that of the first strategy file at the table that knows the game.

It is named by the file's contents and a version, and nothing that is played enters it: a value that
was fitted to the hands could make the estimate say anything.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from riverboat.blueprint import Blueprint, default_blueprint
from riverboat.buckets import bucket_tables
from riverboat.errors import GameError
from riverboat.evaluate._aivat_blueprint import BlueprintValue
from riverboat.evaluate._aivat_check_down import CheckDown
from riverboat.evaluate._aivat_score import check_aivat_game
from riverboat.evaluate._aivat_table import VERSION, table_path, worth_table
from riverboat.translation import Tracker

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from riverboat.evaluate._aivat import AivatValue
    from riverboat.game import GameSpec


def aivat_value(
    spec: GameSpec,
    files: Sequence[Path] = (),
    progress: Callable[[int, int], object] | None = None,
) -> AivatValue:
    """Return the value for matches of a game, fixed before the first hand.

    Parameters
    ----------
    spec
        Hold'em of two players.
    files
        Strategy files at the table. The first that plays the game values its states; without
        one the default strategy does, and where that does not play it, checking down.
    progress
        Called with the boards that are walked and all boards, while a table is made.
    """
    path = _chosen(spec, files)
    return CheckDown() if path is None else _blueprint_value(path, _digest(path), progress)


def aivat_value_name(spec: GameSpec, files: Sequence[Path] = ()) -> str:
    """Return the name of that value, which tells what its numbers depend on.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> aivat_value_name(catalogue("limit"))
    'checking down, version 1'
    """
    path = _chosen(spec, files)
    return CheckDown.name if path is None else _name(path, _digest(path))


def missing_aivat_table(spec: GameSpec, files: Sequence[Path] = ()) -> Path | None:
    """Return the strategy file whose table must be made first, which takes a minute; None if none.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> missing_aivat_table(catalogue("limit")) is None
    True
    """
    path = _chosen(spec, files)
    return None if path is None or table_path(_digest(path)).is_file() else path


def _chosen(spec: GameSpec, files: Sequence[Path]) -> Path | None:
    check_aivat_game(spec)
    paths = [Path(file) for file in files if Path(file).is_file()]
    return next((path for path in (*paths, default_blueprint()) if _plays(path, spec)), None)


def _plays(path: Path, spec: GameSpec) -> bool:
    blueprint = Blueprint.open(path)
    known = blueprint.tree.spec
    if blueprint.cards is None or known.betting != spec.betting:
        return False
    same = len(known.streets) == len(spec.streets)
    return same and not Tracker(blueprint.tree).difference(spec)


def _name(path: Path, digest: str) -> str:
    return f"{path.name} ({digest}) against itself, version {VERSION}"


def _digest(path: Path) -> str:
    return _digest_of(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=16)
def _digest_of(path: Path, changed: int) -> str:
    del changed
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


@lru_cache(maxsize=4)
def _blueprint_value(
    path: Path, digest: str, progress: Callable[[int, int], object] | None
) -> BlueprintValue:
    """The value of a file; read once in a process."""
    blueprint = Blueprint.open(path)
    if blueprint.cards is None:
        raise GameError(f"{path} has no cards of hold'em")
    table = worth_table(blueprint, digest, progress)
    return BlueprintValue(_name(path, digest), table, bucket_tables(blueprint.cards))
