"""The public betting tree of a game and a bet menu, as flat arrays.

>>> from riverboat.game import catalogue
>>> from riverboat.tree import Tree
>>> tree = Tree(catalogue("nolimit-100bb"), "laptop")
>>> tree.num_decisions
(44, 480, 2344, 8456)
>>> tree.actions(tree.node("b25c"))
('k', 'b25', 'b50', 'b975')
"""

from riverboat.tree._arrays import BET_ACTION, CHANCE, DECISION, FOLD, SHOWDOWN
from riverboat.tree._menu import BetMenu, find_menu, menu_names
from riverboat.tree._menu_text import BetSize, StreetMenu
from riverboat.tree._picture import draw_tree
from riverboat.tree._state import PublicState, tree_of
from riverboat.tree._tree import MAX_NODES, Tree

__all__ = [
    "BET_ACTION",
    "CHANCE",
    "DECISION",
    "FOLD",
    "MAX_NODES",
    "SHOWDOWN",
    "BetMenu",
    "BetSize",
    "PublicState",
    "StreetMenu",
    "Tree",
    "draw_tree",
    "find_menu",
    "menu_names",
    "tree_of",
]
