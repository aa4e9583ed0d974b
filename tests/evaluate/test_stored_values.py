"""Tables of values by bucket: of the actions of a strategy for reviews, of its play for AIVAT."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from bots.strategy_files import random_strategy
from riverboat.arena import play_match
from riverboat.blueprint import Blueprint
from riverboat.errors import BlueprintError
from riverboat.evaluate import _action_values, _aivat_values, action_values
from riverboat.evaluate._action_values import missing_action_values
from riverboat.game import catalogue
from riverboat.tree import DECISION

if TYPE_CHECKING:
    from pathlib import Path

    from riverboat.cards import HandStrength

_THRESHOLD = 0.2
_BOARDS = 64


@pytest.fixture(scope="module")
def strategy(tables: HandStrength, tmp_path_factory: pytest.TempPathFactory) -> Blueprint:
    path = tmp_path_factory.mktemp("values") / "random.blueprint"
    menu = "2.5x, a ; cap 2 / a ; cap 1"
    return Blueprint.open(
        random_strategy(path, "nolimit-100bb", menu, "equity-bins 13/4/3/4", tables)
    )


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(_action_values, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(_aivat_values, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(_aivat_values, "NUM_BOARDS", 12)


def test_actions_of_buckets(strategy: Blueprint, tmp_path: Path) -> None:
    """Preflop values are those of single hands, which another walk finds on other boards."""
    assert missing_action_values(strategy, _THRESHOLD)
    seen: list[tuple[int, int]] = []
    found = action_values(strategy, _THRESHOLD, lambda *at: seen.append(at), _BOARDS)
    assert seen == [(16, 64), (32, 64), (48, 64), (64, 64)]
    query = strategy.query(threshold=_THRESHOLD)
    hands = query.all_values.actions(0, samples=200)
    weights, buckets = hands.deals[0], query.buckets.find_all(())  # type: ignore[attr-defined]
    apart, spread = [], []
    for bucket in range(strategy.num_buckets[0]):
        inside = buckets == bucket
        values, errors = found.actions(0, bucket)
        mean = np.average(hands.action_values[inside], axis=0, weights=weights[inside])
        assert values[0] == pytest.approx(0, abs=1e-5)  # a fold
        assert (errors > 0).all()
        apart.append(values - mean)
        spread.append(mean)
    assert np.std(apart) < 0.15 * np.std(spread)  # 64 boards leave a tenth
    decisions = strategy.tree.kind == DECISION
    assert np.array_equal(found.first >= 0, decisions)
    assert np.array_equal(found.counts > 0, decisions)
    assert (found.spread > 0).tolist() == [False, True, True, False]
    assert found.spread.max() < 1

    again = action_values(strategy, _THRESHOLD, lambda *at: seen.append(at), _BOARDS)
    assert len(seen) == 4  # it was read
    assert np.array_equal(again.values, found.values)
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-8])
    repaired = action_values(strategy, _THRESHOLD, boards=_BOARDS)
    assert np.array_equal(repaired.errors, found.errors)


def test_other_games_have_no_such_values(tables: HandStrength, tmp_path: Path) -> None:
    game = catalogue("nolimit-100bb", players=3)
    path = random_strategy(tmp_path / "three", game, "a ; flop 2", "equity-bins 3/2/2/2", tables)
    with pytest.raises(BlueprintError, match="hold'em for two players"):
        action_values(Blueprint.open(path))


@pytest.mark.parametrize("other", ["itself", "shark:size=mid"])
def test_aivat_by_a_strategy(strategy: Blueprint, other: str) -> None:
    """Both means agree within 4 standard errors of their difference; AIVAT's is surer."""
    bot = f"blueprint:{strategy.path}"
    bots = [bot, bot if other == "itself" else other]
    result = play_match(bots, hands=400, seed=11, aivat=True)
    assert result.unit_aivat is not None
    apart = (result.unit_aivat - result.unit_chips)[:, 0]
    assert abs(apart.mean()) < 4 * apart.std() / len(apart) ** 0.5
    reduction = result.aivat_reduction()
    assert reduction is not None
    assert reduction > 1.5
