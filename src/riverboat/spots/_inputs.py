"""Inputs of an engine: discount schedules, ranges, gadgets, hands of one-card games.

Discounted CFR (Brown & Sandholm, AAAI 2019) multiplies in iteration t positive regrets by
t^alpha / (t^alpha + 1), negative regrets by t^beta / (t^beta + 1), and the average by
(t / (t + 1))^gamma. In a `Schedule` the three exponents may change with t, and the average may
restart.

A `Gadget` makes re-solving safe: it bounds the opponent's values in the re-solved spot by their
values before. All inputs are checked here, before they reach the core.
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
#: `Gadget` explains the modes.
GADGET_MODES: tuple[GadgetMode, ...] = get_args(GadgetMode)


@dataclass(frozen=True, slots=True)
class Schedule:
    """How regrets and the average are discounted, iteration by iteration.

    Parameters
    ----------
    first, last
        The exponents (alpha, beta, gamma) at the start and from iteration `over` on, linearly
        interpolated between. `inf` keeps everything, `-inf` nothing.
    over
        Iterations from `first` to `last`.
    lag
        Iterations by which the discounts of regrets lag behind. With 1 the regrets of the first
        iteration, those of the uniform strategy, are dropped.
    restart
        The average restarts at the powers of this number; 0 = never.
    own_reach
        Whether the average weights a strategy by the player's own reach. Otherwise all of a hand's
        strategies count alike, whatever its reach.
    predictive
        Whether the last regrets predict the next ones (PCFR+).

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
                f"in a schedule restart must be 0 (never) or at least 2, not {self.restart}; "
                f"over must be at least 0, not {self.over}; lag must be at least 0, not {self.lag}"
            )

    def exponents(self, iteration: int) -> tuple[float, float, float]:
        """Return (alpha, beta, gamma) of an iteration; iterations count from 0."""
        if self.last is None or not self.over:
            return self.last or self.first
        share = min(1.0, iteration / self.over)
        pairs = zip(self.first, self.last, strict=True)
        alpha, beta, gamma = (a if a == b else a + (b - a) * share for a, b in pairs)
        return alpha, beta, gamma

    def factors(self, begin: int, end: int, *, running_mean: bool = False) -> NDArray[np.float32]:
        """Return the discount factors of each iteration.

        Parameters
        ----------
        begin, end
            Iterations, from 0.
        running_mean
            Whether the average is the mean of the strategies instead of their sum.

        Returns
        -------
        ndarray
            `[iterations, 4] float32`: factors of positive regrets, of negative regrets, of the
            average, and of the strategy that is added to the average.
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
        positive, negative = _regret_factor(old, alpha), _regret_factor(old, beta)
        return positive, negative, _average_factor(age, gamma), 1.0


def _last_power(iteration: int, base: int) -> int:
    """Return the largest power of a base up to the iteration; 0 if there is none."""
    if not base or not iteration:
        return 0
    power = 1
    while power * base <= iteration:
        power *= base
    return power


def _regret_factor(iteration: int, exponent: float) -> float:
    """Return t^x / (t^x + 1)."""
    if exponent in (math.inf, -math.inf):
        return 1.0 if exponent > 0 else 0.0
    power = float(iteration**exponent) if iteration else float(exponent == 0)
    return power / (power + 1)


def _average_factor(iteration: int, exponent: float) -> float:
    """Return (t / (t + 1))^x."""
    return float((iteration / (iteration + 1)) ** exponent) if iteration else 0.0


#: Discounts that start strong and become weaker; docs/spots.md compares the schedules.
DEFAULT = Schedule((1.5, 0.0, 6.0), (1.25, 0.5, 4.0), over=200)

#: `pfs` is postflop-solver's schedule: the average restarts and ignores the player's own reach.
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
    """Return a schedule by name; a `Schedule` is returned unchanged."""
    if isinstance(schedule, Schedule):
        return schedule
    if schedule not in SCHEDULES:
        raise SpotError(f"unknown schedule {schedule!r}: choose one of {', '.join(SCHEDULES)}")
    return SCHEDULES[schedule]


def schedule_text(schedule: Schedule) -> str:
    """Return a schedule's name, or its fields if it has no name."""
    named = (name for name, known in SCHEDULES.items() if known == schedule)
    return next(named, repr(schedule))


