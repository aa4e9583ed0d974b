"""The threshold sweeps: by husky's own protocol, and by chips a hand.

Every point is a match. The best one is chosen by its luck too, so it is played again with another
seed, beside the authors' optimum.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from riverboat.arena import Estimate, MatchSettings
from riverboat.arena.sweep import HUSKY_ROUNDS, husky_game, with_parameters
from riverboat.recipes.husky.data import SweepPlan, husky
from riverboat.recipes.husky.points import Scored, best, grid_points
from riverboat.recipes.run import Run
from riverboat.recipes.work import play_all

__all__ = ["Claimed", "Swept", "play_claim", "play_points", "play_sweeps"]

_FRESH = 1_000_003  # added to the seed where points are played again


class Swept(msgspec.Struct, frozen=True):
    """One sweep, scored in two ways."""

    key: str
    games: list[Scored]
    """Share of games won."""
    chips: list[Scored]
    """Chips a hand, stacks reset after each."""
    fresh_games: list[Scored]
    """With another seed: the authors' optimum, our best by games, our best by chips."""
    fresh_chips: list[Scored]
    games_a_point: int
    hands_a_point: int


class Claimed(msgspec.Struct, frozen=True):
    """How often the first bot wins against the second, and what."""

    games: Scored
    chips: Scored


def play_sweeps(run: Run) -> list[Swept]:
    """Play all sweeps, a step each."""
    return [
        run.step(f"sweep {plan.key}", Swept, lambda plan=plan: _sweep(run, plan))  # type: ignore[misc] # mypy cannot see the default's type
        for plan in husky().sweeps
    ]


def _sweep(run: Run, plan: SweepPlan) -> Swept:
    grid = grid_points(plan.grids.of(run))
    num_games, num_hands = plan.games.of(run), plan.hands.of(run)
    bots = (plan.bot, plan.against)
    games = play_points(run, bots, grid, (0.0, 0.4), games=num_games)
    chips = play_points(run, bots, grid, (0.4, 0.8), hands=num_hands)
    chosen = [plan.optimum, best(games).parameters, best(chips).parameters]
    fresh = husky().fresh
    again = {"seed": run.seed + _FRESH}
    return Swept(
        plan.key,
        games,
        chips,
        play_points(run, bots, chosen, (0.8, 0.9), games=fresh.games.of(run), **again),
        play_points(run, bots, chosen, (0.9, 1.0), hands=fresh.hands.of(run), **again),
        num_games,
        num_hands,
    )


def play_points(
    run: Run,
    bots: Sequence[str],
    grid: Sequence[dict[str, float]],
    share: tuple[float, float],
    **settings: Any,
) -> list[Scored]:
    """Play a bot with each of some parameters against the other bots.

    Parameters
    ----------
    run
        Hears how far it is.
    bots
        The bot that gets the parameters, and its opponents.
    grid
        The points; one that comes twice is played once.
    share
        The part of the current step that this is.
    **settings
        `games` or `hands` of a point: by games won, or by chips a hand; and `seed`.
    """
    first, *others = bots
    settings = {"seed": run.seed, **settings}
    texts = [with_parameters(first, point) for point in grid]
    matches = {
        text: MatchSettings((text, *others), husky_game(len(bots)), rounds=HUSKY_ROUNDS, **settings)
        for text in texts
    }
    played = play_all(run, list(matches.values()), share)
    results = {text: _score(match) for text, match in zip(matches, played, strict=True)}
    return [Scored.of(point, results[text]) for point, text in zip(grid, texts, strict=True)]


def _score(match: Any) -> Estimate:
    result = match.result()
    if match.settings.carried:
        won: Estimate = result.games_won(0)
        return won
    chips: Estimate = result.best_estimate(0)
    return chips


def play_claim(run: Run) -> Claimed:
    """Play the match that a sentence of the document is about."""
    return run.step("claim", Claimed, lambda: _claim(run))


def _claim(run: Run) -> Claimed:
    plan = husky().claim
    return Claimed(
        play_points(run, plan.bots, [{}], (0.0, 0.5), games=plan.games.of(run))[0],
        play_points(run, plan.bots, [{}], (0.5, 1.0), hands=plan.hands.of(run))[0],
    )
