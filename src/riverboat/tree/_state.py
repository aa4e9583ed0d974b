"""The public state at the beginning of a street with two players, and its game and tree.

In that game seat 0 is out of position and seat 1 in position, whatever their seats at the table
were. Both have the effective stack, the pot consists of antes, and lines begin with the street.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from riverboat.cards import BOARD_CARDS, RANKS, STREETS, cards_text
from riverboat.errors import SpotError
from riverboat.game import Action, Betting, GameSpec, Hand, Rake, Street, actions_of
from riverboat.tree._menu import find_menu
from riverboat.tree._tree import MAX_NODES, Tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riverboat.cards import StreetName
    from riverboat.tree._menu import BetMenu

_SHORT_RANKS: Final = RANKS[4:]


@dataclass(frozen=True, slots=True)
class PublicState:
    """The public state of hold'em when a street begins with two players.

    Attributes
    ----------
    board
        Three to five cards.
    pot, stacks
        Chips in the pot, and stacks: out of position, in position.
    betting, deck, big_blind, bet_sizes, rake
        Rules of the game. Fixed limit has a bet size for each street from here on.
    raise_caps
        Maximum number of raises on each street from here on; None = no limit.
    seats
        The seats at the table that are out of position and in position.
    """

    board: tuple[int, ...]
    pot: int
    stacks: tuple[int, int]
    betting: Betting = "no-limit"
    deck: Literal["full", "short"] = "full"
    big_blind: int = 0
    bet_sizes: tuple[int, ...] = ()
    rake: Rake = Rake()  # noqa: RUF009 - frozen
    raise_caps: tuple[int | None, ...] = ()
    seats: tuple[int, int] = (0, 1)

    @classmethod
    def of(cls, hand: Hand, street: StreetName | None = None) -> PublicState:
        """Return the public state of a hand when a street began.

        Parameters
        ----------
        hand
            A hand of hold'em with a known board and two players on that street.
        street
            `flop`, `turn` or `river`; by default the hand's current or last street.

        Raises
        ------
        SpotError
            If the hand has no such state; the message says why.

        Examples
        --------
        >>> from riverboat.game import Hand, catalogue
        >>> hand = Hand(catalogue("nolimit-100bb"), board="Ks7h2d3c")
        >>> hand.play("b25c/kb20c/b44")
        >>> state = PublicState.of(hand)
        >>> state.street, state.pot, state.stacks, state.seats
        ('turn', 90, (955, 955), (1, 0))
        """
        index = _street_index(hand, street)
        before = Hand(hand.spec, stacks=hand.starting_stacks)
        for event in hand.events:
            if event.street < index:
                before.do(event.action)
        return cls.at(before, hand.board, index)

    @classmethod
    def at(cls, hand: Hand, board: Sequence[int], index: int) -> PublicState:
        """Return the state of a hand at the beginning of street `index`."""
        spec, first, live = hand.spec, hand.actor, hand.live
        _check_game(spec)
        name = spec.street_names[index]
        if hand.street != index or first is None or len(live) != 2:
            why = (
                "nobody can bet there" if len(live) == 2 else f"{len(live)} players are left there"
            )
            raise SpotError(f"the {name} of this hand is not a spot: {why}")
        cards = tuple(board[: spec.board_sizes[index]])
        if len(cards) < spec.board_sizes[index] or min(cards) < 0:
            raise SpotError(f"the board of the {name} is not known")
        other = next(seat for seat in live if seat != first)
        later = spec.streets[index:]
        limit = spec.betting == "fixed-limit"
        return cls(
            board=cards,
            pot=hand.pot,
            stacks=(hand.stacks[first], hand.stacks[other]),
            betting=spec.betting,
            deck="short" if spec.showdown == "short-deck" else "full",
            big_blind=spec.big_blind,
            bet_sizes=tuple(street.bet_size for street in later) if limit else (),
            rake=Rake(spec.rake.percent, spec.rake.cap),
            raise_caps=tuple(street.max_raises for street in later),
            seats=(first, other),
        )

    @property
    def street(self) -> StreetName:
        """The street that begins."""
        return STREETS[BOARD_CARDS.index(len(self.board))]

    @property
    def board_text(self) -> str:
        """The board as text."""
        return cards_text(self.board)

    @property
    def spec(self) -> GameSpec:
        """The game from here on.

        With an odd pot one ante is a chip larger; that changes nothing, as the antes form one pot.
        """
        antes = (self.pot - self.pot // 2, self.pot // 2)
        behind, short = min(self.stacks), self.deck == "short"
        return GameSpec(
            stacks=(behind + antes[0], behind + antes[1]),
            antes=antes,
            betting=self.betting,
            streets=self._streets(),
            showdown="short-deck" if short else "high",
            ranks=_SHORT_RANKS if short else RANKS,
            min_bet=self.big_blind or 1,
            rake=self.rake,
            name="spot",
        )

    def _streets(self) -> tuple[Street, ...]:
        boards = [len(self.board)] + [1] * (5 - len(self.board))
        sizes = [0] * len(boards)
        if self.betting == "fixed-limit":
            later = [self.big_blind * 2] * len(boards)
            default = [self.big_blind, *later] if self.street == "flop" else later
            given = self.bet_sizes or tuple(default)
            sizes = [given[min(i, len(given) - 1)] for i in range(len(boards))]
        return tuple(
            Street(hole=2 * (i == 0), board=count, bet_size=size, first=0)
            for i, (count, size) in enumerate(zip(boards, sizes, strict=True))
        )

    def menu(self, menu: BetMenu | str) -> BetMenu:
        """Return a menu from here on with the game's raise caps."""
        result = find_menu(menu)
        if all(most is None for most in self.raise_caps):
            return result
        own = [result.streets[min(i, len(result.streets) - 1)] for i in range(len(self.raise_caps))]
        streets = tuple(
            replace(street, cap=min(cap for cap in (street.cap, most) if cap is not None))
            if most is not None
            else street
            for street, most in zip(own, self.raise_caps, strict=True)
        )
        return replace(result, streets=streets)

    def line(self, played: str) -> str:
        """Convert the line played at the table from here on to a line of this game.

        Both players have the effective stack here, so a bet of more chips becomes all-in.

        Examples
        --------
        >>> PublicState((0, 1, 2), pot=50, stacks=(900, 400)).line("b100c/kb700c")
        'b100c/kb300c'
        """
        behind = min(self.stacks)
        if max(self.stacks) == behind:
            return played
        streets = []
        for street in played.split("/"):
            moves = [Action(action) for action in actions_of(street)]
            bets = [min(move.amount, behind) for move in moves if move.kind == "bet"]
            clipped = iter(bets)
            streets.append(
                "".join(f"b{next(clipped)}" if m.kind == "bet" else str(m) for m in moves)
            )
            behind -= max(bets, default=0)
        return "/".join(streets)

    def line_of(self, hand: Hand) -> str:
        """Return a hand's actions from here on as a line of this game."""
        street = hand.spec.board_sizes.index(len(self.board))
        return self.line("/".join(hand.line.split("/")[street:]))


