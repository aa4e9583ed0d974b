"""What a bot learns about its opponents: how often they bet, and fold to bets.

Counts start with some imagined hands of an average player, so that the first few
real ones do not decide everything.
"""

from typing import Final, NamedTuple

#: Bets fall into classes by their share of the pot: up to each of these, and above.
SIZE_BOUNDS: Final = (0.6, 1.2, 2.5)
_FOLDS: Final = (0.25, 0.4, 0.5, 0.6)  # imagined share of folds by class of size
_SHOWN_FOLDS: Final = 0.5  # the same after he showed strength, in proportion
_BETS: Final = 0.35  # imagined share of bets where he may check or bet
_RAISES: Final = 0.15  # imagined share of raises of a bet
_IMAGINED: Final = 10.0  # how many imagined decisions


class Situation(NamedTuple):
    """What frequencies are counted for: flop seen or not, strength shown or not."""

    flop: bool
    """Whether there is a board."""
    shown: bool
    """Whether an opponent has bet or raised on this street."""


class OpponentModel:
    """Frequencies of the opponents' moves, apart for each situation.

    Examples
    --------
    >>> model = OpponentModel()
    >>> quiet = Situation(flop=True, shown=False)
    >>> before = model.fold_share(1.0, quiet)
    >>> for _ in range(90):
    ...     model.answered("c", 1.0, quiet)
    >>> before, round(model.fold_share(1.0, quiet), 2)
    (0.4, 0.04)
    """

    def __init__(self) -> None:
        self._parts = {
            Situation(flop, shown): _Counts(_SHOWN_FOLDS if shown else 1.0)
            for flop in (False, True)
            for shown in (False, True)
        }

    def answered(self, letter: str, pot_share: float, situation: Situation) -> None:
        """Count the answer to an own bet of a share of the pot: f, c or b."""
        counts, size = self._parts[situation], _size_class(pot_share)
        counts.answers[size] += 1
        counts.folds[size] += letter == "f"
        counts.answers_any += 1
        counts.raises += letter == "b"

    def acted(self, letter: str, situation: Situation) -> None:
        """Count a move that was no answer to an own bet."""
        counts = self._parts[situation]
        counts.turns += 1
        counts.bets += letter == "b"

    def fold_share(self, pot_share: float, situation: Situation) -> float:
        """How often a bet of this share of the pot makes one opponent fold."""
        counts, size = self._parts[situation], _size_class(pot_share)
        return counts.folds[size] / counts.answers[size]

    def bet_share(self, situation: Situation) -> float:
        """How often an opponent bets or raises when we did not bet."""
        return self._parts[situation].bets / self._parts[situation].turns

    def raise_share(self, situation: Situation) -> float:
        """How often an opponent raises our bet."""
        return self._parts[situation].raises / self._parts[situation].answers_any


class _Counts:
    """Counted and imagined decisions."""

    def __init__(self, folds: float) -> None:
        self.answers = [_IMAGINED] * len(_FOLDS)
        self.folds = [_IMAGINED * folds * share for share in _FOLDS]
        self.answers_any = _IMAGINED
        self.raises = _IMAGINED * _RAISES
        self.turns = _IMAGINED
        self.bets = _IMAGINED * _BETS


def _size_class(pot_share: float) -> int:
    return sum(pot_share > bound for bound in SIZE_BOUNDS)
