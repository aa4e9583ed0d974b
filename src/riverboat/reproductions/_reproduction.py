"""A reproduction: a document's system as recipe, experiments and template; its run in a folder."""

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

#: The five documents.
NAMES: Final = ("cardiff", "pineapple", "yerevan", "husky", "caltech")
# Of what lies beside a blueprint, and beside a ledger.
_SUFFIXES = (".blueprint", ".checkpoint", ".log.jsonl", ".png", "-wal", "-shm")
_MOST_SEED = 2**31 - 1
_SEED = 2026

Work = Callable[[ReproductionRun], Found]


@dataclass(frozen=True, slots=True)
class Reproduction:
    """How a source document is reproduced.

    Parameters
    ----------
    name
        On the command line, and of its folder with `recipe.toml` and `report.md.j2`.
    recipe
        What its `recipe.toml` holds.
    steps
        The experiments by name, in order. Each returns what it found.
    report
        The module whose `draw` draws the report's pictures, and whose functions of results the
        template may use.
    setting
        What was run, from the results of all steps: fills the report's table of settings.
    needs
        By step: says why it cannot be done on this machine, or nothing. It is then left out, and
        a run that goes on does it.
    """

    name: str
    recipe: ReproductionRecipe[Any]
    steps: Mapping[str, Work]
    report: ModuleType
    setting: Work | None = None
    needs: Mapping[str, Callable[[], str]] = field(default_factory=dict)

    @property
    def command(self) -> str:
        """What a person types."""
        return "riverboat demo" if self.name == "demo" else f"riverboat reproduce {self.name}"

    def compute(self, run: ReproductionRun) -> Found:
        """Do all steps; what an earlier, stopped run of the folder has done is taken from there."""
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
        """What the source document has, in its order, and where it is here; the demo has none."""
        return read_document(self.name)

    def sections(self, found: Found, effort: Effort, seed: int) -> tuple[Section, ...]:
        """Say in words what was found: the template, filled; then what of its document is here.

        The template knows `r` (results by experiment and name), `recipe` (recipe.toml), `known`
        (its published figures), `amounts` (of this effort), `setting` (rows of the table of
        settings; ours are filled with `r.setting`), `effort`, `seed` and the functions of `report`.
        """
        recipe = self.recipe
        ours = {name: cell(value) for name, value in found.get("setting", {}).items()}
        said = fill_template(
            read_file(self.name, "report.md.j2"),
            r=found,
            recipe=recipe,
            known=recipe.published,
            amounts=recipe.effort[effort],
            setting=[(row.what, row.theirs, row.ours.format(**ours)) for row in recipe.setting],
            effort=effort,
            seed=seed,
            **{name: each for name, each in vars(self.report).items() if isfunction(each)},
        )
        return (*said, *self.document_sections())

    def document_sections(self) -> tuple[Section, ...]:
        """Return the section of a report that lists the document's items; the demo has none."""
        template = read_file("", "document.md.j2")
        return fill_template(template, items=self.items) if self.items else ()


class Results(msgspec.Struct, frozen=True):
    """All that a report is made of; `results.json` of a run's folder."""

    name: str
    effort: Effort
    seed: int
    version: str
    rows: list[Row]

    @classmethod
    def of(cls, reproduction: Reproduction, run: ReproductionRun) -> "Results":
        """Collect what the steps of a run found, beside the author's figures."""
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
        """Write `results.json`, a line for each row."""
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
        found.report.draw(run, found.compute(run))
        Results.of(found, run).write(run.path("results.json"))
        sections = found.sections(run.found, effort, seed)
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
        _clear(folder)  # what a person put there stays
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
    for name in _Identity.__struct_fields__:
        was, now = getattr(old, name), getattr(identity, name)
        if was != now:
            raise RunError(
                f"{mark.parent} holds a run with {name} {was!r}, not {now!r}: --force begins "
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
