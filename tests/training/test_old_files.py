"""What version 0.1 left on disk still opens: recipes, checkpoints, logs, blueprints.

`data/v0_1_NAME.toml` was trained by it to half of its budget, which wrote `v0_1_NAME.blueprint`,
`.checkpoint` and `.log.jsonl`; `v0_1_NAME_whole.checkpoint` is that of a run of the whole budget.
"""

import shutil
from pathlib import Path

import numpy as np
import pytest

from riverboat.blueprint import Blueprint
from riverboat.files import ArrayFile
from riverboat.solve import Scheme
from riverboat.training import RunFiles, load_recipe, read_log, train

DATA = Path(__file__).parent / "data"
# Scheme and iterations of each whole run, as its recipe has them.
RUNS = {
    "kuhn": ("external linear, linear average", 2_000),
    "leduc": ("full predictive+, quadratic average", 60),
    "nolimit": ("external linear, linear average", 3_000),
}


@pytest.fixture
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> RunFiles:
    """The files of an old run, where they may be written."""
    for file in DATA.glob(f"v0_1_{request.param}.*"):
        shutil.copy(file, tmp_path / file.name)
    return RunFiles.of(tmp_path / f"v0_1_{request.param}")


@pytest.mark.parametrize(("kept", "name"), [(name, name) for name in RUNS], indirect=["kept"])
@pytest.mark.usefixtures("tables")  # buckets of the flop come from them
def test_an_old_run_goes_on_bit_for_bit(kept: RunFiles, name: str) -> None:
    recipe = load_recipe(kept.blueprint.with_suffix(".toml"))
    half = RUNS[name][1] // 2
    assert read_log(kept.log)[-1]["iterations"] == half
    *_, last = train(recipe, kept.blueprint, resume=True, plot=False)
    assert (last.event, last.iterations) == ("finished", 2 * half)
    assert read_log(kept.log)[-1]["iterations"] == 2 * half
    resumed, whole = ArrayFile(kept.checkpoint), ArrayFile(DATA / f"v0_1_{name}_whole.checkpoint")
    assert resumed.names == whole.names
    for array in whole.names:
        np.testing.assert_array_equal(resumed.array(array), whole.array(array))


@pytest.mark.parametrize("name", RUNS)
def test_an_old_blueprint_says_what_was_run(name: str) -> None:
    blueprint = Blueprint.open(DATA / f"v0_1_{name}.blueprint")
    training = blueprint.header.training
    recipe = load_recipe(DATA / f"v0_1_{name}.toml")
    half = {"budget.iterations": RUNS[name][1] // 2}
    assert load_recipe(training.recipe) == recipe.changed(half)
    assert load_recipe(training.recipe).identity() == recipe.identity()
    assert Scheme.from_dict(training.scheme).name == RUNS[name][0]
    new = {"explore": None}  # settings since 0.1
    assert Scheme.from_dict(training.scheme).as_whole_dict() == training.scheme | new
    strategy = blueprint.dense(np.float64)
    assert strategy.min() >= 0
    assert len(strategy) == blueprint.header.entries
