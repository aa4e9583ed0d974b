"""The actions of a decision for the eye: a letter, words, and a colour each.

Fold is blue, check and call green, bets go from amber over red to purple by their share of the
pot. Letters tell everything that colours do.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from riverboat.translation import MenuNodes

if TYPE_CHECKING:
    from riverboat.report import Palette, Rgb
    from riverboat.tree import Tree

__all__ = ["ActionKey", "action_keys"]

_PLAIN: Final = {
    "f": ("F", "fold"),
    "k": ("K", "check"),
    "c": ("C", "call"),
    "s": ("S", "stand pat"),
    "d": ("D", "swap a card"),
}
_BET_LETTERS: Final = "abcdefghijklmnop"


class ActionKey(NamedTuple):
    """One action: its text, a letter for cells, words, colour, and share of the pot (bets)."""

    action: str
    letter: str
    words: str
    colour: Rgb
    share: float | None


def action_keys(tree: Tree, node: int, palette: Palette = "usual") -> tuple[ActionKey, ...]:
    """Return the keys of a decision's actions, in their order.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.tree import Tree
    >>> tree = Tree(catalogue("nolimit-100bb"), "laptop")
    >>> [(key.letter, key.words) for key in action_keys(tree, tree.node("b25c/"))][:2]
    [('K', 'check'), ('a', 'bet 25 (50 % of the pot)')]
    >>> [key.letter for key in action_keys(tree, 0)]
    ['F', 'C', 'a', 'b', 'A']
    """
    from riverboat.report import action_colour, percent  # noqa: PLC0415 - bots show nothing

    decision = MenuNodes(tree)[node]
    bets = iter(zip(decision.bets, _BET_LETTERS, strict=False))
    keys = []
    for action in decision.actions:
        if action[0] == "b":
            bet, letter = next(bets)
            verb = "bet" if "k" in decision.children else "raise to"
            words = f"{verb} {action[1:]} ({percent(bet.share, 0)} of the pot)"
            if bet.all_in:
                letter, words = "A", f"all-in {action[1:]}"
            colour = action_colour("bet", math.inf if bet.all_in else bet.share, palette)
            keys.append(ActionKey(action, letter, words, colour, bet.share))
            continue
        letter, words = _PLAIN[action]
        keys.append(ActionKey(action, letter, words, action_colour(words, palette=palette), None))
    return tuple(keys)
