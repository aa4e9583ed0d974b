"""A game as a person names it: of the catalogue, or in a file of his own."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from riverboat.errors import GameError
from riverboat.files import is_file, read_text, toml_table
from riverboat.game._acpc import read_acpc_game
from riverboat.game._catalogue import catalogue, catalogue_names
from riverboat.game._spec import GameSpec, Rake, Street
from riverboat.settings import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

_LONGEST_PATH = 300  # that a sentence shows: the name stands at its end


def find_game(text: str, players: int | None = None, folder: Path | None = None) -> GameSpec:
    """Return the game of a name or of a file.

    Parameters
    ----------
    text
        A name of the catalogue; a TOML file with a table `[game]`, such as a recipe; or an ACPC
        game file.
    players
        Number of seats, if not the usual one. A file's game has the seats that the file says.
    folder
        Of the file that names the game, where one does: only what lies beside it is read. Who
        types a name may type any path.

    Raises
    ------
    GameError
        With a sentence that names the game, and what is wrong.

    Examples
    --------
    >>> find_game("leduc").players, find_game("nolimit-100bb", 6).players
    (2, 6)
    """
    if folder is not None and not _is_beside(text):
        raise GameError(
            f"{shown(text)} is a path: a file names a game of the catalogue, or a game file in its "
            "own folder"
        )
    file = (folder or Path()) / text if isinstance(text, str) else None
    if file is None or text in catalogue_names() or not is_file(file):
        return catalogue(text, players)
    try:
        spec = _read(file, players)
    except GameError as error:
        raise GameError(
            f"the game file {shown(text, _LONGEST_PATH)} cannot be read: {error}"
        ) from error
    if players is not None and spec.players != players:
        raise GameError(f"the game of {shown(text)} is for {spec.players} players, not {players}")
    return spec if spec.name else spec.replace(name=file.stem)


def _is_beside(name: object) -> bool:
    """Whether a file of that name can only be one of the same folder."""
    return isinstance(name, str) and len(name) < 256 and not set(name) & set("/\\:\0")


def game_from_table(table: Mapping[str, Any]) -> GameSpec:
    """Return the game of a table with the fields of `GameSpec`, as TOML and JSON have it.

    Raises
    ------
    GameError
        If a key or a value is not one of a game.

    Examples
    --------
    >>> game_from_table({"stacks": [500, 500], "blinds": [5, 10], "name": "short"}).stacks
    (500, 500)
    """
    _check_keys(table, GameSpec, "a game")
    streets = table.get("streets", ())
    for street in streets if isinstance(streets, list | tuple) else ():
        _check_keys(street, Street, "a street")
    _check_keys(table.get("rake", {}), Rake, "a rake")
    try:
        return msgspec.convert(table, GameSpec)
    except msgspec.ValidationError as error:
        raise GameError(f"{error}: a game is a table with stacks, blinds, streets, ..") from error


def _read(file: Path, players: int | None) -> GameSpec:
    text = read_text(file, "it", GameError)
    if file.suffix.lower() != ".toml":
        return read_acpc_game(text)
    game = toml_table(text, "it", GameError).get("game")
    if isinstance(game, str) and not game.lower().endswith(".toml"):  # as recipes name theirs
        return find_game(game, players, file.parent)
    if not isinstance(game, dict):
        raise GameError("it has no table [game]")
    return game_from_table(game)


def _check_keys(table: object, kind: type[GameSpec | Street | Rake], what: str) -> None:
    known = [field.name for field in dataclasses.fields(kind)]
    for key in table if isinstance(table, dict) else ():
        if key not in known:
            raise GameError(f"{what} has no key {shown(key)}: its keys are {', '.join(known)}")