@dataclass(frozen=True, slots=True, eq=False)
class Gadget:
    """Re-solving gadget: the opponent's choice before the root, which bounds their values.

    Parameters
    ----------
    player
        The opponent: 0 or 1.
    values
        T, `[1326]` chips: the value of each of the opponent's hands at the root before re-solving,
        against the other player's range there, in the unit of `Engine.values` (share of the pot
        minus chips put in later). `inf` = the hand never enters, `-inf` = it always enters.
    mode
        - `resolve`: each hand enters or takes T (Burch, Johanson & Bowling 2014). No hand gets more
          than T if that is possible; values below T do not matter.
        - `maxmargin`: the opponent chooses a hand and wins its value above T, so that the solve
          maximises the smallest margin (Moravcik et al. 2016).
        - `reach`: `maxmargin` with T raised by `gifts` (Brown & Sandholm 2017).
        - `combined`: plays against the opponent's range, plus the hands that enter as in `resolve`,
          plus a uniform share (Slumbot 2019). It limits what the opponent gains but guarantees no
          bound.

        Except in `combined` only the support of the opponent's range counts, not its weights.
    cap
        `combined`: entries are at most this fraction of the range.
    even
        `combined`: this fraction of both is spread uniformly over all of the opponent's hands.
    gifts
        `reach`: `[1326]` chips that each hand gave away on the line to this root.

    Examples
    --------
    Aces or queens bet all-in, and kings may call. If queens were worth 0 before, and aces
    26 2/3, kings must call 2/3.

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
                f"unknown gadget {self.mode!r}: choose one of {', '.join(GADGET_MODES)}"
            )
        if self.player not in (0, 1):
            raise GameError(f"the player of a gadget must be 0 or 1, not {self.player!r}")
        if not (0 <= self.cap < np.inf and 0 <= self.even < np.inf):
            raise GameError(
                f"cap and even must be finite and not negative, not {self.cap} and {self.even}"
            )
        if (self.gifts is not None) != (self.mode == "reach"):
            verb = "needs" if self.mode == "reach" else "takes no"
            raise GameError(f"a gadget of mode {self.mode} {verb} gifts")

    def raised(self) -> NDArray[np.float64]:
        """Return T plus gifts, `[1326] float64` chips."""
        values = np.array(self.values, dtype=np.float64)
        gifts = np.zeros(NUM_HOLES) if self.gifts is None else np.asarray(self.gifts, np.float64)
        if values.shape != (NUM_HOLES,) or gifts.shape != (NUM_HOLES,):
            raise GameError(
                f"values and gifts of a gadget must be [1326], not {list(values.shape)} and "
                f"{list(gifts.shape)}"
            )
        return values + gifts

    def weighed(self, ranges: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return both ranges; except in `combined` all of the opponent's hands get weight 1."""
        if self.mode == "combined":
            return ranges
        counted = ranges.copy()
        counted[self.player] = ranges[self.player] > 0
        return counted


def checked_down(
    tree: Tree, board: Sequence[int], reach: tuple[ArrayLike, ArrayLike]
) -> NDArray[np.float64]:
    """Return `[2, 1326]`: equity of both players' hands, the share of the pot without more bets.

    `board` has at least 3 cards. nan for impossible hands and hands without an opposing hand.
    """
    out = np.empty((2, NUM_HOLES))
    weights = np.ascontiguousarray(reach, dtype=np.float64)
    _core.checked_down_into(tree.compiled, [int(card) for card in board], weights, out)
    return out


def check_iterations(iterations: int) -> None:
    """Refuse an invalid number of iterations."""
    if not isinstance(iterations, int) or iterations < 0:
        raise GameError(f"iterations must be a whole number from 0 on, not {iterations!r}")


def locked_rows(tree: Tree, node: int, strategy: ArrayLike) -> NDArray[np.float32]:
    """Check and return the strategy of a lock, `[actions, 1326]`; nan for hands without one."""
    rows = np.ascontiguousarray(strategy, dtype=np.float32)
    if rows.shape != (int(tree.num_actions[node]), NUM_HOLES):
        raise GameError(
            f"a lock of node {node} must be [{int(tree.num_actions[node])}, 1326], "
            f"not {list(rows.shape)}"
        )
    free = np.isnan(rows)
    sums = rows.sum(axis=0)
    if (free.any(axis=0) != free.all(axis=0)).any() or (rows < 0).any():
        raise GameError("a locked hand needs a probability from 0 on for every action")
    if (np.abs(sums[~np.isnan(sums)] - 1) > 1e-4).any():
        raise GameError("the probabilities of a locked hand must add up to 1")
    return rows


def core_schedule(schedule: Schedule, running_mean: bool) -> _core.SpotSchedule:
    """Return a schedule for the core; its factors in Python would take as long as a river solve."""
    last = schedule.last or schedule.first
    first = schedule.first if schedule.over else last
    moves = schedule.over, schedule.lag, schedule.restart
    return _core.SpotSchedule(first, last, *moves, running_mean)


def core_gadget(gadget: Gadget) -> _core.SpotGadget:
    """Return a gadget for the core."""
    mode = _core.GadgetMode["maxmargin" if gadget.mode == "reach" else gadget.mode]
    return _core.SpotGadget(gadget.player, mode, gadget.raised(), gadget.cap, gadget.even)


def core_weights(
    ranges: tuple[ArrayLike, ArrayLike], gadget: Gadget | None = None
) -> NDArray[np.float32]:
    """Return both ranges for the core, checked: `[2, 1326] float32`."""
    weights = np.ascontiguousarray(ranges, dtype=np.float32)
    if weights.shape != (2, NUM_HOLES):
        raise GameError(f"ranges must be [2, 1326] weights, not {list(weights.shape)}")
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise GameError("weights of a range must be finite and not negative")
    return weights if gadget is None else gadget.weighed(weights)


def check_bits(bits: int, schedule: Schedule) -> None:
    """Refuse an unsupported precision."""
    if bits not in (32, 16):
        raise GameError(f"bits must be 32 or 16, not {bits!r}")
    if bits == 16 and schedule.predictive:
        raise GameError("a predictive schedule needs 32 bits, not 16")


def one_card_holes(spec: GameSpec) -> NDArray[np.int64]:
    """Return the hole pair that stands for each card of the deck, `[cards] int64`.

    Each card is paired with its own card from outside the deck, which is never dealt. So two pairs
    conflict exactly if they hold the same card.

    Parameters
    ----------
    spec
        A game with one hole card and at most 26 cards.

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
            f"one_card_holes needs a game with 1 hole card and at most 26 cards, not {held} and "
            f"{len(spec.deck)}"
        )
    pairs = zip(spec.deck, others, strict=False)
    return np.array([hole_index(card, other) for card, other in pairs], dtype=np.int64)
