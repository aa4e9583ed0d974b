"""A run that is killed at any moment loses at most the last interval, and ends the same."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from riverboat.training import RunFiles, load_recipe, train
from training.test_run import assert_same_tables

RECIPE = """
game = "leduc"
menu = "min"
scheme = "external linear linear"
threads = 1
seed = 11
budget = { iterations = 300_000 }
every = { report = 0.0, checkpoint = 0.005 }
bound = { every = 0 }
"""

PROGRAM = """
import sys
from riverboat.training import load_recipe, train
for progress in train(load_recipe(sys.argv[1]), sys.argv[2], resume=True, plot=False):
    print(progress.event, progress.iterations, flush=True)
"""

KILLS = 20


def killed_run(recipe: Path, files: RunFiles, delay: float) -> int:
    """Run until `delay` seconds after the first sign of life; return where it began."""
    command = [sys.executable, "-c", PROGRAM, str(recipe), str(files.blueprint)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:  # noqa: S603
        assert child.stdout is not None
        event, iterations = child.stdout.readline().split()
        assert event == "started"
        time.sleep(delay)
        child.send_signal(signal.SIGKILL)
        child.stdout.read()
    return int(iterations)


def test_killed_twenty_times_it_ends_with_the_same_tables(tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(RECIPE)
    whole, broken = RunFiles.of(tmp_path / "whole"), RunFiles.of(tmp_path / "broken")
    list(train(load_recipe(recipe), whole.blueprint, plot=False))
    chance = random.Random(5)
    begins = [killed_run(recipe, broken, chance.uniform(0.0, 0.06)) for _ in range(KILLS)]
    assert begins == sorted(begins)  # nothing that was saved is ever lost
    assert begins[-1] > 0
    *_, last = train(load_recipe(recipe), broken.blueprint, resume=True, plot=False)
    assert last.event == "finished"
    assert_same_tables(whole, broken)
    assert not list(tmp_path.glob(".*.part"))
