"""`--game` of the commands that read ACPC lines, which do not say their game."""

from pathlib import Path
from typing import Annotated

import typer

from riverboat.errors import GameError, HistoryError
from riverboat.game import GameSpec, catalogue, read_acpc_game

__all__ = ["GameOption", "game_of_option"]

GameOption = Annotated[
    str | None,
    typer.Option("--game", help="The game of ACPC lines: a catalogue name or a game file."),
]


def game_of_option(named: str | None) -> GameSpec | str | None:
    """Return the game of a game file, or the name of one in the catalogue.

    A name stays a name: the game has as many seats as the line that is read.

    Raises
    ------
    HistoryError
        If there is no such file or game, or the file is not a game definition.

    Examples
    --------
    >>> game_of_option("limit")
    'limit'
    """
    if named is None:
        return None
    if not Path(named).is_file():
        try:
            catalogue(named)
        except GameError as error:
            raise HistoryError(f"there is no game file {named!r}, and {error}") from error
        return named
    try:
        return read_acpc_game(Path(named).read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, GameError) as error:
        raise HistoryError(f"the game file {named!r} cannot be read: {error}") from error
