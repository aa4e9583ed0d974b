"""The kernels against the plain twins, number for number, on random small games."""

from __future__ import annotations

import random

import numpy as np
import pytest

from riverboat import _core
from riverboat.errors import RiverboatError, SolveError
from riverboat.evaluate import exploitability
from riverboat.game import GameSpec, Street, catalogue
from riverboat.plain import (
    Deal,
    Game,
    Random,
    best_response,
    plain_deals,
    profile_value,
)
from riverboat.plain._game import keyed_deals
from riverboat.solve import (
    Explore,
    Forks,
    Prune,
    Scheme,
    Solver,
    count_forks,
    enumerate_deals,
)
from riverboat.tree import Tree
from sizes import few_or_many
from solve.games import classic, random_game, random_strategy, random_tree
from twins.external import collecting_interval
from twins.training import train

FLOOR = ((40, 0.1), (70, 0.03))
# Every sampling with every rule that it allows, and every option at least once.
SAMPLED = {
    "external": Scheme("external"),
    "external linear": Scheme("external", "linear", "linear", step=10, delay=2),
    "external explore": Scheme("external", "linear", step=25, explore=Explore(0.5, 0.1)),
    "external prune": Scheme("external", "linear", step=25, prune=Prune(-4.0, 0.8, after=20)),
    "external floor": Scheme("external", floor=FLOOR),
    "external seldom averaged": Scheme("external", average_every=3),
    "external forks": Scheme("external", forks=Forks(more_than=1, last_street=0)),
    "external forks floor": Scheme(
        "external", "linear", step=20, floor=FLOOR, floor_in_average=False, forks=Forks(2, 5)
    ),
    "external always averaged": Scheme("external", average_every=1),
    "external plus": Scheme("external", "cfr+", "linear", step=7, experimental=True),
    "external dcfr": Scheme("external", "dcfr", "quadratic", step=5, experimental=True),
    "outcome": Scheme("outcome"),
    "outcome linear": Scheme("outcome", "linear", "quadratic", step=10, epsilon=0.3),
    "outcome floor": Scheme("outcome", floor=FLOOR),
    "chance": Scheme("chance"),
    "chance linear": Scheme("chance", "linear", "linear", step=3, delay=4),
    "chance dcfr gamma": Scheme("chance", "dcfr", step=2, gamma=0.5),
    "chance dcfr": Scheme("chance", "dcfr", "quadratic", step=1, alpha=2.0, beta=-0.5),
    "chance floor": Scheme("chance", floor=FLOOR),
    "average-strategy": Scheme("average-strategy"),
    # Settings under which small games leave actions out.
    "average-strategy sparse": Scheme("average-strategy", tau=3.0, beta_offset=1.0, epsilon=0.2),
    "average-strategy linear": Scheme(
        "average-strategy", "linear", "linear", step=10, tau=2.0, beta_offset=0.5
    ),
    "average-strategy floor": Scheme("average-strategy", floor=FLOOR, tau=2.0, beta_offset=1.0),
    "pure": Scheme("pure"),
    "pure seldom averaged": Scheme("pure", average_every=3),
}
for name in ("external", "outcome", "chance", "average-strategy"):
    SAMPLED[f"{name} floor not averaged"] = Scheme(name, floor=FLOOR, floor_in_average=False)
FULL = {
    "cfr": Scheme("full"),
    "cfr linear average": Scheme("full", averaging="linear", delay=5),
    "cfr+": Scheme("full", "cfr+", "linear", delay=3),
    "linear": Scheme("full", "linear", "linear"),
    "dcfr": Scheme("full", "dcfr", "quadratic"),
    "dcfr gamma": Scheme("full", "dcfr", gamma=3.5, delay=2),
    "dcfr exponents": Scheme("full", "dcfr", "linear", alpha=3.0, beta=-1.0),
    "predictive+": Scheme("full", "predictive+", "quadratic"),
}


def test_random_streams() -> None:
    """One deal takes one number of its stream: both sides find the same deal."""
    game, deals = random_game(1)
    for stream in range(200):
        plain = game.draw(Random(2**63 + 5, stream))
        buckets, strengths = deals.compiled.draw(2**63 + 5, stream)
        assert tuple(buckets) == plain.buckets
        assert tuple(line[0] for line in strengths) == plain.strengths


