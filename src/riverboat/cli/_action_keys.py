"""The actions of a decision for the eye: letter, words and colour of each.

Fold is blue, check and call green, bets go from amber over red to purple by their share of the
pot. The second palette (Okabe and Ito's) is for colour-blind people. Letters tell everything that
colours do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from riverboat.translation import MenuNodes

if TYPE_CHECKING:
    from riverboat.tree import Tree

__all__ = ["ActionKey", "Palette", "action_keys"]

Palette = Literal["usual", "colour-blind"]
Rgb = tuple[int, int, int]

_COLOURS: dict[Palette, dict[str, Rgb]] = {
    "usual": {
        "fold": (58, 134, 224),
        "call": (60, 176, 92),
        "0": (247, 197, 60),
        "1": (240, 140, 40),
        "2": (222, 62, 52),
        "3": (146, 84, 190),
        "other": (150, 150, 150),
    },
    "colour-blind": {
        "fold": (0, 114, 178),
        "call": (0, 158, 115),
        "0": (240, 228, 66),
        "1": (230, 159, 0),
        "2": (213, 94, 0),
        "3": (204, 121, 167),
        "other": (150, 150, 150),
    },
}
# The colour of a bet up to this share of the pot; all-in has the last.
_LIMITS = (0.4, 0.8, 1.2)
_PLAIN = {"f": ("F", "fold"), "k": ("K", "check"), "c": ("C", "call")}
_SWAPS = {"s": ("S", "stand pat"), "d": ("D", "swap a card")}
_BET_LETTERS = "abcdefghijklmnop"


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
    decision, colours = MenuNodes(tree)[node], _COLOURS[palette]
    bets = iter(zip(decision.bets, _BET_LETTERS, strict=False))
    keys = []
    for action in decision.actions:
        if action[0] == "b":
            bet, letter = next(bets)
            verb = "bet" if "k" in decision.children else "raise to"
            words = f"{verb} {action[1:]} ({bet.share:.0%} of the pot)".replace("%", " %")
            if bet.all_in:
                letter, words = "A", f"all-in {action[1:]}"
            colour = colours["3" if bet.all_in else str(sum(bet.share > x for x in _LIMITS))]
            keys.append(ActionKey(action, letter, words, colour, bet.share))
            continue
        letter, words = (_PLAIN | _SWAPS)[action]
        kind = "fold" if action == "f" else "call" if action in "kc" else "other"
        keys.append(ActionKey(action, letter, words, colours[kind], None))
    return tuple(keys)
