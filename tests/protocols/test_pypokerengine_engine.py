"""Bots inside the real PyPokerEngine: legal, repeatable, and no chip made or lost."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from riverboat.bots import all_bots, make_bot
from riverboat.bots._conformance import check_game
from riverboat.errors import ArenaError
from riverboat.protocols.pypokerengine import (
    Rules,
    as_bot,
    as_player,
    play_games,
    play_pypokerengine,
)
from riverboat.protocols.pypokerengine._table import EngineTable

pytest.importorskip("pypokerengine")
pytestmark = pytest.mark.peer

from pypokerengine.api.emulator import Emulator  # noqa: E402 - after importorskip
from pypokerengine.api.game import setup_config, start_poker  # noqa: E402 - after importorskip
from pypokerengine.engine.action_checker import ActionChecker  # noqa: E402 - after importorskip

from protocols.players import (  # noqa: E402 - they need the engine
    STOCK,
    FishPlayer,
    FoldPlayer,
    Quiet,
    RandomPlayer,
)

if TYPE_CHECKING:
    from pathlib import Path

    from riverboat.cards import HandStrength
    from riverboat.game import View

PLAYER_FILE = """
from protocols.players import {player}
from riverboat.protocols.pypokerengine import PlayerBot

class Mine(PlayerBot):
    def __init__(self, seed):
        super().__init__({player}(), seed)
"""
FISH_FILE = """
from riverboat.bots import make_bot

class Mine:
    def __init__(self, seed):
        self.fish = make_bot("fish", seed)

    def act(self, view):
        return self.fish.act(view)
"""
HANDS = 300
MANY_HANDS = 10_000


class Judge:
    """Watches the engine's own judge of actions, and counts what it turned into folds."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: Counter[str] = Counter()
        self.illegal: Counter[str] = Counter()
        judge = ActionChecker.correct_action

        def watched(players: Any, place: int, blind: int, action: str, amount: int) -> Any:
            corrected = judge(players, place, blind, action, amount)
            name = players[place].name
            self.asked[name] += 1
            self.illegal[name] += action != corrected[0]
            return corrected

        monkeypatch.setattr(ActionChecker, "correct_action", watched)


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Judge:
    return Judge(monkeypatch)


def maker(player: type) -> Any:
    def make(seed: int) -> Any:  # the engine's players draw from Python's own random
        del seed
        return player()

    make.__name__ = player.__name__
    return make


