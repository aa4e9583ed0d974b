"""The public betting tree of a game and a bet menu, as flat arrays.

>>> from riverboat.game import catalogue
>>> from riverboat.tree import Tree
>>> tree = Tree(catalogue("nolimit-100bb"), "laptop")
>>> tree.num_decisions
(44, 480, 2344, 8456)
>>> tree.actions(tree.node("b25c"))
('k', 'b25', 'b50', 'b975')
"""

from riverboat.tree.menu import BetMenu, BetSize, StreetMenu
from riverboat.tree.menus import find_menu, menu_names
from riverboat.tree.tree import DECISION, FOLD, SHOWDOWN, Tree

__all__ = [
    "DECISION",
    "FOLD",
    "SHOWDOWN",
    "BetMenu",
    "BetSize",
    "StreetMenu",
    "Tree",
    "find_menu",
    "menu_names",
]
