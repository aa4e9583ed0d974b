"""`riverboat solve`: solve one spot or many, with an estimate and progress."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

from rich.text import Text

from riverboat.cli._command import option
from riverboat.cli._completion import solutions
from riverboat.cli._options import OnOption, check_on, opened
from riverboat.cli._output import Answer, hint, status
from riverboat.cli._progress import LiveView
from riverboat.cli._solve_options import (
    SPOT_FIELDS,
    SolveOptions,
    boards_of,
    spot_of,
    strategy_against,
)
from riverboat.cli._solve_sampled import SampledPlan, check_sampled, solve_sampled
from riverboat.errors import SpotError
from riverboat.report import duration, how_many, percent, size
from riverboat.spots import (
    Imported,
    Library,
    LibraryForecast,
    LibraryReport,
    Solution,
    SolveFiles,
    SpotForecast,
    SpotReport,
    forecast,
    solve_file,
)

_LINE_SECONDS = 10.0
_LEAST_SHARE = 1e-5
_OUTPUT = Path("spot.solution")
_FLOP = Path("spot.flop")
_FOLDER = Path("flops")


def solve_command(
    *,
    spot: Annotated[dict[str, Any], SPOT_FIELDS],
    file: Annotated[Path | None, option("A spot file: spot.toml.")] = None,
    flops: Annotated[
        str | None,
        option("Many boards: 'Ks7h2d, Td9d6h', a file, all, or a number of representative flops."),
    ] = None,
    options: SolveOptions,
    against: Annotated[
        str | None,
        option(
            "Opponent's fixed strategy for --exploit: a solution, or strategy and line: "
            "'default b25c'.",
            complete=solutions,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        option(
            f"File for the solution ({_OUTPUT}); for --sampled {_FLOP}, for --flops a folder "
            f"({_FOLDER})."
        ),
    ] = None,
    without_rivers: Annotated[
        bool, option("Write a far smaller file: rivers are solved again when needed.")
    ] = False,
    plot: Annotated[
        bool | None, option("Plot exploitability over time (default: yes, except for --flops).")
    ] = None,
    only_estimate: Annotated[
        bool, option("Print memory and time, and stop.", "--estimate")
    ] = False,
    sampled: Annotated[
        bool, option("Sample turns and rivers: a strategy for the flop in seconds.")
    ] = False,
    seed: Annotated[int, option("Random seed of --sampled.")] = 1,
    on: OnOption = "local",
    resume: Annotated[bool, option("Resume from the checkpoint.")] = False,
    force: Annotated[bool, option("Start again and replace old files.")] = False,
) -> Answer:
    """Solve a spot: a board, two ranges, a pot and stacks.

    Ctrl-C stops and writes the solution so far; --resume continues.
    """
    check_on(on)
    if sampled:
        given = {"on": on != "local", "flops": flops is not None, "against": against is not None}
        given |= {"without-rivers": without_rivers, "plot": bool(plot)}
        check_sampled(given | options.changed())
        flop = SampledPlan.of(spot_of(spot, file), options.fixed, seed)
        if only_estimate:
            return flop.answer()
        _print_notes(*flop.lines())
        return solve_sampled(flop, output or _FLOP, resume=resume, force=force)
    if on != "local" and flops is None:
        raise SpotError("--on needs --flops: a single spot is solved on this machine")
    if against is not None and "exploit" not in options.fixed:
        raise SpotError("--against needs --exploit oop or --exploit ip")
    view = LiveView(_LINE_SECONDS, at_once=False)
    followed = None if against is None else strategy_against(against, _on_boards(view))
    origin = followed if isinstance(followed, Imported) else None
    settings = options.settings(rivers=not without_rivers)
    if flops is not None:
        if "board" in spot:
            raise SpotError("give --board or --flops, not both")
        if isinstance(followed, Solution):
            raise SpotError("--flops needs a strategy in --against: a solution has only one board")
        spots = [spot_of(spot, file, board, origin) for board in boards_of(flops)]
        library = Library.of(output or _FOLDER, spots)
        plan = library.forecast(settings)
        _print_notes(Text(plan.notice))
        if only_estimate:
            return Answer(_set_values(library, plan), _set_line(plan))
        _print_notes(_set_line(plan))
        with opened(on) as place:
            if place is None:
                steps = library.solve(
                    settings, against=followed, resume=resume, force=force, plot=bool(plot)
                )
            elif followed is not None or settings.device != "cpu":
                raise SpotError("--against and --device work only on this machine: leave out --on")
            else:
                steps = library.solve_on_workers(settings, resume=resume, force=force)
            return _solve_set(library, plan, view, steps)
    wanted = spot_of(spot, file, origin=origin)
    estimate = forecast(wanted, settings)
    _print_notes(Text(estimate.place.notice))
    if only_estimate:
        return Answer(_plan_values(estimate), *_plan_lines(estimate))
    _print_notes(*_plan_lines(estimate))
    files = SolveFiles.of(output or _OUTPUT)
    reports = solve_file(
        wanted, files.solution, settings,
        against=followed, plan=estimate, resume=resume, force=force, plot=plot is not False,
    )  # fmt: skip
    return _solve_one(estimate, files, view, reports, followed)


def _print_notes(*lines: Text) -> None:
    """Print lines of the estimate, or the reason for another device."""
    for line in filter(None, lines):
        status.print(line, soft_wrap=True)


def _on_boards(view: LiveView) -> Callable[[int, int], None]:
    def show(done: int, total: int) -> None:
        view.show(lambda: f"reading the strategy to exploit: {done:,} of {total:,} boards")

    return show


# ---- One spot


def _solve_one(
    plan: SpotForecast,
    files: SolveFiles,
    view: LiveView,
    reports: Iterator[SpotReport],
    followed: Imported | Solution | None,
) -> Answer:
    spot = plan.spot
    last: SpotReport | None = None
    with view:
        for report in reports:
            view.show(lambda: f"{spot.board}: {_facts(report)}")  # noqa: B023 - called at once
            last = report
    if last is None:
        raise SpotError("the run ended before it began")
    rows = dict(followed.counts) if isinstance(followed, Imported) else None
    values = {"spot": spot.as_dict(), **last.as_dict(), "imported": rows, **files.written()}
    return Answer(values, *map(Text, _result_lines(plan, files, last, followed)))


def _plan_values(plan: SpotForecast) -> dict[str, Any]:
    return {
        "spot": plan.spot.as_dict(),
        "decisions": plan.engine.num_nodes,
        "boards": plan.engine.num_boards,
        "memory_bytes": plan.engine.bytes,
        "available_bytes": plan.available_bytes,
        "threads": plan.threads,
        "estimated_seconds": plan.seconds,
        "device": plan.place.name,
        "notice": plan.place.notice,
    }


def _plan_lines(plan: SpotForecast) -> tuple[Text, Text]:
    """The estimate of one spot."""
    spot = plan.spot
    hands = " v ".join(f"{each.support:,}" for each in spot.ranges)
    workers = f"with {plan.threads} thread{'s' if plan.threads > 1 else ''}"
    return (
        Text(
            f"{spot.board}, pot {spot.pot:,}, stack {min(spot.stacks):,}: {hands} hands, "
            f"{plan.engine.num_nodes:,} decisions on {how_many(plan.engine.num_boards, 'board')}"
        ),
        Text(
            f"memory {size(plan.engine.bytes)} of {size(plan.available_bytes)} free, roughly "
            f"{duration(plan.seconds)} to 0.3 % of the pot "
            f"{'on the GPU' if plan.place.name == 'gpu' else workers}"
        ),
    )


def _facts(report: SpotReport) -> str:
    share = f"{100 * report.share:.3g}" if report.share > _LEAST_SHARE else "less than 0.001"
    return (
        f"iteration {report.iteration:,}, {duration(report.seconds)}: exploitability {share} % of "
        f"the pot ({max(0, report.exploitability):.4g} chips)"
    )


def _result_lines(
    plan: SpotForecast, files: SolveFiles, last: SpotReport, followed: Imported | Solution | None
) -> list[str]:
    """The result, and the next steps."""
    oop, ip = (round(each, 2) + 0.0 for each in last.values or last.best_responses)  # no -0
    if followed is not None:
        lines = [f"{plan.settings.exploit} plays the best response to {followed.name}."]
    else:
        event = "Solved" if last.event == "finished" else "Stopped"
        lines = [f"{event}: {_facts(last)}"]
    if isinstance(followed, Imported):
        lines.append(_imported_line(followed))
    lines += [
        f"EV in chips, of the pot of {plan.spot.pot:,}: oop {oop:.2f}, ip {ip:.2f}.",
        f"solution: {files.solution} ({size(files.solution.stat().st_size)})",
    ]
    if files.checkpoint.exists():
        lines.append("The same command with --resume continues.")
    return [*lines, f"Look at it: {hint('show', files.solution)}"]


def _imported_line(imported: Imported) -> str:
    """The share of a strategy's decisions that are trained, untrained or off-tree."""
    total = max(1, imported.counts.total())
    shares = {name: percent(count / total) for name, count in imported.counts.items()}
    none = percent(0)
    return (
        f"Information sets of this strategy: {shares.get('trained', none)} trained, "
        f"{shares.get('untrained', none)} untrained (plays uniformly), "
        f"{shares.get('off-tree', none)} off-tree (checks or calls)."
    )


