"""Small bots whose results can be computed by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverboat.cards import hole_index
from riverboat.runs._machine import _GET_DUMPABLE, _prctl

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from riverboat.game import View


class Fish:
    """Checks and calls."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def act(self, view: View) -> str:
        """Choose."""
        return "c" if view.to_call else "k"


class AllIn(Fish):
    """Bets everything."""

    def act(self, view: View) -> str:
        """Choose."""
        raise_to = view.legal.raise_to
        return super().act(view) if raise_to is None else f"b{raise_to[1]}"


class Folder(Fish):
    """Gives up whenever there is something to give up."""

    def act(self, view: View) -> str:
        """Choose."""
        return "f" if view.to_call else "k"


class Threshold(Fish):
    """Calls everything with a win rate of at least `low`, else gives up."""

    def __init__(self, low: float, win_rates: NDArray[np.float64]) -> None:
        super().__init__()
        self.low = low
        self.win_rates = win_rates

    def act(self, view: View) -> str:
        """Choose."""
        if not view.to_call:
            return "k"
        return "c" if self.win_rates[hole_index(*view.hole)] >= self.low else "f"


class Counting(Fish):
    """Counts the hands it has seen; calls in the first half of a session, then folds."""

    learns = True
    fold_after = 10

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.hands = 0
        self.views: list[View] = []

    def hand_started(self, view: View) -> None:
        """Count."""
        assert not view.finished
        self.hands += 1

    def hand_over(self, view: View) -> None:
        """Look."""
        assert view.payoffs is not None

    def act(self, view: View) -> str:
        """Choose."""
        return Folder().act(view) if self.hands > self.fold_after else super().act(view)


class Clumsy(Fish):
    """Raises an error on the flop, and answers what is not allowed on every other street."""

    def act(self, view: View) -> str:
        """Choose."""
        if view.street == 1:
            raise RuntimeError("no idea on the flop")
        return "b3"


def is_open() -> bool:
    """Whether other programs of this user may read this process's memory."""
    return _prctl(_GET_DUMPABLE, 0) == 1


class Watcher(Fish):
    """Refuses to play where somebody can read what the dealer knows."""

    def act(self, view: View) -> str:
        """Choose."""
        if is_open():
            raise RuntimeError("everybody can read this process's memory")
        return super().act(view)
