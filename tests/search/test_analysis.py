"""`riverboat analyse`: what search says of a table, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest

from cli.typed import riverboat
from riverboat.bots import make_bot
from riverboat.cards import NUM_CLASSES
from riverboat.errors import GameError
from riverboat.game import Hand, catalogue
from riverboat.search import Plan, SearchBot, analyse

pytestmark = pytest.mark.usefixtures("tables")

RIVER = (
    "analyse",
    "b25c/kk/kk/b33",
    "--board",
    "Ks7h2d3c8d",
    "--bot",
    "search:first=river,threads=1",
)
BOT = "search:threads=1"
FEW = ("--iterations", "100")


def made(settings: str) -> SearchBot:
    """The bot."""
    bot = make_bot(f"search:{settings}", seed=1)
    assert isinstance(bot, SearchBot)
    return bot


def test_a_hand_gets_a_sentence_a_table_and_a_matrix() -> None:
    shown = " ".join(riverboat(*RIVER, *FEW, "--hand", "AhKd").stdout.split())
    assert (
        "nolimit-100bb after b25c/kk/kk/b33 on Ks7h2d3c8d: seat 0 decides, pot 83, 33 to call"
        in shown
    )
    assert "With AhKd: " in shown
    assert "AhKd, % EV, chips all hands, %" in shown
    assert "AA " in shown
    assert "Solved from the start of the river: 400 iterations" in shown
    everything = riverboat(*RIVER, *FEW).stdout
    assert "Over all hands: " in everything
    assert "EV, chips" not in everything


def test_its_tables_are_built_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a bar; else the first use would wait for them without a word."""
    told: list[object] = []
    monkeypatch.setattr(SearchBot, "build_tables", lambda _, progress, __: told.append(progress))
    riverboat("analyse", "b25", "--hand", "AhKd")
    assert len(told) == 1
    assert callable(told[0])


def test_json_is_as_documented() -> None:
    values = json.loads(riverboat(*RIVER, *FEW, "--hand", "8h8c", "--json").stdout)
    page = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
    rows = page.partition("| `analyse` |")[2].partition("| `compare` |")[0]
    inner = (*values["actions"][0], *values["classes"][0], *values["solve"], *values["hands"][0])
    missing = [key for key in (*values, *inner) if key != "version" and f"{key}`" not in rows]
    assert missing == ["actions", "classes", "hands"]  # their keys stand there
    hand = values["hands"][0]
    assert hand["action_evs"][0] == 0  # a fold
    assert hand["strategy"][0] < 0.01  # three eights
    assert max(hand["action_evs"]) > 0
    assert sum(hand["strategy"]) == pytest.approx(1)
    assert sum(each["frequency"] for each in values["actions"]) == pytest.approx(1)
    assert values["solve"]["exploitability"] < 0.05
    assert len(values["classes"]) == NUM_CLASSES


def test_before_search_the_strategy_file_answers() -> None:
    words = ("--board", "Ks7h2d", "--hand", "AhKd", "--json", "--bot", "search:first=turn")
    shown = riverboat("analyse", "b25c/k", *words).stdout
    values = json.loads(shown)
    assert (values["source"], values["solve"]) == ("blueprint", None)
    assert "action_evs" not in values["hands"][0]
    table = riverboat("analyse", "b25", "--hand", "AhKd").stdout
    assert "From the strategy file" in " ".join(table.split())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("b25c/kk", "--board", "Ks7h2d"), "leads to the turn, so --board needs 4 cards"),
        (("b25f",), "the hand is over after 'b25f'"),
        (("b25", "--hand", "AhAh"), "Ah appears twice in 'AhAh'"),
        (("b25", "--hand", "Ah"), "'Ah'"),
        (
            ("b25c/k", "--board", "Ks7h2d", "--hand", "KsAh"),
            "KsAh is impossible on the board Ks7h2d",
        ),
        (
            ("b25", "--stacks", "1000,x"),
            "--stacks takes whole numbers of chips separated by commas",
        ),
        (("b25", "--bot", "blueprint"), "blueprint is not a search bot: give --bot search"),
        (("", "--game", "kuhn"), "search does not support 'kuhn'"),
        (("b20", "--game", "short-deck"), "there is no strategy for 'short-deck' before search"),
    ],
)
def test_what_cannot_be_asked_is_told(words: tuple[str, ...], sentence: str) -> None:
    told = riverboat("analyse", *words, code=2).stderr
    assert sentence in " ".join(told.split())


