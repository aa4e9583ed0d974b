"""`Tree`: the public betting tree of a game and a menu, as arrays.

It starts at the beginning of the hand, or at any state where a seat is to act. A player's
decisions on one street form a *group*; there his cards are one bucket. In games with swaps his
own swaps so far belong to the group, too, because they select which of his possible hands he
holds. Strategies list the actions of a decision as fold, check or call, bets from small to large;
or stand, swap.

Sampled solvers deal all cards beforehand, so that the tree needs no chance nodes and has none
unless asked. With them one stands wherever a street ends and the next one begins: a mark that
cards come, with one child, because betting is the same for every deal. Which cards, and how
likely, is the dealer's side. A chance node belongs to the street that it ends, so that the nodes
of a street by number (parents stand before children) are a program for all boards: entered at
the root or below the last street's chance nodes, left at its own. After an all-in that is called
the streets that are left are chance nodes in a row.
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
        The game. Games with cards tossed face up have no tree.
    menu
        A menu, its text, or its name.
    max_nodes
        Refuse trees of more nodes; ten million take about 1 GB with two players.
    start
        Where the tree starts: a hand, or a line of the game, where a seat is to act. Bets so far
        need not be on the menu; raises so far count for the caps. Without one the tree is that
        of the whole hand.
    chance
        Whether chance nodes stand between the streets.
    added
        Lines of play that are in the tree whatever the menu says, such as `kb75b300`: legal bets
        of any size. The menu goes on below them.
    removed
        Lines whose last action is not in the tree, nor what lies below; at least one action of
        each decision stays.
    fractions
        Whether two players split pots and pay rake in parts of a chip. At a table, and without
        this, odd chips go to one of them, and the rake is rounded down.

    Attributes
    ----------
    compiled
        The core's tree, as the solvers take it.

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

    def __init__(  # noqa: PLR0913 - a game, a menu, and what is not as usual
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
            raise GameError(f"a tree is made of a GameSpec, not {spec!r}")
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
        """What was added and removed as the core takes it."""
        lines = [(line, False) for line in self.added] + [(line, True) for line in self.removed]
        return [
            ([edit_numbers(move) for move in self._moves_below(line)], removes)
            for line, removes in lines
        ]

    def _check_edits(self) -> None:
        """Refuse edits that came to nothing."""
        for index in self.compiled.idle_edits:
            if index < len(self.added):
                why = "what leads there is removed"
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
        """The hand at the root as everybody sees it, without cards."""
        return self._start.clone()

    @property
    def whole(self) -> bool:
        """Whether it is the tree of the whole game without chance nodes, which solvers sample."""
        return self.compiled.whole

    def require_whole(self, what: str) -> None:
        """Raise GameError where the tree is not `whole`; `what` says who needs that.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> Tree(catalogue("leduc"), "min", start="kb2").require_whole("a blueprint")
        Traceback (most recent call last):
        ...
        riverboat.errors.GameError: a blueprint is for the tree of a whole game: this one starts \
after 'kb2'
        """
        if self.whole:
            return
        later = f"starts after '{self._start.line}'" if self._start.num_actions else ""
        edited = "was edited by hand" if self.added or self.removed else ""
        parts = "pays in parts of a chip" if self.fractions else ""
        chance = "has chance nodes" if self.chance else ""
        why = chance or edited or parts or later or "has other stacks"
        raise GameError(f"{what} is for the tree of a whole game: this one {why}")

    # ---- Lines

    def way(self, node: int) -> list[tuple[int, int]]:
        """Return the decisions on the way to a node, each with the number of the action taken.

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

        It begins where the hand does, wherever the tree starts. A chance node has the line of
        what comes after it.

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

        Raises MenuError where the line leaves the tree, and says what the menu has there;
        IllegalActionError where the rules do not allow it.

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
        """Return what a line does from the tree's start on."""
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
        """Return the actions of a decision as text, in the order of its children; else nothing.

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
        """Return what a terminal pays.

        Parameters
        ----------
        node
            A terminal.
        strengths
            By seat, bigger is better; of no matter where the hand ended by folds. Seats that
            folded may have any.

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
            raise GameError(f"node {node} is a {what}: only terminals pay")
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
    """Return the hand at a tree's root without its cards."""
    if start is None or isinstance(start, str):
        return Hand.from_line(spec, start or "")
    if not isinstance(start, Hand):
        raise GameError(f"a tree starts at a Hand or a line of play, not {start!r}")
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
    """Return what was done, without the cards that were swapped."""
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
    """Return the lines as a tuple, or say what is wrong with them."""
    if isinstance(lines, str) or not all(isinstance(line, str) for line in lines):
        raise MenuError(f"lines that are {what} are a list of text, not {lines!r}")
    if len(lines) > _MOST_LINES:
        raise MenuError(f"at most {_MOST_LINES:,} lines can be {what}, not {len(lines):,}")
    for line in lines:
        if not line.strip("/ "):
            raise MenuError(f"the empty line cannot be {what}: name an action, such as b50")
        if len(line) > _MOST_CHARACTERS:
            raise MenuError(f"a line that is {what} has at most {_MOST_CHARACTERS:,} characters")
    return tuple(lines)


def edit_numbers(move: str) -> tuple[int, int]:
    """Return kind and amount of a move as the core takes them."""
    return LETTERS.index(move[0]), Action(move).amount
