"""The files of a run: its result, and beside it checkpoint, log and plot."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

from riverboat.errors import RunError
from riverboat.files import locked


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
