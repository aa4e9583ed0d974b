"""Kills at random moments: what was saved is there, and a run that goes on ends as any other."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hostile.killed import COMMANDS, Command
from hostile.trial import tried

#: Over all commands.
KILLS = int(os.environ.get("RIVERBOAT_KILLS", "100"))
#: Drawn, so that runs add up; set to repeat one.
SEED = int(os.environ.get("RIVERBOAT_KILLS_SEED") or Random().randrange(2**32))
SOFT = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
AS_TERMINALS = (signal.SIGINT, signal.SIGHUP)  # they send these to all processes of a command
PATIENCE = 120.0  # seconds until a command that was killed must have ended


@dataclass
class Run:
    """A command in a folder, from its first start to its end."""

    command: Command
    folder: Path
    kept: dict[str, float] = field(default_factory=dict)
    printed: str = ""

    def live(self, delay: float | None, number: signal.Signals = signal.SIGKILL) -> bool:
        """Start it or go on; kill it after some seconds. Return whether it ended before."""
        place = {"RIVERBOAT_LEDGER": str(self.folder / "ledger.sqlite")}
        with subprocess.Popen(
            [sys.executable, *self.command.arguments(self.folder)],
            cwd=self.folder,
            env={**os.environ, **place},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                self.printed, said = process.communicate(timeout=delay)
                ended = True
            except subprocess.TimeoutExpired:
                send = os.killpg if number in AS_TERMINALS else os.kill
                send(process.pid, number)
                self.printed, said = process.communicate(timeout=PATIENCE)
                ended = False
        assert "Error" not in said, said
        assert process.returncode == 0 or not ended, said
        assert _ends(process.pid), f"{number.name} left processes behind"
        self._look()
        return ended or self.command.over(self.folder)

    def _look(self) -> None:
        """All that was kept before is kept still."""
        kept = self.command.kept(self.folder)
        assert all(kept[name] >= much for name, much in self.kept.items()), (self.kept, kept)
        self.kept = kept

    def end(self) -> Any:
        """Return the result of a run that has ended; no other files are left."""
        files = {path.name for path in self.folder.iterdir()}
        assert files == {*self.command.files, "recipe.toml"}
        assert not list(self.folder.rglob("*.part"))
        return self.command.result(self.folder, self.printed)


def _ends(group: int) -> bool:
    """Whether all processes of a group end."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


def runs(command: Command, place: Path) -> Iterator[Run]:
    """Give out ever new folders."""
    for number in range(sys.maxsize):
        folder = place / str(number)
        folder.mkdir()
        yield Run(command, folder)


@pytest.mark.hostile
@pytest.mark.parametrize("name", COMMANDS)
def test_killed_it_goes_on(name: str, tmp_path: Path) -> None:
    fresh = runs(COMMANDS[name], tmp_path)
    whole = next(fresh)
    whole.live(None)  # the first one may build tables
    began, whole = time.monotonic(), next(fresh)
    assert whole.live(None)
    length, expected = time.monotonic() - began, whole.end()
    draw, run, resumed = Random(f"{SEED} {name}"), next(fresh), 0
    with tried("kills", name, SEED) as trial:
        while trial.attempts < max(1, KILLS // len(COMMANDS)):
            number = signal.SIGKILL if draw.random() < 0.7 else draw.choice(SOFT)
            resumed += any(run.kept.values())
            if run.live(draw.uniform(0.2, 1.0) * length, number):
                assert run.end() == expected
                run = next(fresh)
            else:
                trial.attempts += 1
        assert run.live(None)
        assert run.end() == expected
        assert resumed or trial.attempts < 5, "no kill came between a save and the end"
