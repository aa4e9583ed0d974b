"""Real bets to menu bets, and back."""

from riverboat.translation._bets import Translation
from riverboat.translation._real_actions import real_actions
from riverboat.translation._spots import Spots
from riverboat.translation._tracker import Place, Tracker

__all__ = [
    "Place",
    "Spots",
    "Tracker",
    "Translation",
    "real_actions",
]
