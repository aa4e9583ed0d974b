"""The matches and solves of this server for the Watch page, which can stop and resume them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from riverboat.web._watch import Watched

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riverboat.web._matches import Matches
    from riverboat.web._solves import Solves


def jobs_watched(matches: Matches, solves: Solves) -> Iterator[Watched]:
    """Yield all solves, and the matches that are not finished: the ledger has those."""
    for job in matches:
        match = matches.state(job)
        if match.state == "finished":
            continue
        yield Watched(
            "match",
            " against ".join(match.asked.bots),
            f"match:{match.id}",
            match.state,
            _age(job.record.began, job.record.active),
            {"game": match.asked.game, "hands": match.asked.hands}
            | {"seconds_left": match.seconds_left},
            [(x, mean, low, high) for x, mean, low, high in match.curve],
            f"{match.unit}, {match.asked.bots[0]}, over hands",
            problem=match.problem,
            share=match.done / max(1, match.deals),
            job=f"/matches/{match.id}",
        )
    for solving in solves:
        solve = solves.state(solving)
        yield Watched(
            "solve",
            solve.name,
            f"solve:{solve.id}",
            solve.state,
            _age(solving.record.began, solving.record.active),
            {"board": solve.asked.spot.board, "pot": solve.asked.spot.pot},
            [(point.seconds, 100 * point.share, None, None) for point in solve.progress],
            "exploitability, % of the pot",
            problem=solve.problem,
            job=f"/solves/{solve.id}",
        )


def _age(began: float, active: bool) -> float:
    return 0.0 if active else max(0.0, time.time() - began)
