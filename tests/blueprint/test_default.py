"""The blueprint that ships with Riverboat: what it is, that it is sane, that it wins."""

import json
from pathlib import Path

import numpy as np
import pytest

from blueprint.strategies import random_blueprint
from cli.typed import riverboat
from riverboat.arena import play_match
from riverboat.blueprint import (
    Blueprint,
    Query,
    _default,
    default_blueprint,
    default_blueprints,
    find_blueprint,
    without_rare,
)
from riverboat.bots import BotRef, DepthsBot, make_bot
from riverboat.bots._conformance import check_game
from riverboat.cards import HandStrength
from riverboat.errors import BlueprintError
from riverboat.game import Hand, catalogue
from riverboat.training import load_recipe, train
from riverboat.tree import find_menu
from sizes import slowly

GAME = catalogue("nolimit-100bb")
SHIPPED = "default"  # the recipe that the file was made by
MOST_BYTES = 20_000_000  # what the package has room for


@pytest.fixture(scope="module")
def shipped() -> Blueprint:
    return Blueprint.open(default_blueprint())


@pytest.fixture(scope="module")
def query(shipped: Blueprint) -> Query:
    return shipped.query()


def asked(query: Query, line: str, hole: str) -> dict[str, float]:
    """The strategy of who is to act after a line before the flop, with this hand."""
    hand = Hand.from_line(GAME, line, seed=1)
    assert hand.actor is not None
    holes = ["??", "??"]
    holes[hand.actor] = hole
    view = Hand.from_line(GAME, line, hole=holes).view(hand.actor)
    answer = query.strategy(view)
    assert answer.status == "trained"
    return dict(answer.actions)


def test_it_is_small_and_made_by_the_recipe(shipped: Blueprint) -> None:
    header = shipped.header
    assert shipped.path.stat().st_size <= MOST_BYTES
    recipe = load_recipe(SHIPPED)
    words = {"name", "notes"}
    # Keys that recipes have got since then have their defaults.
    trained, wanted = load_recipe(header.training.recipe).as_dict(), recipe.as_dict()
    assert {k: v for k, v in trained.items() if k not in words} == {
        k: v for k, v in wanted.items() if k not in words
    }
    assert header.training.iterations == recipe.budget.iterations
    assert header.spec == recipe.spec == GAME
    assert header.menu == str(find_menu(recipe.menu))
    assert isinstance(header.cards, dict)
    assert header.fallback == recipe.fallback
    assert (header.values, header.pruned) == ("uint8", recipe.file.pruned)
    # The recipe is whole: `riverboat train` needs nothing else.
    assert load_recipe(SHIPPED).budget.seconds or load_recipe(SHIPPED).budget.iterations


def test_all_its_rows_are_distributions(shipped: Blueprint) -> None:
    trained = 0
    for _, rows, block, weights in shipped.chunks():  # verifies checksums on the way
        assert np.isfinite(block).all()
        assert block.min() >= 0
        # 255ths in float32, up to five of them.
        np.testing.assert_allclose(rows.sums(block), 1, atol=1e-5)
        assert (weights >= 0).all()
        trained += int(np.count_nonzero(weights))
    assert trained > 0.95 * shipped.header.infosets


def test_it_plays_aces_and_throws_rubbish_away(query: Query) -> None:
    opening = asked(query, "", "AhAd")
    assert opening["f"] == 0
    assert sum(p for action, p in opening.items() if action[0] == "b") > 0.6
    for line in ("b25", "b60", "b1000", "cb60"):
        assert asked(query, line, "AhAd")["f"] == 0
    assert asked(query, "b1000", "7h2d")["f"] > 0.99
    assert asked(query, "b60", "7h2d")["f"] > 0.9
    assert asked(query, "b1000", "KhKd")["c"] > 0.99
    # Seat 0 is out of position after the flop and has half the price: most hands are played.
    assert asked(query, "", "7h2d")["f"] > asked(query, "", "9h8h")["f"]


