"""What an engine is given: a schedule of discounts, ranges, a gadget, hands of one-card games.

A schedule says how fast the solver forgets. Discounted CFR (Brown & Sandholm, AAAI 2019)
multiplies, in iteration t, positive regrets by t^alpha / (t^alpha + 1), negative ones by
t^beta / (t^beta + 1), and the average by (t / (t + 1))^gamma. Here the three exponents may move
with t, and the average may start again.

A gadget is for safe re-solving: it says what the opponent could have had before a spot is solved
again. What the core would not take is refused in a sentence.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from riverboat import _core
from riverboat.cards import NUM_HOLES, hole_index
from riverboat.errors import GameError, SpotError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from riverboat.game import GameSpec
    from riverboat.tree import Tree

GadgetMode = Literal["resolve", "maxmargin", "reach", "combined"]
#: By name, as `Gadget` explains them.
GADGET_MODES: tuple[GadgetMode, ...] = get_args(GadgetMode)


@dataclass(frozen=True, slots=True)
class Schedule:
    """How regrets and the average are discounted, iteration by iteration.

    Parameters
    ----------
    first, last
        The exponents (alpha, beta, gamma) at the start and from iteration `over` on; between they
        move in a straight line. `inf` keeps all, `-inf` nothing.
    over
        Iterations from `first` to `last`.
    lag
        Iterations by which the discounts of regrets lag behind: with 1 the regrets of the first
        iteration, which are those of even play, count for nothing.
    restart
        The average starts again at the powers of this number; 0 = never.
    own_reach
        Whether the average weighs a strategy by the player's own reach. Without it each hand's
        strategies count alike, however rarely it came there.
    predictive
        Whether the last regrets are added as a prediction of the next (PCFR+).

    Examples
    --------
    >>> SCHEDULES["linear"].factors(1, 2).tolist()
    [[0.5, 0.5, 0.5, 1.0]]
    """

    first: tuple[float, float, float]
    last: tuple[float, float, float] | None = None
    over: int = 0
    lag: int = 0
    restart: int = 0
    own_reach: bool = True
    predictive: bool = False

    def __post_init__(self) -> None:
        if self.restart < 0 or self.restart == 1 or self.over < 0 or self.lag < 0:
            raise GameError(
                f"a schedule restarts at powers of 2 or more, or never (0), not of {self.restart}; "
                f"moves over 0 iterations or more, not {self.over}; and lags by 0 or more, not "
                f"{self.lag}"
            )

    def exponents(self, iteration: int) -> tuple[float, float, float]:
        """Return (alpha, beta, gamma) of an iteration, which count from 0."""
        if self.last is None or not self.over:
            return self.last or self.first
        share = min(1.0, iteration / self.over)
        pairs = zip(self.first, self.last, strict=True)
        alpha, beta, gamma = (a if a == b else a + (b - a) * share for a, b in pairs)
        return alpha, beta, gamma

    def factors(self, begin: int, end: int, *, running_mean: bool = False) -> NDArray[np.float32]:
        """Return what is multiplied in each iteration.

        Parameters
        ----------
        begin, end
            Iterations, from 0.
        running_mean
            Whether the average is a mean of the strategies instead of their sum.

        Returns
        -------
        ndarray
            `[iterations, 4] float32`: factors of positive and of negative regrets, of the average,
            and of the strategy that is added to it.
        """
        rows = [self._row(t) for t in range(0 if running_mean else begin, end)]
        if running_mean:
            total = 0.0
            for t, (positive, negative, keep, _) in enumerate(rows):
                total = total * keep + 1
                rows[t] = positive, negative, 1 - 1 / total, 1 / total
            rows = rows[begin:]
        return np.array(rows, dtype=np.float32).reshape(-1, 4)

    def _row(self, iteration: int) -> tuple[float, float, float, float]:
        """Return the factors of one iteration."""
        alpha, beta, gamma = self.exponents(iteration)
        age = iteration - _last_power(iteration, self.restart)
        old = max(iteration - self.lag, 0)
        return _kept(old, alpha), _kept(old, beta), _mean_kept(age, gamma), 1.0


def _last_power(iteration: int, base: int) -> int:
    """Return the largest power of a base that is not above the iteration; 0 below 1."""
    if not base or not iteration:
        return 0
    power = 1
    while power * base <= iteration:
        power *= base
    return power


def _kept(iteration: int, exponent: float) -> float:
    """Return t^x / (t^x + 1)."""
    if exponent in (math.inf, -math.inf):
        return 1.0 if exponent > 0 else 0.0
    power = float(iteration**exponent) if iteration else float(exponent == 0)
    return power / (power + 1)


def _mean_kept(iteration: int, exponent: float) -> float:
    """Return (t / (t + 1))^x."""
    return float((iteration / (iteration + 1)) ** exponent) if iteration else 0.0


#: A ramp from fast forgetting to slow: docs/spots.md compares it with the others.
DEFAULT = Schedule((1.5, 0.0, 6.0), (1.25, 0.5, 4.0), over=200)

#: By name. `pfs` is what postflop-solver does: the average restarts and ignores the own reach.
SCHEDULES: dict[str, Schedule] = {
    "ramp": DEFAULT,
    "pfs": Schedule((1.5, 0.0, 3.0), lag=1, restart=4, own_reach=False),
    "dcfr": Schedule((1.5, 0.0, 2.0)),
    "slow": Schedule((1.25, 0.5, 4.0)),
    "linear": Schedule((1.0, 1.0, 1.0)),
    "cfr+": Schedule((math.inf, -math.inf, 2.0)),
    "pcfr+": Schedule((math.inf, -math.inf, 2.0), predictive=True),
}


def find_schedule(schedule: str | Schedule) -> Schedule:
    """Return a schedule, or the one of a name."""
    if isinstance(schedule, Schedule):
        return schedule
    if schedule not in SCHEDULES:
        raise SpotError(f"there is no schedule {schedule!r}: there are {', '.join(SCHEDULES)}")
    return SCHEDULES[schedule]


def schedule_text(schedule: Schedule) -> str:
    """Return a schedule's name, or its numbers where it has none."""
    named = (name for name, known in SCHEDULES.items() if known == schedule)
    return next(named, repr(schedule))


