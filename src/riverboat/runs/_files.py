"""The files of a run: result, checkpoint, log and plot.

A checkpoint is one file that is replaced atomically. The log has one JSON object per line. To keep
it short in long runs, an ordinary report is logged only if the time since the last line is at least
a hundredth of the whole run; all other reports are logged.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, Self, TypeVar

import msgspec
from numpy.typing import NDArray

from riverboat import __version__
from riverboat.errors import DamagedFileError, RunError
from riverboat.files import ArrayFile, atomic_path, json_lines, json_value, locked
from riverboat.settings import shown


@dataclass(frozen=True, slots=True)
class RunFiles:
    """The paths of a run: NAME.SUFFIX, NAME.checkpoint, NAME.log.jsonl, NAME.png."""

    suffixes: ClassVar[tuple[str, ...]] = (".result",)
    """Allowed suffixes of a result; the first is added to a name that has none of them."""

    result: Path

    @classmethod
    def of(cls, path: str | Path) -> Self:
        """Return the paths of a run from the path of its result.

        Examples
        --------
        >>> RunFiles.of("bots/laptop").log.as_posix()
        'bots/laptop.log.jsonl'
        """
        named = Path(path)
        if not str(path).strip() or not named.name or named.name == ".." or named.is_dir():
            raise RunError(
                f"the output {str(path)!r} is not a file name: give a name such as bots/mine "
                f"(for mine{cls.suffixes[0]} in the folder bots)"
            )
        if named.suffix not in cls.suffixes:
            named = named.with_name(named.name + cls.suffixes[0])
        return cls(named)

    @property
    def checkpoint(self) -> Path:
        """The checkpoint, from which the run can be resumed."""
        return self.result.with_suffix(".checkpoint")

    @property
    def log(self) -> Path:
        """The log, one JSON object per line."""
        return self.result.with_suffix(".log.jsonl")

    @property
    def plot(self) -> Path:
        """The plot, a PNG file."""
        return self.result.with_suffix(".png")

    def member(self, index: int) -> Self:
        """Return the paths of a member of an ensemble; `index` counts from 1."""
        return type(self)(self.result.with_suffix(f".{index}{self.result.suffix}"))

    def written(self) -> dict[str, str | None]:
        """Return the paths of existing files by kind, and None for files that do not exist."""
        kinds = {"checkpoint": self.checkpoint, "log": self.log, "plot": self.plot}
        paths = {self.suffixes[0].removeprefix("."): self.result, **kinds}
        return {kind: str(path) if path.exists() else None for kind, path in paths.items()}

    def refuse(self, *, resume: bool = False, force: bool = False) -> None:
        """Refuse to overwrite the files of an earlier run, or to resume without a checkpoint."""
        if resume and force:
            raise RunError("--resume continues a run and --force starts again: give only one")
        if resume and not self.checkpoint.exists():
            what = f"{self.result} cannot be resumed" if self.result.exists() else ""
            raise RunError(
                f"{what or 'there is nothing to resume'}: there is no checkpoint "
                f"{self.checkpoint}; --force starts again"
            )
        for path in () if resume or force else (self.result, self.checkpoint):
            if path.exists():
                what = "already exists" if path == self.result else "belongs to a stopped run"
                raise RunError(
                    f"{path} {what}: --resume continues the run, --force starts again, "
                    "--output chooses another file"
                )

    @contextmanager
    def mine(self) -> Iterator[None]:
        """Lock the files in the block; raise an error if another run has locked them."""
        with locked(self.result) as free:
            if not free:
                raise RunError(
                    f"another run is writing {self.result}: wait for its end, or choose another "
                    "file with --output"
                )
            yield

    def clear(self, kept: Collection[Path] = ()) -> None:
        """Remove the files of an earlier run, except `kept`."""
        for path in (self.result, self.checkpoint, self.log, self.plot):
            if path not in kept:
                path.unlink(missing_ok=True)

    def remove_leftovers(self) -> None:
        """Remove temporary files of a run that was killed while it was writing."""
        for path in (self.result, self.checkpoint, self.log, self.plot):
            for part in path.parent.glob(f".{path.name}.*.part"):
                part.unlink(missing_ok=True)


def refused(path: Path, error: OSError) -> str:
    """Return an error message for a file that cannot be written."""
    return f"{path} cannot be written: {error.strerror or error}"


_Piece = TypeVar("_Piece", bound=msgspec.Struct)

_FORMAT: Final = "1"
_OWN: Final = {"kind", "format", "riverboat", "progress", "identity"}
_LONGEST: Final = 16 << 20  # characters


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of a task between two slices."""

    progress: Mapping[str, Any]
    """Progress of the task, as plain values."""
    arrays: Mapping[str, NDArray[Any]]
    """Arrays by name; they may be the task's own, because they are saved at once."""
    more: Mapping[str, Any] = field(default_factory=dict)
    """Further plain values by name."""

    def save(self, path: Path, kind: str, identity: Mapping[str, Any]) -> None:
        """Write the checkpoint atomically.

        Parameters
        ----------
        path
            Path of the file.
        kind
            Kind of task; only a task of this kind can open the file.
        identity
            Settings that determine the result; only a run with the same can be resumed.
        """
        values = {"progress": self.progress, "identity": identity, **self.more}
        metadata = {"kind": kind, "format": _FORMAT, "riverboat": __version__}
        metadata |= {name: json.dumps(value) for name, value in values.items()}
        ArrayFile.save(path, self.arrays, metadata)

    @classmethod
    def open(cls, path: Path, kind: str, identity: Mapping[str, Any] | None = None) -> "Checkpoint":
        """Open a checkpoint; refuse another kind of task, or a run with another identity.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder) / "sum.checkpoint"
        ...     Checkpoint({"iterations": 9}, {}).save(path, "sum", {"seed": 1})
        ...     print(Checkpoint.open(path, "sum", {"seed": 1}).progress)
        ...     Checkpoint.open(path, "sum", {"seed": 2})  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        riverboat.errors.RunError: ... belongs to another run: seed was 1 and is 2. Resume it with \
its own settings, or start again with --force
        """
        if not path.exists():
            raise RunError(f"there is no checkpoint {path} to resume")
        file = ArrayFile(path)
        metadata = file.metadata
        if metadata.get("kind") != kind or metadata.get("format") != _FORMAT:
            raise RunError(
                f"{path} is not a checkpoint of kind {kind}, format {_FORMAT}: Riverboat "
                f"{__version__} cannot resume it"
            )
        if metadata.get("riverboat", "").startswith("0.1."):
            raise RunError(f"{path} was written by Riverboat 0.1: it cannot be resumed")
        what = f"{path} is damaged: its header"
        values = {
            name: json_value(metadata.get(name, ""), what, DamagedFileError, _LONGEST)
            for name in {"progress", "identity", *metadata} - _OWN | {"progress", "identity"}
        }
        if not all(isinstance(value, dict) for value in values.values()):
            raise DamagedFileError(f"{what} is incomplete")
        saved, progress = values.pop("identity"), values.pop("progress")
        _check_identity(path, saved, identity or {})
        arrays = {name: file.array(name) for name in file.names if name != "header.crc32"}
        return cls(progress, arrays, values)


