"""Local best response: what follows by arithmetic, exact ranges, logs that are gone on with."""

import json
import signal
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from riverboat.bots import HandStrategies, make_bot
from riverboat.cards import HOLES, NUM_HOLES, equity_against_each, hole_cards, live_holes
from riverboat.errors import GameError, RunError
from riverboat.evaluate import LBR_STREET_SETS, local_best_response, parse_lbr_set
from riverboat.evaluate._lbr_hand import LocalResponder, bet_amounts
from riverboat.game import Hand, View, catalogue
from riverboat.statistics import Estimate

NOLIMIT = catalogue("nolimit-100bb")


class HandPlayer:
    """Raises its pairs to the pot, calls with suited hands, and gives the others up."""

    def strategy(self, view: View) -> dict[str, float]:
        """Play one hand."""
        low, high = sorted(view.hole)
        passive = "k" if view.legal.check else "c"
        if low // 4 == high // 4 and view.legal.raise_to:
            least, most = view.legal.raise_to
            amount = min(max(view.pot, least), most)
            return {f"b{amount}": 0.75, passive: 0.25}
        if low % 4 == high % 4:
            return {passive: 0.875, "f": 0.125} if view.legal.fold else {passive: 1.0}
        return {"f" if view.legal.fold else "k": 0.5, passive: 0.5} if view.to_call else {"k": 1.0}

    def strategies(self, view: View) -> HandStrategies:
        """Play all of them."""
        holes = (tuple(hole) for hole in HOLES.tolist())
        rows = [self.strategy(msgspec.structs.replace(view, hole=hole)) for hole in holes]
        actions = tuple(dict.fromkeys(action for row in rows for action in row))
        told = [[row.get(action, 0.0) for action in actions] for row in rows]
        return HandStrategies(actions, np.array(told))


class _Told:
    """Plays what it is given, wherever it is."""

    def __init__(self, told: HandStrategies) -> None:
        self.strategies = lambda _: told


class Careful:
    """Bets every second ace and king, and seldom folds them; mostly folds the others."""

    def strategies(self, view: View) -> HandStrategies:
        """Play all hands."""
        high = HOLES.max(axis=1) >= 44
        bet = f"b{view.legal.raise_to[0]}" if view.legal.raise_to else "c"
        if view.legal.check:
            return HandStrategies(("k", bet), np.stack([1 - high / 2, high / 2], axis=1))
        return HandStrategies(("f", "c"), np.stack([0.9 - 0.8 * high, 0.1 + 0.8 * high], axis=1))


@pytest.mark.parametrize("sets", ["fcpa", "c-c-nine-nine", "flop", "c-56-fc-fc"])
def test_who_always_folds_loses_three_quarters_of_a_big_blind(sets: str) -> None:
    """Half a big blind as small blind, a whole one as soon as the responder may bet."""
    found = local_best_response("fold", sets, hands=20, workers=1)
    assert found.plain == Estimate(750.0, 0.0, 10)
    assert found.won.interval[0] < 750 < found.won.interval[1]


def test_who_always_folds_checks_when_it_may() -> None:
    """250: as big blind it shows its cards down, which is even."""
    found = local_best_response("fold", "fc", hands=600, workers=1)
    assert found.seats[0].mean == pytest.approx(0)  # less luck, and so
    assert found.seats[0].margin == pytest.approx(0)
    low, high = found.plain.interval
    assert low < 250 < high
    assert high - low < 100


def preflop_win_rates() -> np.ndarray:
    rows = (equity_against_each(list(hole_cards(hole))) for hole in range(NUM_HOLES))
    return np.array([row.sum() / 1225 for row in rows])


