"""A run that is killed at any moment loses at most the last interval, and ends the same."""

import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO

import pytest

from riverboat.training import RunFiles, load_recipe, train
from sizes import few_or_many
from training.recipes import often_saved
from training.test_run import assert_same_tables

PROGRAM = """
import sys
from riverboat.training import RunFiles, load_recipe, train
output = sys.argv[2]
resume = RunFiles.of(output).checkpoint.exists()
for progress in train(load_recipe(sys.argv[1]), output, resume=resume, plot=False):
    print(progress.event, progress.iterations, flush=True)
"""


@dataclass(frozen=True)
class Life:
    """What a run that was killed told: where it began, and the last checkpoint that it saved."""

    began: int
    saved: int
    """Its beginning, if it came to none."""
    writing: bool
    """Whether it was killed while a file was half written."""


def killed_run(recipe: Path, files: RunFiles, delay: float, writing: bool) -> Life:
    """Run until `delay` seconds after it began or first saved, and then until a file is begun."""
    command = [sys.executable, "-c", PROGRAM, str(recipe), str(files.blueprint)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        event, began = child.stdout.readline().split()
        assert event == "started"
        told = [] if int(began) else [until_saved(child.stdout)]
        time.sleep(delay)
        if writing:
            stop_at_part(files.blueprint.parent, child)
        child.send_signal(signal.SIGKILL)
        told += [line.split() for line in child.stdout.read().splitlines() if line.count(" ") == 1]
    saves = [int(iterations) for event, iterations in told if event == "saved"]
    return Life(int(began), max(saves, default=int(began)), bool(parts(files.blueprint.parent)))


def until_saved(lines: IO[str]) -> list[str]:
    """Return the event of the first checkpoint."""
    return next(line.split() for line in lines if line.startswith("saved"))


def parts(folder: Path) -> list[Path]:
    """Files that are being written."""
    return list(folder.glob(".*.part"))


def stop_at_part(folder: Path, child: subprocess.Popen[str]) -> None:
    """Stop the run while a file is half written, unless it is over before."""
    while child.poll() is None:
        if parts(folder):
            child.send_signal(signal.SIGSTOP)
            time.sleep(0.01)
            if parts(folder):  # else it was finished before the signal came
                return
            child.send_signal(signal.SIGCONT)


@pytest.mark.parametrize("kills", few_or_many(2, 20))
def test_killed_many_times_it_ends_with_the_same_tables(tmp_path: Path, kills: int) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(often_saved(300_000))
    folder = tmp_path / "broken"
    whole, broken = RunFiles.of(tmp_path / "whole"), RunFiles.of(folder / "broken")
    list(train(load_recipe(recipe), whole.blueprint, plot=False))
    chance = random.Random(5)
    lives = [
        # Every other one is killed while a file is written.
        killed_run(recipe, broken, chance.uniform(0.0, 0.06), kill % 2 == 0)
        for kill in range(kills)
    ]
    for life, following in pairwise(lives):
        assert following.began >= life.saved  # at most the last interval is lost
    assert lives[-1].began > 0
    assert any(life.writing for life in lives)  # files were left half written
    *_, last = train(load_recipe(recipe), broken.blueprint, resume=True, plot=False)
    assert last.event == "finished"
    assert_same_tables(whole, broken)
    assert not parts(folder)
