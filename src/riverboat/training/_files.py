"""The files of a run: the blueprint and what lies beside it, and room for them on the disk."""

import shutil
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from riverboat.errors import TrainingError
from riverboat.report import size
from riverboat.training._plan import Sizes
from riverboat.training._recipe import Recipe

__all__ = ["SUFFIX", "RunFiles", "check_disk", "refused"]

#: Of blueprints that are named without one.
SUFFIX: Final = ".blueprint"
_SUFFIXES: Final = {SUFFIX, ".safetensors"}


@dataclass(frozen=True, slots=True)
class RunFiles:
    """Where a run writes: NAME.blueprint, NAME.checkpoint, NAME.log.jsonl, NAME.png."""

    blueprint: Path

    @classmethod
    def of(cls, path: str | Path) -> "RunFiles":
        """Return the files of a blueprint's path; `.blueprint` is added where it has no ending.

        Examples
        --------
        >>> RunFiles.of("bots/laptop").log.as_posix()
        'bots/laptop.log.jsonl'
        """
        named = Path(path)
        if not str(path).strip() or not named.name or named.name == ".." or named.is_dir():
            raise TrainingError(
                f"the output {str(path)!r} names no file: give a name, such as bots/laptop, for "
                f"laptop{SUFFIX} in the folder bots"
            )
        if named.suffix not in _SUFFIXES:
            named = named.with_name(named.name + SUFFIX)
        return cls(named)

    @property
    def checkpoint(self) -> Path:
        """Everything that is needed to go on."""
        return self.blueprint.with_suffix(".checkpoint")

    @property
    def log(self) -> Path:
        """One JSON object a line."""
        return self.blueprint.with_suffix(".log.jsonl")

    @property
    def plot(self) -> Path:
        """Exploitability against time."""
        return self.blueprint.with_suffix(".png")

    def member(self, index: int) -> "RunFiles":
        """Return the files of a member of an ensemble, counted from 1."""
        return RunFiles(self.blueprint.with_suffix(f".{index}{self.blueprint.suffix}"))

    def refuse_overwriting(self) -> None:
        """Refuse to begin a run where another has left its work."""
        if self.blueprint.exists():
            raise TrainingError(
                f"{self.blueprint} exists: --resume trains it further, --force begins again, "
                "or name another file with --output"
            )
        if self.checkpoint.exists():
            raise TrainingError(
                f"{self.checkpoint} is the checkpoint of a run that was stopped: --resume goes "
                "on with it, --force begins again, or name another file with --output"
            )

    def refuse_lost_checkpoint(self) -> None:
        """Refuse to resume, and so to write anew, a blueprint whose checkpoint is gone."""
        if self.blueprint.exists() and not self.checkpoint.exists():
            raise TrainingError(
                f"{self.blueprint} cannot be resumed: its checkpoint {self.checkpoint} is gone; "
                "--force begins again"
            )

    def clear(self, kept: Collection[Path] = ()) -> None:
        """Remove what an earlier run left, so that nothing of it is taken for the new one's."""
        for path in (self.blueprint, self.checkpoint, self.log, self.plot):
            if path not in kept:
                path.unlink(missing_ok=True)

    def remove_leftovers(self) -> None:
        """Remove the unfinished files of a run that was killed while it was writing."""
        for path in (self.blueprint, self.checkpoint, self.log, self.plot):
            for left in path.parent.glob(f".{path.name}.*.part"):
                left.unlink(missing_ok=True)


def check_disk(recipe: Recipe, sizes: Sizes, files: RunFiles) -> None:
    """Refuse to begin a run whose files would not fit on the disk.

    Files of an earlier run that will be replaced count as room.
    """
    folder = files.blueprint.absolute().parent
    while not folder.exists():
        folder = folder.parent
    members = [files.member(index + 1) for index in range(recipe.ensemble)]
    old = {path for place in (files, *members) for path in (place.blueprint, place.checkpoint)}
    room = shutil.disk_usage(folder).free + sum(
        path.stat().st_size for path in old if path.exists()
    )
    blueprints = recipe.ensemble + (recipe.ensemble > 1)
    # All checkpoints, and one of them once more while it is written anew.
    needed = (recipe.ensemble + 1) * sizes.table_bytes + blueprints * sizes.blueprint_bytes
    if needed > room:
        raise TrainingError(
            f"the files of the run need {size(needed)} in {folder}, where "
            f"{size(room)} are free: make room, or name another place with --output"
        )


def refused(path: Path, error: OSError) -> str:
    """Say which file the system refused to write, and why."""
    return f"{path} cannot be written: {error.strerror or error}"
