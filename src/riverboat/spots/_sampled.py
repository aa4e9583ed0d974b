"""Sampled solving of flops: a strategy for the flop in seconds, without the later streets.

Counterfactual regret minimization (Zinkevich et al. 2007) with public chance sampling (Johanson
et al. 2012): each iteration draws turn and river cards and updates both players' hands on them.
Every hand has its own strategy on the flop; on turn and river hands of similar equity share one,
which only serves to give the flop its values. So the result is a strategy of the flop, and not a
solution of the spot: solve turn and river again when they are dealt.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, NamedTuple

import numpy as np

from riverboat import _core
from riverboat.cards import NUM_HOLES, hands_met, hole_permutations
from riverboat.decision import Decision, public_state
from riverboat.errors import GameError, RiverboatError, SpotError
from riverboat.runs import num_cores
from riverboat.settings import Settings, meaning
from riverboat.spots._flop_worth import NUM_BATCHES, FlopWorth, flop_nodes, player_worth
from riverboat.spots._inputs import check_iterations, locked_rows
from riverboat.spots._layout import Layout
from riverboat.spots._settings import SIDES, decision_at
from riverboat.spots._sources import line_reach

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from riverboat.report import Palette
    from riverboat.spots._spot import Spot
    from riverboat.tree import Tree


class SampledSettings(Settings, frozen=True, kw_only=True):
    """Settings of a sampled solve.

    Examples
    --------
    >>> SampledSettings(turns=1, rivers=2).turns
    1
    """

    error: ClassVar[type[RiverboatError]] = SpotError

    seed: Annotated[int, meaning("random seed", 0, 2**63 - 1)] = 1
    threads: Annotated[int, meaning("threads (0 = one per core)", 0, 256)] = 0
    """Results do not depend on the number of threads; at most one per turn card is used."""
    turns: Annotated[int, meaning("turn cards per iteration", 1, 32)] = 2
    rivers: Annotated[int, meaning("river cards per turn card", 1, 32)] = 1
    turn_bins: Annotated[int, meaning("strategies per range on the turn", 1, 250)] = 60
    river_bins: Annotated[int, meaning("strategies per range on the river", 1, 250)] = 40


def check_flop(spot: Spot) -> None:
    """Refuse a spot that does not begin on the flop."""
    if len(spot.cards) != 3:
        raise SpotError(
            f"sampled solving is for flops: the board must have 3 cards, not {len(spot.cards)}"
        )


class SampledSize(NamedTuple):
    """Size of a sampled solve.

    Attributes
    ----------
    table_bytes, board_bytes, scratch_bytes
        Memory of regrets and averages; of boards, hands and their bins; of the threads.
    hand_steps, bin_steps, copy_steps
        Work of an iteration: hands times actions; bins times actions; numbers that change lanes.
    """

    table_bytes: int
    board_bytes: int
    scratch_bytes: int
    hand_steps: int
    bin_steps: int
    copy_steps: int


class SampledSolver:
    """Solver of a flop by sampling turn and river cards.

    Parameters
    ----------
    spot
        A spot that begins on the flop.
    settings
        The settings.
    tree
        The tree of the spot, if you have it.

    Attributes
    ----------
    tree : Tree
        The tree.

    Examples
    --------
    >>> from riverboat.spots import SampledSettings, SampledSolver, Spot
    >>> spot = Spot(board="8s2sJs", pot=50, stack=100, oop="QQ, 99, AJ", ip="KK, TT", menu="50%, a")
    >>> solver = SampledSolver(spot, SampledSettings(seed=7))
    >>> solver.run(100)
    >>> solver.iterations, solver.boards
    (100, 200)
    >>> decision = solver.node("b25")
    >>> decision.side, decision.actions
    ('ip', ('f', 'c', 'b75', 'b100'))
    """

    def __init__(
        self,
        spot: Spot,
        settings: SampledSettings = SampledSettings(),  # noqa: B008 - frozen
        *,
        tree: Tree | None = None,
    ) -> None:
        check_flop(spot)
        self.spot, self.settings = spot, settings
        self.tree = spot.tree() if tree is None else tree
        self._weights = [held.weights for held in spot.ranges]
        self._core = _core.SampledSolver(
            self.tree.compiled,
            spot.cards,
            np.array(self._weights, dtype=np.float32),
            settings.seed,
            settings.threads or num_cores(),
            settings.turns,
            settings.rivers,
            settings.turn_bins,
            settings.river_bins,
        )
        self._locked: dict[int, NDArray[np.float32]] = {}

    @staticmethod
    def size(spot: Spot, tree: Tree, settings: SampledSettings) -> SampledSize:
        """Return the size of a solve, without allocating it."""
        weights = np.array([held.weights for held in spot.ranges], dtype=np.float32)
        fields = _core.forecast_sampled(
            tree.compiled,
            spot.cards,
            weights,
            settings.threads or num_cores(),
            settings.turns,
            settings.rivers,
            settings.turn_bins,
            settings.river_bins,
        )
        return SampledSize(*fields)

    def lock(self, node: int, strategy: ArrayLike) -> None:
        """Fix the strategy of a flop decision, before a run.

        Parameters
        ----------
        node
            A decision on the flop.
        strategy
            `[actions, 1326]` probabilities of all hands; those of impossible hands do not matter.
        """
        rows = locked_rows(self.tree, node, strategy)
        if np.isnan(rows[:, ~np.isnan(self.table(node, "average")[0])]).any():
            raise GameError("a lock of a sampled solve needs the strategy of every possible hand")
        self._core.lock(node, rows)
        self._locked[node] = rows
        self._renamings = self._unmoved(node, rows)

    def run(self, iterations: int) -> None:
        """Run more iterations. Several calls give the same result as one."""
        check_iterations(iterations)
        self._core.run(iterations)

    @property
    def iterations(self) -> int:
        """Iterations done."""
        return self._core.iterations

    @property
    def boards(self) -> int:
        """Boards of five cards that were sampled."""
        return self.iterations * self.settings.turns * self.settings.rivers

    @property
    def num_bytes(self) -> int:
        """Memory of tables, boards and scratch."""
        return self._core.num_bytes

    def table(self, node: int, part: Literal["average", "regrets"]) -> NDArray[np.float32]:
        """Return `[actions, 1326] float32` of a flop decision, as the solver has it.

        The average is the sum of strategies by reach and iteration; regrets are in chips. nan for
        impossible hands.
        """
        out = np.full((int(self.tree.num_actions[node]), NUM_HOLES), np.nan, dtype=np.float32)
        self._core.rows_into(_core.FlopTable[part], node, out)
        return out

    def bins(self, player: int, cards: Sequence[int]) -> NDArray[np.int64]:
        """Return `[1326]`: the bin of each of a player's hands on a turn or a river; -1 if dead.

        `cards` are the turn card, or turn and river card. Hands of a bin share their strategy.
        """
        out = np.full(NUM_HOLES, 255, dtype=np.uint8)
        self._core.bins_into(player, list(cards), out)
        return np.where(out == 255, -1, out.astype(np.int64))

    def state(self) -> NDArray[np.uint8]:
        """Return all that a run changes, for `load_state`."""
        out = np.empty(self._core.state_size, dtype=np.uint8)
        self._core.save_state(out)
        return out

    def load_state(self, state: NDArray[np.uint8]) -> None:
        """Continue from the state of a solver with the same spot and settings."""
        self._core.load_state(state)

    def evaluate(self, iterations: int) -> FlopWorth:
        """Estimate on more boards what the flop's average strategy is worth.

        Turn and river go on learning meanwhile; the first ninth of the iterations, in which they
        get used to the average, is not counted. Afterwards the solver is as it was before.
        """
        check_iterations(iterations)
        each = iterations // (NUM_BATCHES + 1)
        if not self.iterations or not each:
            raise SpotError(
                f"an evaluation needs a run, and at least {NUM_BATCHES + 1} iterations, "
                f"not {iterations}"
            )
        before = self.state()
        self._core.evaluate(iterations - NUM_BATCHES * each)
        found = self._node_values(each)
        self.load_state(before)
        first, second = self._weights
        deals = float(first @ hands_met(second))
        worth = [
            player_worth(self.tree, player, found[player], weights / deals)
            for player, weights in enumerate(self._weights)
        ]
        sampled = NUM_BATCHES * each * self.settings.turns * self.settings.rivers
        return FlopWorth((worth[0][0], worth[1][0]), (worth[0][1], worth[1][1]), sampled)

    def _node_values(self, iterations: int) -> list[dict[int, NDArray[np.float64]]]:
        """Values of both players' hands at the flop's nodes, `[batches, 1326]`, per iteration."""
        nodes = flop_nodes(self.tree)
        found = [{node: np.zeros((NUM_BATCHES, NUM_HOLES)) for node in nodes} for _ in SIDES]
        row = np.zeros(NUM_HOLES, dtype=np.float32)
        for batch in range(NUM_BATCHES):
            self._core.evaluate(iterations)
            for player, values in enumerate(found):
                for node in nodes:
                    row[:] = 0
                    self._core.sums_into(player, node, row)
                    values[node][batch] = row / iterations
        return found

    def strategy(self, node: int, cards: Sequence[int] = ()) -> NDArray[np.float64]:
        """Return `[actions, 1326]`: the average strategy of a flop decision; nan if dead.

        Hands that are equal but for their suits have the same strategy.
        """
        if cards or int(self.tree.street[node]):
            raise SpotError("a sampled solve has a strategy for the flop only")
        average = self.table(node, "average").astype(np.float64)
        if node in self._locked:
            return np.where(np.isnan(average), np.nan, self._locked[node])
        # Sorted, so that the sums of hands that play alike are equal to the last bit.
        total = np.sort(average[:, self._renamings], axis=1).sum(axis=1)
        mass = total.sum(axis=0)
        even = np.full_like(total, 1 / len(total))
        shares: NDArray[np.float64] = np.divide(total, mass, out=even, where=mass > 0)
        shares[:, np.isnan(mass)] = np.nan
        return shares

    @cached_property
    def _renamings(self) -> NDArray[np.int64]:
        """`[permutations, 1326]`: each hand after the suit permutations that change nothing."""
        layout = Layout(self.spot, self.tree, isomorphism=True)
        return hole_permutations()[layout.renamings].astype(np.int64)

    def _unmoved(self, node: int, rows: NDArray[np.float32]) -> NDArray[np.int64]:
        """Return the renamings that leave a lock as it is."""
        live = ~np.isnan(self.table(node, "average")[0])
        same = [np.array_equal(rows[:, moved][:, live], rows[:, live]) for moved in self._renamings]
        return self._renamings[same]

    def node(self, line: str = "", palette: Palette = "usual") -> Decision:
        """Return a decision on the flop: the average strategy and reach of all hands."""
        node = decision_at(self.tree, line)
        if int(self.tree.street[node]):
            raise SpotError(f"'{line}' is after the flop: a sampled solve has no strategy there")
        strategy = np.ascontiguousarray(self.strategy(node).T)
        return Decision(
            **public_state(self.tree, node, palette) | {"players": SIDES},
            board=self.spot.cards,
            strategy=strategy,
            reach=np.array(line_reach(self.tree, self, self._weights, node, ())),
            alive=~np.isnan(strategy[:, 0]),
            source="solution",
            note=f"{self.iterations:,} iterations on {self.boards:,} sampled boards",
        )
