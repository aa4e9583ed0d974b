"""`Hand`, the one state machine: every table, tree, bot and protocol plays by it.

The rules run in the core; this class adds what needs Python objects. Below it the text of a line of
play, `b25c/kb30c/kk`, is read action by action.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, Self

from riverboat import _core
from riverboat._core import Action
from riverboat.game._view import Event, LegalActions, Pot, View, cards_text
from riverboat.report import Columns, FrameLibrary, frame_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riverboat.game._spec import GameSpec

_NOTHING: Final = LegalActions()
# The last alternative keeps what is no action, so that nothing is skipped silently.
_ACTION: Final = re.compile(r"[kcfs]|b[0-9]+|d(?:[2-9TJQKA][cdhs])?|[^/]")


class Hand(_core.Hand):
    """One hand of any variant.

    Parameters
    ----------
    spec
        The game.
    seed
        Deals every card that is not given. Without a seed such cards stay
        unknown, and the hand can be played up to where one would be needed.
    cards
        Given cards in the order of dealing: the hole cards seat by seat, the
        board, then the cards that swaps bring (by phase and seat).
    hole, board
        Given cards by place: one entry for each seat, and the board. Cards are
        text (`'AhKd'`), numbers or a list; `'??'`, -1 and None are unknown.
    stacks
        Chips by seat at the start, if not those of the spec.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> hand = Hand(catalogue("nolimit-100bb"), hole=["AhKd", "QsQc"], board="2c7d9hTsJs")
    >>> hand.legal().raise_to
    (20, 1000)
    >>> hand.play("b25c/kb30c/kk/kk")
    >>> hand.payoffs()
    (-55, 55)
    """

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def spec(self) -> GameSpec:
            """The game that is played."""

    def legal(self) -> LegalActions:
        """Return what the seat to act may do, with exact bounds."""
        return LegalActions(*self._legal())

    def pots(self) -> tuple[Pot, ...]:
        """Return main pot and side pots as they stand; with winners once the hand is settled.

        While the betting is open only all-in seats bound a pot: a seat that
        has yet to call is counted as one that can.
        """
        return tuple(Pot(*pot) for pot in self._pots())

    @property
    def events(self) -> tuple[Event, ...]:
        """Every action so far, with street and seat."""
        return tuple(Event(*event) for event in self._events)

    def view(self, seat: int, seconds_left: float | None = None) -> View:
        """Return what `seat` may know now, and the time it has to decide where there is a limit.

        At a showdown the cards of all live seats are shown.
        """
        # Field by field, which takes two thirds of the time of slices and stars.
        (
            seat, button, actor, street, hole, discarded, board, line, live, stacks,
            starting_stacks, bets, pot, to_call, legal, finished, shown, payoffs,
        ) = self._view(seat)  # fmt: skip
        moves = _NOTHING if legal is None else LegalActions(*legal)
        return View(
            self.spec, seat, button, actor, street, hole, discarded, board, line, live, stacks,
            starting_stacks, bets, pot, to_call, moves, finished, shown, payoffs, seconds_left,
        )  # fmt: skip

    @classmethod
    def from_line(cls, spec: GameSpec, line: str, **cards: Any) -> Self:
        """Make a hand played along a line; `cards` are the arguments of the class."""
        hand = cls(spec, **cards)
        hand.play(line)
        return hand

    def __repr__(self) -> str:
        """One line: game, cards, line, and whose turn or what came out."""
        holes = "|".join(cards_text(self.hole_cards(seat)) for seat in range(self.players))
        if self.settled:
            state = f"payoffs {self.payoffs()}"
        elif self.finished:
            state = "finished, showdown not known"
        else:
            state = f"seat {self.actor} to act, pot {self.pot}"
        name = self.spec.name or "unnamed game"
        return (
            f"<Hand {name}: {holes} board {cards_text(self.board) or '-'}, '{self.line}', {state}>"
        )

    def frame_columns(self) -> Columns:
        """Return a row for each action: street from 0, seat, the move, and its amount."""
        events = self.events
        return {
            "street": [event.street for event in events],
            "seat": [event.seat for event in events],
            "action": [str(event.action) for event in events],
            "amount": [event.action.amount for event in events],
        }

    # The core's class takes no second base, so that `Framed` cannot be one.
    def to_frame(self, library: FrameLibrary | None = None) -> Any:
        """Return the actions as a data frame of pandas or polars."""
        return frame_of(self.frame_columns(), library)

    def _repr_html_(self) -> str:
        """Draw the hand in a notebook."""
        from riverboat.game._html import hand_html  # noqa: PLC0415 - only notebooks need it

        return hand_html(self, self.events)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle game, cards, stacks and line; the hand is played again."""
        return _restore, (type(self), self.spec, self.deal, self.starting_stacks, self.full_line)


def _restore(
    cls: type[Hand], spec: GameSpec, deal: tuple[int, ...], stacks: tuple[int, ...], line: str
) -> Hand:
    """Make a hand from its pickled parts."""
    hand = cls(spec, cards=deal, stacks=stacks)
    hand.play(line)
    return hand


def actions_of(line: str) -> list[str]:
    """Return the text of each action of a line, of all streets together.

    Examples
    --------
    >>> actions_of("kb30c/kk")
    ['k', 'b30', 'c', 'k', 'k']
    """
    return _ACTION.findall(line)


def parse_line(line: str) -> tuple[tuple[Action, ...], ...]:
    """Return the actions of a line by street.

    Raises
    ------
    IllegalActionError
        If a part of the line is no action.

    Examples
    --------
    >>> [[action.kind for action in street] for street in parse_line("b25c/kb30")]
    [['bet', 'call'], ['check', 'bet']]
    """
    return tuple(tuple(map(Action, actions_of(street))) for street in line.split("/"))


def line_prefixes(line: str, start: int = 0) -> Iterator[tuple[str, str]]:
    """Yield each action of a line from the character `start` on, and the line up to its end.

    Examples
    --------
    >>> list(line_prefixes("b25c/k", 3))
    [('c', 'b25c'), ('k', 'b25c/k')]
    """
    for found in _ACTION.finditer(line, start):
        yield found.group(), line[: found.end()]
