"""How a street begins: both ranges by Bayes' rule, and what the opponent's hands had before.

That is T of the gadget, and gifts. After a street that was solved, both are read off its solution.
Where search begins they come from the strategy file, which values every hand exactly with at most
one card to come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from riverboat.bots import BlueprintBot
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

#: The first street where the strategy's values are exact: one card is to come.
_EXACT: Final = 2


def likelihood(rows: HandStrategies, view: View, action: str) -> NDArray[np.float64]:
    """Return `[1326]`: how often each hand of a strategy makes a move.

    A bet that the strategy never makes counts as its two neighbours, by pseudo-harmonic shares:
    below its smallest bet the smaller neighbour is no bet. Any other move that it never makes
    tells nothing.

    Parameters
    ----------
    rows
        What the strategy does with each hand.
    view
        The table before the move.
    action
        The move.
    """
    if action in rows.actions:
        return rows.column(action)
    move = Action(action)
    if move.kind != "bet":
        return np.ones(len(rows.rows))
    passive = rows.column("k" if view.legal.check else "c")
    moves = [each for each in map(Action, rows.actions) if each.kind == "bet"]
    bets = sorted(moves, key=lambda bet: bet.amount)
    if not bets:
        return passive
    pot = max(view.pot + view.to_call, 1)  # none without forced bets
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
    """Return a range that adds up to 1, with a share of it spread evenly over all live hands.

    A model of an opponent is wrong somewhere: without the share a hand that he never has by the
    model could not be reckoned with.

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
    """What the opponent had, `[1326]` chips each, in the unit of `Gadget.values`."""

    values: _Floats
    """T; nan of hands of which nothing is known."""
    gifts: _Floats
    """What each hand gave away by coming here, not below 0."""

    def gadget(self, player: int, mode: GadgetMode) -> Gadget | None:
        """Return what bounds a player's values; None where nothing is known."""
        known = np.isfinite(self.values)
        if not known.any():
            return None
        gifts = self.gifts if mode == "reach" else None
        # A hand that met nothing of ours there bounds nothing here.
        return Gadget(player, np.where(known, self.values, np.inf), mode, gifts=gifts)


# ---- After a street that was solved


def solved_bound(before: Subgame, street: Street, player: int, mode: GadgetMode) -> Bound:
    """Return what a player, 0 out of position, had at a street by the solve of the one before.

    By best responses to our side of it: that gives no hand more, so the next solve need not.
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
    """What was lost by an action; nothing where that is not known."""
    return np.maximum(np.nan_to_num(lost), 0.0)


# ---- Where search begins


def base_bound(
    base: RangeBot | None, street: Street, seat: int, ranges: Ranges, mode: GadgetMode
) -> Bound | None:
    """Return what a seat's opponent had at a street by the strategy that was played to it.

    T is what a best response to our side of it wins, which the strategy itself does not exceed. Of
    a coarse strategy that is so much that in `resolve` hardly a hand would enter: there T is what
    his hands win by the strategy (the "estimate" of Brown & Sandholm 2017). In `maxmargin` one hand
    that it plays badly would then decide all.

    A table that the strategy reads in several ways gives the mean over them, and where its pot is
    another there, values count by their share of it.

    Parameters
    ----------
    base
        What was played so far.
    street
        That is to be solved.
    seat
        Ours.
    ranges
        Those of the solve: values are against our own of them.
    mode
        Gifts are found for `reach` only: that takes a while.

    Returns
    -------
    None where nothing exact is known: before the turn, off the strategy's tree, and of bots that
    have no values.
    """
    if not isinstance(base, BlueprintBot) or street.index < _EXACT:
        return None
    known = list(_places(base.query.tracker, street))
    if not known:
        return None
    reach = np.stack([ranges[street.seats.index(each)] for each in (0, 1)])
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
    """What a seat gave away where values are exact: on the turn, on the way to a river."""
    tree, gifts = values.tree, np.zeros(NUM_HOLES)
    for decision, taken in tree.way(node):
        index = int(tree.street[decision])
        if index >= _EXACT and tree.player[decision] == seat:
            board = street.board[: street.spec.board_sizes[index]]
            worth = values.best_actions(decision, board)
            gifts += _given(worth.max(axis=1) - worth[:, taken])
    return gifts


def _places(tracker: Tracker, street: Street) -> Iterator[tuple[int, float]]:
    """Yield nodes of a strategy's tree where a street may begin, with probabilities."""
    places: dict[Place, float] = {tracker.start(street.spec, street.stacks): 1.0}
    for hand, action in street.earlier():
        found: dict[Place, float] = {}
        for place, share in places.items():
            for after, part in tracker.readings(place, hand, action):
                found[after] = found.get(after, 0.0) + share * part
        places = found
    hand = street.start
    if hand.actor is None:
        return
    for place, share in places.items():
        at = place
        if not place.exact and place.node >= 0:
            at = tracker.aligned(place, hand.actor, hand.street)
        if at.node >= 0 and not at.committed:
            yield at.node, share
