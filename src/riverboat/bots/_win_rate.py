"""Win rate of a seat against unknown hands, which most bots decide by.

For heads-up hold'em there are exact tables. A win rate from n samples is *drawn* from them: wins
and ties of n independent runouts are multinomial with the exact probabilities, so a draw has the
distribution of a simulation and takes a microsecond. With more seats and in other games runouts are
simulated: by the core for hold'em, in NumPy (`simulate`) for short decks, the two-street toy game,
Kuhn and Leduc.
"""

from functools import cache
from typing import Final, get_args

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import HandStrength, SampledShowdowns, Ties, evaluate_batch
from riverboat.errors import GameError
from riverboat.game import GameSpec, View

TIES: Final[tuple[Ties, ...]] = get_args(Ties)
#: Number of samples if `samples=0` and there is no exact table.
SAMPLES_WITHOUT_TABLE: Final = 1000


@cache
def hand_strength() -> HandStrength:
    """Return the exact tables, opened once; missing tables are built first (6 s)."""
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
        raise GameError("a win rate needs known hole cards and board cards")
    low, high = sorted(hole)
    wins, ties, deals = hand_strength().counts(high * (high - 1) // 2 + low, board)
    return wins / deals, ties / deals


def share_above(limit: float, rates: NDArray[np.float64], samples: int) -> NDArray[np.float64]:
    """Return the probability that a sampled win rate is above a limit.

    Parameters
    ----------
    limit
        A win rate.
    rates
        [n] exact win rates.
    samples
        Number of independent runouts; 0 = compare the exact rates.

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
    """Return the probability of at least `least` wins, by the binomial distribution."""
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
    """Return the logarithms of 0!, 1!, ..: [most + 1]."""
    return np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, most + 1)))])


class WinRate:
    """Win rate of a seat against the unknown hands of all opponents in the hand.

    Parameters
    ----------
    seed
        Seed of the samples: the same views in the same order get the same rates.
    samples
        Runouts for each win rate; 0 = exact if there is a table (heads-up hold'em), else 1,000.
    ties
        Value of a tie; `half` is the share of the pot, 1/k among k players.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("nolimit-100bb"), hole=["AsAh", "??"], seed=1).view(0)
    >>> round(WinRate(seed=1)(view), 4), WinRate(seed=1, samples=100)(view)
    (0.852, 0.86)
    """

    def __init__(self, seed: int, samples: int = 0, ties: Ties = "half") -> None:
        if ties not in TIES:
            raise GameError(f"ties={ties!r} must be one of {', '.join(TIES)}")
        if not isinstance(samples, int) or samples < 0:
            raise GameError(
                f"samples={samples!r} is not allowed: give a whole number of at least 0"
            )
        self._seed = seed
        self._samples = samples
        self._ties = ties
        self._random = np.random.default_rng(seed)
        self._stream = 0
        self._spec: GameSpec | None = None
        self._holdem = False
        # Cache of the last hand and board: a bot often decides twice on a street.
        self._cards: tuple[object, ...] = ()
        self._exact = (0.0, 0.0)
        self._showdowns: SampledShowdowns | None = None

    def __call__(self, view: View) -> float:
        """Return the win rate of the view's seat, from 0 to 1."""
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
        """Return the win rate of exact heads-up probabilities."""
        if self._ties == "half":
            return win + tie / 2
        return win + tie if self._ties == "win" else win

    def _drawn(self, win: float, tie: float) -> float:
        """Draw the win rate of `samples` runouts with these probabilities."""
        count, random = self._samples, self._random
        if self._ties != "half":
            return random.binomial(count, min(1.0, self._value(win, tie))) / count
        wins = random.binomial(count, win)
        ties = random.binomial(count - wins, min(1.0, tie / (1 - win))) if tie else 0
        return (wins + ties / 2) / count

    def _simulated(self, view: View, opponents: int, *, fresh: bool) -> float:
        """Return the win rate against several hands, by the core's Monte Carlo."""
        if fresh or self._showdowns is None:
            check_playable(view)
            self._showdowns = SampledShowdowns(view.hole, view.board, opponents)
            self._cards = (view.hole, view.board, opponents)
        self._stream += 1
        return self._count(*self._showdowns(self._number(), self._seed, self._stream))

    def _count(self, win: float, tie: float, share: float, total: float) -> float:
        """Return the win rate of counted wins, ties and shares of the pot."""
        counted = {"half": share, "win": win + tie, "loss": win}[self._ties]
        return counted / total


def check_playable(view: View) -> None:
    """Raise `GameError` if cards are unknown, or the game tosses cards or deals too many."""
    spec = view.spec
    if any(card < 0 for card in view.hole + view.board):
        raise GameError("a win rate needs known hole cards and board cards")
    hole, board = _cards_of(spec)
    ranked = spec.showdown not in ("one-card", "leduc")
    if spec.has_tosses or (ranked and not 5 <= hole + board <= 7):
        raise GameError(
            f"there is no win rate in {spec.name or 'this game'}: "
            "win rates need hands of 5 to 7 cards, and no tossed cards"
        )


def simulate(
    view: View, opponents: int, samples: int, generator: np.random.Generator
) -> tuple[float, float, float, float]:
    """Sample the missing cards and count showdowns.

    Parameters
    ----------
    view
        Hole cards, board and game. Cards that the seat discarded are not dealt again.
    opponents
        Number of opponents.
    samples
        Number of deals.
    generator
        Random generator of the cards.

    Returns
    -------
    win, tie, share, total
        Deals won alone, deals tied, the sum of the shares of the pot, and `samples`.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("kuhn"), hole=["Ks", "??"]).view(0)
    >>> simulate(view, 1, 100, np.random.default_rng(1))
    (100.0, 0.0, 100.0, 100.0)
    """
    check_playable(view)
    spec = view.spec
    num_hole, num_board = _cards_of(spec)
    known = (*view.hole, *view.board)
    gone = {*known, *view.discarded}
    deck = np.array([card for card in spec.deck if card not in gone], np.uint8)
    dealt = generator.permuted(np.tile(deck, (samples, 1)), axis=1)
    own_missing = num_hole - len(view.hole)
    board_missing = num_board - len(view.board)
    board = np.hstack(
        [np.tile(np.array(view.board, np.uint8), (samples, 1)), dealt[:, :board_missing]]
    )
    start = board_missing + own_missing
    own = np.hstack(
        [np.tile(np.array(view.hole, np.uint8), (samples, 1)), dealt[:, board_missing:start]]
    )
    mine = _strengths(spec, own, board)
    best = np.zeros(samples, np.int64)
    level = np.zeros(samples, np.int64)  # opponents with an equal hand
    for index in range(opponents):
        first = start + index * num_hole
        theirs = _strengths(spec, dealt[:, first : first + num_hole], board)
        np.maximum(best, theirs, out=best)
        level += theirs == mine
    wins = float((mine > best).sum())
    tied = mine == best
    return wins, float(tied.sum()), wins + float((1 / (1 + level[tied])).sum()), float(samples)


def _cards_of(spec: GameSpec) -> tuple[int, int]:
    """Return the numbers of hole cards and board cards at the showdown."""
    hole = sum(street.hole for street in spec.streets)
    return hole, spec.board_sizes[-1]


def _strengths(
    spec: GameSpec, hole: NDArray[np.uint8], board: NDArray[np.uint8]
) -> NDArray[np.int64]:
    """Return the strength of each row's hand by the game's showdown rule, at least 1."""
    if spec.showdown in ("high", "short-deck"):
        cards = np.ascontiguousarray(np.hstack([hole, board]))
        return evaluate_batch(cards, short_deck=spec.showdown == "short-deck").astype(np.int64) + 1
    ranks = hole[:, 0].astype(np.int64) // 4 + 1
    if spec.showdown == "leduc":
        ranks += 13 * (board[:, 0] // 4 == hole[:, 0] // 4)
    return ranks
