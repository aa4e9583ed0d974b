"""Arrays of a blueprint file: names, encoding of numbers, reading of rows.

A whole file has `strategy` [entries] and `weight` [infosets], both float32 or bytes. Blocks of the
file are verified when they are first read.

A pruned file has the same arrays without the dropped infosets, and bits that mark the kept items
(entries or infosets): bit i (in byte i // 8, lowest bit first) is item i. `ranks[i // 512]` counts
the kept items before its run of 512, so that the position of a kept item takes one look-up and a
count of at most 512 bits.

Probabilities in 8 bits are 255ths, by the method of largest remainders: every row sums to 255. Of
a row with n actions each probability moves by less than 1/255, and the row by a total variation
distance of at most floor(n/2) * ceil(n/2) / n / 255: 0.0026 with three actions, 0.0040 with four.
Probability 0 stays 0, a pure row stays pure, and decoding and encoding again changes nothing.

Averaging weights in 8 bits are on a log scale: 255 is the greatest weight of a file, each step
below is a factor of 2^(-1/8), so that a weight moves by at most 4.5 %. 0 always and only means
untrained. Weights below 1 / 3,600,000,000 of the greatest become 1. Only the order of magnitude of
weights matters, for visits and for combining strategies. Decoding and encoding again changes
nothing.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint._header import Header
from riverboat.blueprint._layout import Chunk, GroupRows, NodeSpan
from riverboat.errors import DamagedFileError
from riverboat.files import ArrayFile, ArraySpec

#: Items per count.
RUN: Final = 512

_BITS_SET: Final = np.array([value.bit_count() for value in range(256)], np.uint8)

#: Sum of the numbers of a row.
WHOLE: Final = 255
_PROBABILITIES: Final = (np.arange(256) / WHOLE).astype(np.float32)
_STEPS: Final = 8  # per factor of 2
_TOP: Final = 255  # the byte of the greatest weight
#: Arrays of the card abstraction have names with this prefix.
CARDS: Final = "cards."
_RUN_BYTES: Final = RUN // 8


def num_ranks(things: int) -> int:
    """Number of counts for so many items."""
    return -(-things // RUN)


class BitPacker:
    """Packs booleans, added in parts, into bits.

    Examples
    --------
    >>> packer = BitPacker()
    >>> packer.add(np.array([True, False, True]))
    >>> packer.add(np.array([True] * 6))
    >>> packer.finish().tolist(), packer.kept
    ([253, 1], 8)
    """

    def __init__(self) -> None:
        self.kept = 0
        self._rest: NDArray[np.bool_] = np.zeros(0, bool)
        self._bytes: list[NDArray[np.uint8]] = []

    def add(self, flags: NDArray[np.bool_]) -> None:
        """Append flags."""
        self.kept += int(np.count_nonzero(flags))
        flags = np.concatenate([self._rest, flags])
        whole = len(flags) // 8 * 8
        self._bytes.append(np.packbits(flags[:whole], bitorder="little"))
        self._rest = flags[whole:]

    def finish(self) -> NDArray[np.uint8]:
        """Return all bits; the last byte is padded with zeros."""
        return np.concatenate([*self._bytes, np.packbits(self._rest, bitorder="little")])


def count_ranks(bits: NDArray[np.uint8], things: int) -> NDArray[np.uint64]:
    """Count the bits before each run of 512: [runs] uint64.

    Examples
    --------
    >>> count_ranks(np.full(128, 255, np.uint8), 1024).tolist()
    [0, 512]
    """
    padded = np.zeros(num_ranks(things) * RUN // 8, np.uint8)
    padded[: len(bits)] = _BITS_SET[bits]
    by_run = padded.reshape(-1, RUN // 8).sum(axis=1, dtype=np.uint64)
    ranks: NDArray[np.uint64] = np.cumsum(by_run, dtype=np.uint64) - by_run
    return ranks


def largest_shift(num_actions: int) -> float:
    """Bound on the total variation distance between a row and its 255ths.

    Examples
    --------
    >>> round(largest_shift(3), 6)
    0.002614
    """
    return (num_actions // 2) * ((num_actions + 1) // 2) / num_actions / WHOLE


def encode(block: NDArray[Any], rows: GroupRows) -> NDArray[np.uint8]:
    """Turn distributions into 255ths: [buckets, entries] probabilities to uint8."""
    encoded = np.empty(block.shape, np.uint8)
    for _, entries in rows.by_count():
        columns = entries.T
        encoded[:, columns] = _shares(block[:, columns].astype(np.float64))
    return encoded


def _shares(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Whole numbers that sum to 255: [buckets, actions, decisions]."""
    rows *= WHOLE / rows.sum(axis=1, keepdims=True)
    shares: NDArray[np.float64] = np.floor(rows)
    rows -= shares  # the remainders
    missing = (WHOLE - shares.sum(axis=1)).astype(np.int8)
    for action in range(rows.shape[1]):
        # Rank of the remainder in the row, largest first; ties go to the first action.
        place = np.zeros(missing.shape, np.int8)
        for other in range(rows.shape[1]):
            if other < action:
                place += rows[:, other] >= rows[:, action]
            elif other > action:
                place += rows[:, other] > rows[:, action]
        shares[:, action] += place < missing
    return shares


