"""Sampled solving of flops: the twin, the same bits, an exact solve, settings."""

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from riverboat.cards import HOLES, Range, cards_text, parse_cards, parse_hole
from riverboat.errors import GameError, SpotError
from riverboat.spots import Engine, SampledSettings, SampledSolver, Spot
from riverboat.tree import DECISION
from twins.sampled import SampledTwin, plain_equities

#: Ties, a paired board, lines that are all-in on each street, a raise; rake; uneven ranges.
SPOTS = {
    "two-tone": Spot(
        board="8s2sJd", pot=20, stack=45, oop="QQ, A8s, 76s:0.5", ip="KTs, 98s, J2s:0.25",
        menu="50%, a | a / 90% ; cap 2 / 75% ; cap 1",
    ),
    "paired": Spot(
        board="KsKh4c", pot=30, stack=200, oop="AcAd, KdQd, 5h4h, 7s6s", ip="QQ, 44, A5s:0.3",
        menu="75% ; cap 2 / 75% ; cap 2 / 75% ; cap 1", rake_percent=5, rake_cap=4,
    ),
    "monotone": Spot(
        board="Th7h3h", pot=10, stack=400, oop="AhKd, TT, 98s", ip="KhQd, 77, 65s, AdKc",
        menu="33%, 90% | 3x ; cap 3 / 60% ; cap 1 / 60% ; cap 1",
    ),
    "short": Spot(
        board="8s7sJd", pot=20, stack=30, oop="QQ, A8s", ip="KTs, 98s", deck="short",
        menu="90% ; cap 1",
    ),
    "added": Spot(
        board="9c5d2s", pot=12, stack=90, oop="99, A5s, KQs", ip="TT, 87s, AJs",
        menu="90% ; cap 1",
        added=("kk/b5", "b7c/kb40"), removed=("kb11c/b31",),
    ),
}  # fmt: skip


def pair(name: str, **settings: int) -> tuple[SampledSolver, SampledTwin]:
    """The kernel and its twin, on the same random numbers and bins.

    Random weights and bets other than the pot make sure that no two actions are worth exactly the
    same: regret matching is not continuous there, and the two round differently.
    """
    chosen = SampledSettings(threads=1, **settings)
    chance = np.random.default_rng(6)
    oop, ip = (
        (held.weights * chance.uniform(0.5, 1, len(HOLES))).round(4).tolist()
        for held in SPOTS[name].ranges
    )
    spot = SPOTS[name].changed({"oop": oop, "ip": ip})
    solver = SampledSolver(spot, chosen)
    ranges = spot.ranges[0].weights, spot.ranges[1].weights
    twin = SampledTwin(
        solver.tree, spot.cards, ranges, solver.bins, chosen.seed, chosen.turns, chosen.rivers
    )
    return solver, twin


def flop_decisions(solver: SampledSolver) -> list[int]:
    tree = solver.tree
    nodes: list[int] = np.flatnonzero((tree.kind == DECISION) & (tree.street == 0)).tolist()
    return nodes


@pytest.mark.parametrize("name", SPOTS)
@pytest.mark.parametrize(("turns", "rivers"), [(1, 1), (2, 3), (20, 1)])
def test_kernel_and_twin_agree(name: str, turns: int, rivers: int) -> None:
    solver, twin = pair(name, seed=5, turns=turns, rivers=rivers, turn_bins=4, river_bins=3)
    for iterations in (1, 3):
        solver.run(iterations)
        twin.run(iterations)
        for node in flop_decisions(solver):
            player = int(solver.tree.player[node])
            hands = twin.hands[player]
            regrets, average = twin.regrets[node, ()], twin.averages[node]
            scale = np.abs(regrets).max() + 1e-9
            found = solver.table(node, "regrets")[:, hands].T
            assert np.abs(found - regrets).max() < 2e-5 * scale
            assert np.allclose(solver.table(node, "average")[:, hands].T, average, atol=2e-5)


