"""Bots that do not look at their cards.

Fish and All-In are husky's (University of Washington, 2024), Fish and Fold also
PyPokerEngine's example players; their play is fixed by their names.
"""

from riverboat.bots._moves import give_up, go_along, keep_cards, raise_by
from riverboat.bots._settings import Settings
from riverboat.game import View

__all__ = ["AllIn", "Fish", "Fold"]


class Fish:
    """Checks or calls always.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> Fish().act(Hand(catalogue("nolimit-100bb"), seed=1).view(0))
    'c'
    """

    def __init__(self, seed: int = 0, settings: Settings | None = None) -> None:
        """Take what every bot is given; there is nothing to draw or set."""

    def act(self, view: View) -> str:
        """Choose a move."""
        legal = view.legal
        return keep_cards(view) if legal.stand or legal.discards else go_along(view)


class AllIn(Fish):
    """Bets all it has at every turn; in limit games it raises while it may.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> AllIn().act(Hand(catalogue("nolimit-100bb"), seed=1).view(0))
    'b1000'
    """

    def act(self, view: View) -> str:
        """Choose a move."""
        legal = view.legal
        return keep_cards(view) if legal.stand or legal.discards else raise_by(view, "max")


class Fold(Fish):
    """Folds to any bet, and checks where that is free.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> Fold().act(Hand(catalogue("nolimit-100bb"), seed=1).view(0))
    'f'
    """

    def act(self, view: View) -> str:
        """Choose a move."""
        legal = view.legal
        return keep_cards(view) if legal.stand or legal.discards else give_up(view)
