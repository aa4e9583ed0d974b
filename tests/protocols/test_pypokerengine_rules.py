"""The chips of a table of PyPokerEngine; the engine itself is not needed here."""

from __future__ import annotations

from typing import Any

import pytest

from riverboat.errors import ArenaError
from riverboat.protocols.pypokerengine import Rules


@pytest.mark.parametrize(
    ("chips", "sentence"),
    [
        ({"stack": 0}, "stack must be 1 to"),
        ({"stack": 1.5}, "stack must be a whole number of chips, not 1.5"),
        ({"small_blind": 0}, "small_blind must be 1 to"),
        ({"small_blind": 10**10}, "small_blind must be 1 to"),
        ({"ante": -1}, "ante must be 0 to"),
        ({"ante": True}, "ante must be a whole number"),
        ({"stack": 9}, "stack 9 does not cover the big blind and the ante, 10 chips"),
        ({"stack": 12, "ante": 3}, "13 chips"),
    ],
)
def test_chips_that_cannot_be_played(chips: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ArenaError, match=sentence):
        Rules(**chips)


def test_the_least_stack() -> None:
    assert Rules(stack=13, ante=3).stack == 13
