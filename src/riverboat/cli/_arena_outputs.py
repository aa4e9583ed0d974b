"""The files that a match leaves: checked before it is played, written after its result is shown.

A match may take hours. A wrong name is told before it, and a disk that fails afterwards does not
hide the result.
"""

from collections.abc import Callable
from pathlib import Path

from riverboat.arena import check_plot_path
from riverboat.errors import ArenaError, HistoryError, RiverboatError
from riverboat.histories import format_of_path

__all__ = ["check_histories", "check_plot", "write_output"]


def check_plot(path: Path | None) -> None:
    """Refuse a picture that could not be written."""
    if path is not None:
        check_plot_path(path)
        _check_place(path)


def check_histories(path: Path | None, name: str | None, hands: int) -> None:
    """Refuse a file of hands that could not be written.

    Parameters
    ----------
    path
        The file, if one is wanted.
    name
        The format, if it is named.
    hands
        How many it is to hold, or 2 if only that it may be several is known.
    """
    if path is None:
        if name is not None:
            raise ArenaError("--format is for --histories FILE")
        return
    chosen = format_of_path(path, name)
    if chosen == "phh" and path.suffix.lower() == ".phh" and hands != 1:
        raise HistoryError(f"{path.name!r}: a .phh file holds one hand; .phhs holds many")
    _check_place(path)


def _check_place(path: Path) -> None:
    if not path.parent.is_dir():
        raise ArenaError(f"{str(path)!r} cannot be written: its folder does not exist")
    if path.is_dir():
        raise ArenaError(f"{str(path)!r} cannot be written: it is a folder")


def write_output(path: Path, write: Callable[[], object]) -> None:
    """Write a file after the result was shown; a failure becomes a sentence."""
    try:
        write()
    except (RiverboatError, OSError) as error:
        raise ArenaError(f"the result stands, but {str(path)!r} is not written: {error}") from error
