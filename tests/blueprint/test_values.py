"""Values of a strategy: exact and drawn, against sums over hands and deals one by one."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from blueprint.strategies import leduc_solver, random_blueprint, save
from riverboat.blueprint import (
    Blueprint,
    HoldemBuckets,
    StrategyValues,
    hand_buckets,
    line_reach,
)
from riverboat.blueprint._deal_values import DealValues, RowTables
from riverboat.blueprint._hand_walk import DrawnLines, HandWalk
from riverboat.blueprint._value_plan import one_board
from riverboat.cards import (
    HOLES,
    HandStrength,
    equity_against_each,
    evaluate,
    hands_met,
    hole_index,
    parse_cards,
    parse_hole,
)
from riverboat.decision import Decision
from riverboat.errors import BlueprintError
from riverboat.evaluate import exploitability
from riverboat.game import Hand, Rake, catalogue
from riverboat.solve import Scheme, Solver, enumerate_deals
from riverboat.tree import FOLD, SHOWDOWN, Tree

RIVER = "Qh7c2d9s3h"
TURN = RIVER[:8]
FLOP = RIVER[:6]


@pytest.fixture(scope="module")
def blueprint(tables: HandStrength, tmp_path_factory: pytest.TempPathFactory) -> Blueprint:
    """One size of bet; with rake, so that ties count."""
    game = catalogue("nolimit-100bb").replace(rake=Rake(5.0, 30))
    path = tmp_path_factory.mktemp("values") / "random.blueprint"
    return random_blueprint(path, tables, game, "100% ; cap 1")


@pytest.fixture(scope="module")
def values(blueprint: Blueprint) -> StrategyValues:
    return blueprint.query().all_values


def test_hands_met_one_by_one() -> None:
    reach = np.random.default_rng(1).random((2, 1326))
    met = hands_met(reach)
    for text in ("AhKd", "8s6s", "7d7h"):
        hole = parse_hole(text)
        apart = ~(HOLES[:, :, None] == HOLES[hole][None, None]).any(axis=(1, 2))
        np.testing.assert_allclose(met[:, hole], reach[:, apart].sum(axis=1))


def one_by_one(
    blueprint: Blueprint, tables: HandStrength, node: int, text: str
) -> tuple[list[float], np.ndarray]:
    """What actions on the river are worth to a hand, as a sum over the other's hands; the reach."""
    tree, cards, board = blueprint.tree, blueprint.cards, parse_cards(RIVER)
    assert cards is not None
    player = int(tree.player[node])
    own = HOLES[parse_hole(text)].tolist()
    both = line_reach(blueprint, node, RIVER, lambda: tables)
    reach, buckets = both[1 - player], hand_buckets(cards, tuple(board), lambda: tables)

    def row(decision: int, hole: tuple[int, ...]) -> list[float]:
        found = blueprint.row(decision, int(buckets[hole_index(*hole)]))
        count = int(tree.num_actions[decision])
        return [1 / count] * count if found is None else found.tolist()

    strength = cache(lambda hole: evaluate([*hole, *board]))

    def won(at: int, holes: list[tuple[int, ...]]) -> float:
        if tree.kind[at] in (FOLD, SHOWDOWN):
            return float(tree.settle(at, list(map(strength, holes)))[player])
        chances = row(at, holes[int(tree.player[at])])
        pairs = zip(tree.children(at), chances, strict=True)
        return sum(chance * won(child, holes) for child, chance in pairs)

    totals, met = np.zeros(int(tree.num_actions[node])), 0.0
    for other in np.flatnonzero(reach).tolist():
        hole = tuple(HOLES[other].tolist())
        if set(hole) & {*own, *board}:
            continue
        holes = [tuple(own), hole] if player == 0 else [hole, tuple(own)]
        totals += [reach[other] * won(child, holes) for child in tree.children(node)]
        met += reach[other]
    return (totals / met + int(tree.contributions[node, player])).tolist(), both


