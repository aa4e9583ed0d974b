"""Letter, words and colour of each action of a decision.

Fold is blue, check and call are green, bets go from amber over red to purple by size relative to
the pot, all-in is pink. Letters show everything that colours show.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from riverboat.game import Action, position_names
from riverboat.report import action_colour, percent
from riverboat.translation import MenuNodes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from riverboat.game import GameSpec, View
    from riverboat.report import Palette, Rgb
    from riverboat.tree import Tree

_PLAIN: Final = {
    "f": ("F", "fold"),
    "k": ("K", "check"),
    "c": ("C", "call"),
    "s": ("S", "stand pat"),
    "d": ("D", "swap a card"),
}
#: Kinds of actions: check, call, stand pat.
_PASSIVE: Final = (1, 2, 4)
_HEADS_UP: Final = 2
_BET_LETTERS: Final = "abcdefghijklmnop"


class ActionKey(NamedTuple):
    """One action: its text, a letter for cells, words, colour, and share of the pot (bets)."""

    action: str
    letter: str
    words: str
    colour: Rgb
    share: float | None


def action_keys(tree: Tree, node: int, palette: Palette = "usual") -> tuple[ActionKey, ...]:
    """Return the keys of a decision's actions, in order.

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
    decision = MenuNodes(tree)[node]
    bets = {f"b{tree.action_amount[bet.child]}": (bet.share, bet.all_in) for bet in decision.bets}
    return keys_of(decision.actions, bets, palette)


def public_state(tree: Tree, node: int, palette: Palette = "usual") -> dict[str, Any]:
    """Return the public state of a tree's decision: fields of a `Decision` by name.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.tree import Tree
    >>> tree = Tree(catalogue("nolimit-100bb"), "laptop")
    >>> state = public_state(tree, tree.node("b25"))
    >>> state["player"], state["pot"], state["to_call"]
    (1, 35, 15)
    """
    player, put_in = int(tree.player[node]), tree.contributions[node]
    passive = [child for child in tree.children(node) if tree.action_kind[child] in _PASSIVE]
    most = tree.contributions[passive[0], player] if passive else put_in.max()
    return {
        "line": tree.line(node),
        "player": player,
        "players": _player_names(tree.spec),
        "pot": int(put_in.sum()),
        "to_call": int(most - put_in[player]),
        "keys": action_keys(tree, node, palette),
    }


def _player_names(spec: GameSpec) -> tuple[str, ...]:
    """Return positions with three or more players and blinds, else seats."""
    if spec.players > _HEADS_UP and spec.big_blind:
        return position_names(spec)
    return tuple(f"seat {seat}" for seat in range(spec.players))


def table_keys(
    view: View, actions: Sequence[str], palette: Palette = "usual"
) -> tuple[ActionKey, ...]:
    """Return the keys of actions at a real table, in order.

    Parameters
    ----------
    view
        View of the seat to act.
    actions
        Legal actions; bets from small to large.
    palette
        Colours of the actions.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("nolimit-100bb")).view(0)
    >>> [key.words for key in table_keys(view, ("f", "c", "b25", "b1000"))]
    ['fold', 'call', 'raise to 25 (75 % of the pot)', 'all-in 1000']
    """
    pot, price = max(view.pot + view.to_call, 1), max(view.bets)
    most = view.bets[view.seat] + view.stacks[view.seat]
    amounts = [move.amount for move in map(Action, actions) if move.kind == "bet"]
    bets = {f"b{amount}": ((amount - price) / pot, amount == most) for amount in amounts}
    return keys_of(actions, bets, palette)


def keys_of(
    actions: Sequence[str], bets: Mapping[str, tuple[float, bool]], palette: Palette
) -> tuple[ActionKey, ...]:
    """Return the keys of actions; `bets` has each bet's share of the pot, and all-in or not."""
    letters = iter(_BET_LETTERS)
    keys = []
    for action in actions:
        move = Action(action)
        if move.kind == "bet":
            (share, all_in), letter = bets[action], next(letters)
            verb = "bet" if "k" in actions else "raise to"
            words = f"{verb} {move.amount} ({percent(share, 0)} of the pot)"
            if all_in:
                letter, words = "A", f"all-in {move.amount}"
            colour = action_colour("bet", math.inf if all_in else share, palette)
            keys.append(ActionKey(action, letter, words, colour, share))
            continue
        letter, words = _PLAIN[action]
        keys.append(ActionKey(action, letter, words, action_colour(words, palette=palette), None))
    return tuple(keys)