def decode(numbers: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Turn 255ths into probabilities, float32."""
    return _PROBABILITIES[numbers]


def encode_weights(weights: NDArray[Any], greatest: float) -> NDArray[np.uint8]:
    """Encode weights as bytes; `greatest` becomes 255.

    Examples
    --------
    >>> encode_weights(np.array([0.0, 1e-30, 500.0, 1000.0]), 1000.0).tolist()
    [0, 1, 247, 255]
    """
    wide = weights.astype(np.float64)
    trained = wide > 0
    steps = _STEPS * np.log2(np.where(trained, wide, greatest) / greatest)
    numbers = np.clip(np.rint(_TOP + steps), 1, _TOP)
    return np.where(trained, numbers, 0).astype(np.uint8)


def decode_weights(greatest: float) -> NDArray[np.float32]:
    """Return the weight of each byte: [256] float32.

    Examples
    --------
    >>> decode_weights(1000.0)[[0, 247, 255]].tolist()
    [0.0, 500.0, 1000.0]
    """
    weights = greatest * 2.0 ** ((np.arange(256) - _TOP) / _STEPS)
    weights[0] = 0
    return weights.astype(np.float32)


def array_specs(header: Header, entries: int, infosets: int) -> dict[str, ArraySpec]:
    """Arrays of a strategy with so many entries and infosets, wide numbers first.

    Wide first keeps every array aligned.
    """
    specs: dict[str, ArraySpec] = {}
    if header.pruned:
        for name, things in (("entry", header.entries), ("infoset", header.infosets)):
            specs[f"{name}_ranks"] = ArraySpec(np.dtype(np.uint64), (num_ranks(things),))
    weights = np.dtype(np.uint8 if header.byte_weights else np.float32)
    specs["weight"] = ArraySpec(weights, (infosets,))
    specs["strategy"] = ArraySpec(np.dtype(header.values), (entries,))
    if header.pruned:
        for name, things in (("entry", header.entries), ("infoset", header.infosets)):
            specs[f"{name}_bits"] = ArraySpec(np.dtype(np.uint8), (-(-things // 8),))
    return specs


class Blocks:
    """An array of a file, read a few numbers at a time; a block is verified once."""

    def __init__(self, file: ArrayFile, name: str) -> None:
        self._file = file
        self._name = name
        spec = file.spec(name)
        self._step = spec.block_rows
        self.length = spec.shape[0]
        self._blocks: dict[int, NDArray[Any]] = {}

    @property
    def whole(self) -> NDArray[Any]:
        """The whole array, verified, without copying."""
        return np.asarray(self._file.array(self._name))

    def part(self, begin: int, end: int) -> NDArray[Any]:
        """Numbers `begin` to `end - 1`, without copying."""
        if not 0 <= begin <= end <= self.length:  # a forged position
            raise DamagedFileError(
                f"{self._file.path} is damaged: {self._name!r} has no positions {begin} to {end}"
            )
        block, start = divmod(begin, self._step)
        stop = end - block * self._step
        if stop > self._step:
            return np.asarray(self._file.rows(self._name, begin, end))
        numbers = self._blocks.get(block)
        if numbers is None:
            first = block * self._step
            last = min(first + self._step, self.length)
            # A plain array, because slicing a memory map is ten times slower.
            numbers = self._blocks[block] = np.asarray(self._file.rows(self._name, first, last))
        return numbers[start:stop]


class Kept:
    """Kept items of a pruned file, and their positions."""

    def __init__(self, file: ArrayFile, name: str) -> None:
        self._bits = Blocks(file, f"{name}_bits")
        self._ranks = Blocks(file, f"{name}_ranks")

    def place(self, thing: int) -> int | None:
        """Position of an item among the kept ones; None if it was dropped."""
        run, bit = divmod(thing, RUN)
        word = self._word(run)
        if not word >> bit & 1:
            return None
        return int(self._ranks.part(run, run + 1)[0]) + (word & ((1 << bit) - 1)).bit_count()

    def before(self, thing: int) -> int:
        """Number of kept items before an item."""
        run, bit = divmod(thing, RUN)
        if run == self._ranks.length:
            run, bit = run - 1, RUN
        return (
            int(self._ranks.part(run, run + 1)[0])
            + (self._word(run) & ((1 << bit) - 1)).bit_count()
        )

    def flags(self, begin: int, end: int) -> NDArray[np.bool_]:
        """Whether each of the items `begin` to `end - 1` is kept."""
        first = begin // 8
        bits = np.unpackbits(self._bits.part(first, -(-end // 8)), bitorder="little")
        return bits[begin - 8 * first : end - 8 * first].astype(bool)

    def _word(self, run: int) -> int:
        end = min((run + 1) * _RUN_BYTES, self._bits.length)
        return int.from_bytes(self._bits.part(run * _RUN_BYTES, end).tobytes(), "little")


class Store:
    """The strategy of a whole file."""

    def __init__(self, file: ArrayFile, header: Header) -> None:
        self._strategy = Blocks(file, "strategy")
        self._weight = Blocks(file, "weight")
        self._eight_bits = header.values == "uint8"
        greatest = header.greatest_weight
        # [256] the weight of each byte; None where weights are float32.
        self._byte_weights = decode_weights(greatest) if isinstance(greatest, float) else None

    def weight(self, infoset: int) -> float:
        """Averaging weight of an infoset; 0 if it is untrained."""
        return float(self._weights(infoset, infoset + 1)[0])

    def row(self, infoset: int, entry: int, count: int) -> NDArray[np.float32] | None:
        """[count] probabilities of an infoset; None if it is untrained."""
        if self._weight.part(infoset, infoset + 1)[0] == 0:
            return None
        return self._probabilities(entry, entry + count)

    def node_rows(self, span: NodeSpan) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """[buckets, actions] probabilities of a decision, and [buckets] whether it is trained."""
        buckets = np.arange(span.num_buckets)
        entries = span.entry + span.bucket_entries * buckets[:, None]
        weights = self._weight.whole[span.infoset + span.bucket_infosets * buckets]
        numbers = self._strategy.whole[entries + np.arange(span.num_actions)]
        return decode(numbers) if self._eight_bits else numbers, weights != 0

    def read(self, chunk: Chunk, rows: GroupRows) -> tuple[NDArray[Any], NDArray[Any]]:
        """Probabilities [buckets, entries] and weights [buckets, decisions]; untrained uniform."""
        weights = self._weights(chunk.infosets.start, chunk.infosets.stop)
        weights = weights.reshape(chunk.num_buckets, len(rows.nodes))
        strategy = self._probabilities(chunk.entries.start, chunk.entries.stop)
        strategy = strategy.reshape(chunk.num_buckets, len(rows.owners))
        if self._eight_bits:  # a half is not a multiple of 1/255
            strategy = np.where(rows.spread(weights > 0), strategy, rows.uniform)
        return strategy, weights

    def _weights(self, begin: int, end: int) -> NDArray[np.float32]:
        numbers = self._weight.part(begin, end)
        return numbers if self._byte_weights is None else self._byte_weights[numbers]

    def _probabilities(self, begin: int, end: int) -> NDArray[np.float32]:
        numbers = self._strategy.part(begin, end)
        return decode(numbers) if self._eight_bits else numbers


class PrunedStore(Store):
    """The strategy of a pruned file."""

    def __init__(self, file: ArrayFile, header: Header) -> None:
        super().__init__(file, header)
        self._entries = Kept(file, "entry")
        self._infosets = Kept(file, "infoset")

    def weight(self, infoset: int) -> float:
        """Averaging weight of an infoset; 0 if it is untrained or pruned."""
        place = self._infosets.place(infoset)
        return 0.0 if place is None else super().weight(place)

    def row(self, infoset: int, entry: int, count: int) -> NDArray[np.float32] | None:
        """[count] probabilities of an infoset; None if it is untrained or pruned."""
        del infoset  # its first entry shows whether it is kept
        place = self._entries.place(entry)
        return None if place is None else self._probabilities(place, place + count)

    def node_rows(self, span: NodeSpan) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """[buckets, actions] probabilities of a decision, and [buckets] whether it is trained."""
        strategy = np.zeros((span.num_buckets, span.num_actions), np.float32)
        trained = np.zeros(span.num_buckets, np.bool_)
        for bucket in range(span.num_buckets):
            row = self.row(0, span.entry + bucket * span.bucket_entries, span.num_actions)
            if row is not None:
                strategy[bucket], trained[bucket] = row, True
        return strategy, trained

    def read(self, chunk: Chunk, rows: GroupRows) -> tuple[NDArray[Any], NDArray[Any]]:
        """Probabilities and weights of a chunk; uniform and 0 where untrained or pruned."""
        strategy = np.tile(rows.uniform, chunk.num_buckets)
        weights = np.zeros(chunk.num_buckets * len(rows.nodes), np.float32)
        begin, end = chunk.entries.start, chunk.entries.stop
        part = self._probabilities(self._entries.before(begin), self._entries.before(end))
        _put(strategy, self._entries.flags(begin, end), part)
        begin, end = chunk.infosets.start, chunk.infosets.stop
        part = self._weights(self._infosets.before(begin), self._infosets.before(end))
        _put(weights, self._infosets.flags(begin, end), part)
        return strategy.reshape(chunk.num_buckets, -1), weights.reshape(chunk.num_buckets, -1)


def _put(whole: NDArray[Any], flags: NDArray[np.bool_], part: NDArray[Any]) -> None:
    """Put the kept numbers into their positions."""
    if np.count_nonzero(flags) != len(part):
        raise DamagedFileError("the strategy file is damaged: its bits and ranks do not agree")
    whole[flags] = part


def open_store(file: ArrayFile, header: Header) -> Store:
    """Check the arrays against the header, and return a store that reads them."""
    sizes = {name: file.spec(name).shape for name in file.names}
    specs = array_specs(header, *(sizes.get(name, (0,))[0] for name in ("strategy", "weight")))
    if not header.pruned:
        specs |= array_specs(header, header.entries, header.infosets)
    names = [name for name in file.names if not name.startswith(CARDS)]
    if set(names) != set(specs) or any(file.spec(name) != specs[name] for name in specs):
        raise DamagedFileError(f"{file.path} is damaged: its arrays do not match its header")
    return PrunedStore(file, header) if header.pruned else Store(file, header)