@pytest.mark.parametrize("name", [n for n, s in SAMPLED.items() if s.average_every is None])
def test_sampled_schemes(name: str) -> None:
    for seed in (1, 2):
        game, deals = random_game(100 * seed + len(name))
        solver = Solver(deals, SAMPLED[name], seed=seed)
        solver.run_all(iterations=100)
        regrets, average = train(game, SAMPLED[name], seed, 100)
        # Bit for bit: see twins.walk.
        assert solver.regrets.tolist() == regrets.tolist()
        assert solver.average.tolist() == average.tolist()
        assert np.count_nonzero(average) > 0


@pytest.mark.parametrize("name", ["external", "outcome", "chance", "pure"])
def test_infosets_that_forget(name: str) -> None:
    """Decisions that share entries fill them in the order of the walk."""
    tree = Tree(catalogue("leduc"), "min ; recall raises")
    deals, game = enumerate_deals(tree), Game(tree, plain_deals(tree))
    assert deals.num_entries < classic("leduc").num_entries
    solver = Solver(deals, SAMPLED[name], seed=4)
    solver.run_all(iterations=100)
    regrets, average = train(game, SAMPLED[name], 4, 100)
    assert solver.regrets.tolist() == regrets.tolist()
    assert solver.average.tolist() == average.tolist()
    assert solver.report().infosets == sum(tree.num_infosets((3, 9)))
    with pytest.raises(RiverboatError, match="scheme that samples deals"):
        Solver(deals, Scheme("full")).run_all(iterations=1)
    with pytest.raises(RiverboatError, match="scheme that samples deals"):
        exploitability(deals, solver.strategy())


@pytest.mark.threads
@pytest.mark.parametrize("more_than", [1, 2])
@pytest.mark.parametrize("iterations", few_or_many(60, 1000))
def test_threads_by_subtree_change_nothing(more_than: int, iterations: int) -> None:
    """With perfect recall a traversal meets an infoset once, so the order does not matter."""
    deals, scheme = classic("leduc"), Scheme("external", forks=Forks(more_than, last_street=1))
    alone, shared = (Solver(deals, scheme, seed=1, threads=threads) for threads in (1, 8))
    for solver in (alone, shared):
        solver.run_all(iterations=iterations)
    assert alone.regrets.any()
    assert alone.regrets.tolist() == shared.regrets.tolist()
    assert alone.average.tolist() == shared.average.tolist()
    assert alone.nodes == shared.nodes


@pytest.mark.threads
@pytest.mark.parametrize("iterations", few_or_many(60, 1000))
def test_threads_by_subtree_lose_no_update(iterations: int) -> None:
    """Where decisions share infosets: each visit of the other adds a strategy of sum one."""
    tree = Tree(catalogue("leduc"), "min ; recall raises")
    deals, scheme = enumerate_deals(tree), Scheme("external", forks=Forks(1, 1))
    solver = Solver(deals, scheme, seed=1, threads=8)
    solver.run_all(iterations=iterations)
    visits = solver.average.sum()
    assert visits == pytest.approx(round(visits))
    assert 2 * iterations <= visits < solver.nodes


def test_critical_path() -> None:
    """Threads are counted, and the critical path is shorter than all decisions."""
    deals, scheme = classic("leduc"), Scheme("external", forks=Forks(1, 0))
    alone, shared = (count_forks(deals, scheme, 50, threads, seed=1) for threads in (1, 8))
    assert (alone.threads, alone.nodes, alone.span) == (0, shared.nodes, shared.span)
    assert 50 < shared.threads < shared.nodes
    assert 100 <= alone.span < alone.nodes


def test_forks_are_refused_where_they_cannot_work() -> None:
    with pytest.raises(SolveError, match="two players, not 3"):
        Solver(classic("kuhn3"), Scheme("external", forks=Forks()))
    with pytest.raises(SolveError, match="forks exclude prune"):
        Scheme("external", forks=Forks(), prune=Prune(-4.0))
    with pytest.raises(SolveError, match=r"forks=.* is for external sampling"):
        Scheme("chance", forks=Forks())


