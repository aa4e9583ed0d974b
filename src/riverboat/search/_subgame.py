"""A street to the end of the hand, solved for all hands of both players; and those remembered."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from riverboat.bots import HandStrategies
from riverboat.errors import GameError
from riverboat.game import Action
from riverboat.search._plan import Pace
from riverboat.spots import DeviceEngine, Engine
from riverboat.tree import DECISION

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from riverboat.game import View
    from riverboat.search._plan import Plan
    from riverboat.search._street import Planned
    from riverboat.spots import Gadget
    from riverboat.tree import Tree

_ENGINE_BYTES: Final = 400_000_000
_ROW_BYTES: Final = 200_000_000

#: `[1326]` of the player out of position and of the one in position.
Ranges = tuple["NDArray[np.float64]", "NDArray[np.float64]"]
_RIVER_CARDS: Final = 5


class Pool:
    """Remembers subgames by public state.

    Engines, which are large, are given back first: what a street's decisions are stays longer.

    Parameters
    ----------
    engine_bytes, row_bytes
        Memory for solvers that may be asked more, and for decisions. The newest stays always.

    Attributes
    ----------
    lock
        Held while somebody solves.
    pace
        How long solves take.
    """

    def __init__(self, engine_bytes: int = _ENGINE_BYTES, row_bytes: int = _ROW_BYTES) -> None:
        self.lock, self.pace = threading.RLock(), Pace()
        self._most_engines, self._most_rows = engine_bytes, row_bytes
        self._kept: OrderedDict[tuple[object, ...], Subgame] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(
        self, key: tuple[object, ...], solve: Callable[[], Subgame], *, whole: bool = False
    ) -> Subgame:
        """Return a subgame, solved now if it is not remembered.

        Parameters
        ----------
        key
            What tells it from others.
        solve
            Solves it.
        whole
            Whether its solver is needed, too.
        """
        with self.lock:
            found = self._kept.pop(key, None)
            if found is None or (whole and not found.engine_bytes):
                self._release(self._most_engines // 2)  # room for the next one
                found = solve()
            self._kept[key] = found
            self._release(self._most_engines)
            while len(self._kept) > 1 and self._row_bytes() > self._most_rows:
                self._kept.popitem(last=False)
            return found

    def _row_bytes(self) -> int:
        return sum(each.row_bytes for each in self._kept.values())

    def _release(self, most: int) -> None:
        """Give the oldest solvers back until the rest fits; the newest stays."""
        held = [each for each in self._kept.values() if each.engine_bytes]
        total = sum(each.engine_bytes for each in held)
        for each in held[:-1]:
            if total <= most:
                return
            total -= each.engine_bytes
            each.release()

    def clear(self) -> None:
        """Forget everything."""
        with self.lock:
            self._kept.clear()


#: The process's own.
POOL: Final = Pool()


@dataclass(frozen=True, slots=True)
class SolveFacts:
    """How a subgame was solved.

    Attributes
    ----------
    street, board
        Where it begins.
    added
        The line that was put into its tree besides the menu; else empty.
    iterations, seconds
        What it took, with all that came before the first iteration.
    memory
        Bytes while it was solved.
    too_short
        Whether time ended it before it was worth playing: the blueprint plays in its place.
    exploitability
        Of the solution in its own subgame, as a share of its pot; None where it was not measured.
    """

    street: str
    board: str
    added: str
    iterations: int
    seconds: float
    memory: int
    too_short: bool
    exploitability: float | None

    @property
    def note(self) -> str:
        """How it was solved, in words."""
        share = 100 * (self.exploitability or 0)
        return (
            f"solved from the beginning of the {self.street}: {self.iterations:,} iterations in "
            f"{self.seconds:.1f} s, exploitable by {share:.2g} % of the pot there"
        )

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return asdict(self)


class Subgame:
    """A solved subgame. Lines are those of its street, as they were played at the table.

    Parameters
    ----------
    planned
        Board, chips and tree.
    ranges
        Of both players, out of position first.
    locks
        Decisions that are kept, by line.
    threads
        Of the solver.
    gadget
        Bounds what the opponent's hands may get.
    on_card
        Whether a graphics card solves it.

    Attributes
    ----------
    facts
        How it was solved; None before `solve`.
    least_seconds
        How long the least takes that is worth playing; 0 where it is not known.
    """

    def __init__(  # noqa: PLR0913 - what, and how
        self,
        planned: Planned,
        ranges: Ranges,
        locks: Mapping[str, HandStrategies] | None = None,
        threads: int = 1,
        gadget: Gadget | None = None,
        *,
        on_card: bool = False,
    ) -> None:
        self._began = time.perf_counter()
        self.planned, self.ranges = planned, ranges
        self.facts: SolveFacts | None = None
        self.least_seconds = 0.0
        self._rows: dict[int, NDArray[np.float32]] = {}
        made = DeviceEngine if on_card else Engine
        self._engine: Engine | None = made(
            planned.tree,
            planned.state.board,
            ranges,
            threads=threads,
            isomorphism=not locks,  # rounding may tell locked hands apart that it makes equal
            gadget=gadget,
        )
        for line, rows in (locks or {}).items():
            self._lock(line, rows)

    def _lock(self, line: str, rows: HandStrategies) -> None:
        """Keep a decision, unless what was done there is none of its actions."""
        actions = self.planned.actions(line)
        if not set(actions) <= set(rows.actions):
            return
        columns = np.stack([rows.column(action) for action in actions])
        self.engine.lock(self.planned.node(line), None, columns)

    # ---- Solving

    def solve(self, plan: Plan, explain: bool = False) -> SolveFacts:
        """Solve it, and keep what is decided on its street.

        Parameters
        ----------
        plan
            How long.
        explain
            Whether to measure how exploitable it is, which takes two iterations' time.
        """
        state, tree, engine = self.planned.state, self.planned.tree, self.engine
        prepared = time.perf_counter() - self._began
        least = plan.run(engine, river=len(state.board) == _RIVER_CARDS, pot=state.pot)
        self.least_seconds = prepared + least
        for node in _first_street(tree):
            self._rows[node] = _distributions(engine.strategy(node))
        self.facts = SolveFacts(
            street=state.street,
            board=state.board_text,
            added=self.planned.added,
            iterations=engine.iteration,
            seconds=time.perf_counter() - self._began,
            memory=_bytes(engine, self.ranges),
            too_short=plan.too_short(engine.iteration),
            exploitability=self.exploitability() if explain else None,
        )
        return self.facts

    def exploitability(self) -> float:
        """Return what best responses win from it, the mean of both, as a share of its pot."""
        return self.engine.exploitability()[2] / self.planned.state.pot

    @property
    def engine(self) -> Engine:
        """What solves it."""
        if self._engine is None:
            raise GameError("the solver of this subgame has been given back")
        return self._engine

    def release(self) -> None:
        """Give the memory of the solver back; the street's own decisions stay."""
        self._engine = None

    @property
    def engine_bytes(self) -> int:
        """Memory of the solver; 0 once it is given back."""
        return self.facts.memory if self.facts and self._engine else 0

    @property
    def row_bytes(self) -> int:
        """Memory of the decisions."""
        return sum(rows.nbytes for rows in self._rows.values())

    # ---- What was found

    def has(self, line: str) -> bool:
        """Return whether the tree has a line."""
        return self.planned.has(line)

    def rows(self, line: str) -> HandStrategies:
        """Return what all hands do at a decision on the subgame's own street."""
        node = self.planned.node(line)
        rows = self._rows[node].astype(np.float64)
        return HandStrategies(self.planned.tree.actions(node), rows)

    def ranges_after(self, line: str) -> Ranges:
        """Return both ranges after a line of the street; cards that came since do not count."""
        tree, node = self.planned.tree, self.planned.node(line)
        found = [self.ranges[0].copy(), self.ranges[1].copy()]
        for decision, taken in tree.way(node):
            found[int(tree.player[decision])] *= self._rows[decision][:, taken]
        return found[0], found[1]