@pytest.mark.parametrize(("line", "text"), [("b30c/kk/kb60c/", "AhKd"), ("b30c/kk/kk/b60", "9h9d")])
def test_river_values_over_all_hands(
    blueprint: Blueprint, values: StrategyValues, tables: HandStrength, line: str, text: str
) -> None:
    node = blueprint.tree.node(line)
    found = values.actions(node, RIVER)
    own = parse_hole(text)
    expected, reach = one_by_one(blueprint, tables, node, text)
    np.testing.assert_allclose(found.action_values[own], expected, atol=1e-9)
    np.testing.assert_allclose(found.reach, reach)
    played = line_reach(blueprint, node, RIVER, lambda: tables, threshold=0.3)
    as_played = blueprint.query(threshold=0.3).all_values
    np.testing.assert_allclose(as_played.reach(node, RIVER), played)
    assert found.found == "exact"
    assert not np.nan_to_num(found.action_errors).any()
    if found.actions[0] == "f":
        assert found.action_values[own, 0] == 0
    assert np.isnan(found.own_values[parse_hole("QhQs")])


@pytest.mark.parametrize(("line", "board"), [("b30c/kk/", TURN), ("b30c/kb60c/kk/", RIVER)])
def test_values_of_the_parts_make_the_whole(
    blueprint: Blueprint, values: StrategyValues, line: str, board: str
) -> None:
    """Actions by frequency are the strategy; both players together get the pot less rake."""
    tree = blueprint.tree
    node = tree.node(line)
    found = values.actions(node, board)
    mixed = (found.strategy * found.action_values).sum(axis=1)
    np.testing.assert_allclose(found.own_values, mixed)
    hands = [values.hands(player, node, board) for player in (0, 1)]
    np.testing.assert_allclose(hands[found.player].values, found.own_values)
    won = [found.reach[p] @ hands[p].counterfactual for p in (0, 1)]
    pairs = found.reach[0] @ hands[0].met
    assert pairs == pytest.approx(found.reach[1] @ hands[1].met)
    assert won[found.player] / pairs == pytest.approx(found.value(found.player))
    pot = int(tree.contributions[node].sum())
    assert pot - tree.spec.rake.cap < sum(won) / pairs < pot


def test_after_a_fold_the_pot_is_there_for_one(
    blueprint: Blueprint, values: StrategyValues
) -> None:
    node = blueprint.tree.node("b30c/kk/kk/b60f")
    folded, other = (values.hands(player, node, RIVER).values for player in (0, 1))
    assert np.nanmax(np.abs(folded)) == pytest.approx(0, abs=1e-9)
    rake = 0.05 * 60
    assert np.nanmin(other) == pytest.approx(120 - rake)  # with the bet that nobody called
    assert np.nanmax(other) == pytest.approx(120 - rake)


def test_a_turn_is_the_mean_of_its_rivers(blueprint: Blueprint, values: StrategyValues) -> None:
    """Checked down to the river: the turn's value of a check is the mean over rivers."""
    tree = blueprint.tree
    before, after = tree.node("b30c/kk/k"), tree.node("b30c/kk/kk/")
    hole = parse_hole("AhKd")
    found = values.actions(before, TURN)
    player, total, pairs = found.player, 0.0, 0.0
    reach = np.array(found.reach)
    for card in range(52):
        river = [*parse_cards(TURN), card]
        if card in parse_cards(TURN) or card in HOLES[hole]:
            continue
        on_river = values.hands(player, after, river, reach=reach)
        total += on_river.counterfactual[hole] / 44
        pairs += on_river.met[hole] / 44
    assert pairs == pytest.approx(hands_met(reach[1 - player])[hole])
    assert found.action_values[hole, 0] == pytest.approx(total / pairs)


def test_lines_that_are_left_to_chance_keep_means(
    blueprint: Blueprint, values: StrategyValues
) -> None:
    tree = blueprint.tree
    assert blueprint.cards is not None
    node, board = tree.node("b30c/kk/kk/"), tuple(parse_cards(RIVER))
    boards = [one_board(board, HoldemBuckets(blueprint.cards, tree.spec).find_all)]
    reach = values.reach(node, RIVER)[0]
    parts = tree, RowTables(blueprint), 1
    walk = HandWalk(*parts)
    walk.deal(3, boards)
    exact = walk.values(node, reach)[0]
    drawn = HandWalk(*parts, drawn=DrawnLines(1, 0.5, lambda: np.zeros((1326, 1326))))
    drawn.deal(3, boards)
    found = [drawn.values(node, reach)[0] for _ in range(400)]
    errors = np.std(found, axis=0) / 20
    assert errors.max() > 0
    off = (np.mean(found, axis=0) - exact)[errors > 0] / errors[errors > 0]
    assert np.abs(off).max() < 5


