"""How well a strategy agrees with its own values.

Three tests that need no opponent. Before the flop: how much more the best action of each hand class
would win than the strategy, if both players continue by the strategy. The best action is chosen on
some runouts and valued on others (cross-fitting), because choosing and valuing on the same runouts
counts noise as regret. Then: how often a dominated hand is played more than the hand that dominates
it. On the river, where values are exact: how often an action that the strategy hardly ever takes is
much better than the strategy.

None of them is exploitability: both players keep to the strategy after the action.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from riverboat.cards import HOLE_CLASS, NUM_CLASSES, RANKS, class_text, hole_index
from riverboat.errors import BlueprintError
from riverboat.game import Hand
from riverboat.statistics import Estimate, mean_estimate, share_estimate
from riverboat.tree import BET_ACTION, FOLD

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.blueprint import Blueprint, Query
    from riverboat.decision import Decision
    from riverboat.game import View
    from riverboat.tree import Tree

AuditProgress = Callable[[str, int, int], object]
"""Called with what is tested, the parts that are done, and all parts."""

_FOLDS: Final = 8  # of the runouts: the best action of each comes from the other seven
_LEAST_REACH: Final = 0.05
_MARGIN: Final = 0.05  # of probability, before an order counts as wrong
_HARDLY: Final = 0.01  # of probability
_MUCH: Final = 0.02  # of the pot


class PreflopAudit(msgspec.Struct, frozen=True, kw_only=True):
    """A decision before the flop.

    Attributes
    ----------
    line
        The actions before it.
    frequencies
        Probability of each action over all hands.
    regret
        How much more the best action of each hand class wins than the strategy, in mbb per hand
        that reaches the decision. Cross-fitted, so it may be below 0.
    pairs
        Number of pairs of a hand and a dominated hand, both reached; 0 if no fold is legal.
    wrong
        Number of pairs in which the dominated hand folds less often, by more than 0.05.
    """

    line: str
    frequencies: dict[str, float]
    regret: Estimate
    pairs: int
    wrong: tuple[str, ...]


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """How well a strategy agrees with its own values.

    Attributes
    ----------
    threshold
        Bets and folds with a lower probability are left out; 0 = as trained.
    seed
        Random seed of runouts and hands.
    runouts
        Sampled runouts for each decision before the flop.
    preflop
        Decisions that the tree has of these: first in, facing the smallest raise, facing the
        smallest 3-bet, facing a limp.
    river
        Share of sampled river decisions in which an action with a probability below 1 % is better
        than the strategy by more than 2 % of the pot.
    """

    threshold: float
    seed: int
    runouts: int
    preflop: tuple[PreflopAudit, ...]
    river: Estimate

    @property
    def wrong_order(self) -> Estimate:
        """Share of dominated pairs in the wrong order, over all decisions before the flop."""
        pairs = sum(row.pairs for row in self.preflop)
        return share_estimate(sum(len(row.wrong) for row in self.preflop), pairs)

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON values."""
        rows = [
            {
                "line": row.line,
                "frequencies": row.frequencies,
                "regret_mbb": row.regret.as_values(),
                "pairs": row.pairs,
                "wrong": list(row.wrong),
            }
            for row in self.preflop
        ]
        return {
            "threshold": self.threshold,
            "seed": self.seed,
            "runouts": self.runouts,
            "preflop": rows,
            "wrong_order": self.wrong_order.as_values(),
            "river": self.river.as_values(),
        }


def audit(  # noqa: PLR0913 - what is tested, and how precisely
    blueprint: Blueprint,
    threshold: float = 0.0,
    *,
    runouts: int = 2400,
    rivers: int = 1000,
    seed: int = 0,
    progress: AuditProgress = lambda _what, _done, _total: None,
) -> Audit:
    """Test a hold'em strategy of two players.

    Parameters
    ----------
    blueprint
        The strategy.
    threshold
        Bets and folds with a lower probability are left out, as when a bot plays.
    runouts
        Runouts for each decision before the flop, at least 16.
    rivers
        Number of river decisions, sampled by their reach.
    seed
        Random seed of runouts and hands.
    progress
        Called with the current test, finished parts and all parts.
    """
    if runouts < 2 * _FOLDS or rivers < 1:
        raise BlueprintError(
            f"{runouts} runouts and {rivers} rivers: at least {2 * _FOLDS} and 1 are needed"
        )
    query = blueprint.query(threshold=threshold)
    lines = preflop_lines(query.tree)
    rows = []
    for index, line in enumerate(lines):
        progress("preflop", index, len(lines))
        rows.append(_preflop(query, line, threshold, runouts, seed))
    progress("preflop", len(lines), len(lines))
    better = 0
    for index, view in enumerate(river_decisions(query, rivers, seed), 1):
        better += _is_better(query, view)
        progress("river", index, rivers)
    return Audit(
        threshold=threshold,
        seed=seed,
        runouts=runouts,
        preflop=tuple(rows),
        river=share_estimate(better, rivers),
    )


def preflop_lines(tree: Tree) -> tuple[str, ...]:
    """Return the lines to those of the four decisions that the tree has.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.tree import Tree
    >>> preflop_lines(Tree(catalogue("nolimit-100bb"), "2.5x, 6x, a | 100%, a / a"))
    ('', 'b25', 'b25b75', 'c')
    """
    open_, limp = _raised(tree, 0), _child(tree, 0, "c")
    nodes = [0, open_, _raised(tree, open_), limp]
    return tuple(tree.line(node) for node in nodes if node >= 0)


