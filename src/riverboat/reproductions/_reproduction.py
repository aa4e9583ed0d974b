"""Reproductions: recipe, experiments and report template of a source document."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from inspect import isfunction
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import msgspec

from riverboat import __version__
from riverboat.errors import RunError, did_you_mean
from riverboat.files import atomic_path, locked
from riverboat.report import REPORT_FILES, Report, Section, cell, fill_template, write_report
from riverboat.reproductions._recipe import (
    Item,
    ReproductionRecipe,
    read_document,
    read_file,
    recipe_digest,
    shown_items,
)
from riverboat.reproductions._run import (
    FILES,
    Effort,
    Found,
    Listener,
    ReproductionRun,
    Row,
    found_in,
    machine,
    rows_of,
    write_rows,
)

#: The five source documents.
NAMES: Final = ("cardiff", "pineapple", "yerevan", "husky", "caltech")
# Suffixes of files next to a blueprint or a ledger.
_SUFFIXES = (".blueprint", ".checkpoint", ".log.jsonl", ".png", "-wal", "-shm")
_MOST_SEED = 2**31 - 1
_SEED = 2026

Work = Callable[[ReproductionRun], Found]


@dataclass(frozen=True, slots=True)
class Reproduction:
    """The reproduction of a source document.

    Parameters
    ----------
    name
        Name on the command line, and of its folder with `recipe.toml` and `report.md.j2`.
    recipe
        Contents of its `recipe.toml`.
    steps
        The experiments by name, in order. Each returns its results.
    report
        The module whose `draw` draws the report's plots, and whose functions of results the
        template may use.
    setting
        Returns our settings for the report's table, from the results of all steps.
    needs
        By step: returns why it cannot run on this machine, or an empty text. Such a step is left
        out; a resumed run can run it later.
    """

    name: str
    recipe: ReproductionRecipe[Any]
    steps: Mapping[str, Work]
    report: ModuleType
    setting: Work | None = None
    needs: Mapping[str, Callable[[], str]] = field(default_factory=dict)

    @property
    def command(self) -> str:
        """The command that runs it."""
        return "riverboat demo" if self.name == "demo" else f"riverboat reproduce {self.name}"

    def compute(self, run: ReproductionRun) -> Found:
        """Run all steps; results of an earlier, stopped run of the folder are read."""
        missing = {name: why for name, needs in self.needs.items() if (why := needs())}
        missing = {name: why for name, why in missing.items() if not run.has_done(name)}
        for name in missing:
            run.leave_out(name)
        for name, work in self.steps.items():
            if name in missing:
                run.leave_out(name)
                run.found[name] = Found(missing=missing[name])
            else:
                run.step(name, work)
        if self.setting is not None:
            run.found["setting"] = self.setting(run)
        return run.found

    @property
    def items(self) -> tuple[Item, ...]:
        """The items of the source document in its order; the demo has none."""
        return read_document(self.name)

    def sections(self, found: Found, effort: Effort, seed: int) -> tuple[Section, ...]:
        """Return the report: the filled template and the list of the document's items.

        The template knows `r` (results by experiment and name), `recipe` (recipe.toml), `known`
        (its published figures), `amounts` (of this effort), `setting` (rows of the table of
        settings; ours are filled with `r.setting`), `effort`, `seed` and the functions of `report`.
        The list of items has what the run found, by the same names.
        """
        recipe = self.recipe
        ours = {name: cell(value) for name, value in found.get("setting", {}).items()}
        values = {
            "r": found,
            "recipe": recipe,
            "known": recipe.published,
            "amounts": recipe.effort[effort],
            "setting": [(row.what, row.theirs, row.ours.format(**ours)) for row in recipe.setting],
            "effort": effort,
            "seed": seed,
            **{name: each for name, each in vars(self.report).items() if isfunction(each)},
        }
        said = fill_template(read_file(self.name, "report.md.j2"), **values)
        if not self.items:  # the demo
            return said
        items = shown_items(self.items, **values)
        return (*said, *fill_template(read_file("", "document.md.j2"), items=items))


class Results(msgspec.Struct, frozen=True):
    """All results of a run; `results.json` in its folder."""

    name: str
    effort: Effort
    seed: int
    version: str
    rows: list[Row]

    @classmethod
    def of(cls, reproduction: Reproduction, run: ReproductionRun) -> "Results":
        """Collect the results of a run's steps, with the author's figures."""
        rows = [
            row
            for name, found in run.found.items()
            for row in rows_of(name, found, reproduction.recipe.all_units)
        ]
        published = reproduction.recipe.published_rows()
        beside = list(_beside(rows, published))
        return cls(run.name, run.effort, run.seed, __version__, beside)

    @classmethod
    def read(cls, text: bytes) -> "Results":
        """Read the `results.json` of a run."""
        return msgspec.json.decode(text, type=cls)

    def write(self, path: Path) -> None:
        """Write `results.json`, one line per row."""
        header = {name: getattr(self, name) for name in ("name", "effort", "seed", "version")}
        write_rows(path, self.rows, **header)

    @property
    def found(self) -> Found:
        """The results by experiment and name."""
        names = dict.fromkeys(row.experiment for row in self.rows)
        return Found(
            {name: found_in(r for r in self.rows if r.experiment == name) for name in names}
        )


def _beside(rows: list[Row], published: Mapping[tuple[Any, ...], Any]) -> Iterator[Row]:
    for row in rows:
        figure = published.get((row.experiment, *row.what))
        if figure is None:
            yield row
        else:
            yield msgspec.structs.replace(row, published=figure.value, where=figure.where)


class _Identity(msgspec.Struct, frozen=True):
    """The settings of a folder's run; only a run with the same settings resumes."""

    name: str
    effort: str
    seed: int
    version: str
    workers: int = 0
    recipe: str = ""
    """Digest of the recipe.toml."""