def tree_of(  # noqa: PLR0913 - options of a tree by keyword
    state: PublicState | Hand,
    menu: BetMenu | str,
    *,
    added: Sequence[str] = (),
    removed: Sequence[str] = (),
    chance: bool = True,
    max_nodes: int = MAX_NODES,
) -> Tree:
    """Build the betting tree from a public state to the end of the hand, without ranges.

    Parameters
    ----------
    state
        The beginning of a street with two players, or a hand. For a hand the tree begins with the
        hand's current street and contains its bets on that street, even if they are off the menu.
    menu
        The menu from that street on; the game's raise caps apply too.
    added, removed
        Lines from the state on, as for `Tree`.
    chance
        Whether there are chance nodes between the streets; vector solvers need them.
    max_nodes
        Refuse trees with more nodes.

    Raises
    ------
    MenuError, GameError
        If an added or removed line is impossible, or the tree has too many nodes.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand(catalogue("nolimit-100bb"), board="Ks7h2d3c")
    >>> hand.play("b25c/kb20c/b44")
    >>> tree = tree_of(hand, "50%, a")
    >>> tree.actions(0), tree.actions(tree.node("b44")), tree.num_chances
    (('k', 'b44', 'b45', 'b955'), ('f', 'c', 'b133', 'b955'), (27, 0))
    """
    if isinstance(state, Hand):
        hand, state = state, PublicState.of(state)
        played = state.line_of(hand)
        added = (*added, played) if played else added
    return Tree(
        state.spec,
        state.menu(menu),
        max_nodes,
        chance=chance,
        added=added,
        removed=removed,
        fractions=True,
    )


def _check_game(spec: GameSpec) -> None:
    if not spec.deals_as_holdem or spec.has_discards or spec.showdown not in ("high", "short-deck"):
        raise SpotError(f"spots exist in hold'em only, not in {spec.name or 'this game'}")


def _street_index(hand: Hand, street: StreetName | None) -> int:
    """Return the index of the street; the hand must be hold'em."""
    _check_game(hand.spec)
    if street is not None:
        if street not in STREETS[1:]:
            raise SpotError(f"a spot begins on the flop, turn or river, not on {street!r}")
        return STREETS.index(street)
    events = hand.events
    index = events[-1].street if hand.finished and events else hand.street
    if index == 0:
        raise SpotError("a spot begins on the flop, turn or river, but this hand is preflop")
    return index
