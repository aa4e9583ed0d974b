"""The jobs of this server for the Watch page, which can stop and resume them."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

from riverboat.web._watch import Watched

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from riverboat.runs import Job
    from riverboat.web._app import Parts
    from riverboat.web._luck import Luck
    from riverboat.web._matches import Matches
    from riverboat.web._reviews import Reviews
    from riverboat.web._solves import Progress, Solves


def jobs_watched(parts: Parts) -> Iterator[Watched]:
    """Yield all jobs but the finished matches, which are in the ledger."""
    yield from _matches(parts.matches)
    yield from _solves(parts.solves)
    yield from _reviews(parts.reviews)
    yield from _luck(parts.luck)


def _matches(matches: Matches) -> Iterator[Watched]:
    for job in matches:
        match = matches.state(job)
        if match.state == "finished":
            continue
        yield Watched(
            "match",
            " against ".join(match.asked.bots),
            f"match:{match.id}",
            match.state,
            _age(job),
            {"game": match.asked.game, "hands": match.asked.hands}
            | {"seconds_left": match.seconds_left},
            [(x, mean, low, high) for x, mean, low, high in match.curve],
            f"{match.unit}, {match.asked.bots[0]}, over hands",
            problem=match.problem,
            share=match.done / max(1, match.deals),
            job=f"/matches/{match.id}",
        )


def _solves(solves: Solves) -> Iterator[Watched]:
    for job in solves:
        solve = solves.state(job)
        left = seconds_left(solve.progress, solve.asked.target, solve.asked.seconds)
        spent = solve.progress[-1].seconds if solve.progress else 0.0
        yield Watched(
            "solve",
            solve.name,
            f"solve:{solve.id}",
            solve.state,
            _age(job),
            {"board": solve.asked.spot.board, "pot": solve.asked.spot.pot, "seconds_left": left},
            [(point.seconds, 100 * point.share, None, None) for point in solve.progress],
            "exploitability, % of the pot",
            problem=solve.problem,
            share=None if left is None else spent / max(1e-9, spent + left),
            job=f"/solves/{solve.id}",
        )


def seconds_left(progress: Sequence[Progress], target: float, limit: float) -> float | None:
    """Estimate the time until a solve reaches its target or its time limit; None if unknown.

    Exploitability falls about as a power of time, which is fitted to the second half of the curve.

    Examples
    --------
    >>> from riverboat.web._solves import Progress
    >>> falling = [Progress(n, float(n), 1.0 / n) for n in (1, 2, 4, 8)]
    >>> round(seconds_left(falling, 1 / 32, 100.0)), seconds_left(falling, 0.0, 10.0)
    (24, 2.0)
    >>> seconds_left([Progress(1, 0.004, 0.2), Progress(2, 0.004, 0.1)], 0.005, 10.0)
    9.996
    """
    if len(progress) < 2:
        return None
    last, rest = progress[-1], limit - progress[-1].seconds
    before = progress[len(progress) // 2 - 1]
    falling = before.share > last.share and before.seconds < last.seconds
    if not falling or min(last.share, before.seconds, target) <= 0:
        return max(0.0, rest)
    power = math.log(before.share / last.share) / math.log(last.seconds / before.seconds)
    reached = math.log(last.seconds) + math.log(max(1.0, last.share / target)) / power
    return max(0.0, min(rest, math.exp(min(reached, 50.0)) - last.seconds))


def _reviews(reviews: Reviews) -> Iterator[Watched]:
    for job in reviews:
        review = reviews.state(job)
        yield Watched(
            "review",
            review.name,
            f"review:{review.id}",
            job.record.state,
            _age(job),
            {"strategy": review.strategy, "player": review.player, "hands": review.hands or None}
            | {"step": review.doing, "seconds_left": review.seconds_left},
            [(x, mean, low, high) for x, mean, low, high in review.curve],
            "EV loss, bb / 100 hands, over hands",
            problem=review.error,
            share=review.done / review.total if review.total else None,
            job=f"/reviews/{review.id}",
        )


def _luck(luck: Luck) -> Iterator[Watched]:
    for job in luck:
        state = luck.state(job)
        yield Watched(
            "luck",
            "Luck-adjusted results",
            f"luck:{state.id}",
            state.state,
            _age(job),
            {"hands": state.total or None, "seconds_left": state.seconds_left},
            [(x, mean, low, high) for x, mean, low, high in state.curve],
            "AIVAT, bb / 100 hands, over hands",
            problem=state.problem,
            share=state.done / state.total if state.total else None,
            job=f"/luck/{state.id}",
        )


def _age(job: Job[Any, Any]) -> float:
    """Return the seconds since a job began; 0 while it is active."""
    return 0.0 if job.record.active else max(0.0, time.time() - job.record.began)
