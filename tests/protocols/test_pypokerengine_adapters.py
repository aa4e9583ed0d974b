"""Adapters for PyPokerEngine, without the engine: what one writes the other reads."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from protocols.players import FishPlayer, FoldPlayer, Quiet, RandomPlayer
from riverboat.bots import GAMES, RandomBot, make_bot
from riverboat.bots._conformance import check_game
from riverboat.errors import GameError, IllegalActionError
from riverboat.game import GameSpec, Hand, View, catalogue
from riverboat.protocols.pypokerengine import as_bot, as_player, engine_game
from riverboat.protocols.pypokerengine._reading import legal_actions
from sizes import few_or_many

PAGE = (Path(__file__).parents[2] / "docs" / "pypokerengine.md").read_text(encoding="utf-8")
HOLDEM = [
    ("nolimit-100bb", 2),
    ("nolimit-100bb", 3),
    ("nolimit-100bb", 6),
    ("limit", 2),
    ("potlimit", 4),
]


class Recorder:
    """Plays at random and keeps all that it is shown."""

    def __init__(self, seed: int) -> None:
        self._bot = RandomBot(seed)
        self.seen: list[View] = []
        self.started: list[View] = []
        self.over: list[View] = []

    def act(self, view: View) -> Any:
        """Keep a view, choose a move."""
        self.seen.append(view)
        return self._bot.act(view)

    def hand_started(self, view: View) -> None:
        """Keep a beginning."""
        self.started.append(view)

    def hand_over(self, view: View) -> None:
        """Keep an end."""
        self.over.append(view)


def play(bots: list[Any], spec: GameSpec, seed: int, stacks: tuple[int, ...] | None = None) -> Hand:
    hand = Hand(spec, seed=seed) if stacks is None else Hand(spec, seed=seed, stacks=stacks)
    for seat, bot in enumerate(bots):
        bot.hand_started(hand.view(seat))
    while hand.actor is not None:
        hand.do(bots[hand.actor].act(hand.view(hand.actor)))
    for seat, bot in enumerate(bots):
        bot.hand_over(hand.view(seat))
    return hand


class Both:
    """A bot that is asked through both adapters, and what it should have been shown."""

    def __init__(self, seed: int) -> None:
        self.recorder = Recorder(seed)
        self.player = as_player(self.recorder)
        self.player.uuid = "a" * 22
        self._bot = as_bot(self.player)
        self.views: list[View] = []
        self.last: list[View] = []

    def act(self, view: View) -> Any:
        """Keep a view, pass it on."""
        self.views.append(view)
        return self._bot.act(view)

    def hand_started(self, view: View) -> None:
        """Pass on a beginning."""
        self._bot.hand_started(view)

    def hand_over(self, view: View) -> None:
        """Keep an end, pass it on."""
        self.last.append(view)
        self._bot.hand_over(view)


def without_spec(view: View) -> View:
    return msgspec.structs.replace(view, spec=catalogue("kuhn"))


@pytest.mark.parametrize("deals", few_or_many(20, 60))
@pytest.mark.parametrize("game", [*HOLDEM, "ante"])
def test_a_view_survives_both_adapters(game: Any, deals: int) -> None:
    spec = engine_game(3, 200, 5, 2) if game == "ante" else catalogue(*game)
    bots = [Both(seed) for seed in range(spec.players)]
    for seed in range(deals):
        short = tuple(30 + 37 * (seed + seat) % 300 for seat in range(spec.players))
        play(bots[seed % spec.players :] + bots[: seed % spec.players], spec, seed)
        play(bots, spec, seed, short)
    for bot in bots:
        assert bot.player.errors == {}
        assert len(bot.recorder.started) == len(bot.recorder.over) == 2 * deals
        assert len(bot.views) == len(bot.recorder.seen) > deals
        for given, seen in zip(bot.views, bot.recorder.seen, strict=True):
            assert without_spec(seen) == without_spec(given)
        for given, seen in zip(bot.last, bot.recorder.over, strict=True):
            for name in ("seat", "button", "street", "board", "line", "live", "stacks", "pot"):
                assert getattr(seen, name) == getattr(given, name), name
            assert (seen.payoffs, seen.bets) == (given.payoffs, given.bets)
            assert seen.finished
            assert seen.shown[seen.seat] == given.shown[given.seat]


class Answers(Quiet):
    """Gives one answer."""

    def __init__(self, *answer: Any) -> None:
        self._answer = answer

    def declare_action(self, valid_actions: Any, hole_card: Any, round_state: Any) -> Any:  # noqa: ARG002 - the package's signature
        """Give it."""
        return self._answer


@pytest.mark.parametrize(
    ("line", "answer", "move"),
    [
        ("", ("fold", 0), "f"),
        ("c", ("fold", 0), "k"),  # a free fold is a check
        ("", ("call", 10), "c"),
        ("", ("call", 5), "f"),  # a wrong amount is a fold
        ("", ("call", 5000), "c"),
        ("b1000", ("call", 1000), "c"),
        ("", ("raise", 20), "b20"),
        ("", ("raise", 1000), "b1000"),
        ("", ("raise", 19), "f"),
        ("", ("raise", 1001), "f"),
        ("", ("raise", -1), "f"),
        ("c", ("raise", -1), "k"),
        ("b1000", ("raise", 1000), "c"),  # all chips, where no raise is offered
    ],
)
def test_answers_are_read_as_the_engine_does(line: str, answer: tuple[str, int], move: str) -> None:
    hand = Hand.from_line(catalogue("nolimit-100bb"), line, seed=1)
    assert hand.actor is not None
    assert as_bot(Answers(*answer)).act(hand.view(hand.actor)) == move
    assert hand.can(move)


def test_an_unknown_action_is_named() -> None:
    view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
    with pytest.raises(IllegalActionError, match="'bet' is not an action"):
        as_bot(Answers("bet", 10)).act(view)


PLAYER_FILE = """
from protocols.players import {player}
from riverboat.protocols.pypokerengine import PlayerBot

