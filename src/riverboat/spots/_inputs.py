"""What an engine is given: ranges, a gadget for safe re-solving, hands of one-card games.

What the core would not take is refused in a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from riverboat import _core
from riverboat.cards import NUM_HOLES, hole_index
from riverboat.errors import GameError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from riverboat.game import GameSpec
    from riverboat.spots._settings import Schedule
    from riverboat.tree import Tree

GadgetMode = Literal["resolve", "maxmargin", "reach", "combined"]

#: By name, as `Gadget` explains them.
GADGET_MODES: tuple[GadgetMode, ...] = get_args(GadgetMode)


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
