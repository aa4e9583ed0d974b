"""The bot `search`: by name, in time, in all games, and what it says of itself."""

import json
import logging
import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest

from riverboat.blueprint import default_blueprint
from riverboat.bots import (
    BotRef,
    HandStrategies,
    bot_names,
    make_bot,
    named_bot,
    register,
)
from riverboat.errors import DamagedFileError, GameError
from riverboat.evaluate import is_known, local_best_response
from riverboat.game import Hand, View, catalogue, find_game
from riverboat.search import SEARCH, Plan, SearchBot
from sizes import slowly

pytestmark = pytest.mark.usefixtures("tables")

NOLIMIT = catalogue("nolimit-100bb")
GAMES = ("nolimit-100bb", "limit", "potlimit", "short-deck", "nolimit-200bb")


def made(settings: str) -> SearchBot:
    """The bot."""
    bot = make_bot(f"search:{settings}", seed=1)
    assert isinstance(bot, SearchBot)
    return bot


def turn_view(line: str = "b25c/kk/k") -> View:
    """A table on the turn or river."""
    hand = Hand.from_line(NOLIMIT, line, seed=1)
    assert hand.actor is not None
    return hand.view(hand.actor)


def play(bot: SearchBot, game: str, opponent: str, hands: int) -> int:
    """Play hands in both seats; an illegal move raises. Return how many came to the turn."""
    other = make_bot(opponent, seed=2)
    later = 0
    for number in range(hands):
        hand = Hand(find_game(game), seed=number)
        while (seat := hand.actor) is not None:
            player = bot if seat == number % 2 else other
            hand.do(player.act(hand.view(seat)))
        later += hand.street >= 2
    return later


@pytest.mark.parametrize("mode", ["resolve", *slowly("maxmargin", "reach", "combined")])
def test_all_modes_bound_the_first_street(mode: str) -> None:
    bot, at = made(f"iterations=2,first=river,mode={mode}"), turn_view("b25c/kk/kb25c/")
    assert np.allclose(bot.strategies(at).rows.sum(axis=1), 1)
    searcher = bot.searcher(NOLIMIT)
    assert searcher is not None
    gadget = searcher.subgame(at, Plan(2), whole=True).engine.gadget
    assert gadget is not None
    assert (gadget.mode, gadget.player) == (mode, 1)


