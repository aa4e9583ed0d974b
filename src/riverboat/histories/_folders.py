"""Files of hands in folders and archives, as blocks of text that are small enough for a worker.

Nothing is unpacked: a file in an archive is read, and its name is text that is only displayed.
"""

from __future__ import annotations

import io
import lzma
import os
import stat
import zipfile
import zlib
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from riverboat.errors import HistoryError
from riverboat.histories import sites
from riverboat.histories._reading import decode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: Files with other extensions are not opened in folders and archives.
EXTENSIONS = frozenset((".txt", ".xml", ".phh", ".phhs", ".ohh", ".jsonl", ".acpc", ".log", ".dat"))
MOST_FILES = 200_000
MOST_MEMBER = 1_000_000_000  # bytes of a file in an archive
MOST_UNDIVIDED = 100_000_000  # bytes of a file that is not read in parts
MOST_ARCHIVE = 20_000_000_000  # bytes of all its files
MOST_RATIO = 200  # of a file to its compressed form
_RATIO_FROM = 1_000_000  # bytes; smaller files may be any ratio
_BLOCK = 2_000_000  # bytes that are read at a time
_LONGEST_BLOCK = 60_000_000  # characters without the begin of a hand


class HandFile(NamedTuple):
    """A file, or a file inside an archive."""

    path: str
    member: str = ""

    @property
    def name(self) -> str:
        """The name for people, with escapes for bytes that are not text."""
        name = f"{self.path}:{self.member}" if self.member else self.path
        return name.encode(errors="backslashreplace").decode()

    @property
    def suffix(self) -> str:
        """The extension."""
        return Path(self.member or self.path).suffix.lower()


class Block(NamedTuple):
    """A part of a file that begins with a hand: the number of its first line, and its text."""

    line: int
    text: str
    suffix: str


def hand_files(sources: Iterable[str | Path], problems: list[str]) -> Iterator[HandFile]:
    """Yield the files of hands in folders, archives and files, in the order of their names.

    Links inside folders are not followed. Archives and files in them that cannot be read are left
    out, and a sentence about each is added to `problems`.

    Raises
    ------
    HistoryError
        If a source does not exist, or there are too many files.
    """
    count = 0
    for source in sources:
        path = Path(source)
        for file in _files_of(path, problems):
            count += 1
            if count > MOST_FILES:
                raise HistoryError(f"at most {MOST_FILES:,} files are read at once")
            yield file


def _files_of(path: Path, problems: list[str]) -> Iterator[HandFile]:
    if path.is_dir():
        for folder, folders, names in os.walk(path, followlinks=False):
            folders.sort()
            for name in sorted(names):
                file = Path(folder) / name
                if file.is_symlink():
                    continue
                if file.suffix.lower() == ".zip":
                    yield from _members(file, problems)
                elif file.suffix.lower() in EXTENSIONS:
                    yield HandFile(str(file))
    elif path.suffix.lower() == ".zip" and path.is_file():
        yield from _members(path, problems)
    elif path.is_file():
        yield HandFile(str(path))
    else:
        raise HistoryError(f"{str(path)[:200]!r} is not a file or folder")


def _members(path: Path, problems: list[str]) -> Iterator[HandFile]:
    """Yield the files of an archive that are within the limits."""
    try:
        infos = _infos(path)
    except HistoryError as error:
        problems.append(str(error))
        return
    for info in sorted(infos, key=lambda info: info.filename):
        if info.is_dir() or Path(info.filename).suffix.lower() not in EXTENSIONS:
            continue
        try:
            _check_member(path, info)
        except HistoryError as error:
            problems.append(str(error))
            continue
        yield HandFile(str(path), info.filename)


def _infos(path: Path) -> list[zipfile.ZipInfo]:
    """Return what an archive has; raise `HistoryError` if that is too much."""
    try:
        with zipfile.ZipFile(path) as archive:
            infos = archive.infolist()
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise HistoryError(f"{str(path)[:200]!r} is not an archive that can be read") from error
    if len(infos) > MOST_FILES:
        raise HistoryError(f"{path.name[:80]!r} has more than {MOST_FILES:,} files")
    if sum(info.file_size for info in infos) > MOST_ARCHIVE:
        raise HistoryError(f"{path.name[:80]!r} has more than {MOST_ARCHIVE:,} bytes")
    return infos


def _check_member(path: Path, info: zipfile.ZipInfo) -> None:
    """Raise `HistoryError` for links, encrypted files, and sizes that are impossible for text."""
    what = f"{info.filename[:80]!r} in {path.name[:80]!r}"
    if stat.S_ISLNK(info.external_attr >> 16):
        raise HistoryError(f"{what} is a link; archives may have files only")
    if info.flag_bits & 1:
        raise HistoryError(f"{what} is encrypted")
    if info.file_size > MOST_MEMBER:
        raise HistoryError(f"{what} has {info.file_size:,} bytes; at most {MOST_MEMBER:,} are read")
    if info.file_size > _RATIO_FROM and info.file_size > MOST_RATIO * max(1, info.compress_size):
        raise HistoryError(f"{what} is compressed more than {MOST_RATIO} times")


def blocks_of(file: HandFile) -> Iterator[Block]:
    """Yield the text of a file in blocks; files that are not of a site are one block."""
    try:
        if not file.member:
            with Path(file.path).open("rb") as stream:
                yield from _blocks(stream, file.suffix)
        else:
            with zipfile.ZipFile(file.path) as archive, archive.open(file.member) as member:
                yield from _blocks(io.BufferedReader(_Limited(member)), file.suffix)
    except _UNREADABLE as error:
        reason = getattr(error, "strerror", None) or error
        raise HistoryError(f"{file.name[:200]!r} cannot be read: {reason}") from error


_UNREADABLE = (
    *(OSError, zipfile.BadZipFile, zlib.error, lzma.LZMAError),
    *(KeyError, RuntimeError, EOFError, ValueError),
)


class _Limited(io.RawIOBase):
    """A file of an archive that ends with an error after too many bytes, whatever it claims."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._left = file, MOST_MEMBER

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]  # a writable buffer
        data = self._file.read(len(view))
        self._left -= len(data)
        if self._left < 0:
            raise OSError(f"it has more than {MOST_MEMBER:,} bytes")
        view[: len(data)] = data
        return len(data)


def _blocks(stream: IO[bytes], suffix: str) -> Iterator[Block]:
    data = stream.read(_BLOCK)
    wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    if wide or not sites.is_divisible(decode(data[:4000])):
        data += stream.read(max(0, MOST_UNDIVIDED - len(data) + 1))
        if len(data) > MOST_UNDIVIDED:
            raise OSError(f"it has more than {MOST_UNDIVIDED:,} bytes and is read as a whole")
        yield Block(1, decode(data), suffix)
        return
    kept, line = "", 1
    while data:
        data += stream.readline(_BLOCK)
        text = kept + decode(data)
        data = stream.read(_BLOCK)
        cut = sites.last_opening(text) if data else len(text)
        if cut:
            yield Block(line, text[:cut], suffix)
            line += text.count("\n", 0, cut)
        elif len(text) > _LONGEST_BLOCK:
            raise OSError(f"it has no hand in {_LONGEST_BLOCK:,} characters")
        kept = text[cut:]
