"""Exploitability of a run's average strategy: exact where it can be had, else a bound."""

import time
from dataclasses import dataclass
from typing import Any, Final

from numpy.typing import NDArray

from riverboat.evaluate import exploitability, response_bound
from riverboat.solve import Deals
from riverboat.training._progress import Measured
from riverboat.training._recipe import Bound

# Responses are trained and scored on other deals than the strategy.
_OTHER_SEED: Final = 0x9E3779B97F4A7C15


@dataclass(frozen=True, slots=True)
class Point:
    """Where a run stands when it is measured."""

    iterations: int
    seconds: float
    seed: int
    threads: int


def measure(deals: Deals, strategy: NDArray[Any], point: Point, bound: Bound) -> Measured:
    """Measure a strategy.

    Parameters
    ----------
    deals, strategy
        The game, and [entries] probabilities.
    point
        Of the run: its seed is not used again.
    bound
        What trained responses may cost.
    """
    began = time.perf_counter()
    if deals.num_deals is not None:
        exact = exploitability(deals, strategy)
        found, low, high = exact.exploitability, exact.exploitability, exact.exploitability
        value: float | None = exact.values[0]
    else:
        response = response_bound(
            deals,
            strategy,
            seconds=bound.seconds,
            score_deals=bound.deals,
            seed=point.seed ^ _OTHER_SEED,
            threads=point.threads,
        )
        found, (low, high), value = response.bound.mean, response.interval, None
    return Measured(
        iterations=point.iterations,
        seconds=point.seconds,
        exploitability=found,
        low=low,
        high=high,
        exact=deals.num_deals is not None,
        value=value,
        cost=time.perf_counter() - began,
    )
