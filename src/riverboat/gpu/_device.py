"""A spot, or many, on a GPU: tables, kernels and a CUDA graph of an iteration."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from riverboat.errors import GpuError
from riverboat.gpu._cards import Build, kernels, require_card
from riverboat.gpu._flat import FLAT_ARRAYS, Mode
from riverboat.gpu._shapes import (
    CHECK_PARTS,
    LANE_BYTES,
    PAYS,
    WARP,
    Shape,
    row_numbers,
    walk_parts,
)
from riverboat.gpu._tables import regret_scale, table_kinds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from riverboat.gpu._cards import Bits
    from riverboat.gpu._flat import FlatSpot
    from riverboat.gpu._root import Root
    from riverboat.gpu._tables import TableName


_STREET_THREADS: Final = (32, 16)  # hands, steps
_EXIT_THREADS: Final = 64
_FACTORS: Final = 1024  # iterations between two uploads of factors
_LARGEST_SHARED: Final = 48 * 1024  # bytes available without opting in
_MOST_PROGRAM: Final = 32 * 1024  # bytes of steps in shared memory: more would allow too few blocks


class DeviceSpot:
    """Tables and kernels of a spot on a GPU.

    Parameters
    ----------
    spot
        The spot.
    own_reach
        Whether the average weights strategies by the player's own reach; not with 16 bits.
    bits
        Precision of the tables.
    predictive
        Whether the last regrets predict the next ones; not with 16 bits.

    Attributes
    ----------
    shapes
        Launch sizes by traverser, the last street first.
    tables
        Tables of both players in GPU memory by name, flat, in the core's order: float32; with 16
        bits regrets are float16, times `regret_scale`, and averages uint16.
    """

    def __init__(
        self,
        spot: FlatSpot,
        *,
        own_reach: bool = True,
        bits: Bits = 32,
        predictive: bool = False,
    ) -> None:
        self._cupy = require_card()
        self.build = Build(bits, own_reach, predictive=predictive)
        self.spot, self.bits = spot, bits
        self.start = [each.copy() for each in spot.start]
        self.stream = self._cupy.cuda.Stream(non_blocking=True)
        self._graphs: dict[Any, Any] = {}
        self._rooms: dict[str, _Rooms] = {}
        self._locks: list[tuple[Any, Any] | None] = [None, None]
        with self.stream, self._in_memory():
            self._upload()
            self._room("float")  # memory errors come before the first iteration

    def _upload(self) -> None:
        """Upload the arrays and allocate the tables."""
        cupy, spot = self._cupy, self.spot
        self.tables: dict[TableName, list[Any]] = {
            name: [cupy.zeros(max(size, 1), dtype=kind) for size in spot.num_numbers]
            for name, kind in table_kinds(self.bits, predictive=self.build.predictive).items()
        }
        self._scale = int(np.float64(regret_scale(spot)).view(np.int64))
        self._hands = [_on_card(cupy, each) for each in spot.hands]
        self._views = [_on_card(cupy, each) for each in spot.views]
        for view, each in zip(self._views, spot.views, strict=True):
            view["lanes"] = _array(cupy, np.pad(each.lanes, ((0, 0), (0, 1))))  # read as fours
        self._shared = [
            _array(cupy, getattr(spot, name)) for name in (*_names("boards"), *_names("program"))
        ]
        levels = [spot.levels(p) for p in (0, 1)]
        self._levels = [[cupy.asarray(each) for each in levels[p]] for p in (0, 1)]
        self._roots = [cupy.asarray(spot.roots(p)) for p in (0, 1)]
        self._stages = [cupy.asarray(spot.views[p].stages()) for p in (0, 1)]
        self.shapes = [[Shape(spot, p, level) for level in levels[p]] for p in (0, 1)]
        self._fit_blocks()
        self._factors = cupy.zeros((_FACTORS, 4), dtype=np.float32)
        self._clock = cupy.zeros(1, dtype=np.int32)

    def _fit_blocks(self) -> None:
        """Keep steps in global memory if they do not fit a block; refuse too many hands.

        A river's tree is one program of any size.
        """
        most = self._cupy.cuda.Device().attributes["MaxSharedMemoryPerBlockOptin"]
        sums = max(shape.shared_bytes for shapes in self.shapes for shape in shapes)
        if sums > most:
            raise GpuError(
                f"the ranges of this spot need {sums // 1024} KB of a block's memory, but this "
                f"GPU has {most // 1024}: use narrower ranges, or the CPU"
            )
        steps = max(shapes[0].program_bytes(double=True) for shapes in self.shapes)
        staged = steps <= min(_MOST_PROGRAM, most - sums)
        self.build = self.build._replace(staged=staged)

    # ---- Public operations

    def run(self, factors: NDArray[np.float32], root: Root | None = None) -> None:
        """Run an iteration per row of factors: positive, negative, keep, add.

        A decision before the root is computed between walks.
        """
        with self.stream:
            for begin in range(0, len(factors), _FACTORS):
                part = np.ascontiguousarray(factors[begin : begin + _FACTORS])
                self._factors[: len(part)].set(part)
                self._clock.fill(0)
                for row in part:
                    if root is None:
                        self._graph("train", self._iterate).launch(self.stream)
                    else:
                        self._iterate_behind(root, row)
            self.stream.synchronize()

    def set_start(self, player: int, reach: NDArray[Any]) -> None:
        """Set a player's reach at the root."""
        self.start[player][: len(reach)] = reach
        with self.stream:
            for room in self._rooms.values():
                there = room.start[player]
                there.set(self.start[player].astype(there.dtype))

    def root_values(
        self, player: int, mode: Mode = Mode.average, *, exact: bool = True
    ) -> NDArray[Any]:
        """Return counterfactual values of the player's hands at the roots."""
        real = "double" if exact or mode is Mode.adopt else "float"
        with self.stream:
            self._launch_walk(player, mode.name, real)
            return self._root_row(player, real)

    def set_locks(self, player: int, begins: NDArray[np.int64], locks: NDArray[np.float32]) -> None:
        """Lock nodes: for each row the begin of its lock or -1, and all locks."""
        with self.stream, self._in_memory():
            self._locks[player] = (self._cupy.asarray(begins), self._cupy.asarray(locks))
            self.build = self.build._replace(locks=True)
            kernels(self.build).get_function("tick")  # compile now, not during graph capture
            for room in self._rooms.values():
                self._fill_contexts(room)
            self.stream.synchronize()
            self._graphs.clear()  # what they pass to kernels was copied

    def set_table(self, name: TableName, player: int, numbers: NDArray[Any]) -> None:
        """Fill a player's table."""
        with self.stream:
            self.tables[name][player].set(numbers)
            self.stream.synchronize()

    def synchronize(self) -> None:
        """Wait until the GPU is done."""
        self.stream.synchronize()

    # ---- Walks

    def _graph(self, key: Any, launches: Callable[[], None]) -> Any:
        """Return the CUDA graph of some launches, captured on first use."""
        if key not in self._graphs:
            real = "float" if key == "train" else key[1]
            self._room(real)
            self.stream.synchronize()
            self.stream.begin_capture()
            try:
                launches()
            finally:
                graph = self.stream.end_capture()
            self._graphs[key] = graph
        return self._graphs[key]

    def _iterate(self) -> None:
        for player in (0, 1):
            self._walk(player, "train", "float")
        self._launch("tick", (1,), (1,), (self._clock,))

    def _iterate_behind(self, root: Root, row: NDArray[np.float32]) -> None:
        """Run an iteration with a decision before the root."""
        for player in (0, 1):
            if player != root.player:
                self.set_start(root.player, root.play(row))
            self._launch_walk(player, "train", "float")
            if player == root.player:
                root.learn(row, self._root_row(player, "float"))
        self._launch("tick", (1,), (1,), (self._clock,))

    def _launch_walk(self, player: int, mode: str, real: str) -> None:
        graph = self._graph((mode, real, player), lambda: self._walk(player, mode, real))
        graph.launch(self.stream)

    def _root_row(self, player: int, real: str) -> NDArray[Any]:
        """Values of the player's hands at the roots, after a walk."""
        room = self._rooms[real]
        values: NDArray[Any] = room.values[self._roots[player]].get(stream=self.stream)
        self.stream.synchronize()
        return values

    def _walk(self, player: int, mode: str, real: str) -> None:
        """Launch the kernels of one walk: streets down, the last street, streets up."""
        room, name = self._rooms[real], f"{mode}_{real}"
        context, levels = room.contexts[player][0], self._levels[player]
        shapes = self.shapes[player]
        for level in reversed(range(1, len(levels))):
            grid = len(levels[level]), shapes[level].other_chunks
            self._launch(f"down_{name}", grid, _STREET_THREADS, (context, levels[level]))
        last = room.trains[player] if mode == "train" else room.checks[player]
        for part, (items, above) in zip(room.contexts[player], room.parts[player], strict=True):
            args = (part, items, np.int32(len(items)))
            kernel = f"{last.kernel}_{name}"
            self._launch(kernel, (last.blocks,), (last.threads,), args, last.shared_bytes)
            if len(levels) > 1:
                self._exits(part, above, shapes[1], real)
        for level in range(1, len(levels)):
            if level > 1:
                self._exits(context, levels[level], shapes[level], real)
            self._street_up(context, levels[level], shapes[level], name, real)

    def _exits(self, context: Any, items: Any, shape: Shape, real: str) -> None:
        """Launch the kernel that sums values over the next cards."""
        hands = -(-shape.own_chunks * 32 // _EXIT_THREADS)
        grid = len(items), shape.exits, hands
        self._launch(f"exits_{real}", grid, (_EXIT_THREADS,), (context, items))

    def _street_up(self, context: Any, items: Any, shape: Shape, name: str, real: str) -> None:
        args = (context, items)
        if shape.lanes:
            side = LANE_BYTES // (8 if real == "double" else 4)
            grid = len(items), -(-shape.lanes // side)
            self._launch(f"ends_{real}", grid, (shape.threads,), args, shape.shared_bytes)
        if shape.orbits:
            self._launch(f"even_{real}", (len(items), min(shape.leaves, 65535)), (128,), args)
        self._launch(f"up_{name}", (len(items), shape.own_chunks), _STREET_THREADS, args)

    def _launch(
        self,
        name: str,
        grid: tuple[int, ...],
        block: tuple[int, ...],
        args: tuple[Any, ...],
        shared: int = 0,
    ) -> None:
        kernel = kernels(self.build).get_function(name)
        if shared > _LARGEST_SHARED and kernel.max_dynamic_shared_size_bytes < shared:
            kernel.max_dynamic_shared_size_bytes = shared
        kernel(grid, block, args, shared_mem=shared)

    # ---- Memory

    def _room(self, real: str) -> _Rooms:
        """Return the rows in one precision, allocated on first use.

        Rows last for one walk only, so both precisions share their memory.
        """
        if real not in self._rooms:
            with self._in_memory():
                rooms = {each: _Rooms(self, each) for each in (*self._rooms, real)}
                if self._rooms:
                    self._let_rooms_go()
                sizes = zip(*(room.sizes for room in rooms.values()), strict=True)
                memory = [self._cupy.empty(max(each), dtype=np.uint8) for each in sizes]
            for room in rooms.values():
                room.take(memory)
                self._fill_contexts(room)
            self._rooms = rooms
        return self._rooms[real]

    def _let_rooms_go(self) -> None:
        self.stream.synchronize()
        self._rooms.clear()
        self._graphs.clear()  # what they pass to kernels was copied
        self._cupy.get_default_memory_pool().free_all_blocks()  # otherwise CuPy keeps it

    @contextmanager
    def _in_memory(self) -> Iterator[None]:
        """Raise GpuError if GPU memory is too small."""
        try:
            yield
        except self._cupy.cuda.memory.OutOfMemoryError as error:
            raise GpuError(f"this spot does not fit into GPU memory: {error}") from error

    def resident(self, name: str, threads: int, shared: int) -> int:
        """Return how many blocks of a kernel the GPU runs at once."""
        kernel = kernels(self.build).get_function(name)
        facts = self._cupy.cuda.Device().attributes
        registers = max(1, -(-kernel.num_regs // 8) * 8) * threads
        each = min(
            facts["MaxThreadsPerMultiProcessor"] // threads,
            facts["MaxRegistersPerMultiprocessor"] // registers,
            facts["MaxSharedMemoryPerMultiprocessor"] // (shared + 1024),
            32,
        )
        return int(max(1, each) * facts["MultiProcessorCount"])

    def _fill_contexts(self, room: _Rooms) -> None:
        """Write the kernels' context of each traverser: the fields of `Spot`, eight bytes each."""
        for player in (0, 1):
            fields = [*self._hand_fields(player), *self._hand_fields(1 - player), *self._shared]
            view = self._views[player] | {"pays": room.pays[player]}
            fields += [view[name] for name in _names("view")]
            fields += [self._stages[player], room.start[1 - player]]
            ends = [room.scratch, room.scratch_size[player], self._factors, self._clock]
            room.contexts[player] = [
                _struct([*fields, room.reach, room.values, place, *ends])
                for place in room.last_places(player)
            ]

    def _hand_fields(self, player: int) -> list[Any]:
        """The fields of `Hands`."""
        locks = self._locks[player] or (0, 0)
        tables = [both[player] for both in self.tables.values()]
        hands = [self._hands[player][name] for name in _names("hands")]
        return [*hands, *tables, *locks, self._scale]


class _Rooms:
    """Rows of reach and values in one precision.

    Attributes
    ----------
    trains, checks
        Launches of the last street by traverser: in training, and in checks.
    parts
        Items of the last two streets, by traverser and part of a walk.
    scratch_size
        Numbers per block of the last street, by traverser.
    sizes
        Bytes of `reach`, `values` and `scratch`.
    contexts
        The kernels' contexts, by traverser and part.
    """

    def __init__(self, device: DeviceSpot, real: str) -> None:
        cupy, spot = require_card(), device.spot
        dtype = np.dtype(np.float64 if real == "double" else np.float32)
        shapes = [device.shapes[player][0] for player in (0, 1)]
        self.scratch_size = [shape.rows for shape in shapes]
        self.trains = [_last(device, shape, "train_float") for shape in shapes]
        self.checks = [
            _last(device, shape, f"average_{real}", train)
            for shape, train in zip(shapes, self.trains, strict=True)
        ]
        lasts = self.checks if real == "double" else self.trains
        scratch = max(last.blocks * shape.rows for last, shape in zip(lasts, shapes, strict=True))
        count = CHECK_PARTS if real == "double" else 1
        parts = [walk_parts(spot, player, count) for player in (0, 1)]
        self.parts = [
            [(cupy.asarray(each.last), cupy.asarray(each.above)) for each in both] for both in parts
        ]
        self._moved = [[each.begin - both[0].begin for each in both] for both in parts]
        numbers = *(max(1, each) for each in row_numbers(spot, count)), scratch
        self.sizes = [dtype.itemsize * each for each in numbers]
        self._dtype = dtype
        self.start = [cupy.asarray(each.astype(dtype)) for each in device.start]
        self.pays = [cupy.asarray(_lane_pays(view.pays).astype(dtype)) for view in spot.views]
        self.contexts: list[list[Any]] = [[], []]

    def take(self, memory: list[Any]) -> None:
        """Use this memory for the rows: reach and values of items, and rows of blocks."""
        self.reach, self.values, self.scratch = (
            each[:size].view(self._dtype) for each, size in zip(memory, self.sizes, strict=True)
        )

    def last_places(self, player: int) -> list[int]:
        """Return the base address of last-street values, for each part of a walk.

        All parts use the memory of the first part.
        """
        first: int = self.values.data.ptr
        return [first - self._dtype.itemsize * moved for moved in self._moved[player]]


def _names(part: str) -> list[str]:
    """Return the names of the arrays of a part of a flat spot, in the kernels' order."""
    return [name for name, _, _ in FLAT_ARRAYS[part]]


def _struct(fields: list[Any]) -> NDArray[Any]:
    """Fields of `Spot`, eight bytes each: an array of one element is passed by value."""
    numbers = [each if isinstance(each, int) else each.data.ptr for each in fields]
    return np.array(numbers, dtype=np.int64).view(np.dtype((np.void, 8 * len(numbers))))


class _Last(NamedTuple):
    """Launch of the last street: kernel and sizes."""

    kernel: str
    blocks: int
    threads: int
    shared_bytes: int


def _last(device: DeviceSpot, shape: Shape, name: str, train: _Last | None = None) -> _Last:
    """Return the last street's launch: as many blocks as the GPU runs at once.

    For few hands in training a block is one warp, with a kernel of its own. Exact checks have half
    as many blocks, so that their rows need no more memory.
    """
    trains, double = train is None, name.endswith("double")
    kernel = "warp" if trains and shape.threads == WARP else "last"
    shared = shape.shared_bytes
    if device.build.staged:
        shared += shape.program_bytes(double=double)
    blocks = min(shape.items, device.resident(f"{kernel}_{name}", shape.threads, shared))
    if train is not None:
        blocks = min(blocks, -(-train.blocks // (2 if double else 1)))
    return _Last(kernel, blocks, shape.threads, shared)


def _lane_pays(pays: NDArray[np.float64]) -> NDArray[np.float64]:
    """[lanes, 8] fold, win - tie, tie - lose, lose, tie."""
    found = np.zeros((max(1, len(pays)), PAYS))
    fold, win, tie, lose = pays.T
    found[: len(pays), :5] = np.stack([fold, win - tie, tie - lose, lose, tie], axis=1)
    return found


def _on_card(cupy: Any, arrays: Any) -> dict[str, Any]:
    """Upload the arrays of a dataclass, by name."""
    names = type(arrays).__dataclass_fields__
    found = {name: getattr(arrays, name) for name in names}
    return {n: _array(cupy, each) for n, each in found.items() if isinstance(each, np.ndarray)}


def _array(cupy: Any, array: NDArray[Any]) -> Any:
    """Upload an array; empty ones become a few zeros."""
    return cupy.asarray(array if array.size else np.zeros(8, dtype=array.dtype))