@dataclass(frozen=True, slots=True, eq=False)
class Gadget:
    """A choice that one player has before the root: so that solving again gives him no more.

    Parameters
    ----------
    player
        The opponent: 0 or 1.
    values
        T, `[1326]` chips: what each of his hands was worth at the root before, in the unit of
        `Engine.values`, which is the share of the pot there less what is put in later, against the
        other's range as it came there. `inf` = the hand never enters, `-inf` = it always does.
    mode
        - `resolve`: each hand enters or takes T (Burch, Johanson & Bowling 2014). No hand gets more
          than T where that can be; what it gets below does not matter.
        - `maxmargin`: the opponent chooses his hand, and wins what is above its T: the least margin
          becomes as large as can be (Moravcik et al. 2016).
        - `reach`: `maxmargin` with T raised by `gifts` (Brown & Sandholm 2017).
        - `combined`: plays against the opponent's range, plus what enters as in `resolve`, plus an
          even share (Slumbot 2019). It bounds nothing; it insures.

        In all but `combined` the weights of the opponent's range only say which hands he may have.
    cap
        `combined`: entries are at most this part of the range.
    even
        `combined`: this part of both is spread over all of his hands.
    gifts
        `reach`: `[1326]` chips that each hand gave away by coming here.

    Examples
    --------
    Aces or queens have bet all-in, and kings may call. If queens had nothing before, and aces 26
    2/3, kings must call 2/3.

    >>> from riverboat.cards import hole_index, parse_cards
    >>> from riverboat.spots import Engine, Spot
    >>> spot = Spot(board="2s3h4d6c7c", pot=20, stack=10, oop="AsAh, QsQh", ip="KsKh", menu="a")
    >>> aces, queens, kings = (hole_index(*parse_cards(h)) for h in ("AsAh", "QsQh", "KsKh"))
    >>> values = np.full(1326, np.nan)
    >>> values[[aces, queens]] = 80 / 3, 0
    >>> ranges = spot.ranges[0].weights, spot.ranges[1].weights
    >>> tree, bet = spot.tree(), np.repeat([[0.0], [1.0]], 1326, axis=1)
    >>> engine = Engine(tree, spot.cards, ranges, gadget=Gadget(0, values))
    >>> engine.lock(0, (), bet)
    >>> engine.run(1000)
    >>> round(float(engine.strategy(tree.node("b10"))[1, kings]), 2)
    0.67
    >>> bool(np.nanmin(engine.margins()) > -0.05)
    True
    """

    player: int
    values: ArrayLike
    mode: GadgetMode = "resolve"
    cap: float = 0.2
    even: float = 0.1
    gifts: ArrayLike | None = None

    def __post_init__(self) -> None:
        if self.mode not in GADGET_MODES:
            raise GameError(
                f"there is no gadget {self.mode!r}: there are {', '.join(GADGET_MODES)}"
            )
        if self.player not in (0, 1):
            raise GameError(f"a gadget is of player 0 or 1, not {self.player!r}")
        if not (0 <= self.cap < np.inf and 0 <= self.even < np.inf):
            raise GameError(
                f"cap and even are parts of a range, from 0 on, not {self.cap} and {self.even}"
            )
        if (self.gifts is not None) != (self.mode == "reach"):
            raise GameError(f"gifts go with the mode reach, and only with it, not {self.mode}")

    def raised(self) -> NDArray[np.float64]:
        """Return `[1326] float64`: T in chips, with gifts."""
        values = np.array(self.values, dtype=np.float64)
        gifts = np.zeros(NUM_HOLES) if self.gifts is None else np.asarray(self.gifts, np.float64)
        if values.shape != (NUM_HOLES,) or gifts.shape != (NUM_HOLES,):
            raise GameError(
                f"values and gifts of a gadget are [1326], not {list(values.shape)} and "
                f"{list(gifts.shape)}"
            )
        return values + gifts

    def weighed(self, ranges: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return both ranges as they count: but for `combined` the opponent's hands are even."""
        if self.mode == "combined":
            return ranges
        counted = ranges.copy()
        counted[self.player] = ranges[self.player] > 0
        return counted


def checked_down(
    tree: Tree, board: Sequence[int], reach: tuple[ArrayLike, ArrayLike]
) -> NDArray[np.float64]:
    """Return `[2, 1326]`: shares of the pot of both players' hands if no more bets came.

    `board` has 3 cards at least. nan where a hand cannot be, or meets nobody.
    """
    out = np.empty((2, NUM_HOLES))
    weights = np.ascontiguousarray(reach, dtype=np.float64)
    _core.checked_down_into(tree.compiled, [int(card) for card in board], weights, out)
    return out


def check_iterations(iterations: int) -> None:
    """Refuse what is no number of iterations."""
    if not isinstance(iterations, int) or iterations < 0:
        raise GameError(f"iterations are a whole number from 0, not {iterations!r}")


def core_schedule(schedule: Schedule, running_mean: bool) -> _core.SpotSchedule:
    """Return a schedule as the core has it: its factors in Python take as long as a river."""
    last = schedule.last or schedule.first
    first = schedule.first if schedule.over else last
    moves = schedule.over, schedule.lag, schedule.restart
    return _core.SpotSchedule(first, last, *moves, running_mean)


def core_gadget(gadget: Gadget) -> _core.SpotGadget:
    """Return a gadget as the core has it."""
    mode = "maxmargin" if gadget.mode == "reach" else gadget.mode
    return _core.SpotGadget(gadget.player, mode, gadget.raised(), gadget.cap, gadget.even)


def core_weights(
    ranges: tuple[ArrayLike, ArrayLike], gadget: Gadget | None = None
) -> NDArray[np.float32]:
    """Return both ranges as the core takes them."""
    weights = np.ascontiguousarray(ranges, dtype=np.float32)
    if weights.shape != (2, NUM_HOLES):
        raise GameError(f"two ranges are [2, 1326] weights, not {list(weights.shape)}")
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise GameError("weights of a range are finite and not negative")
    return weights if gadget is None else gadget.weighed(weights)


def check_bits(bits: int, schedule: Schedule) -> None:
    """Refuse tables that there are not."""
    if bits not in (32, 16):
        raise GameError(f"tables have 32 or 16 bits, not {bits!r}")
    if bits == 16 and schedule.predictive:
        raise GameError("tables of 16 bits have no room for predictions: take 32 bits")


def one_card_holes(spec: GameSpec) -> NDArray[np.int64]:
    """Return the hole pair that stands for each card of the deck, `[cards] int64`.

    A card goes with one from outside of the deck, its own, which never comes: two such pairs
    exclude each other where they are the same card, as hole pairs do that share one.

    Parameters
    ----------
    spec
        Of a game with one hole card and at most 26 cards.

    Examples
    --------
    The value of Kuhn poker is -1/18 of an ante (Kuhn 1950); the ante lies in the pot.

    >>> from riverboat.game import catalogue
    >>> from riverboat.spots import Engine
    >>> from riverboat.tree import Tree
    >>> kuhn = Tree(catalogue("kuhn"), "min", chance=True)
    >>> cards = np.zeros(1326)
    >>> cards[one_card_holes(kuhn.spec)] = 1
    >>> engine = Engine(kuhn, (), (cards, cards))
    >>> engine.run(1000)
    >>> round(engine.value(0) - 1, 3), round(-1 / 18, 3)
    (-0.056, -0.056)
    """
    held = sum(street.hole for street in spec.streets)
    others = [card for card in range(52) if card not in spec.deck]
    if held != 1 or len(spec.deck) > len(others):
        raise GameError(
            f"this is for games with one hole card and at most 26 cards, not for {held} and "
            f"{len(spec.deck)}"
        )
    pairs = zip(spec.deck, others, strict=False)
    return np.array([hole_index(card, other) for card, other in pairs], dtype=np.int64)
