"""What tests of solutions share: a turn that is solved, and its file."""

from pathlib import Path

import pytest

from riverboat.spots import Solution, SolveSettings, solve
from riverboat.spots import _forecast as forecasts
from riverboat.spots._forecast import place_for
from spots.made import ON_CARD, TURN

if ON_CARD:  # whatever is solved without a device goes there
    pytest.MonkeyPatch().setattr(forecasts, "place_for", lambda _, *rest: place_for("gpu", *rest))


@pytest.fixture(scope="session")
def turn() -> Solution:
    solving = solve(TURN, SolveSettings(target=0.002))
    assert solving.device == ("gpu" if ON_CARD else "cpu")
    return solving.finish()


@pytest.fixture(scope="session")
def turn_file(turn: Solution, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("solutions") / "turn.solution"
    turn.write(path)
    return path