def spread(drawn: Decision, exact: Decision) -> np.ndarray:
    """How many standard errors drawn values are off, of hands that are here."""
    known = ~np.isnan(exact.own_values)
    return (drawn.own_values - exact.own_values)[known] / drawn.errors[known]


@pytest.mark.slow
def test_drawn_values_agree_with_all_run_outs(blueprint: Blueprint, values: StrategyValues) -> None:
    node = blueprint.tree.node("b30c/kb60")
    exact = values.actions(node, FLOP, samples=0)
    drawn = values.actions(node, FLOP, samples=96)
    assert (exact.samples, drawn.samples) == (0, 96)
    assert exact.found == "exact"
    assert not np.nan_to_num(exact.errors).any()
    off = spread(drawn, exact)
    assert np.abs(off).max() < 6
    assert 0.5 < np.sqrt((off**2).mean()) < 2  # boards are the same for all hands


def test_before_the_flop_classes_are_taken_together(
    blueprint: Blueprint, values: StrategyValues
) -> None:
    found = values.actions(blueprint.tree.node("b30"), samples=8)
    assert found.action_values[parse_hole("AhKh")] == pytest.approx(
        found.action_values[parse_hole("AsKs")]
    )
    assert (found.action_values[:, 0] == 0).all()
    assert (found.action_errors[:, 1] > 0).all()
    again = values.actions(blueprint.tree.node("b30"), samples=8)
    np.testing.assert_array_equal(found.action_values, again.action_values)
    aces, trash = (found.action_values[parse_hole(text), 1] for text in ("AhAs", "7h2s"))
    assert aces > trash + 3 * found.action_errors[parse_hole("AhAs"), 1]


def test_an_all_in_needs_no_boards(tables: HandStrength, tmp_path: Path) -> None:
    """Whoever faces one before the flop knows its worth from equities, whatever is drawn."""
    blueprint = random_blueprint(tmp_path / "a", tables, catalogue("nolimit-100bb"), "a ; cap 1")
    values = blueprint.query().all_values
    found = values.actions(values.tree.node("b1000"), samples=2)
    for text in ("AhKh", "7s2d"):
        own = parse_hole(text)
        reach = found.reach[0] * (equity_against_each(text) > 0)
        share = float(equity_against_each(text) @ reach) / reach.sum()
        assert found.action_values[own, 1] == pytest.approx(2000 * share - 990)
        assert found.action_errors[own, 1] == pytest.approx(0, abs=1e-3)


def test_values_of_a_view(blueprint: Blueprint, values: StrategyValues) -> None:
    """The same numbers as for all hands; in the chips of the table."""
    query = blueprint.query()
    line = "b30c/kk/kb60c/"
    hand = Hand.from_line(blueprint.tree.spec, line, hole=["5c5d", "AhKd"], board=RIVER)
    found = query.values(hand.view(1))
    all_hands = values.actions(blueprint.tree.node(line), RIVER)
    own = parse_hole("AhKd")
    assert [each.action for each in found.actions] == list(all_hands.actions)
    assert [each.value for each in found.actions] == pytest.approx(all_hands.action_values[own])
    assert found.value == pytest.approx(all_hands.own_values[own])
    assert (found.found, found.error, found.exact) == ("exact", 0, True)
    assert list(found.frame_columns()) == ["action", "probability", "ev", "error"]
    double = blueprint.tree.spec.replace(stacks=(2000, 2000), blinds=(10, 20), min_bet=0)
    bigger = Hand.from_line(double, "b60c/kk/kb120c/", hole=["5c5d", "AhKd"], board=RIVER)
    other = query.values(bigger.view(1))
    assert other.value == pytest.approx(2 * found.value)


