"""`Spot`: a public state of hold'em with two players and their ranges, as data."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import msgspec
import numpy as np

from riverboat.blueprint import line_reach
from riverboat.cards import (
    BOARD_CARDS,
    HOLES,
    STREETS,
    HandStrength,
    Range,
    as_cards,
    built_strength,
    cards_text,
    parse_cards,
)
from riverboat.errors import RiverboatError, SpotError
from riverboat.files import atomic_path
from riverboat.game import Betting, GameSpec, Hand, Rake
from riverboat.settings import Settings, checked, meaning, schema_of, settings_of
from riverboat.spots._files import OTHER_KEYS, field_values, parse_values, read_values, toml_text
from riverboat.tree import MAX_NODES, BetMenu, PublicState, Tree, find_menu, tree_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.blueprint import Blueprint
    from riverboat.cards import CardsLike, StreetName

_MOST_CHIPS = 10**9
_MOST_CHARACTERS = 100_000  # of a range; 1,326 combos with weights take 40,000
_DEFAULT_MENU = "50%, 100% | 3x ; add 150% ; near 10% ; force 15% called"
_LIMIT_MENU = "min ; cap 4"
_LEAST_SHORT = 16  # the six of clubs, the lowest card of short deck

_Chips = Annotated[int, msgspec.Meta(ge=1, le=_MOST_CHIPS)]
_Lines = tuple[str, ...]


class Spot(Settings, frozen=True, kw_only=True):
    """A public state at the beginning of a street, and the range of each player.

    The player out of position acts first on each street and is seat 0 of the spot's game, tree
    and lines, whatever their seat was at a table. Lines and menus begin at the spot.

    Examples
    --------
    >>> spot = Spot(board="Td9d6hQc", pot=200, stack=900, oop="66+, AJ+", ip="QQ-22, A2s+",
    ...             menu="60%, e, a | 2.5x ; add 150% ; near 10% ; force 15% called")
    >>> spot.street, spot.spec.stacks
    ('turn', (1000, 1000))
    >>> spot.tree().actions(0)
    ('k', 'b120', 'b216', 'b900')
    """

    error: ClassVar[type[RiverboatError]] = SpotError

    board: Annotated[str, meaning("board of three to five cards, such as Ks7h2d")]
    pot: Annotated[int, meaning("pot in chips", 1, _MOST_CHIPS)]
    stack: Annotated[
        _Chips | tuple[_Chips, ...],  # a pair in this union crashes msgspec
        meaning("effective stack in chips, or one stack per player (oop, ip)"),
    ]
    oop: Annotated[str | Sequence[float], meaning("out-of-position range: text or 1,326 weights")]
    ip: Annotated[str | Sequence[float], meaning("in-position range: text or 1,326 weights")]
    menu: Annotated[str, meaning("bet menu, from the spot's street on (empty = default)")] = ""
    rake_percent: Annotated[float, meaning("rake, % of the pot", 0, 100)] = 0.0
    rake_cap: Annotated[int, meaning("rake cap in chips (0 = none)", 0, _MOST_CHIPS)] = 0
    betting: Annotated[Betting, meaning("betting structure")] = "no-limit"
    deck: Annotated[
        Literal["full", "short"], meaning("full (52 cards), or short (36 cards, six-plus rules)")
    ] = "full"
    big_blind: Annotated[
        int, meaning("big blind in chips: the minimum bet (0 = one chip)", 0, 10**9)
    ] = 0
    bet_sizes: Annotated[
        tuple[_Chips, ...],
        meaning("fixed-limit bet in chips by street (empty = one big blind, later two)"),
    ] = ()
    added: Annotated[_Lines, meaning("lines to add to the tree")] = ()
    removed: Annotated[_Lines, meaning("lines to remove from the tree")] = ()

    def __post_init__(self) -> None:
        """Check the spot, and normalise its texts."""
        super().__post_init__()
        try:
            self._keep(board=_board_text(self.board, self.deck))
            self._keep(oop=_range_text("oop", self.oop), ip=_range_text("ip", self.ip))
            self._keep(menu=str(find_menu(self.menu or self._usual_menu)))
        except RiverboatError as error:
            raise SpotError(str(error)) from error
        if isinstance(self.stack, tuple) and len(self.stack) != 2:
            raise SpotError(f"stack must be one number or two, not {len(self.stack)}")
        if self.betting == "fixed-limit" and not (self.bet_sizes or self.big_blind):
            raise SpotError("a fixed-limit spot needs bet_sizes or big_blind")
        self._check_ranges()

    def _keep(self, **values: Any) -> None:
        for name, value in values.items():
            msgspec.structs.force_setattr(self, name, value)

    @property
    def _usual_menu(self) -> str:
        return _LIMIT_MENU if self.betting == "fixed-limit" else _DEFAULT_MENU

    def _check_ranges(self) -> None:
        oop, ip = (held.weights > 0 for held in self.ranges)
        for name, held in (("oop", oop), ("ip", ip)):
            if not held.any():
                raise SpotError(f"the range {name} has no hand that is possible on {self.board}")
        cards = [np.bincount(HOLES[held].ravel(), minlength=52) for held in (oop, ip)]
        pairs = int(oop.sum()) * int(ip.sum()) - int(cards[0] @ cards[1]) + int((oop & ip).sum())
        if pairs == 0:
            raise SpotError("the ranges have no two hands that can be dealt together")

    # ---- Derived values

    @property
    def cards(self) -> tuple[int, ...]:
        """Board cards as numbers."""
        return _cards(self.board)

    @property
    def street(self) -> "StreetName":
        """The street at the start of the spot."""
        return STREETS[BOARD_CARDS.index(len(self.cards))]

    @property
    def stacks(self) -> tuple[int, int]:
        """Chips behind, out of position and in position."""
        if isinstance(self.stack, int):
            return self.stack, self.stack
        return self.stack[0], self.stack[1]

    @property
    def ranges(self) -> tuple[Range, Range]:
        """Both ranges, out of position and in position, without hands that the board blocks."""
        # Both are text since `__post_init__`.
        return _held(str(self.oop), self.board, self.deck), _held(
            str(self.ip), self.board, self.deck
        )

    @property
    def bet_menu(self) -> BetMenu:
        """The bet menu."""
        return find_menu(self.menu)

    @property
    def state(self) -> PublicState:
        """The public state, without the ranges."""
        return PublicState(
            self.cards,
            self.pot,
            self.stacks,
            betting=self.betting,
            deck=self.deck,
            big_blind=self.big_blind,
            bet_sizes=self.bet_sizes,
            rake=Rake(self.rake_percent, self.rake_cap),
        )

    @property
    def spec(self) -> GameSpec:
        """The game from the spot on: the pot as antes, both stacks equal to the smaller one."""
        return self.state.spec

    def tree(self, max_nodes: int = MAX_NODES) -> Tree:
        """Build the tree: chance nodes, added and removed lines, pots split to fractions of a chip.

        Raises
        ------
        MenuError, GameError
            If an added or removed line is impossible, or the tree has too many nodes.
        """
        return tree_of(
            self.state, self.menu, added=self.added, removed=self.removed, max_nodes=max_nodes
        )

    # ---- Text and files

    @classmethod
    def parse(cls, text: str) -> "Spot":
        r"""Read a spot from text: TOML, or lines of `key = value`; see docs/spots.md.

        Examples
        --------
        >>> Spot.parse("board = Ks7h2d\npot = 55\nstack = 975\noop = QQ-22\nip = AK").street
        'flop'
        """
        return cls._of(parse_values(text), "the spot")

    @classmethod
    def read(cls, path: Path | str, changes: Mapping[str, Any] | None = None) -> "Spot":
        """Read a spot file: TOML if its name ends in `.toml`, else lines of `key = value`.

        `changes` replace values of the file.

        Raises
        ------
        SpotError
            If the file has a bad key or value.
        """
        return cls._of(read_values(Path(path)), f"the spot {str(path)!r}", changes)

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the JSON schema of spot files, for editors."""
        return schema_of(cls, more=OTHER_KEYS)

    @classmethod
    def _of(
        cls, values: Mapping[str, Any], where: str, changes: Mapping[str, Any] | None = None
    ) -> "Spot":
        fields = [field.name for field in settings_of(cls)]
        return checked(cls, {**field_values(values, fields, where), **(changes or {})}, where)

    def write(self, path: Path | str) -> None:
        """Write the spot as TOML."""
        with atomic_path(Path(path)) as temporary:
            temporary.write_text(toml_text(self.as_dict()), encoding="utf-8")

    # ---- From hands and blueprints

    @classmethod
    def from_hand(
        cls,
        hand: Hand,
        ranges: tuple[str | Sequence[float], str | Sequence[float]],
        menu: BetMenu | str = "",
        street: "StreetName | None" = None,
    ) -> "Spot":
        """Return the spot of a hold'em hand at the start of a street.

        The bets on that street are added to the tree.

        Parameters
        ----------
        hand
            A hand with a known board and two players left on that street, for example from a
            hand history (`riverboat.histories`).
        ranges
            Out of position, in position.
        menu
            The bet menu from that street on.
        street
            `flop`, `turn` or `river`; by default the current or last street of the hand.

        Examples
        --------
        >>> from riverboat.game import Hand, catalogue
        >>> hand = Hand(catalogue("nolimit-100bb"), board="Ks7h2d3c")
        >>> hand.play("b25c/kb20c/b44")
        >>> spot = Spot.from_hand(hand, ("QQ-22", "AK"), "50%, a")
        >>> spot.pot, spot.stacks, spot.added, spot.tree().actions(0)
        (90, (955, 955), ('b44',), ('k', 'b44', 'b45', 'b955'))
        """
        state = PublicState.of(hand, street)
        line = state.line_of(hand)
        return cls.from_state(state, ranges, menu, (line,) if line else ())

    @classmethod
    def from_state(
        cls,
        state: PublicState,
        ranges: tuple[str | Sequence[float], str | Sequence[float]],
        menu: BetMenu | str = "",
        added: tuple[str, ...] = (),
    ) -> "Spot":
        """Return the spot of a public state of hold'em.

        Parameters
        ----------
        state
            A state of two players with a known board.
        ranges
            Out of position, in position.
        menu
            The bet menu from that street on.
        added
            Lines to add to the tree.
        """
        fields: dict[str, Any] = {
            "board": state.board_text,
            "pot": state.pot,
            "stack": state.stacks,
            "oop": ranges[0],
            "ip": ranges[1],
            "menu": str(state.menu(menu)) if menu else "",
            "betting": state.betting,
            "deck": state.deck,
            "big_blind": state.big_blind,
            "bet_sizes": state.bet_sizes,
            "rake_percent": state.rake.percent,
            "rake_cap": state.rake.cap,
            "added": added,
        }
        return checked(cls, fields, "the hand")

    @classmethod
    def from_blueprint(
        cls,
        blueprint: "Blueprint",
        line: str,
        board: "CardsLike",
        menu: BetMenu | str = "",
        tables: HandStrength | None = None,
    ) -> "Spot":
        """Return the spot after a line of a blueprint, with the blueprint's ranges.

        A hand's weight is the product of the blueprint's probabilities of the player's own
        actions, scaled so that the largest weight is 1. The spot begins at the last street of
        the line; the bets on that street are added to the tree.

        Parameters
        ----------
        blueprint
            A blueprint of two-player hold'em.
        line
            A line to a decision after the flop, such as `b25c/kb25c`.
        board
            The board at that decision.
        menu
            The bet menu; by default the blueprint's, from that street on.
        tables
            The hand-strength tables. Default: the tables in the cache folder if they are needed
            and built; without tables the buckets are computed hand by hand.
        """
        tree = blueprint.tree
        hand = Hand.from_line(tree.spec, line, board=as_cards(board))
        state = PublicState.of(hand)
        streets = tree.menu.streets[STREETS.index(state.street) :] or tree.menu.streets[-1:]
        root = tree.node(line.rpartition("/")[0] if state.line_of(hand) else line)
        reach = line_reach(blueprint, root, state.board, lambda: tables or built_strength())
        oop, ip = (_scaled(reach[seat], line) for seat in state.seats)
        return cls.from_hand(hand, (oop, ip), menu or replace(tree.menu, streets=streets))

    # ---- Other spots

    def changed(self, options: Mapping[str, Any]) -> "Spot":
        """Return a copy with some values changed.

        Examples
        --------
        >>> spot = Spot(board="Ks7h2d3c8d", pot=20, stack=10, oop="AA", ip="KK")
        >>> spot.changed({"pot": 30}).pot
        30
        """
        return checked(Spot, {**self.as_dict(), **options}, "the spot")

    def as_dict(self) -> dict[str, Any]:
        """Return the values that differ from their defaults, as plain types for TOML and JSON."""
        values: dict[str, Any] = msgspec.to_builtins(self)
        unset = {
            field.name for field in settings_of(Spot) if getattr(self, field.name) == field.default
        }
        return {name: value for name, value in values.items() if name not in unset}


