"""`Tree`: the public betting tree of a game and a menu, as arrays.

The tree starts at the beginning of the hand, or at any state where a seat is to act. A player's
decisions on one street form a *group*, within which the player's cards are one bucket. In games
with swaps the player's swaps so far belong to the group too, because they determine which of the
possible hands the player holds. Strategies list the actions of a decision in the order fold, check
or call, bets from small to large; or stand, swap.

Chance nodes are optional: sampled solvers deal all cards in advance and need none. With them, each
place where a street ends and the next one begins has a chance node. It has one child, because the
betting is the same for every deal; the dealer knows the cards and their probabilities. A chance
node belongs to the street that it ends. So the nodes of a street in the order of their numbers
(parents before children) are a program for all boards: it begins at the root or below the chance
nodes of the street before, and ends at its own chance nodes. After an all-in and a call the
remaining streets are a row of chance nodes.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from riverboat import _core
from riverboat.errors import GameError, MenuError
from riverboat.game import Action, GameSpec, Hand
from riverboat.tree._arrays import BET_ACTION, CHANCE, DECISION, FOLD, SHOWDOWN, TreeArrays
from riverboat.tree._menu import find_menu

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from riverboat.tree._menu import BetMenu

MAX_NODES = 10_000_000


class Tree(TreeArrays):
    """The public betting tree of a game and a bet menu. It is immutable.

    Parameters
    ----------
    spec
        The game. Games with tossed cards have no tree.
    menu
        A menu, its text, or its name.
    max_nodes
        Refuse trees with more nodes; ten million take about 1 GB with two players.
    start
        Where the tree starts: a hand, or a line of play, with a seat to act. Its bets need not be
        on the menu; its raises count for the caps. None = the beginning of the hand.
    chance
        Whether there are chance nodes between the streets.
    added
        Lines of play added to the tree, such as `kb75b300`: legal bets of any size, also off the
        menu. Below them the menu applies.
    removed
        Lines whose last action is removed, with the tree below it; at least one action of each
        decision must remain.
    fractions
        Whether two players split pots and pay rake in fractions of a chip. Without it, as at a
        table, an odd chip goes to one player, and the rake is rounded down.

    Attributes
    ----------
    compiled
        The core's tree, for solvers.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> tree = Tree(catalogue("kuhn"), "min")
    >>> tree.num_nodes, tree.num_decisions, tree.num_infosets(3)
    (9, (4,), (12,))
    >>> [tree.line(node) for node in range(tree.num_nodes)]
    ['', 'k', 'b1', 'kk', 'kb1', 'kb1f', 'kb1c', 'b1f', 'b1c']
    >>> below = Tree(catalogue("leduc"), "min", start="kb2", chance=True)
    >>> below.actions(0), below.num_chances, below.num_decisions
    (('f', 'c', 'b4'), (2, 0), (2, 12))
    >>> edited = Tree(catalogue("nolimit-100bb"), "100%, a", added=["b25"], removed=["c", "b30"])
    >>> edited.actions(0)
    ('f', 'b25', 'b1000')
    """

    def __init__(  # noqa: PLR0913 - options by keyword
        self,
        spec: GameSpec,
        menu: BetMenu | str,
        max_nodes: int = MAX_NODES,
        *,
        start: Hand | str | None = None,
        chance: bool = False,
        added: Sequence[str] = (),
        removed: Sequence[str] = (),
        fractions: bool = False,
    ) -> None:
        if not isinstance(spec, GameSpec):
            raise GameError(f"a tree needs a GameSpec, not {spec!r}")
        if type(max_nodes) is not int or not 1 <= max_nodes <= _core.MAX_TREE_NODES:
            raise GameError(
                f"a tree may have 1 to {_core.MAX_TREE_NODES:,} nodes, not {max_nodes!r}"
            )
        self.spec = spec
        self.menu = find_menu(menu)
        self.chance, self.fractions = bool(chance), bool(fractions)
        self.added, self.removed = checked_lines(added, "added"), checked_lines(removed, "removed")
        self._start = _public_hand(spec, start)
        self.compiled = _core.CompiledTree(
            spec.compiled,
            [street.numbers() for street in self.menu.streets],
            self.menu.rule_numbers(),
            max_nodes,
            None if start is None else self._start,
            self.chance,
            self._edits(),
            self.fractions,
        )
        self._check_edits()

    def _edits(self) -> list[tuple[list[tuple[int, int]], bool]]:
        """Return the added and removed lines for the core."""
        lines = [(line, False) for line in self.added] + [(line, True) for line in self.removed]
        return [
            ([edit_numbers(move) for move in self._moves_below(line)], removes)
            for line, removes in lines
        ]

    def _check_edits(self) -> None:
        """Refuse edits without effect."""
        for index in self.compiled.idle_edits:
            if index < len(self.added):
                why = "an action on the way is removed"
                raise MenuError(f"the line '{self.added[index]}' cannot be added: {why}")
            line = self.removed[index - len(self.added)]
            raise MenuError(f"the line '{line}' cannot be removed: the tree has none")

    def __repr__(self) -> str:
        name = self.spec.name or "a game"
        below = f" below '{self._start.line}'" if self._start.num_actions else ""
        chance = " with chance nodes" if self.chance else ""
        chance += ", edited by hand" if self.added or self.removed else ""
        return f"<Tree of {name}{below}{chance}, menu '{self.menu}': {self.num_nodes:,} nodes>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what the tree is built from."""
        start = None if self.whole else self._start
        options = {"chance": self.chance, "fractions": self.fractions}
        edits = {"added": self.added, "removed": self.removed}
        return _restore, (self.spec, self.menu, self.num_nodes, start, {**options, **edits})

    @property
    def start(self) -> Hand:
        """The hand at the root, without cards."""
        return self._start.clone()

    @property
    def whole(self) -> bool:
        """Whether this is the whole game's tree without chance nodes, as sampled solvers need."""
        return self.compiled.whole

    def require_whole(self, what: str) -> None:
        """Raise GameError if the tree is not `whole`; `what` is the subject of the message.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> Tree(catalogue("leduc"), "min", start="kb2").require_whole("a blueprint")
        Traceback (most recent call last):
        ...
        riverboat.errors.GameError: a blueprint needs the tree of a whole game: this one starts \
after 'kb2'
        """
        if self.whole:
            return
        later = f"starts after '{self._start.line}'" if self._start.num_actions else ""
        edited = "was edited by hand" if self.added or self.removed else ""
        parts = "pays in fractions of a chip" if self.fractions else ""
        chance = "has chance nodes" if self.chance else ""
        why = chance or edited or parts or later or "has other stacks"
        raise GameError(f"{what} needs the tree of a whole game: this one {why}")

    # ---- Lines

    def way(self, node: int) -> list[tuple[int, int]]:
        """Return the decisions on the path to a node, each with the index of the action taken.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> tree = Tree(catalogue("kuhn"), "min")
        >>> [(tree.line(at), tree.actions(at)[taken]) for at, taken in tree.way(tree.node("kb1"))]
        [('', 'k'), ('k', 'b1')]
        """
        way = []
        child = self._checked_node(node)
        while child:
            parent = int(self.parent[child])
            if self.kind[parent] == DECISION:
                way.append((parent, child - int(self.first_child[parent])))
            child = parent
        return way[::-1]

    def line(self, node: int) -> str:
        """Return the line of play that leads to a node, `b25c/kb30c`; `s` stand, `d` swap.

        The line begins with the hand, not with the tree's start. A chance node has the line of its
        child.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> tree = Tree(catalogue("leduc"), "min")
        >>> tree.line(tree.node("kb2c/k"))
        'kb2c/k'
        """
        path = [self._checked_node(node)]
        while path[-1]:
            path.append(int(self.parent[path[-1]]))
        text, street = self._start.line, self._line_street
        for parent, child in zip(path[:0:-1], path[-2::-1], strict=True):
            if self.kind[parent] == CHANCE:
                continue
            now = int(self.street[parent])
            text += "/" * (now - street) + self._action_text(child)
            street = now
        return text

    def node(self, line: str) -> int:
        """Return the node that a line of play leads to: a decision or a terminal.

        Raises MenuError with the menu's actions if the line leaves the tree, IllegalActionError if
        the rules do not allow it.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> Tree(catalogue("nolimit-100bb"), "laptop").node("b40")
        Traceback (most recent call last):
        ...
        riverboat.errors.MenuError: the line 'b40' leaves the tree at its start: b40 is not on the \
menu, which has f, c, b25, b30, b1000 there
        """
        node = self._after_chance(0)
        for action in self._moves_below(line):
            texts = self.actions(node)
            if action not in texts:
                here = f"after '{self.line(node)}'" if node else "at its start"
                raise MenuError(
                    f"the line '{line}' leaves the tree {here}: {action} is not on the menu, "
                    f"which has {', '.join(texts)} there"
                )
            node = self._after_chance(int(self.first_child[node]) + texts.index(action))
        return node

    def _moves_below(self, line: str) -> list[str]:
        """Return a line's actions from the tree's start on."""
        hand = Hand(self.spec, stacks=self._start.starting_stacks)
        # Blinds can put everybody all-in: a line of swaps then starts on a later street.
        late = isinstance(line, str) and hand.street > 0
        hand.play(line.lstrip("/") if late else line)
        moves, before = _moves(hand), _moves(self._start)
        if moves[: len(before)] != before:
            raise MenuError(
                f"the line '{line}' is not in the tree, which starts after '{self._start.line}'"
            )
        return moves[len(before) :]

    def _after_chance(self, node: int) -> int:
        while self.kind[node] == CHANCE:
            node = int(self.first_child[node])
        return node

    @cached_property
    def _line_street(self) -> int:
        """The street of the last action before the root."""
        return self._start.events[-1].street if self._start.num_actions else 0

    def actions(self, node: int) -> tuple[str, ...]:
        """Return the actions of a decision as text, in the order of its children; empty elsewhere.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> Tree(catalogue("nolimit-100bb"), "fcpa").actions(0)
        ('f', 'c', 'b30', 'b1000')
        """
        children = self.children(node)
        decides = self.kind[node] == DECISION
        return tuple(self._action_text(child) for child in children) if decides else ()

    def children(self, node: int) -> range:
        """Return the nodes that the actions of a decision lead to.

        A chance node has one child, a terminal none.
        """
        first = int(self.first_child[self._checked_node(node)])
        return range(first, first + int(self.num_actions[node]))

    def _action_text(self, child: int) -> str:
        kind = int(self.action_kind[child])
        return LETTERS[kind] + (str(self.action_amount[child]) if kind == BET_ACTION else "")

    def _checked_node(self, node: int) -> int:
        if not isinstance(node, int | np.integer) or not 0 <= node < self.num_nodes:
            raise GameError(f"there is no node {node!r}: nodes are 0 to {self.num_nodes - 1}")
        return int(node)

    # ---- Payoffs

    def settle(self, node: int, strengths: Sequence[int]) -> NDArray[np.float32]:
        """Return the payoffs of a terminal.

        Parameters
        ----------
        node
            A terminal.
        strengths
            By seat, bigger is better. Those of folded seats, and all of them after folds, are
            ignored.

        Returns
        -------
        ndarray
            `[players] float32`, chips won or lost by seat.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> tree = Tree(catalogue("kuhn3"), "min")
        >>> tree.settle(tree.node("b1cf"), [2, 3, 4]).tolist()
        [-2.0, 3.0, -1.0]
        """
        kind = int(self.kind[self._checked_node(node)])
        if kind in (DECISION, CHANCE):
            what = "decision" if kind == DECISION else "chance node"
            raise GameError(f"node {node} is a {what}: only terminals have payoffs")
        given = np.ascontiguousarray(strengths, dtype=np.uint32)
        if given.shape != (self.num_players,):
            raise GameError(f"{self.num_players} seats need {self.num_players} strengths")
        if kind == SHOWDOWN and self.num_players > 2:
            paid = np.empty(self.num_players, dtype=np.float32)
            self.compiled.settle_into(node, given, paid)
            return paid
        outcome = 0 if kind == FOLD else 1 + int(given[1] > given[0]) - int(given[0] > given[1])
        row = int(self.payoff_index[node]) // self.num_players + outcome
        return np.array(self.payoffs[row], dtype=np.float32)


