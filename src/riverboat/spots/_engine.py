"""The engine of the spot solver: arrays in, arrays out, over the core's walk."""

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
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from riverboat.gpu import Bits
    from riverboat.spots._inputs import Gadget
    from riverboat.tree import Tree


@dataclass(frozen=True, slots=True)
class Forecast:
    """What solving a spot takes.

    Parameters
    ----------
    table_bytes, board_bytes, scratch_bytes
        Memory of regrets and averages, of the boards and their hands, of the threads.
    num_boards
        Boards, those that renamed suits make equal counted once.
    num_nodes
        Decisions, each counted once for every board.
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
    """How exploitable the averages were: chips, of best responses with the share of the pot."""

    iteration: int
    first: float
    second: float
    exploitability: float
    exact: bool
    """In double precision; else in single, which is good to 2e-6 of the largest payoff."""


class Engine:
    """A spot that is being solved.

    Parameters
    ----------
    tree
        Of a two-player game, with chance nodes, whose root street has all of `board`: hold'em with
        any deck, or a game with one hole card, whose cards are hole pairs by `one_card_holes`.
    board
        The cards that are dealt, as numbers.
    ranges
        Each player's weight of every hole pair, `[1326] float32`, not negative.
    bits
        Of the numbers in the tables. 16 take half of the memory; their average ignores the own
        reach, whatever the schedule says.
    threads
        Results do not depend on their number.
    isomorphism
        Whether run-outs that renamed suits make equal are solved once.
    schedule
        How regrets and the average are discounted.
    gadget
        Has one player choose before the root whether to enter. What is asked of the engine then is
        of the game with that choice, his reach what entered on the average; `strategy` of the other
        player is what one came for.

    Attributes
    ----------
    hands : tuple of ndarray
        Each player's live hands at the root: hole pairs, `[hands] int64`.
    iteration : int
        Iterations so far.
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

    #: Whether all memory is brought in at the start.
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
            raise GameError(f"a spot is solved by 1 to 256 threads, not {threads!r}")
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
    def forecast(  # noqa: PLR0913 - as the engine
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
        """Return what a spot would take, without taking it."""
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
        """Run more iterations, with checks between them; end early where one reaches the target.

        Checks come when the last two predict the target. Those far from it are in single
        precision; one that ends the run is exact.

        Parameters
        ----------
        iterations
            At most so many.
        target
            Exploitability that ends them, chips.
        following, before
            The iteration of the next check, and the last one.

        Returns
        -------
        The checks, and the iteration of the next.
        """
        begin = self.iteration
        found, following = self._core.run_checked(
            self._discounts, begin, iterations, target, following, before
        )
        checks = [Check(*fields) for fields in found]
        reached = bool(checks) and checks[-1].exact and checks[-1].exploitability <= target
        self.iteration = checks[-1].iteration if reached else begin + iterations
        return checks, following

    # ---- What was learned

    def _learned(self) -> _core.SpotEngine:
        """Return the core's engine with tables that are up to date."""
        return self._core

    def best_response(self, player: int) -> float:
        """Return what the best response to the other's average strategy wins, chips.

        The share of the pot is in it. Locked hands respond as locked.
        """
        return self._core.best_response(player, False)

    def adopt_best_response(self, player: int) -> float:
        """Make the best response the player's average strategy; return what it wins, chips."""
        return self._core.best_response(player, True)

    def value(self, player: int) -> float:
        """Return what a player wins where both play their averages, chips, with his share."""
        return self._core.value(player)

    def both_values(self) -> tuple[float, float]:
        """Return `value` of both players: one walk does where they win the same sum together."""
        first, both = self.value(0), self._core.constant_sum
        return first, self.value(1) if both is None else both - first

    def exploitability(self) -> tuple[float, float, float]:
        """Return both best responses and the exploitability of the averages, chips.

        The last is the mean of what the two win by responding: (BR0 + BR1 - V0 - V1) / 2.
        """
        first, second = self.best_response(0), self.best_response(1)
        both = self._core.constant_sum
        if both is None:
            both = self.value(0) + self.value(1)
        return first, second, (first + second - both) / 2

    def margins(self) -> NDArray[np.float64]:
        """Return `[1326] float64`: the gadget's T less what each hand wins by entering, chips.

        Against the other's average, by the best response. Where none is below 0, no hand of the
        opponent gains by this solve.
        """
        return _of_hands(self._learned().margins_into)

    def values(self, player: int, node: int, cards: Sequence[int] = ()) -> NDArray[np.float64]:
        """Return `[1326] float64`: what each hand of a player is worth at a node, chips.

        Both play their averages from there on. It is the share of all chips that lie in the pot at
        the node, less those put in later; after a fold the bet that nobody called still lies there.
        `cards` are those dealt since the root. Hands that cannot be there are nan.
        """
        return _of_hands(self._learned().values_into, player, node, list(cards))

    def best_values(self, player: int, node: int, cards: Sequence[int] = ()) -> NDArray[np.float64]:
        """Return `values` of the player's best response from the node on to the other's average.

        These are what a `Gadget` of the next street bounds: `values` are too low for hands that
        the player's own average hardly brings there, since nobody taught them to play on.
        """
        return _of_hands(self._learned().best_values_into, player, node, list(cards))

    def recorded_values(self, player: int) -> NDArray[np.float64]:
        """Return what all actions before the last street are worth to a player, in one walk.

        Flat, board by board in the order of cards, `[nodes of the street, hands]`: values of
        `values` less the chips put in, times the reach of the hands that can be met. nan at nodes
        that no action leads to.
        """
        out = np.full(self._core.recorded_size(player), np.nan)
        self._learned().record_values_into(player, out)
        return out

    def equity(self, player: int, node: int, cards: Sequence[int] = ()) -> NDArray[np.float64]:
        """Return `[1326] float64`: each hand's share of the pot if no more bets came."""
        return _of_hands(self._learned().equity_into, player, node, list(cards))

    def reach(self, player: int, node: int, cards: Sequence[int] = ()) -> NDArray[np.float64]:
        """Return `[1326] float64`: range weight times the probability of the player's actions."""
        return _of_hands(self._learned().reach_into, player, node, list(cards))

    def action_values(self, node: int, cards: Sequence[int] = ()) -> NDArray[np.float64]:
        """Return `[actions, 1326] float64`: what each action of a decision is worth, chips."""
        out = np.empty((int(self.tree.num_actions[node]), NUM_HOLES))
        self._learned().action_values_into(node, list(cards), out)
        return out

    def strategy(self, node: int, cards: Sequence[int] = ()) -> NDArray[np.float32]:
        """Return `[actions, 1326] float32`: the average strategy of a decision; nan where dead."""
        out = np.empty((int(self.tree.num_actions[node]), NUM_HOLES), dtype=np.float32)
        self._learned().strategy_into(node, list(cards), out)
        return out

    def board_strategies(
        self, player: int, cards: Sequence[int], shape: tuple[int, int]
    ) -> NDArray[np.float32]:
        """Return `[entries, hands]`: a player's strategies on a board, all decisions at once.

        Rows are in the order of the tree's entries, hands by number; `cards` name a board that
        stands for itself, not one that renamed suits make equal to another.
        """
        out = np.empty(shape[0] * shape[1], dtype=np.float32)
        self._learned().board_strategies_into(player, list(cards), out)
        return out.reshape(shape)

    # ---- Locks

    def lock(self, node: int, cards: Sequence[int] | None, strategy: ArrayLike) -> None:
        """Have a decision played by a given strategy, hand by hand.

        Parameters
        ----------
        node
            A decision.
        cards
            Cards since the root: the lock holds there, and on run-outs that renamed suits make
            equal. None = on every run-out.
        strategy
            `[actions, 1326]` probabilities; nan where a hand is to learn as before.
        """
        rows = np.ascontiguousarray(strategy, dtype=np.float32)
        if rows.shape != (int(self.tree.num_actions[node]), NUM_HOLES):
            raise GameError(
                f"a lock of node {node} is [{int(self.tree.num_actions[node])}, 1326], "
                f"not {list(rows.shape)}"
            )
        free = np.isnan(rows)
        sums = rows.sum(axis=0)
        if (free.any(axis=0) != free.all(axis=0)).any() or (rows < 0).any():
            raise GameError("a locked hand has a probability for every action, none below 0")
        if (np.abs(sums[~np.isnan(sums)] - 1) > 1e-4).any():
            raise GameError("the probabilities of a locked hand add up to 1")
        self._core.lock(node, None if cards is None else list(cards), rows)

    def unlock(self, node: int, cards: Sequence[int] | None = None) -> None:
        """Let a decision learn again."""
        self._core.unlock(node, None if cards is None else list(cards))

    # ---- State

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the tables by name: views of the engine's own memory.

        `regrets` and `average` of both players, float32; of 16 bits int16 and uint16 with their
        `scales`; `predictions` where the schedule is predictive; those of a gadget, float32.
        """
        names = {"regrets": "regrets", "average": "average"}
        if self.schedule.predictive or self.bits == 16:
            names["extra"] = "scales" if self.bits == 16 else "predictions"
        tables = {
            f"{shown}{player}": self._core.table(name, player)
            for name, shown in names.items()
            for player in (0, 1)
        }
        if self.gadget is not None:
            for name in ("regrets", "average"):
                tables[f"gadget_{name}"] = self._core.gadget_table(name)
        return tables

    def load_state(self, state: Mapping[str, NDArray[Any]], iteration: int) -> None:
        """Go on from the tables of an engine of the same spot."""
        for name, table in self.state().items():
            given = state.get(name)
            if given is None or given.shape != table.shape or given.dtype != table.dtype:
                raise GameError(f"the table {name} is not of this spot")
            table[...] = given
        self.iteration = iteration


def _of_hands(fill: Callable[..., None], *where: Any) -> NDArray[np.float64]:
    """Return `[1326]` numbers that the core fills in."""
    out = np.empty(NUM_HOLES)
    fill(*where, out)
    return out
