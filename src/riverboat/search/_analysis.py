"""What to do at a table, and what each action is worth: the answer of search for all hands."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from riverboat.cards import HOLE_CLASS, NUM_CLASSES
from riverboat.errors import GameError
from riverboat.search._likelihood import live_hands
from riverboat.search._plan import Plan
from riverboat.search._searcher import TooShort
from riverboat.search._street import Street
from riverboat.search._subgame import at_table, legal_action

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.game import View
    from riverboat.search._bot import SearchBot
    from riverboat.search._searcher import Searcher
    from riverboat.search._subgame import SolveFacts, Subgame

__all__ = ["Analysis", "analyse"]


@dataclass(frozen=True)
class Analysis:
    """A decision, for every hand of the seat that is to act.

    Attributes
    ----------
    view
        The table.
    source
        Who answers: `search`, or `blueprint` before it begins, or where there is no time for it.
    actions
        Legal ones, in the order of the last axis of `strategy`.
    strategy
        [1326, actions] float64 probabilities; NaN of hands that cannot be held.
    values
        [1326, actions] float64: what each action is worth, chips, with the share of the pot, to
        a hand that plays on as well as it can: a fold is 0. NaN where it is not known; before
        search begins that is everywhere.
    reach
        [1326] float64: how likely the seat comes here with each hand; they add up to 1.
    facts
        How it was solved, exploitability included; None before search begins.
    """

    view: View
    source: Literal["search", "blueprint"]
    actions: tuple[str, ...]
    strategy: NDArray[np.float64]
    values: NDArray[np.float64]
    reach: NDArray[np.float64]
    facts: SolveFacts | None

    def frequencies(self) -> NDArray[np.float64]:
        """Return how often each action is taken, over all hands: [actions]."""
        return self.reach @ np.nan_to_num(self.strategy)

    def class_reach(self) -> NDArray[np.float64]:
        """Return the reach of each class, against that of the likeliest hand; NaN if none."""
        alive = ~np.isnan(self.strategy[:, 0])
        counts = np.bincount(HOLE_CLASS, alive, NUM_CLASSES)
        sums = np.bincount(HOLE_CLASS, self.reach / self.reach.max(), NUM_CLASSES)
        return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)

    def by_class(self) -> NDArray[np.float64]:
        """Return the strategy of each class, its hands by reach: [169, actions]; NaN if none."""
        alive = ~np.isnan(self.strategy[:, 0])
        weights = np.where(alive, self.reach + 1e-9, 0.0)
        total = np.bincount(HOLE_CLASS, weights, NUM_CLASSES)
        columns = [
            np.bincount(HOLE_CLASS, weights * column, NUM_CLASSES)
            for column in np.nan_to_num(self.strategy).T
        ]
        return np.where(total > 0, columns / np.where(total > 0, total, 1.0), np.nan).T


def analyse(bot: SearchBot, view: View) -> Analysis:
    """Ask what to do at a table.

    Parameters
    ----------
    bot
        How to search, and how long.
    view
        Of the seat that is to act, on hold'em's streets; its own cards do not count.

    Examples
    --------
    >>> from riverboat.bots import make_bot
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand.from_line(catalogue("nolimit-100bb"), "b25c/kk/kk/b30", seed=1)
    >>> found = analyse(make_bot("search:iterations=5,first=river", seed=1), hand.view(0))
    >>> found.source, found.actions, found.strategy.shape
    ('search', ('f', 'c', 'b113'), (1326, 3))
    """
    searcher = bot.searcher(view.spec)
    if searcher is None:
        raise GameError(f"'{view.spec.name}' is not searched: see docs/searching.md for what is")
    if view.actor != view.seat:
        raise GameError(f"nobody decides for seat {view.seat} after '{view.line}'")
    if view.street < searcher.search.first:
        return _by_base(searcher, view)
    plan = Plan(bot.settings.iterations, time.perf_counter() + bot.settings.seconds)
    try:
        with searcher.pool.lock:  # nobody else takes the solver away
            return _by_search(searcher.subgame(view, plan, whole=True), view)
    except TooShort:
        return _by_base(searcher, view)


def _by_base(searcher: Searcher, view: View) -> Analysis:
    if searcher.base is None:
        raise GameError(
            f"before search begins nothing is known of '{view.spec.name}': the strategy file is "
            "for another game"
        )
    told = searcher.base.strategies(view)
    reach = searcher.base_reach(Street.of(view))[view.seat]
    nothing = np.full(told.rows.shape, np.nan)
    return _live(Analysis(view, "blueprint", *told, nothing, reach, None))


def _by_search(subgame: Subgame, view: View) -> Analysis:
    line = Street.of(view).line
    node, told = subgame.planned.node(line), subgame.rows(line)
    real = at_table(told, view)
    own = [legal_action(action, view) for action in told.actions]
    # Where two actions are one at the table, the first tells what it is worth.
    values = _best_values(subgame, node)[[own.index(each) for each in real.actions]].T
    reach = subgame.ranges_after(line)[int(subgame.planned.tree.player[node])]
    facts = None
    if subgame.facts is not None:
        facts = replace(subgame.facts, exploitability=subgame.exploitability())
    return _live(Analysis(view, "search", *real, values, reach, facts))


def _best_values(subgame: Subgame, node: int) -> NDArray[np.float64]:
    """What each action is worth to hands that play on as well as they can: [actions, 1326].

    The own average would not do: a hand that never calls has not learnt to go on from there.
    """
    tree = subgame.planned.tree
    player = int(tree.player[node])
    chips = tree.contributions[:, player]
    return np.array(
        [
            subgame.engine.best_values(player, child) - int(chips[child] - chips[node])
            for child in tree.children(node)
        ]
    )


def _live(found: Analysis) -> Analysis:
    """Leave out hands that cannot be held, and have the reach add up to 1."""
    live = live_hands(found.view.spec, found.view.board)
    reach = np.where(live, found.reach, 0.0)
    if not reach.any():
        reach = live.astype(np.float64)
    return replace(
        found,
        strategy=np.where(live[:, None], found.strategy, np.nan),
        values=np.where(live[:, None], found.values, np.nan),
        reach=reach / reach.sum(),
    )