def check_legal_against(judge: Judge, bot: str, player: type, hands: int, seed: int) -> None:
    """Both seats in turn, stacks reset; the bot is never corrected and every hand adds up."""
    result = play_pypokerengine([bot, maker(player)], hands, seed=seed)
    assert result.hands == hands
    assert judge.illegal[bot] == 0
    assert judge.asked[bot] >= hands / 2  # at least where it has the small blind
    assert judge.asked[bot] == result.times(0).decisions
    assert result.errors(0) == {}
    assert judge.illegal[player.__name__] == result.errors(1).get("illegal", 0)
    assert abs(result.unit_chips.sum(axis=1)).max() == 0
    assert [part.hands for part in result.by_seat(0)] == [hands // 2, hands // 2]


@pytest.mark.parametrize("player", STOCK)
@pytest.mark.parametrize("bot", ["random", "montecarlo-plus"])
def test_legal_against_the_stock_players(
    bot: str, player: type, judge: Judge, tables: HandStrength
) -> None:
    del tables  # built in the tests' own folder
    check_legal_against(judge, bot, player, HANDS, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("player", STOCK)
def test_legal_for_ten_thousand_hands(player: type, judge: Judge) -> None:
    check_legal_against(judge, "random", player, MANY_HANDS, seed=2)


@pytest.mark.parametrize("bot", [kind.name for kind in all_bots() if not kind.takes_file])
def test_every_bot_plays_there(bot: str, judge: Judge, tables: HandStrength) -> None:
    del tables
    check_legal_against(judge, bot, RandomPlayer, 40, seed=3)


def test_a_bot_of_a_file_plays_there(judge: Judge, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "class Mine:\n    def act(self, view):\n        return next(iter(view.legal))\n"
    )
    check_legal_against(judge, str(file), FishPlayer, 20, seed=3)


@pytest.mark.parametrize(("players", "ante"), [(2, 0), (2, 3), (3, 0), (5, 2)])
def test_the_engines_own_games_with_stacks_carried_on(
    players: int, ante: int, judge: Judge
) -> None:
    """Short stacks, side pots, antes and players who are out."""
    for seed in range(12):
        random.seed(seed)
        config = setup_config(40, 150, 5, ante)
        seated = [
            as_player(make_bot("random", seed + i), short_all_in=i == 1) for i in range(players)
        ]
        for number, player in enumerate(seated):
            config.register_player(f"p{number}", player)
        result = start_poker(config, verbose=0)
        assert sum(player["stack"] for player in result["players"]) <= 150 * players
        for player in seated:
            assert player.errors == {}
    assert not judge.illegal.total()
    assert min(judge.asked.values()) > 50


def test_a_bot_hears_each_hand_with_what_the_engine_paid() -> None:
    class Counting:
        def __init__(self) -> None:
            self.started = self.bad = 0
            self.won: list[int] = []

        def act(self, view: View) -> str:
            self.bad += sum(view.stacks) + view.pot != 2000
            return "c" if view.legal.call else "k"

        def hand_started(self, view: View) -> None:
            self.started += 1
            self.bad += view.bets != (5, 10) or view.stacks != (995, 990) or len(view.hole) != 2

        def hand_over(self, view: View) -> None:
            assert view.payoffs is not None
            self.won.append(view.payoffs[view.seat])

    made: list[Counting] = []

    def make(seed: int) -> Counting:
        del seed
        made.append(Counting())
        return made[-1]

    result = play_pypokerengine([make, maker(RandomPlayer)], 200, seed=4)
    assert sum(bot.started for bot in made) == 200
    assert sum(bot.bad for bot in made) == 0
    assert sum(sum(bot.won) for bot in made) == result.unit_chips[:, 0].sum() != 0


def test_known_results() -> None:
    # Folding gives up 5 in one seat and 10 in the other: 7.5 chips, 750 mbb a hand.
    result = play_pypokerengine(["all-in", maker(FoldPlayer)], 100, seed=5)
    assert result.mbb_per_hand().interval == (750.0, 750.0)
    assert [part.per_hand.mean for part in result.by_seat(0)] == [10.0, 5.0]
    # The stock player folds its big blind to a call too, where our own checks.
    result = play_pypokerengine(["fish", maker(FoldPlayer)], 100, seed=5)
    assert [part.per_hand.mean for part in result.by_seat(0)] == [10.0, 5.0]
    assert result.by_end(0)["preflop"].hands == 100
    # Two that only call play for the big blind, and duplicate deals cancel all luck.
    result = play_pypokerengine(["fish", maker(FishPlayer)], 200, seed=5)
    assert result.mbb_per_hand().interval == (0.0, 0.0)
    assert result.by_end(0)["showdown"].hands == 200
    plain = play_pypokerengine(["fish", maker(FishPlayer)], 200, seed=5, duplicate=False)
    assert set(plain.unit_chips[:, 0]) == {-10.0, 0.0, 10.0}


def cards(text: str) -> list[int]:
    return [
        4 * "23456789TJQKA".index(text[i]) + "cdhs".index(text[i + 1])
        for i in range(0, len(text), 2)
    ]


@pytest.mark.parametrize(
    ("deal", "won"),
    [
        ("AhAd7c2dKsQs9d5h3c", 10),
        ("7c2dAhAdKsQs9d5h3c", -10),
        ("Ah2dKcKh3s4d5h9cJc", -10),  # ace to five is not a straight there
        ("AhAdQcQh2s3s4s5s6s", 10),  # the board plays, and yet the higher hole cards win
        ("Ah7dAc7h2s3s9dTdKd", 0),
    ],
)
def test_the_engine_deals_our_cards_and_judges_by_its_own_rules(deal: str, won: int) -> None:
    fish = [("a", FishPlayer()), ("b", FishPlayer())]
    table = EngineTable(fish, Rules(), 10)
    assert table.play(0, cards(deal)) == [won, -won]
    assert table.play(1, cards(deal)) == [-won, won]


def test_same_seed_same_match_and_the_common_random_is_left_alone() -> None:
    random.seed(11)
    before = random.getstate()
    pair: list[Any] = ["random", maker(RandomPlayer)]
    results = [play_pypokerengine(pair, 300, seed=seed, session=50) for seed in (6, 6, 7)]
    assert random.getstate() == before
    chips = [result.unit_chips.tolist() for result in results]
    assert chips[0] == chips[1] != chips[2]
    assert len(results[0].sessions) == 3


def test_bots_that_learn_are_judged_by_sessions() -> None:
    result = play_pypokerengine(["killer:samples=10", "fish"], 80, seed=1, session=10)
    assert (result.unit, len(result.unit_hands), result.hands) == ("session", 4, 80)


class Broken:
    """Fails at every decision."""

    def act(self, view: View) -> str:
        """Fail."""
        raise KeyError(f"street {view.street}")


@pytest.mark.parametrize("hands", [4, 400])  # at the end of a short match, on the way of a long one
def test_a_bot_that_fails_most_decisions_ends_the_match(hands: int) -> None:
    bots: list[Any] = [lambda _: Broken(), "fish"]
    with pytest.raises(ArenaError, match=r"failed .* of .* decisions, for example: .*'street 0'"):
        play_pypokerengine(bots, hands, seed=1)
    result = play_pypokerengine(bots, 4, seed=1, keep_going=True)
    assert result.errors(0)["raised"] == result.times(0).decisions


def test_a_table_of_four_adds_up() -> None:
    result = play_pypokerengine(["random", "fish", maker(RandomPlayer), "fold"], 200, seed=8)
    assert result.hands == 200
    # Odd chips of a split pot vanish in the engine; nothing is ever made.
    lost = -result.unit_chips.sum(axis=1)
    assert lost.min() >= 0
    assert lost.max() < 20


class Scribe(Quiet):
    """Plays at random and writes down all it hears, with places instead of names."""

    def __init__(self) -> None:
        self.pages: list[Any] = []
        self._random = random.Random(5)

    def _plain(self, message: Any) -> Any:
        """Replace names that programs use: our own is `me`."""
        text = json.dumps(message)
        for seat in self._seats:
            text = text.replace(seat["uuid"], "me" if seat["uuid"] == self.uuid else "other")
        values = json.loads(text)
        for seat in values.get("seats", []):
            del seat["name"]
        return values

    def receive_round_start_message(self, round_count: Any, hole_card: Any, seats: Any) -> None:
        """Write down a hand."""
        self._seats = seats
        stacks = {seat["uuid"] == self.uuid: seat["stack"] for seat in seats}
        self.pages.append(["round", round_count, hole_card, stacks])

    def receive_street_start_message(self, street: Any, round_state: Any) -> None:
        """Write down a street."""
        self.pages.append(["street", street, self._plain(round_state)])

    def receive_game_update_message(self, new_action: Any, round_state: Any) -> None:
        """Write down an action."""
        self.pages.append(["update", self._plain(new_action), self._plain(round_state)])

    def receive_round_result_message(self, winners: Any, hand_info: Any, state: Any) -> None:
        """Write down a result."""
        del hand_info  # a view does not hold the cards that the engine keeps to itself
        if any(seat["state"] == "folded" for seat in state["seats"]):
            state = {**state, "community_card": "dealt on after a fold"}
        self.pages.append(["result", [self._plain(w)["uuid"] for w in winners], self._plain(state)])

    def declare_action(self, valid_actions: Any, hole_card: Any, round_state: Any) -> Any:
        """Write down the question, call or raise."""
        self.pages.append(["ask", valid_actions, hole_card, self._plain(round_state)])
        bounds = valid_actions[2]["amount"]
        if self._random.random() < 0.4 and bounds["min"] > 0:
            return "raise", min(bounds["max"], int(bounds["min"] * self._random.uniform(1, 5)))
        return "call", valid_actions[1]["amount"]


@pytest.mark.parametrize(("players", "hands"), [(2, 150), (4, 60)])
def test_a_player_hears_through_both_adapters_what_it_hears_directly(
    players: int, hands: int
) -> None:
    """The scribe has place 0 in both, so that all places agree too."""
    pages = []
    for wrapped in (False, True):
        scribe = Scribe()
        seated = [("s", as_player(as_bot(scribe)) if wrapped else scribe)]
        seated += [("r", as_player(make_bot("random", 3 + i))) for i in range(players - 1)]
        random.seed(9)
        table = EngineTable(seated, Rules(), hands)
        deals = random.Random(10)
        for number in range(hands):
            table.play(number % players, deals.sample(range(52), 2 * players + 5))
        pages.append(scribe.pages)
    assert len(pages[0]) > 5 * hands
    for direct, through in zip(*pages, strict=True):
        assert direct == through


def test_the_stock_honest_player_keeps_to_our_rules(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(PLAYER_FILE.format(player="HonestPlayer"))
    check = check_game(str(file), ("nolimit-100bb", 3), hands=3)
    assert (check.outcome, check.reason) == ("passed", "")


def test_the_command(tables: HandStrength) -> None:
    del tables
    start = [sys.executable, "-c", "from riverboat.cli import main; main()"]
    asked = [*start, "pypokerengine", "shark", "fold", "--hands", "20", "--seed", "1", "--json"]
    shown = subprocess.run(asked, capture_output=True, text=True, check=True)
    values = json.loads(shown.stdout)
    assert (values["hands"], values["seed"], values["game"]) == (20, 1, "pypokerengine")
    assert values["engine"].startswith("1.")
    assert values["bots"][0]["sb_per_hand"]["interval_95"]
    people = subprocess.run(asked[:-1], capture_output=True, text=True, check=True)
    assert "shark wins: +" in people.stdout


def test_players_of_a_file_are_dealt_from_a_deal_seed(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(FISH_FILE)
    result = play_pypokerengine([str(file), "random"], 20, seed=1, duplicate=False)
    [dealt] = result.dealt
    assert dealt.seed is not None
    # The same seed deals the same cards to a bot that decides the same.
    given: dict[str, Any] = {"seed": 1, "duplicate": False}
    again = play_pypokerengine(["fish", "random"], 20, deal_seed=result.settings.deal_seed, **given)
    assert again.unit_chips.tolist() == result.unit_chips.tolist()
    other = play_pypokerengine(["fish", "random"], 20, **given)
    assert other.unit_chips.tolist() != result.unit_chips.tolist()
    assert other.dealt == ()


def test_wrong_numbers_are_told() -> None:
    with pytest.raises(ArenaError, match="hands"):
        play_pypokerengine(["fish", "fish"], 0, seed=1)


def test_an_emulator_asks_without_telling(judge: Judge) -> None:
    """The engine's emulator sends no messages and gives players no names."""
    starts: list[View] = []

    class Told:
        def __init__(self, seed: int) -> None:
            self.act = make_bot("random", seed).act

        def hand_started(self, view: View) -> None:
            starts.append(view)

    for seed in range(8):
        random.seed(seed)
        emulator = Emulator()
        emulator.set_game_rule(3, 30, 5, 0)
        names = {f"u{i}": {"stack": 300, "name": f"p{i}"} for i in range(3)}
        players = [as_player(Told(seed + i)) for i in range(3)]
        for name, player in zip(names, players, strict=True):
            emulator.register_player(name, player)
        state, _ = emulator.start_new_round(emulator.generate_initial_game_state(names))
        state, _ = emulator.run_until_game_finish(state)
        assert sum(player.stack for player in state["table"].seats.players) <= 900
        assert [player.errors for player in players] == [{}, {}, {}]
    assert not judge.illegal.total()
    assert len(starts) > 50
    assert all(view.line == "" and not view.board and view.bets[:2] == (5, 10) for view in starts)


@pytest.mark.parametrize("bots", [["random", "fish"], ["shark", "all-in", "random"]])
def test_carried_stacks_and_growing_blinds(bots: list[str]) -> None:
    settings = setup_config(max_round=60, initial_stack=1000, small_blind_amount=5)
    settings.set_blind_structure(
        {5: {"ante": 0, "small_blind": 10}, 10: {"ante": 2, "small_blind": 25}}
    )
    players = [as_player(make_bot(bot, seed)) for seed, bot in enumerate(bots)]
    for player, bot in zip(players, bots, strict=True):
        settings.register_player(bot, player)
    start_poker(settings, verbose=0)
    assert [dict(player.errors) for player in players] == [{}] * len(bots)
    assert all(player.last_view is not None for player in players)


def test_games_carry_stacks_on() -> None:
    """All-In v Fish: all chips go in at once, so one hand decides; even bots share evenly."""
    rules = Rules(100, 5)
    first, again = (play_games(["all-in", "fish"], 40, 10, rules, seed=2) for _ in range(2))
    assert first == again
    assert 0.2 < first.mean < 0.8
    folded = play_games(["fold", "fish"], 10, 10, rules, seed=2)
    assert folded.mean < 0.5  # it gives its blinds away, one after the other
