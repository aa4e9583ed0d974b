"""Subgames: a street to the end of the hand, solved for all hands; and a cache of them."""

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
from riverboat.search._plan import FLOP, LEAST_FLOP, RIVER, TURN, Pace
from riverboat.search._sampled import SampledFlop
from riverboat.spots import DeviceEngine, Engine
from riverboat.tree import DECISION

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from riverboat.game import View
    from riverboat.search._plan import Effort, Plan, SubgameSolver
    from riverboat.search._street import Planned
    from riverboat.spots import Gadget
    from riverboat.tree import Tree

_ENGINE_BYTES: Final = 400_000_000
_ROW_BYTES: Final = 200_000_000
_MOST_SKIPPED: Final = 10_000

#: `[1326]` of the player out of position and of the one in position.
Ranges = tuple["NDArray[np.float64]", "NDArray[np.float64]"]
_RIVER_CARDS: Final = 5


class Pool:
    """Cache of solved subgames by public state.

    Engines are large and released first; the decisions of a street stay longer.

    Parameters
    ----------
    engine_bytes, row_bytes
        Memory for engines, and for decisions. The newest subgame always stays.

    Attributes
    ----------
    lock
        Held during a solve.
    pace
        Time of solves.
    """

    def __init__(self, engine_bytes: int = _ENGINE_BYTES, row_bytes: int = _ROW_BYTES) -> None:
        self.lock, self.pace = threading.RLock(), Pace()
        self._most_engines, self._most_rows = engine_bytes, row_bytes
        self._kept: OrderedDict[tuple[object, ...], Subgame] = OrderedDict()
        self._skipped: OrderedDict[tuple[object, ...], None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def __contains__(self, key: tuple[object, ...]) -> bool:
        return key in self._kept

    def get(
        self, key: tuple[object, ...], solve: Callable[[], Subgame], *, whole: bool = False
    ) -> Subgame:
        """Return a subgame from the cache, or solve it.

        Parameters
        ----------
        key
            Key of the subgame.
        solve
            Solves it.
        whole
            Whether its engine is needed, too, where it has one: sampled runouts have none.
        """
        with self.lock:
            subgame = self._kept.pop(key, None)
            if subgame is None or (whole and subgame.exact and not subgame.engine_bytes):
                self._release(self._most_engines // 2)  # room for the next one
                subgame = solve()
            self._kept[key] = subgame
            self._release(self._most_engines)
            while len(self._kept) > 1 and self._row_bytes() > self._most_rows:
                self._kept.popitem(last=False)
            return subgame

    def _row_bytes(self) -> int:
        return sum(subgame.row_bytes for subgame in self._kept.values())

    def _release(self, most: int) -> None:
        """Release the oldest engines until the rest fits; the newest stays."""
        held = [subgame for subgame in self._kept.values() if subgame.engine_bytes]
        total = sum(subgame.engine_bytes for subgame in held)
        for subgame in held[:-1]:
            if total <= most:
                return
            total -= subgame.engine_bytes
            subgame.release()

    def skip(self, key: tuple[object, ...]) -> None:
        """Remember a street that had no time, so that one strategy plays all of it."""
        with self.lock:
            self._skipped[key] = None
            while len(self._skipped) > _MOST_SKIPPED:
                self._skipped.popitem(last=False)

    def skips(self, key: tuple[object, ...], plan: Plan) -> bool:
        """Return whether a street had no time; a number of iterations always has."""
        return not plan.iterations and key in self._skipped

    def clear(self) -> None:
        """Empty the cache."""
        with self.lock:
            self._kept.clear()
            self._skipped.clear()


#: The cache of this process.
POOL: Final = Pool()


@dataclass(frozen=True, slots=True)
class SolveFacts:
    """How a subgame was solved.

    Attributes
    ----------
    street, board
        Street and board at its start.
    added
        The line that was added to its tree; otherwise empty.
    iterations, seconds
        Iterations, and seconds including the preparation.
    memory
        Bytes during the solve.
    too_short
        Whether time ended it with too few iterations: the blueprint plays instead.
    exploitability
        Exploitability within the subgame, as a fraction of its pot; None if not measured, and for
        sampled runouts.
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
        text = (
            f"solved from the start of the {self.street}: {self.iterations:,} iterations in "
            f"{self.seconds:.1f} s"
        )
        if self.exploitability is None:
            return f"{text}, by sampled runouts"
        return f"{text}, exploitability {100 * self.exploitability:.2g} % of the pot there"

    def as_dict(self) -> dict[str, Any]:
        """Return the facts as plain values."""
        return asdict(self)


class Subgame:
    """A solved subgame. Lines are those of its street, as played at the table.

    Parameters
    ----------
    planned
        Board, chips and tree.
    ranges
        Ranges of both players, out of position first.
    locks
        Locked decisions by line.
    threads
        Threads of the solve.
    gadget
        Bounds the values of the opponent's hands.
    solver
        What solves it.
    least_flop
        Minimum of iterations of sampled runouts.

    Attributes
    ----------
    facts
        How it was solved; None before `solve`.
    least_seconds
        Seconds of a minimal solve; 0 if unknown.
    """

    def __init__(  # noqa: PLR0913 - options
        self,
        planned: Planned,
        ranges: Ranges,
        locks: Mapping[str, HandStrategies] | None = None,
        threads: int = 1,
        gadget: Gadget | None = None,
        *,
        solver: SubgameSolver = "exact",
        least_flop: int = LEAST_FLOP,
    ) -> None:
        self._began = time.perf_counter()
        self.planned, self.ranges, self.solver = planned, ranges, solver
        self._least_flop = least_flop
        self.facts: SolveFacts | None = None
        self.least_seconds = 0.0
        self._rows: dict[int, NDArray[np.float32]] = {}
        self._engine: Engine | None = None
        self._sampled: SampledFlop | None = None
        if solver == "sampled":
            self._sampled = SampledFlop(planned, ranges, threads)
        else:
            kind = DeviceEngine if solver == "gpu" else Engine
            self._engine = kind(
                planned.tree,
                planned.state.board,
                ranges,
                threads=threads,
                isomorphism=not locks,  # isomorphic locked hands may differ by rounding
                gadget=gadget,
            )
        for line, rows in (locks or {}).items():
            self._lock(line, rows)

    def _lock(self, line: str, rows: HandStrategies) -> None:
        """Lock a decision, unless the rows lack an action of the tree."""
        actions = self.planned.actions(line)
        if not set(actions) <= set(rows.actions):
            return
        columns = np.stack([rows.column(action) for action in actions])
        self._solving.lock(self.planned.node(line), None, columns)

    @property
    def _solving(self) -> Engine | SampledFlop:
        return self.engine if self._sampled is None else self._sampled

    @property
    def effort(self) -> Effort:
        """How its solve counts iterations."""
        if not self.exact:
            return FLOP._replace(least=self._least_flop)
        return RIVER if len(self.planned.state.board) == _RIVER_CARDS else TURN

    # ---- Solving

    def solve(self, plan: Plan, explain: bool = False) -> SolveFacts:
        """Solve it, and store the decisions of its street.

        Parameters
        ----------
        plan
            Limits of the solve.
        explain
            Whether to measure exploitability, which takes the time of two iterations.
        """
        state, tree, engine = self.planned.state, self.planned.tree, self._solving
        prepared = time.perf_counter() - self._began
        self.least_seconds = prepared + plan.run(engine, self.effort, state.pot)
        for node in _first_street(tree):
            self._rows[node] = _distributions(engine.strategy(node))
        self.facts = SolveFacts(
            street=state.street,
            board=state.board_text,
            added=self.planned.added,
            iterations=engine.iteration,
            seconds=time.perf_counter() - self._began,
            memory=_bytes(engine, self.ranges),
            too_short=plan.too_short(engine.iteration, self.effort),
            exploitability=self.exploitability() if explain and self.exact else None,
        )
        self._sampled = None  # its decisions are all that is asked for later
        return self.facts

    @property
    def exact(self) -> bool:
        """Whether an engine knows values: not of sampled runouts."""
        return self.solver != "sampled"

    def exploitability(self) -> float:
        """Return the exploitability as a fraction of the pot."""
        return self.engine.exploitability()[2] / self.planned.state.pot

    @property
    def engine(self) -> Engine:
        """The engine."""
        if self._engine is None:
            raise GameError("the engine of this subgame was released")
        return self._engine

    def release(self) -> None:
        """Release the engine's memory; the street's decisions stay."""
        self._engine = None

    @property
    def engine_bytes(self) -> int:
        """Memory of the engine; 0 after `release`."""
        return self.facts.memory if self.facts and self._engine else 0

    @property
    def row_bytes(self) -> int:
        """Memory of the decisions."""
        return sum(rows.nbytes for rows in self._rows.values())

    # ---- Results

    def has(self, line: str) -> bool:
        """Return whether the tree has a line."""
        return self.planned.has(line)

    def rows(self, line: str) -> HandStrategies:
        """Return the strategy of all hands at a decision of the subgame's first street."""
        node = self.planned.node(line)
        rows = self._rows[node].astype(np.float64)
        return HandStrategies(self.planned.tree.actions(node), rows)

    def ranges_after(self, line: str) -> Ranges:
        """Return both ranges after a line of the street, before the next card."""
        tree, node = self.planned.tree, self.planned.node(line)
        ranges = [self.ranges[0].copy(), self.ranges[1].copy()]
        for decision, taken in tree.way(node):
            ranges[int(tree.player[decision])] *= self._rows[decision][:, taken]
        return ranges[0], ranges[1]


def _bytes(engine: Engine | SampledFlop, ranges: Ranges) -> int:
    """Memory of an engine, on the GPU if it runs there."""
    if isinstance(engine, DeviceEngine | SampledFlop):
        return engine.bytes
    return Engine.forecast(engine.tree, engine.board, ranges).bytes


def _first_street(tree: Tree) -> list[int]:
    decides = (tree.kind == DECISION) & (tree.street == tree.street[0])
    return [int(node) for node in np.flatnonzero(decides)]


def _distributions(strategy: NDArray[np.floating]) -> NDArray[np.float32]:
    """Rows `[1326, actions]` that add up to 1; uniform for impossible hands."""
    even = np.float32(1 / len(strategy))
    rows = np.where(np.isnan(strategy), even, strategy).T
    return np.ascontiguousarray(rows, dtype=np.float32)


# ---- Legal actions of the table


def legal_action(action: str, view: View) -> str:
    """Return the table's legal action for a spot's; with unequal stacks an all-in may be more.

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
    """Return a spot's rows with legal actions of the table, each once."""
    real = [legal_action(action, view) for action in rows.actions]
    actions = tuple(dict.fromkeys(real))
    if actions == rows.actions:
        return rows
    columns = np.zeros((len(actions), len(rows.rows)))
    for column, action in zip(rows.rows.T, real, strict=True):
        columns[actions.index(action)] += column
    return HandStrategies(actions, columns.T)