@pytest.mark.parametrize("name", ["two-tone", "monotone", "short"])
def test_kernel_and_twin_agree_with_locks(name: str) -> None:
    solver, twin = pair(name, seed=5, turns=2, rivers=2, turn_bins=4, river_bins=3)
    chance = np.random.default_rng(9)
    locked = flop_decisions(solver)[:2]  # one of each player
    assert [int(solver.tree.player[node]) for node in locked] == [0, 1]
    for node in locked:
        player, actions = int(solver.tree.player[node]), int(solver.tree.num_actions[node])
        rows = chance.dirichlet(np.ones(actions), len(HOLES)).T.astype(np.float32)
        solver.lock(node, rows)
        twin.locked[node] = rows[:, twin.hands[player]].T.astype(float)
    for iterations in (1, 3):
        solver.run(iterations)
        twin.run(iterations)
        for node in flop_decisions(solver):
            player = int(solver.tree.player[node])
            hands = twin.hands[player]
            scale = np.abs(twin.regrets[node, ()]).max() + 1e-9
            found = solver.table(node, "regrets")[:, hands].T
            assert np.abs(found - twin.regrets[node, ()]).max() < 2e-5 * scale
            found = solver.table(node, "average")[:, hands].T
            assert np.allclose(found, twin.averages[node], atol=2e-5)


def test_a_locked_decision_keeps_its_strategy() -> None:
    """To the bit, in a run and in an evaluation, and the others answer it."""
    free, held = (SampledSolver(SPOTS["paired"], SampledSettings(seed=3)) for _ in range(2))
    rows = np.zeros((int(held.tree.num_actions[0]), len(HOLES)), dtype=np.float32)
    rows[0] = 1  # all hands check
    held.lock(0, rows)
    for solver in (free, held):
        solver.run(300)
    live = ~np.isnan(free.strategy(0)[0])
    assert np.array_equal(held.strategy(0)[:, live], rows[:, live])
    assert np.isnan(held.strategy(0)[:, ~live]).all()
    after = held.tree.node("k")
    assert not np.allclose(np.nan_to_num(free.strategy(after)), np.nan_to_num(held.strategy(after)))
    assert np.isclose(sum(each.mean for each in held.evaluate(900).values), 30, rtol=0.1)
    assert np.array_equal(held.strategy(0)[:, live], rows[:, live])


def test_a_lock_may_treat_suits_differently() -> None:
    """Hands that are equal but for their suits then answer differently."""
    spot = Spot(board="8s2dJs", pot=50, stack=60, oop="AA, KQ", ip="AK", menu="a")
    solver = SampledSolver(spot, SampledSettings(seed=3))
    rows = np.zeros((int(solver.tree.num_actions[0]), len(HOLES)))
    rows[0] = 1
    for hand in ("AcAd", "AcAs"):  # they bet, the rest checks
        rows[:, parse_hole(hand)] = rows[::-1, parse_hole(hand)]
    solver.lock(0, rows)
    solver.run(500)
    node = solver.tree.node("b60")
    average = solver.table(node, "average").astype(float)
    live = ~np.isnan(average[0]) & (average.sum(axis=0) > 0)
    shares = average[:, live] / average[:, live].sum(axis=0)
    assert np.allclose(solver.strategy(node)[:, live], shares, atol=1e-6)


def test_locks_that_cannot_be_are_refused() -> None:
    solver = SampledSolver(SPOTS["paired"], SampledSettings())
    num_actions = int(solver.tree.num_actions[0])
    rows = np.full((num_actions, len(HOLES)), 1 / num_actions)
    with pytest.raises(GameError, match=f"must be .{num_actions}, 1326., not .1326."):
        solver.lock(0, rows[0])
    with pytest.raises(GameError, match="add up to 1"):
        solver.lock(0, 2 * rows)
    with pytest.raises(GameError, match="of every possible hand"):
        solver.lock(0, np.full_like(rows, np.nan))
    with pytest.raises(GameError, match="not a decision on the flop"):
        solver.lock(solver.tree.node("kk/"), np.full((2, len(HOLES)), 0.5))


def test_bins_of_rivers_are_quantiles_by_strength() -> None:
    solver, twin = pair("two-tone", river_bins=3)
    for player in (0, 1):
        cards = (parse_cards("9h")[0], parse_cards("3c")[0])
        bins = solver.bins(player, cards)[twin.hands[player]]
        live, strengths = twin.live(player, cards), twin.strength(player, cards)
        assert (bins[~live] == -1).all()
        # The middle of a group of ties, in weight of hands plus 0.05 each, says its bin.
        mass = (twin.weights[player] + 0.05) * live
        for strength in np.unique(strengths[live]):
            group = live & (strengths == strength)
            middle = (
                mass[live & (strengths < strength)].sum() + mass[group].sum() / 2
            ) / mass.sum()
            assert (bins[group] == int(3 * middle)).all()


