"""Training: from a recipe to a blueprint, as an iterator of how it stands. It prints nothing.

An ensemble is the same recipe with seeds apart, summed and normalised (caltech).
"""

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Final

from riverboat import runs
from riverboat.blueprint import Blueprint, combine
from riverboat.buckets import CardAbstraction
from riverboat.errors import RunError
from riverboat.report import size
from riverboat.runs import Checkpoint, Run, Slices, Stop, Task
from riverboat.training._member import Helped, Member, Watch, no_help, saved_cards
from riverboat.training._plan import Plan, Setup, Sizes, prepare
from riverboat.training._progress import Point, Progress, measure, plot_logs
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
        deals, strategy = self.setup.deals, Blueprint.open(path).dense()
        threads = self.setup.threads
        point = Point(written.iterations, written.seconds, self.recipe.seed, threads)
        found = stop.interruptible(lambda: measure(deals, strategy, point, self.recipe.bound))
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
    helped: Helped = no_help,
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
        `prepare(recipe)`, where that was already done.
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
    check_run(recipe, files, resume=resume, force=force)
    if setup is None:
        plan = Plan.of(recipe)
        check_disk(recipe, plan.sizes, files)
        setup = prepare(plan, cards=earlier_cards(recipe, output) if resume else None)
    if recipe.ensemble == 1:
        task = Member(setup, recipe, helped=helped, watch=watch)
        return iter(Run(task, files, resume=resume, force=force, plot=plot))
    if watch is not None:
        raise RunError("an ensemble cannot be watched: train its members one by one")
    return _train_ensemble(setup, recipe, files, resume, force, plot, helped)


def check_run(
    recipe: Recipe, files: RunFiles, *, resume: bool = False, force: bool = False
) -> None:
    """Refuse a run that has no budget, or whose files do not go with resuming or beginning.

    Raises
    ------
    RunError
        With a sentence that names the file, and what to do.
    """
    if recipe.budget.iterations is None and recipe.budget.seconds is None:
        raise RunError("no budget: give budget.iterations, budget.seconds or both")
    places = [place for _, place in _members(recipe, files)]
    begun = [place for place in places if place.result.exists() or place.checkpoint.exists()]
    for place in (begun or places[:1]) if resume else dict.fromkeys((files, *places)):
        place.refuse(resume=resume, force=force)


def earlier_cards(recipe: Recipe, output: str | Path) -> CardAbstraction | None:
    """Return the card abstraction that a run would be resumed with; None = a new one."""
    for each, place in _members(recipe, RunFiles.of(output)):
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
    helped: Helped,
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
