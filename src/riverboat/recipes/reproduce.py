"""Reproducing a seed: from its name to a report in a folder."""

import os
import platform
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Final

import msgspec

from riverboat import __version__
from riverboat.errors import RecipeError
from riverboat.files import atomic_path
from riverboat.recipes.html import html_page
from riverboat.recipes.markdown import markdown
from riverboat.recipes.report import Report
from riverboat.recipes.run import Effort, Listener, Run
from riverboat.recipes.seed import Seed

__all__ = ["SEEDS", "find_seed", "machine", "reproduce", "write_report"]

#: The five documents.
SEEDS: Final = ("cardiff", "pineapple", "yerevan", "husky", "caltech")


class _Identity(msgspec.Struct, frozen=True):
    """What a folder was made for; a run goes on only with the same."""

    name: str
    effort: str
    seed: int
    version: str


def find_seed(name: str) -> Seed:
    """Return a seed by its name.

    Examples
    --------
    >>> find_seed("cardif")
    Traceback (most recent call last):
    riverboat.errors.RecipeError: there is no seed 'cardif': take cardiff, pineapple, yerevan, \
husky or caltech
    """
    if name not in SEEDS:
        known = ", ".join(SEEDS[:-1])
        raise RecipeError(f"there is no seed {name!r}: take {known} or {SEEDS[-1]}")
    found: Seed = import_module(f"riverboat.recipes.{name}").SEED
    return found


def reproduce(  # noqa: PLR0913 - what, where, how much, and how to go on
    name: str,
    folder: str | Path,
    *,
    effort: Effort = "full",
    seed: int = 2026,
    workers: int = 0,
    resume: bool = False,
    force: bool = False,
    listener: Listener | None = None,
) -> Report:
    """Run a seed's system, and write what was found.

    Parameters
    ----------
    name
        One of `SEEDS`.
    folder
        Where strategies, matches and pictures go, and `report.md`, `report.html`, `report.json`.
    effort
        `full`, or `quick` for about two minutes.
    seed
        Of all trainings and matches.
    workers
        Threads and processes; 0 = one for each core.
    resume
        Go on with a run of the same folder that was stopped.
    force
        Begin again in a folder that holds another run, whose files are removed.
    listener
        Called as it goes on.

    Returns
    -------
    Report
        Everything in it was computed in this run.
    """
    found, place = find_seed(name), Path(folder)
    identity = _Identity(name, effort, seed, __version__)
    _claim(place, identity, resume=resume, force=force)
    run = Run(name, place, found.steps, effort, seed, workers, listener)
    sections = tuple(found.sections(run))
    report = Report(
        name, found.title, effort, seed, run.seconds(), machine(), __version__, sections
    )
    write_report(report, place)
    return report


def machine() -> str:
    """Say what this ran on.

    Examples
    --------
    >>> "Python" in machine()
    True
    """
    cores = os.cpu_count() or 1
    return f"{cores} core{'s' if cores > 1 else ''}, Python {platform.python_version()}"


def write_report(report: Report, folder: Path) -> None:
    """Write a report in its three forms."""
    texts = {
        "report.json": msgspec.json.encode(report),
        "report.md": markdown(report).encode(),
        "report.html": html_page([report], [folder]).encode(),
    }
    for name, text in texts.items():
        with atomic_path(folder / name) as temporary:
            temporary.write_bytes(text)


def _claim(folder: Path, identity: _Identity, *, resume: bool, force: bool) -> None:
    """Take a folder for a run: a new one, one that goes on, or one that begins again."""
    if resume and force:
        raise RecipeError("--resume goes on and --force begins again: give one of them")
    mark = folder / "run.json"
    if folder.exists() and not folder.is_dir():
        raise RecipeError(f"{folder} is no folder: name another one")
    if mark.exists() and force:
        _clear(folder)
    if mark.exists():
        if not resume:
            raise RecipeError(
                f"{folder} holds a run: --resume goes on with it, --force begins again, or name "
                "another folder with --folder"
            )
        _check_same(mark, identity)
        return
    if resume:
        raise RecipeError(f"there is nothing to resume: {folder} holds no run")
    if folder.exists() and any(folder.iterdir()):
        raise RecipeError(f"{folder} holds other files: name an empty folder, or a new one")
    with atomic_path(mark) as temporary:
        temporary.write_bytes(msgspec.json.encode(identity))


def _check_same(mark: Path, identity: _Identity) -> None:
    try:
        old = msgspec.json.decode(mark.read_bytes(), type=_Identity)
    except msgspec.MsgspecError as error:
        raise RecipeError(f"{mark} cannot be read ({error}): --force begins again") from error
    for field in _Identity.__struct_fields__:
        was, now = getattr(old, field), getattr(identity, field)
        if was != now:
            raise RecipeError(
                f"{mark.parent} holds a run with {field} {was!r}, not {now!r}: --force begins "
                "again, or name another folder with --folder"
            )


def _clear(folder: Path) -> None:
    """Remove a run's own files: those that lie directly in its folder, and its steps."""
    for place in (folder / "steps", folder):
        for path in place.iterdir() if place.is_dir() else ():
            if path.is_file():
                path.unlink()
    with suppress(OSError):  # it was not there, or holds what is not ours
        (folder / "steps").rmdir()
