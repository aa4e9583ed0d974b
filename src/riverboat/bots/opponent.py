"""What a bot learns about its opponents: how often they bet, and fold to bets.

Counts start with some imagined hands of an average player, so that the first few
real ones do not decide everything.
"""

from typing import Final

__all__ = ["SIZE_BOUNDS", "OpponentModel"]

#: Bets fall into classes by their share of the pot: up to each of these, and above.
SIZE_BOUNDS: Final = (0.6, 1.2, 2.5)
_FOLDS: Final = (0.25, 0.4, 0.5, 0.6)  # imagined share of folds by class of size
_BETS: Final = 0.35  # imagined share of bets where he may check or bet
_RAISES: Final = 0.15  # imagined share of raises of a bet
_IMAGINED: Final = 10.0  # how many imagined decisions


class OpponentModel:
    """Frequencies of the opponents' moves.

    Examples
    --------
    >>> model = OpponentModel()
    >>> before = model.fold_share(1.0)
    >>> for _ in range(90):
    ...     model.answered("c", 1.0)
    >>> before, round(model.fold_share(1.0), 2)
    (0.4, 0.04)
    """

    def __init__(self) -> None:
        self._answers = [_IMAGINED] * len(_FOLDS)
        self._folds = [_IMAGINED * share for share in _FOLDS]
        self._answers_any = _IMAGINED
        self._raises = _IMAGINED * _RAISES
        self._turns = _IMAGINED
        self._bets = _IMAGINED * _BETS

    def answered(self, letter: str, pot_share: float) -> None:
        """Count the answer to an own bet of a share of the pot: f, c or b."""
        size = _size_class(pot_share)
        self._answers[size] += 1
        self._folds[size] += letter == "f"
        self._answers_any += 1
        self._raises += letter == "b"

    def acted(self, letter: str) -> None:
        """Count a move that was no answer to an own bet."""
        self._turns += 1
        self._bets += letter == "b"

    def fold_share(self, pot_share: float) -> float:
        """How often a bet of this share of the pot makes one opponent fold."""
        size = _size_class(pot_share)
        return self._folds[size] / self._answers[size]

    @property
    def bet_share(self) -> float:
        """How often an opponent bets or raises when we did not bet."""
        return self._bets / self._turns

    @property
    def raise_share(self) -> float:
        """How often an opponent raises our bet."""
        return self._raises / self._answers_any


def _size_class(pot_share: float) -> int:
    return sum(pot_share > bound for bound in SIZE_BOUNDS)