def _scaled(reach: "NDArray[np.float64]", line: str) -> list[float]:
    """Weights of a range, scaled to a maximum of 1."""
    most = float(reach.max())
    if most <= 0:
        raise SpotError(f"this strategy never plays '{line}': the player's range is empty")
    weights: list[float] = (reach / most).tolist()
    return weights


def _board_text(text: str, deck: str) -> str:
    cards = parse_cards(text)
    if len(cards) not in BOARD_CARDS[1:] or len(set(cards)) < len(cards):
        raise SpotError(f"a spot needs a board of 3, 4 or 5 different cards, not {text[:40]!r}")
    if deck == "short" and min(cards) < _LEAST_SHORT:
        raise SpotError(f"the short deck has no cards below the six: {text} cannot be its board")
    return cards_text(cards)


@lru_cache(maxsize=64)
def _cards(board: str) -> tuple[int, ...]:
    return tuple(parse_cards(board))


@lru_cache(maxsize=64)
def _parsed(text: str) -> Range:
    return Range.parse(text)


@lru_cache(maxsize=64)
def _held(text: str, board: str, deck: str) -> Range:
    """A range without hands that the board blocks or the deck lacks."""
    missing = range(_LEAST_SHORT if deck == "short" else 0)
    return _parsed(text).without([*_cards(board), *missing])


@lru_cache(maxsize=64)
def _written(text: str) -> str:
    """Normalised text of a range: parsing and writing it again does not change it."""
    return str(_parsed(text))


def _range_text(name: str, given: str | Sequence[float]) -> str:
    """Normalised text of a range."""
    if len(given) > _MOST_CHARACTERS:
        raise SpotError(
            f"a range may have at most {_MOST_CHARACTERS:,} characters, not {len(given):,}"
        )
    try:
        return _written(given) if isinstance(given, str) else str(Range.from_weights(given))
    except RiverboatError as error:
        raise SpotError(f"the range {name} is invalid: {error}") from error