def test_bets_that_are_one_at_the_table_are_rare_together(
    tables: HandStrength, tmp_path: Path
) -> None:
    """At a table of limit all bets of the menu are the same: probabilities are those of a bot."""
    menu = "50%, 100%, 200% ; cap 1"
    made_here = random_blueprint(
        tmp_path / "sizes.blueprint", tables, catalogue("nolimit-100bb"), menu
    )
    query, mixed = made_here.query(threshold=0.4), 0
    for seed in range(12):
        view = Hand.from_line(catalogue("limit"), "ck/kk/kk", seed=seed).view(1)
        asked = query.strategy(view)
        if asked.status == "trained":
            told = {each.action: each.probability for each in query.values(view).actions}
            assert told == dict(asked.actions)
            mixed += 0 < told["k"] < 1
    assert mixed > 0


def test_kuhn_by_hand(tmp_path: Path) -> None:
    """Uniform play of Kuhn: who faces a bet meets either other card."""
    solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), Scheme("full"))
    solver.run_all(iterations=1)
    path = save(solver, tmp_path / "kuhn")
    blueprint = Blueprint.open(path)
    # Three chips lie there, a call puts in one and wins against J, or with K.
    for card, worth in (("Js", -1), ("Qs", 1), ("Ks", 3)):
        faced = Hand.from_line(blueprint.tree.spec, "b1", hole=["??", card])
        found = blueprint.query().values(faced.view(1))
        assert [each.value for each in found.actions] == [0, worth]
    hand = Hand(blueprint.tree.spec, hole=["Ks", "??"])
    first = blueprint.query().values(hand.view(0))
    # A check is checked or bet into; the bet is folded to or called: each every other time.
    # Checking K: 0.5 * 2 + 0.5 * (0.5 * 0 + 0.5 * 3); betting: 0.5 * 2 + 0.5 * 3.
    assert [each.value for each in first.actions] == pytest.approx([1.75, 2.5])
    assert first.value == pytest.approx(0.5 * 1.75 + 0.5 * 2.5)


def test_leduc_is_worth_what_exact_values_say(tmp_path: Path) -> None:
    solver = leduc_solver(20)
    blueprint = Blueprint.open(save(solver, tmp_path / "leduc"))
    exact = exploitability(solver.deals, blueprint.dense(np.float64))
    small = blueprint.query().bucket_values
    # Each rank is dealt alike; one chip of ante lies there.
    assert small.actions(0).values.mean() - 1 == pytest.approx(exact.values[0], abs=1e-6)
    later = small.actions(blueprint.tree.node("kb2c/kb4"))
    assert later.action_values[:, 0] == pytest.approx(0, abs=1e-9)


def test_where_values_are_not_had(
    blueprint: Blueprint, values: StrategyValues, tmp_path: Path
) -> None:
    tree = blueprint.tree
    with pytest.raises(BlueprintError, match="must have 5 different cards, not Qh7c2d9s"):
        values.actions(tree.node("b30c/kk/kk/"), TURN)
    with pytest.raises(BlueprintError, match="there is no decision after 'f'"):
        values.actions(tree.node("f"))
    with pytest.raises(BlueprintError, match="0 or a whole number from 2 on, not 1"):
        values.actions(0, samples=1)
    with pytest.raises(BlueprintError, match="runouts before the flop"):
        values.actions(0, samples=0)
    with pytest.raises(BlueprintError, match=r"\[2, 1326\] finite numbers"):
        values.actions(0, reach=np.ones(1326))
    with pytest.raises(BlueprintError, match="enumerated"):
        _ = blueprint.query().bucket_values
    leduc = Blueprint.open(save(leduc_solver(1), tmp_path / "leduc")).query()
    with pytest.raises(BlueprintError, match="hold'em with card buckets"):
        _ = leduc.all_values
    three = Tree(catalogue("kuhn3"), "min")
    with pytest.raises(BlueprintError, match="of two players: 'kuhn3' has 3"):
        DealValues(three, lambda _: np.ones((2, 2), np.float32))
    swaps = Tree(catalogue("discard-2017"), "min ; cap 1")
    with pytest.raises(BlueprintError, match="without discards: 'discard-2017' has them"):
        StrategyValues(swaps, lambda _: np.ones((2, 2), np.float32), leduc.buckets)