def find_reproduction(name: str) -> Reproduction:
    """Return a reproduction by its name.

    Examples
    --------
    >>> find_reproduction("cardif")
    Traceback (most recent call last):
    riverboat.errors.RunError: there is no reproduction 'cardif' (did you mean 'cardiff'?): \
choose cardiff, pineapple, yerevan, husky or caltech
    """
    if name not in {*NAMES, "demo"}:
        known, near = ", ".join(NAMES[:-1]), did_you_mean(name, NAMES)
        raise RunError(f"there is no reproduction {name!r}{near}: choose {known} or {NAMES[-1]}")
    found: Reproduction = import_module(f"riverboat.reproductions.{name}").REPRODUCTION
    return found


def reproduce(  # noqa: PLR0913 - name, folder, effort, and how to resume
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
    """Run a source document's experiments and write the report.

    Parameters
    ----------
    name
        One of `NAMES`, or `demo`.
    folder
        Folder for strategies, matches, plots, `report.md`, `report.html` and `report.json`.
    effort
        `full`, or `quick` for about two minutes.
    seed
        Random seed of all trainings and matches.
    workers
        Number of threads and processes; 0 = one per core.
    resume
        Resume a stopped run of the same folder.
    force
        Start again in a folder that has another run, whose files are removed.
    listener
        Called with the progress.
    prepare
        Called once the folder is locked, before the first step, to build tables with progress.

    Returns
    -------
    Report
        All of our results in it were computed in this run.

    Notes
    -----
    Matches run in other processes, which import the script that started them: guard its
    start with `if __name__ == "__main__"`.
    """
    found, place = find_reproduction(name), Path(folder)
    if not 0 <= seed <= _MOST_SEED:
        raise RunError(f"the seed must be from 0 to {_MOST_SEED:,}, not {seed}")
    identity = _Identity(name, effort, seed, __version__, workers, recipe_digest(name))
    with locked(place.absolute()) as mine:
        if not mine:
            raise RunError(f"another run is using {place}: wait for it, or stop it")
        _claim(place, identity, resume=resume, force=force)
        if prepare is not None:
            prepare()
        steps = tuple(found.steps)
        run = ReproductionRun(
            name, place, steps, effort, seed, workers, listener, units=found.recipe.all_units
        )
        found.report.draw(run, found.compute(run))
        Results.of(found, run).write(run.path("results.json"))
        sections = found.sections(run.found, effort, seed)
        how = (effort, seed, run.seconds(), machine(workers), __version__)
        report = Report(
            name, _command(found, identity), found.recipe.title, *how, sections, run.others()
        )
        write_report(report, place)
    return report


def _command(reproduction: Reproduction, identity: _Identity) -> str:
    """Return the command that repeats the run."""
    words = [reproduction.command]
    words += ["--quick"] if identity.effort == "quick" else []
    words += [f"--seed {identity.seed}"] if identity.seed != _SEED else []
    words += [f"--workers {identity.workers}"] if identity.workers else []
    return " ".join(words)


def _claim(folder: Path, identity: _Identity, *, resume: bool, force: bool) -> None:
    """Prepare a folder for a run that is new, resumed or started again."""
    if resume and force:
        raise RunError("--resume continues a run and --force starts again: give only one of them")
    mark = folder / "run.json"
    if {",", "="} & set(str(folder)):
        raise RunError(
            f"the folder {str(folder)!r} must not contain ',' or '=', which have a meaning in "
            "the names of bots: choose another name"
        )
    if folder.exists() and not folder.is_dir():
        raise RunError(f"{folder} is not a folder: name a folder")
    if mark.exists() and force:
        _clear(folder)  # other files in the folder stay
        _mark(mark, identity)
        return
    if mark.exists():
        if not resume:
            raise RunError(
                f"{folder} holds a run: --resume continues it, --force starts again, or name "
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
        raise RunError(f"{mark} cannot be read ({error}): --force starts again") from error
    for name in _Identity.__struct_fields__:
        was, now = getattr(old, name), getattr(identity, name)
        if was != now:
            raise RunError(
                f"{mark.parent} holds a run with {name} {was!r}, not {now!r}: --force starts "
                "again, or name another folder with --output"
            )


def _is_own(name: str) -> bool:
    """Whether a recorded name stays within the folder; the record is untrusted."""
    path = Path(name)
    return bool(name) and "\0" not in name and not path.is_absolute() and ".." not in path.parts


def _clear(folder: Path) -> None:
    """Remove only the run's own files, the mark last."""
    notes = folder / FILES
    named = notes.read_text(encoding="utf-8").split("\n") if notes.exists() else []
    for name in filter(_is_own, named):
        for suffix in ("", *_SUFFIXES):
            with suppress(OSError):
                (folder / (name + suffix)).unlink()
    for path in (*(folder / "steps").glob("*"), *(folder / name for name in REPORT_FILES)):
        with suppress(OSError):
            path.unlink()
    with suppress(OSError):  # it does not exist, or has other files
        (folder / "steps").rmdir()
    (folder / "run.json").unlink()
