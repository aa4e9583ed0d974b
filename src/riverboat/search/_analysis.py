"""The decision at a table by search, for all hands."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from riverboat.decision import Decision, Source, table_keys
from riverboat.errors import GameError
from riverboat.search._plan import Plan
from riverboat.search._searcher import TooShort
from riverboat.search._street import Street
from riverboat.search._subgame import at_table, legal_action

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.bots import HandStrategies
    from riverboat.game import View
    from riverboat.report import Palette
    from riverboat.search._bot import SearchBot
    from riverboat.search._searcher import Searcher
    from riverboat.search._subgame import Subgame


def analyse(bot: SearchBot, view: View, palette: Palette = "usual") -> Decision:
    """Return the decision at a table: by search, or by the blueprint where there is no search yet.

    Its values are those of hands that play on as well as they can: a fold is 0. They are known
    from the street on where search begins. Its `facts` say how it was solved; empty before.

    Parameters
    ----------
    bot
        How to search, and how long.
    view
        Of the seat that is to act, on hold'em's streets; its own cards do not count.
    palette
        Of the colours of the actions.

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
        return _by_base(searcher, view, palette)
    plan = Plan(bot.settings.iterations, time.perf_counter() + bot.settings.seconds)
    try:
        with searcher.pool.lock:  # nobody else takes the solver away
            return _by_search(searcher.subgame(view, plan, whole=True), view, palette)
    except TooShort:
        return _by_base(searcher, view, palette)


def _by_base(searcher: Searcher, view: View, palette: Palette) -> Decision:
    if searcher.base is None:
        raise GameError(
            f"before search begins nothing is known of '{view.spec.name}': the strategy file is "
            "for another game"
        )
    told = searcher.base.strategies(view)
    reach = np.array(searcher.base_reach(Street.of(view)))
    return _decision(view, "blueprint", told, reach, palette)


def _by_search(subgame: Subgame, view: View, palette: Palette) -> Decision:
    line = Street.of(view).line
    node, told = subgame.planned.node(line), subgame.rows(line)
    real = at_table(told, view)
    own = [legal_action(action, view) for action in told.actions]
    # Where two actions are one at the table, the first tells what it is worth.
    values = _best_values(subgame, node)[[own.index(each) for each in real.actions]].T
    player = int(subgame.planned.tree.player[node])
    reach = np.array(subgame.ranges_after(line))
    found = _decision(view, "search", real, reach if player == view.seat else reach[::-1], palette)
    facts = None
    if subgame.facts is not None:
        facts = replace(subgame.facts, exploitability=subgame.exploitability())
    return replace(
        found,
        action_values=np.where(found.alive[:, None], values, np.nan),
        note="" if facts is None else facts.note,
        facts={} if facts is None else facts.as_dict(),
    )


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


def _decision(
    view: View,
    source: Source,
    found: HandStrategies,
    reach: NDArray[np.float64],
    palette: Palette,
) -> Decision:
    """Leave out hands that cannot be held; each player's likeliest hand has reach 1."""
    live = view.spec.live_holes(view.board)
    reach = np.where(live, reach, 0.0).astype(np.float64)
    reach[~reach.any(axis=1)] = live
    return Decision(
        game=view.spec.name,
        line=view.line,
        board=view.board,
        player=view.seat,
        pot=view.pot,
        to_call=view.to_call,
        keys=table_keys(view, found.actions, palette),
        strategy=np.where(live[:, None], found.rows.astype(np.float64), np.nan),
        reach=reach / reach.max(axis=1, keepdims=True),
        alive=live,
        source=source,
        note="The strategy file answers: there is no search yet, or no time for it",
    )
