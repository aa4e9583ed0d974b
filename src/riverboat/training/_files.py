"""The files of a run: the blueprint and what lies beside it, and room for them on the disk."""

import shutil
from pathlib import Path
from typing import ClassVar, Final

from riverboat import runs
from riverboat.errors import RunError
from riverboat.report import size
from riverboat.training._plan import Sizes
from riverboat.training._recipe import Recipe

#: Of blueprints that are named without one.
SUFFIX: Final = ".blueprint"


class RunFiles(runs.RunFiles):
    """Where a run writes: NAME.blueprint, NAME.checkpoint, NAME.log.jsonl, NAME.png.

    Examples
    --------
    >>> RunFiles.of("bots/laptop").blueprint.as_posix()
    'bots/laptop.blueprint'
    """

    __slots__ = ()
    suffixes: ClassVar[tuple[str, ...]] = (SUFFIX, ".safetensors")

    @property
    def blueprint(self) -> Path:
        """The result."""
        return self.result


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
        raise RunError(
            f"the files of the run need {size(needed)} in {folder}, where "
            f"{size(room)} are free: make room, or name another place with --output"
        )