class Mine(PlayerBot):
    def __init__(self, seed):
        super().__init__({player}(), seed)
"""


@pytest.mark.parametrize("player", [FishPlayer, FoldPlayer, RandomPlayer])
@pytest.mark.parametrize("game", GAMES)
def test_players_keep_to_the_rules(player: type, game: tuple[str, int], tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(PLAYER_FILE.format(player=player.__name__))
    check = check_game(str(file), game, hands=10)
    assert check.outcome == ("passed" if game in HOLDEM else "refused"), check.reason


def test_the_same_draws_whatever_others_draw() -> None:
    lines = []
    for _ in range(2):
        bots = [as_bot(RandomPlayer(), seed=7), as_bot(RandomPlayer(), seed=8)]
        lines.append([play(bots, catalogue("nolimit-100bb"), seed).line for seed in range(50)])
    assert lines[0] == lines[1]
    assert len(set(lines[0])) > 10


class Listener(FishPlayer):
    """Keeps the names of the messages."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.results: list[Any] = []

    def receive_game_start_message(self, game_info: Any) -> None:
        """Write down a game."""
        self.heard.append(f"game of {game_info['player_num']}")

    def receive_round_start_message(self, round_count: Any, hole_card: Any, seats: Any) -> None:
        """Write down a hand."""
        self.heard.append(f"round {round_count} {''.join(hole_card)} {len(seats)}")

    def receive_street_start_message(self, street: Any, round_state: Any) -> None:
        """Write down a street."""
        self.heard.append(f"{street} {len(round_state['community_card'])}")

    def receive_game_update_message(self, new_action: Any, round_state: Any) -> None:
        """Write down an action."""
        self.heard.append(f"{new_action['action']} {new_action['amount']} {round_state['street']}")

    def receive_round_result_message(self, winners: Any, hand_info: Any, state: Any) -> None:
        """Write down a result."""
        self.heard.append("result")
        self.results.append((winners, hand_info, state))


def test_messages_come_in_the_order_of_the_engine() -> None:
    player = Listener()
    bot = as_bot(player)
    hand = Hand(catalogue("nolimit-100bb"), hole=["AhKd", "QsQc"], board="2c7d9hTsJs")
    bot.hand_started(hand.view(0))
    assert bot.act(hand.view(0)) == "c"
    hand.play("cb40")
    assert bot.act(hand.view(0)) == "c"
    hand.play("c/b960c")
    bot.hand_over(hand.view(0))
    assert player.heard == [
        "game of 2", "round 1 HADK 2", "preflop 0",
        "call 10 preflop", "raise 40 preflop", "call 40 preflop",
        "flop 3", "raise 960 flop", "call 960 flop", "turn 4", "river 5", "result",
    ]  # fmt: skip
    winners, _, state = player.results[0]
    assert [(w["uuid"], w["stack"]) for w in winners] == [("b" * 22, 2000)]
    assert state["street"] == "showdown"
    assert state["seats"][0]["stack"] == 0


def test_a_bot_that_fails_has_checked_or_folded() -> None:
    class Broken:
        def act(self, view: View) -> str:
            if view.board:
                raise RuntimeError("no idea")
            return "b7"

    player = as_player(Broken())
    hand = Hand(catalogue("nolimit-100bb"), seed=1)
    assert as_bot(player).act(hand.view(0)) == "f"
    hand.play("ck")
    assert as_bot(player).act(hand.view(1)) == "k"
    assert player.errors == {"illegal": 1, "raised": 1}


def test_bounds_of_raises() -> None:
    def valid(least: int, most: int) -> list[dict[str, Any]]:
        bounds = {"min": least, "max": most}
        return [{}, {"action": "call", "amount": 60}, {"action": "raise", "amount": bounds}]

    usual = legal_actions(valid(100, 300), 20, 280, can_be_called=True)
    assert (usual.fold, usual.check, usual.call, usual.raise_to) == (True, False, 40, (100, 300))
    assert legal_actions(valid(100, 300), 20, 280, can_be_called=False).raise_to is None
    assert legal_actions(valid(-1, -1), 20, 50, can_be_called=True).raise_to is None
    short = legal_actions(valid(-1, -1), 20, 50, can_be_called=True, short_all_in=True)
    assert short.raise_to == (70, 70)
    # A player whose last chips were his blind is asked all the same: nothing is left to pay.
    broke = legal_actions(valid(-1, -1), 10, 0, can_be_called=True, short_all_in=True)
    assert (broke.fold, broke.check, broke.call, broke.raise_to) == (False, True, None, None)


def test_a_card_that_is_none() -> None:
    with pytest.raises(GameError, match="'Ah' is not a card of PyPokerEngine"):
        as_player(make_bot("fish", 1)).receive_round_start_message(1, ["Ah", "CK"], [])


def test_without_the_engine_a_sentence_says_what_to_install() -> None:
    program = (
        "import sys; sys.modules['pypokerengine'] = None\n"  # what Python takes for `not there`
        "sys.argv = ['riverboat', 'pypokerengine', 'fish', 'fish']\n"
        "from riverboat.cli import main; main()"
    )
    shown = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert shown.returncode == 2
    assert shown.stderr.startswith("riverboat: PyPokerEngine is not installed: pip install")


def test_the_first_example_of_the_page_runs() -> None:
    exec(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[0], {})  # noqa: S102 - our own page
