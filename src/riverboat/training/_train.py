"""Training: from a recipe to a blueprint, as an iterator of how it stands. It prints nothing.

An ensemble is the same recipe with seeds apart, summed and normalised (caltech).
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
    """Where a run writes: NAME.blueprint, NAME.checkpoint, NAME.log.jsonl, NAME.png.

    Examples
    --------
    >>> RunFiles.of("bots/laptop").blueprint.as_posix()
    'bots/laptop.blueprint'
    """

    __slots__ = ()
    suffixes: ClassVar[tuple[str, ...]] = (".blueprint", ".safetensors")

    @property
    def blueprint(self) -> Path:
        """The result."""
        return self.result


def _check_disk(recipe: Recipe, sizes: Sizes, files: RunFiles) -> None:
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


class Combination(Task[Progress]):
    """The members' blueprints combined into one, measured, and drawn with theirs.

    Parameters
    ----------
    setup, recipe
        Of the ensemble.
    members
        Where the members are.
    last
        How the last of them ended.
    """

    kind = ""  # it is done in one go

    def __init__(
        self, setup: Setup, recipe: Recipe, members: list[RunFiles], last: Progress
    ) -> None:
        super().__init__()
        self.setup, self.recipe, self.members, self.last = setup, recipe, members, last
        self.slices, self.until = Slices(lambda *_: None), {"iterations": 0}

    def identity(self) -> dict[str, Any]:
        """What decides it."""
        return self.recipe.identity()

    def checkpoint(self) -> Checkpoint:
        """There is nothing between its members and its end."""
        return Checkpoint({}, {})

    def restore(self, checkpoint: Checkpoint) -> None:
        """Begin anew."""

    def reports(self, due: frozenset[str], stop: Stop) -> tuple[Progress, ...]:  # noqa: ARG002 - as tasks have it
        """There are no slices."""
        return ()

    def write(self, path: Path, stop: Stop) -> Iterator[Progress]:
        """Combine and measure; Ctrl-C interrupts the measurement."""
        opened = [Blueprint.open(member.blueprint) for member in self.members]
        findings = combine(opened, path)
        written = replace(
            self.last,
            event="written",
            iterations=sum(each.header.training.iterations for each in opened),
            seconds=sum(each.header.training.seconds for each in opened),
            measured=None,
            findings=tuple(f"{each.level}: {each.text}" for each in findings),
        )
        yield written
        if self.recipe.bound.every == 0:
            yield replace(written, event="finished")
            return
        strategy, at = Blueprint.open(path).dense(), (written.iterations, written.seconds)
        found = stop.interruptible(lambda: measure(self.setup, strategy, self.recipe, at))
        yield replace(written, event="finished" if found else "stopped", measured=found)

    def draw(self, log: Path, plot: Path) -> None:
        """Draw exploitability against time, the members' too."""
        spec = self.setup.tree.spec
        title = f"{self.recipe.name or spec.name}: {len(self.members)} members, combined"
        logs: Mapping[str, Path] = {
            **{f"member {index + 1}": each.log for index, each in enumerate(self.members)},
            "combination": log,
        }
        plot_logs(logs, plot, title, max(spec.blinds))


def train(  # noqa: PLR0913 - what, where, and four switches
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
    """Train what a recipe says; yield how it stands.

    Parameters
    ----------
    recipe
        What to train.
    output
        The blueprint's path; log, plot and checkpoint lie beside it.
    resume
        Go on from the checkpoint; the budget counts from the beginning.
    force
        Begin again where another run has left its work, which stays until the first checkpoint
        takes its place.
    setup
        `prepare(recipe)`, or `prepare_run` of this run, where that was already done.
    plot
        Draw exploitability against time, now and then and at the end.
    helped
        Who helps a solver while it iterates, such as other machines (`riverboat.cluster`).
    watch
        Who looks at the solver on its way; not at those of an ensemble.

    Yields
    ------
    Progress
        About every `recipe.every.report` seconds and after everything that happened; the last
        one is `finished` or, after Ctrl-C, `stopped`.

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
        raise RunError("an ensemble cannot be watched: train its members one by one")
    return _train_ensemble(setup, recipe, files, resume, force, plot, helped)


def prepare_run(
    recipe: Recipe,
    output: str | Path,
    *,
    resume: bool = False,
    force: bool = False,
    progress: ProgressCall = no_progress,
) -> Setup:
    """Check that a run can begin, and build all that it needs before the first iteration.

    Parameters
    ----------
    recipe, output, resume, force
        As of `train`.
    progress
        Called while hand-strength tables, buckets and their tables are made.

    Raises
    ------
    RunError
        If it has no budget, its files do not go with resuming or beginning, or memory or disk are
        too small for it: with a sentence that says what to do.
    """
    files = RunFiles.of(output)
    _check_run(recipe, files, resume, force)
    plan = Plan.of(recipe)
    _check_disk(recipe, plan.check_memory(), files)
    return prepare(plan, progress, _earlier_cards(recipe, files) if resume else None)


def _check_run(recipe: Recipe, files: RunFiles, resume: bool, force: bool) -> None:
    """Refuse a run that has no budget, or whose files do not go with resuming or beginning."""
    if recipe.budget.iterations is None and recipe.budget.seconds is None:
        raise RunError("no budget: give budget.iterations, budget.seconds or both")
    places = [place for _, place in _members(recipe, files)]
    begun = [place for place in places if place.result.exists() or place.checkpoint.exists()]
    for place in (begun or places[:1]) if resume else dict.fromkeys((files, *places)):
        place.refuse(resume=resume, force=force)


def _earlier_cards(recipe: Recipe, files: RunFiles) -> CardAbstraction | None:
    """Return the card abstraction that a run would be resumed with; None = a new one."""
    for each, place in _members(recipe, files):
        if place.checkpoint.exists():
            return saved_cards(place.checkpoint, each.identity())
    return None


def _members(recipe: Recipe, files: RunFiles) -> list[tuple[Recipe, RunFiles]]:
    if recipe.ensemble == 1:
        return [(recipe, files)]
    return [
        (recipe.changed({"seed": recipe.seed + index, "ensemble": 1}), files.member(index + 1))
        for index in range(recipe.ensemble)
    ]


def _train_ensemble(  # noqa: PLR0913, PLR0917 - all that `train` was given
    setup: Setup,
    recipe: Recipe,
    files: RunFiles,
    resume: bool,
    force: bool,
    plot: bool,
    helped: Helped | None,
) -> Iterator[Progress]:
    """Train the members in turn, and combine them."""
    members = _members(recipe, files)
    places, last, old = [place for _, place in members], None, force
    with Stop() as stop:
        with files.mine():
            for index, (each, place) in enumerate(members):
                begun = resume and place.checkpoint.exists()
                task = Member(setup, each, (index + 1, len(members)), helped)
                for last in Run(task, place, resume=begun, force=force, plot=plot, stop=stop):
                    if old and last.event in {"saved", "written"}:  # the first new file is there
                        for other in (files, *places[1:]):
                            other.clear()
                        old = False
                    yield last
                if stop.asked:
                    break
        if last is not None and stop.asked:
            if last.event == "finished":  # the ensemble is not
                yield replace(last, event="stopped")
        elif last is not None:
            combination = Combination(setup, recipe, places, last)
            yield from Run(combination, files, force=True, plot=plot, stop=stop)
