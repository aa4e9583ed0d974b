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

# Training, choosing and scoring draw from streams that never meet; seats train apart.
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
#: Of each strategy entry at most: the frozen strategy, regrets, average, and a response.
RESPONSE_BYTES: Final = 2 * _STRATEGY.itemsize + _REGRETS.itemsize + _AVERAGE.itemsize


@dataclass(frozen=True, slots=True)
class SeatResponse:
    """What a trained response of one seat wins."""

    value: Estimate
    """Chips a hand on fresh deals."""
    candidate: Candidate
    """Which strategy was taken: the average of the training, its last one (`current`), the
    likeliest action of the average (`greedy`), or the measured strategy itself (`unchanged`),
    whichever won most on deals of their own."""
    iterations: int


@dataclass(frozen=True, slots=True)
class ResponseBound(Framed):
    """A lower bound on exploitability, from trained responses."""

    bound: Estimate
    """Mean over seats of what responses gain, chips a hand: exploitability is at least this, up
    to the sampling error that its interval states."""
    seats: tuple[SeatResponse, ...]
    seconds: float

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the bound."""
        return self.bound.interval

    @property
    def deals(self) -> int:
        """Fresh deals that the responses were scored on."""
        return self.bound.units

    def frame_columns(self) -> Columns:
        """Return a row for each seat: what its response wins, chips a hand, and which it was."""
        return {
            "seat": range(len(self.seats)),
            **estimate_columns("value", [seat.value for seat in self.seats]),
            "candidate": [seat.candidate for seat in self.seats],
            "iterations": [seat.iterations for seat in self.seats],
        }


def response_bound(  # noqa: PLR0913 - a budget, a score, a seed: each is one word
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
        [entries] probabilities, as `Solver.strategy` gives them.
    iterations, seconds
        Training of each seat, whichever ends first; one must be given.
    score_deals
        Fresh deals for the score; each is walked for all actions. A quarter as many others
        choose between the candidates.
    seed
        Of all deals: take another one than the strategy's own training had.
    threads
        Threads that share the tables without locks. With one thread and `iterations` the
        result is repeatable bit for bit.
    prior
        Start the responses from the strategy itself, as if it had been right in so many visits
        of each infoset; 0 starts from uniform play. Large games need it: a short training finds
        what is wrong with a good strategy sooner than all that is right about it. (On
        100 bb blueprints, one run each, 100 and 300 found most of 0 to 5,000; 200 was not tried.)

    Returns
    -------
    ResponseBound
        A lower bound: better training finds more.

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
            del tables  # the next seat's would not fit beside them
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
    """Estimate what a seat wins when everybody plays the strategy: the game value, seat 0's.

    Parameters
    ----------
    deals, strategy
        The game, and [entries] probabilities.
    seat
        Whose value.
    score_deals
        Sampled deals; each is walked for all actions.
    seed
        Of the deals.

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


def duel(  # noqa: PLR0913 - a game, two strategies, and how they are compared
    deals: Deals,
    first: NDArray[np.floating[Any]],
    second: NDArray[np.floating[Any]],
    *,
    score_deals: int = 20_000,
    seed: int = 0,
    threads: int = 1,
) -> Estimate:
    """Estimate what a strategy wins from another inside the abstraction, chips a hand.

    Each deal is walked for all actions of both, in both seats: only the luck of the cards is
    left, and of that half.

    Parameters
    ----------
    deals
        The game, of two players.
    first, second
        [entries] probabilities.
    score_deals
        Sampled deals; a deal with its two seats is one unit of the estimate.
    seed
        Of the deals.
    threads
        That share the work; the result does not depend on them.

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
        """Train a seat's response; return how many iterations there were."""
        steady = "wall" not in budget  # without a deadline slices do not depend on the clock
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
        """Take the candidate that wins most on deals that are used for nothing else."""
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
        """What the seat wins on each deal, [deals]."""
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
    """Return how far each clock may run."""
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
    """Regrets worth so many visits of the strategy, in chips of the pot; a trace of average.

    The trace decides where a response is never trained: there it plays the strategy.
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
    """Whether the seats' values cancel on every deal, so that none need be taken off."""
    return deals.tree.spec.players == 2 and deals.tree.spec.rake.percent == 0


def _estimate(values: NDArray[np.float64]) -> Estimate:
    return mean_estimate(values, "normal")


def _checked(deals: Deals, strategy: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    return checked_strategy(deals, strategy, _STRATEGY.type)
