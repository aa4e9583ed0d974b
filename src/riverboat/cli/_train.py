"""`riverboat train`: from a recipe to a blueprint, with its cost, its progress and its end."""

from pathlib import Path
from typing import Annotated, Any, Final

from rich.text import Text

from riverboat.cli._command import argument, fields_of, option
from riverboat.cli._options import OnOption, check_on, opened
from riverboat.cli._output import Answer
from riverboat.cli._progress import abstraction_bar
from riverboat.cli._training_view import TrainingView, cost_lines, member_blueprints, result_lines
from riverboat.errors import RunError
from riverboat.training import (
    Cost,
    Progress,
    Recipe,
    RunFiles,
    cost_of,
    load_recipe,
    prepare_run,
    recipe_names,
    train,
)

#: What replaces settings of a recipe.
_CHANGES: Final = fields_of(
    Recipe,
    *("game", "menu", "cards", "scheme", "threads", "seed", "ensemble"),
    changes=True,
    iterations="budget.iterations",
    seconds="budget.seconds",
    report_every="every.report",
    checkpoint_every="every.checkpoint",
    bound_every="bound.every",
    bound_seconds="bound.seconds",
    bound_deals="bound.deals",
)


def train_command(
    *,
    recipe: Annotated[
        str,
        argument("A recipe's name or TOML file; empty with --game and --menu."),
    ] = "",
    output: Annotated[
        Path | None,
        option("The blueprint, or a folder; NAME.blueprint."),
    ] = None,
    changes: Annotated[dict[str, Any], _CHANGES],
    only_estimate: Annotated[
        bool, option("Say memory, disk and time, and stop.", "--estimate")
    ] = False,
    on: OnOption = "local",
    resume: Annotated[bool, option("Go on from the checkpoint.")] = False,
    force: Annotated[bool, option("Begin again, over old files.")] = False,
) -> Answer:
    """Train a strategy and write it to a blueprint file. Ctrl-C stops, saves and writes.

    With two budgets whichever ends first counts; an option on the command line replaces both of
    the recipe's.
    """
    check_on(on)
    chosen = _recipe(recipe, changes)
    if only_estimate:
        return _estimate(chosen)
    files = _files(output, chosen)
    last = _run(chosen, files, resume, force, on)
    return Answer(_result(chosen, files, last), *map(Text, result_lines(chosen, files, last)))


def _recipe(named: str, options: dict[str, Any]) -> Recipe:
    """Read the recipe and put the options into it; a budget replaces the whole budget."""
    given = {key: options.pop(key, None) for key in ("budget.iterations", "budget.seconds")}
    if any(value is not None for value in given.values()):
        options["budget"] = {key.partition(".")[2]: value for key, value in given.items()}
    if named:
        return load_recipe(named, options)
    if "game" not in options or "menu" not in options:
        raise RunError(
            f"name a recipe ({', '.join(recipe_names())}, or a TOML file), or give --game and "
            "--menu with --iterations or --seconds"
        )
    return load_recipe({"name": Path(options["game"]).stem}, options)


def _estimate(recipe: Recipe) -> Answer:
    with abstraction_bar() as progress:
        found: Cost = cost_of(recipe, progress=progress)
    return Answer({"recipe": recipe.as_dict(), **found.as_dict()}, *cost_lines(recipe, found))


def _files(output: Path | None, recipe: Recipe) -> RunFiles:
    """Where the run writes: in a folder that was named, it has the recipe's name."""
    name = Path(recipe.name).name or "trained"
    if output is None:
        return RunFiles.of(name + RunFiles.suffixes[0])
    return RunFiles.of(output / (name + RunFiles.suffixes[0]) if output.is_dir() else output)


def _run(recipe: Recipe, files: RunFiles, resume: bool, force: bool, on: str) -> Progress:
    given: dict[str, Any] = {"resume": resume, "force": force}
    with abstraction_bar() as progress:
        setup = prepare_run(recipe, files.blueprint, **given, progress=progress)
    last = None
    with opened(on) as place, TrainingView(recipe, setup.tree.spec) as view:
        helped = None if place is None else place.helpers()
        for last in train(recipe, files.blueprint, **given, setup=setup, helped=helped):
            view.step(last)
    if last is None:
        raise RunError("the run ended before it began")
    return last


def _result(recipe: Recipe, files: RunFiles, last: Progress) -> dict[str, Any]:
    """How the run ended; files that it has not written, or not yet, are None."""
    parts = [str(path) for path in member_blueprints(recipe, files)]
    return {**last.as_dict(), "recipe": recipe.as_dict(), **files.written(), "parts": parts}
