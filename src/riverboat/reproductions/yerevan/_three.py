"""The third claim: Monte-Carlo CFR is faster than Pure for no-limit with many players.

Three-handed no-limit hold'em, the same processor time for each algorithm. No algorithm is known to
find an equilibrium of three players, so strategies are judged by what trained responses gain, seat
by seat, and by matches at a real table: one of them against two of another.
"""

from itertools import permutations
from pathlib import Path

import msgspec

from riverboat.game import catalogue
from riverboat.reproductions._run import ReproductionRun
from riverboat.reproductions._work import iterate_told, play_named
from riverboat.reproductions.yerevan._recipe import DATA
from riverboat.reproductions.yerevan._results import ThreeHanded, Trial
from riverboat.reproductions.yerevan._training import (
    bound_by_response,
    limit_recipe,
    run_trial,
    stops_at,
)
from riverboat.statistics import Estimate
from riverboat.training import Recipe, prepare, write_result


def _plan(run: ReproductionRun, name: str) -> Recipe:
    amounts, game = DATA.amounts(run), catalogue("nolimit-100bb", players=3)
    changes = {"menu": amounts.three_menu, "cards": amounts.three_cards, "scheme": name}
    return limit_recipe(run, game=msgspec.to_builtins(game), **changes)


def compare_three_handed(run: ReproductionRun) -> ThreeHanded:
    """Train each algorithm for the same processor time; measure, and play one against two."""
    stops, setup = stops_at([DATA.amounts(run).three_time]), prepare(_plan(run, "external"))
    measure, trials = bound_by_response(run, setup.deals), dict[str, Trial]()
    for part, name in run.part(0.0, 0.7).parts(DATA.three_schemes):
        plan = _plan(run, name)
        solver = setup.solver(plan)
        course = iterate_told(part, solver, stops, f"{name}, three players")
        trials[DATA.schemes[name]] = run_trial(solver, course, measure)
        write_result(_file(run, name), setup, plan, solver)
    decisions = int(sum(setup.tree.num_decisions))
    return ThreeHanded(trials, decisions, _one_against_two(run.part(0.7, 1.0)))


def _file(run: ReproductionRun, name: str) -> Path:
    return run.path(f"three-{name}.blueprint")


def _one_against_two(run: ReproductionRun) -> dict[str, dict[str, Estimate]]:
    """Play every strategy at a table with two of every other."""
    bots = {name: f"blueprint:{_file(run, name)}" for name in DATA.three_schemes}
    pairs = {(a, b): (bots[a], bots[b], bots[b]) for a, b in permutations(bots, 2)}
    hands = DATA.amounts(run).three_hands
    played = play_named(run, pairs, game=catalogue("nolimit-100bb", players=3), hands=hands)
    won = dict[str, dict[str, Estimate]]()
    for (one, other), result in played.items():
        row = won.setdefault(DATA.schemes[one], {})
        row[DATA.schemes[other]] = result.mbb_per_hand(0)
    return won
