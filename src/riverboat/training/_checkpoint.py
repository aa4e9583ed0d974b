"""Checkpoints: all that a run needs to go on, in one file that is replaced atomically.

Iteration t draws from the stream (seed, t), so tables and the number of iterations are enough:
with one thread a resumed run ends with the same tables, bit for bit, as one that never stopped.
"""

import json
from pathlib import Path
from typing import Any, Final

import numpy as np

from riverboat import __version__
from riverboat.buckets import CardAbstraction, restore_abstraction, save_abstraction
from riverboat.errors import AbstractionError, DamagedFileError, SolveError, TrainingError
from riverboat.files import ArrayFile, ArrayFileWriter, ArraySpec, json_value
from riverboat.settings import shown
from riverboat.solve import Solver, SolverState
from riverboat.tree import find_menu

__all__ = ["check_checkpoint", "restore_checkpoint", "save_checkpoint", "saved_cards"]

_KIND: Final = "riverboat-checkpoint"
_FORMAT: Final = 1
_CARDS: Final = "cards."
_LONGEST: Final = 16 << 20  # characters


def save_checkpoint(
    path: Path, solver: Solver, identity: dict[str, Any], cards: CardAbstraction | None = None
) -> None:
    """Write the state of a solver; a crash at any moment leaves the old file or the new one.

    Parameters
    ----------
    path
        Where.
    solver
        Between two slices.
    identity
        What decides the tables (`Recipe.identity`): a run with another one is refused.
    cards
        The card abstraction: a run goes on with the very same buckets, and fits nothing anew.
    """
    state = solver.state(copy=False)
    said, fitted = save_abstraction(cards) if cards is not None else ({}, {})
    arrays = {**state.arrays, **{_CARDS + name: array for name, array in fitted.items()}}
    progress = {name: getattr(state, name) for name in ("iterations", "seconds", "nodes")}
    metadata = {
        "kind": _KIND,
        "format": str(_FORMAT),
        "riverboat": __version__,
        "progress": json.dumps(progress),
        "identity": json.dumps(identity),
        "cards": json.dumps(said),
    }
    specs = {name: ArraySpec(array.dtype, array.shape) for name, array in arrays.items()}
    with ArrayFileWriter(path, specs, metadata) as writer:
        for name, array in arrays.items():
            writer.write(name, array)


def restore_checkpoint(path: Path, solver: Solver, identity: dict[str, Any]) -> None:
    """Put a solver where a checkpoint was saved.

    Raises
    ------
    TrainingError
        If there is none, or it belongs to another recipe; the difference is named.
    DamagedFileError
        If a checksum does not match.
    """
    file, said = _opened(path)
    _check_identity(path, said["identity"], json.loads(json.dumps(identity)))
    tables = {name: file.array(name) for name in file.names if _is_table(name)}
    try:
        solver.restore(SolverState(**said["progress"], arrays=tables))
    except (SolveError, TypeError) as error:
        raise DamagedFileError(f"{path} is damaged: {error}") from error


def check_checkpoint(path: Path, identity: dict[str, Any]) -> None:
    """Refuse a checkpoint of another recipe, as `restore_checkpoint` does."""
    _, said = _opened(path)
    _check_identity(path, said["identity"], json.loads(json.dumps(identity)))


def saved_cards(path: Path) -> CardAbstraction | None:
    """Return the card abstraction of a checkpoint; None where deals are enumerated."""
    file, said = _opened(path)
    names = [name for name in file.names if name.startswith(_CARDS)]
    arrays = {name.removeprefix(_CARDS): np.asarray(file.array(name)) for name in names}
    try:
        return restore_abstraction(said["cards"], arrays) if said["cards"] else None
    except AbstractionError as error:
        raise DamagedFileError(f"{path} is damaged: {error}") from error


def _opened(path: Path) -> tuple[ArrayFile, dict[str, Any]]:
    """Open a checkpoint: its arrays, and what its header says."""
    if not path.exists():
        raise TrainingError(f"there is no checkpoint {path} to resume")
    file = ArrayFile(path)
    metadata = file.metadata
    if metadata.get("kind") != _KIND or metadata.get("format") != str(_FORMAT):
        raise TrainingError(
            f"{path} is no checkpoint of format {_FORMAT}: it cannot be resumed by Riverboat "
            f"{__version__}"
        )
    what = f"{path} is damaged: its header"
    said = {
        key: json_value(metadata.get(key, ""), what, DamagedFileError, _LONGEST)
        for key in ("progress", "identity", "cards")
    }
    if not all(isinstance(table, dict) for table in said.values()):
        raise DamagedFileError(f"{what} is not whole")
    return file, said


def _is_table(name: str) -> bool:
    return not name.startswith(_CARDS) and name != "header.crc32"


def _check_identity(path: Path, saved: dict[str, Any], wanted: dict[str, Any]) -> None:
    if isinstance(saved.get("menu"), str):  # 0.1 wrote some menus in other words
        saved = {**saved, "menu": str(find_menu(saved["menu"]))}
    differences = [
        f"{key} was {shown(saved.get(key))} and is {shown(value)}"
        for key, value in wanted.items()
        if saved.get(key) != value
    ]
    if differences:
        raise TrainingError(
            f"{path} belongs to another recipe: {'; '.join(differences)}. Resume it with its own, "
            "or begin again with --force"
        )