def test_who_always_calls_loses_what_its_hands_are_worth() -> None:
    """All-in with every hand that wins more than half the time, else checked down for 1 bb.

    The mean over all hands is 7,939.5 mbb: the issue's 7,940 at 100 big blinds.
    """
    rates = preflop_win_rates()
    values = np.where(rates > 0.5, 1000, 10) * (2 * rates - 1)
    assert values.mean() * 100 == pytest.approx(7939.5133, abs=1e-4)
    responder = LocalResponder(make_bot("fish", 0), parse_lbr_set("fcpa-c-c-c"))
    for seed in range(20):
        hand = Hand(NOLIMIT, seed=seed)
        low, high = sorted(hand.hole_cards(seed % 2))
        won = responder.play(hand, seed % 2, np.random.default_rng(1)).chips
        if len(hand.line) < 8:  # all-in and called; a checked-down hand knows its board
            assert won == pytest.approx(values[high * (high - 1) // 2 + low])


def test_luck_is_what_cards_changed() -> None:
    """Who only calls and checks is checked down: less luck nobody wins."""
    responder = LocalResponder(make_bot("fish", 0), parse_lbr_set("c-c-c-c"))
    for seed in range(10):
        won = responder.play(Hand(NOLIMIT, seed=seed), 0, np.random.default_rng(1))
        assert abs(won.chips) > 0.1
        assert won.luck == pytest.approx(won.chips)


def test_luck_of_an_action_is_that_of_all_hands() -> None:
    """By plain loops over the hands that the bot may hold, and over what each of them may do."""
    bot, hand = HandPlayer(), Hand(NOLIMIT, hole=["AhKd", "QsQc"], board="2c7d9hTsJs")
    hand.play("ck/kk/kk/kb20")
    responder = LocalResponder(bot, parse_lbr_set("fc-fc-fc-fc"))
    responder._own = hand.hole_cards(0)
    responder._range = live_holes(responder._own + hand.board).astype(np.float64)
    equity = equity_against_each(responder._own, hand.board)
    told = bot.strategies(hand.view(1))
    worth = {}
    for index, action in enumerate(told.actions):
        reach = [told.rows[hole, index] for hole in np.flatnonzero(responder._range)]
        wins = [told.rows[hole, index] * equity[hole] for hole in np.flatnonzero(responder._range)]
        stake = 10 + int(action[1:]) if action[0] == "b" else 30
        checked_down = (2 * sum(wins) / sum(reach) - 1) * stake
        worth[action] = 10 if action == "f" else max(checked_down, -30), sum(reach)
    mean = sum(value * reach for value, reach in worth.values()) / responder._range.sum()
    assert set(told.actions) == {"f", "c", "b40"}
    for index, action in enumerate(told.actions):
        luck = responder._luck_of(hand, told, index)
        assert luck == pytest.approx(worth[action][0] - mean)


def test_luck_of_cards_has_mean_0() -> None:
    """Over all river cards, each as likely as the hands that the bot may hold leave it."""
    hand = Hand(NOLIMIT, hole=["AhKd", "QsQc"], board="2c7d9hTsJs")
    hand.play("b30c/kk/kb40c")
    before, own = hand.board[:4], hand.hole_cards(0)
    start = live_holes(own + before) * np.linspace(0.1, 1.0, NUM_HOLES)
    mean = total = 0.0
    for card in set(range(52)) - {*own, *before}:
        dealt = Hand(NOLIMIT, board=(*before, card))
        dealt.play("b30c/kk/kb40c")
        responder = LocalResponder(HandPlayer(), parse_lbr_set("fc"))
        responder._own, responder._range = own, start
        responder._see(dealt, before)
        chance = float(responder._range.sum())
        assert abs(responder._luck) > 1e-3
        mean, total = mean + chance * responder._luck, total + chance
    assert mean / total == pytest.approx(0, abs=1e-9)


def test_luck_of_actions_has_mean_0() -> None:
    """Over all hands of the bot and all that each of them does, as they are drawn in play."""

    class Draw(np.random.Generator):
        def __init__(self, place: float) -> None:
            super().__init__(np.random.PCG64(0))
            self._place = place

        def random(self, *_: object, **__: object) -> float:  # type: ignore[override]
            return self._place

    start = Hand(NOLIMIT, hole=["AhKd", "QsQc"], board="2c7d9hTsJs")
    start.play("b30c/kk/kk/kb40")
    weights = live_holes(start.hole_cards(0) + start.board) * np.linspace(0.1, 1.0, NUM_HOLES)
    told = HandPlayer().strategies(start.view(1))
    mean = 0.0
    for held in np.flatnonzero(weights).tolist():
        ends = np.cumsum(told.rows[held])
        for index in np.flatnonzero(told.rows[held]):
            responder = LocalResponder(_Told(told), parse_lbr_set("fc"))
            responder._own, responder._range = start.hole_cards(0), weights
            hand = start.clone()
            responder._bot_acts(hand, held, Draw(float(ends[index]) - 1e-9))
            assert str(hand.events[-1].action) == told.actions[index]
            mean += weights[held] * told.rows[held, index] * responder._luck
    assert mean / weights.sum() == pytest.approx(0, abs=1e-9)


def test_less_luck_is_surer_and_means_the_same() -> None:
    found = local_best_response(Careful(), "c-c-c-50%", hands=600, seed=3)
    assert found.won.margin < 0.6 * found.plain.margin
    low, high = found.plain.interval
    assert low < found.won.mean < high


def test_the_range_is_what_hand_by_hand_says() -> None:
    bot = HandPlayer()
    responder = LocalResponder(bot, parse_lbr_set("fc-fc-fc-fcpa"))
    longest = 0
    for seed in range(12):
        hand = Hand(NOLIMIT, seed=seed)
        seat = seed % 2
        responder.play(hand, seat, np.random.default_rng(seed))
        expected = live_holes(hand.hole_cards(seat)).astype(np.float64)
        again = Hand(NOLIMIT, seed=seed)
        for event in hand.events:
            expected *= live_holes(again.board)
            if event.seat != seat:
                view = again.view(1 - seat)
                rows = [
                    bot.strategy(msgspec.structs.replace(view, hole=tuple(hole)))
                    for hole in HOLES.tolist()
                ]
                expected *= [row.get(str(event.action), 0.0) for row in rows]
                longest = max(longest, again.street)
            again.do(event.action)
        assert np.abs(responder._range - expected).max() < 1e-12
    assert longest == 3


def test_the_best_action_is_the_papers() -> None:
    """All values of one decision on the river, worked out by the formulas with plain loops."""
    bot, hand = HandPlayer(), Hand(NOLIMIT, hole=["AhKd", "QsQc"], board="2c7d9hTsJs")
    hand.play("ck/kk/kk/k")
    responder = LocalResponder(bot, parse_lbr_set("nine"))
    responder._own, responder._range = (
        hand.hole_cards(0),
        live_holes(hand.hole_cards(0) + hand.board).astype(np.float64),
    )
    hands = np.flatnonzero(responder._range)
    equity = equity_against_each(hand.hole_cards(0), hand.board)
    pot = 20
    values = {"k": float(equity[hands].mean()) * pot}
    for amount in (10, 15, 20, 30, 40, 60, 990):
        after = hand.clone()
        after.do(f"b{amount}")
        folds = bot.strategies(after.view(1)).column("f")[hands]
        fp = folds.mean()
        wp = float((equity[hands] * (1 - folds)).sum() / (1 - folds).sum())
        values[f"b{amount}"] = fp * pot + (1 - fp) * (wp * (pot + amount) - (1 - wp) * amount)
    assert responder.choose(hand) == max(values, key=lambda action: values[action])


def test_sizes_of_the_sets() -> None:
    hand = Hand.from_line(NOLIMIT, "b30c/k", board="2c7d9h")  # 60 in the pot, 970 behind
    sizes = {name: bet_amounts(LBR_STREET_SETS[name], hand) for name in LBR_STREET_SETS}
    assert sizes["c"] == sizes["fc"] == []
    assert sizes["fcpa"] == [60, 970]
    assert sizes["nine"] == [10, 15, 30, 45, 60, 90, 120, 180, 970]
    # 0.05 * 1.15^k * 60 from 10 on and below 970: k = 9 (10.6) to 41 (924.1).
    assert (sizes["56"][0], sizes["56"][-2:], len(sizes["56"])) == (11, [924, 970], 34)
    assert len(LBR_STREET_SETS["56"].shares) == 55


def test_a_run_goes_on_and_is_the_same(tmp_path: Path) -> None:
    log = tmp_path / "lbr.jsonl"
    whole = local_best_response("fish", "fcpa-fc-fc-fc", hands=160, workers=1, seed=5)
    first = local_best_response("fish", "fcpa-fc-fc-fc", hands=70, workers=1, seed=5, log=log)
    assert first.hands == 70
    with log.open("a") as file:
        file.write('{"bot": "fish", "block')  # a crash
    with pytest.raises(RunError, match=r"already has .* lines of this run"):
        local_best_response("fish", "fcpa-fc-fc-fc", hands=160, seed=5, log=log)
    played = []
    again = local_best_response(
        *("fish", "fcpa-fc-fc-fc"),
        hands=160,
        seed=5,
        workers=1,
        log=log,
        resume=True,
        progress=lambda done, total, _: played.append((done, total)),
    )
    assert again == whole
    assert played == [(100, 160), (150, 160), (160, 160)]  # the second block was cut short at 20
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.endswith("}")]
    assert [line["deal"] for line in lines] == [0, 25, 25, 50, 75]


def test_a_slow_bot_is_asked_deal_by_deal(tmp_path: Path) -> None:
    log = tmp_path / "lbr.jsonl"
    bot = "search:iterations=2,first=river"
    local_best_response(bot, "c-c-c-own", hands=4, workers=1, seed=5, log=log)
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [(line["deal"], len(line["chips"])) for line in lines] == [(0, 1), (1, 1)]


def test_the_same_on_two_processes() -> None:
    one, two = (
        local_best_response("fish", "fcpa-c-c-c", hands=120, workers=workers, seed=3)
        for workers in (1, 2)
    )
    assert one == two


def test_a_bot_of_ones_own_plays_here() -> None:
    found = local_best_response(HandPlayer(), "c-c-c-fcpa", hands=4)
    assert (found.bot, found.hands, found.finished) == ("HandPlayer", 4, True)


def test_sentences(tmp_path: Path) -> None:
    with pytest.raises(GameError, match="'nein' is not a setting"):
        local_best_response("fold", "nein")
    with pytest.raises(GameError, match="four of"):
        parse_lbr_set("c-c-nine")
    for text in ("c-c-c-0%", "c-c-c-40", "c-c-c-a,", "c-c-c--", "c-c-c-40%-c", "c-c-c-1e3%"):
        with pytest.raises(GameError, match="bets can replace a set"):
            parse_lbr_set(text)
    with pytest.raises(GameError, match="'leduc' is not such a game"):
        local_best_response("fold", game="leduc")
    antes = replace(NOLIMIT, blinds=(0, 0), antes=(5, 5), min_bet=10)
    with pytest.raises(GameError, match="a big blind and no rake"):
        local_best_response("fold", game=antes)
    half = _Told(HandStrategies(("k", "c"), np.full((NUM_HOLES, 2), 0.3)))
    with pytest.raises(GameError, match=r"probabilities that sum to 0\.6: they must sum to 1"):
        local_best_response(half, "fc", hands=2)
    with pytest.raises(GameError, match="Fold has no bet menu"):
        local_best_response("fold", "own", hands=2, workers=1)
    with pytest.raises(RunError, match="there is nothing to resume"):
        local_best_response("fold", resume=True)
    with pytest.raises(GameError, match="cannot give the strategies of all hands"):
        local_best_response(str(tmp_path / "mine.py"))


@pytest.mark.parametrize("bot", ["fold", make_bot("fold", 1)])
def test_ctrl_c_ends_it_with_what_there_is(bot: object, tmp_path: Path) -> None:
    log = tmp_path / "lbr.jsonl"
    result = local_best_response(
        bot,
        "fcpa",
        hands=1_000_000,
        workers=1,
        log=log,
        progress=lambda *_: signal.raise_signal(signal.SIGINT),
    )
    assert result.hands == 50 * len(log.read_text(encoding="utf-8").splitlines()) > 0