# ---- Many


def _solve_set(
    library: Library, plan: LibraryForecast, view: LiveView, steps: Iterator[LibraryReport]
) -> Answer:
    plan.check()
    with view:
        for number, job, report in steps:
            where = f"{number}/{len(library.jobs)} {job.spot.board}"
            if report is None:
                view.show(lambda: f"{where}: solved before", now=True)  # noqa: B023 - called at once
                continue
            ended = report.event != "solving"
            view.show(lambda: f"{where}: {_facts(report)}", now=ended)  # noqa: B023 - called at once
    return Answer(library.as_dict(), *map(Text, _set_result_lines(library)))


def _set_values(library: Library, plan: LibraryForecast) -> dict[str, Any]:
    return {
        "folder": str(library.folder),
        "boards": [job.spot.board for job in library.jobs],
        "memory_bytes": plan.memory_bytes,
        "available_bytes": plan.available_bytes,
        "estimated_seconds": plan.seconds,
    }


def _set_line(plan: LibraryForecast) -> Text:
    """The estimate of all spots."""
    return Text(
        f"{how_many(plan.spots, 'spot')}: memory up to {size(plan.memory_bytes)} of "
        f"{size(plan.available_bytes)} free, roughly {duration(plan.seconds)} to 0.3 % of the pot "
        "for all"
    )


def _set_result_lines(library: Library) -> list[str]:
    """The result of all spots, and the next steps."""
    states = [entry["state"] for entry in library.as_dict()["spots"]]
    solved = states.count("solved")
    lines = [f"{solved:,} of {len(states):,} spots are solved in {library.folder}"]
    if solved < len(states):
        lines.append("The same command with --resume continues.")
    return [*lines, f"Look at them: {hint('spot-report', library.folder)}"]
