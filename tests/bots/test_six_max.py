"""A strategy for six players at tables of two to nine."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

import numpy as np
import pytest

from bots.strategy_files import random_strategy
from riverboat.arena import play_match
from riverboat.blueprint import find_blueprint, six_max_blueprints
from riverboat.bots import DepthsBot, HandStrategies, make_bot
from riverboat.cards import HandStrength, hole_index
from riverboat.errors import BlueprintError
from riverboat.game import Hand, catalogue
from riverboat.table import usual_opponents

MENU = "2.5x, a | a ; sb 3x ; cap 2 ; limp sb ; flop 2 / 66% ; cap 1 / none"


@pytest.fixture(scope="module")
def file(tables: HandStrength, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Random rows, a fifth of them untrained."""
    path = tmp_path_factory.mktemp("six") / "six-max.blueprint"
    six = catalogue("nolimit-100bb", players=6)
    return random_strategy(path, six, MENU, "equity-bins 3/4/3/4", tables)


@pytest.mark.parametrize("seats", [3, 4, 5, 6, 7, 9])
def test_it_plays_at_any_table(file: Path, seats: int) -> None:
    """Against stations, maniacs and folders; a decision that fails would be counted."""
    others = ["checkcall", "all-in", "random", "fold", "shark", "rule-based", "angry-fish", "mike"]
    spec = catalogue("nolimit-100bb", players=seats)
    result = play_match([f"blueprint:{file}", *others[: seats - 1]], spec, hands=30 * seats, seed=2)
    assert result.hands == 30 * seats
    assert not any(session.errors[0] for session in result.sessions)


def test_the_current_folder_is_searched_first(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    six, heads_up = catalogue("nolimit-100bb", 6), catalogue("nolimit-100bb")
    shipped = six_max_blueprints()
    if not shipped:
        assert usual_opponents(six, "search").startswith("montecarlo-plus,")
        with pytest.raises(BlueprintError, match="riverboat train six-max"):
            find_blueprint("six-max")
    shutil.copy(file, "six-max.blueprint")
    shutil.copy(file, "six-max-40bb.blueprint")
    assert [*six_max_blueprints()] == [*sorted({40, 100, *shipped})]
    assert find_blueprint("six-max") == Path("six-max.blueprint")
    for seats in (3, 6, 9):
        assert usual_opponents(catalogue("nolimit-100bb", seats), "search") == "blueprint"
    assert usual_opponents(heads_up, "search") == "search"
    bot = make_bot("blueprint", 1)
    assert isinstance(bot, DepthsBot)
    assert bot.at(six).query.tree.num_players == 6
    assert bot.at(heads_up).query.tree.num_players == 2
    assert bot.difference(catalogue("short-deck", 6)) != ""


def test_seats_before_the_first_are_tighter(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Each seat before LJ plays an eighth fewer hands, and says once how."""
    bot, nine = make_bot(f"blueprint:{file}", 1), catalogue("nolimit-100bb", players=9)
    opened = []
    for seat in (2, 3, 4, 5):  # UTG, UTG+1, UTG+2, LJ
        view = Hand.from_line(nine, "f" * (seat - 2), seed=5).view(seat)
        with caplog.at_level(logging.WARNING):
            strategy = bot.strategy(view)  # type: ignore[attr-defined]  # it is a strategy bot
        rows = bot.strategies(view)  # type: ignore[attr-defined]  # as above
        assert isinstance(rows, HandStrategies)
        own = rows.rows[hole_index(*view.hole)]
        if seat < 5:
            assert list(strategy.values()) == pytest.approx(own)
        np.testing.assert_allclose(rows.rows.sum(axis=1), 1)
        opened.append(1326 - rows.column("f").sum())
    assert np.array(opened[:3]) / opened[3] == pytest.approx([(7 / 8) ** n for n in (3, 2, 1)])
    assert sum("an eighth of it for each seat" in line for line in caplog.messages) <= 1
