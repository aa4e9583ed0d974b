"""`riverboat train`: train a blueprint by a recipe, with an estimate and progress.

`riverboat schema` prints the JSON schema by which an editor completes and checks recipes and spots.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from rich.table import Table
from rich.text import Text

from riverboat.cli._command import argument, fields_of, option
from riverboat.cli._options import OnOption, check_on, opened
from riverboat.cli._output import Answer, hint
from riverboat.cli._progress import LiveView, abstraction_bar
from riverboat.errors import GameError, RunError
from riverboat.game import GameSpec, catalogue
from riverboat.report import duration, percent, size
from riverboat.training import (
    Cost,
    Measured,
    Progress,
    Recipe,
    RunFiles,
    cost_of,
    load_recipe,
    prepare_run,
    recipe_names,
    train,
)

#: Options that replace settings of a recipe.
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
        str, argument("Recipe name or TOML file (not needed with --game and --menu).")
    ] = "",
    output: Annotated[
        Path | None, option("File or folder for the blueprint (default: NAME.blueprint).")
    ] = None,
    changes: Annotated[dict[str, Any], _CHANGES],
    only_estimate: Annotated[
        bool, option("Print memory, disk and time, and stop.", "--estimate")
    ] = False,
    on: OnOption = "local",
    resume: Annotated[bool, option("Resume from the checkpoint.")] = False,
    force: Annotated[bool, option("Start again and replace old files.")] = False,
) -> Answer:
    """Train a strategy by a recipe and write a blueprint file.

    Ctrl-C stops, saves a checkpoint and writes the blueprint so far; --resume continues. Training
    ends when the first budget (iterations or seconds) is used up. A budget on the command line
    replaces the recipe's whole budget.
    """
    check_on(on)
    chosen = _recipe(recipe, changes)
    if only_estimate:
        return _estimate(chosen)
    files = _files(output, chosen)
    last = _run(chosen, files, resume, force, on)
    return Answer(_result(chosen, files, last), *map(Text, result_lines(chosen, files, last)))


def _recipe(named: str, options: dict[str, Any]) -> Recipe:
    """Read the recipe with the changes of the options; a budget replaces the whole budget."""
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
        cost: Cost = cost_of(recipe, progress=progress)
    return Answer({"recipe": recipe.as_dict(), **cost.as_dict()}, *cost_lines(recipe, cost))


def _files(output: Path | None, recipe: Recipe) -> RunFiles:
    """The files of the run; in a given folder they have the recipe's name."""
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
    """The result of the run; files that it has not written are None."""
    parts = [str(path) for path in member_blueprints(recipe, files)]
    return {**last.as_dict(), "recipe": recipe.as_dict(), **files.written(), "parts": parts}


# ---- Progress of a run

_LINE_SECONDS = 10.0  # between plain lines


class TrainingView(LiveView):
    """Shows a training run."""

    def __init__(self, recipe: Recipe, spec: GameSpec) -> None:
        self._recipe = recipe
        self._big_blind = max(spec.blinds)
        super().__init__(_LINE_SECONDS)
        self._end: Progress | None = None

    def step(self, progress: Progress) -> None:
        """Show the state of the run; the last state is not shown, because the result repeats it."""
        earlier, self._end = self._end, None
        if earlier is not None:  # it was only the end of a member
            self._print(earlier)
        if progress.event in ("finished", "stopped"):
            self._end = progress
        else:
            self._print(progress)

    def _print(self, progress: Progress) -> None:
        self.show(
            lambda: plain_line(progress, self._big_blind),
            lambda: self._table(progress),
            now=progress.event != "training",
        )

    def _table(self, progress: Progress) -> Table:
        table = Table.grid(padding=(0, 2))
        name = self._recipe.name or "training"
        member = f", {progress.member} of {progress.members}" if progress.members > 1 else ""
        table.add_row(name + member, progress.event)
        for label, text in _facts(progress, self._big_blind):
            table.add_row(label, text)
        return table


def plain_line(progress: Progress, big_blind: int) -> str:
    """Return the state of a run in one line."""
    facts = "; ".join(f"{label} {text}" for label, text in _facts(progress, big_blind))
    member = f"{progress.member}/{progress.members} " if progress.members > 1 else ""
    return f"{member}{progress.event}: {facts}"


def _coverage(progress: Progress) -> list[tuple[str, str]]:
    known = progress.coverage is not None
    return [("coverage", percent(progress.coverage or 0.0))] if known else []


def _facts(progress: Progress, big_blind: int) -> list[tuple[str, str]]:
    if progress.event == "started" and not progress.iterations:  # no speed is known yet
        return [
            ("infosets", f"{progress.infosets:,}"),
            ("tables", size(progress.table_bytes)),
            ("memory", size(progress.resident_bytes)),
        ]
    share = progress.visited / max(1, progress.infosets)
    facts = [
        ("iterations", f"{progress.iterations:,}"),
        ("per second", f"{progress.iterations_per_second:,.0f}"),
        ("trained", duration(progress.seconds)),
        *_left(progress),
        ("infosets visited", f"{percent(share)} of {progress.infosets:,}"),
        *_coverage(progress),
        ("average regret", f"{progress.average_regret:.3g} chips"),
        ("memory", size(progress.resident_bytes)),
    ]
    if progress.measured is not None:
        facts.append(("exploitability", measured_text(progress.measured, big_blind)))
    if progress.problem:
        facts.append(("problem", progress.problem))
    return facts


def _left(progress: Progress) -> list[tuple[str, str]]:
    """The time left, measuring included; nothing for a run that is over."""
    if progress.event in ("finished", "stopped"):
        return []
    return [("left", duration(progress.seconds_left))]


