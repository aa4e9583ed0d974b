"""`riverboat lbr`: how much a local best response wins from a bot."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from rich.console import RenderableType

from riverboat.bots import make_bot
from riverboat.cli._arena import chosen_seed
from riverboat.cli._command import argument, option
from riverboat.cli._completion import lbr_sets
from riverboat.cli._options import SeedOption, TableGameOption, WorkersOption
from riverboat.cli._output import Answer, check_place, grid, status, with_margin
from riverboat.cli._progress import bar, build_bot_tables
from riverboat.evaluate import NO_PROOF, LbrResult, local_best_response, parse_lbr_set
from riverboat.report import judge
from riverboat.statistics import Estimate

_SETS: Final = ("fc", "fcpa", "nine", "flop")


@dataclass(frozen=True, slots=True)
class LbrOptions:
    """What is played; each field is an option."""

    sets: Annotated[
        list[str] | None,
        option(
            "fc, fcpa, nine, flop, odd, 56, own, or a set for each street such as "
            "c-c-nine-nine; may be repeated. fc, fcpa, nine and flop if not given.",
            "--set",
            complete=lbr_sets,
        ),
    ] = None
    game: TableGameOption = "nolimit-100bb"
    hands: Annotated[int, option("Hands of each set.")] = 2000
    seed: SeedOption = None
    workers: WorkersOption = None
    log: Annotated[Path | None, option("Keep what is played in this file, as JSON lines.")] = None
    resume: Annotated[bool, option("Go on with a run of --log that was stopped.")] = False


def lbr_command(
    bot: Annotated[
        str,
        argument("A bot that tells its strategy."),
    ],
    options: LbrOptions,
) -> Answer:
    """Let a local best response play against a bot: how much it loses at least.

    It knows how the bot plays every hand, and takes the action that is worth most if both check
    and call from then on. The sets say what it may do, street by street: c check or call, fc fold
    or call, fcpa also bet the pot or all-in, nine and 56 that many sizes. What it wins is
    less luck; beside it stands what was played. Ctrl-C ends it with what there is.
    """
    sets = options.sets or list(_SETS)
    for each in sets:
        parse_lbr_set(each)
    if options.log is not None:
        check_place(options.log)
    seed = chosen_seed(options.seed)
    build_bot_tables(make_bot(bot, 0))
    results = list(_results(bot, sets, seed, options))
    values = [result.as_dict() | {"verdict": _verdict(result)} for result in results]
    return Answer({"results": values, "note": NO_PROOF}, *_parts(results))


def _results(bot: str, sets: list[str], seed: int, options: LbrOptions) -> Iterator[LbrResult]:
    for each in sets:
        with _counted(each) as progress:
            result = local_best_response(
                bot,
                each,
                game=options.game,
                hands=options.hands,
                seed=seed,
                workers=options.workers,
                log=options.log,
                resume=options.resume,
                progress=progress,
            )
        yield result
        if not result.finished:
            return


@contextmanager
def _counted(name: str) -> Iterator[Callable[[int, int, Estimate], object]]:
    with bar() as shown:
        task = shown.add_task(name, total=None)
        yield lambda done, total, won: shown.update(
            task, completed=done, total=total, description=f"{name} {won.text()}"
        )


def _parts(results: list[LbrResult]) -> Iterator[RenderableType]:
    if not results[-1].finished:
        status.print("Stopped: this is what there is.")
    rows = [
        (result.set, f"{result.hands:,}", with_margin(result.won), with_margin(result.plain))
        for result in results
    ]
    first = results[0]
    yield f"Local best response against {first.bot}, {first.game}, seed {first.seed}"
    columns = ["it may", "hands", "wins, mbb/h", "with luck"]
    yield grid(columns, rows)
    for result in results:
        yield _verdict(result)
    yield NO_PROOF


def _verdict(result: LbrResult) -> str:
    won = result.won
    return judge(
        won,
        yes=f"{result.set}: the bot loses at least {with_margin(won)} mbb/h to it.",
        no=f"{result.set}: it loses to the bot, {with_margin(won)} mbb/h.",
        open=f"{result.set}: not decided whether it wins, {with_margin(won)} mbb/h.",
    )
