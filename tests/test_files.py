"""Array files: exact round trips, atomic writes, and detection of all damage."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.errors import DamagedFileError
from riverboat.files import (
    ArrayFile,
    ArrayFileWriter,
    ArraySpec,
    atomic_path,
    cache_folder,
    let_go,
)

LARGE = np.arange(3 * 2**20, dtype=np.uint16).reshape(-1, 1024)  # six blocks
SMALL = np.linspace(0, 1, 5, dtype=np.float32)


def write(path: Path, rows_at_once: int = 700) -> None:
    arrays = {
        "large": ArraySpec(LARGE.dtype, LARGE.shape),
        "small": ArraySpec(SMALL.dtype, SMALL.shape),
    }
    with ArrayFileWriter(path, arrays, {"kind": "test"}) as writer:
        for begin in range(0, len(LARGE), rows_at_once):
            writer.write("large", LARGE[begin : begin + rows_at_once])
        writer.write("small", SMALL)


@pytest.mark.parametrize("rows_at_once", [1, 512, 513, 5000])
def test_round_trip(tmp_path: Path, rows_at_once: int) -> None:
    path = tmp_path / "folder" / "file.safetensors"
    write(path, rows_at_once)
    file = ArrayFile(path)
    assert file.metadata == {"kind": "test"}
    assert file.names == ["large", "small"]
    assert np.array_equal(file.array("large"), LARGE)
    assert np.array_equal(file.array("small"), SMALL)
    assert np.array_equal(file.rows("large", 500, 1600), LARGE[500:1600])
    assert list(file.verify())[-1] == (7, 7)
    assert not file.array("large").flags.writeable


def resident(path: Path) -> int:
    """Return how many kilobytes of a mapped file are in memory."""
    maps = Path("/proc/self/smaps").read_text().split(f"{path}\n")[1:]
    return sum(int(each.split("Rss:", 1)[1].split()[0]) for each in maps)


@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
def test_what_was_read_can_be_let_go(tmp_path: Path) -> None:
    path = tmp_path / "file.safetensors"
    write(path)
    array = ArrayFile(path).array("large")
    assert resident(path) < 3 * 1024  # of six verified: the system maps neighbours, too
    assert int(array.sum()) == int(LARGE.sum())
    assert resident(path) > 5 * 1024
    let_go()
    assert resident(path) == 0
    assert np.array_equal(array, LARGE)


@pytest.mark.peer
def test_the_safetensors_package_reads_it(tmp_path: Path) -> None:
    numpy = pytest.importorskip("safetensors.numpy")
    write(tmp_path / "file.safetensors")
    read = numpy.load_file(tmp_path / "file.safetensors")
    assert np.array_equal(read["large"], LARGE)
    assert np.array_equal(read["small"], SMALL)


@given(st.data())
def test_no_flipped_bit_goes_unnoticed(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.getbasetemp() / "flipped.safetensors"
    write(path)
    content = bytearray(path.read_bytes())
    # Half of the flips in the small parts: header and checksums.
    ends = st.integers(0, 1200) | st.integers(len(content) - 48, len(content) - 1)
    place = data.draw(ends | st.integers(0, len(content) - 1))
    content[place] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(content)
    with pytest.raises(DamagedFileError, match="is damaged"):
        for _ in ArrayFile(path).verify():
            pass


@given(st.integers(0, 2**32))
def test_no_cut_goes_unnoticed(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    path = tmp_path_factory.getbasetemp() / "cut.safetensors"
    write(path)
    rng = np.random.default_rng(seed)
    size = path.stat().st_size
    limit = size if rng.random() < 0.5 else 1500
    os.truncate(path, int(rng.integers(0, limit)))
    with pytest.raises(DamagedFileError):
        ArrayFile(path)


def test_only_touched_blocks_are_verified(tmp_path: Path) -> None:
    path = tmp_path / "file.safetensors"
    write(path)
    file = ArrayFile(path)
    content = bytearray(path.read_bytes())
    content[content.rindex(LARGE[-1].tobytes())] ^= 1
    path.write_bytes(content)
    file = ArrayFile(path)
    assert np.array_equal(file.rows("large", 0, 100), LARGE[:100])
    with pytest.raises(DamagedFileError, match="block 5 of 'large'"):
        file.rows("large", len(LARGE) - 1, len(LARGE))
    with pytest.raises(DamagedFileError, match="block 5 of 'large'"):
        file.array("large")


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"[]",
        b"{",
        b'{"a": 3}',
        b'{"a": {"dtype": "U8", "shape": [-1], "data_offsets": [0, 1]}}',
        b'{"a": {"dtype": "U8", "shape": [9], "data_offsets": [0, 1]}}',
        b'{"a": {"dtype": "U9", "shape": [1], "data_offsets": [0, 1]}}',
        b'{"__metadata__": 3, "a": {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}}',
        json.dumps({"a": {"dtype": "U8", "shape": [1], "data_offsets": [0, 10**30]}}).encode(),
    ],
)
def test_strange_headers_are_refused(tmp_path: Path, header: bytes) -> None:
    path = tmp_path / "strange"
    path.write_bytes(len(header).to_bytes(8, "little") + header + b"\0" * 5)
    with pytest.raises(DamagedFileError):
        ArrayFile(path)


def test_a_stopped_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "file.safetensors"
    write(path)
    before = path.read_bytes()
    arrays = {"large": ArraySpec(LARGE.dtype, LARGE.shape)}

    def stop_after_ten_rows(writer: ArrayFileWriter) -> None:
        writer.write("large", LARGE[:10])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), ArrayFileWriter(path, arrays, {}) as writer:
        stop_after_ten_rows(writer)
    with (
        pytest.raises(RuntimeError, match="got 10 rows"),
        ArrayFileWriter(path, arrays, {}) as writer,
    ):
        writer.write("large", LARGE[:10])
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_what_killed_writers_left_is_removed_later(tmp_path: Path) -> None:
    old, new, other = (tmp_path / name for name in (".a[1].0.part", ".a[1].1.part", ".b.0.part"))
    for left in (old, new, other):
        left.touch()
    for left in (old, other):
        os.utime(left, (0, 0))
    with atomic_path(tmp_path / "a[1]"):
        pass
    assert {path.name for path in tmp_path.iterdir()} == {"a[1]", new.name, other.name}


def test_atomic_path_keeps_the_umask(tmp_path: Path) -> None:
    with atomic_path(tmp_path / "a") as temporary:
        temporary.write_text("x")
    (tmp_path / "plain").write_text("x")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_cache_folder_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RIVERBOAT_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("RIVERBOAT_CACHE")
    assert cache_folder().name == "riverboat"


LIMITED = """
import resource, signal, sys
from pathlib import Path
import numpy as np
from riverboat.errors import in_words
from riverboat.files import ArrayFileWriter, ArraySpec, atomic_path

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
path, data = Path(sys.argv[1]), np.zeros(1 << 20, np.uint8)
try:
    if sys.argv[2] == "text":
        with atomic_path(path) as temporary, temporary.open("w") as file:
            file.write("x" * 200_000)
    else:
        text = {"long": "x" * 200_000 * (sys.argv[2] == "header")}
        with ArrayFileWriter(path, {"a": ArraySpec(data.dtype, data.shape)}, text) as writer:
            writer.write("a", data)
except OSError as error:
    print(in_words(error))
"""


@pytest.mark.parametrize("what", ["text", "arrays", "header"])
def test_a_write_that_fails_names_the_file_and_leaves_none(tmp_path: Path, what: str) -> None:
    """A limit of file sizes, as `ulimit -f` sets it; a full disk fails in the same place."""
    path = tmp_path / "whole"
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(path), what], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"File too large: {path}\n"
    assert list(tmp_path.iterdir()) == []


def test_a_rename_that_fails_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "taken"
    path.mkdir()
    with pytest.raises(OSError, match="taken"), atomic_path(path) as temporary:
        temporary.write_text("whole")
    assert list(tmp_path.iterdir()) == [path]