def measured_text(measured: Measured, big_blind: int) -> str:
    """Return a measurement with its confidence interval, its unit and its time."""
    scale, unit = (1000 / big_blind, "mbb/hand") if big_blind else (1.0, "chips/hand")
    cost = f"at {measured.iterations:,} iterations, took {duration(measured.cost)}"
    if measured.exact:
        return f"{measured.exploitability * scale:.4g} {unit}, exact ({cost})"
    low, mean, high = (
        each * scale for each in (measured.low, measured.exploitability, measured.high)
    )
    return f"at least {mean:.4g} {unit}, 95 % interval {low:.4g} to {high:.4g} ({cost})"


def cost_lines(recipe: Recipe, cost: Cost) -> list[str]:
    """Return the estimated memory, disk and time of a run."""
    sizes = cost.sizes
    buckets = f", buckets {'/'.join(map(str, sizes.cards))}" if sizes.cards else ""
    cache = "built already" if cost.cache_built else "to be built"
    parts = {
        "tables": sizes.table_bytes,
        "tree": sizes.tree_bytes,
        "bucket tables": sizes.bucket_bytes,
        "measuring": sizes.measure_bytes,
    }
    return [
        f"{recipe.name or 'recipe'}: {sizes.infosets:,} infosets, {sizes.entries:,} strategy "
        f"entries{buckets}",
        f"memory: {size(cost.memory_bytes)} ("
        + ", ".join(f"{name} {size(count)}" for name, count in parts.items())
        + f", rest: the process); free: {size(cost.available_bytes)}",
        *_preparing_lines(cost),
        f"disk: blueprint {size(cost.blueprint_bytes)}, checkpoints "
        f"{size(cost.checkpoint_bytes)} (plus one more while it is replaced), cache "
        f"{size(cost.cache_bytes)}" + (f" (hand strength {cache})" if cost.cache_bytes else ""),
        f"time: {duration(cost.seconds)}: {duration(cost.training_seconds)} for "
        f"{cost.iterations:,} iterations"
        + (f" of each of {cost.members} members" if cost.members > 1 else "")
        + f" at {cost.iterations_per_second:,.0f} per second, and "
        f"{duration(cost.measuring_seconds)} for measuring exploitability",
        f"The speed was measured over the first {duration(cost.calibration_seconds)} of training; "
        "later iterations are slower, because strategies become mixed.",
    ]


def _preparing_lines(cost: Cost) -> list[str]:
    """The memory of card tables; small games have none."""
    if not cost.cache_bytes:
        return []
    return [
        f"Preparing the card tables used up to {size(cost.preparing_bytes)} of memory. Tables of "
        "the cache are memory-mapped: the memory of a run includes the parts that it has read, "
        "which the system can free at any time."
    ]


def result_lines(recipe: Recipe, files: RunFiles, last: Progress) -> list[str]:
    """Return the result of a run, and the next steps."""
    big_blind = max(recipe.spec.blinds)
    lines = [plain_line(last, big_blind)]
    if files.blueprint.exists():
        lines.append(f"blueprint: {files.blueprint}")
    lines += [f"member: {path}" for path in member_blueprints(recipe, files)]
    lines += last.findings
    if last.event == "stopped":
        end = "the ensemble was combined" if recipe.ensemble > 1 else "the run was finished"
        lines.append(f"Stopped before {end}: the same command with --resume continues.")
    if files.blueprint.exists():
        lines += next_steps(files.blueprint, recipe.spec)
    return lines


def member_blueprints(recipe: Recipe, files: RunFiles) -> list[Path]:
    """List the blueprints of an ensemble's members that have been written."""
    members = range(1, recipe.ensemble + 1) if recipe.ensemble > 1 else ()
    paths = [files.member(index).blueprint for index in members]
    return [path for path in paths if path.exists()]


def next_steps(file: Path, spec: GameSpec) -> list[str]:
    """Return commands for a new strategy: look at it, measure it, play against it.

    Examples
    --------
    >>> for line in next_steps(Path("leduc.blueprint"), catalogue("leduc")):
    ...     print(line.replace("uv run ", ""))
    Look at it:      riverboat show leduc.blueprint
    Measure it:      riverboat match blueprint:leduc.blueprint random --game leduc --hands 4000
    Play against it: riverboat play --opponents blueprint:leduc.blueprint --game leduc
    """
    lines = [f"Look at it:      {hint('show', file)}"]
    if (table := _table_of(spec)) is None:
        return lines
    bot, others = f"blueprint:{file}", ["random"] * (spec.players - 1)
    return [
        *lines,
        f"Measure it:      {hint('match', bot, *others, *table, '--hands', 4000)}",
        f"Play against it: {hint('play', '--opponents', ','.join([bot, *others[1:]]), *table)}",
    ]


def _table_of(spec: GameSpec) -> Sequence[object] | None:
    """The options that select a game; None if it has no name."""
    try:
        usual = catalogue(spec.name)
    except GameError:
        return None
    if spec == usual:
        return () if spec.name == "nolimit-100bb" else ("--game", spec.name)
    return None


def schema_command(
    kind: Annotated[Literal["recipe", "spot"], argument("Kind of file: recipe or spot.")],
) -> None:
    """Print the JSON schema of recipe or spot files, for editors."""
    if kind == "recipe":
        from riverboat.training import Recipe as File  # noqa: PLC0415 - one kind a command
    else:
        from riverboat.spots import Spot as File  # type: ignore[assignment]  # noqa: PLC0415
    print(json.dumps(File.schema(), indent=2))
