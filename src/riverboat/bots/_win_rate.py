"""How often a seat would win against unknown hands: what most bots decide by.

Heads-up hold'em is looked up in the exact tables. A rate from n samples is then
*drawn*: wins and ties of n independent run-outs are multinomial with the exact
probabilities, so the draw has the distribution of a simulation and costs a
microsecond. With more seats, and in other games, run-outs are simulated.
"""

from functools import cache
from typing import Final, get_args

import numpy as np
from numpy.typing import NDArray

from riverboat.bots._run_outs import check_playable, simulate
from riverboat.cards import HandStrength, SampledShowdowns, Ties
from riverboat.errors import GameError
from riverboat.game import GameSpec, View

TIES: Final[tuple[Ties, ...]] = get_args(Ties)
#: Samples where `samples=0` asks for an exact rate and there is no table.
SAMPLES_WITHOUT_TABLE: Final = 1000


@cache
def hand_strength() -> HandStrength:
    """Return the exact tables, opened once; built first where they are missing (6 s)."""
    return HandStrength()


def exact_rates(hole: tuple[int, ...], board: tuple[int, ...]) -> tuple[float, float]:
    """Return the probabilities of winning and of a tie against one unknown hand.

    Examples
    --------
    >>> win, tie = exact_rates((50, 51), ())  # two aces
    >>> round(win, 4), round(tie, 4)
    (0.8493, 0.0054)
    """
    if min(hole) < 0 or (board and min(board) < 0):
        raise GameError("there is no win rate while own or public cards are unknown")
    low, high = hole
    wins, ties, deals = hand_strength().counts(_hole_index(low, high), board)
    return wins / deals, ties / deals


def _hole_index(first: int, second: int) -> int:
    low, high = (first, second) if first < second else (second, first)
    return high * (high - 1) // 2 + low


def share_above(limit: float, rates: NDArray[np.float64], samples: int) -> NDArray[np.float64]:
    """Return how likely a rate from so many samples is above a limit; 0 samples are exact.

    Parameters
    ----------
    limit
        A rate.
    rates
        [n] the exact ones.
    samples
        Independent run-outs.

    Examples
    --------
    >>> share_above(0.5, np.array([0.5, 0.9]), samples=1).tolist()
    [0.5, 0.9]
    """
    if not samples:
        return (rates > limit).astype(np.float64)
    counts = np.arange(samples + 1)
    wins = counts[counts / samples > limit]
    if not len(wins):
        return np.zeros(len(rates))
    different, places = np.unique(rates, return_inverse=True)
    shares = [_at_least(int(wins[0]), float(rate), samples) for rate in different]
    return np.array(shares)[places]


def _at_least(least: int, rate: float, samples: int) -> float:
    """Probability of at least so many wins: the binomial distribution, summed from its middle."""
    mean, spread = samples * rate, 12 * (samples * rate * (1 - rate)) ** 0.5 + 2
    if least <= mean - spread or least <= 0:
        return 1.0
    if least >= mean + spread or least > samples:
        return 0.0
    wins = np.arange(least, min(samples, int(mean + spread)) + 1)
    ways = _log_factorials(samples)
    logs = ways[samples] - ways[wins] - ways[samples - wins]
    logs = logs + wins * np.log(rate) + (samples - wins) * np.log1p(-rate)
    return float(min(1.0, np.exp(logs).sum()))


@cache
def _log_factorials(most: int) -> NDArray[np.float64]:
    """[most + 1] logarithms of 0!, 1!, .."""
    return np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, most + 1)))])


class WinRate:
    """Win rate of a seat against as many unknown hands as it has live opponents.

    Parameters
    ----------
    seed
        Of the samples: the same views in the same order get the same rates.
    samples
        Run-outs for each answer; 0 = the exact rate where there is a table
        (heads-up hold'em), else 1,000 samples.
    ties
        What a tie counts; `half` is the share of the pot, 1/k among k.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("nolimit-100bb"), hole=["AsAh", "??"], seed=1).view(0)
    >>> round(WinRate(seed=1)(view), 4), WinRate(seed=1, samples=100)(view)
    (0.852, 0.86)
    """

    def __init__(self, seed: int, samples: int = 0, ties: Ties = "half") -> None:
        if ties not in TIES:
            raise GameError(f"ties={ties!r} is not known: ties count as {', '.join(TIES)}")
        if not isinstance(samples, int) or samples < 0:
            raise GameError(f"samples={samples!r} is not possible: it is a whole number from 0 on")
        self._seed = seed
        self._samples = samples
        self._ties = ties
        self._random = np.random.default_rng(seed)
        self._stream = 0
        self._spec: GameSpec | None = None
        self._holdem = False
        # The last hand and board asked for: bots are often asked twice on a street.
        self._cards: tuple[object, ...] = ()
        self._exact = (0.0, 0.0)
        self._showdowns: SampledShowdowns | None = None

    def __call__(self, view: View) -> float:
        """Return the rate, 0 to 1, of the view's seat."""
        if view.spec is not self._spec:
            self._spec = view.spec
            self._holdem = view.spec.is_holdem
            self._cards = ()
        opponents = len(view.live) - 1
        cards = (view.hole, view.board, opponents)
        if not self._holdem:
            return self._count(*simulate(view, opponents, self._number(), self._random))
        if opponents > 1:
            return self._simulated(view, opponents, fresh=cards != self._cards)
        if cards != self._cards:
            self._exact = exact_rates(view.hole, view.board)
            self._cards = cards
        return self._drawn(*self._exact) if self._samples else self._value(*self._exact)

    def _number(self) -> int:
        return self._samples or SAMPLES_WITHOUT_TABLE

    def _value(self, win: float, tie: float) -> float:
        """Rate of exact heads-up probabilities."""
        if self._ties == "half":
            return win + tie / 2
        return win + tie if self._ties == "win" else win

    def _drawn(self, win: float, tie: float) -> float:
        """Rate of `samples` run-outs that have these probabilities."""
        count, random = self._samples, self._random
        if self._ties != "half":
            return random.binomial(count, min(1.0, self._value(win, tie))) / count
        wins = random.binomial(count, win)
        ties = random.binomial(count - wins, min(1.0, tie / (1 - win))) if tie else 0
        return (wins + ties / 2) / count

    def _simulated(self, view: View, opponents: int, *, fresh: bool) -> float:
        """Rate against several hands, by the core's Monte-Carlo."""
        if fresh or self._showdowns is None:
            check_playable(view)
            self._showdowns = SampledShowdowns(view.hole, view.board, opponents)
            self._cards = (view.hole, view.board, opponents)
        self._stream += 1
        return self._count(*self._showdowns(self._number(), self._seed, self._stream))

    def _count(self, win: float, tie: float, share: float, total: float) -> float:
        """Rate of counted wins, ties and shares of the pot."""
        counted = {"half": share, "win": win + tie, "loss": win}[self._ties]
        return counted / total
