"""Training: from a recipe to a blueprint, as an iterator of how it stands. It prints nothing."""

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

from riverboat.buckets import CardAbstraction
from riverboat.errors import TrainingError
from riverboat.files import locked
from riverboat.runs import Stop
from riverboat.training._checkpoint import check_checkpoint, saved_cards
from riverboat.training._ensemble import combine_members
from riverboat.training._files import RunFiles, check_disk
from riverboat.training._plan import Plan
from riverboat.training._progress import Progress
from riverboat.training._recipe import Recipe
from riverboat.training._run import Helped, Run, no_help
from riverboat.training._setup import Setup, prepare

__all__ = ["check_run", "earlier_cards", "train"]


def train(  # noqa: PLR0913 - what, where, and four switches
    recipe: Recipe,
    output: str | Path,
    *,
    resume: bool = False,
    force: bool = False,
    setup: Setup | None = None,
    plot: bool = True,
    helped: Helped = no_help,
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
    members = _members(recipe, files)
    runs = [
        Run(setup, each, place, (index + 1, len(members)), plot, helped)
        for index, (each, place) in enumerate(members)
    ]
    return _train_locked(setup, recipe, files, runs, resume, force)


def check_run(
    recipe: Recipe, files: RunFiles, *, resume: bool = False, force: bool = False
) -> None:
    """Refuse a run that has no budget, or whose files do not go with resuming or beginning.

    Raises
    ------
    TrainingError
        With a sentence that names the file, and what to do.
    """
    if recipe.budget.iterations is None and recipe.budget.seconds is None:
        raise TrainingError("no budget: give budget.iterations, budget.seconds or both")
    if resume and force:
        raise TrainingError("--resume goes on and --force begins again: give one of them")
    places = [place for _, place in _members(recipe, files)]
    if resume:
        for place in places:
            place.refuse_lost_checkpoint()
        if not any(place.checkpoint.exists() for place in places):
            raise TrainingError(
                f"there is nothing to resume: {places[0].checkpoint} does not exist; begin "
                "without --resume"
            )
    elif not force:
        for place in dict.fromkeys((files, *places)):
            place.refuse_overwriting()


def earlier_cards(recipe: Recipe, output: str | Path) -> CardAbstraction | None:
    """Return the card abstraction that a run would be resumed with; None = a new one."""
    for each, place in _members(recipe, RunFiles.of(output)):
        if place.checkpoint.exists():
            check_checkpoint(place.checkpoint, each.identity())
            return saved_cards(place.checkpoint)
    return None


def _members(recipe: Recipe, files: RunFiles) -> list[tuple[Recipe, RunFiles]]:
    if recipe.ensemble == 1:
        return [(recipe, files)]
    return [
        (recipe.changed({"seed": recipe.seed + index, "ensemble": 1}), files.member(index + 1))
        for index in range(recipe.ensemble)
    ]


def _train_locked(  # noqa: PLR0913, PLR0917 - all that `train` has found
    setup: Setup, recipe: Recipe, files: RunFiles, runs: list[Run], resume: bool, force: bool
) -> Iterator[Progress]:
    """Train while nobody else writes the same files."""
    with ExitStack() as locks:
        for place in dict.fromkeys((files, *(run.files for run in runs))):
            if not locks.enter_context(locked(place.blueprint)):
                raise TrainingError(
                    f"another training writes {place.blueprint}: wait for its end, or name "
                    "another file with --output"
                )
        # What was true before cards were prepared need not be true any more.
        check_run(recipe, files, resume=resume, force=force)
        yield from _train_members(setup, recipe, files, runs, resume, force)


def _train_members(  # noqa: PLR0913, PLR0917 - all that `train` has found
    setup: Setup, recipe: Recipe, files: RunFiles, runs: list[Run], resume: bool, old: bool
) -> Iterator[Progress]:
    with Stop() as stop:
        for run in runs:
            for progress in run.go(resume and run.files.checkpoint.exists(), stop):
                if old and progress.event in {"saved", "written"}:
                    _clear_old(files, runs, run, progress.event == "written")
                    old = False
                yield progress
            if stop.asked:
                if len(runs) > 1 and run.last.event == "finished":  # the ensemble is not
                    yield replace(run.last, event="stopped")
                return
        if len(runs) > 1:
            yield from combine_members(setup, recipe, runs, files, stop, runs[0].plot)


def _clear_old(files: RunFiles, runs: list[Run], run: Run, written: bool) -> None:
    """Remove what an earlier run left, once the first file of this one is in its place."""
    own = run.files
    new = {own.checkpoint, own.log, *((own.blueprint,) if written else ())}
    for place in dict.fromkeys((files, *(each.files for each in runs))):
        with suppress(OSError):  # the run matters more
            place.clear(new)
