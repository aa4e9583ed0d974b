"""Array files: written atomically, memory-mapped, and verified when they are read.

The format is safetensors (8-byte header length, JSON header, raw arrays), so any safetensors
reader can open a file. This module adds three features to that of the safetensors package: arrays
are written row by row, so a table need not fit into memory; reading uses a NumPy memory map; and
each array has a CRC-32 checksum per block of rows. Header and structure are checked on opening,
and a block on first access, so a large file opens at once and damaged blocks are never used.
"""

import json
import mmap
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, cast
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import DamagedFileError, OtherFileError, RiverboatError
from riverboat.files._limits import json_value
from riverboat.files._writing import atomic_path

_BLOCK_BYTES = 1 << 20
_MAX_HEADER_BYTES = 16 << 20
_DTYPES = {
    "U8": np.uint8,
    "U16": np.uint16,
    "U32": np.uint32,
    "U64": np.uint64,
    "I8": np.int8,
    "I16": np.int16,
    "I32": np.int32,
    "I64": np.int64,
    "F32": np.float32,
    "F64": np.float64,
}
_DTYPE_NAMES = {np.dtype(kind).str: name for name, kind in _DTYPES.items()}
_CHECKSUMS = ".crc32"
_HEADER_CHECKSUM = "header.crc32"


