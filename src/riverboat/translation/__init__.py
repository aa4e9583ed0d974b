"""Real bets to menu bets, and back."""

from riverboat.translation._bets import Translation, share_of_smaller
from riverboat.translation._menu_nodes import MenuNodes
from riverboat.translation._real_actions import real_actions
from riverboat.translation._tracker import Place, Tracker

__all__ = [
    "MenuNodes",
    "Place",
    "Tracker",
    "Translation",
    "real_actions",
    "share_of_smaller",
]
