"""Train a recipe to a blueprint, as an iterator of progress reports; nothing is printed.

An ensemble trains the same recipe with several seeds; the sum of the members' strategies is
normalised (caltech).
"""

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from riverboat import runs
from riverboat.blueprint import Blueprint, combine
from riverboat.buckets import CardAbstraction, ProgressCall, no_progress
from riverboat.errors import RunError
from riverboat.report import size
from riverboat.runs import Checkpoint, Run, Slices, Stop, Task
from riverboat.training._member import Helped, Member, Watch, saved_cards
from riverboat.training._plan import Plan, Setup, Sizes, prepare
from riverboat.training._progress import Progress, measure, plot_logs
from riverboat.training._recipe import Recipe


class RunFiles(runs.RunFiles):
    """The files of a run: NAME.blueprint, NAME.checkpoint, NAME.log.jsonl, NAME.png.

    Examples
    --------
    >>> RunFiles.of("bots/laptop").blueprint.as_posix()
    'bots/laptop.blueprint'
    """

    __slots__ = ()
    suffixes: ClassVar[tuple[str, ...]] = (".blueprint", ".safetensors")

    @property
    def blueprint(self) -> Path:
        """Path of the blueprint."""
        return self.result


def _check_disk(recipe: Recipe, sizes: Sizes, files: RunFiles) -> None:
    """Refuse a run whose files do not fit on the disk.

    The space of an earlier run's files, which will be replaced, counts as free.
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
    # All checkpoints, and a second copy of one of them while it is replaced.
    needed = (recipe.ensemble + 1) * sizes.table_bytes + blueprints * sizes.blueprint_bytes
    if needed > room:
        raise RunError(
            f"the files of the run need {size(needed)} in {folder}, but only {size(room)} are "
            "free: free some space, or choose another folder with --output"
        )


class Combination(Task[Progress]):
    """Combines the blueprints of the members into one, measures it and plots all of them.

    Parameters
    ----------
    setup, recipe
        Setup and recipe of the ensemble.
    members
        Files of the members.
    last
        Last report of the last member.
    """

    kind = ""  # it has no checkpoint

    def __init__(
        self, setup: Setup, recipe: Recipe, members: list[RunFiles], last: Progress
    ) -> None:
        super().__init__()
        self.setup, self.recipe, self.members, self.last = setup, recipe, members, last
        self.slices, self.until = Slices(lambda *_: None), {"iterations": 0}

    def identity(self) -> dict[str, Any]:
        """Settings that determine the result."""
        return self.recipe.identity()

    def checkpoint(self) -> Checkpoint:
        """Return an empty checkpoint: there is no state between members and result."""
        return Checkpoint({}, {})

    def restore(self, checkpoint: Checkpoint) -> None:
        """Do nothing: the combination starts again."""

    def reports(self, due: frozenset[str], stop: Stop) -> tuple[Progress, ...]:  # noqa: ARG002 - a hook
        """Return no reports: there are no slices."""
        return ()

    def write(self, path: Path, stop: Stop) -> Iterator[Progress]:
        """Combine and measure; Ctrl-C interrupts the measurement."""
        opened = [Blueprint.open(member.blueprint) for member in self.members]
        findings = combine(opened, path)
        written = replace(
            self.last,
            event="written",
            iterations=sum(member.header.training.iterations for member in opened),
            seconds=sum(member.header.training.seconds for member in opened),
            measured=None,
            findings=tuple(f"{finding.level}: {finding.text}" for finding in findings),
        )
        yield written
        if self.recipe.bound.every == 0:
            yield replace(written, event="finished")
            return
        strategy, at = Blueprint.open(path).dense(), (written.iterations, written.seconds)
        measured = stop.interruptible(lambda: measure(self.setup, strategy, self.recipe, at))
        yield replace(written, event="finished" if measured else "stopped", measured=measured)

    def draw(self, log: Path, plot: Path) -> None:
        """Plot exploitability of members and combination against training time."""
        spec = self.setup.tree.spec
        title = f"{self.recipe.name or spec.name}: {len(self.members)} members, combined"
        logs: Mapping[str, Path] = {
            **{f"member {index + 1}": member.log for index, member in enumerate(self.members)},
            "combination": log,
        }
        plot_logs(logs, plot, title, max(spec.blinds))


def train(  # noqa: PLR0913 - options by keyword
    recipe: Recipe,
    output: str | Path,
    *,
    resume: bool = False,
    force: bool = False,
    setup: Setup | None = None,
    plot: bool = True,
    helped: Helped | None = None,
    watch: Watch | None = None,
) -> Iterator[Progress]:
    """Train a recipe; yield progress reports.

    Parameters
    ----------
    recipe
        What to train.
    output
        Path of the blueprint; log, plot and checkpoint are written next to it.
    resume
        Continue from the checkpoint; the budget includes the time before.
    force
        Start again over the files of an earlier run, which stay until the first new file is
        written.
    setup
        Result of `prepare` or `prepare_run` for this recipe; by default it is built here.
    plot
        Plot exploitability against time, at intervals and at the end.
    helped
        Context in which others help the solver, such as the machines of `riverboat.cluster`.
    watch
        Examines the solver during the training; not possible with an ensemble.

    Yields
    ------
    Progress
        About every `recipe.every.report` seconds and after every event; the last one is
        `finished` or, after Ctrl-C, `stopped`.

    Examples
    --------
    >>> import tempfile
    >>> from riverboat.training import load_recipe
    >>> recipe = load_recipe("kuhn")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     *_, last = train(recipe, f"{folder}/kuhn")
    >>> last.event, last.iterations, round(last.measured.value, 3)  # -1/18
    ('finished', 10000, -0.056)
    """
    files = RunFiles.of(output)
    if setup is None:
        setup = prepare_run(recipe, output, resume=resume, force=force)
    else:
        _check_run(recipe, files, resume, force)
    if recipe.ensemble == 1:
        task = Member(setup, recipe, helped=helped, watch=watch)
        return iter(Run(task, files, resume=resume, force=force, plot=plot))
    if watch is not None:
        raise RunError("an ensemble cannot have a watch: train its members one by one")
    return _train_ensemble(setup, recipe, files, resume, force, plot, helped)


def prepare_run(
    recipe: Recipe,
    output: str | Path,
    *,
    resume: bool = False,
    force: bool = False,
    progress: ProgressCall = no_progress,
) -> Setup:
    """Check that a run can start, and build the input of its solver.

    Parameters
    ----------
    recipe, output, resume, force
        As in `train`.
    progress
        Called while hand-strength tables, buckets and bucket tables are built.

    Raises
    ------
    RunError
        If the recipe has no budget, the files exist (or, to resume, do not exist), or memory or
        disk space is too small; the message says what to do.
    """
    files = RunFiles.of(output)
    _check_run(recipe, files, resume, force)
    plan = Plan.of(recipe)
    _check_disk(recipe, plan.check_memory(), files)
    return prepare(plan, progress, _earlier_cards(recipe, files) if resume else None)


def _check_run(recipe: Recipe, files: RunFiles, resume: bool, force: bool) -> None:
    """Refuse a run that has no budget, or whose files exist (or, to resume, do not exist)."""
    if recipe.budget.iterations is None and recipe.budget.seconds is None:
        raise RunError("the recipe has no budget: set budget.iterations, budget.seconds or both")
    places = [place for _, place in _members(recipe, files)]
    begun = [place for place in places if place.result.exists() or place.checkpoint.exists()]
    for place in (begun or places[:1]) if resume else dict.fromkeys((files, *places)):
        place.refuse(resume=resume, force=force)


def _earlier_cards(recipe: Recipe, files: RunFiles) -> CardAbstraction | None:
    """Return the card abstraction of the checkpoint of an earlier run, or None."""
    for member, place in _members(recipe, files):
        if place.checkpoint.exists():
            return saved_cards(place.checkpoint, member.identity())
    return None


def _members(recipe: Recipe, files: RunFiles) -> list[tuple[Recipe, RunFiles]]:
    if recipe.ensemble == 1:
        return [(recipe, files)]
    return [
        (recipe.changed({"seed": recipe.seed + index, "ensemble": 1}), files.member(index + 1))
        for index in range(recipe.ensemble)
    ]


def _train_ensemble(  # noqa: PLR0913, PLR0917 - the arguments of `train`
    setup: Setup,
    recipe: Recipe,
    files: RunFiles,
    resume: bool,
    force: bool,
    plot: bool,
    helped: Helped | None,
) -> Iterator[Progress]:
    """Train the members one after the other, and combine them."""
    members = _members(recipe, files)
    places, last, old = [place for _, place in members], None, force
    with Stop() as stop:
        with files.mine():
            for index, (member, place) in enumerate(members):
                begun = resume and place.checkpoint.exists()
                task = Member(setup, member, (index + 1, len(members)), helped)
                for last in Run(task, place, resume=begun, force=force, plot=plot, stop=stop):
                    if old and last.event in {"saved", "written"}:  # the first new file exists
                        for other in (files, *places[1:]):
                            other.clear()
                        old = False
                    yield last
                if stop.asked:
                    break
        if last is not None and stop.asked:
            if last.event == "finished":  # the member is finished, the ensemble is not
                yield replace(last, event="stopped")
        elif last is not None:
            combination = Combination(setup, recipe, places, last)
            yield from Run(combination, files, force=True, plot=plot, stop=stop)
