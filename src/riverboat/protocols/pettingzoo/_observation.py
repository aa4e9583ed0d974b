"""What a seat sees as numbers from 0 to 1. They are made of its `View`, so nothing hidden leaks."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import GameError
from riverboat.game import GameSpec, View, parse_line

_CARDS: Final = 52
_KINDS: Final = ("fold", "check", "call", "bet", "stand", "discard")
_MOVE: Final = len(_KINDS) + 2  # kind, amount, whether it opens a street
_LONGEST: Final = 1000


class Field(NamedTuple):
    """A part of an observation: its name, and where it begins and ends."""

    name: str
    begin: int
    end: int


class Encoder:
    """Turns views of a game into arrays of one length.

    Seats are told clockwise from the own one, and chips as a share of all chips in play.

    Parameters
    ----------
    spec
        The game.
    history
        How many of the latest moves are told, the newest first.

    Attributes
    ----------
    fields
        The parts of an observation, in order.
    size
        Their numbers in all.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> encoder = Encoder(catalogue("leduc"), history=2)
    >>> [field.name for field in encoder.fields]
    ['hole', 'board', 'discarded', 'street', 'button', 'live', 'stacks', 'bets', 'pot', 'to_call', \
'history']
    >>> encoder.encode(Hand(catalogue("leduc"), seed=1).view(0)).shape
    (184,)
    """

    def __init__(self, spec: GameSpec, history: int = 16) -> None:
        if type(history) is not int or not 0 <= history <= _LONGEST:
            raise GameError(f"a history has 0 to {_LONGEST:,} moves, not {history!r}")
        seats = spec.players
        sizes = {"hole": _CARDS, "board": _CARDS, "discarded": _CARDS, "street": len(spec.streets)}
        sizes |= {"button": seats, "live": seats, "stacks": seats, "bets": seats}
        sizes |= {"pot": 1, "to_call": 1, "history": history * _MOVE}
        ends = np.cumsum(list(sizes.values())).tolist()
        starts = [0, *ends[:-1]]
        self.fields = tuple(map(Field, sizes, starts, ends))
        self.size = ends[-1]
        self._history = history

    def encode(self, view: View) -> NDArray[np.float32]:
        """Return what the view's seat knows: [size] float32, 0 to 1."""
        seats = [(view.seat + step) % view.spec.players for step in range(view.spec.players)]
        chips = sum(view.starting_stacks)
        parts = (
            _marked(view.hole, _CARDS),
            _marked(view.board, _CARDS),
            _marked(view.discarded, _CARDS),
            _marked((view.street,), len(view.spec.streets)),
            [seat == view.button for seat in seats],
            [seat in view.live for seat in seats],
            [view.stacks[seat] / chips for seat in seats],
            [view.bets[seat] / chips for seat in seats],
            [view.pot / chips, view.to_call / chips],
            self._moves(view.line, chips),
        )
        return np.concatenate([np.asarray(part, np.float32).ravel() for part in parts])

    def _moves(self, line: str, chips: int) -> NDArray[np.float32]:
        """[history, kind and amount and opening]: the latest moves, the newest first."""
        told = np.zeros((self._history, _MOVE), np.float32)
        rows = list(_rows(line, chips))[::-1][: self._history]
        if rows:
            told[: len(rows)] = rows
        return told


def _marked(indices: tuple[int, ...], size: int) -> NDArray[np.float32]:
    """Ones at those places."""
    marks = np.zeros(size, np.float32)
    marks[[index for index in indices if index >= 0]] = 1
    return marks


def _rows(line: str, chips: int) -> Iterator[list[float]]:
    """Tell each move of a line, in order."""
    for street in parse_line(line):
        for place, action in enumerate(street):
            kinds = [float(action.kind == kind) for kind in _KINDS]
            yield [*kinds, action.amount / chips, float(place == 0)]
