"""All experiments, step by step; a stopped run goes on with the step that it was at.

Last the trained bot sits at the limit table, against limit versions of the bots of the
other source documents.
"""

from pathlib import Path

import msgspec

from riverboat.game import catalogue
from riverboat.reproductions._run import ReproductionRun
from riverboat.reproductions._work import iterate_told, play_named
from riverboat.reproductions.yerevan._algorithms import compare_at_size, compare_exactly
from riverboat.reproductions.yerevan._cards import compare_namings
from riverboat.reproductions.yerevan._recipe import DATA, Rival
from riverboat.reproductions.yerevan._results import Found, Match, Played, Rivalled, Setting
from riverboat.reproductions.yerevan._three import compare_three_handed
from riverboat.reproductions.yerevan._training import (
    BLUEPRINT,
    limit_recipe,
    measure_speed,
    stops_at,
    train_pure,
)
from riverboat.training import prepare, write_result

STEPS = (
    "speed", "training", "equal time", "many buckets", "three players",
    "isomorphism", "rivals", "matches",
)  # fmt: skip


def find(run: ReproductionRun) -> Found:
    """Do all steps."""
    return Found(
        Setting(tuple(rival.name for rival in _rivals(run))),
        run.step("speed", measure_speed, run),
        run.step("training", train_pure, run),
        run.step("equal time", compare_exactly, run),
        run.step("many buckets", compare_at_size, run),
        run.step("three players", compare_three_handed, run),
        run.step("isomorphism", compare_namings, run),
        run.step("rivals", train_rivals, run),
        run.step("matches", _play_limit, run),
    )


def _rivals(run: ReproductionRun) -> list[Rival]:
    """Return whose CFR bots this run trains for limit."""
    return [each for each in DATA.rival if each.name in DATA.amounts(run).rivals]


def train_rivals(run: ReproductionRun) -> dict[str, Rivalled]:
    """Train the other documents' CFR bots on limit hold'em, each for our bot's processor time."""
    return {rival.name: _train_rival(part, rival) for part, rival in run.parts(_rivals(run))}


def _train_rival(run: ReproductionRun, rival: Rival) -> Rivalled:
    """Train one and write its strategy file."""
    limit, seconds = catalogue("limit"), DATA.amounts(run).train_times[-1]
    name, streets = f"limit to street {rival.streets}", limit.streets[: rival.streets]
    game = msgspec.to_builtins(limit.replace(name=name, streets=streets))
    plan = limit_recipe(run, game=game, cards=rival.cards, scheme=rival.scheme)
    setup = prepare(plan)
    solver = setup.solver(plan)
    *_, last = iterate_told(run, solver, stops_at([seconds]), f"trains {rival.name}")
    write_result(_rival_file(run, rival), setup, plan, solver)
    return Rivalled(last.iterations, last.processor_seconds)


def _rival_file(run: ReproductionRun, rival: Rival) -> Path:
    return run.path(f"{rival.name}-limit.blueprint")


def _play_limit(run: ReproductionRun) -> Played:
    """Play the strategy file against every bot, duplicate deals."""
    amounts, ours = DATA.amounts(run), f"blueprint:{run.path(BLUEPRINT)}"
    pairs = {DATA.bots[text]: (ours, text) for text in amounts.bots or DATA.bots}
    for rival in _rivals(run):
        pairs[rival.label] = (ours, f"{rival.bot}:{_rival_file(run, rival)}")
    results = play_named(run, pairs, game="limit", hands=amounts.hands)
    return Played(
        {label: Match(each.mbb_per_hand(0), each.hands) for label, each in results.items()},
        sum(sum(each.errors(0).values()) for each in results.values()),
    )
