"""All experiments, step by step; a stopped run goes on with the step that it was at.

Last the trained bot sits at the limit table, against limit versions of the other seeds' bots.
"""

import msgspec

from riverboat.game import catalogue
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import Trained, play_named, train_recipe
from riverboat.seeds.yerevan._algorithms import compare_at_size, compare_exactly
from riverboat.seeds.yerevan._cards import compare_namings
from riverboat.seeds.yerevan._recipe import DATA, Rival
from riverboat.seeds.yerevan._results import Found, Match, Played, Setting
from riverboat.seeds.yerevan._training import BLUEPRINT, limit_recipe, measure_speed, train_pure

STEPS = ("speed", "training", "equal time", "many buckets", "isomorphism", "rivals", "matches")


def find(run: Reproduction) -> Found:
    """Do all steps."""
    return Found(
        Setting(tuple(rival.name for rival in _rivals(run))),
        run.step("speed", measure_speed, run),
        run.step("training", train_pure, run),
        run.step("equal time", compare_exactly, run),
        run.step("many buckets", compare_at_size, run),
        run.step("isomorphism", compare_namings, run),
        run.step("rivals", train_rivals, run),
        run.step("matches", _play_limit, run),
    )


def _rivals(run: Reproduction) -> list[Rival]:
    """Return whose CFR bots this run trains for limit."""
    return [each for each in DATA.rival if each.name in DATA.amounts(run).rivals]


def train_rivals(run: Reproduction) -> dict[str, Trained]:
    """Train the other seeds' CFR bots on limit hold'em, each for the same time of the clock."""
    limit, found = catalogue("limit"), {}
    for part, rival in run.parts(_rivals(run)):
        name, streets = f"limit to street {rival.streets}", limit.streets[: rival.streets]
        game = msgspec.to_builtins(limit.replace(name=name, streets=streets))
        own = {"game": game, "cards": rival.cards, "scheme": rival.scheme}
        budget = {"budget.seconds": DATA.amounts(run).rival_seconds, "bound.every": 0.0}
        plan = limit_recipe(run, **own, **budget)
        found[rival.name] = train_recipe(part, plan, f"{rival.name}-limit")
    return found


def _play_limit(run: Reproduction) -> Played:
    """Play the strategy file against every bot, duplicate deals."""
    amounts, ours = DATA.amounts(run), f"blueprint:{run.path(BLUEPRINT)}"
    pairs = {DATA.bots[text]: (ours, text) for text in amounts.bots or DATA.bots}
    for rival in _rivals(run):
        file = run.path(f"{rival.name}-limit.blueprint")
        pairs[rival.label] = (ours, f"{rival.bot}:{file}")
    results = play_named(run, pairs, game="limit", hands=amounts.hands)
    return Played(
        {label: Match(each.mbb_per_hand(0), each.hands) for label, each in results.items()},
        sum(sum(each.errors(0).values()) for each in results.values()),
    )
