"""The kernel of a strategy's worth by node and bucket, and its plain twin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from riverboat import _core
from riverboat.errors import GameError
from riverboat.game import catalogue
from riverboat.solve import Deals, enumerate_public
from riverboat.tree import DECISION, FOLD, Tree

if TYPE_CHECKING:
    from collections.abc import Iterator

_LEAST_REACH = 1e-3
_Vector = np.ndarray[Any, Any]


class Twin:
    """One public outcome, walked hand by hand."""

    def __init__(self, deals: Deals, strategy: _Vector, drawn: _core.DrawnPublic) -> None:
        self.tree, self.strategy, self.drawn = deals.tree, strategy, drawn
        self.bases = deals.tree.table_bases(deals.num_buckets)
        self.sums: dict[tuple[str, int, int, int], list[float]] = {}

    def walk(self, node: int, reach: list[_Vector]) -> list[_Vector]:
        """What each hand of both seats is worth, times the other's reach."""
        tree = self.tree
        if tree.kind[node] != DECISION:
            return [self.paid(node, seat, reach[1 - seat]) for seat in range(2)]
        mover, values = int(tree.player[node]), [np.zeros_like(each) for each in reach]
        for number, child in enumerate(tree.children(node)):
            chances = self.chances(node, number)
            below = list(reach)
            below[mover] = reach[mover] * chances
            found = self.walk(child, below)
            for seat in range(2):
                self.keep(("entered", child, seat), node, reach[seat], below[1 - seat], found[seat])
            values[mover] += chances * found[mover]
            values[1 - mover] += found[1 - mover]
        for seat in range(2):
            self.keep(("begun", node, seat), node, reach[seat], reach[1 - seat], values[seat])
        return values

    def chances(self, node: int, action: int) -> _Vector:
        """How often each hand takes an action."""
        tree, group = self.tree, int(self.tree.group[node])
        rows = np.array(self.drawn.buckets(group)) * int(tree.group_entries[group])
        chances: _Vector = self.strategy[self.bases[group] + rows + int(tree.offset[node]) + action]
        return chances

    def paid(self, node: int, seat: int, other: _Vector) -> _Vector:
        """What an end pays; the deal's own sums over hands are tested elsewhere."""
        tree, out = self.tree, np.empty(len(other), np.float32)
        row = int(tree.payoff_index[node]) // 2
        reach = other.astype(np.float32)
        if tree.kind[node] == FOLD:
            self.drawn.compatible_into(seat, reach, float(tree.payoffs[row, seat]), out)
            return out.astype(float)
        first, tie, second = tree.payoffs[row : row + 3, seat].tolist()
        win, lose = (first, second) if seat == 0 else (second, first)
        self.drawn.showdown_into(seat, reach, win, tie, lose, out)
        return out.astype(float)

    def keep(
        self, key: tuple[str, int, int], node: int, own: _Vector, other: _Vector, worth: _Vector
    ) -> None:
        """Add up by bucket."""
        seat, street = key[2], self.tree.street[node]
        groups = zip(self.tree.group_street, self.tree.group_player, strict=True)
        group = list(groups).index((street, seat))
        weight = np.empty(len(own), np.float32)
        self.drawn.compatible_into(seat, other.astype(np.float32), 1.0, weight)
        share = np.maximum(own, _LEAST_REACH)
        for bucket, *parts in zip(
            self.drawn.buckets(group), share * worth, share * weight, strict=True
        ):
            sums = self.sums.setdefault((*key, bucket), [0.0, 0.0])
            sums[0] += parts[0]
            sums[1] += parts[1]


@pytest.fixture(scope="module")
def deals() -> Deals:
    return enumerate_public(Tree(catalogue("leduc"), "min"))


def _strategy(deals: Deals) -> _Vector:
    raw = np.random.default_rng(1).random(deals.tree.table_bases(deals.num_buckets)[-1]) ** 3
    strategy = np.empty(len(raw), np.float32)
    _core.normalise_into(deals.compiled, raw, strategy)
    return strategy


def _run(deals: Deals, strategy: _Vector, boards: int) -> Iterator[tuple[Any, ...]]:
    """Every cell of the kernel's tables, both kinds kept everywhere."""
    most, nodes = max(deals.num_buckets), deals.tree.num_nodes
    places = (np.arange(4 * nodes) * most).reshape(2, nodes, 2)
    worth, weight = np.zeros((2, 4 * nodes * most))
    assert deals.public is not None
    walker = _core.PublicValues(deals.public)
    walker.run(3, 0, boards, 1, strategy, places[0], places[1], worth, weight)
    for number, kind in enumerate(("entered", "begun")):
        for node, seat in np.ndindex(nodes, 2):
            for bucket in range(most):
                cell = places[number, node, seat] + bucket
                yield (kind, node, seat, bucket), worth[cell], weight[cell]


def test_kernel_and_twin_agree(deals: Deals) -> None:
    strategy, boards = _strategy(deals), 3
    sums: dict[tuple[str, int, int, int], _Vector] = {}
    for board in range(boards):
        assert deals.public is not None
        drawn = deals.public.draw(3, board)
        twin = Twin(deals, strategy, drawn)
        twin.walk(0, [np.ones(len(drawn.hands)) for _ in range(2)])
        for key, parts in twin.sums.items():
            sums[key] = sums.get(key, np.zeros(2)) + parts
    compared = 0
    for key, *parts in _run(deals, strategy, boards):
        if key[0] == "begun" and deals.tree.kind[key[1]] != DECISION:
            continue
        assert parts == pytest.approx(sums.get(key, np.zeros(2)), abs=1e-5)
        compared += key in sums
    assert compared > 1000


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
