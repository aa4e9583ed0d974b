"""A poker variant as data: all rules that `Hand` needs.

Seat 0 is the small blind, seat 1 the big blind; the others follow in their
order of acting before the flop, and the last seat has the button. With two
players seat 0 is small blind and button: first to act before the flop, last
afterwards. Amounts are whole chips.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from riverboat import _core
from riverboat.cards import NUM_CARDS, RANKS, STREETS, SUITS, live_holes
from riverboat.errors import GameError
from riverboat.settings import shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

Betting = Literal["no-limit", "pot-limit", "fixed-limit"]
Showdown = Literal["high", "short-deck", "one-card", "leduc", "high-on-black"]
Discard = Literal["none", "swap", "toss"]

_NO_CAP = 2**31 - 1  # Street::kNoCap of the core
_USUAL = -1
_MOST = 10**12


def _whole(value: object, what: str, least: int = 0, most: int = _MOST) -> int:
    """Return `value` as an int from `least` to `most`, or raise GameError."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise GameError(f"{what} must be a whole number, not {shown(value)}")
    number = int(value.__index__())
    if not least <= number <= most:
        raise GameError(f"{what} must be between {least} and {most}, not {number}")
    return number


def _choice(value: object, allowed: tuple[str, ...], what: str) -> int:
    """Return the index of `value` among the allowed words, or raise GameError."""
    if value not in allowed:
        raise GameError(f"{what} must be one of {', '.join(allowed)}, not {shown(value)}")
    return allowed.index(str(value))


def _chips(values: object, what: str) -> tuple[int, ...]:
    """Return chips by seat as a tuple, or raise GameError."""
    if isinstance(values, str | dict | set | frozenset) or not hasattr(values, "__iter__"):
        raise GameError(f"{what} must be a list of chips, one number per seat, not {shown(values)}")
    return tuple(_whole(chips, f"each of the {what}") for chips in values)


def _deck(ranks: object, suits: object) -> tuple[int, ...]:
    """Return the cards of ranks and suits, lowest first, or raise GameError."""
    if isinstance(ranks, str) and isinstance(suits, str):
        return _deck_of(ranks, suits)
    wrong, what = (ranks, "rank") if not isinstance(ranks, str) else (suits, "suit")
    allowed = RANKS if what == "rank" else SUITS
    raise GameError(f"the {what}s must be different letters of {allowed}, not {shown(wrong)}")


@lru_cache(maxsize=100)
def _deck_of(ranks: str, suits: str) -> tuple[int, ...]:
    """Return the cards of ranks and suits, lowest first."""
    for letters, allowed, what in ((ranks, RANKS, "rank"), (suits, SUITS, "suit")):
        if not letters or not set(letters) <= set(allowed) or len(set(letters)) != len(letters):
            raise GameError(
                f"the {what}s must be different letters of {allowed}, not {shown(letters)}"
            )
    numbers = sorted(RANKS.index(rank) for rank in ranks)
    return tuple(4 * rank + s for rank in numbers for s in sorted(map(SUITS.index, suits)))


@dataclass(frozen=True, slots=True)
class Street:
    """One street: its deal, an optional discard phase, its betting.

    Parameters
    ----------
    hole, board
        Hole cards for each seat, and board cards, dealt at its start.
    discard
        What each live seat does before the betting, in the order of the betting
        and also when all-in: `none`; `swap` one card for a hidden new one or
        stand pat; `toss` one card face up onto the board.
    bet_size
        Size of every bet and raise, chips; fixed limit only.
    max_raises, max_raises_per_seat
        Bets and raises allowed on the street, by all seats together and by each
        seat. Blinds do not count.
    first
        Seat that acts first on the street; None = by the rules of hold'em.
    """

    hole: int = 0
    board: int = 0
    discard: Discard = "none"
    bet_size: int = 0
    max_raises: int | None = None
    max_raises_per_seat: int | None = None
    first: int | None = None

    def numbers(self) -> tuple[int, int, int, int, int, int, int]:
        """Return the fields as the core takes them."""
        caps = [
            _NO_CAP if cap is None else _whole(cap, "a raise cap", 0, 250)
            for cap in (self.max_raises, self.max_raises_per_seat)
        ]
        return (
            _whole(self.hole, "the number of hole cards", 0, 4),
            _whole(self.board, "the number of board cards", 0, 9),
            _choice(self.discard, get_args(Discard), "the discard of a street"),
            _whole(self.bet_size, "the bet size of a street"),
            caps[0],
            caps[1],
            _USUAL if self.first is None else _whole(self.first, "the first seat", 0, 9),
        )