THREE_PLAYERS = [
    "external",
    "external linear",
    "external seldom averaged",
    "external always averaged",
    "outcome",
    "outcome floor",
    "pure",
    "pure seldom averaged",
]


@pytest.mark.parametrize("name", THREE_PLAYERS)
def test_three_players(name: str) -> None:
    game, deals = random_game(7, players=3)
    assert _core.collecting_interval(deals.tree.compiled) == collecting_interval(game)
    solver = Solver(deals, SAMPLED[name], seed=3)
    solver.run_all(iterations=60)
    regrets, average = train(game, SAMPLED[name], 3, 60)
    assert solver.regrets.tolist() == regrets.tolist()
    assert solver.average.tolist() == average.tolist()


@pytest.mark.parametrize("seed", range(5))
def test_collecting_interval(seed: int) -> None:
    """Between 1 and 3 in these trees of three or four players; two need no such walk."""
    game, deals = random_game(30 + seed, players=3 + seed % 2, most_nodes=400)
    assert _core.collecting_interval(deals.tree.compiled) == collecting_interval(game)
    assert _core.collecting_interval(classic("leduc").tree.compiled) == 1


def test_seldom_averaging_keeps_the_expectation() -> None:
    """Kuhn3 from regrets that hardly change: one walk in 8 collects an eighth, evenly."""
    deals = classic("kuhn3")
    start = np.random.default_rng(5).integers(1, 9, deals.num_entries) * 1e7
    always, seldom = (
        Solver(deals, Scheme("external", average_every=k), seed=2, starting_regrets=start)
        for k in (1, 8)
    )
    for solver in (always, seldom):
        solver.run_all(iterations=80_000)
    ratio = seldom.average.sum() / always.average.sum()
    # 240,000 traversals, each with chance 1/8; the size of a walk varies less than its mean.
    sigma = (1 / 8 * 7 / 8 / 240_000 * 2) ** 0.5
    assert abs(ratio - 1 / 8) < 4 * sigma
    np.testing.assert_allclose(seldom.strategy(), always.strategy(), atol=1e-4)


def test_full_counts_of_pure_cfr() -> None:
    """An entry that is full halves its row: shares stay, and counting goes on."""
    game, deals = random_game(21, most_nodes=30)
    start = np.full(game.num_entries, 2**32 - 5, np.uint32)
    start[::2] = 1001
    solver = Solver(deals, Scheme("pure"), seed=6)
    state = solver.state()
    state.arrays["average"][:] = start
    solver.restore(state)
    solver.run_all(iterations=200)
    regrets, average = train(game, Scheme("pure"), 6, 200, (np.zeros_like(start), start))
    assert solver.regrets.tolist() == regrets.tolist()
    assert solver.average.tolist() == average.tolist()
    halved = (start > 2**31) & (average < start)
    assert halved.any()
    assert (average[halved] >= 2**31 - 3).all()


@pytest.mark.parametrize("name", ["external", "outcome", "chance", "average-strategy"])
def test_averages_do_not_stop_growing(name: str) -> None:
    """float32 would stay at 2^24: 2^24 + 1 is not one of its numbers."""
    deals = classic("kuhn")
    solver = Solver(deals, Scheme(name), seed=1)  # type: ignore[arg-type]  # a sampling's name
    solver.average[:] = 2.0**24
    solver.run_all(iterations=300)
    assert (solver.average - 2.0**24).sum() > 300


