"""Where a training was stopped: its checkpoint, and what had been noted by then."""

import json

import msgspec
import numpy as np
from numpy.typing import NDArray

from riverboat.files import ArrayFile, ArrayFileWriter, ArraySpec
from riverboat.seeds._reproduction import Reproduction
from riverboat.solve import Solver
from riverboat.training import Recipe, restore_checkpoint, save_checkpoint

__all__ = ["Kept", "keep", "kept_before", "read_tenths", "write_tenths"]

_CHECKPOINT = "training.checkpoint"
_TENTHS = "tenths.safetensors"


class Kept(msgspec.Struct, frozen=True):
    """What was noted of a training so far."""

    tenths: NDArray[np.uint8]
    """[infosets] tenths of the training that each was reached in."""
    points: tuple[dict[str, float | str], ...]


def keep(run: Reproduction, solver: Solver, recipe: Recipe, noted: Kept) -> None:
    """Save all that is needed to go on; the notes first, under the number of iterations."""
    name = f"noted-{solver.iterations}.safetensors"
    _write(run, name, noted.tenths, {"points": json.dumps(noted.points)})
    save_checkpoint(run.path(_CHECKPOINT), solver, recipe.identity())
    _remove_notes(run, but=name)


def kept_before(run: Reproduction, solver: Solver, recipe: Recipe, infosets: int) -> Kept:
    """Put the solver where an earlier, stopped run was, and return what was noted by then."""
    checkpoint = run.path(_CHECKPOINT)
    if not checkpoint.exists():
        return Kept(np.zeros(infosets, np.uint8), ())
    restore_checkpoint(checkpoint, solver, recipe.identity())
    file = ArrayFile(run.path(f"noted-{solver.iterations}.safetensors"))
    points = tuple(json.loads(file.metadata["points"]))
    return Kept(np.array(file.array("tenths")), points)


def write_tenths(run: Reproduction, tenths: NDArray[np.uint8]) -> None:
    """Keep the notes of a finished training; the checkpoint has done its duty."""
    _write(run, _TENTHS, tenths, {})
    run.path(_CHECKPOINT).unlink(missing_ok=True)
    _remove_notes(run)


def read_tenths(run: Reproduction) -> NDArray[np.uint8]:
    """Return how many tenths of the training each infoset was reached in, [infosets]."""
    return np.array(ArrayFile(run.path(_TENTHS)).array("tenths"))


def _write(
    run: Reproduction, name: str, tenths: NDArray[np.uint8], metadata: dict[str, str]
) -> None:
    specs = {"tenths": ArraySpec(tenths.dtype, tenths.shape)}
    with ArrayFileWriter(run.path(name), specs, metadata) as writer:
        writer.write("tenths", tenths)


def _remove_notes(run: Reproduction, but: str = "") -> None:
    for path in run.folder.glob("noted-*.safetensors"):
        if path.name != but:
            path.unlink()
