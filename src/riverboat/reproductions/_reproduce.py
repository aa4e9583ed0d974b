"""Reproducing a source document: from its name to a report in a folder."""

from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Final

import msgspec

from riverboat import __version__
from riverboat.errors import RunError, did_you_mean
from riverboat.files import atomic_path, locked
from riverboat.report import REPORT_FILES, Report, write_report
from riverboat.reproductions._recipe import recipe_digest
from riverboat.reproductions._reproduction import Reproduction, Results, report_sections
from riverboat.reproductions._run import (
    FILES,
    Effort,
    Listener,
    ReproductionRun,
    machine,
)

#: The five documents.
NAMES: Final = ("cardiff", "pineapple", "yerevan", "husky", "caltech")


# Of what lies beside a blueprint, and beside a ledger.
_SUFFIXES = (".blueprint", ".checkpoint", ".log.jsonl", ".png", "-wal", "-shm")
_MOST_SEED = 2**31 - 1
_SEED = 2026


class _Identity(msgspec.Struct, frozen=True):
    """What a folder was made for; a run goes on only with the same."""

    name: str
    effort: str
    seed: int
    version: str
    workers: int = 0
    recipe: str = ""
    """Digest of its recipe.toml."""


def find_reproduction(name: str) -> Reproduction:
    """Return a reproduction by its name.

    Examples
    --------
    >>> find_reproduction("cardif")
    Traceback (most recent call last):
    riverboat.errors.RunError: there is no reproduction 'cardif' (did you mean 'cardiff'?): \
take cardiff, pineapple, yerevan, husky or caltech
    """
    if name not in {*NAMES, "demo"}:
        known, near = ", ".join(NAMES[:-1]), did_you_mean(name, NAMES)
        raise RunError(f"there is no reproduction {name!r}{near}: take {known} or {NAMES[-1]}")
    found: Reproduction = import_module(f"riverboat.reproductions.{name}").REPRODUCTION
    return found


def reproduce(  # noqa: PLR0913 - what, where, how much, and how to go on
    name: str,
    folder: str | Path,
    *,
    effort: Effort = "full",
    seed: int = _SEED,
    workers: int = 0,
    resume: bool = False,
    force: bool = False,
    listener: Listener | None = None,
    prepare: Callable[[], object] | None = None,
) -> Report:
    """Run a source document's system and write the report.

    Parameters
    ----------
    name
        One of `NAMES`, or `demo`.
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
    prepare
        Called once the folder is taken, before the first step: to build tables in sight.

    Returns
    -------
    Report
        Everything in it was computed in this run.

    Notes
    -----
    Matches run in processes of their own, which import the script that started them: guard its
    start with `if __name__ == "__main__"`.
    """
    found, place = find_reproduction(name), Path(folder)
    if not 0 <= seed <= _MOST_SEED:
        raise RunError(f"seed {seed}: take one from 0 to {_MOST_SEED:,}")
    identity = _Identity(name, effort, seed, __version__, workers, recipe_digest(name))
    with locked(place.absolute()) as mine:
        if not mine:
            raise RunError(f"another run works in {place}: wait for it, or end it")
        _claim(place, identity, resume=resume, force=force)
        if prepare is not None:
            prepare()
        steps = tuple(found.steps)
        run = ReproductionRun(
            name, place, steps, effort, seed, workers, listener, units=found.recipe.all_units
        )
        found.draw(run, found.compute(run))
        Results.of(found, run).write(run.path("results.json"))
        sections = report_sections(found, run.found, effort, seed)
        how = (effort, seed, run.seconds(), machine(workers), __version__)
        report = Report(name, _command(found, identity), found.recipe.title, *how, sections)
        write_report(report, place)
    return report


def _command(reproduction: Reproduction, identity: _Identity) -> str:
    """Return what a person types for the same run."""
    words = [reproduction.command]
    words += ["--quick"] if identity.effort == "quick" else []
    words += [f"--seed {identity.seed}"] if identity.seed != _SEED else []
    words += [f"--workers {identity.workers}"] if identity.workers else []
    return " ".join(words)


def _claim(folder: Path, identity: _Identity, *, resume: bool, force: bool) -> None:
    """Take a folder for a run: a new one, one that goes on, or one that begins again."""
    if resume and force:
        raise RunError("--resume goes on and --force begins again: give one of them")
    mark = folder / "run.json"
    if {",", "="} & set(str(folder)):
        raise RunError(
            f"the folder {str(folder)!r}: bots are named by text, in which ',' and "
            "'=' have a meaning; take a name without them"
        )
    if folder.exists() and not folder.is_dir():
        raise RunError(f"{folder} is no folder: name another one")
    if mark.exists() and force:
        _clear(folder)
        if any(folder.iterdir()):  # what a person put there stays
            _mark(mark, identity)
            return
    if mark.exists():
        if not resume:
            raise RunError(
                f"{folder} holds a run: --resume goes on with it, --force begins again, or name "
                "another folder with --output"
            )
        _check_same(mark, identity)
        _remove_leftovers(folder, "")
        return
    _remove_leftovers(folder, "run.json.")
    if resume:
        raise RunError(f"there is nothing to resume: {folder} holds no run")
    if folder.exists() and any(folder.iterdir()):
        raise RunError(f"{folder} holds other files: name an empty folder, or a new one")
    _mark(mark, identity)


def _mark(path: Path, identity: _Identity) -> None:
    with atomic_path(path) as temporary:
        temporary.write_bytes(msgspec.json.encode(identity))


def _remove_leftovers(folder: Path, beginning: str) -> None:
    """Remove the unfinished files of a run that was killed while it was writing."""
    for left in folder.rglob(f".{beginning}*.part"):
        left.unlink(missing_ok=True)


def _check_same(mark: Path, identity: _Identity) -> None:
    try:
        old = msgspec.json.decode(mark.read_bytes(), type=_Identity)
    except msgspec.MsgspecError as error:
        raise RunError(f"{mark} cannot be read ({error}): --force begins again") from error
    for field in _Identity.__struct_fields__:
        was, now = getattr(old, field), getattr(identity, field)
        if was != now:
            raise RunError(
                f"{mark.parent} holds a run with {field} {was!r}, not {now!r}: --force begins "
                "again, or name another folder with --output"
            )


def _is_own(name: str) -> bool:
    """Whether a noted name stays within the folder: the note may be a stranger's."""
    path = Path(name)
    return bool(name) and "\0" not in name and not path.is_absolute() and ".." not in path.parts


def _clear(folder: Path) -> None:
    """Remove a run's own files and nothing else; the mark goes last."""
    notes = folder / FILES
    named = notes.read_text(encoding="utf-8").split("\n") if notes.exists() else []
    for name in filter(_is_own, named):
        for suffix in ("", *_SUFFIXES):
            with suppress(OSError):
                (folder / (name + suffix)).unlink()
    for path in (*(folder / "steps").glob("*"), *(folder / name for name in REPORT_FILES)):
        with suppress(OSError):
            path.unlink()
    with suppress(OSError):  # it was not there, or holds what is not ours
        (folder / "steps").rmdir()
    (folder / "run.json").unlink()
