"""Husky's protocol for sweeps: short freeze-outs, of which the share won is counted."""

from typing import Final

from riverboat.game import GameSpec

HUSKY_GAMES: Final = 500
#: Most rounds of a game.
HUSKY_ROUNDS: Final = 10


def husky_game(players: int = 2) -> GameSpec:
    """Return the game of husky's sweeps: no-limit hold'em, 100 chips, blinds 5 and 10.

    Examples
    --------
    >>> husky_game(3).blinds
    (5, 10, 0)
    """
    return GameSpec(name="husky", stacks=(100,) * players, blinds=(5, 10) + (0,) * (players - 2))
