"""Strategies of all hole pairs at once are those that `strategy(view)` tells hand by hand."""

import math
import random
from math import comb
from pathlib import Path

import msgspec
import numpy as np
import pytest

from riverboat.bots import BlueprintBot, HandStrategies, RangeBot, all_strategies, make_bot
from riverboat.bots._all_hands import strategies_hand_by_hand
from riverboat.bots._win_rate import share_above
from riverboat.cards import HOLES, NUM_HOLES, HandStrength, hole_index
from riverboat.errors import GameError
from riverboat.game import Hand, View, catalogue
from riverboat.translation import size_shares
from sizes import few_or_many

NOLIMIT = catalogue("nolimit-100bb")
BOARD = "Qh7c2d3s9c"


def seen(line: str) -> View:
    """What the seat to act sees; nobody's cards are known."""
    hand = Hand.from_line(NOLIMIT, line, board=BOARD)
    assert hand.actor is not None
    return hand.view(hand.actor)


def made(file: Path, settings: str = "") -> BlueprintBot:
    bot = make_bot(f"blueprint:{file}{settings}", 1)
    assert isinstance(bot, BlueprintBot)
    bot.build_tables()  # hand by hand on the flop takes seconds without
    return bot


def difference(one: HandStrategies, other: HandStrategies, view: View) -> float:
    live = ~np.isin(HOLES, view.board).any(axis=1)
    actions = {*one.actions, *other.actions}
    return max(float(np.abs(one.column(a) - other.column(a))[live].max()) for a in actions)


@pytest.mark.parametrize(
    "settings", ["", ",threshold=0.4", ",style=aggressive", ",fallback=uniform"]
)
@pytest.mark.parametrize("line", ["", "b30", "b30c/kb60", "b30c/kk/kb60c/k"])
def test_on_the_menu_both_ways_agree(
    line: str, settings: str, strategy_files: dict[str, Path]
) -> None:
    bot, view = made(strategy_files["blueprint"], settings), seen(line)
    told = bot.strategies(view)
    assert told.rows.shape == (NUM_HOLES, len(told.actions))
    assert difference(told, strategies_hand_by_hand(bot, view), view) < 1e-12


def coins(
    bot: BlueprintBot, views: list[View], hole: tuple[int, int]
) -> list[list[dict[str, float]]]:
    """What the bot says at each view for both outcomes of the coin: the smaller size first."""
    held = [msgspec.structs.replace(view, hole=hole) for view in views]
    found: dict[int, list[dict[str, float]]] = {}
    for seed in range(100):  # all alike with probability below 1e-9
        bot.query.tracker.seed, bot.query.tracker._line = seed, None
        node = bot.query.tracker.find(held[0]).node
        found.setdefault(node, [bot.strategy(view) for view in held])
    assert len(found) == 2
    return [found[node] for node in sorted(found)]


def test_coins_are_mixed_and_remembered(strategy_files: dict[str, Path]) -> None:
    """Bayes by hand: 500 into 180, between the menu's pot and its all-in."""
    bot = made(strategy_files["blueprint"])
    before, after = seen("b30c/kb60c/b500"), seen("b30c/kb60c/b500c/k")
    menu = bot.query.tracker.nodes[bot.query.tracker.find(seen("b30c/kb60c/")).node]
    share = size_shares(500 / 180, menu.shares)[0][1]
    first, second = bot.strategies(before), bot.strategies(after)
    for index in (5, 400, 1200):
        hole = tuple(HOLES[index].tolist())
        outcomes = coins(bot, [before, after], hole)
        chances = [share, 1 - share]
        called = [p * row[0].get("c", 0.0) for p, row in zip(chances, outcomes, strict=True)]
        assert first.column("c")[index] == pytest.approx(sum(called))
        checks = sum(p * row[1].get("k", 0.0) for p, row in zip(called, outcomes, strict=True))
        if sum(called):
            assert second.column("k")[index] == pytest.approx(checks / sum(called))


def some_hand(bot: BlueprintBot, seed: int) -> list[tuple[View, str]]:
    """The bot's views and moves of a hand against bets of any size, shoves among them."""
    draws, hand = random.Random(seed), Hand(NOLIMIT, seed=seed)
    seat, moves = seed % 2, []
    while not hand.finished:
        assert hand.actor is not None
        view = hand.view(hand.actor)
        if hand.actor == seat:
            strategy = bot.strategy(view)
            staying = [move for move in strategy if move != "f"] or list(strategy)
            move = str(draws.choices(staying, [strategy[each] + 0.05 for each in staying])[0])
            moves.append((view, move))
        else:
            move, sizes = "k" if view.legal.check else "c", view.legal.raise_to
            if sizes is not None and draws.random() < 0.7:
                least, most = sizes
                low, high = math.log(least), math.log(most)
                size = round(math.exp(draws.uniform(low, high)))
                move = f"b{most if draws.random() < 0.25 else min(most, max(least, size))}"
        hand.do(move)
    return moves


