"""Our strategies as OpenSpiel's tabular policies, for Kuhn and Leduc poker.

Both games are walked side by side. Actions are in the same order on both sides: OpenSpiel has
pass, bet in Kuhn (pass = check or fold, bet = bet or call) and fold, call, raise in Leduc.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from riverboat.solve import Deals

Policy = dict[str, list[tuple[int, float]]]


def openspiel_policy(game: Any, deals: Deals, strategy: NDArray[np.float64]) -> Policy:
    """Information state: (action, probability) pairs, for all that can occur.

    Parameters
    ----------
    game
        `kuhn_poker` or `leduc_poker` as OpenSpiel loads it.
    deals
        The same game here.
    strategy
        [entries] probabilities.
    """
    policy: Policy = {}
    tree = deals.tree

    def walk(state: Any, node: int, cards: tuple[int, ...]) -> None:
        """`cards` are ranks in the order of dealing: by seat, then the board."""
        if state.is_chance_node():
            for outcome, _ in state.chance_outcomes():
                walk(state.child(outcome), node, (*cards, outcome // len(tree.spec.suits)))
            return
        if state.is_terminal():
            return
        player = state.current_player()
        assert player == tree.player[node]
        legal, row = state.legal_actions(), _row(deals, node, cards)
        probabilities = strategy[row : row + len(legal)].tolist()
        key = state.information_state_string(player)
        policy[key] = list(zip(legal, probabilities, strict=True))
        for action, child in zip(legal, tree.children(node), strict=True):
            walk(state.child(action), child, cards)

    walk(game.new_initial_state(), 0, ())
    return policy


def _row(deals: Deals, node: int, cards: tuple[int, ...]) -> int:
    """The first entry of the deciding player's infoset."""
    tree = deals.tree
    lowest = min(tree.spec.deck) // 4
    own, board = cards[tree.player[node]], cards[tree.num_players :]
    # What he has seen: his card, and the board of each street.
    key = ((own + lowest,), (), tuple(card + lowest for card in board))
    group = int(tree.group[node])
    assert deals.bucket_keys is not None
    bucket = deals.bucket_keys[group].index(key[: 2 + int(tree.street[node])])
    offset = bucket * int(tree.group_entries[group]) + int(tree.offset[node])
    return deals.compiled.base(group) + offset