@dataclass(frozen=True, slots=True)
class Rake:
    """Rake: what the house takes from the pot.

    Parameters
    ----------
    percent
        Percentage of the whole pot, in steps of 0.01; rounded down to whole chips.
    cap
        Maximum in chips per hand; 0 = no cap.
    no_flop_no_drop
        No rake if the hand ends before a board card is dealt.
    """

    percent: float = 0.0
    cap: int = 0
    no_flop_no_drop: bool = True

    def numbers(self) -> tuple[int, int, bool]:
        """Return the fields as the core takes them: hundredths of a per cent, cap, flag."""
        if not isinstance(self.percent, int | float) or not 0 <= self.percent <= 100:
            raise GameError(
                f"the rake must be between 0 and 100 per cent, not {shown(self.percent)}"
            )
        points = round(self.percent * 100)
        if abs(points - self.percent * 100) > 1e-6:
            raise GameError(
                f"the rake must be a multiple of 0.01 per cent, not {shown(self.percent)}"
            )
        return points, _whole(self.cap, "the cap of the rake"), bool(self.no_flop_no_drop)


HOLDEM_STREETS = (Street(hole=2), Street(board=3), Street(board=1), Street(board=1))


@dataclass(frozen=True)
class GameSpec:
    """A poker variant: seats, chips, betting, streets, deck and showdown.

    Parameters
    ----------
    stacks, blinds, antes
        Chips by seat; blinds and antes default to none. Antes do not count as
        bets of the first street.
    betting
        `no-limit`, `pot-limit`, or `fixed-limit` (with a bet size on each street).
    streets
        In order; hold'em by default.
    showdown
        `high` and `short-deck`: best five of all cards; `one-card`: the higher
        rank; `leduc`: a pair with the board, then the higher rank; `high-on-black`: as `high`, but
        from the fifth board card on the hand ends after the first street whose last card is black.
    ranks, suits
        The deck: every rank in every suit.
    min_bet
        Minimum bet and minimum raise; 0 = the largest blind.
    rake
        What the house takes.
    name
        For display; no rule depends on it.

    Examples
    --------
    >>> spec = GameSpec(stacks=(1000, 1000), blinds=(5, 10))
    >>> spec.players, spec.button, spec.big_blind
    (2, 0, 10)
    """

    stacks: tuple[int, ...]
    blinds: tuple[int, ...] = ()
    antes: tuple[int, ...] = ()
    betting: Betting = "no-limit"
    streets: tuple[Street, ...] = HOLDEM_STREETS
    showdown: Showdown = "high"
    ranks: str = RANKS
    suits: str = SUITS
    min_bet: int = 0
    rake: Rake = Rake()
    name: str = ""
    #: Whether a seat may fold where a check is free; see `with_open_folds`.
    open_folds: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Convert lists to tuples and refuse invalid games."""
        stacks = _chips(self.stacks, "stacks")
        if not 2 <= len(stacks) <= 10:
            raise GameError(f"a game has 2 to 10 players, not {len(stacks)}")
        object.__setattr__(self, "stacks", stacks)
        for what in ("blinds", "antes"):
            chips = _chips(getattr(self, what), what) or (0,) * len(stacks)
            if len(chips) != len(stacks):
                raise GameError(f"{len(stacks)} seats need {len(stacks)} {what}, not {len(chips)}")
            object.__setattr__(self, what, chips)
        if not isinstance(self.streets, list | tuple):
            raise GameError(
                f"the streets of a game must be a list of Street, not {shown(self.streets)}"
            )
        object.__setattr__(self, "streets", tuple(self.streets))
        if not isinstance(self.name, str):
            raise GameError(f"the name of a game must be text, not {shown(self.name)}")
        if any("\ud800" <= letter <= "\udfff" for letter in self.name):
            raise GameError(f"the name of a game must be valid text, not {shown(self.name)}")
        _ = self.compiled

    @cached_property
    def compiled(self) -> _core.CompiledGame:
        """The core's form of this game."""
        if not all(isinstance(street, Street) for street in self.streets):
            raise GameError("the streets of a game must be Street objects")
        if not isinstance(self.rake, Rake):
            raise GameError(f"the rake of a game must be a Rake, not {shown(self.rake)}")
        return _core.CompiledGame(
            _choice(self.betting, get_args(Betting), "the betting"),
            _choice(self.showdown, get_args(Showdown), "the showdown"),
            self.stacks,
            self.blinds,
            self.antes,
            _whole(self.min_bet, "the minimum bet"),
            [street.numbers() for street in self.streets],
            self.deck,
            self.rake.numbers(),
            self.open_folds,
        )

    @cached_property
    def deck(self) -> tuple[int, ...]:
        """The cards of the game, lowest first."""
        return _deck(self.ranks, self.suits)

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.stacks)

    @property
    def button(self) -> int:
        """Seat of the button: 0 with two players, else the last."""
        return 0 if len(self.stacks) == 2 else len(self.stacks) - 1

    @property
    def big_blind(self) -> int:
        """The largest blind, chips; 0 in games with antes only."""
        return max(self.blinds)

    @property
    def small_blind(self) -> int:
        """The smallest blind that is posted, chips; 0 if there is none."""
        return min((blind for blind in self.blinds if blind > 0), default=0)

    @cached_property
    def board_sizes(self) -> tuple[int, ...]:
        """Board cards on each street, without tossed ones.

        Examples
        --------
        >>> GameSpec(stacks=(1000, 1000), blinds=(5, 10)).board_sizes
        (0, 3, 4, 5)
        """
        return tuple(accumulate(street.board for street in self.streets))

    @cached_property
    def swap_streets(self) -> tuple[int, ...]:
        """Streets on which each seat may swap a card."""
        return tuple(i for i, street in enumerate(self.streets) if street.discard == "swap")

    @property
    def has_swaps(self) -> bool:
        """Whether cards are swapped."""
        return bool(self.swap_streets)

    def without_swaps(self) -> GameSpec:
        """Return the same game without swaps.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> catalogue("discard-2017").without_swaps().has_swaps
        False
        """
        kept = tuple(
            replace(each, discard="none") if each.discard == "swap" else each
            for each in self.streets
        )
        return self.replace(streets=kept) if self.has_swaps else self

    @cached_property
    def has_tosses(self) -> bool:
        """Whether hole cards are tossed onto the board."""
        return any(street.discard == "toss" for street in self.streets)

    @property
    def has_discards(self) -> bool:
        """Whether cards are swapped or tossed."""
        return self.has_swaps or self.has_tosses

    @property
    def runs_on(self) -> bool:
        """Whether the number of streets depends on the cards."""
        return self.showdown == "high-on-black"

    @cached_property
    def has_holdem_cards(self) -> bool:
        """Whether each seat gets two hole cards of 52, and the best five cards win.

        Card abstractions support such games, whatever their streets are.
        """
        return (
            self.showdown == "high"
            and len(self.deck) == NUM_CARDS
            and self.streets[0].hole == 2
            and not any(street.hole for street in self.streets[1:])
        )

    @cached_property
    def deals_as_holdem(self) -> bool:
        """Whether each seat gets two hole cards, and the board gets three, one and one."""
        dealt = [(street.hole, street.board) for street in self.streets]
        return dealt == [(street.hole, street.board) for street in HOLDEM_STREETS]

    @cached_property
    def is_holdem(self) -> bool:
        """Whether the hand-strength tables fit: hold'em with 52 cards to the river.

        Cards may be swapped, but not tossed onto the board.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> [catalogue(name).is_holdem for name in ("limit", "discard-2017", "cardiff")]
        [True, True, False]
        """
        return self.has_holdem_cards and self.deals_as_holdem and not self.has_tosses

    @cached_property
    def street_names(self) -> tuple[str, ...]:
        """The names of the streets: those of hold'em, or numbers in toy games.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> catalogue("cardiff").street_names, catalogue("leduc").street_names
        (('preflop', 'flop'), ('round 1', 'round 2'))
        """
        known = () if self.showdown in ("one-card", "leduc") else STREETS
        later = range(len(known), len(self.streets))
        names = (f"run {i - 3}" if self.runs_on else f"round {i + 1}" for i in later)
        return (*known[: len(self.streets)], *names)

    def live_holes(self, board: Iterable[int] = ()) -> NDArray[np.bool_]:
        """Return which hole pairs are in the deck and share no card with the board: `[1326] bool`.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> int(catalogue("short-deck").live_holes((51, 50, 49)).sum())  # 33 cards are left
        528
        """
        return live_holes({*range(NUM_CARDS)} - {*self.deck} | {*board})

    def first_seat(self, street: int) -> int:
        """Return the seat that acts first on a street, if it can act."""
        return self.compiled.first[_whole(street, "the street", 0, len(self.streets) - 1)]

    def with_open_folds(self) -> GameSpec:
        """Return the same game where a seat may fold although a check is free.

        Some poker sites allow it, and their hands are replayed so. Such folds are never listed as
        legal actions.

        Examples
        --------
        >>> spec = GameSpec(stacks=(1000, 1000), blinds=(5, 10)).with_open_folds()
        >>> spec.open_folds, spec.replace(stacks=(500, 500)).open_folds
        (True, True)
        """
        return _OpenFolds(*(getattr(self, field.name) for field in fields(self)))

    def replace(self, **changes: Any) -> GameSpec:
        """Return a copy with some fields changed."""
        return replace(self, **changes)

    def __reduce__(self) -> tuple[type[GameSpec], tuple[Any, ...]]:
        """Pickle the fields; the compiled form is built again."""
        return type(self), tuple(getattr(self, field.name) for field in fields(self))


@dataclass(frozen=True)
class _OpenFolds(GameSpec):
    """A game with open folds: a class, so that other games have the same fields as before."""

    open_folds: ClassVar[bool] = True
