"""Search as a `Decision`: the strategy of all hands at a table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from riverboat.decision import Decision, Source, table_keys
from riverboat.errors import GameError
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
    """Return the decision at a table: by search, or by the blueprint on streets before search.

    Values are those of a best response after each action; a fold is 0. Values and `facts`, which
    describe the solve, exist on searched streets only, and values not on a flop on the CPU, whose
    runouts are sampled.

    Parameters
    ----------
    bot
        The bot, whose settings are used.
    view
        View of the seat to act, in hold'em; its hole cards do not matter.
    palette
        Colours of the actions.

    Examples
    --------
    >>> from riverboat.bots import make_bot
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand.from_line(catalogue("nolimit-100bb"), "b25c/kk/kk/b30", seed=1)
    >>> decision = analyse(make_bot("search:iterations=5,first=river", seed=1), hand.view(0))
    >>> decision.source, decision.actions, decision.strategy.shape
    ('search', ('f', 'c', 'b113'), (1326, 3))
    """
    searcher = bot.searcher(view.spec)
    if searcher is None:
        raise GameError(f"search does not support '{view.spec.name}': see docs/searching.md")
    if view.actor != view.seat:
        raise GameError(f"seat {view.seat} is not to act after '{view.line}'")
    if view.street < searcher.search.first:
        return _by_base(searcher, view, palette)
    plan = bot.full_plan(view)
    try:
        with searcher.pool.lock:  # no other thread may release the engine
            return _by_search(searcher.subgame(view, plan, whole=True), view, palette)
    except TooShort:
        return _by_base(searcher, view, palette)


def _by_base(searcher: Searcher, view: View, palette: Palette) -> Decision:
    if searcher.base is None:
        raise GameError(
            f"there is no strategy for '{view.spec.name}' before search: the strategy file is for "
            "another game"
        )
    rows = searcher.base.strategies(view)
    reach = np.array(searcher.base_reach(Street.of(view)))
    return _decision(view, "blueprint", rows, reach, palette)


def _by_search(subgame: Subgame, view: View, palette: Palette) -> Decision:
    line = Street.of(view).line
    node, rows = subgame.planned.node(line), subgame.rows(line)
    real = at_table(rows, view)
    own = [legal_action(action, view) for action in rows.actions]
    player = int(subgame.planned.tree.player[node])
    reach = np.array(subgame.ranges_after(line))
    by_seat = reach if player == view.seat else reach[::-1]
    decision, facts = _decision(view, "search", real, by_seat, palette), subgame.facts
    if subgame.exact:
        # If two actions are one at the table, its EV is that of the first.
        values = _best_values(subgame, node)[[own.index(action) for action in real.actions]].T
        values = np.where(decision.alive[:, None], values, np.nan)
        decision = replace(decision, action_values=values)
        facts = facts and replace(facts, exploitability=subgame.exploitability())
    return replace(
        decision,
        note="" if facts is None else facts.note,
        facts={} if facts is None else facts.as_dict(),
    )


def _best_values(subgame: Subgame, node: int) -> NDArray[np.float64]:
    """EV of each action followed by a best response: [actions, 1326].

    The own average would be wrong: a hand that never calls is untrained after a call.
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
    rows: HandStrategies,
    reach: NDArray[np.float64],
    palette: Palette,
) -> Decision:
    """Build the decision without dead hands; each player's largest reach is 1."""
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
        keys=table_keys(view, rows.actions, palette),
        strategy=np.where(live[:, None], rows.rows.astype(np.float64), np.nan),
        reach=reach / reach.max(axis=1, keepdims=True),
        alive=live,
        source=source,
        note="From the strategy file: search begins later, or had no time",
    )
