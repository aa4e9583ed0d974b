"""The threshold sweeps: by husky's own protocol, and by chips a hand.

Every point is a match. The best one is chosen by its luck too, so it is played again with another
seed, beside the authors' optimum.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from riverboat.arena import (
    Estimate,
    Match,
    MatchSettings,
    with_parameters,
)
from riverboat.seeds._freeze_outs import HUSKY_ROUNDS, husky_game
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import play_all
from riverboat.seeds.husky.data import SweepPlan, husky
from riverboat.seeds.husky.points import Scored, best, grid_points

__all__ = ["Again", "Batch", "Grid", "Pair", "Swept", "play_again", "play_batches", "play_sweeps"]

_FRESH = 1_000_003  # added to the seed where points are played again


class Pair(msgspec.Struct, frozen=True):
    """The same points, scored in two ways."""

    games: list[Scored]
    """Share of games won."""
    chips: list[Scored]
    """Chips a hand, stacks reset after each."""


class Grid(msgspec.Struct, frozen=True):
    """One sweep."""

    key: str
    points: Pair
    games_a_point: int
    hands_a_point: int


class Again(msgspec.Struct, frozen=True):
    """What was played with another seed."""

    sweeps: list[Pair]
    """The authors' optimum, our best by games, our best by chips, of each sweep."""
    claim: Pair
    """Fish against Honest with a threshold of one half; one point."""


@dataclass(frozen=True, slots=True)
class Swept:
    """One sweep, and its best points again."""

    key: str
    games: list[Scored]
    chips: list[Scored]
    fresh_games: list[Scored]
    fresh_chips: list[Scored]
    games_a_point: int
    hands_a_point: int

    @classmethod
    def of(cls, grid: Grid, fresh: Pair) -> "Swept":
        """Put both together."""
        points, amounts = grid.points, (grid.games_a_point, grid.hands_a_point)
        return cls(grid.key, points.games, points.chips, fresh.games, fresh.chips, *amounts)


@dataclass(frozen=True, slots=True)
class Batch:
    """Points of one bot against the same opponents."""

    bots: Sequence[str]
    """The bot that gets the parameters, and its opponents."""
    points: Sequence[Mapping[str, float]]
    games: int
    hands: int
    """Of each point."""


def play_sweeps(run: Reproduction) -> list[Grid]:
    """Play all grids."""
    return run.step("sweeps", list[Grid], lambda: _sweep(run))


def _sweep(run: Reproduction) -> list[Grid]:
    plans = husky().sweeps
    batches = [
        Batch(
            (plan.bot, plan.against),
            grid_points(plan.grids.of(run)),
            plan.games.of(run),
            plan.hands.of(run),
        )
        for plan in plans
    ]
    played = play_batches(run, batches, run.seed)
    return [
        Grid(plan.key, pair, batch.games, batch.hands)
        for plan, pair, batch in zip(plans, played, batches, strict=True)
    ]


def play_again(run: Reproduction, grids: list[Grid]) -> Again:
    """Play the best points, and the claim of the document, with another seed."""
    return run.step("again", Again, lambda: _again(run, grids))


def _again(run: Reproduction, grids: list[Grid]) -> Again:
    fresh, claim = husky().fresh, husky().claim
    batches = [
        Batch(
            (plan.bot, plan.against), _chosen(plan, grid), fresh.games.of(run), fresh.hands.of(run)
        )
        for plan, grid in zip(husky().sweeps, grids, strict=True)
    ]
    batches.append(Batch(claim.bots, [{}], claim.games.of(run), claim.hands.of(run)))
    *sweeps, last = play_batches(run, batches, run.seed + _FRESH)
    return Again(sweeps, last)


def _chosen(plan: SweepPlan, grid: Grid) -> list[dict[str, float]]:
    points = grid.points
    return [plan.optimum, best(points.games).parameters, best(points.chips).parameters]


def play_batches(run: Reproduction, batches: Sequence[Batch], seed: int) -> list[Pair]:
    """Play all points of all batches on the same processes.

    Parameters
    ----------
    run
        Hears how far it is.
    batches
        What is played; a point that comes twice in a batch is played once.
    seed
        Of all matches.
    """
    settings: dict[tuple[int, str, str], MatchSettings] = {}
    for index, batch in enumerate(batches):
        for point in batch.points:
            text = with_parameters(batch.bots[0], point)
            for how in ("games", "hands"):
                settings[index, how, text] = MatchSettings(
                    (text, *batch.bots[1:]),
                    husky_game(len(batch.bots)),
                    games=batch.games if how == "games" else 0,
                    hands=batch.hands if how == "hands" else 0,
                    rounds=HUSKY_ROUNDS,
                    seed=seed,
                )
    played = play_all(run, list(settings.values()))
    scores = {key: _score(match) for key, match in zip(settings, played, strict=True)}

    def scored(index: int, how: str) -> list[Scored]:
        batch = batches[index]
        texts = [(with_parameters(batch.bots[0], point), point) for point in batch.points]
        return [Scored.of(point, scores[index, how, text]) for text, point in texts]

    return [Pair(scored(i, "games"), scored(i, "hands")) for i in range(len(batches))]


def _score(match: Match) -> Estimate:
    result = match.result()
    return result.games_won(0) if match.settings.carried else result.best_estimate(0)
