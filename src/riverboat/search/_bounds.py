"""Start of a street's solve: ranges by Bayes' rule, and the values that bound the opponent.

The bounds are the gadget's T and gifts. After a solved street they come from its solution. On the
first searched street they come from the blueprint, whose values are exact with at most one card to
come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from riverboat.bots import BlueprintBot, DepthsBot
from riverboat.cards import NUM_HOLES
from riverboat.game import Action
from riverboat.spots import Gadget
from riverboat.translation import size_shares

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from riverboat.blueprint import StrategyValues
    from riverboat.bots import HandStrategies, RangeBot
    from riverboat.game import View
    from riverboat.search._street import Street
    from riverboat.search._subgame import Ranges, Subgame
    from riverboat.spots import GadgetMode
    from riverboat.translation import Place, Tracker

    _Floats = NDArray[np.float64]

#: The first street with exact values of the blueprint: one card is to come.
_EXACT: Final = 2


def likelihood(rows: HandStrategies, view: View, action: str) -> NDArray[np.float64]:
    """Return `[1326]`: the probability of an action with each hand of a strategy.

    A bet that the strategy lacks counts as its two neighbours, by pseudo-harmonic shares; below
    the smallest bet one neighbour is no bet. Any other action that the strategy lacks has
    probability 1 with all hands.

    Parameters
    ----------
    rows
        The strategy of each hand.
    view
        The table before the action.
    action
        The action.
    """
    if action in rows.actions:
        return rows.column(action)
    move = Action(action)
    if move.kind != "bet":
        return np.ones(len(rows.rows))
    passive = rows.column("k" if view.legal.check else "c")
    moves = [bet for bet in map(Action, rows.actions) if bet.kind == "bet"]
    bets = sorted(moves, key=lambda bet: bet.amount)
    if not bets:
        return passive
    pot = max(view.pot + view.to_call, 1)  # 0 without forced bets
    price = max(view.bets)
    shares = size_shares((move.amount - price) / pot, [(bet.amount - price) / pot for bet in bets])
    columns = [
        share * (passive if index < 0 else rows.column(str(bets[index]))) for index, share in shares
    ]
    mixed: NDArray[np.float64] = np.sum(columns, axis=0)
    return mixed


def spread(
    reach: NDArray[np.float64], live: NDArray[np.bool_], share: float
) -> NDArray[np.float64]:
    """Return a range that adds up to 1, with a share of it spread uniformly over all live hands.

    A model of an opponent is never exact: the share keeps hands in the range that the model
    excludes.

    Examples
    --------
    >>> spread(np.array([3.0, 1.0, 5.0]), np.array([True, True, False]), 0.2).round(2).tolist()
    [0.7, 0.3, 0.0]
    """
    held = np.where(live, reach, 0.0)
    even = np.where(live, 1 / np.count_nonzero(live), 0.0)
    total = float(held.sum())
    if not total > 0:
        return even
    return (1 - share) * held / total + share * even


class Bound(NamedTuple):
    """Values that bound the opponent, `[1326]` chips each, in the unit of `Gadget.values`."""

    values: _Floats
    """T; nan for hands with unknown values."""
    gifts: _Floats
    """Chips that each hand gave away on the line to here, not below 0."""

    def gadget(self, player: int, mode: GadgetMode) -> Gadget | None:
        """Return the gadget for a player; None if no values are known."""
        known = np.isfinite(self.values)
        if not known.any():
            return None
        gifts = self.gifts if mode == "reach" else None
        # A hand without opposing hands there gets no bound.
        return Gadget(player, np.where(known, self.values, np.inf), mode, gifts=gifts)


# ---- After a solved street


def solved_bound(before: Subgame, street: Street, player: int, mode: GadgetMode) -> Bound:
    """Return the bounds of a player (0 = out of position) from the previous street's solve.

    The values are those of best responses to our strategy, which no hand of the opponent exceeds.
    """
    engine, line = before.engine, street.before.line
    values = engine.best_values(player, before.planned.node(line), street.new_cards)
    gifts, tree = np.zeros(NUM_HOLES), before.planned.tree
    path = before.planned.path(line) or []
    for node, child in path if mode == "reach" else ():
        if tree.player[node] == player:
            chips = int(tree.contributions[child, player] - tree.contributions[node, player])
            taken = engine.best_values(player, child) - chips
            gifts += _given(engine.best_values(player, node) - taken)
    return Bound(values, gifts)


def _given(lost: _Floats) -> _Floats:
    """Gifts from losses by an action; 0 where unknown."""
    return np.maximum(np.nan_to_num(lost), 0.0)


# ---- The first searched street


def base_bound(
    base: RangeBot | None, street: Street, seat: int, ranges: Ranges, mode: GadgetMode
) -> Bound | None:
    """Return the bounds of a seat's opponent on a street, from the base strategy.

    T is the EV of the opponent's best response to our part of the strategy, an upper bound of the
    strategy's own EV. With a coarse strategy it is so high that in `resolve` hardly a hand would
    enter: there T is the opponent's EV under the strategy (the "estimate" of Brown & Sandholm
    2017). With that T in `maxmargin` a single badly played hand would decide everything.

    If action translation has several readings of a line, the bounds are their mean; if the pot
    differs in the tree, values are scaled by the pots.

    Parameters
    ----------
    base
        The bot of the streets before.
    street
        The street to solve.
    seat
        Our seat.
    ranges
        Ranges of the solve: values are against our range.
    mode
        Gifts are computed for `reach` only, because that is slow.

    Returns
    -------
    The bounds, or None without exact values: before the turn, off-tree, and for bots without
    values.
    """
    if not isinstance(base, BlueprintBot | DepthsBot) or street.index < _EXACT:
        return None
    base = base.at(street.spec, street.stacks)
    known = list(_places(base.query.tracker, street))
    if not known:
        return None
    reach = np.stack([ranges[street.seats.index(player)] for player in (0, 1)])
    pot, total = street.state.pot, sum(share for _, share in known)
    values, gifts = np.zeros(NUM_HOLES), np.zeros(NUM_HOLES)
    ask = base.values.hands if mode == "resolve" else base.values.best
    for node, share in known:
        chips = share / total * pot / int(base.values.tree.contributions[node].sum())
        values += chips * ask(1 - seat, node, street.board, reach=reach).values
        if mode == "reach":
            gifts += chips * _base_gifts(base.values, street, node, 1 - seat)
    return Bound(values, gifts)


def _base_gifts(values: StrategyValues, street: Street, node: int, seat: int) -> _Floats:
    """Gifts of a seat on the turn, where values are exact, before a river."""
    tree, gifts = values.tree, np.zeros(NUM_HOLES)
    for decision, taken in tree.way(node):
        index = int(tree.street[decision])
        if index >= _EXACT and tree.player[decision] == seat:
            board = street.board[: street.spec.board_sizes[index]]
            worth = values.best_actions(decision, board)
            gifts += _given(worth.max(axis=1) - worth[:, taken])
    return gifts


def _places(tracker: Tracker, street: Street) -> Iterator[tuple[int, float]]:
    """Yield the nodes of the blueprint's tree for the start of a street, with probabilities."""
    places: dict[Place, float] = {tracker.start(street.spec, street.stacks): 1.0}
    for hand, action in street.earlier():
        later: dict[Place, float] = {}
        for place, share in places.items():
            for after, part in tracker.readings(place, hand, action):
                later[after] = later.get(after, 0.0) + share * part
        places = later
    hand = street.start
    if hand.actor is None:
        return
    for place, share in places.items():
        at = place
        if not place.exact and place.node >= 0:
            at = tracker.aligned(place, hand.actor, hand.street)
        if at.node >= 0 and not at.committed:
            yield at.node, share
