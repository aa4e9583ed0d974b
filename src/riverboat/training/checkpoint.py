"""Checkpoints: all that a run needs to go on, in one file that is replaced atomically.

Iteration t draws from the stream (seed, t), so tables and the number of iterations are enough:
with one thread a resumed run ends with the same tables, bit for bit, as one that never stopped.
"""

import json
from pathlib import Path
from typing import Any, Final

from numpy.typing import NDArray

from riverboat import __version__
from riverboat.errors import DamagedFileError, TrainingError
from riverboat.files import ArrayFile, ArrayFileWriter, ArraySpec
from riverboat.solve import Solver, SolverState

__all__ = ["restore_checkpoint", "save_checkpoint"]

_KIND: Final = "riverboat-checkpoint"
_FORMAT: Final = 1


def save_checkpoint(path: Path, solver: Solver, identity: dict[str, Any]) -> None:
    """Write the state of a solver; a crash at any moment leaves the old file or the new one.

    Parameters
    ----------
    path
        Where.
    solver
        Between two slices.
    identity
        What decides the tables (`Recipe.identity`): a run with another one is refused.
    """
    state = solver.state(copy=False)
    arrays = state.arrays
    progress = {name: getattr(state, name) for name in ("iterations", "seconds", "nodes")}
    metadata = {
        "kind": _KIND,
        "format": str(_FORMAT),
        "riverboat": __version__,
        "progress": json.dumps(progress),
        "identity": json.dumps(identity),
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
    if not path.exists():
        raise TrainingError(f"there is no checkpoint {path} to resume")
    file = ArrayFile(path)
    metadata = file.metadata
    if metadata.get("kind") != _KIND or metadata.get("format") != str(_FORMAT):
        raise TrainingError(
            f"{path} is no checkpoint of format {_FORMAT}: it cannot be resumed by Riverboat "
            f"{__version__}"
        )
    try:
        progress = json.loads(metadata["progress"])
        saved = json.loads(metadata["identity"])
    except (KeyError, ValueError) as error:
        raise DamagedFileError(f"{path} is damaged: its header is not whole") from error
    _check_identity(path, saved, json.loads(json.dumps(identity)))
    solver.restore(SolverState(**progress, arrays=_arrays(file)))


def _arrays(file: ArrayFile) -> dict[str, NDArray[Any]]:
    """Return the tables, verified."""
    return {name: file.array(name) for name in file.names if name != "header.crc32"}


def _check_identity(path: Path, saved: dict[str, Any], wanted: dict[str, Any]) -> None:
    differences = [
        f"{key} was {saved.get(key)!r} and is {value!r}"
        for key, value in wanted.items()
        if saved.get(key) != value
    ]
    if differences:
        raise TrainingError(
            f"{path} belongs to another recipe: {'; '.join(differences)}. Resume it with its own, "
            "or begin again with --force"
        )
