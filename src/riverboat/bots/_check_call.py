"""The calling station."""

from riverboat.game import View

__all__ = ["CheckCall"]


class CheckCall:
    """Checks when that is free, else calls; keeps its cards, or tosses the first if it must.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand(catalogue("nolimit-100bb"), seed=1)
    >>> CheckCall().act(hand.view(0))
    'c'
    """

    def act(self, view: View) -> str:
        """Choose a move."""
        for move in view.legal:
            if move in ("k", "c", "s"):
                return move
        return next(move for move in view.legal if move.startswith("d"))
