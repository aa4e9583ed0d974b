"""The engine of the spot solver: arrays in, arrays out, around the C++ core."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

import numpy as np

from riverboat import _core
from riverboat.cards import NUM_HOLES
from riverboat.errors import GameError
from riverboat.spots._inputs import (
    DEFAULT,
    Schedule,
    check_bits,
    check_iterations,
    core_gadget,
    core_schedule,
    core_weights,
    locked_rows,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from riverboat.gpu import Bits
    from riverboat.spots._inputs import Gadget
    from riverboat.tree import Tree


@dataclass(frozen=True, slots=True)
class Forecast:
    """Size of a spot and the memory for solving it.

    Parameters
    ----------
    table_bytes, board_bytes, scratch_bytes
        Memory of regrets and averages, of boards and their hands, and of the threads.
    num_boards
        Boards; isomorphic boards count once.
    num_nodes
        Decisions, summed over all boards.
    """

    table_bytes: int
    board_bytes: int
    scratch_bytes: int
    num_boards: int
    num_nodes: int

    @property
    def bytes(self) -> int:
        """All memory."""
        return self.table_bytes + self.board_bytes + self.scratch_bytes


class EngineSettings(TypedDict):
    """Options of an engine."""

    bits: Bits
    threads: int
    isomorphism: bool
    schedule: Schedule


class Check(NamedTuple):
    """Best responses (`first`, `second`; pot share included) and exploitability, in chips."""

    iteration: int
    first: float
    second: float
    exploitability: float
    exact: bool
    """Double precision; otherwise single, with an error up to 2e-6 of the largest payoff."""


class Engine:
    """Solver of one spot.

    Parameters
    ----------
    tree
        Tree of a two-player game with chance nodes; its root street has all of `board`. The game
        is hold'em with any deck, or has one hole card (then see `one_card_holes`).
    board
        The cards that are dealt, as numbers.
    ranges
        Each player's weight of every hole pair, `[1326] float32`, not negative.
    bits
        Precision of the tables. 16 bits halve the memory; their average then ignores the player's
        own reach, whatever the schedule says.
    threads
        Results do not depend on the number of threads.
    isomorphism
        Whether isomorphic runouts are solved once.
    schedule
        How regrets and the average are discounted.
    gadget
        A re-solving gadget: one player chooses before the root whether to enter. All results are
        then of the game with that choice; the reach of that player is the average that entered.
        The strategy of the other player is the result of re-solving.

    Attributes
    ----------
    hands : tuple of ndarray
        Hole pairs of each player's hands at the root, `[hands] int64`.
    iteration : int
        Iterations done.
    own_reach : bool
        Whether the average weighs strategies by the player's own reach.

    Examples
    --------
    A bluff catcher on the river: K meets AA or QQ, the pot is 20 and 10 are behind.

    >>> from riverboat.cards import Range, parse_cards
    >>> from riverboat.game import GameSpec, Street
    >>> from riverboat.tree import Tree
    >>> spec = GameSpec(
    ...     stacks=(20, 20), antes=(10, 10), min_bet=1, streets=(Street(hole=2, board=5),)
    ... )
    >>> ranges = Range.parse("AsAh, QsQh").weights, Range.parse("KsKh").weights
    >>> engine = Engine(Tree(spec, "a", chance=True), parse_cards("2s3h4d6c7c"), ranges)
    >>> engine.run(1000)
    >>> [round(value, 1) for value in engine.exploitability()]
    [13.3, 6.7, 0.0]
    """

    #: Whether all memory is touched at the start.
    _prefaults = True

    def __init__(  # noqa: PLR0913 - options by keyword
        self,
        tree: Tree,
        board: Sequence[int],
        ranges: tuple[ArrayLike, ArrayLike],
        *,
        bits: Bits = 32,
        threads: int = 1,
        isomorphism: bool = True,
        schedule: Schedule = DEFAULT,
        gadget: Gadget | None = None,
    ) -> None:
        check_bits(bits, schedule)
        if not isinstance(threads, int) or not 1 <= threads <= 256:
            raise GameError(f"threads must be a whole number from 1 to 256, not {threads!r}")
        self.tree = tree
        self.board = tuple(int(card) for card in board)
        self.schedule = schedule
        self.gadget = gadget
        self.isomorphism = isomorphism
        self.bits = bits
        self.own_reach = schedule.own_reach and bits == 32
        self.iteration = 0
        self._discounts = core_schedule(schedule, bits == 16)
        self._core = _core.SpotEngine(
            tree.compiled,
            self.board,
            core_weights(ranges, gadget),
            threads,
            isomorphism,
            self.own_reach,
            bits,
            schedule.predictive,
            None if gadget is None else core_gadget(gadget),
            self._prefaults,
        )
        hands = [np.array(self._core.hands(player), dtype=np.int64) for player in (0, 1)]
        self.hands: tuple[NDArray[np.int64], NDArray[np.int64]] = (hands[0], hands[1])

    @staticmethod
    def forecast(  # noqa: PLR0913 - same options as the engine
        tree: Tree,
        board: Sequence[int],
        ranges: tuple[ArrayLike, ArrayLike],
        *,
        bits: Bits = 32,
        isomorphism: bool = True,
        threads: int = 1,
        schedule: Schedule = DEFAULT,
        gadget: Gadget | None = None,
    ) -> Forecast:
        """Return the size of a spot and its memory, without allocating it."""
        check_bits(bits, schedule)
        cards = [int(card) for card in board]
        weights = core_weights(ranges, gadget)
        fields = _core.forecast_spot(
            tree.compiled, cards, weights, threads, isomorphism, bits, schedule.predictive
        )
        return Forecast(*fields)

    def run(self, iterations: int) -> None:
        """Run more iterations."""
        check_iterations(iterations)
        end = self.iteration + iterations
        self._core.run(self._discounts, self.iteration, iterations)
        self.iteration = end

    def run_checked(
        self, iterations: int, target: float, following: int, before: Check | None = None
    ) -> tuple[list[Check], int]:
        """Run iterations with checks of exploitability; stop early at the target.

        The last two checks predict when the target is reached; the next check is then. Checks
        far from the target use single precision; the check that ends the run is exact.

        Parameters
        ----------
        iterations
            Most iterations to run.
        target
            Exploitability that ends the run, chips.
        following, before
            Iteration of the next check, and the previous check.

        Returns
        -------
        The checks, and the iteration of the next check.
        """
        begin = self.iteration
        found, following = self._core.run_checked(
            self._discounts, begin, iterations, target, following, before
        )
        checks = [Check(*fields) for fields in found]
        reached = bool(checks) and checks[-1].exact and checks[-1].exploitability <= target
        self.iteration = checks[-1].iteration if reached else begin + iterations
        return checks, following

    # ---- Results

    def _learned(self) -> _core.SpotEngine:
        """Return the core's engine with up-to-date tables."""
        return self._core

    def best_response(self, player: int) -> float:
        """Return the EV of a player's best response to the other's average strategy, chips.

        The EV includes the share of the pot. Locked hands keep their fixed strategy.
        """
        return self._core.best_response(player, False)

    def adopt_best_response(self, player: int) -> float:
        """Replace a player's average strategy by the best response; return its EV, chips."""
        return self._core.best_response(player, True)

    def value(self, player: int) -> float:
        """Return a player's EV under both average strategies, chips, pot share included."""
        return self._core.value(player)

    def both_values(self) -> tuple[float, float]:
        """Return `value` of both players, in one walk if the game has a constant sum."""
        first, both = self.value(0), self._core.constant_sum
        return first, self.value(1) if both is None else both - first

    def exploitability(self) -> tuple[float, float, float]:
        """Return both best responses and the exploitability of the averages, chips.

        Exploitability is the mean gain of the two best responses: (BR0 + BR1 - V0 - V1) / 2.
        """
        first, second = self.best_response(0), self.best_response(1)
        both = self._core.constant_sum
        if both is None:
            both = self.value(0) + self.value(1)
        return first, second, (first + second - both) / 2

    def margins(self) -> NDArray[np.float64]:
        """Return `[1326] float64` chips: the gadget's T minus each hand's EV of entering.

        The EV is that of a best response to the re-solved average strategy. If no margin is
        negative, no hand of the opponent gains by this solve.
        """
        return _of_hands(self._learned().margins_into)

    def values(self, player: int, node: int, cards: Sequence[int] = ()) -> NDArray[np.float64]:
        """Return `[1326] float64`: EV of each hand of a player at a node, chips.

        Both players play their averages from the node on. EV is the share of the pot at the node,
        minus chips put in later; after a fold the uncalled bet is part of the pot. `cards` are
        those dealt since the root. Impossible hands are nan.
        """
        return _of_hands(self._learned().values_into, player, node, list(cards))

    def best_values(self, player: int, node: int, cards: Sequence[int] = ()) -> NDArray[np.float64]:
        """Return `values` of the player's best response from the node on to the other's average.

        A `Gadget` of the next street needs these. `values` are too low for hands that the
        player's own average rarely plays to the node, because their later strategy is untrained.
        """
        return _of_hands(self._learned().best_values_into, player, node, list(cards))

    def recorded_values(self, player: int) -> NDArray[np.float64]:
        """Return the EVs of all actions before the last street for a player, in one walk.

        Flat, board by board in the order of cards, `[nodes of the street, hands]`: `values` minus
        the chips put in, times the reach of the opposing hands. nan at nodes that
        do not follow an action.
        """
        out = np.full(self._core.recorded_size(player), np.nan)
        self._learned().record_values_into(player, out)
        return out

    def equity(self, player: int, node: int, cards: Sequence[int] = ()) -> NDArray[np.float64]:
        """Return `[1326] float64`: equity of each hand, the share of the pot without more bets."""
        return _of_hands(self._learned().equity_into, player, node, list(cards))

    def reach(self, player: int, node: int, cards: Sequence[int] = ()) -> NDArray[np.float64]:
        """Return `[1326] float64`: range weight times the probabilities of the player's actions."""
        return _of_hands(self._learned().reach_into, player, node, list(cards))

    def action_values(self, node: int, cards: Sequence[int] = ()) -> NDArray[np.float64]:
        """Return `[actions, 1326] float64`: EV of each action of a decision, chips."""
        out = np.empty((int(self.tree.num_actions[node]), NUM_HOLES))
        self._learned().action_values_into(node, list(cards), out)
        return out

    def strategy(self, node: int, cards: Sequence[int] = ()) -> NDArray[np.float32]:
        """Return `[actions, 1326] float32`: the average strategy of a decision; nan if dead."""
        out = np.empty((int(self.tree.num_actions[node]), NUM_HOLES), dtype=np.float32)
        self._learned().strategy_into(node, list(cards), out)
        return out

    def board_strategies(
        self, player: int, cards: Sequence[int], shape: tuple[int, int]
    ) -> NDArray[np.float32]:
        """Return `[entries, hands]`: a player's strategies at all decisions on a board.

        Rows are in the order of the tree's entries, hands by number. `cards` must be the
        representative of its class of isomorphic boards.
        """
        out = np.empty(shape[0] * shape[1], dtype=np.float32)
        self._learned().board_strategies_into(player, list(cards), out)
        return out.reshape(shape)

    # ---- Locks

    def lock(self, node: int, cards: Sequence[int] | None, strategy: ArrayLike) -> None:
        """Fix the strategy of a decision, hand by hand.

        Parameters
        ----------
        node
            A decision.
        cards
            Cards dealt since the root: the lock applies to this runout and isomorphic ones. None =
            every runout.
        strategy
            `[actions, 1326]` probabilities; nan for hands that are not locked.
        """
        rows = locked_rows(self.tree, node, strategy)
        self._core.lock(node, None if cards is None else list(cards), rows)

    def unlock(self, node: int, cards: Sequence[int] | None = None) -> None:
        """Remove the lock of a decision."""
        self._core.unlock(node, None if cards is None else list(cards))

    # ---- State

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the tables by name: views of the engine's own memory.

        `regrets` and `average` of both players, float32; with 16 bits int16 and uint16 and their
        `scales`; `predictions` if the schedule is predictive; tables of a gadget, float32.
        """
        part = _core.TablePart
        names = {"regrets": part.regrets, "average": part.average}
        extra = {"scales" if self.bits == 16 else "predictions": part.extra}
        if self.schedule.predictive or self.bits == 16:
            names |= extra
        tables = {
            f"{name}{player}": self._core.table(which, player)
            for name, which in names.items()
            for player in (0, 1)
        }
        if self.gadget is not None:
            tables["gadget_regrets"] = self._core.gadget_table(part.regrets)
            tables["gadget_average"] = self._core.gadget_table(part.average)
        return tables

    def load_state(self, state: Mapping[str, NDArray[Any]], iteration: int) -> None:
        """Resume from the tables of an engine of the same spot."""
        for name, table in self.state().items():
            given = state.get(name)
            if given is None or given.shape != table.shape or given.dtype != table.dtype:
                raise GameError(f"the table {name} does not belong to this spot")
            table[...] = given
        self.iteration = iteration


def _of_hands(fill: Callable[..., None], *where: Any) -> NDArray[np.float64]:
    """Return `[1326]` numbers that the core computes."""
    out = np.empty(NUM_HOLES)
    fill(*where, out)
    return out