@pytest.mark.parametrize("hands", few_or_many(25, 1000))
def test_off_the_menu_strategies_are_what_is_played(
    hands: int, strategy_files: dict[str, Path]
) -> None:
    bot = made(strategy_files["blueprint"], ",fallback=fold")
    compared = sum(compare_coins(bot, seed) for seed in range(hands))
    assert compared > 3 * hands


@pytest.mark.slow
def test_off_the_menu_strategies_of_every_hand_are_what_is_played(
    strategy_files: dict[str, Path],
) -> None:
    """b751 (seed 25) is read as all-in and called; 60 coins for each hole pair."""
    bot = made(strategy_files["blueprint"], ",fallback=fold")
    every = HOLES.tolist()
    compared = sum(compare_coins(bot, seed, every, coins=60) for seed in (16, 25))
    assert compared > 2000


def compare_coins(
    bot: BlueprintBot, seed: int, holes: list[list[int]] | None = None, coins: int = 150
) -> int:
    """Compare strategies and actions over coins: 5 standard errors, and a share of unseen coins."""
    moves, compared, unseen = some_hand(bot, seed), 0, 3 / coins
    if not moves:
        return 0
    if holes is None:
        two = HOLES[[seed * 7 % NUM_HOLES, seed * 131 % NUM_HOLES]].tolist()
        holes = [list(moves[0][0].hole), *two]
    for last in range(len(moves)):
        view = moves[last][0]
        told = bot.strategies(view)
        for hole in map(tuple, holes):
            if set(hole) & set(view.board):
                continue
            weights, rows, drawn = [], [], []
            for coin in range(coins):
                bot.query.tracker.reseed(coin)
                weight = 1.0
                for earlier, move in moves[:last]:
                    held = msgspec.structs.replace(earlier, hole=hole)
                    weight *= bot.strategy(held).get(move, 0.0)
                if weight:
                    held = msgspec.structs.replace(view, hole=hole)
                    played, move = bot.strategy(held), str(bot.act(held))
                    weights.append(weight)
                    rows.append([played.get(action, 0.0) for action in told.actions])
                    drawn.append([float(action == move) for action in told.actions])
            if not weights:
                continue
            shares = np.array(weights)[:, None] / sum(weights)
            mean = (shares * rows).sum(axis=0)
            error = np.sqrt((shares**2 * (np.array(rows) - mean) ** 2).sum(axis=0))
            mixed = told.rows[hole_index(*hole)]
            assert (np.abs(mean - mixed) <= 5 * error + unseen).all(), (
                view.line,
                hole,
                mean,
                mixed,
            )
            empirical = (shares * drawn).sum(axis=0)
            widest = 0.5 * np.sqrt((shares**2).sum())  # of a share that is drawn
            assert (np.abs(empirical - mixed) <= 5 * widest + unseen).all(), (view.line, hole)
            compared += 1
    return compared


def test_montecarlo_tells_what_it_draws(tables: HandStrength) -> None:
    """Beside 4,000 draws of 20 samples: a share is off by at most 4 * sqrt(1/4/4000) = 0.032."""
    del tables
    bot = make_bot("montecarlo:samples=20", 3)
    view = seen("b30c/kb60")
    told = all_strategies(bot, view)
    for index in (100, 700, 1300):
        held = msgspec.structs.replace(view, hole=tuple(HOLES[index].tolist()))
        drawn = [bot.act(held) for _ in range(4000)]
        for column, action in enumerate(told.actions):
            assert abs(told.rows[index, column] - drawn.count(action) / 4000) < 0.032


def test_shares_above_a_limit_are_binomial() -> None:
    rates = np.array([0.0, 0.2, 0.5, 0.97, 1.0])
    expected = [sum(comb(9, k) * p**k * (1 - p) ** (9 - k) for k in range(4, 10)) for p in rates]
    assert share_above(3 / 9, rates, 9) == pytest.approx(expected, abs=1e-12)
    assert share_above(0.5, rates, 0).tolist() == [0, 0, 0, 1, 1]


def test_bots_that_do_not_look_play_every_hand_alike() -> None:
    view = seen("b30c/k")
    for name in ("fish", "fold", "allin", "random"):
        bot = make_bot(name, 1)
        assert isinstance(bot, RangeBot)
        told = bot.strategies(view)
        assert told.rows.shape == (NUM_HOLES, len(told.actions))
        assert told.rows.sum(axis=1) == pytest.approx(1)
    assert len(make_bot("random", 1).strategies(view).actions) == 1 + 970 - 10 + 1  # type: ignore[attr-defined]  # told above


def test_who_does_not_tell_is_named() -> None:
    with pytest.raises(GameError, match="Shark does not give its strategy"):
        all_strategies(make_bot("shark", 1), seen(""))
