"""How much hands of one bucket differ in what an action is worth to them, measured on some boards.

Decisions of the last street but one are drawn as the strategy comes to them: there every action's
worth to every hand is exact (`StrategyValues`). It is set against the mean of the hand's bucket. On
the flop, where luck of drawn run-outs hides the difference, the same is taken. Before the flop
buckets are classes of equal hands or nearly so, and the last street is worked out hand by hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from riverboat.game import Hand

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.blueprint import Blueprint, Query

_SEED: Final = 1
_DECISIONS: Final = 8
_MOST_TRIES: Final = 400


def bucket_spread(blueprint: Blueprint, threshold: float) -> NDArray[np.float64]:
    """Return [streets] the standard deviation, as a share of the pot; 0 where it is not asked."""
    query = blueprint.query(threshold=threshold)
    last = blueprint.tree.num_streets - 1
    spread = np.zeros(last + 1)
    if last > 1:
        found = [_squared(query, at) for at in _places(query, last - 1)]
        spread[1:last] = float(np.mean(found)) ** 0.5 if found else 0.0
    return spread


def _places(query: Query, street: int) -> list[tuple[int, tuple[int, ...]]]:
    """Node and board of decisions on a street, as the strategy comes to them."""
    rng, found = np.random.default_rng(_SEED), []
    for seed in range(_MOST_TRIES):
        hand = Hand(query.tree.spec, seed=seed)
        while hand.actor is not None and hand.street < street:
            answer = query.strategy(hand.view(hand.actor))
            if not answer.actions:
                break
            names, shares = zip(*answer.actions, strict=True)
            weights = np.array(shares)
            hand.do(str(rng.choice(names, p=weights / weights.sum())))
        if hand.actor is not None and hand.street == street:
            view = hand.view(hand.actor)
            found.append((query.tracker.find(view).node, view.board))
        if len(found) == _DECISIONS:
            break
    return found


def _squared(query: Query, at: tuple[int, tuple[int, ...]]) -> float:
    """The mean square of the difference, pots."""
    node, board = at
    found = query.all_values.actions(node, board)
    own = found.own_values
    alive = ~np.isnan(own)
    advantage = (found.action_values - own[:, None])[alive]
    weights = found.deals[found.player][alive]
    buckets = query.buckets.find_all(board)[alive]  # type: ignore[attr-defined]  # of hold'em
    total = np.bincount(buckets, weights)
    counted = total[buckets] > 0
    squares = []
    for column in advantage.T:
        with np.errstate(invalid="ignore"):
            means = np.bincount(buckets, weights * column) / total
        squares.append((column - means[buckets])[counted] ** 2)
    shares = found.strategy[alive][counted].T
    # Actions that are near the strategy's own matter: far ones are clear mistakes.
    weight = (shares + 0.1) * weights[counted]
    pot = float(query.tree.contributions[node].sum())
    return float((weight * np.array(squares)).sum() / weight.sum()) / pot**2
