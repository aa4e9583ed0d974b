"""The files of a run: its result, and beside it checkpoint, log and plot.

A checkpoint is one file that is replaced atomically. The log is one JSON object a line, appended as
the run goes. Lines become rarer as a run grows longer: an ordinary report is logged if a hundredth
of the run has passed since the last line. Everything else is always logged.
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
    """Where a run writes: NAME.SUFFIX, NAME.checkpoint, NAME.log.jsonl, NAME.png."""

    suffixes: ClassVar[tuple[str, ...]] = (".result",)
    """What the name of a result ends with; the first is added where it ends otherwise."""

    result: Path

    @classmethod
    def of(cls, path: str | Path) -> Self:
        """Return the files of a result's path.

        Examples
        --------
        >>> RunFiles.of("bots/laptop").log.as_posix()
        'bots/laptop.log.jsonl'
        """
        named = Path(path)
        if not str(path).strip() or not named.name or named.name == ".." or named.is_dir():
            raise RunError(
                f"the output {str(path)!r} names no file: give a name, such as bots/mine for "
                f"mine{cls.suffixes[0]} in the folder bots"
            )
        if named.suffix not in cls.suffixes:
            named = named.with_name(named.name + cls.suffixes[0])
        return cls(named)

    @property
    def checkpoint(self) -> Path:
        """Everything that is needed to continue."""
        return self.result.with_suffix(".checkpoint")

    @property
    def log(self) -> Path:
        """One JSON object a line."""
        return self.result.with_suffix(".log.jsonl")

    @property
    def plot(self) -> Path:
        """A PNG image."""
        return self.result.with_suffix(".png")

    def member(self, index: int) -> Self:
        """Return the files of a member of an ensemble, counted from 1."""
        return type(self)(self.result.with_suffix(f".{index}{self.result.suffix}"))

    def written(self) -> dict[str, str | None]:
        """Return the paths of the files by kind; None where there is none."""
        kinds = {"checkpoint": self.checkpoint, "log": self.log, "plot": self.plot}
        paths = {self.suffixes[0].removeprefix("."): self.result, **kinds}
        return {kind: str(path) if path.exists() else None for kind, path in paths.items()}

    def refuse(self, *, resume: bool = False, force: bool = False) -> None:
        """Refuse to start over an earlier run's files, or to resume what is not there."""
        if resume and force:
            raise RunError("--resume continues a run and --force starts again: give one of them")
        if resume and not self.checkpoint.exists():
            what = f"{self.result} cannot be resumed" if self.result.exists() else ""
            raise RunError(
                f"{what or 'there is nothing to resume'}: there is no checkpoint "
                f"{self.checkpoint}; --force starts again"
            )
        for path in () if resume or force else (self.result, self.checkpoint):
            if path.exists():
                what = "exists" if path == self.result else "is of a run that was stopped"
                raise RunError(
                    f"{path} {what}: --resume continues the run, --force starts again, or name "
                    "another file with --output"
                )

    @contextmanager
    def mine(self) -> Iterator[None]:
        """Keep other runs from these files while the block runs; refused if another has them."""
        with locked(self.result) as free:
            if not free:
                raise RunError(
                    f"another run is writing {self.result}: wait for its end, or name another "
                    "file with --output"
                )
            yield

    def clear(self, kept: Collection[Path] = ()) -> None:
        """Remove what an earlier run left, so that nothing of it is taken for the new one's."""
        for path in (self.result, self.checkpoint, self.log, self.plot):
            if path not in kept:
                path.unlink(missing_ok=True)

    def remove_leftovers(self) -> None:
        """Remove the unfinished files of a run that was killed while it was writing."""
        for path in (self.result, self.checkpoint, self.log, self.plot):
            for left in path.parent.glob(f".{path.name}.*.part"):
                left.unlink(missing_ok=True)


def refused(path: Path, error: OSError) -> str:
    """Say which file the system refused to write, and why."""
    return f"{path} cannot be written: {error.strerror or error}"


_Piece = TypeVar("_Piece", bound=msgspec.Struct)

