"""Checkpoints: all that a run needs to continue, in one file that is replaced atomically."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from numpy.typing import NDArray

from riverboat import __version__
from riverboat.errors import DamagedFileError, RunError
from riverboat.files import ArrayFile, ArrayFileWriter, ArraySpec, json_value
from riverboat.settings import shown

_FORMAT: Final = "1"
_OWN: Final = {"kind", "format", "riverboat", "progress", "identity"}
_LONGEST: Final = 16 << 20  # characters


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of a task between two slices."""

    progress: Mapping[str, Any]
    """How far it is: plain values."""
    arrays: Mapping[str, NDArray[Any]]
    """By name."""
    more: Mapping[str, Any] = field(default_factory=dict)
    """Further plain values by name."""


def save_checkpoint(
    path: Path, kind: str, identity: Mapping[str, Any], checkpoint: Checkpoint
) -> None:
    """Save a checkpoint; a crash at any moment leaves the old file or the new one.

    Parameters
    ----------
    path
        Where.
    kind
        Of task: others are refused when it is opened.
    identity
        What decides the result: a run with another one is refused.
    checkpoint
        The state. Arrays are written at once, and may be the task's own.
    """
    arrays = checkpoint.arrays
    values = {"progress": checkpoint.progress, "identity": identity, **checkpoint.more}
    metadata = {"kind": kind, "format": _FORMAT, "riverboat": __version__}
    metadata |= {name: json.dumps(value) for name, value in values.items()}
    specs = {name: ArraySpec(array.dtype, array.shape) for name, array in arrays.items()}
    with ArrayFileWriter(path, specs, metadata) as writer:
        for name, array in arrays.items():
            writer.write(name, array)


def open_checkpoint(path: Path, kind: str, identity: Mapping[str, Any] | None = None) -> Checkpoint:
    """Open a checkpoint; refuse one of another kind, or of a run with another identity.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "sum.checkpoint"
    ...     save_checkpoint(path, "sum", {"seed": 1}, Checkpoint({"iterations": 9}, {}))
    ...     print(open_checkpoint(path, "sum", {"seed": 1}).progress)
    ...     open_checkpoint(path, "sum", {"seed": 2})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    riverboat.errors.RunError: ... is of another run: seed was 1 and is 2. Resume it with its \
own settings, or start again with --force
    """
    if not path.exists():
        raise RunError(f"there is no checkpoint {path} to resume")
    file = ArrayFile(path)
    metadata = file.metadata
    if metadata.get("kind") != kind or metadata.get("format") != _FORMAT:
        raise RunError(
            f"{path} is no checkpoint of kind {kind}, format {_FORMAT}: Riverboat {__version__} "
            "cannot resume it"
        )
    if metadata.get("riverboat", "").startswith("0.1."):
        raise RunError(f"{path} was written by Riverboat 0.1: it cannot be resumed")
    what = f"{path} is damaged: its header"
    values = {
        name: json_value(metadata.get(name, ""), what, DamagedFileError, _LONGEST)
        for name in {"progress", "identity", *metadata} - _OWN | {"progress", "identity"}
    }
    if not all(isinstance(value, dict) for value in values.values()):
        raise DamagedFileError(f"{what} is not whole")
    saved, progress = values.pop("identity"), values.pop("progress")
    _check_identity(path, saved, identity)
    arrays = {name: file.array(name) for name in file.names if name != "header.crc32"}
    return Checkpoint(progress, arrays, values)


def _check_identity(
    path: Path, saved: Mapping[str, Any], identity: Mapping[str, Any] | None
) -> None:
    wanted = {} if identity is None else json.loads(json.dumps(identity))
    differences = [
        f"{key} was {shown(saved.get(key))} and is {shown(value)}"
        for key, value in wanted.items()
        if saved.get(key) != value
    ]
    if differences:
        raise RunError(
            f"{path} is of another run: {'; '.join(differences)}. Resume it with its own "
            "settings, or start again with --force"
        )