def _public_hand(spec: GameSpec, start: Hand | str | None) -> Hand:
    """Return the hand at a tree's root, without cards."""
    if start is None or isinstance(start, str):
        return Hand.from_line(spec, start or "")
    if not isinstance(start, Hand):
        raise GameError(f"a tree must start at a Hand or a line of play, not {start!r}")
    if start.spec != spec:
        raise GameError(
            f"a tree of {spec.name or 'a game'} cannot start at a hand of "
            f"{start.spec.name or 'another game'}: their rules differ"
        )
    hand = Hand(spec, stacks=start.starting_stacks)
    for move in _moves(start):
        hand.do(move)
    return hand


def _moves(hand: Hand) -> list[str]:
    """Return the actions of a hand, without the swapped cards."""
    return ["d" if event.action.kind == "discard" else str(event.action) for event in hand.events]


def _restore(
    spec: GameSpec, menu: BetMenu, max_nodes: int, start: Hand | None, options: dict[str, Any]
) -> Tree:
    """Build a pickled tree again."""
    return Tree(spec, menu, max_nodes, start=start, **options)


LETTERS = "fkcbsd"  # by kind of action

_MOST_LINES = 1000
_MOST_CHARACTERS = 2000


def checked_lines(lines: Sequence[str], what: str) -> tuple[str, ...]:
    """Return the lines as a tuple, or raise MenuError."""
    if isinstance(lines, str) or not all(isinstance(line, str) for line in lines):
        raise MenuError(f"the {what} lines must be a list of text, not {lines!r}")
    if len(lines) > _MOST_LINES:
        raise MenuError(f"at most {_MOST_LINES:,} lines can be {what}, not {len(lines):,}")
    for line in lines:
        if not line.strip("/ "):
            raise MenuError(f"the empty line cannot be {what}: name an action, such as b50")
        if len(line) > _MOST_CHARACTERS:
            raise MenuError(f"the {what} lines must have at most {_MOST_CHARACTERS:,} characters")
    return tuple(lines)


def edit_numbers(move: str) -> tuple[int, int]:
    """Return the kind and amount of an action for the core."""
    return LETTERS.index(move[0]), Action(move).amount
