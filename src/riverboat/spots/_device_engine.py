"""The engine of the spot solver on a GPU, and on the kernels' Python reference.

The tables are in GPU memory. They are copied into the core's tables when a query needs them, so
all queries, files and reports use the CPU's code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from riverboat import _core
from riverboat.cards import NUM_HOLES
from riverboat.errors import SpotError
from riverboat.gpu import (
    DeviceSpot,
    FlatHands,
    FlatSpot,
    FlatView,
    Mode,
    card_regrets,
    cpu_regrets,
    gpu_cards,
    last_street,
    row_bytes,
    row_numbers,
)
from riverboat.report import size
from riverboat.spots._engine import Check, Engine
from riverboat.spots._inputs import check_iterations

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from riverboat.gpu import Bits, TableName

#: Rows of a segment of the last street, which one block runs, so that they fit the GPU's cache.
_LAST_ROWS: Final = 48
_ALL_ROWS: Final = 2**30


class DeviceEngine(Engine):
    """Solver of one spot on a GPU, with the interface of `Engine`."""

    _prefaults = False

    def __init__(self, *args: Any, **options: Any) -> None:
        check_device_options(options)
        super().__init__(*args, **options)
        self.flat = flat_spot(self)
        self._device = self._allocate(self.flat)
        self._root = None if self.gadget is None else _Entries(self._core, self.gadget.player)
        self._stale: set[TableName] = set()  # tables of the core that are older than the GPU's

    def _allocate(self, flat: FlatSpot) -> DeviceSpot:
        """Allocate the tables on the GPU and load the kernels, if the tables fit."""
        predictive, free = self.schedule.predictive, gpu_cards()[0].free_bytes
        needed = device_bytes(flat, self.bits, predictive=predictive)
        if needed > free:
            short = device_bytes(flat, 16)
            halves = short <= free and not predictive and self.gadget is None
            hint = f"16 bits ({size(short)}), " if halves else ""
            raise SpotError(
                f"this spot needs {size(needed)} of GPU memory, and {size(free)} are free: "
                f"use {hint}fewer bet sizes, narrower ranges, or the CPU"
            )
        return DeviceSpot(flat, own_reach=self.own_reach, bits=self.bits, predictive=predictive)

    @property
    def bytes(self) -> int:
        """GPU memory of the spot, with the rows of an exact check."""
        return device_bytes(self.flat, self.bits, predictive=self.schedule.predictive)

    # ---- Iterations and checks

    def run(self, iterations: int) -> None:
        """Run more iterations."""
        check_iterations(iterations)
        factors = np.empty((iterations, 4), dtype=np.float32)
        self._discounts.factors_into(self.iteration, factors)
        self._device.run(factors, self._root)
        self.iteration += iterations
        self._stale = set(self._device.tables)

    def run_checked(
        self, iterations: int, target: float, following: int, before: Check | None = None
    ) -> tuple[list[Check], int]:
        """Run iterations with checks of exploitability; stop early at the target."""
        checks: list[Check] = []
        end = self.iteration + iterations
        while True:
            if self.iteration >= following:
                now = self._check_near(target)
                checks.append(now)
                if now.exact and now.exploitability <= target:
                    break
                last = None if before is None else (before.iteration, before.exploitability)
                following = next_check(target, last, (now.iteration, now.exploitability))
                before = now
            if self.iteration == end:
                break
            self.run(min(end, following) - self.iteration)
        return checks, following

    def _check_near(self, target: float) -> Check:
        """Check in single precision; repeat in double precision if the target is near."""
        fast = self._check(exact=False)
        far = fast.exploitability > target + _core.CHECK_ERROR * self._core.largest_payoff
        return fast if far else self._check(exact=True)

    def _check(self, *, exact: bool) -> Check:
        first, second = (self._won(player, Mode.best, exact=exact) for player in (0, 1))
        both = self._core.constant_sum
        if both is None:
            both = sum(self._won(player, Mode.average, exact=exact) for player in (0, 1))
        return Check(self.iteration, first, second, (first + second - both) / 2, exact)

    def _won(self, player: int, mode: Mode, *, exact: bool = True) -> float:
        if self._root is not None and self._root.player != player:
            mean = _core.root_reach(self._core, self._root.player)
            self._device.set_start(self._root.player, mean)
        values = self._device.root_values(player, mode, exact=exact)
        hands = len(self.hands[player])
        return _core.root_chips(self._core, player, mode, values[:hands].astype(np.float64))

    def best_response(self, player: int) -> float:
        """Return the EV of a player's best response to the other's average strategy, chips."""
        return self._won(player, Mode.best)

    def adopt_best_response(self, player: int) -> float:
        """Replace a player's average strategy by the best response; return its EV, chips."""
        self._stale.add("average")
        return self._won(player, Mode.adopt)

    def value(self, player: int) -> float:
        """Return a player's EV under both average strategies, chips, pot share included."""
        return self._won(player, Mode.average)

    # ---- Tables

    def strategy(self, node: int, cards: Sequence[int] = ()) -> NDArray[np.float32]:
        """Return `[actions, 1326] float32`: the average strategy of a decision; nan for dead hands.

        For the first street only that street's tables are downloaded.
        """
        if "average" in self._stale and not cards:
            self._download_root()
            out = np.empty((int(self.tree.num_actions[node]), NUM_HOLES), dtype=np.float32)
            self._core.strategy_into(node, [], out)
            return out
        return super().strategy(node, cards)

    def _learned(self) -> _core.SpotEngine:
        self._download("average")
        return self._core

    def _download_root(self) -> None:
        """Download the averages of the first board."""
        for player in (0, 1):
            base, table = (
                self.flat.hands[player].base,
                self._core.table(_core.TablePart.average, player),
            )
            begin, end = int(base[0]), int(base[1]) if len(base) > 1 else table.size
            if end > begin:
                self._device.tables["average"][player][begin:end].get(out=table[begin:end])

    def _download(self, *names: TableName) -> None:
        """Download the tables that are newer on the GPU."""
        for name in self._stale.intersection(names):
            tables = super().state()
            for player, here in enumerate(self._device.tables[name]):
                table = tables[f"{name}{player}"]
                if table.size and name == "regrets" and self.bits == 16:
                    scales = tables[f"scales{player}"]
                    cpu_regrets(self.flat, player, here.get(), (table, scales))
                elif table.size:
                    here.get(out=table)
            self._stale.remove(name)

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the tables by name, downloaded into the core's memory."""
        self._download(*self._device.tables)
        return super().state()

    def load_state(self, state: Mapping[str, NDArray[Any]], iteration: int) -> None:
        """Resume from the tables of an engine of the same spot."""
        super().load_state(state, iteration)
        tables = super().state()
        for name in self._device.tables:
            for player in (0, 1):
                table = tables[f"{name}{player}"]
                if table.size and name == "regrets" and self.bits == 16:
                    table = card_regrets(self.flat, player, table, tables[f"scales{player}"])
                if table.size:
                    self._device.set_table(name, player, table)

    def lock(self, node: int, cards: Sequence[int] | None, strategy: ArrayLike) -> None:
        """Fix the strategy of a decision, hand by hand."""
        super().lock(node, cards, strategy)
        self._send_locks()

    def unlock(self, node: int, cards: Sequence[int] | None = None) -> None:
        """Remove the lock of a decision."""
        super().unlock(node, cards)
        self._send_locks()

    def _send_locks(self) -> None:
        for player in (0, 1):
            begins, locks = _core.flat_locks(self._core, player)
            self._device.set_locks(player, begins, np.append(locks, np.float32(0)))


