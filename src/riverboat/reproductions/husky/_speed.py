"""How fast cards are evaluated and hands are played, on one core."""

import statistics
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from riverboat.arena import play_match
from riverboat.cards import evaluate, evaluate_batch, evaluate_few, evaluate_few_batch
from riverboat.game import Hand, catalogue, simulate
from riverboat.reproductions._run import ReproductionRun
from riverboat.reproductions.husky._recipe import DATA
from riverboat.reproductions.husky._results import Rate, SeatSpeed, Speeds

#: So many that neither caches nor the guesses of branches can know them from the last time.
_HANDS = 200_000
_EVALUATION_ROUND = 0.01
_PLAY_ROUND = 0.1  # seconds
_LEAST_ROUNDS = 3
_FULL = 5  # cards of a whole hand; fewer are ranked by tables of their own

#: Gets the number of its call, so that each may deal other cards; returns how many hands it did.
Work = Callable[[int], int]


def measure_speeds(run: ReproductionRun) -> Speeds:
    """Measure everything, figure by figure."""
    seconds, counts = DATA.amounts(run).speed_seconds, DATA.amounts(run).speed_seats
    hands = random_hands(run.seed)
    one, batch = {}, {}
    for cards in range(2, 8):
        run.tell(0.02 * cards, f"evaluates hands of {cards} cards")
        some = np.ascontiguousarray(hands[:, :cards])
        one[cards] = measure_rate(partial(_one_by_one, some.tolist()), seconds, _EVALUATION_ROUND)
        batch[cards] = measure_rate(partial(_batch, some), seconds, _EVALUATION_ROUND)
    tables = {}
    for part, seats in run.part(0.2, 1.0).parts(counts):
        part.tell(0.0, f"plays with {seats} seats")
        tables[seats] = _table(seats, seconds)
    return Speeds(one, batch, tables, len(hands))


def random_hands(seed: int) -> NDArray[np.uint8]:
    """Deal the hands that are evaluated.

    Returns
    -------
    [n, 7] uint8
        Cards 0..51, those of a row all different.
    """
    decks = np.tile(np.arange(52, dtype=np.uint8), (_HANDS, 1))
    return np.random.default_rng(seed).permuted(decks, axis=1)[:, :7]


def measure_rate(
    work: Work,
    seconds: float,
    round_seconds: float,
    clock: Callable[[], float] = time.process_time,
) -> Rate:
    """Measure rounds, as many as fit but at least three, and take their median.

    Parameters
    ----------
    work
        Gets the number of its call and returns how much it did. Its first call is not counted.
    seconds
        For all rounds.
    round_seconds
        A round calls `work` until so much has passed.
    clock
        Seconds of the processor: the machine may be busy.
    """
    work(0)
    call, rates, end = 1, list[float](), clock() + seconds
    while len(rates) < _LEAST_ROUNDS or clock() < end:
        done, start = 0, clock()
        while (spent := clock() - start) < round_seconds:
            done += work(call)
            call += 1
        rates.append(done / spent)
    return Rate(statistics.median(rates), min(rates), max(rates), len(rates))


def _one_by_one(hands: list[list[int]], call: int) -> int:
    del call
    rank = evaluate if len(hands[0]) >= _FULL else evaluate_few
    for hand in hands:
        rank(hand)
    return len(hands)


def _batch(hands: NDArray[np.uint8], call: int) -> int:
    del call
    rank = evaluate_batch if hands.shape[1] >= _FULL else evaluate_few_batch
    return len(rank(hands))


def _table(seats: int, seconds: float) -> SeatSpeed:
    works = (_play_bots, _play_rules, _play_random)
    rates = [measure_rate(partial(work, seats), seconds, _PLAY_ROUND) for work in works]
    return SeatSpeed(*rates)


def _play_bots(seats: int, call: int) -> int:
    return play_match(["fish"] * seats, hands=200 * seats, seed=call).hands


def _play_rules(seats: int, call: int) -> int:
    spec = catalogue("nolimit-100bb", seats)
    for deal in range(500):
        hand = Hand(spec, seed=500 * call + deal)
        while not hand.finished:
            hand.check_or_call()
        hand.payoffs()
    return 500


def _play_random(seats: int, call: int) -> int:
    return simulate(catalogue("nolimit-100bb", seats), 10_000, seed=call).hands
