"""Equity: how often each of 2 to 10 players wins, ties and loses at showdown.

Exact by enumeration where that is feasible, else Monte Carlo with a random seed and a standard
error. A tie among k players gives each 1/k of the pot (half, heads-up). Wins and ties are
returned separately too, for other conventions.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.cards._card import CardsLike, as_cards
from riverboat.cards._checks import whole_number
from riverboat.cards._holes import NUM_HOLES, hole_index, parse_hole
from riverboat.cards._ranges import Range
from riverboat.errors import CardError, RangeError
from riverboat.report import Columns, Framed

if TYPE_CHECKING:
    from riverboat.runs import Stop

EquityMethod = Literal["auto", "exact", "monte-carlo"]
#: How a tie counts: as its share of the pot, as a win or as a loss.
Ties = Literal["half", "win", "loss"]

#: `auto` samples above this many hand evaluations, which take some seconds on 2 cores.
EXACT_WORK_LIMIT = 2e9
#: `exact` is refused above this many, which take some minutes.
EXACT_WORK_MAXIMUM = 100 * EXACT_WORK_LIMIT
_EVALUATIONS_PER_SECOND = 6e8  # roughly, measured on 2 cores
_PARALLEL_WORK = 2e6
_PARALLEL_SAMPLES = 1 << 14
_CHUNK = 1 << 18


@dataclass(frozen=True, slots=True)
class PlayerEquity:
    """Probabilities that one player wins alone, ties and loses."""

    win: float
    tie: float
    lose: float
    equity: float
    """Share of the pot; a tie among k players counts 1/k."""
    standard_error: float
    """Standard error of `equity`: 0 if exact, at least 1/n with n samples."""

    @property
    def interval(self) -> tuple[float, float]:
        """95 % confidence interval of `equity`, within 0 to 1."""
        from riverboat.statistics import NORMAL_95  # noqa: PLC0415 - slow to import

        half = NORMAL_95 * self.standard_error
        return max(0.0, self.equity - half), min(1.0, self.equity + half)

    def win_rate(self, ties: Ties = "half") -> float:
        """Return the win rate with ties as `half` (the share of the pot), `win` or `loss`."""
        rates = {"half": self.equity, "win": self.win + self.tie, "loss": self.win}
        if ties not in rates:
            raise CardError(f"ties={ties!r} is not known: use half, win or loss")
        return rates[ties]


@dataclass(frozen=True, slots=True)
class Equity(Framed):
    """The result of `equity`."""

    players: tuple[PlayerEquity, ...]
    method: Literal["exact", "monte-carlo"]
    deals: float
    """Weighted number of deals if exact, else the number of samples."""
    seed: int | None
    """Random seed of the samples; None if exact."""

    def frame_columns(self) -> Columns:
        """Return a row for each player, with the 95 % confidence interval of the equity."""
        names = ("win", "tie", "lose", "equity", "standard_error")
        values = {name: [getattr(player, name) for player in self.players] for name in names}
        low, high = zip(*(player.interval for player in self.players), strict=True)
        return {"player": range(len(self.players)), **values, "low": low, "high": high}


def equity(  # noqa: PLR0913 - options by keyword
    *players: Range | CardsLike,
    board: CardsLike = "",
    dead: CardsLike = "",
    method: EquityMethod = "auto",
    samples: int = 1_000_000,
    seed: int = 0,
    stop: "Stop | None" = None,
) -> Equity:
    """Compute how often each player wins, ties and loses at showdown.

    Parameters
    ----------
    players
        2 to 10 hands or ranges: `Range` objects, text such as `AhKh`,
        `22+, AKs:0.5` or `random`, or two cards such as `["Ah", "Kh"]`.
    board
        0, 3, 4 or 5 cards.
    dead
        Cards that are not in the deck, such as folded ones.
    method
        `exact` enumerates and refuses work of hours, `monte-carlo` samples, `auto`
        enumerates if that takes a few seconds at most.
    samples, seed
        For Monte Carlo. The same seed gives the same result on any machine.
        Many players with overlapping ranges are slow to sample, because hands
        that share a card are rejected and drawn again.
    stop
        Another thread ends the computation with `stop.ask()`; that raises an error here.

    Returns
    -------
    Equity
        Separate win, tie and lose; in `equity` a tie among k players counts 1/k.

    Raises
    ------
    CardError, RangeError
        If a hand, range or card does not exist, or no deal is possible.

    Examples
    --------
    >>> result = equity("AhKh", "random", board="Qh7c2d")
    >>> round(result.players[0].equity, 6), result.method
    (0.580426, 'exact')
    """
    if method not in get_args(EquityMethod):
        raise CardError(f"method={method!r} is not known: use auto, exact or monte-carlo")
    sentence = f"samples={samples!r} is not allowed: take 1 to 1,000,000,000,000"
    samples = whole_number(samples, range(1, 10**12 + 1), sentence)
    sentence = f"seed={seed!r} is not allowed: seeds are whole numbers 0 to 2^64 - 1"
    seed = whole_number(seed, range(2**64), sentence)
    if not 2 <= len(players) <= 10:
        raise CardError(f"equity needs 2 to 10 players, not {len(players)}")
    weights = np.stack([_weights(player) for player in players])
    # Products of tiny weights would underflow; the kernels need only their proportions.
    scales = weights.max(axis=1)
    scales[scales == 0] = 1
    table = _core.EquityTable(
        weights / scales[:, None],
        np.array(as_cards(board), np.uint8),
        np.array(as_cards(dead), np.uint8),
    )
    if stop is not None:
        stop.then(table.stop)
    work = math.inf if method == "monte-carlo" else table.exact_work()
    with _unless_stopped(stop):
        if method == "exact" or (method == "auto" and work <= EXACT_WORK_LIMIT):
            return _exact(table, len(players), work, float(np.prod(scales)))
        return _sampled(table, len(players), samples, seed)


@contextmanager
def _unless_stopped(stop: "Stop | None") -> Iterator[None]:
    """Raise an error if the kernels were stopped: their sums are undefined, or they failed."""
    try:
        yield
    finally:
        if stop is not None and stop.asked:
            raise CardError("the computation of equities was stopped")


@lru_cache(maxsize=256)
def _parsed(text: str) -> NDArray[np.float64]:
    try:
        return Range.parse(text).weights
    except RangeError:
        with suppress(CardError):  # `Ah Kh` is not a range, but one hand
            return _one_hand(parse_hole(text))
        raise


def _one_hand(hole: int) -> NDArray[np.float64]:
    weights = np.zeros(NUM_HOLES)
    weights[hole] = 1
    return weights


def _weights(player: Range | CardsLike) -> NDArray[np.float64]:
    if isinstance(player, Range):
        return player.weights
    if isinstance(player, str):
        return _parsed(player)
    cards = as_cards(player)
    if len(cards) != 2:
        raise CardError(f"a hand has 2 cards, not {len(cards)}: a range is text or a Range")
    return _one_hand(hole_index(*cards))


def _exact(table: _core.EquityTable, num_players: int, work: float, scale: float) -> Equity:
    from riverboat.runs import in_order  # noqa: PLC0415 - slow to import

    if work > EXACT_WORK_MAXIMUM:
        raise CardError(
            f"enumerating every deal would take about {work:.0e} hand evaluations, "
            f"{_duration(work / _EVALUATIONS_PER_SECOND)} or so: use method='monte-carlo'"
        )

    def part(cards: tuple[int, int]) -> tuple[float, NDArray[np.float64]]:
        out = np.zeros((4, num_players))
        return table.exact_into(*cards, out), out

    # Runouts by their highest card, the slowest first, so that no core is idle at the end.
    slices = [(card, card + 1) for card in range(51, -1, -1)]
    small = work < _PARALLEL_WORK
    parts = [part((0, 52))] if small else list(in_order(part, slices, stop=table.stop))
    total = math.fsum(weight for weight, _ in parts)
    if total <= 0:
        raise CardError("no deal is possible: the players' ranges share cards")
    sums = np.sum([out for _, out in parts], axis=0)
    return Equity(_players(sums, total, exact=True), "exact", total * scale, None)


def _duration(seconds: float) -> str:
    for unit, length in (("years", 3.2e7), ("days", 86_400), ("hours", 3_600)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.0f} {unit}"
    return f"{seconds / 60:,.0f} minutes"


def _sampled(table: _core.EquityTable, num_players: int, samples: int, seed: int) -> Equity:
    from riverboat.runs import in_order  # noqa: PLC0415 - slow to import

    def part(stream: int) -> NDArray[np.float64]:
        out = np.zeros((4, num_players))
        table.sample_into(min(_CHUNK, samples - stream * _CHUNK), seed, stream, out)
        return out

    chunks = range(-(-samples // _CHUNK))
    small = samples <= _PARALLEL_SAMPLES
    parts = map(part, chunks) if small else in_order(part, chunks, stop=table.stop)
    sums = sum(parts, start=np.zeros((4, num_players)))
    return Equity(_players(sums, samples, exact=False), "monte-carlo", samples, seed)


def _players(sums: NDArray[np.float64], total: float, *, exact: bool) -> tuple[PlayerEquity, ...]:
    players = []
    for win, tie, share, square in sums.T.tolist():
        mean = share / total
        error = 0.0 if exact else _standard_error(mean, square, total)
        lose = max(0.0, total - win - tie)
        players.append(PlayerEquity(win / total, tie / total, lose / total, mean, error))
    return tuple(players)


def _standard_error(mean: float, square: float, samples: float) -> float:
    """Return the standard error of the mean, at least 1 / samples."""
    variance = max(0.0, square - samples * mean * mean) / max(1.0, samples - 1)
    return max(math.sqrt(variance / samples), 1 / samples)
