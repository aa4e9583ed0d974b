"""Recipes whose swaps follow a fixed rule: what is trained, and how the bot plays it."""

from pathlib import Path
from typing import Any

import pytest

from riverboat.blueprint import Blueprint
from riverboat.bots import BlueprintBot, discard, make_bot
from riverboat.cards import HandStrength
from riverboat.errors import GameError, RunError
from riverboat.game import Hand, catalogue
from riverboat.training import Plan, load_recipe, train

GAME = catalogue("discard-2017")
RECIPE: dict[str, Any] = {
    "game": "discard-2017",
    "menu": "100%, a ; cap 1",
    "cards": "equity-bins 3/4/3/4 recall",
    "swap_gain": 0.02,
    "seed": 3,
    "threads": 1,
    "budget": {"iterations": 300},
    "bound": {"every": 0},
}


@pytest.fixture(scope="module")
def file(tables: HandStrength, tmp_path_factory: pytest.TempPathFactory) -> Path:
    del tables  # they are built
    path = tmp_path_factory.mktemp("fixed") / "swaps.blueprint"
    for _ in train(load_recipe(RECIPE), path):
        pass
    return path


def test_the_tree_has_no_swaps_and_the_game_has(file: Path) -> None:
    blueprint = Blueprint.open(file)
    assert blueprint.header.spec == GAME
    assert blueprint.tree.spec == GAME.without_swaps()
    assert blueprint.header.swap_gain == 0.02
    assert blueprint.deals().num_buckets == blueprint.num_buckets


def test_the_bot_swaps_by_the_rule_and_knows_its_buckets(file: Path) -> None:
    """Against a player who calls it never leaves the tree, and recalls each street's hand."""
    bot, moves = make_bot(f"blueprint:{file}", seed=1), list[str]()
    assert isinstance(bot, BlueprintBot)
    for number in range(60):
        hand = Hand(GAME, seed=number)
        bot.hand_started(hand.view(0))
        while hand.actor is not None:
            view = hand.view(hand.actor)
            if hand.actor == 1:
                hand.do("s" if view.legal.stand else "k" if view.legal.check else "c")
                continue
            if view.legal.stand:
                assert bot.strategy(view) == {discard(view): 1.0}
                assert bot.menu(view) == ()
            moves.append(str(bot.act(view)))
            assert not view.legal.stand or moves[-1] == discard(view)
            hand.do(moves[-1])
    assert any(move.startswith("d") for move in moves)
    assert set(bot.counts) <= {"trained", "untrained", "by rule"}


def test_a_table_without_swaps_is_refused(file: Path) -> None:
    bot = make_bot(f"blueprint:{file}", seed=1)
    with pytest.raises(GameError, match="for a game with swaps, the table has none"):
        bot.act(Hand(GAME.without_swaps(), seed=1).view(0))


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"game": "leduc", "menu": "min", "cards": "lossless"}, "games with swaps, and leduc has"),
        ({"scheme": "public-chance"}, "needs a game without swaps"),
        ({"swap_gain": 2.0}, "swap_gain"),
    ],
)
def test_recipes_that_cannot_be_trained(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(RunError, match=complaint):
        Plan.of(load_recipe({**RECIPE, **changes}))


def test_another_gain_is_another_training() -> None:
    """And a recipe without fixed swaps is the one of 0.2, which did not know them."""
    one, other = (load_recipe("pineapple", {"swap_gain": gain}) for gain in (0.02, 0.05))
    assert one.identity()["swap_gain"] == 0.02
    assert one.identity() != other.identity()
    assert "swap_gain" not in load_recipe("default").identity()