_FORMAT: Final = "1"
_OWN: Final = {"kind", "format", "riverboat", "progress", "identity"}
_LONGEST: Final = 16 << 20  # characters


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of a task between two slices."""

    progress: Mapping[str, Any]
    """How far it is: plain values."""
    arrays: Mapping[str, NDArray[Any]]
    """By name; they are written at once, and may be the task's own."""
    more: Mapping[str, Any] = field(default_factory=dict)
    """Further plain values by name."""

    def save(self, path: Path, kind: str, identity: Mapping[str, Any]) -> None:
        """Save it; a crash at any moment leaves the old file or the new one.

        Parameters
        ----------
        path
            Where.
        kind
            Of task: others are refused when it is opened.
        identity
            What decides the result: a run with another one is refused.
        """
        values = {"progress": self.progress, "identity": identity, **self.more}
        metadata = {"kind": kind, "format": _FORMAT, "riverboat": __version__}
        metadata |= {name: json.dumps(value) for name, value in values.items()}
        ArrayFile.save(path, self.arrays, metadata)

    @classmethod
    def open(cls, path: Path, kind: str, identity: Mapping[str, Any] | None = None) -> "Checkpoint":
        """Open one; refuse one of another kind, or of a run with another identity.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder) / "sum.checkpoint"
        ...     Checkpoint({"iterations": 9}, {}).save(path, "sum", {"seed": 1})
        ...     print(Checkpoint.open(path, "sum", {"seed": 1}).progress)
        ...     Checkpoint.open(path, "sum", {"seed": 2})  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        riverboat.errors.RunError: ... is of another run: seed was 1 and is 2. Resume it with its \
own settings, or start again with --force
        """
        if not path.exists():
            raise RunError(f"there is no checkpoint {path} to resume")
        file = ArrayFile(path)
        metadata = file.metadata
        if metadata.get("kind") != kind or metadata.get("format") != _FORMAT:
            raise RunError(
                f"{path} is no checkpoint of kind {kind}, format {_FORMAT}: Riverboat "
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
            raise DamagedFileError(f"{what} is not whole")
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
            f"{path} is of another run: {'; '.join(differences)}. Resume it with its own "
            "settings, or start again with --force"
        )


_SPACING: Final = 0.01


class RunLog:
    """Appends to a log.

    Parameters
    ----------
    path
        The file.
    kept
        The lines of an earlier run that it begins with; all others are dropped.
    """

    def __init__(self, path: Path, kept: Iterable[Mapping[str, Any]] = ()) -> None:
        self._path = path
        self._next = 0.0
        text = "".join(_text(line) for line in kept)
        with atomic_path(path) as temporary:
            temporary.write_text(text, encoding="utf-8")

    def write(self, values: Mapping[str, Any], *, ordinary: bool = False) -> None:
        """Append a line, unless it is an ordinary report soon after another."""
        if ordinary and values["seconds"] < self._next:
            return
        self._next = values.get("seconds", 0.0) * (1 + _SPACING)
        _append(self._path, _text({**values, "version": __version__}))


class PieceLog(Generic[_Piece]):
    """What is done of a run of independent pieces: a line each, appended as they are done.

    One file may hold several runs; each goes on with its own lines. Whoever has pieces gives those
    that are not done to `run_jobs`, and adds what comes back.

    Parameters
    ----------
    path
        The file; None keeps nothing.
    run
        What tells this run from others: every line of it has these values.
    kind
        What is kept of a piece. Lines that are none are left out.
    resume
        Whether the run goes on with what the file has of it. Without it such lines are refused.

    Attributes
    ----------
    done
        The pieces of this run that the file had.

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
                raise RunError("there is nothing to go on with: name the log of the run")
            return
        lines = json_lines(path, self._fits)
        end = path.read_bytes()[-1:] if path.exists() else b""
        if lines.torn and not lines and (lines.torn > 1 or end == b"\n"):
            raise RunError(f"{path} is no log of such runs: name another file")
        if end not in {b"", b"\n"}:
            _append(path, "\n")  # the next line must not join one that a crash has torn
        own = (line for line in lines if self._run.items() <= line.items())
        self.done = [msgspec.convert(line, kind) for line in own]
        if self.done and not resume:
            raise RunError(
                f"{path} has {len(self.done)} lines of this run already: go on with them "
                "(--resume), or take another file"
            )

    def _fits(self, line: Any) -> bool:
        with suppress(msgspec.ValidationError):
            msgspec.convert(line, self._kind)
            return True
        return False

    def add(self, piece: _Piece) -> None:
        """Keep a piece that is done."""
        if self._path is not None:
            values = {**self._run, **msgspec.to_builtins(piece), "version": __version__}
            _append(self._path, _text(values))


def _append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def _text(line: Mapping[str, Any]) -> str:
    """A line of JSON, without the infinities that only Python reads."""
    return json.dumps(line, allow_nan=False) + "\n"
