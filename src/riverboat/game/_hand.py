"""`Hand`, the state machine that every table, tree, bot and protocol uses.

The rules run in the core; this class adds what needs Python objects. The functions below it split
the text of a line of play, `b25c/kb30c/kk`, into actions.
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
# The last alternative matches characters that are not actions, so that none is skipped silently.
_ACTION: Final = re.compile(r"[kcfs]|b[0-9]+|d(?:[2-9TJQKA][cdhs])?|[^/]")


class Hand(_core.Hand):
    """One hand of any variant.

    Parameters
    ----------
    spec
        The game.
    seed
        Random seed for every card that is not given. Without it such cards stay
        unknown, and the hand can be played until one is needed.
    cards
        Given cards in the order of dealing: the hole cards seat by seat, the
        board, then replacements of swapped cards (by phase and seat).
    hole, board
        Given cards: one entry of hole cards for each seat, and the board. Cards
        are text (`'AhKd'`), numbers or a list; `'??'`, -1 and None are unknown.
    stacks
        Chips by seat at the start; the game's by default.

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
            """The game."""

    def legal(self) -> LegalActions:
        """Return the legal actions of the seat to act, with exact bounds."""
        return LegalActions(*self._legal())

    def pots(self) -> tuple[Pot, ...]:
        """Return the main pot and side pots so far; with winners once the hand is settled.

        While the betting is open only all-in seats limit a pot: a seat that
        can still call is assumed to call.
        """
        return tuple(Pot(*pot) for pot in self._pots())

    @property
    def events(self) -> tuple[Event, ...]:
        """All actions so far, with street and seat."""
        return tuple(Event(*event) for event in self._events)

    def view(self, seat: int, seconds_left: float | None = None) -> View:
        """Return what `seat` may know now; `seconds_left` is its time to decide, if limited.

        At a showdown the cards of all live seats are shown.
        """
        # Explicit fields take two thirds of the time of slices and star expressions.
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
        """Return a hand after a line of play; `cards` are the arguments of the class."""
        hand = cls(spec, **cards)
        hand.play(line)
        return hand

    def __repr__(self) -> str:
        """Return one line: game, cards, line, and the seat to act or the payoffs."""
        holes = "|".join(cards_text(self.hole_cards(seat)) for seat in range(self.players))
        if self.settled:
            state = f"payoffs {self.payoffs()}"
        elif self.finished:
            state = "finished, showdown unknown"
        else:
            state = f"seat {self.actor} to act, pot {self.pot}"
        name = self.spec.name or "unnamed game"
        return (
            f"<Hand {name}: {holes} board {cards_text(self.board) or '-'}, '{self.line}', {state}>"
        )

    def frame_columns(self) -> Columns:
        """Return a row for each action: street from 0, seat, action and amount."""
        events = self.events
        return {
            "street": [event.street for event in events],
            "seat": [event.seat for event in events],
            "action": [str(event.action) for event in events],
            "amount": [event.action.amount for event in events],
        }

    # The core's class takes no second base, so that `Framed` cannot be one.
    def to_frame(self, library: FrameLibrary | None = None) -> Any:
        """Return the actions as a pandas or polars data frame."""
        return frame_of(self.frame_columns(), library)

    def _repr_html_(self) -> str:
        """Draw the hand in a notebook."""
        from riverboat.game._html import hand_html  # noqa: PLC0415 - only notebooks need it

        return hand_html(self, self.events)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle game, cards, stacks and line; unpickling plays the hand again."""
        return _restore, (type(self), self.spec, self.deal, self.starting_stacks, self.full_line)


def _restore(
    cls: type[Hand], spec: GameSpec, deal: tuple[int, ...], stacks: tuple[int, ...], line: str
) -> Hand:
    """Make a hand from its pickled parts."""
    hand = cls(spec, cards=deal, stacks=stacks)
    hand.play(line)
    return hand


def actions_of(line: str) -> list[str]:
    """Return the actions of a line as text, for all streets together.

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
        If a part of the line is not an action.

    Examples
    --------
    >>> [[action.kind for action in street] for street in parse_line("b25c/kb30")]
    [['bet', 'call'], ['check', 'bet']]
    """
    return tuple(tuple(map(Action, actions_of(street))) for street in line.split("/"))


def line_prefixes(line: str, start: int = 0) -> Iterator[tuple[str, str]]:
    """Yield each action of a line from character `start` on, and the line up to that action.

    Examples
    --------
    >>> list(line_prefixes("b25c/k", 3))
    [('c', 'b25c'), ('k', 'b25c/k')]
    """
    for match in _ACTION.finditer(line, start):
        yield match.group(), line[: match.end()]
