"""Action translation: real bets to bets of the menu, and back."""

from riverboat.translation._bets import Translation, real_actions, size_shares
from riverboat.translation._menu_nodes import MenuNodes, kind_difference
from riverboat.translation._tracker import Place, Tracker

__all__ = [
    "MenuNodes",
    "Place",
    "Tracker",
    "Translation",
    "kind_difference",
    "real_actions",
    "size_shares",
]