def test_short_deck_is_searched_from_the_flop_on() -> None:
    """From even ranges: the strategy file does not play it."""
    words = ("--game", "short-deck", "--iterations", "1", "--hand", "AhKd", "--json")
    board = "9s8dKhTc"
    for line, cards, street in (("ck/", 6, "flop"), ("b30c/kk/", 8, "turn")):
        told = riverboat("analyse", line, "--board", board[:cards], *words, "--bot", BOT).stdout
        values = json.loads(told)
        assert (values["source"], values["solve"]["street"]) == ("search", street)
        assert sum(values["hands"][0]["strategy"]) == pytest.approx(1)
        hands = sum(each["reach"] is not None for each in values["classes"])
        assert hands == 81  # 9 ranks


def test_values_are_those_of_the_solve() -> None:
    """The strategy's own mean of its actions' values is best where it plays one action only."""
    hand = Hand.from_line(catalogue("nolimit-100bb"), "b25c/kk/kk/b33", board="Ks7h2d3c8d")
    found = analyse(made("first=river,iterations=250,threads=1"), hand.view(0))
    alive = ~np.isnan(found.strategy[:, 0])
    assert alive.sum() == 47 * 46 // 2
    own = found.reach[0]
    assert own.max() == 1
    assert np.allclose(found.strategy[alive].sum(axis=1), 1, atol=1e-5)
    assert (found.action_values[alive, 0] == 0).all()  # a fold
    played = (found.strategy * found.action_values)[alive].sum(axis=1)
    lost = found.action_values[alive].max(axis=1) - played
    assert own[alive] @ lost / own.sum() < 0.005 * found.pot
    with pytest.raises(GameError, match="seat 1 is not to act"):
        analyse(made("iterations=1"), hand.view(1))


def test_a_hand_that_never_calls_is_worth_no_less_for_it() -> None:
    """Three kings raise 75 more; who calls instead still has them, and 75 chips on the river."""
    hand = Hand.from_line(catalogue("nolimit-100bb"), "b25c/kk/b900", board="Ks7h2d3c")
    found = analyse(made("iterations=5,threads=1"), hand.view(0))
    fold, call, all_in = found.hand("KhKd").action_values
    assert found.actions == ("f", "c", "b975")
    assert fold == 0
    assert call == pytest.approx(all_in, rel=0.1)


def test_a_bet_of_limit_is_not_all_in() -> None:
    words = ("analyse", "ck/kk/kk", "--game", "limit", *RIVER[2:], "--iterations", "1")
    assert "bet 20 (100 % of the pot)" in riverboat(*words).stdout


def test_actions_that_are_worth_the_same_are_told() -> None:
    words = ("--board", "AsKsQsJsTs", "--hand", "2c3d", "--json", *RIVER[4:], *FEW)
    told = json.loads(riverboat("analyse", "b25c/kk/kk", *words).stdout)["sentence"]
    assert " have the same EV." in told
    assert told.rpartition("%. ")[2].startswith(("Check", "Bet", "All-in"))


def test_what_was_given_back_is_solved_again() -> None:
    """After many questions the first one's solver is gone, and its values with it."""
    view = Hand.from_line(catalogue("nolimit-100bb"), "b25c/kk/kk/b33", seed=2).view(0)
    bot = made("first=river,iterations=3,threads=1")
    first = analyse(bot, view)
    searcher = bot.searcher(view.spec)
    assert searcher is not None
    searcher.subgame(view, Plan(3)).release()
    assert np.array_equal(analyse(bot, view).action_values, first.action_values, equal_nan=True)
