"""Room on the disk, and what the system says when it refuses to write."""

import shutil
from pathlib import Path

from riverboat.errors import TrainingError
from riverboat.training._recipe import Recipe
from riverboat.training._run_files import RunFiles
from riverboat.training._sizes import Sizes

__all__ = ["check_disk", "disk_bytes", "refused"]


def disk_bytes(recipe: Recipe, sizes: Sizes) -> int:
    """Most bytes that a run has on disk: blueprints, checkpoints, one of them written anew."""
    blueprints = recipe.ensemble + (recipe.ensemble > 1)
    return (recipe.ensemble + 1) * sizes.table_bytes + blueprints * sizes.blueprint_bytes


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
    needed = disk_bytes(recipe, sizes)
    if needed > room:
        raise TrainingError(
            f"the files of the run need {needed / 1e9:,.2f} GB in {folder}, where "
            f"{room / 1e9:,.2f} GB are free: make room, or name another place with --output"
        )


def refused(path: Path, error: OSError) -> str:
    """Say which file the system refused to write, and why."""
    return f"{path} cannot be written: {error.strerror or error}"