def test_bins_of_turns_follow_the_mean_equity() -> None:
    solver, twin = pair("monotone", turn_bins=4)
    for player in (0, 1):
        turn = parse_cards("2h")[0]
        bins = solver.bins(player, (turn,))[twin.hands[player]]
        live, equities = twin.live(player, (turn,)), plain_equities(twin, player, turn)
        assert (bins[~live] == -1).all()
        order = np.argsort(equities[live], kind="stable")
        apart = np.diff(equities[live][order]) > 1e-5  # closer ones may be ties or rounding
        assert (np.diff(bins[live][order])[apart] >= 0).all()
        assert len(set(bins[live])) > 2


# ---- The same bits


def tables(solver: SampledSolver) -> list[NDArray[np.float32]]:
    nodes = flop_decisions(solver)
    return [solver.table(node, "average") for node in nodes] + [
        solver.table(node, "regrets") for node in nodes
    ]


@pytest.mark.threads
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_threads_and_slices_do_not_change_a_bit(turns: int) -> None:
    spot = SPOTS["two-tone"]
    found = []
    for threads, slices in ((1, [20]), (2, [20]), (3, [1, 7, 12])):
        solver = SampledSolver(spot, SampledSettings(threads=threads, turns=turns, rivers=2))
        for iterations in slices:
            solver.run(iterations)
        found.append(tables(solver))
    for other in found[1:]:
        assert all(
            np.array_equal(mine, theirs, equal_nan=True)
            for mine, theirs in zip(found[0], other, strict=True)
        )


def test_a_seed_decides() -> None:
    first, same, other = (
        SampledSolver(SPOTS["paired"], SampledSettings(seed=seed)) for seed in (1, 1, 2)
    )
    for solver in (first, same, other):
        solver.run(10)
    assert np.array_equal(first.strategy(0), same.strategy(0), equal_nan=True)
    assert not np.array_equal(first.strategy(0), other.strategy(0), equal_nan=True)


def test_a_state_continues_to_the_bit() -> None:
    whole, part, rest = (SampledSolver(SPOTS["added"], SampledSettings(turns=3)) for _ in range(3))
    whole.run(40)
    part.run(17)
    rest.run(5)
    rest.load_state(part.state())
    assert rest.iterations == 17
    rest.run(23)
    assert all(
        np.array_equal(mine, theirs, equal_nan=True)
        for mine, theirs in zip(tables(whole), tables(rest), strict=True)
    )


def test_a_wrong_state_is_refused() -> None:
    solver = SampledSolver(SPOTS["added"], SampledSettings())
    with pytest.raises(GameError, match="not the state"):
        solver.load_state(solver.state()[:-1])
    damaged = solver.state()
    damaged[:4] = 255
    with pytest.raises(GameError, match="not the state"):
        solver.load_state(damaged)


# ---- An outside witness


def locked_cost(spot: Spot, exact: Engine, solver: SampledSolver, player: int) -> float:
    """What a player loses by the sampled flop, all else being solved around it; chips."""
    ranges = spot.ranges[0].weights, spot.ranges[1].weights
    engine = Engine(solver.tree, spot.cards, ranges)
    for node in flop_decisions(solver):
        if int(solver.tree.player[node]) == player:
            engine.lock(node, None, solver.strategy(node))
    engine.run(150)
    return exact.value(player) - engine.value(player)


def test_an_exact_solve_around_the_flop_loses_little() -> None:
    spot = Spot(
        board="8s2dJs", pot=50, stack=100, oop="QQ, 99, AJs, As5s", ip="KK, TT, KJs, 88",
        menu="75%, a ; cap 2 / 75% ; cap 1 / 75% ; cap 1",
    )  # fmt: skip
    ranges = spot.ranges[0].weights, spot.ranges[1].weights
    solver = SampledSolver(spot, SampledSettings(seed=5, rivers=2))
    exact = Engine(solver.tree, spot.cards, ranges)
    exact.run(150)
    costs = []
    for iterations in (20, 4000):
        solver.run(iterations)
        costs.append([locked_cost(spot, exact, solver, player) / spot.pot for player in (0, 1)])
    assert max(costs[1]) < 0.01, costs  # of the pot
    assert max(costs[1]) < max(costs[0]) / 3, costs


