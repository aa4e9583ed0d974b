"""A street that two players begin, as a game of its own, and the tree of it.

Whoever sat at the table, seat 0 of that game is out of position and seat 1 in position, both have
the smaller stack, the pot is their antes, and lines begin with the street.
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
    """What everybody sees when a street of hold'em begins and two players are left.

    Attributes
    ----------
    board
        Three to five cards.
    pot, stacks
        Chips in the middle, and behind: out of position, in position.
    betting, deck, big_blind, bet_sizes, rake
        Rules of the game; the sizes are of fixed limit, one a street from here on.
    raise_caps
        Most raises a street, from here on; None = no limit.
    seats
        Out of position and in position at the table.
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
        """Return where a hand stood when a street began.

        Parameters
        ----------
        hand
            Of hold'em, with a known board; two players are left on that street.
        street
            `flop`, `turn` or `river`; by default the street where the hand is or ended.

        Raises
        ------
        SpotError
            Where that is no such state; the reason is named.

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
        """Return the state of a hand that has just come to a street of its game."""
        spec, first, live = hand.spec, hand.actor, hand.live
        _check_game(spec)
        name = spec.street_names[index]
        if hand.street != index or first is None or len(live) != 2:
            why = (
                "nobody can bet there" if len(live) == 2 else f"{len(live)} players are left there"
            )
            raise SpotError(f"the {name} of this hand is no spot: {why}")
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
            bet_sizes=tuple(each.bet_size for each in later) if limit else (),
            rake=Rake(spec.rake.percent, spec.rake.cap),
            raise_caps=tuple(each.max_raises for each in later),
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

        An odd pot makes one ante a chip larger; all antes are one pot, so nothing depends on it.
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
            usual = [self.big_blind, *later] if self.street == "flop" else later
            given = self.bet_sizes or tuple(usual)
            sizes = [given[min(i, len(given) - 1)] for i in range(len(boards))]
        return tuple(
            Street(hole=2 * (i == 0), board=count, bet_size=size, first=0)
            for i, (count, size) in enumerate(zip(boards, sizes, strict=True))
        )

    def menu(self, menu: BetMenu | str) -> BetMenu:
        """Return a menu from here on with the game's limits of raises."""
        found = find_menu(menu)
        if all(most is None for most in self.raise_caps):
            return found
        own = [found.streets[min(i, len(found.streets) - 1)] for i in range(len(self.raise_caps))]
        streets = tuple(
            replace(each, cap=min(cap for cap in (each.cap, most) if cap is not None))
            if most is not None
            else each
            for each, most in zip(own, self.raise_caps, strict=True)
        )
        return replace(found, streets=streets)

    def line(self, played: str) -> str:
        """Return what was played at the table from here on as a line of this game.

        Both have the smaller stack here, so that a bet of more chips is all-in.

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
        """Return what a hand did from here on as a line of this game."""
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
    """Build the betting tree from a public state to the end of the hand. It needs no ranges.

    Parameters
    ----------
    state
        The beginning of a street for two players. Of a hand it is the beginning of the street
        where it is, and what was bet since is in the tree whatever the menu says.
    menu
        From that street on; the limits of raises of the game hold besides.
    added, removed
        Lines from the state on, as of `Tree`.
    chance
        Whether chance nodes stand between the streets; the vector solvers need them.
    max_nodes
        Refuse trees of more nodes.

    Raises
    ------
    MenuError, GameError
        Where an added or removed line is impossible, or the tree has too many nodes.

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
        raise SpotError(f"spots are of hold'em, not of {spec.name or 'this game'}")


def _street_index(hand: Hand, street: StreetName | None) -> int:
    """The street of the hand's game, which must deal hold'em's cards."""
    _check_game(hand.spec)
    if street is not None:
        if street not in STREETS[1:]:
            raise SpotError(f"a spot begins on flop, turn or river, not on {street!r}")
        return STREETS.index(street)
    events = hand.events
    index = events[-1].street if hand.finished and events else hand.street
    if index == 0:
        raise SpotError("a spot begins on flop, turn or river, and this hand is before the flop")
    return index
