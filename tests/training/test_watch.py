"""Somebody looks at a solver on its way: at every mark once, however often the run is stopped."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from riverboat.blueprint import Blueprint
from riverboat.errors import DamagedFileError, RunError
from riverboat.solve import Solver
from riverboat.training import Watch, load_recipe, train

RECIPE = load_recipe("kuhn", {"budget": {"iterations": 500}, "bound.every": 0})
MARKS = (100, 250, 500)


class Noted(Watch):
    """Notes the tables, and is interrupted once where it is told to be."""

    def __init__(self, interrupted_at: int = 0) -> None:
        super().__init__(MARKS)
        self.interrupted_at = interrupted_at
        self.sums, self.last = dict[str, float](), np.zeros(0)

    def look(self, solver: Solver) -> None:  # noqa: D102 - of Watch
        if solver.iterations == self.interrupted_at:
            raise KeyboardInterrupt
        self.sums[str(solver.iterations)] = float(solver.average.sum())
        self.last = solver.average.copy()

    def notes(self) -> Mapping[str, Any]:  # noqa: D102
        return {"sums": self.sums}

    def arrays(self) -> Mapping[str, NDArray[Any]]:  # noqa: D102
        return {"last": self.last}

    def restore(  # noqa: D102
        self, notes: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
    ) -> None:
        self.sums, self.last = dict(notes["sums"]), arrays["last"]


def whole(folder: Path) -> Noted:
    noted = Noted()
    *_, last = train(RECIPE, folder / "whole", watch=noted, plot=False)
    assert last.event == "finished"
    return noted


def test_it_looks_at_every_mark(tmp_path: Path) -> None:
    noted = whole(tmp_path)
    assert noted.seen == list(MARKS)
    assert noted.over
    assert list(noted.sums) == ["100", "250", "500"]
    *_, plain = train(RECIPE, tmp_path / "plain", plot=False)
    assert plain.iterations == 500
    files = (tmp_path / f"{name}.blueprint" for name in ("whole", "plain"))
    one, other = (Blueprint.open(file).dense() for file in files)
    assert (one == other).all()  # looking changes nothing


@pytest.mark.parametrize("mark", MARKS)
def test_a_look_that_was_interrupted_is_made_when_the_run_goes_on(
    mark: int, tmp_path: Path
) -> None:
    expected, stopped = whole(tmp_path), Noted(mark)
    list(train(RECIPE, tmp_path / "k", watch=stopped, plot=False))
    assert stopped.seen == [each for each in MARKS if each < mark]
    assert not stopped.over
    again = Noted()
    *_, last = train(RECIPE, tmp_path / "k", watch=again, plot=False, resume=True)
    assert last.event == "finished"
    assert again.sums == expected.sums
    assert (again.last == expected.last).all()


def test_a_checkpoint_without_notes_is_refused(tmp_path: Path) -> None:
    list(train(RECIPE, tmp_path / "k", plot=False))
    with pytest.raises(DamagedFileError, match="is damaged: 'watch'"):
        list(train(RECIPE, tmp_path / "k", watch=Noted(), plot=False, resume=True))


def test_an_ensemble_is_not_watched(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="an ensemble cannot have a watch"):
        train(RECIPE.changed({"ensemble": 2}), tmp_path / "k", watch=Noted())