@pytest.mark.parametrize("seeds", few_or_many(1, 4))
@pytest.mark.parametrize("name", FULL)
def test_full_width(name: str, seeds: int) -> None:
    for seed in range(1, 1 + seeds):
        game, deals = random_game(10 * seed + len(name), most_nodes=40)
        solver = Solver(deals, FULL[name])
        solver.run_all(iterations=30)
        regrets, average = train(game, FULL[name], 0, 30)
        # Sums over deals may be taken in another order: float64 rounding, and no more.
        np.testing.assert_allclose(solver.regrets, regrets, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(solver.average, average, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("sampling", ["full", "external", "outcome", "chance", "pure"])
def test_starting_regrets(sampling: str) -> None:
    scheme = Scheme(sampling)  # type: ignore[arg-type]  # a sampling's name
    game, deals = random_game(11, most_nodes=30)
    start = np.random.default_rng(1).integers(-5, 20, game.num_entries)
    solver = Solver(deals, scheme, seed=4, starting_regrets=start.astype(np.float64))
    solver.run_all(iterations=20)
    regrets, average = train(game, scheme, 4, 20, (start, np.zeros_like(start)))
    np.testing.assert_allclose(solver.regrets, regrets, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(solver.average, average, rtol=1e-9, atol=1e-12)


def test_pruning_skips() -> None:
    """The option is at work in the runs above: fewer nodes are entered with it."""
    deals = classic("leduc")
    plain = Solver(deals, Scheme("external"), seed=1).run_all(iterations=2000)
    prune = Prune(-20.0, 0.95, after=100)
    pruned = Solver(deals, Scheme("external", prune=prune), seed=1).run_all(iterations=2000)
    assert pruned.nodes < plain.nodes


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("players", [2, 3])
def test_exact_values(seed: int, players: int) -> None:
    game, deals = random_game(50 + seed, players)
    strategy = random_strategy(seed, game)
    found = exploitability(deals, strategy)
    for player in range(players):
        assert found.values[player] == pytest.approx(
            profile_value(game, strategy, player), abs=1e-12
        )
        best = best_response(game, strategy, player)
        assert found.best_responses[player] == pytest.approx(best, abs=1e-12)
        assert best >= found.values[player] - 1e-12


def check_enumeration(tree: Tree) -> None:
    """Deals by brute force: the same things seen, the same orders. Probabilities: see below."""
    deals = enumerate_deals(tree)
    assert deals.bucket_keys is not None
    plain = keyed_deals(tree)
    assert deals.num_deals == len(plain)
    assert deals.num_buckets == tuple(
        len({keys[group] for keys, _ in plain}) for group in range(len(tree.group_player))
    )
    names = [{key: i for i, key in enumerate(keys)} for keys in deals.bucket_keys]
    orders = {
        (tuple(name[key] for name, key in zip(names, keys, strict=True)), order)
        for keys, order in plain
    }
    counts: dict[object, int] = {}
    for stream in range(400):
        buckets, strengths = deals.compiled.draw(9, stream)
        drawn = (tuple(buckets), tuple(line[0] for line in strengths))
        counts[drawn] = counts.get(drawn, 0) + 1
    assert set(counts) <= orders


@pytest.mark.parametrize("seed", range(4))
def test_enumerated_deals(seed: int) -> None:
    rng = random.Random(seed)
    check_enumeration(random_tree(rng, rng.choice([2, 3])))


def test_enumerated_deals_with_suits() -> None:
    """Two hole cards and a flop of eight cards: flushes count, names of suits do not."""
    spec = GameSpec(
        stacks=(20, 20),
        blinds=(1, 2),
        streets=(Street(hole=2), Street(board=3)),
        ranks="QKA2",
        suits="hs",
    )
    check_enumeration(Tree(spec, "a"))


@pytest.mark.parametrize("name", ["kuhn", "leduc", "kuhn3"])
def test_enumerated_probabilities(name: str) -> None:
    """A strategy's exact value depends on every deal's probability."""
    deals = classic(name)
    tree = deals.tree
    assert deals.bucket_keys is not None
    names = [{key: i for i, key in enumerate(keys)} for keys in deals.bucket_keys]
    plain = [
        Deal(weight, tuple(n[k] for n, k in zip(names, keys, strict=True)), order)
        for (keys, order), weight in keyed_deals(tree).items()
    ]
    game = Game(tree, plain)
    strategy = random_strategy(1, game)
    for player in range(tree.num_players):
        expected = profile_value(game, strategy, player)
        assert exploitability(deals, strategy).values[player] == pytest.approx(expected, abs=1e-12)


def test_settings_of_rules() -> None:
    """DCFR's factors with infinite exponents: regrets stay as they are, or are forgotten."""
    settings = _core.RuleSettings(2, float("inf"), float("-inf"), 0.0, 0.0)
    assert settings.factors(5.0) == (1.0, 0.0)
