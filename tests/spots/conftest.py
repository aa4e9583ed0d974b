"""What tests of solutions share: a turn that is solved, and its file."""

from pathlib import Path

import pytest

from riverboat.spots import Solution, solve
from spots.made import TURN


@pytest.fixture(scope="session")
def turn() -> Solution:
    return solve(TURN, target=0.002).finish()


@pytest.fixture(scope="session")
def turn_file(turn: Solution, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("solutions") / "turn.solution"
    turn.write(path)
    return path