class _Entries:
    """The entry decision of a gadget, which the core computes."""

    def __init__(self, core: _core.SpotEngine, player: int) -> None:
        self._core, self.player = core, player
        self._hands = len(core.start_reach(player))

    def play(self, factors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the reach of the gadget player's hands in this iteration."""
        return _core.gadget_play(self._core, factors)

    def learn(self, factors: NDArray[np.float32], values: NDArray[Any]) -> None:
        """Update the regrets from the hands' values, weighted by the opponent's reach."""
        _core.gadget_learn(self._core, factors, values[: self._hands].astype(np.float32))


def next_check(target: float, before: tuple[int, float] | None, now: tuple[int, float]) -> int:
    """Return the iteration of the next check; a check is (iteration, exploitability)."""
    return _core.next_check(target, before, now)


def check_device_options(options: Mapping[str, Any]) -> None:
    """Refuse options that only the CPU supports."""
    if options.get("bits", 32) == 16 and options.get("gadget") is not None:
        raise SpotError("a GPU supports gadgets only with 32 bits: use 32 bits or the CPU")


def flat_spot(engine: Engine, last_rows: int = _LAST_ROWS) -> FlatSpot:
    """Return an engine's spot as flat arrays; segments of the last street are kept small."""
    core = engine._core
    limits = [_ALL_ROWS] * (engine.tree.num_streets - 1) + [last_rows]
    boards, program, hands, views = _core.flat_spot(core, limits)
    both = [FlatHands(**fields) for fields in hands]
    start = [_padded(core.start_reach(p), int(both[p].padded[0])) for p in (0, 1)]
    sizes = [core.table(_core.TablePart.regrets, p).size for p in (0, 1)]
    rows = [len(_core.flat_locks(core, p)[0]) for p in (0, 1)]
    return FlatSpot(
        hands=(both[0], both[1]),
        views=(FlatView(**views[0]), FlatView(**views[1])),
        **boards,
        **program,
        start=(start[0], start[1]),
        num_numbers=(sizes[0], sizes[1]),
        num_rows=(rows[0], rows[1]),
    )


def _padded(numbers: Sequence[float], length: int) -> NDArray[np.float64]:
    row = np.zeros(length)
    row[: len(numbers)] = numbers
    return row


def device_bytes(flat: FlatSpot, bits: Bits = 32, *, predictive: bool = False) -> int:
    """Return the GPU memory of a spot, with the rows of an exact check."""
    rows = row_bytes(flat) + last_street(flat).scratch_bytes
    return _table_bytes(flat, bits, predictive=predictive) + rows


def packed_bytes(flat: FlatSpot, *, predictive: bool = False) -> int:
    """Return the GPU memory of a spot in a pack, without the block rows that the pack shares."""
    return _table_bytes(flat, 32, predictive=predictive) + 8 * sum(row_numbers(flat, 1))


def _table_bytes(flat: FlatSpot, bits: Bits, *, predictive: bool) -> int:
    """Bytes of tables and boards."""
    tables = (3 if predictive else 2) * bits // 8 * sum(flat.num_numbers)
    return tables + flat.nbytes