@dataclass(frozen=True, slots=True)
class ArraySpec:
    """Dtype and shape of an array; the first axis is that of rows."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]

    @property
    def row_bytes(self) -> int:
        """Bytes of one row."""
        return int(np.prod(self.shape[1:], dtype=np.int64)) * self.dtype.itemsize

    @property
    def num_bytes(self) -> int:
        """Bytes of the whole array."""
        return self.row_bytes * self.shape[0]

    @property
    def block_rows(self) -> int:
        """Rows that share one checksum: about a mebibyte."""
        return max(1, _BLOCK_BYTES // max(1, self.row_bytes))

    @property
    def num_blocks(self) -> int:
        """Number of checksums of the array."""
        return -(-self.shape[0] // self.block_rows)


#: First bytes of files of other formats, for error messages.
_BEGINNINGS: Final = {
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"%PDF": "a PDF document",
    b"PK\x03\x04": "a zip archive",
    b"\x1f\x8b": "a gzip archive",
    b"PAR1": "a Parquet table",
    b"ARROW1": "an Arrow table",
}


def _other_kind(first: bytes) -> str | None:
    """Name the format of a file if its first bytes show that it is not an array file."""
    for beginning, kind in _BEGINNINGS.items():
        if first.startswith(beginning):
            return kind
    # The length of a header has zeros before the eighth byte; text has none.
    return "a text file" if first and 0 not in first and _is_text(first) else None


def _is_text(first: bytes) -> bool:
    try:
        first.decode()
    except UnicodeDecodeError as error:
        return error.start > len(first) - 4  # the last character may be cut off
    return True


def _count(value: Any) -> int:
    """Return a size or an offset; raise an error for booleans and negative numbers."""
    if type(value) is not int or value < 0:
        raise ValueError(value)
    return value


def _header_bytes(arrays: Mapping[str, ArraySpec], metadata: Mapping[str, str]) -> bytes:
    """Return the safetensors header, padded so that the data starts on 64 bytes."""
    header: dict[str, Any] = {"__metadata__": dict(metadata)}
    offset = 0
    for name, spec in arrays.items():
        end = offset + spec.num_bytes
        header[name] = {
            "dtype": _DTYPE_NAMES[spec.dtype.str],
            "shape": list(spec.shape),
            "data_offsets": [offset, end],
        }
        offset = end
    text = json.dumps(header, separators=(",", ":")).encode()
    return text + b" " * (-(len(text) + 8) % 64)


class ArrayFileWriter:
    """Writes arrays to a new file, row by row; `path` exists only after the block ends.

    Parameters
    ----------
    path
        Path of the file.
    arrays
        Dtype and shape of the arrays by name, in the order of writing.
    metadata
        Text values of the header.
    """

    def __init__(
        self, path: Path, arrays: Mapping[str, ArraySpec], metadata: Mapping[str, str]
    ) -> None:
        self._data = dict(arrays)
        self._checksums: dict[str, list[int]] = {name: [] for name in arrays}
        self._pending: dict[str, tuple[int, int]] = dict.fromkeys(arrays, (0, 0))
        layout = dict(arrays)
        for name, spec in arrays.items():
            layout[name + _CHECKSUMS] = ArraySpec(np.dtype(np.uint32), (spec.num_blocks,))
        layout[_HEADER_CHECKSUM] = ArraySpec(np.dtype(np.uint32), (1,))
        self._header = _header_bytes(layout, metadata)
        self._atomic = atomic_path(path)
        self._file = self._atomic.__enter__().open("wb")
        try:
            self._file.write(len(self._header).to_bytes(8, "little") + self._header)
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise

    def __enter__(self) -> Self:
        return self

    def write(self, name: str, rows: NDArray[Any]) -> None:
        """Append rows to the array `name`. Finish each array before the next one."""
        spec = self._data[name]
        done, checksum = self._pending[name]
        view = np.ascontiguousarray(rows, dtype=spec.dtype)
        at = 0
        while at < len(view):
            left = spec.block_rows - done % spec.block_rows
            part = view[at : at + left]
            checksum = zlib.crc32(part.data, checksum)
            done += len(part)
            at += len(part)
            if done % spec.block_rows == 0 or done == spec.shape[0]:
                self._checksums[name].append(checksum)
                checksum = 0
        self._pending[name] = (done, checksum)
        self._file.write(view.data)

    def write_all(self, name: str, parts: Iterable[NDArray[Any]]) -> None:
        """Append parts to the array `name`, one after the other."""
        for part in parts:
            self.write(name, part)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self._finish()
            self._file.close()  # writes the buffer, so the disk may turn out to be full
        except BaseException as failure:
            self._file.close()  # a second call always closes
            named = error or failure
            self._atomic.__exit__(type(named), named, None)
            if kind is None:
                raise
            return  # the error of the block is raised
        self._atomic.__exit__(kind, error, trace)

    def _finish(self) -> None:
        for name, spec in self._data.items():
            if self._pending[name][0] != spec.shape[0]:
                raise RuntimeError(
                    f"array {name!r} got {self._pending[name][0]} rows of {spec.shape[0]}"
                )
        tail = b"".join(np.array(sums, np.uint32).tobytes() for sums in self._checksums.values())
        checksum = zlib.crc32(tail, zlib.crc32(self._header))
        self._file.write(tail + checksum.to_bytes(4, "little"))
        self._file.flush()


class ArrayFile:
    """A memory-mapped array file; blocks are verified on first access.

    Raises
    ------
    DamagedFileError
        On opening, if header or structure are wrong; from `rows`, `array` and `verify`, if a block
        does not match its checksum.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._map = self._open()
        self._pages = cast("mmap.mmap", self._map.base)
        _mapped.add(self._pages)
        header = self._parse_header()
        self.metadata: dict[str, str] = header.pop("__metadata__", {})
        self._arrays = {name: self._map_array(name, entry) for name, entry in header.items()}
        self._check_structure()
        self._verified = {name: np.zeros(self.spec(name).num_blocks, bool) for name in self.names}
        self._block_rows = {name: self.spec(name).block_rows for name in self.names}

    @staticmethod
    def save(
        path: Path, arrays: Mapping[str, NDArray[Any]], metadata: Mapping[str, str] | None = None
    ) -> None:
        """Write arrays to a new file; use `ArrayFileWriter` for arrays that are not in memory.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     ArrayFile.save(Path(folder) / "x", {"ones": np.ones(3)})
        ...     ArrayFile(Path(folder) / "x").array("ones").tolist()
        [1.0, 1.0, 1.0]
        """
        specs = {name: ArraySpec(array.dtype, array.shape) for name, array in arrays.items()}
        with ArrayFileWriter(path, specs, metadata or {}) as writer:
            for name, array in arrays.items():
                writer.write(name, array)

    @classmethod
    def has_kind(cls, path: Path, kind: str, suffix: str) -> bool:
        """Return whether a header names this kind; if it cannot be read, the suffix decides."""
        try:
            return cls(path).metadata.get("kind") == kind
        except (OSError, RiverboatError):
            return path.suffix == suffix

    @property
    def names(self) -> list[str]:
        """Names of the arrays in the file."""
        return [name for name in self._arrays if not name.endswith(_CHECKSUMS)]

    def spec(self, name: str) -> ArraySpec:
        """Dtype and shape of an array."""
        array = self._arrays[name]
        return ArraySpec(array.dtype, array.shape)

    def rows(self, name: str, begin: int, end: int) -> NDArray[Any]:
        """Return rows `begin` to `end - 1` of an array, verified and not copied."""
        step = self._block_rows[name]
        for block in range(begin // step, -(-end // step)):
            self._verify_block(name, block)
        return self._arrays[name][begin:end]

    def array(self, name: str) -> NDArray[Any]:
        """Return a whole array, verified and not copied."""
        if not self._verified[name].all():
            from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - slow to import

            with ThreadPoolExecutor() as pool:
                blocks = range(self.spec(name).num_blocks)
                list(pool.map(lambda block: self._verify_block(name, block), blocks))
        return self._arrays[name]

    def verify(self) -> Iterator[tuple[int, int]]:
        """Verify every block again; yield (blocks read, number of blocks)."""
        total = sum(self.spec(name).num_blocks for name in self.names)
        done = 0
        for name in self.names:
            self._verified[name][:] = False
            for block in range(self.spec(name).num_blocks):
                self._verify_block(name, block)
                done += 1
                yield done, total

    def _verify_block(self, name: str, block: int) -> None:
        if self._verified[name][block]:
            return
        step = self.spec(name).block_rows
        data = self._arrays[name][block * step : (block + 1) * step]
        if zlib.crc32(data.data) != self._arrays[name + _CHECKSUMS][block]:
            raise self._damaged(f"block {block} of {name!r:.80} does not match its checksum")
        self._verified[name][block] = True
        begin = data.ctypes.data - self._map.ctypes.data
        _drop(self._pages, begin, data.nbytes)  # the caller may need only one row of it

    def _damaged(self, reason: str) -> DamagedFileError:
        return DamagedFileError(f"{self.path} is damaged: {reason}")

    def _open(self) -> NDArray[np.uint8]:
        try:
            return np.memmap(self.path, np.uint8, "r")
        except ValueError as error:  # an empty file cannot be mapped
            raise self._damaged("it is empty") from error

    def _parse_header(self) -> dict[str, Any]:
        if (kind := _other_kind(self._map[:512].tobytes())) is not None:
            raise OtherFileError(f"{self.path} is {kind}, not an array file")
        if len(self._map) < 8:
            raise self._damaged("it is shorter than a header")
        length = int.from_bytes(self._map[:8].tobytes(), "little")
        if length > min(_MAX_HEADER_BYTES, len(self._map) - 8):
            raise self._damaged(f"its header claims {length:,} bytes")
        self._data_start = 8 + length
        try:
            text = self._map[8 : self._data_start].tobytes().decode()
        except UnicodeDecodeError as error:
            raise self._damaged("its header is not JSON") from error
        what = f"{self.path} is damaged: its header"
        header = json_value(text, what, DamagedFileError, _MAX_HEADER_BYTES)
        texts = header.get("__metadata__", {}) if isinstance(header, dict) else None
        if not isinstance(texts, dict) or not all(isinstance(text, str) for text in texts.values()):
            raise self._damaged("its header is not a table")
        return dict(header)

    def _map_array(self, name: str, entry: Any) -> NDArray[Any]:
        try:
            dtype = np.dtype(_DTYPES[entry["dtype"]])
            begin, end = map(_count, entry["data_offsets"])
            shape = tuple(map(_count, entry["shape"]))
            data = self._map[self._data_start + begin : self._data_start + end]
            if not shape or len(data) != end - begin:
                raise ValueError(shape)
            return data.view(dtype).reshape(shape)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise self._damaged(f"array {name!r:.80} does not fit into the file") from error

    def _check_structure(self) -> None:
        names = self.names
        tail = [self._arrays.get(name + _CHECKSUMS) for name in names]
        last = self._arrays.get(_HEADER_CHECKSUM)
        if last is None or last.shape != (1,) or any(sums is None for sums in tail):
            raise self._damaged("it has no checksums")
        size = self._data_start + sum(array.nbytes for array in self._arrays.values())
        if size != len(self._map):
            raise self._damaged(f"it has {len(self._map):,} bytes instead of {size:,}")
        checksum = zlib.crc32(self._map[8 : self._data_start].data)
        for sums, name in zip(tail, names, strict=True):
            if sums is None or sums.shape != (self.spec(name).num_blocks,):
                raise self._damaged(f"array {name!r:.80} has the wrong number of checksums")
            checksum = zlib.crc32(sums.data, checksum)
        if checksum != last[0]:
            raise self._damaged("its header does not match its checksum")


_mapped: Final[WeakSet[mmap.mmap]] = WeakSet()


def let_go() -> None:
    """Release the resident memory of all mapped files; later accesses read the files again.

    For long work that accesses many parts of large tables.
    """
    for pages in tuple(_mapped):
        _drop(pages, 0, len(pages))


def _drop(pages: mmap.mmap, begin: int, length: int) -> None:
    """Release the resident memory of a part of a map, if the system supports that."""
    if length and hasattr(mmap, "MADV_DONTNEED"):
        first = begin - begin % mmap.PAGESIZE
        pages.madvise(mmap.MADV_DONTNEED, first, begin - first + length)
