"""A street of a hand in public: how it began, what was done on it, who decided where."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from riverboat.errors import GameError
from riverboat.game import Hand, actions_of
from riverboat.spots import positions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riverboat.game import GameSpec, View

__all__ = ["Move", "Street"]


class Move(NamedTuple):
    """A move of a hand, with the table that it was made at."""

    view: View
    """Of the seat that moves; its cards are unknown."""
    action: str


@dataclass(frozen=True, slots=True)
class Street:
    """The last street of a line of play.

    Attributes
    ----------
    spec, stacks
        The game, and chips by seat at the beginning of the hand.
    board
        All cards on the table.
    lines
        What was done, street by street.
    """

    spec: GameSpec
    stacks: tuple[int, ...]
    board: tuple[int, ...]
    lines: tuple[str, ...]

    @classmethod
    def of(cls, view: View) -> Street:
        """Return the street of a view."""
        lines = tuple(view.line.split("/"))
        # A street without moves has no place in the line yet.
        lines += ("",) * (view.street + 1 - len(lines))
        if -1 in view.board:
            raise GameError(f"the board of '{view.line}' is not known: nothing can be solved")
        return cls(view.spec, view.starting_stacks, view.board, lines)

    @property
    def index(self) -> int:
        """Its number in the game."""
        return len(self.lines) - 1

    @property
    def name(self) -> str:
        """What people call it."""
        return self.spec.street_names[self.index]

    @property
    def line(self) -> str:
        """What was done on it."""
        return self.lines[-1]

    @property
    def key(self) -> tuple[object, ...]:
        """What tells its beginning from others."""
        return self.spec, self.stacks, self.board, self.lines[:-1]

    @property
    def start(self) -> Street:
        """The street before anything was done on it."""
        return replace(self, lines=(*self.lines[:-1], ""))

    @property
    def before(self) -> Street:
        """The whole street before."""
        size = self.spec.board_sizes[self.index - 1]
        return Street(self.spec, self.stacks, self.board[:size], self.lines[:-1])

    @property
    def new_cards(self) -> tuple[int, ...]:
        """The cards that it began with."""
        return self.board[self.spec.board_sizes[self.index - 1] :]

    @property
    def seats(self) -> tuple[int, int]:
        """Who is out of position, and who in position."""
        return positions(self.hand(""))

    def hand(self, line: str) -> Hand:
        """Return the hand after a line of this street."""
        hand = Hand(self.spec, stacks=self.stacks, board=self.board)
        hand.play("/".join((*self.lines[:-1], line)))
        return hand

    def moves(self) -> Iterator[Move]:
        """Yield all moves of the hand, those of earlier streets, too."""
        hand = Hand(self.spec, stacks=self.stacks, board=self.board)
        for action in actions_of("/".join(self.lines)):
            if hand.actor is not None:
                yield Move(hand.view(hand.actor), action)
            hand.do(action)

    def decisions(self, seat: int) -> Iterator[str]:
        """Yield the lines of this street that end where a seat decided, or is to decide now."""
        hand, line = self.hand(""), ""
        for action in actions_of(self.line):
            if hand.actor == seat:
                yield line
            hand.do(action)
            line += action
        if hand.actor == seat and hand.street == self.index:
            yield line
