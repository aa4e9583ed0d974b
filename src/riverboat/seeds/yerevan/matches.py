"""The trained bot at the limit table, against limit versions of the other seeds' bots."""

import msgspec

from riverboat.arena import MatchSettings
from riverboat.game import catalogue
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import Trained, Won, play_all, train_recipe
from riverboat.seeds.yerevan.cards import limit_recipe
from riverboat.seeds.yerevan.data import Rival, amounts, recipe
from riverboat.seeds.yerevan.training import BLUEPRINT

__all__ = ["Played", "Rivals", "play_limit", "train_rivals"]


class Rivals(msgspec.Struct, frozen=True):
    """CFR bots of the other seeds, trained for limit; by name."""

    trained: dict[str, Trained]


class Played(msgspec.Struct, frozen=True):
    """What our bot wins from each opponent, mbb a hand, by the opponent's label."""

    won: dict[str, Won]
    hands: int
    failures: int
    """Answers of our bot that were not allowed, late, or errors."""


def _rivals(run: Reproduction) -> list[Rival]:
    return [each for each in recipe().rival if each.name in amounts(run).rivals]


def train_rivals(run: Reproduction) -> Rivals:
    """Train the other seeds' CFR bots on limit hold'em, each for the same time of the clock."""
    rivals, found = _rivals(run), {}
    for index, rival in enumerate(rivals):
        limit = catalogue("limit")
        game = limit.replace(name=f"limit to street {rival.streets}",
                             streets=limit.streets[: rival.streets])  # fmt: skip
        plan = limit_recipe(
            run,
            game=msgspec.to_builtins(game),
            cards=rival.cards,
            scheme=rival.scheme,
            **{"budget.seconds": amounts(run).rival_seconds, "bound.every": 0.0},
        )
        share = (index / len(rivals), (index + 1) / len(rivals))
        found[rival.name] = train_recipe(run, plan, f"{rival.name}-limit", share)
    return Rivals(found)


def play_limit(run: Reproduction) -> Played:
    """Play the strategy file against every bot, duplicate deals."""
    given = amounts(run)
    ours = f"blueprint:{run.path(BLUEPRINT)}"
    labels = {
        text: label for text, label in recipe().bots.items() if not given.bots or text in given.bots
    }
    for rival in _rivals(run):
        labels[f"{rival.bot}:{run.path(f'{rival.name}-limit.blueprint')}"] = rival.label
    settings = [
        MatchSettings((ours, text), "limit", hands=given.hands, seed=run.seed) for text in labels
    ]
    won, failures = {}, 0
    for label, match in zip(labels.values(), play_all(run, settings), strict=True):
        result = match.result()
        won[label] = Won.of(result.mbb_per_hand(0), result.hands)
        failures += sum(result.errors(0).values())
    return Played(won, given.hands, failures)
