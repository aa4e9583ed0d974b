"""What best responses to a strategy are worth, against sums hand by hand."""

import numpy as np
import pytest
from numpy.typing import NDArray

from blueprint.strategies import random_blueprint
from riverboat.blueprint import Blueprint, StrategyValues, hand_buckets
from riverboat.cards import HOLES, HandStrength, evaluate, hands_met, parse_cards, parse_hole
from riverboat.errors import BlueprintError
from riverboat.game import Rake, catalogue
from riverboat.tree import FOLD, SHOWDOWN

RIVER = tuple(parse_cards("Qh7c2d9s3h"))
TURN = RIVER[:4]

Floats = NDArray[np.float64]


@pytest.fixture(scope="module")
def blueprint(tables: HandStrength, tmp_path_factory: pytest.TempPathFactory) -> Blueprint:
    """Random rows, some untrained; with rake, so that ties count."""
    game = catalogue("nolimit-100bb").replace(rake=Rake(5.0, 30))
    path = tmp_path_factory.mktemp("best") / "random.blueprint"
    return random_blueprint(path, tables, game, "100% ; cap 1")


@pytest.fixture(scope="module")
def values(blueprint: Blueprint) -> StrategyValues:
    return blueprint.query().all_values


class OneHand:
    """The best response of one hand, by sums over the other's hands; chips won times reach."""

    def __init__(self, blueprint: Blueprint, tables: HandStrength, player: int, hole: int) -> None:
        self.blueprint, self.tables = blueprint, tables
        self.values = blueprint.query().all_values
        self.player, self.hole = player, hole

    def won(self, node: int, reach: Floats, board: tuple[int, ...]) -> float:
        """What the hand wins where the other comes with a reach, `[1326]`."""
        tree = self.blueprint.tree
        if tree.kind[node] == FOLD or (tree.kind[node] == SHOWDOWN and len(board) == 5):
            return self.settled(node, reach, board)
        if len(board) < tree.spec.board_sizes[int(tree.street[node])]:
            return self.over_rivers(node, reach, board)
        if tree.player[node] == self.player:
            return max(self.won(child, reach, board) for child in tree.children(node))
        rows = self.rows(node, board)
        pairs = zip(tree.children(node), rows, strict=True)
        return sum(self.won(child, reach * row, board) for child, row in pairs)

    def rows(self, node: int, board: tuple[int, ...]) -> Floats:
        """[actions, 1326] what the other does."""
        tree, cards = self.blueprint.tree, self.blueprint.cards
        assert cards is not None
        buckets = hand_buckets(cards, board, lambda: self.tables)
        rows, trained = self.blueprint.node_rows(node)
        count = int(tree.num_actions[node])
        even = np.where(trained, rows.T, 1 / count)
        found: Floats = even[:, buckets].astype(np.float64)
        return found

    def settled(self, node: int, reach: Floats, board: tuple[int, ...]) -> float:
        """What it wins at an end."""
        tree, own, total = self.blueprint.tree, HOLES[self.hole].tolist(), 0.0
        for other in np.flatnonzero(reach).tolist():
            hole = HOLES[other].tolist()
            if {*hole} & {*own, *board}:
                continue
            holes = [own, hole] if self.player == 0 else [hole, own]
            strengths = [evaluate([*each, *board]) for each in holes]
            total += reach[other] * float(tree.settle(node, strengths)[self.player])
        return total

    def over_rivers(self, node: int, reach: Floats, board: tuple[int, ...]) -> float:
        """The mean over the 44 cards that neither holds; rivers as the walk has them."""
        total, own = 0.0, {*HOLES[self.hole].tolist()}
        for card in {*range(52)} - {*board} - own:
            both = np.stack([reach, reach])
            found = self.values.best(self.player, node, (*board, card), reach=both)
            chips = found.values[self.hole] - self.blueprint.tree.contributions[node, self.player]
            total += float(chips * found.met[self.hole])
        return total / 44


@pytest.mark.parametrize(
    ("line", "text", "board"),
    [
        ("b30c/kk/kb60c/", "AhKd", RIVER),
        ("b30c/kk/kk/b60", "9h9d", RIVER),
        ("b30c/kk/", "8h6h", TURN),
        ("b30c/kk/k", "AhQd", TURN),
    ],
)
@pytest.mark.parametrize("player", [0, 1])
def test_the_best_response_hand_by_hand(  # noqa: PLR0917 - what, and where
    blueprint: Blueprint,
    values: StrategyValues,
    tables: HandStrength,
    line: str,
    text: str,
    board: tuple[int, ...],
    player: int,
) -> None:
    node, hole = blueprint.tree.node(line), parse_hole(text)
    found = values.best(player, node, board)
    reach = values.reach(node, board)[1 - player]
    one, met = OneHand(blueprint, tables, player, hole), hands_met(reach)[hole]
    chips = int(blueprint.tree.contributions[node, player])
    expected = one.won(node, reach, board) / met + chips
    assert found.values[hole] == pytest.approx(expected, abs=1e-9)
    if player == blueprint.tree.player[node]:
        actions = values.best_actions(node, board)
        each = [one.won(child, reach, board) / met for child in blueprint.tree.children(node)]
        assert actions[hole] == pytest.approx(np.array(each) + chips, abs=1e-9)
        np.testing.assert_array_equal(actions.max(axis=1), found.values)
    assert found.met[hole] == pytest.approx(met)
    strategy = values.hands(player, node, board).values
    assert (found.values >= strategy - 1e-9)[~np.isnan(strategy)].all()
    assert np.array_equal(np.isnan(found.values), np.isnan(strategy))


def test_it_is_exact_or_not_at_all(blueprint: Blueprint, values: StrategyValues) -> None:
    with pytest.raises(BlueprintError, match="at most one card to come, unlike after 'b30c'"):
        values.best(0, blueprint.tree.node("b30c/"), TURN[:3])
