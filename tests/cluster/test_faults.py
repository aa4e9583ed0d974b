"""Workers, nodes and drivers are killed: commands finish, nothing is lost or counted twice."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cli.typed import riverboat
from cluster.chaos import Chaos
from cluster.conftest import ON_RAY, grown
from cluster.copies import without_time
from riverboat.arena import Ledger
from riverboat.solve import Solver
from riverboat.spots import Library, Solution
from riverboat.training import Member, load_recipe, prepare

pytestmark = ON_RAY
SPOT = ("--pot", "20", "--stack", "10", "--oop", "AA, QQ, 55", "--ip", "KK, 99", "--menu", "a")
PAIRS = [("checkcall", "random"), ("checkcall", "fish"), ("random", "fish")]


def tournament(chaos: Chaos, folder: Path, seed: int, size: int, kills: int) -> None:
    """The cross table is that of one machine, and each match is in the ledger once."""
    words = ["tournament", "checkcall", "random", "fish", "--game", "leduc", "--session", "250"]
    words += ["--hands", str(4_000 * size), "--seed", str(seed), "--json"]
    here = json.loads(riverboat(*words, "--no-ledger").stdout)
    before = {each.id for each in Ledger().entries()}
    there = json.loads(chaos.run(words, folder, kills))
    assert without_time(there) == without_time(here)
    entries = [each for each in Ledger().entries() if each.id not in before]
    assert sorted(each.bots for each in entries) == sorted(PAIRS)
    assert all(each.result for each in entries)


def library(chaos: Chaos, folder: Path, seed: int, size: int, kills: int) -> None:
    """Every solution is that of one machine."""
    here, there = folder / "here", folder / "there"
    words = ["solve", "--flops", str(5 * size + seed), *SPOT, "--no-plot"]
    words += ["--iterations", "200", "--target", "0.0001%"]
    riverboat(*words, "--threads", "1", "-o", str(here))
    chaos.run((*words, "-o", str(there)), there / "index.json", kills)
    files = [sorted(Library.files(place)) for place in (here, there)]
    assert len(files[0]) == 5 * size + seed
    for one, other in zip(*files, strict=True):
        first, second = Solution.open(one).facts, Solution.open(other).facts
        assert (first.values, first.iterations) == (second.values, second.iterations)


def deals_of(solver: Solver) -> NDArray[Any]:
    """How often each card was dealt to the first player: the averages of his first decision.

    Deals are drawn by the number of the iteration, so that these are the same wherever it is
    walked: one that is lost or counted twice shows.
    """
    tree = solver.deals.tree
    stride, actions = int(tree.group_entries[tree.group[0]]), int(tree.num_actions[0])
    first = solver.average[: 3 * stride].reshape(3, stride)[:, :actions]
    counts: NDArray[Any] = np.rint(first.sum(axis=1))
    return counts


def training(chaos: Chaos, folder: Path, seed: int, size: int, kills: int) -> None:
    """Every iteration is in the averages once: those of the first decision count them."""
    total = 250_000 * size
    change = {"scheme": "external cfr uniform", "threads": 1, "seed": seed, "bound.every": 0}
    recipe = load_recipe("leduc").changed({**change, "budget.iterations": total})
    words = ["train", "leduc", "--scheme", "external cfr uniform", "--threads", "1", "--seed"]
    words += [str(seed), "--iterations", str(total), "--bound-every", "0"]
    words += ["--checkpoint-every", "0.5", "-o", str(folder / "one"), "--json"]
    found = json.loads(chaos.run(words, folder / "one.checkpoint", kills))
    assert (found["event"], found["iterations"]) == ("finished", total)
    setup = prepare(recipe)
    member, whole = Member(setup, recipe), setup.solver(recipe)
    member.resume(folder / "one.checkpoint")
    solver = member.solver
    whole.run_all(iterations=total)
    np.testing.assert_array_equal(deals_of(solver), deals_of(whole))
    assert deals_of(solver).sum() == total


WORKS: tuple[Callable[[Chaos, Path, int, int, int], None], ...] = (training, tournament, library)


def endured(chaos: Chaos, folder: Path, size: int, kills: int) -> None:
    """Do all of it, again if it ended too soon, until so many were killed."""
    seed = 0
    while (done := sum(chaos.kills.values())) < kills:
        seed += 1
        for index, work in enumerate(WORKS):
            place = folder / f"{seed}-{index}"
            place.mkdir()
            left = kills - sum(chaos.kills.values())
            work(chaos, place, seed, size, -(-left // (len(WORKS) - index)))
        assert sum(chaos.kills.values()) > done


def test_some_kills(cluster: Any, tmp_path: Path) -> None:
    chaos = Chaos(cluster, 1)
    endured(chaos, tmp_path, 4, 6)
    assert sum(chaos.kills.values()) == 6
    assert min(chaos.kills.values()) >= 1


@pytest.mark.slow
def test_twenty_kills(cluster: Any, tmp_path: Path) -> None:
    for _ in range(2):
        grown(cluster)
    chaos = Chaos(cluster, 2)
    endured(chaos, tmp_path, 8, 20)
    print(dict(chaos.kills))
    assert sum(chaos.kills.values()) == 20
    assert min(chaos.kills.values()) >= 5
