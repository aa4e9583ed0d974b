"""The kernel of a strategy's worth by node and bucket, and its plain twin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from riverboat import _core
from riverboat.errors import GameError
from riverboat.game import catalogue
from riverboat.solve import Deals, enumerate_public
from riverboat.tree import Tree
from solve.games import random_public_game
from twins.public_values import PublicValuesWalk

if TYPE_CHECKING:
    from collections.abc import Iterator

_Vector = np.ndarray[Any, Any]


@pytest.fixture(scope="module")
def deals() -> Deals:
    return enumerate_public(Tree(catalogue("leduc"), "min"))


def _strategy(deals: Deals) -> _Vector:
    raw = np.random.default_rng(1).random(deals.tree.table_bases(deals.num_buckets)[-1]) ** 3
    strategy = np.empty(len(raw), np.float32)
    _core.normalise_into(deals.compiled, raw, strategy)
    return strategy


def _run(
    deals: Deals, strategy: _Vector, seed: int, boards: int
) -> Iterator[tuple[Any, list[float]]]:
    """Every cell of the kernel's tables, both kinds kept everywhere."""
    most, nodes = max(deals.num_buckets), deals.tree.num_nodes
    places = (np.arange(4 * nodes) * most).reshape(2, nodes, 2)
    worth, weight = np.zeros((2, 4 * nodes * most))
    assert deals.public is not None
    walker = _core.PublicValues(deals.public)
    walker.run(seed, 0, boards, 1, strategy, places[0], places[1], worth, weight)
    for number, kind in enumerate(("entered", "begun")):
        for node, seat in np.ndindex(nodes, 2):
            for bucket in range(most):
                cell = places[number, node, seat] + bucket
                yield (kind, node, seat, bucket), [worth[cell], weight[cell]]


@pytest.mark.parametrize(("name", "seed"), [("kuhn", 1), ("leduc", 3), ("leduc", 4)])
def test_kernel_and_twin_agree(name: str, seed: int) -> None:
    game, deals = random_public_game(seed, name)
    strategy, boards = _strategy(deals), 3
    assert deals.public is not None
    twin = PublicValuesWalk(game, strategy)
    for board in range(boards):
        twin.run(deals.public.draw(seed, board).outcome[0])
    cells = dict(_run(deals, strategy, seed, boards))
    assert set(twin.sums) <= set(cells)
    for key, parts in cells.items():
        assert parts == pytest.approx(twin.sums.get(key, np.zeros(2)), rel=1e-5, abs=1e-6)
    assert len(twin.sums) > 2 * deals.tree.num_nodes


def test_tables_are_held_against_the_game(deals: Deals) -> None:
    assert deals.public is not None
    walker, strategy = _core.PublicValues(deals.public), _strategy(deals)
    places = np.zeros((deals.tree.num_nodes, 2), np.int64)
    room = np.zeros(max(deals.num_buckets))
    with pytest.raises(GameError, match="entries"):
        walker.run(1, 0, 1, 1, strategy[:-1].copy(), places, places, room, room.copy())
    with pytest.raises(GameError, match="outside the tables"):
        walker.run(1, 0, 1, 1, strategy, places + 1, places, room, room.copy())
    with pytest.raises(GameError, match=r"\[nodes, 2\]"):
        walker.run(1, 0, 1, 1, strategy, places[1:].copy(), places, room, room.copy())
