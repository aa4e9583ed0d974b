"""The public state of a street of a hand, and the tree of its solve."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from riverboat.errors import GameError
from riverboat.game import Hand, actions_of
from riverboat.tree import CHANCE, PublicState, tree_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riverboat.game import GameSpec, View
    from riverboat.tree import Tree


@dataclass(frozen=True)
class Street:
    """The last street of a line. `Street.of` replays the hand once.

    Attributes
    ----------
    spec, stacks
        The game, and starting stacks by seat.
    board
        The board.
    lines
        The line, street by street.
    actor
        The seat to act on this street; None if the street is over.
    hands, actions
        The hand before each action of all streets, and after the last one.
    """

    spec: GameSpec
    stacks: tuple[int, ...]
    board: tuple[int, ...]
    lines: tuple[str, ...]
    actor: int | None = field(compare=False)
    hands: tuple[Hand, ...] = field(compare=False, repr=False)
    actions: tuple[str, ...] = field(compare=False, repr=False)

    @classmethod
    def of(cls, view: View) -> Street:
        """Return the street of a view."""
        lines = tuple(view.line.split("/"))
        # A street without actions is not in the line yet.
        lines += ("",) * (view.street + 1 - len(lines))
        if -1 in view.board:
            raise GameError(f"search needs the board, which is unknown after '{view.line}'")
        actions = tuple(actions_of(view.line))
        hand = Hand(view.spec, stacks=view.starting_stacks, board=view.board)
        hands = []
        for action in actions:
            hands.append(hand.clone())
            hand.do(action)
        hands.append(hand)
        own = (view.spec, view.starting_stacks, view.board, lines)
        return cls(*own, hand.actor, tuple(hands), actions)

    @property
    def index(self) -> int:
        """Number of the street in the game."""
        return len(self.lines) - 1

    @property
    def name(self) -> str:
        """Name of the street."""
        return self.spec.street_names[self.index]

    @property
    def line(self) -> str:
        """Line of this street."""
        return self.lines[-1]

    @property
    def key(self) -> tuple[object, ...]:
        """Key of the street's start, for caches."""
        return self.spec, self.stacks, self.board, self.lines[:-1]

    @cached_property
    def state(self) -> PublicState:
        """Public state at the start of the street."""
        return PublicState.at(self.start, self.board, self.index)

    @property
    def start(self) -> Hand:
        """The hand at the start of the street."""
        return self.hands[self._first]

    @property
    def _first(self) -> int:
        """Index of the street's first action."""
        return next(i for i, hand in enumerate(self.hands) if hand.street == self.index)

    @property
    def before(self) -> Street:
        """The previous street, complete."""
        size, end = self.spec.board_sizes[self.index - 1], self._first
        own = (self.spec, self.stacks, self.board[:size], self.lines[:-1])
        return Street(*own, None, self.hands[: end + 1], self.actions[:end])

    @property
    def new_cards(self) -> tuple[int, ...]:
        """Cards dealt at the start of the street."""
        return self.board[self.spec.board_sizes[self.index - 1] :]

    @property
    def seats(self) -> tuple[int, int]:
        """Seats out of position and in position."""
        return self.state.seats

    def moves(self) -> Iterator[tuple[View, str]]:
        """Yield all actions of the hand, each with the acting seat's view without hole cards."""
        for hand, action in zip(self.hands, self.actions, strict=False):
            if hand.actor is not None:
                yield hand.view(hand.actor), action

    def earlier(self) -> Iterator[tuple[Hand, str]]:
        """Yield the actions of earlier streets, each with the hand before it."""
        yield from zip(self.hands[: self._first], self.actions, strict=False)

    def decisions(self, seat: int) -> Iterator[str]:
        """Yield the lines of this street at which a seat decided, or is to act now."""
        first, line = self._first, ""
        for hand, action in zip(self.hands[first:], self.actions[first:], strict=False):
            if hand.actor == seat:
                yield line
            line += action
        if self.actor == seat:
            yield line


class Planned(NamedTuple):
    """State and tree of a street's solve. Lines are those of the street, as played."""

    state: PublicState
    tree: Tree
    added: str

    def path(self, line: str) -> list[tuple[int, int]] | None:
        """Return the decisions of a line, each with the node after it; None if off-tree."""
        path, node = [], 0
        for action in actions_of(self.state.line(line)):
            actions = self.tree.actions(node)
            if action not in actions:
                return None
            child = self.tree.children(node)[actions.index(action)]
            path.append((node, child))
            node = child
        return path

    def has(self, line: str) -> bool:
        """Return whether the tree has a line."""
        return self.path(line) is not None

    def node(self, line: str) -> int:
        """Return the node of a line; for a complete street the node after the next card."""
        path = self.path(line)
        if path is None:
            raise GameError(f"'{line}' is not in the tree of the {self.state.street}")
        node = path[-1][1] if path else 0
        while self.tree.kind[node] == CHANCE:
            node = self.tree.children(node)[0]
        return node

    def actions(self, line: str) -> tuple[str, ...]:
        """Return the tree's actions after a line."""
        return self.tree.actions(self.node(line))


@lru_cache(maxsize=64)
def planned(state: PublicState, line: str, menu: str) -> Planned:
    """Return state and tree of a street's solve; `line` is added to the tree if it is missing."""
    added = (state.line(line),) if line else ()
    return Planned(state, tree_of(state, menu, added=added), line)
