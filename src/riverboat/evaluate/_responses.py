"""A lower bound on exploitability by trained responses, for games that cannot be enumerated.

For each seat a response is trained against the fixed strategy by external sampling, and scored on
new deals. A best response wins at least as much on average. Both seats are scored on the same
deals, so that the luck of the cards cancels in their mean.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.errors import SolveError
from riverboat.evaluate._exact import checked_strategy
from riverboat.report import Columns, Framed
from riverboat.runs import Clock
from riverboat.solve import Crew, Deals, Driver, real_number, whole_number
from riverboat.statistics import Estimate, estimate_columns, mean_estimate

if TYPE_CHECKING:
    from collections.abc import Callable

Candidate = Literal["unchanged", "average", "current", "greedy"]

# Training, choosing and scoring use disjoint random streams; so do the seats.
_TRAIN: Final = (0, 2**57)
_CHOOSE: Final = 2**61
_SCORE: Final = 2**62
_SLICE_ITERATIONS: Final = 1_000
_CHUNK = 256
_MOST_TRAINING: Final = 2**56  # a stream for each iteration, see _TRAIN
_MOST_SCORED: Final = 10**9
_TRACE: Final = 1e-9

_STRATEGY: Final = np.dtype(np.float32)
_REGRETS: Final = np.dtype(np.float32)
_AVERAGE: Final = np.dtype(np.float64)
#: Maximum bytes per strategy entry: the frozen strategy, regrets, average, and a response.
RESPONSE_BYTES: Final = 2 * _STRATEGY.itemsize + _REGRETS.itemsize + _AVERAGE.itemsize


@dataclass(frozen=True, slots=True)
class SeatResponse:
    """Winnings of a trained response of one seat."""

    value: Estimate
    """Chips per hand on new deals."""
    candidate: Candidate
    """The chosen strategy: the average of the training, its last strategy (`current`), the most
    likely action of the average (`greedy`), or the measured strategy itself (`unchanged`);
    the one that won most on separate deals."""
    iterations: int


@dataclass(frozen=True, slots=True)
class ResponseBound(Framed):
    """A lower bound on exploitability, from trained responses."""

    bound: Estimate
    """Mean gain of the responses over all seats, in chips per hand: a lower bound on
    exploitability, up to the sampling error of its interval."""
    seats: tuple[SeatResponse, ...]
    seconds: float

    @property
    def interval(self) -> tuple[float, float]:
        """95 % confidence interval of the bound."""
        return self.bound.interval

    @property
    def deals(self) -> int:
        """Number of new deals on which the responses were scored."""
        return self.bound.units

    def frame_columns(self) -> Columns:
        """Return a row per seat: winnings of its response in chips per hand, and its kind."""
        return {
            "seat": range(len(self.seats)),
            **estimate_columns("value", [seat.value for seat in self.seats]),
            "candidate": [seat.candidate for seat in self.seats],
            "iterations": [seat.iterations for seat in self.seats],
        }


def response_bound(  # noqa: PLR0913 - options by keyword
    deals: Deals,
    strategy: NDArray[np.floating[Any]],
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    score_deals: int = 20_000,
    seed: int = 0,
    threads: int = 1,
    prior: float = 200.0,
) -> ResponseBound:
    """Bound the exploitability of a strategy from below by training a response for each seat.

    Parameters
    ----------
    deals
        The game and its buckets; the responses use the same buckets.
    strategy
        [entries] probabilities, as `Solver.strategy` returns them.
    iterations, seconds
        Training budget per seat, whichever is reached first; at least one is required.
    score_deals
        Number of new deals for the score; all actions are evaluated on each. A quarter as many
        separate deals choose between the candidates.
    seed
        Random seed of all deals; use another seed than the strategy's own training.
    threads
        Threads that share the tables without locks. With one thread and `iterations` the
        result is repeatable bit for bit.
    prior
        Start the responses from the strategy itself, as if this many visits of each information
        set had confirmed it; 0 starts from uniform play. Needed in large games: a short training
        can correct mistakes of a good strategy, but cannot learn a whole strategy. (On 100 bb
        blueprints, one run each, 100 and 300 gave the highest bounds of 0 to 5,000;
        200 was not tried.)

    Returns
    -------
    ResponseBound
        A lower bound; longer training can raise it.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import Scheme, Solver, enumerate_deals
    >>> from riverboat.tree import Tree
    >>> solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), Scheme("full"))
    >>> found = response_bound(solver.deals, solver.strategy(), iterations=20_000, seed=1)
    >>> 0.40 < found.bound.mean < 0.48  # uniform play: 11 / 24 exactly
    True
    """
    frozen = _checked(deals, strategy)
    budget = _checked_training(iterations, seconds)
    score_deals, seed = _checked_score(score_deals, seed)
    threads = whole_number("threads", threads, 1, 1024)
    visits = real_number("prior", prior, 0.0, 1e9)
    started = time.perf_counter()
    gains = np.zeros(score_deals)
    seats: list[SeatResponse] = []
    with ThreadPoolExecutor(threads) as pool:
        game = _Game(deals.compiled, frozen, seed, threads, pool)
        for seat in range(deals.tree.spec.players):
            tables = _prior(deals, frozen, visits)
            done = game.train(seat, budget, tables)
            chosen, response = game.choose(seat, tables, max(2, score_deals // 4))
            del tables  # memory may not hold the next seat's tables, too
            values = game.score(seat, response, _SCORE, score_deals)
            del response
            seats.append(SeatResponse(_estimate(values), chosen, done))
            gains += values
            if not _zero_sum(deals):
                gains -= game.score(seat, frozen, _SCORE, score_deals)
    bound = _estimate(gains / len(seats))
    return ResponseBound(bound, tuple(seats), time.perf_counter() - started)


def sampled_value(
    deals: Deals,
    strategy: NDArray[np.floating[Any]],
    seat: int = 0,
    *,
    score_deals: int = 20_000,
    seed: int = 0,
) -> Estimate:
    """Estimate the EV of a seat when all seats play the strategy; for seat 0, the game value.

    Parameters
    ----------
    deals, strategy
        The game, and [entries] probabilities.
    seat
        Seat whose EV is estimated.
    score_deals
        Number of sampled deals; all actions are evaluated on each.
    seed
        Random seed of the deals.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import Scheme, Solver, enumerate_deals
    >>> from riverboat.tree import Tree
    >>> solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), Scheme("full"))
    >>> low, high = sampled_value(solver.deals, solver.strategy(), seed=1).interval
    >>> low < 0.125 < high  # the value of uniform play for the first player
    True
    """
    frozen = _checked(deals, strategy)
    seat = whole_number("seat", seat, 0, deals.tree.spec.players - 1)
    score_deals, seed = _checked_score(score_deals, seed)
    with ThreadPoolExecutor(1) as pool:
        game = _Game(deals.compiled, frozen, seed, 1, pool)
        return _estimate(game.score(seat, frozen, _SCORE, score_deals))


def duel(  # noqa: PLR0913 - options by keyword
    deals: Deals,
    first: NDArray[np.floating[Any]],
    second: NDArray[np.floating[Any]],
    *,
    score_deals: int = 20_000,
    seed: int = 0,
    threads: int = 1,
) -> Estimate:
    """Estimate a strategy's winnings against another inside the abstraction, in chips per hand.

    All actions of both players are evaluated on each deal, in both seats. Only the luck of the
    cards remains, and playing both seats halves it.

    Parameters
    ----------
    deals
        A game for two players.
    first, second
        [entries] probabilities.
    score_deals
        Number of sampled deals; a deal played in both seats is one unit of the estimate.
    seed
        Random seed of the deals.
    threads
        Number of threads; the result does not depend on it.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> from riverboat.solve import Scheme, Solver, enumerate_deals
    >>> from riverboat.tree import Tree
    >>> solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), Scheme("full"))
    >>> uniform = solver.strategy()
    >>> solver.run_all(iterations=100).iterations
    100
    >>> duel(solver.deals, solver.strategy(), uniform, seed=1).sign
    1
    """
    if deals.tree.spec.players != 2:
        raise SolveError(f"a duel needs two players, not {deals.tree.spec.players}")
    own, other = _checked(deals, first), _checked(deals, second)
    score_deals, seed = _checked_score(score_deals, seed)
    threads = whole_number("threads", threads, 1, 1024)
    with ThreadPoolExecutor(threads) as pool:
        game = _Game(deals.compiled, other, seed, threads, pool)
        seats = [game.score(seat, own, 0, score_deals) for seat in range(2)]
    return mean_estimate(np.mean(seats, axis=0))


_Tables = tuple[NDArray[np.float32], NDArray[np.float64]]


@dataclass(frozen=True)
class _Game:
    """A frozen strategy that responses are trained against."""

    deals: _core.CompiledDealer
    frozen: NDArray[np.float32]
    seed: int
    threads: int
    pool: ThreadPoolExecutor

    def train(self, seat: int, budget: dict[Clock, float], tables: _Tables) -> int:
        """Train a seat's response; return the number of iterations."""
        steady = "wall" not in budget  # without a time limit, slices do not depend on the clock
        training = _Training(self, seat, tables, self.threads)
        driver = Driver(training, length=_SLICE_ITERATIONS, steady=steady)
        until = dict(budget)
        if "wall" in until:
            until["wall"] += driver.read("wall")
        for _ in driver.run(until):
            pass
        return driver.iterations

    def choose(
        self, seat: int, tables: _Tables, num_deals: int
    ) -> tuple[Candidate, NDArray[np.float32]]:
        """Choose the candidate that wins most on separate deals."""
        regrets, average = tables
        makers: dict[Candidate, Callable[[], NDArray[np.float32]]] = {
            "unchanged": lambda: self.frozen,
            "average": lambda: self._normalised(average),
            "current": lambda: self._normalised(np.maximum(regrets, 0, out=regrets)),
            "greedy": lambda: self._greedy(average),
        }
        means: dict[Candidate, float] = {
            name: float(self.score(seat, make(), _CHOOSE, num_deals).mean())
            for name, make in makers.items()
        }
        best = max(makers, key=lambda name: means[name])
        return best, makers[best]()

    def _normalised(
        self, weights: NDArray[np.float32] | NDArray[np.float64]
    ) -> NDArray[np.float32]:
        strategy = np.empty_like(self.frozen)
        _core.normalise_into(self.deals, weights, strategy)
        return strategy

    def _greedy(self, weights: NDArray[np.float64]) -> NDArray[np.float32]:
        strategy = np.empty_like(self.frozen)
        _core.greedy_into(self.deals, weights, strategy)
        return strategy

    def score(
        self, seat: int, own: NDArray[np.float32], first: int, num_deals: int
    ) -> NDArray[np.float64]:
        """[deals] winnings of the seat."""
        values = np.empty(num_deals)

        def walk(begin: int) -> None:
            part = values[begin : begin + _CHUNK]
            _core.score_deals_into(
                self.deals, seat, own, self.frozen, self.seed, first + begin, part
            )

        list(self.pool.map(walk, range(0, num_deals, _CHUNK)))
        return values


