"""Which value AIVAT takes: that of the first strategy file at the table that knows the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverboat.evaluate._aivat_check_down import CheckDown
from riverboat.evaluate._aivat_score import check_aivat_game

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from riverboat.evaluate._aivat import AivatValue
    from riverboat.game import GameSpec

__all__ = ["aivat_value"]


def aivat_value(spec: GameSpec, files: Sequence[Path] = ()) -> AivatValue:
    """Return the value for matches of a game; nothing of what is played enters it."""
    check_aivat_game(spec)
    del files
    return CheckDown()