def _bytes(engine: Engine, ranges: Ranges) -> int:
    """Memory of a solver, on the card if it is there."""
    if isinstance(engine, DeviceEngine):
        return engine.bytes
    return Engine.forecast(engine.tree, engine.board, ranges).bytes


def _first_street(tree: Tree) -> list[int]:
    decides = (tree.kind == DECISION) & (tree.street == tree.street[0])
    return [int(node) for node in np.flatnonzero(decides)]


def _distributions(strategy: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows `[1326, actions]` that add up to 1, also those of hands that cannot be there."""
    even = np.float32(1 / len(strategy))
    return np.ascontiguousarray(np.where(np.isnan(strategy), even, strategy).T)


# ---- As the table has it


def legal_action(action: str, view: View) -> str:
    """Return a spot's action as the table allows it: with unequal stacks all-in may be more.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("nolimit-100bb")).view(0)
    >>> legal_action("b30", view), legal_action("b15", view)
    ('b30', 'b20')
    """
    move = Action(action)
    if move.kind != "bet":
        return action
    if view.legal.raise_to is None:
        return "k" if view.legal.check else "c"
    least, most = view.legal.raise_to
    return f"b{min(max(move.amount, least), most)}"


def at_table(rows: HandStrategies, view: View) -> HandStrategies:
    """Return rows of a spot with legal actions of the table, each once."""
    real = [legal_action(action, view) for action in rows.actions]
    actions = tuple(dict.fromkeys(real))
    if actions == rows.actions:
        return rows
    columns = np.zeros((len(actions), len(rows.rows)))
    for column, action in zip(rows.rows.T, real, strict=True):
        columns[actions.index(action)] += column
    return HandStrategies(actions, columns.T)