@dataclass(frozen=True)
class _Training:
    """The kernel that trains a response; later slices weigh more in the average."""

    game: _Game
    seat: int
    tables: _Tables
    threads: int

    def run(self, first: int, last: int, crew: Crew) -> int:
        base = _TRAIN[0] + self.seat * _TRAIN[1]
        weight = (first + last) / 2 / _SLICE_ITERATIONS
        return _core.train_response(
            self.game.deals, self.seat, self.game.seed, weight, base + first, base + last,
            crew, self.game.frozen, *self.tables,
        )  # fmt: skip


def _checked_training(iterations: int | None, seconds: float | None) -> dict[Clock, float]:
    """Return the training budget by clock."""
    if iterations is None and seconds is None:
        raise SolveError("give a budget for training: iterations, seconds or both")
    most = _MOST_TRAINING
    budget: dict[Clock, float] = {
        "iterations": most
        if iterations is None
        else whole_number("iterations", iterations, 0, most)
    }
    if seconds is not None:
        budget["wall"] = real_number("seconds", seconds, 0.0, float("inf"))
    return budget


def _checked_score(score_deals: int, seed: int) -> tuple[int, int]:
    return (
        whole_number("score_deals", score_deals, 2, _MOST_SCORED),
        whole_number("seed", seed, 0, 2**64 - 1),
    )


def _prior(deals: Deals, frozen: NDArray[np.float32], visits: float) -> _Tables:
    """Initial tables: regrets of this many visits of the strategy, and a small average.

    Because of the small average, a response plays the strategy where it is never trained.
    """
    regrets, average = np.zeros(len(frozen), _REGRETS), np.zeros(len(frozen), _AVERAGE)
    if visits == 0:
        return regrets, average
    np.multiply(frozen, _TRACE, out=average)
    tree = deals.tree
    for group in range(len(deals.num_buckets)):
        nodes = tree.decisions_of(group)
        pots = np.repeat(tree.contributions[nodes].sum(axis=1), tree.num_actions[nodes])
        scale = (visits * pots).astype(_REGRETS)
        np.multiply(deals.rows(frozen, group), scale, out=deals.rows(regrets, group))
    return regrets, average


def _zero_sum(deals: Deals) -> bool:
    """Whether the seats' values sum to 0 on every deal, so none must be subtracted."""
    return deals.tree.spec.players == 2 and deals.tree.spec.rake.percent == 0


def _estimate(values: NDArray[np.float64]) -> Estimate:
    return mean_estimate(values, "normal")


def _checked(deals: Deals, strategy: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    return checked_strategy(deals, strategy, _STRATEGY.type)