def test_a_bot_without_a_file_plays_from_it(query: Query) -> None:
    made = make_bot("blueprint", 1)
    assert isinstance(made, DepthsBot)
    bot = made.at(GAME)
    for name in ("blueprint", "blueprint:style=tight", "default", "blueprint:default"):
        assert BotRef.parse(name).files_for(GAME) == [default_blueprint()]
    assert BotRef.parse("blueprint").file is None
    recipe = load_recipe(SHIPPED)
    assert bot.threshold == recipe.threshold
    assert type(bot.fallback).__name__ == "MonteCarlo"
    view = Hand(GAME, seed=3).view(0)
    whole = dict(query.strategy(view).actions)
    assert bot.strategy(view) == without_rare(whole, recipe.threshold)
    # Styles bend the whole mixture, unless a threshold is named.
    tight = make_bot("blueprint:style=tight", 1)
    assert isinstance(tight, DepthsBot)
    assert tight.at(GAME).threshold == 0
    assert make_bot("blueprint:threshold=0", 1).strategy(view) == whole  # type: ignore[attr-defined]


def test_other_depths_are_found_by_name_where_they_ship(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tables: HandStrength
) -> None:
    monkeypatch.setattr(_default, "_FOLDER", tmp_path)
    monkeypatch.setattr(_default, "_FILE", tmp_path / "default.blueprint")
    for depth, name in ((100, "default"), (20, "default-20bb")):
        game = catalogue(f"nolimit-{depth}bb")
        random_blueprint(tmp_path / f"{name}.blueprint", tables, game, "a", least=1)
    assert list(default_blueprints()) == [20, 100]
    assert find_blueprint("default-20bb") == tmp_path / "default-20bb.blueprint"
    assert find_blueprint("default-100bb") == find_blueprint("default") == default_blueprint()
    with pytest.raises(BlueprintError, match=r"for 30 big blinds ships .* only for 20, 100: train"):
        find_blueprint("default-30bb")
    shown = json.loads(riverboat("show", "default-20bb", "--json").stdout)
    assert (shown["game"], shown["shown"]) == ("nolimit-20bb", "as trained")
    bot = make_bot("blueprint", 1)
    assert isinstance(bot, DepthsBot)
    assert bot.at(catalogue("nolimit-22bb")).query.tree.spec == catalogue("nolimit-20bb")
    for each in ("search:iterations=1", "blueprint"):
        [file] = BotRef.parse(each).files_for(catalogue("nolimit-21bb"))
        assert file.name == "default-20bb.blueprint"


def test_it_keeps_to_the_rules(tables: HandStrength) -> None:
    del tables  # for its fallback
    check = check_game("blueprint", ("nolimit-100bb", 2), 10, seed=4)
    assert (check.outcome, check.reason) == ("passed", "")


@pytest.mark.parametrize(
    ("rival", "hands"), [("fish", 300), *slowly(("fish", 800), ("random", 2000))]
)
def test_it_wins(rival: str, hands: int, tables: HandStrength) -> None:
    del tables
    # It wins 2,793 and 1,961 mbb a hand, docs/default.md; without bucket tables hands are slow.
    # Half an interval of 2,000 hands against random is about 930.
    result = play_match(["blueprint", rival], hands=hands, seed=20)
    assert result.best_estimate().interval[0] > 0


def test_a_short_training_makes_such_a_file(tmp_path: Path, tables: HandStrength) -> None:
    del tables
    recipe = load_recipe(SHIPPED).changed(
        {
            "cards": "equity-bins 3/4/3/4",
            "budget.iterations": 20_000,
            "bound.every": 0,
            "threads": 1,
        }
    )
    *_, last = train(recipe, tmp_path / "short", plot=False)
    assert (last.event, last.iterations) == ("finished", 20_000)
    short, shipped = (
        Blueprint.open(tmp_path / "short.blueprint"),
        Blueprint.open(default_blueprint()),
    )
    assert short.header.tree == shipped.header.tree
    assert short.header.menu == shipped.header.menu
    assert short.header.values == shipped.header.values
    assert short.header.fallback == shipped.header.fallback
    assert set(short.file.names) == set(shipped.file.names) - {
        name for name in shipped.file.names if name.startswith("cards.")
    } | {name for name in short.file.names if name.startswith("cards.")}
    for _, rows, block, _ in short.chunks():
        np.testing.assert_allclose(rows.sums(block), 1, atol=1e-5)
    assert make_bot(f"blueprint:{short.path}", 1).act(Hand(GAME, seed=1).view(0))
