"""A folder of strategies is one bot: each hand from the nearest in depth."""

from pathlib import Path

import pytest

from blueprint.strategies import save
from riverboat.bots import BotRef, make_bot
from riverboat.bots._strategy_bots import DepthsBot, depth_of
from riverboat.errors import GameError
from riverboat.game import Hand, catalogue
from riverboat.solve import Scheme, Solver, enumerate_deals
from riverboat.tree import Tree

LEDUC = catalogue("leduc")


def strategy(path: Path, stack: int) -> Path:
    """Train Leduc with such stacks, for one iteration."""
    tree = Tree(LEDUC.replace(stacks=(stack, stack)), "min")
    solver = Solver(enumerate_deals(tree), Scheme("full", "cfr+", "linear"), seed=1)
    solver.run_all(iterations=1)
    return save(solver, path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Strategies for stacks of 20, 40 and 100."""
    for stack in (20, 40, 100):
        strategy(tmp_path / f"{stack}.blueprint", stack)
    return tmp_path


@pytest.mark.parametrize(
    ("stacks", "nearest"), [((100, 100), 100), ((90, 30), 40), ((21, 100), 20), ((500, 70), 100)]
)
def test_the_nearest_one_plays(folder: Path, stacks: tuple[int, int], nearest: int) -> None:
    bot = make_bot(f"blueprint:{folder}", seed=1)
    assert isinstance(bot, DepthsBot)
    view = Hand(LEDUC, seed=1, stacks=stacks).view(0)
    assert bot.chosen(view).query.tree.spec.stacks == (nearest, nearest)
    bot.hand_started(view)
    assert bot.act(view) in view.legal
    assert sum(bot.strategy(view).values()) == pytest.approx(1)
    assert set(bot.menu(view)) <= {"k", "b2", "b3"}
    bot.hand_over(view)


def test_all_its_files_count(folder: Path) -> None:
    names = [file.name for file in BotRef.parse(f"blueprint:{folder}").files]
    assert names == ["100.blueprint", "20.blueprint", "40.blueprint"]
    assert BotRef.parse("fish").files == []


def test_depth_is_the_shortest_stack_in_big_blinds() -> None:
    assert depth_of(catalogue("nolimit-200bb"), (20000, 7500)) == 75


def test_a_folder_without_strategies_and_another_game(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(GameError, match=r"has no file \*\.blueprint"):
        make_bot(f"blueprint:{tmp_path / 'empty'}", seed=1)
    bot = make_bot(f"blueprint:{folder}", seed=1)
    with pytest.raises(GameError, match="none of these strategies plays 'kuhn'"):
        bot.act(Hand(catalogue("kuhn"), seed=1).view(0))
