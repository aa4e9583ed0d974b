"""A folder of strategies is one bot: each hand from the files next to it in depth."""

import logging
from pathlib import Path

import numpy as np
import pytest

from blueprint.strategies import random_blueprint, save
from riverboat.bots import BotRef, DepthsBot, depth_of, make_bot
from riverboat.bots._depths_bot import depth_shares
from riverboat.cards import HandStrength, hole_index
from riverboat.errors import GameError
from riverboat.game import GameSpec, Hand, View, catalogue
from riverboat.solve import Scheme, Solver, enumerate_deals
from riverboat.tree import Tree

LEDUC = catalogue("leduc")


def strategy(path: Path, stack: int) -> Path:
    """Train Leduc with such stacks, for one iteration."""
    tree = Tree(LEDUC.replace(stacks=(stack, stack)), "min")
    solver = Solver(enumerate_deals(tree), Scheme("full", "cfr+", "linear"), seed=1)
    solver.run_all(iterations=1)
    return save(solver, path)


def depths_bot(folder: Path, seed: int = 1) -> DepthsBot:
    bot = make_bot(f"blueprint:{folder}", seed)
    assert isinstance(bot, DepthsBot)
    return bot


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Strategies for stacks of 20, 40 and 100."""
    for stack in (20, 40, 100):
        strategy(tmp_path / f"{stack}.blueprint", stack)
    return tmp_path


@pytest.mark.parametrize(
    ("stacks", "nearest"), [((100, 100), 100), ((90, 30), 40), ((21, 100), 20), ((500, 70), 100)]
)
def test_the_nearest_one_by_ratio(folder: Path, stacks: tuple[int, int], nearest: int) -> None:
    bot = depths_bot(folder)
    assert bot.at(LEDUC, stacks).query.tree.spec.stacks == (nearest, nearest)
    view = Hand(LEDUC, seed=1, stacks=stacks).view(0)
    bot.hand_started(view)
    assert bot.act(view) in view.legal
    assert sum(bot.strategy(view).values()) == pytest.approx(1)
    assert set(bot.menu(view)) <= {"k", "b2", "b3"}
    bot.hand_over(view)


def test_between_two_depths_shares_are_linear_in_the_logarithm() -> None:
    """Half of the hands where both ratios are equal: 40 to 30 is about 30 to 22.5."""
    assert depth_shares([22.5, 40], 30) == pytest.approx({22.5: 0.5, 40: 0.5})
    assert depth_shares([20, 54], 20 * 2.7 ** (1 / 3)) == pytest.approx({20: 2 / 3, 54: 1 / 3})
    assert depth_shares([20, 80, 40], 40) == {40: 1.0}
    assert depth_shares([20, 50], 21) == {20: 1.0}  # 50 would play 5 % of the hands
    assert depth_shares([20, 80], 2) == {20: 1.0}
    assert depth_shares([20, 80], 900) == {80: 1.0}


def test_files_that_are_too_far_apart_are_not_mixed() -> None:
    assert depth_shares([20, 100], 44) == {20: 1.0}
    assert depth_shares([20, 100], 45) == {100: 1.0}
    assert set(depth_shares([20, 60], 45)) == {20, 60}


def test_both_files_play_in_these_shares(folder: Path) -> None:
    bot = depths_bot(folder)
    view = Hand(LEDUC, seed=1, stacks=(63, 63)).view(0)  # log(63 / 40) / log(100 / 40) = 0.496
    deep = 0
    for _ in range(400):
        bot.hand_started(view)
        deep += bot.chosen(view).query.tree.spec.stacks == (100, 100)
        assert bot.chosen(view) is bot.chosen(view)
    assert deep == pytest.approx(0.496 * 400, abs=4 * 10)  # 4 standard deviations of a binomial


def test_all_its_files_count(folder: Path) -> None:
    ref = BotRef.parse(f"blueprint:{folder}")
    assert [file.name for file in ref.files] == ["100.blueprint", "20.blueprint", "40.blueprint"]
    used = ref.files_for(LEDUC.replace(stacks=(30, 30)))
    assert [file.name for file in used] == ["40.blueprint", "20.blueprint"]
    assert ref.files_for(catalogue("kuhn")) == []
    assert BotRef.parse("fish").files == []


def test_depth_is_the_shortest_stack_in_big_blinds() -> None:
    assert depth_of(catalogue("nolimit-200bb"), (20000, 7500)) == 75


def test_a_stack_outside_is_said_once(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    bot = depths_bot(folder)
    with caplog.at_level(logging.WARNING, "riverboat.bots"):
        for stack in (17, 50, 120, 10, 10, 9, 100):
            view = Hand(LEDUC, seed=1, stacks=(stack, stack)).view(0)
            bot.act(view)
            depths_bot(folder).act(view)
    [said] = [record.getMessage() for record in caplog.records]
    assert said.startswith("Stacks of 10 big blinds are played by the strategy for 20")
    assert "20, 40, 100" in said
    assert "riverboat train default-10bb" in said


def test_a_gap_between_two_depths_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for stack in (20, 100):
        strategy(tmp_path / f"{stack}.blueprint", stack)
    view = Hand(LEDUC, seed=1, stacks=(50, 50)).view(0)
    with caplog.at_level(logging.WARNING, "riverboat.bots"):
        depths_bot(tmp_path).act(view)
    [said] = [record.getMessage() for record in caplog.records]
    assert said.startswith("Stacks of 50 big blinds are played by the strategy for 100")


def test_a_folder_without_strategies_and_another_game(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(GameError, match=r"has no file \*\.blueprint"):
        make_bot(f"blueprint:{tmp_path / 'empty'}", seed=1)
    bot = depths_bot(folder)
    assert not bot.difference(LEDUC)
    assert bot.difference(catalogue("kuhn"))
    with pytest.raises(GameError, match="this strategy does not play 'kuhn'"):
        bot.act(Hand(catalogue("kuhn"), seed=1).view(0))


def test_the_strategy_of_all_hands_is_what_is_played(tmp_path: Path, tables: HandStrength) -> None:
    """At a second decision the file is no longer drawn by its share, but by Bayes' rule."""
    for depth in (20, 60):
        game = catalogue(f"nolimit-{depth}bb")
        random_blueprint(tmp_path / f"{depth}.blueprint", tables, game, "2.5x, a", least=1)
    spec = catalogue("nolimit-35bb")
    first, second = views(spec, "AhKd", "", "b25b75")
    bot = depths_bot(tmp_path, seed=5)
    played: list[str] = []
    hands = 4000
    for _ in range(hands):
        bot.hand_started(first)
        if bot.act(first) == "b25":
            played.append(str(bot.act(second)))
    index = hole_index(*first.hole)
    raised = bot.strategies(first).column("b25")[index]
    assert len(played) / hands == pytest.approx(raised, abs=4 * 0.5 / hands**0.5)
    known = bot.strategies(second)
    np.testing.assert_allclose(known.rows.sum(axis=1), 1)
    for action in known.actions:
        share = played.count(action) / len(played)
        assert share == pytest.approx(known.column(action)[index], abs=4 * 0.5 / len(played) ** 0.5)


def views(spec: GameSpec, hole: str, *lines: str) -> list[View]:
    return [Hand.from_line(spec, line, hole=[hole, "??"]).view(0) for line in lines]