def _check_identity(path: Path, saved: Mapping[str, Any], identity: Mapping[str, Any]) -> None:
    differences = [
        f"{key} was {shown(saved.get(key))} and is {shown(value)}"
        for key, value in json.loads(json.dumps(identity)).items()
        if saved.get(key) != value
    ]
    if differences:
        raise RunError(
            f"{path} belongs to another run: {'; '.join(differences)}. Resume it with its own "
            "settings, or start again with --force"
        )


_SPACING: Final = 0.01


class RunLog:
    """Writes a log.

    Parameters
    ----------
    path
        Path of the file, which is replaced.
    kept
        The lines of an earlier run with which the new file begins.
    """

    def __init__(self, path: Path, kept: Iterable[Mapping[str, Any]] = ()) -> None:
        self._path = path
        self._next = 0.0
        text = "".join(_text(line) for line in kept)
        with atomic_path(path) as temporary:
            temporary.write_text(text, encoding="utf-8")

    def write(self, values: Mapping[str, Any], *, ordinary: bool = False) -> None:
        """Append a line; skip an ordinary report soon after the line before."""
        if ordinary and values["seconds"] < self._next:
            return
        self._next = values.get("seconds", 0.0) * (1 + _SPACING)
        _append(self._path, _text({**values, "version": __version__}))


class PieceLog(Generic[_Piece]):
    """Log of a run of independent pieces, one line for each finished piece.

    A file may have lines of several runs. The caller passes the pieces that are not in `done` to
    `run_jobs`, and adds their results.

    Parameters
    ----------
    path
        Path of the file; None writes nothing.
    run
        Values that identify the run; all of its lines contain them.
    kind
        Type of a line. Lines of other types are ignored.
    resume
        Whether to continue the run. Otherwise existing lines of this run are an error.

    Attributes
    ----------
    done
        The lines of this run that the file already had.

    Examples
    --------
    >>> import tempfile
    >>> class Power(msgspec.Struct):
    ...     base: int
    ...     result: int
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "powers.jsonl"
    ...     PieceLog(path, {"exponent": 2}, Power).add(Power(3, 9))
    ...     PieceLog(path, {"exponent": 2}, Power, resume=True).done
    [Power(base=3, result=9)]
    """

    def __init__(
        self, path: Path | None, run: Mapping[str, Any], kind: type[_Piece], *, resume: bool = False
    ) -> None:
        self._path, self._run, self._kind = path, dict(run), kind
        self.done: list[_Piece] = []
        if path is None:
            if resume:
                raise RunError("there is nothing to resume: give the path of the log")
            return
        lines = json_lines(path, self._fits)
        end = path.read_bytes()[-1:] if path.exists() else b""
        if lines.torn and not lines and (lines.torn > 1 or end == b"\n"):
            raise RunError(f"{path} is not a log of such runs: name another file")
        if end not in {b"", b"\n"}:
            _append(path, "\n")  # the next line must not join one that a crash has cut off
        own = (line for line in lines if self._run.items() <= line.items())
        self.done = [msgspec.convert(line, kind) for line in own]
        if self.done and not resume:
            count = "1 line" if len(self.done) == 1 else f"{len(self.done):,} lines"
            raise RunError(
                f"{path} already has {count} of this run: continue it with "
                "--resume, or choose another file"
            )

    def _fits(self, line: Any) -> bool:
        with suppress(msgspec.ValidationError):
            msgspec.convert(line, self._kind)
            return True
        return False

    def add(self, piece: _Piece) -> None:
        """Append the line of a finished piece."""
        if self._path is not None:
            values = {**self._run, **msgspec.to_builtins(piece), "version": __version__}
            _append(self._path, _text(values))


def _append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def _text(line: Mapping[str, Any]) -> str:
    """Return a line of JSON; infinities are an error, because they are not valid JSON."""
    return json.dumps(line, allow_nan=False) + "\n"
