"""Action translation: real bets to bets of the menu, and back."""

from riverboat.translation._bets import Translation, real_actions, size_shares
from riverboat.translation._many_players import ManyTracker, make_tracker, tree_seats
from riverboat.translation._menu_nodes import MenuNodes, kind_difference
from riverboat.translation._tracker import Place, Tracker

__all__ = [
    "ManyTracker",
    "MenuNodes",
    "Place",
    "Tracker",
    "Translation",
    "kind_difference",
    "make_tracker",
    "real_actions",
    "size_shares",
    "tree_seats",
]
