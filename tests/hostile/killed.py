"""The long commands, small: how each is run, what it has kept after a kill, what it ends with."""

import json
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

from riverboat.arena import Ledger
from riverboat.blueprint import Blueprint, verify
from riverboat.files import ArrayFile
from riverboat.spots import FlopSolution
from riverboat.training import RunFiles, read_log
from training.recipes import often_saved

__all__ = ["COMMANDS", "Command"]

# What a match has saved it tells in a file, and it saves a hundred times as often as it would.
TOLD = "told.txt"
BEGINNING = f"""
from riverboat.arena import _match

def save(match, _save=_match.Match.save):
    _save(match)
    with open({TOLD!r}, "a") as file:
        file.write(f"{{match.number}} {{len(match._known)}}\\n")

_match._SAVE_SECONDS = 0.02
_match.Match.save = save
"""
CLI = f"{BEGINNING}\nfrom riverboat.cli import main\nmain()"
# A sampled solve saves a thousand times as often as it would.
FLOP = """
from riverboat.runs import Due
from riverboat.spots import FlopSolving

FlopSolving.dues = (Due("report", 1.0), Due("save", 0.1))
from riverboat.cli import main
main()
"""
REPRODUCE = f"""{BEGINNING}
import sys
from riverboat.reproductions import reproduce
reproduce("demo", "run", effort="tiny", seed=5, workers=1, resume=sys.argv[1:] == ["--resume"])
"""

Kept = dict[str, float]
"""How much there is of each thing; it never grows less."""


@dataclass(frozen=True)
class Command:
    """A command that runs in a folder of its own."""

    program: str
    words: tuple[str, ...]
    begun: Callable[[Path], bool]
    """Whether there is something that `--resume` goes on with."""
    kept: Callable[[Path], Kept]
    """Open and verify every file; all that was told as saved is there."""
    result: Callable[[Path, str], Any]
    """What is the same as without a kill, from the files and what was printed last."""
    files: tuple[str, ...]
    """What may lie in the folder at the end."""
    over: Callable[[Path], bool] = lambda _: False
    """Whether it has ended, although it was killed: there is nothing to go on with."""

    def arguments(self, folder: Path) -> list[str]:
        """Return what Python is called with."""
        (folder / "recipe.toml").write_text(often_saved(200_000), encoding="utf-8")
        resume = ["--resume"] if self.begun(folder) else []
        return ["-c", self.program, *self.words, *resume]


def _run_files(folder: Path) -> RunFiles:
    return RunFiles.of(folder / "x")


def _training(files: RunFiles) -> Kept:
    """Verify what a training has written; no checkpoint that was told of is lost."""
    told = [line["iterations"] for line in read_log(files.log) if line["event"] == "saved"]
    if files.blueprint.exists():
        verify(Blueprint.open(files.blueprint))
    saved = 0
    if files.checkpoint.exists():
        file = ArrayFile(files.checkpoint)
        list(file.verify())
        saved = int(json.loads(file.metadata["progress"])["iterations"])
    assert saved >= max(told, default=0)
    return {"iterations": saved}


def _trained(folder: Path, _: str) -> Any:
    """Return all arrays of a training that has ended."""
    files = _run_files(folder)
    file = ArrayFile(files.checkpoint)
    arrays = {name: file.array(name)[:].tolist() for name in file.names}
    return arrays, Blueprint.open(files.blueprint).dense().tolist()


def _flop_saved(folder: Path) -> Kept:
    """Verify what a sampled solve has written."""
    if (folder / "x.flop").exists():
        return {"iterations": float(FlopSolution.open(folder / "x.flop").facts.iterations)}
    if not (folder / "x.checkpoint").exists():
        return {}
    file = ArrayFile(folder / "x.checkpoint")
    list(file.verify())
    return {"iterations": float(json.loads(file.metadata["progress"])["iterations"])}


def _flop_strategy(folder: Path, _: str) -> Any:
    """Return all that a sampled solve has found."""
    flop = FlopSolution.open(folder / "x.flop")
    return flop.facts.iterations, flop.facts.gain, repr(flop.node("k").strategy.tolist())


