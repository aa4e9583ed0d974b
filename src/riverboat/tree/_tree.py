"""`Tree`: the public betting tree of a game and a menu, as arrays.

There are no chance nodes: a deal fixes all cards beforehand, and the tree is the same for every
deal. A player's decisions on one street form a *group*; there his cards are one bucket. In games
with swaps his own swaps so far belong to the group, too, because they select which of his
possible hands he holds. Strategies list the actions of a decision as fold, check or call, bets
from small to large; or stand, swap.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from riverboat import _core
from riverboat.errors import GameError, MenuError
from riverboat.game import GameSpec, Hand
from riverboat.tree._arrays import TreeArrays
from riverboat.tree._menus import find_menu

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.tree._menu import BetMenu

__all__ = ["DECISION", "FOLD", "MAX_NODES", "SHOWDOWN", "Buckets", "Tree"]

DECISION, FOLD, SHOWDOWN = 0, 1, 2

MAX_NODES = 10_000_000

_LETTERS = "fkcbsd"  # by kind of action
_BET = 3

Buckets = int | Sequence[int]


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
    """

    def __init__(self, spec: GameSpec, menu: BetMenu | str, max_nodes: int = MAX_NODES) -> None:
        if not isinstance(spec, GameSpec):
            raise GameError(f"a tree is made of a GameSpec, not {spec!r}")
        if type(max_nodes) is not int or not 1 <= max_nodes <= _core.MAX_TREE_NODES:
            raise GameError(
                f"a tree may have 1 to {_core.MAX_TREE_NODES:,} nodes, not {max_nodes!r}"
            )
        self.spec = spec
        self.menu = find_menu(menu)
        self.compiled = _core.CompiledTree(
            spec.compiled,
            [street.numbers() for street in self.menu.streets],
            self.menu.merge / 100,
            max_nodes,
        )

    def __repr__(self) -> str:
        name = self.spec.name or "a game"
        return f"<Tree of {name}, menu '{self.menu}': {self.num_nodes:,} nodes>"

    def __reduce__(self) -> tuple[type[Tree], tuple[GameSpec, BetMenu, int]]:
        """Pickle what the tree is built from."""
        return Tree, (self.spec, self.menu, self.num_nodes)

    # ---- Counts

    @property
    def num_nodes(self) -> int:
        """Nodes in all, decisions and terminals; the root is node 0."""
        return len(self.kind)

    @property
    def num_players(self) -> int:
        """Number of seats."""
        return self.spec.players

    @property
    def num_streets(self) -> int:
        """Number of streets."""
        return len(self.spec.streets)

    @property
    def num_decisions(self) -> tuple[int, ...]:
        """Decision nodes by street."""
        return self._by_street(DECISION)

    @property
    def num_folds(self) -> tuple[int, ...]:
        """Terminals where all but one folded, by street."""
        return self._by_street(FOLD)

    @property
    def num_showdowns(self) -> tuple[int, ...]:
        """Terminals with a showdown, by street: the last, for the board is run out first."""
        return self._by_street(SHOWDOWN)

    def _by_street(self, kind: int) -> tuple[int, ...]:
        counts = np.bincount(self.street[self.kind == kind], minlength=self.num_streets)
        return tuple(counts.tolist())

    def num_infosets(self, buckets: Buckets) -> tuple[int, ...]:
        """Information sets by street: decisions times buckets.

        Parameters
        ----------
        buckets
            How many buckets the cards of a player fall into, by street, or one number for all.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> Tree(catalogue("leduc"), "min").num_infosets((3, 9))
        (18, 270)
        """
        return self._times_buckets(self.group_decisions, buckets)

    def num_entries(self, buckets: Buckets) -> tuple[int, ...]:
        """Strategy entries by street: the actions of all information sets.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> Tree(catalogue("leduc"), "min").num_entries((3, 9))
        (42, 630)
        """
        return self._times_buckets(self.group_entries, buckets)

    def memory(self, buckets: Buckets, bytes_per_entry: int = 12) -> int:
        """Bytes that training takes for its tables.

        Parameters
        ----------
        buckets
            By street, or one number for all.
        bytes_per_entry
            12 = a regret of 4 bytes and an average-strategy weight of 8.
        """
        return sum(self.num_entries(buckets)) * bytes_per_entry

    def _times_buckets(self, per_group: NDArray[np.uint32], buckets: Buckets) -> tuple[int, ...]:
        counts = [0] * self.num_streets
        by_street = self._checked_buckets(buckets)
        for street, count in zip(self.group_street.tolist(), per_group.tolist(), strict=True):
            counts[street] += count * by_street[street]
        return tuple(counts)

    def _checked_buckets(self, buckets: Buckets) -> list[int]:
        many = list(buckets) if isinstance(buckets, Iterable) else [buckets] * self.num_streets
        good = len(many) == self.num_streets and all(
            isinstance(count, int | np.integer) and count > 0 for count in many
        )
        if not good:
            raise GameError(
                f"buckets must be {self.num_streets} numbers above 0, one for each street, "
                f"or one for all, not {buckets!r}"
            )
        return [int(count) for count in many]

    # ---- Lines

    def line(self, node: int) -> str:
        """Return the line of play that leads to a node, `b25c/kb30c`; `s` stand, `d` swap.

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
        text, street = "", 0
        for parent, child in zip(path[:0:-1], path[-2::-1], strict=True):
            now = int(self.street[parent])
            text += "/" * (now - street) + self._action_text(child)
            street = now
        return text

    def node(self, line: str) -> int:
        """Return the node that a line of play leads to.

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
        hand = Hand(self.spec)
        # Blinds can put everybody all-in: a line of swaps then starts on a later street.
        late = isinstance(line, str) and hand.street > 0
        hand.play(line.lstrip("/") if late else line)
        node = 0
        for event in hand.events:
            action = "d" if event.action.kind == "discard" else str(event.action)
            texts = self.actions(node)
            if action not in texts:
                here = f"after '{self.line(node)}'" if node else "at its start"
                raise MenuError(
                    f"the line '{line}' leaves the tree {here}: {action} is not on the menu, "
                    f"which has {', '.join(texts)} there"
                )
            node = int(self.first_child[node]) + texts.index(action)
        return node

    def actions(self, node: int) -> tuple[str, ...]:
        """Return the actions of a decision as text, in the order of its children.

        Examples
        --------
        >>> from riverboat.game import catalogue
        >>> Tree(catalogue("nolimit-100bb"), "fcpa").actions(0)
        ('f', 'c', 'b30', 'b1000')
        """
        return tuple(self._action_text(child) for child in self.children(node))

    def children(self, node: int) -> range:
        """Return the nodes that the actions of a decision lead to; none of a terminal."""
        first = int(self.first_child[self._checked_node(node)])
        return range(first, first + int(self.num_actions[node]))

    def _action_text(self, child: int) -> str:
        kind = int(self.action_kind[child])
        return _LETTERS[kind] + (str(self.action_amount[child]) if kind == _BET else "")

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
        if kind == DECISION:
            raise GameError(f"node {node} is a decision: only terminals pay")
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