def test_it_is_found_by_name_and_sits_above_the_bots() -> None:
    assert "search" in bot_names()
    assert BotRef.parse("Search").kind is SEARCH
    assert BotRef.parse("search:seconds=2").files_for(NOLIMIT) == [default_blueprint()]
    with pytest.raises(DamagedFileError, match="plays from a file"):
        named_bot("search", 0, "my.blueprint")
    with pytest.raises(GameError, match="there is already a bot 'search'"):
        register(SEARCH)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ("seconds=0", "seconds=0"),
        ("first=preflop", "first=preflop is not allowed: it must be auto, flop, turn or river"),
        ("iterations=-1", "iterations=-1"),
        ("fallback=mine.py,first=river", "fallback='mine.py' is a Python file"),
        ("fallback=nosuch", "'nosuch'"),
        ("log=no/such/solves.jsonl", "log=no/such/solves.jsonl: the folder does not exist"),
        ("no.blueprint", "there is no strategy file 'no.blueprint'"),
    ],
)
def test_wrong_settings_are_told(settings: str, sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        made(settings)


def test_before_search_it_is_its_blueprint() -> None:
    bot, blueprint = made("iterations=1,first=turn"), make_bot("blueprint", seed=1)
    for line in ("", "b25", "b25c/k", "b37c/kb40"):
        at = turn_view(line)
        assert bot.strategy(at) == blueprint.strategy(at)  # type: ignore[attr-defined]
        assert bot.menu(at) == blueprint.menu(at)  # type: ignore[attr-defined]
    assert [bot.act(turn_view("b25c/k")) for _ in range(3)]
    assert dict(bot.counts) == {"blueprint": 3}
    assert bot.solves == ()


def test_it_draws_from_the_row_of_its_hand() -> None:
    bot = made("iterations=1,threads=1,first=turn")
    at = turn_view("b25c/kk/kk/k")
    rows = bot.strategies(at)
    strategy = bot.strategy(at)
    assert tuple(strategy) == rows.actions
    assert sum(strategy.values()) == pytest.approx(1)
    drawn = {bot.act(at) for _ in range(50)}
    assert drawn <= set(strategy)
    assert len(drawn) > 1
    assert bot.counts["search"] == 50
    assert [(each.street, each.iterations) for each in bot.solves] == [("turn", 1), ("river", 4)]
    assert bot.solves[0].memory > 10**6
    assert bot.solves[0].exploitability is None


@pytest.mark.slow
def test_another_process_finds_the_same() -> None:
    told = "search:iterations=2,first=river,threads=2"
    program = (
        "from riverboat.bots import make_bot; from riverboat.game import Hand, catalogue\n"
        f"hand = Hand.from_line(catalogue('nolimit-100bb'), 'b25c/kk/kk/k', seed=1)\n"
        f"print(make_bot({told!r}, 5).strategies(hand.view(0)).rows.tobytes().hex())"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    rows = made("iterations=2,first=river,threads=1").strategies(turn_view("b25c/kk/kk/k")).rows
    assert rows.tobytes().hex() == run.stdout.decode().strip()


def test_a_line_of_log_about_each_solve(tmp_path: Path) -> None:
    log = tmp_path / "solves.jsonl"
    bot = made(f"iterations=3,first=river,threads=1,even=0.2,log={log}")
    bot.act(turn_view("b25c/kk/kk/k"))
    bot.act(turn_view("b25c/kk/kk/b13"))
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["added"] for line in lines] == ["", "b13"]
    assert lines[0]["street"] == "river"
    assert lines[0]["iterations"] == 12
    assert lines[0]["exploitability"] == bot.solves[0].exploitability
    assert lines[0]["exploitability"] > 0


def test_with_too_little_time_the_blueprint_plays() -> None:
    bot = made("seconds=30")
    hurried = msgspec.structs.replace(turn_view(), seconds_left=0.1)
    assert bot.act(hurried) in hurried.legal
    assert dict(bot.counts) == {"blueprint": 1}
    flop = bot._plan(turn_view("b25c/k"), began=100.0)
    assert flop is not None
    assert flop.until == 105.0
    plan = bot._plan(msgspec.structs.replace(turn_view(), seconds_left=3.0), began=100.0)
    assert plan is not None
    assert plan.until == 101.5  # half of what is left
    free = bot._plan(turn_view(), began=100.0)
    assert free is not None
    assert free.until == 130.0


@pytest.mark.parametrize(
    ("game", "seats", "sentence"),
    [
        (
            "nolimit-100bb",
            3,
            "search does not support tables of 3: in 'nolimit-100bb' montecarlo plays",
        ),
        ("discard-2017", 2, "search does not support games with discards"),
        ("short-deck", 2, "search plays as montecarlo before it solves"),
    ],
)
def test_where_it_cannot_search_it_says_so_once(
    game: str,
    seats: int,
    sentence: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    hand = Hand(find_game(game, seats), seed=1)
    assert hand.actor is not None
    with caplog.at_level(logging.WARNING, "riverboat.search"):
        for _ in range(2):
            assert made("iterations=1").act(hand.view(hand.actor)) in hand.view(hand.actor).legal
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == 1
    assert sentence in said[0]


@pytest.mark.parametrize("game", GAMES)
def test_some_hands_of_each_game(game: str) -> None:
    bot = made("iterations=1,threads=1,first=river")
    assert play(bot, game, "random", 12) + play(bot, game, "fish", 4) >= 4
    assert bot.counts["search"]


@pytest.mark.slow
@pytest.mark.parametrize("opponent", ["fish", "random"])
@pytest.mark.parametrize("game", GAMES)
def test_many_hands_of_each_game(game: str, opponent: str) -> None:
    bot = made("iterations=2,threads=1")
    assert play(bot, game, opponent, 200) >= 20
    assert bot.counts["search"] >= 20


def test_local_best_response_may_take_its_own_sizes() -> None:
    bot = made("iterations=1,threads=1,first=river")
    asked: list[tuple[str, ...]] = []

    class Watched:
        """Notes which menus were asked for."""

        def strategies(self, view: View) -> HandStrategies:
            return bot.strategies(view)

        def menu(self, view: View) -> tuple[str, ...]:
            asked.append(bot.menu(view) if view.street == 3 else ())
            return bot.menu(view)

    found = local_best_response(Watched(), "c-c-c-own", hands=4, seed=1)
    assert found.hands == 4
    assert np.isfinite(found.won.mean)
    assert any(len(menu) > 3 for menu in asked)  # check, a third, three quarters, ...


def test_it_is_ready_when_a_hand_starts() -> None:
    bot = made("iterations=1")
    bot.hand_started(turn_view(""))
    assert bot.searcher(NOLIMIT) is not None
    assert bot.base.at(NOLIMIT).query.source.path == default_blueprint()  # type: ignore[attr-defined]
    bot.hand_over(turn_view(""))


def test_only_with_iterations_its_answers_repeat() -> None:
    """AIVAT asks again after the hand: by the clock that may be another answer."""
    assert is_known(made("iterations=5"))
    assert not is_known(made("seconds=2"))
