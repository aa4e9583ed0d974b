"""Looking at a solver on its way: what an experiment measures while `train` runs."""

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from riverboat.solve import Solver


class Watch:
    """Looks at a solver at some numbers of iterations; give it to `train`.

    What it notes is part of the checkpoint: a run that was stopped looks at nothing twice, and
    leaves nothing out. Subclass it with `look`, and with what it has to note.

    Parameters
    ----------
    at
        Iterations at which it looks, ascending.

    Attributes
    ----------
    seen
        Iterations at which it has looked.
    """

    def __init__(self, at: Sequence[int] = ()) -> None:
        self.at, self.seen = tuple(at), list[int]()

    def look(self, solver: Solver) -> None:
        """Look; the solver stays as it is. What is broken off by Ctrl-C must leave no note."""
        raise NotImplementedError

    def notes(self) -> Mapping[str, Any]:
        """Return what is to be remembered: values that JSON has."""
        return {}

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Return arrays that are to be remembered."""
        return {}

    def restore(self, notes: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take both back; a ValueError says that they are not those of this training."""

    @property
    def over(self) -> bool:
        """Whether it has looked everywhere."""
        return self.seen == list(self.at)

    def look_once(self, solver: Solver) -> None:
        """Look, if it is to look here and has not."""
        if solver.iterations in self.at and solver.iterations not in self.seen:
            self.look(solver)
            self.seen.append(solver.iterations)