def _played(path: Path, told: Path) -> Kept:
    """Verify a ledger; no session that was told of is lost."""
    if not path.exists():
        return {}
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    ledger = Ledger(path)
    assert not list(ledger.damage())
    kept = {
        str(entry.id): inf if entry.finished else float(len(ledger.sessions(entry.id)))
        for entry in ledger.entries()
    }
    lines = told.read_text(encoding="utf-8").splitlines() if told.exists() else []
    for match, sessions in (line.split() for line in lines):
        assert kept[match] >= int(sessions)
    return kept


def _ledger(folder: Path) -> Kept:
    return _played(folder / "ledger.sqlite", folder / TOLD)


def _printed(_: Path, text: str) -> Any:
    return _without_times(json.loads(text))


def _without_times(value: Any) -> Any:
    """Leave out what no two runs have in common."""
    if isinstance(value, dict):
        same = {k: v for k, v in value.items() if "second" not in k and k != "ledger"}
        return {name: _without_times(each) for name, each in same.items()}
    return [_without_times(each) for each in value] if isinstance(value, list) else value


def _steps(folder: Path) -> Kept:
    """Verify what a reproduction has kept; a step that is done stays as it is."""
    run = folder / "run"
    kept = _played(run / "matches.sqlite", folder / TOLD)
    for path in (run / "steps").glob("[!.]*.json"):
        text = path.read_text(encoding="utf-8")
        kept[f"{path.stem} {json.loads(text)}"] = 1.0
    files = RunFiles.of(run / "demo")
    over = list((run / "steps").glob("[!.]*.trained"))
    return kept | ({"iterations": inf} if over else _training(files) if run.exists() else {})


def _sections(folder: Path, _: str) -> Any:
    """Return the headlines: a demo trains for a time, and its figures depend on the machine."""
    report = json.loads((folder / "run" / "report.json").read_bytes())
    verify(Blueprint.open(folder / "run" / "demo.blueprint"))
    return [section["title"] for section in report["sections"]]


def _arena(*words: str, workers: int = 1) -> Command:
    how = ("--seed", "7", "--workers", str(workers), "--json")
    files = ("ledger.sqlite", TOLD)
    begun = _ledger_begun
    return Command(CLI, (*words, *how), begun, _ledger, _printed, files)


def _ledger_begun(folder: Path) -> bool:
    return (folder / "ledger.sqlite").exists()


def _train_begun(folder: Path) -> bool:
    return _run_files(folder).checkpoint.exists()


def _flop_begun(folder: Path) -> bool:
    return (folder / "x.checkpoint").exists()


def _flop_over(folder: Path) -> bool:
    return (folder / "x.flop").exists() and not _flop_begun(folder)


def _run_begun(folder: Path) -> bool:
    return (folder / "run" / "run.json").exists()


_LEDUC = ("--game", "leduc", "--session", "25")
_SEARCH = "search:iterations=20,flop_iterations=1,threads=1"
_SPOT = ("--board", "Ks7h2d", "--pot", "20", "--stack", "100", "--oop", "22+, A2s+", "--ip", "55+")

COMMANDS: Mapping[str, Command] = {
    "train": Command(
        CLI,
        ("train", "recipe.toml", "--output", "x", "--json"),
        _train_begun,
        lambda folder: _training(_run_files(folder)),
        _trained,
        ("x.blueprint", "x.checkpoint", "x.log.jsonl", "x.png"),
    ),
    "match": _arena("match", "random", "checkcall", "--hands", "8000", *_LEDUC, workers=2),
    "match of search": _arena(
        *("match", _SEARCH, "checkcall", "--hands", "6", "--session", "1"), workers=2
    ),
    "flop solve": Command(
        FLOP,
        ("solve", "--sampled", *_SPOT, "--iterations", "6000", "-o", "x", "--json"),
        _flop_begun,
        _flop_saved,
        _flop_strategy,
        ("x.flop", "x.log.jsonl"),
        _flop_over,
    ),
    "tournament": _arena("tournament", "random", "checkcall", "fold", "--hands", "4000", *_LEDUC),
    "sweep": _arena("sweep", "shark", "--param", "low=0.2,0.4", "--against", "fish", "-n", "3000"),
    "reproduce": Command(REPRODUCE, (), _run_begun, _steps, _sections, ("run", TOLD)),
}
