"""Push or fold, solved exactly: the small blind goes all-in or folds, the big blind calls or folds.

Preflop classes lose nothing here, so that the whole game has 169 x 169 deals: each pair of classes
with its number of combinations and its exact equity. Full-width CFR+ solves it in a second. This is
the game of the published push-or-fold charts for heads-up play (Chen & Ankenman, The Mathematics of
Poker, 2006, chapter 12: the jam-or-fold game), here also with antes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from riverboat.cards import (
    CLASS_COMBOS,
    CLASS_HOLES,
    HOLE_CLASS,
    HOLES,
    NUM_CLASSES,
    NUM_HOLES,
    equity_against_each,
    live_holes,
)
from riverboat.decision import Decision, public_state
from riverboat.errors import ReviewError
from riverboat.evaluate import exploitability
from riverboat.game import catalogue
from riverboat.solve import DealRows, Deals, Scheme, Solver, table_deals
from riverboat.tree import Tree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.game import GameSpec
    from riverboat.report import Palette

_BIG_BLIND: Final = 1000  # chips, so that stacks and antes are exact to a thousandth
_SCHEME: Final = Scheme("full", "cfr+", "quadratic")
_ITERATIONS: Final = 400
_DEPTHS: Final = (1.1, 50.0)
_NAME: Final = r"push-fold-(\d{1,3}(?:\.\d{1,3})?)bb"


@dataclass(frozen=True, eq=False)
class PushFold:
    """The equilibrium of push or fold.

    Attributes
    ----------
    tree
        Two decisions: of the small blind, and of the big blind after `b..`, all-in.
    strategy
        [2, 169] float64: how often the small blind pushes and the big blind calls, by class.
    value
        EV of the small blind in big blinds.
    exploitability
        Exact, in mbb/hand.
    """

    tree: Tree
    strategy: NDArray[np.float64]
    value: float
    exploitability: float

    def decisions(self, palette: Palette = "usual") -> tuple[Decision, Decision]:
        """Return the decisions of the small blind and of the big blind."""
        reach = np.ones((2, NUM_HOLES))
        push = self._decision(0, reach, palette)
        reach = np.stack([self.strategy[0][HOLE_CLASS], np.ones(NUM_HOLES)])
        return push, self._decision(1, reach, palette)

    def _decision(self, seat: int, reach: NDArray[np.float64], palette: Palette) -> Decision:
        node = self.tree.children(0)[-1] if seat else 0
        plays = self.strategy[seat][HOLE_CLASS]
        state: dict[str, Any] = public_state(self.tree, node, palette)
        return Decision(
            **state,
            board=(),
            strategy=np.stack([1 - plays, plays], axis=1),
            reach=reach,
            alive=np.ones(NUM_HOLES, np.bool_),
            source="ranges",
        )


def push_fold_depth(name: str) -> float | None:
    """Return the depth of a name such as push-fold-10bb, in big blinds; None for other names.

    Examples
    --------
    >>> push_fold_depth("push-fold-12.5bb"), push_fold_depth("default-10bb")
    (12.5, None)
    """
    found = re.fullmatch(_NAME, name)
    return float(found[1]) if found else None


def solve_push_fold(depth: float, ante: float = 0.0) -> PushFold:
    """Solve push or fold.

    Parameters
    ----------
    depth
        Stacks in big blinds, blinds and antes included.
    ante
        Ante of each player in big blinds.

    Examples
    --------
    >>> found = solve_push_fold(10)
    >>> round(found.value, 3), found.exploitability < 0.01
    (-0.045, True)
    """
    spec = _game(depth, ante)
    tree = Tree(spec, "a", removed=["c"])  # no limp
    deals = _deals(tree)
    solver = Solver(deals, _SCHEME, seed=1)
    solver.run_all(iterations=_ITERATIONS)
    strategy = solver.strategy(np.float64)
    exact = exploitability(deals, strategy)
    plays = np.stack([deals.rows(strategy, seat)[:, 1] for seat in (0, 1)])
    chips = 1000 / _BIG_BLIND
    return PushFold(tree, plays, exact.values[0] / _BIG_BLIND, exact.exploitability * chips)


def _game(depth: float, ante: float) -> GameSpec:
    least, most = _DEPTHS
    if not least <= depth <= most:
        raise ReviewError(
            f"push or fold is solved for {least:g} to {most:g} big blinds, not for {depth:g}"
        )
    if not 0 <= ante <= 1:
        raise ReviewError(f"the ante must be 0 to 1 big blinds, not {ante:g}")
    stack, forced = round(depth * _BIG_BLIND), round(ante * _BIG_BLIND)
    return catalogue("nolimit-100bb").replace(
        name="push-fold",
        stacks=(stack, stack),
        blinds=(_BIG_BLIND // 2, _BIG_BLIND),
        antes=(forced, forced),
    )


def _deals(tree: Tree) -> Deals:
    """Two rows for each pair of classes: seat 0 wins, or loses; a tie is half of each."""
    combinations, won = _class_pairs()
    classes = np.indices((NUM_CLASSES, NUM_CLASSES)).reshape(2, -1).T
    strengths = np.repeat(np.array([[1, 0], [0, 1]], np.uint32), len(classes), axis=0)
    rows = DealRows(np.tile(classes, (2, 1)).astype(np.uint32), strengths[:, :, None])
    return table_deals(tree, rows, np.concatenate([won.ravel(), (combinations - won).ravel()]))


@cache
def _class_pairs() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Combinations of each pair of classes, and how many of them the first one wins: [169, 169]."""
    combinations, won = np.empty((2, NUM_CLASSES, NUM_CLASSES))
    for first, holes in enumerate(CLASS_HOLES):
        hole = HOLES[holes[0]]
        alive = live_holes(tuple(hole.tolist()))
        equity = equity_against_each(hole) * alive
        for table, weights in ((combinations, alive), (won, equity)):
            table[first] = CLASS_COMBOS[first] * np.bincount(HOLE_CLASS, weights, NUM_CLASSES)
    return combinations, won