def test_values_of_the_flop_agree_with_an_exact_solve() -> None:
    spot = Spot(
        board="8s2dJs", pot=50, stack=100, oop="QQ, 99, AJs, As5s", ip="KK, TT, KJs, 88",
        menu="75%, a ; cap 2 / 75% ; cap 1 / 75% ; cap 1",
    )  # fmt: skip
    ranges = spot.ranges[0].weights, spot.ranges[1].weights
    solver = SampledSolver(spot, SampledSettings(seed=5, rivers=2))
    solver.run(3000)
    exact = Engine(solver.tree, spot.cards, ranges)
    exact.run(150)
    worth = solver.evaluate(2000)
    for player in (0, 1):
        assert worth.values[player].mean / spot.pot == pytest.approx(
            exact.value(player) / spot.pot, abs=0.02
        )


# ---- Results and settings


def test_suits_that_can_be_renamed_play_alike() -> None:
    spot = SPOTS["monotone"].changed({"oop": "TT, 98s, AK", "ip": "77, 65s, KQ"})
    solver = SampledSolver(spot, SampledSettings(turns=1))
    solver.run(50)
    assert not np.isnan(solver.strategy(0)[0, solver.strategy(0)[0] >= 0]).any()
    engine = Engine(solver.tree, spot.cards, (spot.ranges[0].weights, spot.ranges[1].weights))
    for node in flop_decisions(solver):
        engine.lock(node, None, solver.strategy(node))  # refuses the least difference


def test_a_decision_has_reach_and_probabilities() -> None:
    solver = SampledSolver(SPOTS["two-tone"], SampledSettings())
    solver.run(30)
    decision = solver.node("kb10")
    alive = decision.alive
    assert np.allclose(decision.strategy[alive].sum(axis=1), 1)
    assert np.isnan(decision.strategy[~alive]).all()
    first = solver.node("")
    checks = np.nan_to_num(first.strategy[:, 0]) * first.reach[0]
    assert np.allclose(decision.reach[0], checks)
    assert decision.board == SPOTS["two-tone"].cards
    assert "60 sampled boards" in decision.note
    assert not np.isin(HOLES[alive], SPOTS["two-tone"].cards).any()


def test_random_spots_run() -> None:
    chance = random.Random(4)
    for _ in range(6):
        deck = list(range(52))
        chance.shuffle(deck)
        weights = [[chance.random() if chance.random() < 0.1 else 0.0 for _ in HOLES] for _ in "ab"]
        board = cards_text(deck[:3])
        spot = Spot(
            board=board, pot=chance.randint(2, 90), stack=chance.randint(5, 900),
            oop=weights[0], ip=weights[1],
            menu="40%, 120% | 2.5x ; cap 2 / 80%, a ; cap 2 / 50% ; cap 1",
        )  # fmt: skip
        solver = SampledSolver(spot, SampledSettings(turns=3, rivers=2))
        solver.run(5)
        for node in flop_decisions(solver):
            rows = solver.strategy(node)
            live = Range.from_weights(weights[int(solver.tree.player[node])]).without(spot.cards)
            assert ((~np.isnan(rows[0])) == (live.weights > 0)).all()


def test_what_is_refused() -> None:
    flop = SPOTS["paired"]
    with pytest.raises(SpotError, match="must have 3 cards, not 4"):
        SampledSolver(flop.changed({"board": "KsKh4c2d"}))
    with pytest.raises(SpotError, match="turns"):
        SampledSettings(turns=0)
    solver = SampledSolver(flop)
    with pytest.raises(GameError, match="whole number from 0 on"):
        solver.run(-1)
    with pytest.raises(SpotError, match="after the flop"):
        solver.node("kk/")
    with pytest.raises(SpotError, match="flop only"):
        solver.strategy(solver.tree.node("kk/"))
