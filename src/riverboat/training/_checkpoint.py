"""What a checkpoint has of a solver: its tables, its position, and the cards that it was fitted to.

Iteration t draws from the stream (seed, t), so tables and the number of iterations are enough:
with one thread a resumed run ends with the same tables, bit for bit, as one that never stopped.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from riverboat.buckets import CardAbstraction
from riverboat.errors import AbstractionError, DamagedFileError
from riverboat.runs import Checkpoint, open_checkpoint
from riverboat.solve import Solver, SolverState

KIND: Final = "riverboat-checkpoint"
_CARDS: Final = "cards."
#: Names of arrays that a `Watch` has noted begin so.
WATCH: Final = "watch."


def checkpoint_of(solver: Solver, cards: CardAbstraction | None = None) -> Checkpoint:
    """Return the state of a solver between two slices; its arrays are the solver's own.

    With the card abstraction a run continues with the very same buckets, and fits nothing anew.
    """
    state = solver.state(copy=False)
    said, fitted = cards.save() if cards is not None else ({}, {})
    arrays = {**state.arrays, **{_CARDS + name: array for name, array in fitted.items()}}
    progress = {name: getattr(state, name) for name in ("iterations", "seconds", "nodes")}
    return Checkpoint(progress, arrays, {"cards": said})


def restore_solver(solver: Solver, checkpoint: Checkpoint) -> None:
    """Put a solver where a checkpoint was taken."""
    tables = {
        n: array for n, array in checkpoint.arrays.items() if not n.startswith((_CARDS, WATCH))
    }
    solver.restore(SolverState(**checkpoint.progress, arrays=tables))


def saved_cards(path: Path, identity: Mapping[str, Any]) -> CardAbstraction | None:
    """Return the card abstraction of a checkpoint; None where deals are enumerated."""
    checkpoint = open_checkpoint(path, KIND, identity)
    arrays = {
        name.removeprefix(_CARDS): np.asarray(array)
        for name, array in checkpoint.arrays.items()
        if name.startswith(_CARDS)
    }
    said = checkpoint.more.get("cards")
    try:
        return CardAbstraction.restore(said, arrays) if said else None
    except AbstractionError as error:
        raise DamagedFileError(f"{path} is damaged: {error}") from error
