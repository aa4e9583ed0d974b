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
    _walk(game.new_initial_state(), deals, strategy, 0, (), policy)
    return policy


def _walk(
    state: Any,
    deals: Deals,
    strategy: NDArray[np.float64],
    node: int,
    cards: tuple[int, ...],
    policy: Policy,
) -> None:
    """`cards` are ranks in the order of dealing: by seat, then the board."""
    if state.is_terminal():
        return
    if state.is_chance_node():
        for outcome, _ in state.chance_outcomes():
            rank = outcome // len(deals.tree.spec.suits)
            _walk(state.child(outcome), deals, strategy, node, (*cards, rank), policy)
        return
    player = state.current_player()
    assert player == deals.tree.player[node]
    children = deals.tree.children(node)
    legal = state.legal_actions()
    row = _row(deals, node, cards)
    probabilities = strategy[row : row + len(children)].tolist()
    policy[state.information_state_string(player)] = list(zip(legal, probabilities, strict=True))
    for action, child in zip(legal, children, strict=True):
        _walk(state.child(action), deals, strategy, child, cards, policy)


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