def _raised(tree: Tree, node: int) -> int:
    """The decision after the smallest raise; -1 if there is none."""
    if node < 0:
        return -1
    bets = [child for child in tree.children(node) if int(tree.action_kind[child]) == BET_ACTION]
    return bets[0] if bets and tree.num_actions[bets[0]] else -1


def _child(tree: Tree, node: int, action: str) -> int:
    named = [child for child in tree.children(node) if tree.line(child) == action]
    return named[0] if named and tree.num_actions[named[0]] else -1


def _preflop(query: Query, line: str, threshold: float, runouts: int, seed: int) -> PreflopAudit:
    node, blind = query.tree.node(line), query.tree.spec.big_blind
    parts = []
    for fold in range(_FOLDS):
        values = query.values_as_played(threshold, seed=seed * _FOLDS + fold)
        parts.append(values.actions(node, samples=runouts // _FOLDS))
    decision = parts[0]
    folds = [child for child in query.tree.children(node) if query.tree.kind[child] == FOLD]
    pairs = list(_pairs(decision)) if folds else []
    folded = decision.class_mean(decision.strategy)[:, 0]
    return PreflopAudit(
        line=line,
        frequencies=dict(
            zip(decision.actions, decision.frequencies().round(6).tolist(), strict=True)
        ),
        regret=_regret(parts).scaled(1000 / blind),
        pairs=len(pairs),
        wrong=tuple(
            f"{class_text(better)} < {class_text(worse)}"
            for better, worse in pairs
            if folded[better] > folded[worse] + _MARGIN
        ),
    )


def _regret(parts: list[Decision]) -> Estimate:
    """Cross-fitted regret in chips per hand that reaches the decision."""
    weights = parts[0].deals[parts[0].player]
    weights = np.bincount(HOLE_CLASS, weights, NUM_CLASSES)
    reached = weights > 0
    weights = weights[reached] / weights.sum()
    gains = np.array([_gains(part)[reached] for part in parts])  # [folds, classes, actions]
    total = gains.sum(axis=0)
    best = (total - gains).argmax(axis=2)
    chosen = np.take_along_axis(gains, best[:, :, None], axis=2)[:, :, 0]
    return mean_estimate(chosen @ weights)


def _gains(part: Decision) -> NDArray[np.float64]:
    """[169, actions] EV of each action minus EV of the strategy."""
    gains: NDArray[np.float64] = part.class_mean(part.action_values - part.own_values[:, None])
    return gains


def _pairs(decision: Decision) -> Iterator[tuple[int, int]]:
    """Pairs of a class and a class that it dominates, where both are reached.

    The same high card and suitedness with the next kicker, and neighbouring pocket pairs; not A6
    and A5, because the lower kicker makes a straight.
    """
    reach = decision.class_reach()
    for better, worse in dominated_pairs():
        if min(reach[better], reach[worse]) > _LEAST_REACH:
            yield better, worse


def dominated_pairs() -> Iterator[tuple[int, int]]:
    """Yield 142 pairs of classes, the better one first.

    Examples
    --------
    >>> from riverboat.cards import class_text
    >>> pairs = [tuple(map(class_text, pair)) for pair in dominated_pairs()]
    >>> len(pairs), pairs[0], pairs[-1]
    (142, ('33', '22'), ('AKo', 'AQo'))
    """
    names = [(2 * better, 2 * worse) for worse, better in pairwise(RANKS)]
    for suits in "so":
        for index, high in enumerate(RANKS):
            kickers = pairwise(RANKS[:index])
            names += [(high + better + suits, high + worse + suits) for worse, better in kickers]
    for better, worse in names:
        if better[:2] != "A6":
            yield _class(better), _class(worse)


def _class(name: str) -> int:
    second = "h" if name.endswith("s") else "d"
    return int(HOLE_CLASS[hole_index(f"{name[0]}h", f"{name[1]}{second}")])


def river_decisions(query: Query, count: int, seed: int) -> Iterator[View]:
    """Yield views on the last street, sampled by self-play of the strategy."""
    rng, found, last = np.random.default_rng((seed, 2)), 0, query.tree.num_streets - 1
    for deal in range(1000 * count):
        (cards,) = np.random.SeedSequence([seed, deal]).generate_state(1, np.uint64).tolist()
        hand = Hand(query.tree.spec, seed=cards)
        while hand.actor is not None:
            view = hand.view(hand.actor)
            answer = query.strategy(view)
            if answer.status != "trained":
                break
            if hand.street == last:
                yield view
                found += 1
                if found == count:
                    return
            names, shares = zip(*answer.actions, strict=True)
            weights = np.array(shares)
            hand.do(str(rng.choice(names, p=weights / weights.sum())))
    raise BlueprintError(
        f"the strategy reaches the last street in only {found} of {1000 * count} hands"
    )


def _is_better(query: Query, view: View) -> bool:
    """Whether an action that is almost never taken is much better, by exact values."""
    node = query.tracker.find(view).node
    row = query.all_values.actions(node, view.board).pair(hole_index(*view.hole))
    pot = float(query.tree.contributions[node].sum())
    gains = row.action_values - row.value
    return bool(((row.strategy < _HARDLY) & (gains > _MUCH * pot)).any())
