"""Equity: how often each of 2 to 10 players wins, ties and loses at showdown.

Exact by enumeration where that is feasible, else Monte-Carlo with a seed and a
standard error. A tie among k players gives each 1/k of the pot (half, heads-up);
wins and ties are also given apart, so that any other convention can be had.
"""

import math
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from riverboat import _core
from riverboat.cards.card import CardsLike, as_cards
from riverboat.cards.ranges import Range
from riverboat.errors import CardError

__all__ = ["Equity", "PlayerEquity", "equity"]

Method = Literal["auto", "exact", "monte-carlo"]
Ties = Literal["half", "win", "loss"]

#: Exact work in hand evaluations above which `auto` samples: about 3 s on 2 cores.
EXACT_WORK_LIMIT = 2e9
_PARALLEL_WORK = 2e6
_CHUNK = 1 << 18
_NORMAL_95 = 1.959964


@dataclass(frozen=True, slots=True)
class PlayerEquity:
    """One player's part: probabilities of winning alone, of tying and of losing."""

    win: float
    tie: float
    lose: float
    equity: float
    """Share of the pot, a tie among k counting 1/k."""
    standard_error: float
    """Of `equity`; 0 where it is exact."""

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of `equity`."""
        half = _NORMAL_95 * self.standard_error
        return self.equity - half, self.equity + half

    def win_rate(self, ties: Ties = "half") -> float:
        """Win rate with ties counted as `half` (the share of the pot), `win` or `loss`."""
        rates = {"half": self.equity, "win": self.win + self.tie, "loss": self.win}
        if ties not in rates:
            raise CardError(f"ties={ties!r} is not known: ties count as half, win or loss")
        return rates[ties]


@dataclass(frozen=True, slots=True)
class Equity:
    """The result of `equity`."""

    players: tuple[PlayerEquity, ...]
    method: Literal["exact", "monte-carlo"]
    deals: float
    """Deals counted (by weight) where exact, samples drawn where not."""
    seed: int | None
    """Seed of the samples, or None where exact."""


def equity(
    *players: Range | str,
    board: CardsLike = "",
    dead: CardsLike = "",
    method: Method = "auto",
    samples: int = 1_000_000,
    seed: int = 0,
) -> Equity:
    """Compute how often each player wins, ties and loses at showdown.

    Parameters
    ----------
    players
        2 to 10 hands or ranges: `Range` objects or text such as `AhKh`,
        `22+, AKs:0.5` or `random`.
    board
        0, 3, 4 or 5 cards.
    dead
        Cards that nobody holds and that cannot come.
    method
        `exact` enumerates, `monte-carlo` samples, `auto` enumerates where that
        takes seconds at most.
    samples, seed
        Of Monte-Carlo. The same seed gives the same result on any machine.

    Returns
    -------
    Equity
        With win, tie and lose apart; a tie among k players counts 1/k.

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
    if method not in {"auto", "exact", "monte-carlo"}:
        raise CardError(f"method={method!r} is not known: use auto, exact or monte-carlo")
    if not 1 <= samples <= 10**12:
        raise CardError(f"samples={samples} is not possible: take 1 to 1,000,000,000,000")
    if not 0 <= seed < 2**64:
        raise CardError(f"seed={seed} is not possible: seeds are 0 to 2^64 - 1")
    if not 2 <= len(players) <= 10:
        raise CardError(f"equity is for 2 to 10 players, not {len(players)}")
    table = _core.EquityTable(
        np.stack([_weights(player) for player in players]),
        np.array(as_cards(board), np.uint8),
        np.array(as_cards(dead), np.uint8),
    )
    if method == "auto":
        method = "exact" if table.exact_work() <= EXACT_WORK_LIMIT else "monte-carlo"
    if method == "exact":
        return _exact(table, len(players))
    return _sampled(table, len(players), samples, seed)


@lru_cache(maxsize=256)
def _parsed(text: str) -> NDArray[np.float64]:
    return Range.parse(text).weights


def _weights(player: Range | str) -> NDArray[np.float64]:
    return _parsed(player) if isinstance(player, str) else player.weights


def _exact(table: _core.EquityTable, num_players: int) -> Equity:
    sums = np.zeros((4, num_players))
    if table.exact_work() < _PARALLEL_WORK:
        total = table.exact_into(0, 52, sums)
    else:

        def part(card: int) -> tuple[float, NDArray[np.float64]]:
            out = np.zeros((4, num_players))
            return table.exact_into(card, card + 1, out), out

        # Run-outs by their highest card, dearest first so that no core waits at the end.
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            parts = list(pool.map(part, range(51, -1, -1)))
        total = math.fsum(weight for weight, _ in parts)
        sums = np.sum([out for _, out in parts], axis=0)
    if total <= 0:
        raise CardError("no deal is possible: the players' hands, board and dead cards share cards")
    return Equity(_players(sums, total, exact=True), "exact", total, None)


def _sampled(table: _core.EquityTable, num_players: int, samples: int, seed: int) -> Equity:
    def part(stream: int) -> NDArray[np.float64]:
        out = np.zeros((4, num_players))
        table.sample_into(min(_CHUNK, samples - stream * _CHUNK), seed, stream, out)
        return out

    chunks = range(-(-samples // _CHUNK))
    if len(chunks) == 1:
        sums = part(0)
    else:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            sums = sum(pool.map(part, chunks), start=np.zeros((4, num_players)))
    return Equity(_players(sums, samples, exact=False), "monte-carlo", samples, seed)


def _players(sums: NDArray[np.float64], total: float, *, exact: bool) -> tuple[PlayerEquity, ...]:
    players = []
    for win, tie, share, square in sums.T.tolist():
        mean = share / total
        error = 0.0 if exact else math.sqrt(max(0.0, square / total - mean * mean) / total)
        lose = max(0.0, total - win - tie)
        players.append(PlayerEquity(win / total, tie / total, lose / total, mean, error))
    return tuple(players)
