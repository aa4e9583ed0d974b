"""`riverboat solve`: from a spot to a solution, with its cost, its progress and its end."""

import time
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any, Final, Literal, Self, cast

import typer
from rich.live import Live
from rich.text import Text

from riverboat.cli._completion import menus, solutions
from riverboat.cli._hints import hint
from riverboat.cli._options import JsonOption, with_settings
from riverboat.cli._output import console, print_json, status
from riverboat.errors import SpotError
from riverboat.limits import is_file, read_text
from riverboat.report import duration, size
from riverboat.spots import (
    SCHEDULES,
    Lock,
    Side,
    Solution,
    SolveFiles,
    Spot,
    SpotForecast,
    SpotReport,
    forecast,
    parse_locks,
    solve_file,
)

__all__ = ["solve_command"]

_LINE_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class SpotOptions:
    """What the spot is; each field is an option, and replaces that of a file."""

    board: Annotated[str | None, typer.Option(help="Three to five cards, such as Ks7h2d.")] = None
    pot: Annotated[int | None, typer.Option(help="Chips in the middle.")] = None
    stack: Annotated[int | None, typer.Option(help="Chips behind, the smaller stack.")] = None
    oop: Annotated[str | None, typer.Option(help="Range out of position: 'QQ+, AKs:0.5'.")] = None
    ip: Annotated[str | None, typer.Option(help="Range in position.")] = None
    menu: Annotated[
        str | None,
        typer.Option("--menu", "-m", help="Bet menu from this street on.", autocompletion=menus),
    ] = None
    rake: Annotated[float | None, typer.Option(help="Per cent of the pot.")] = None
    rake_cap: Annotated[int | None, typer.Option(help="Most chips of rake.")] = None
    betting: Annotated[str | None, typer.Option(help="no-limit, pot-limit or fixed-limit.")] = None
    deck: Annotated[str | None, typer.Option(help="full or short.")] = None
    big_blind: Annotated[int | None, typer.Option(help="Chips: what bb means.")] = None

    def spot(self, file: Path | None) -> Spot:
        """Return the spot of a file with these changes, or of these alone."""
        given = {name: value for name, value in asdict(self).items() if value is not None}
        if "rake" in given:
            given["rake_percent"] = given.pop("rake")
        if file is not None:
            return Spot.read(file).changed(given)
        missing = [name for name in ("board", "pot", "stack", "oop", "ip") if name not in given]
        if missing:
            names = ", ".join(f"--{name}" for name in missing)
            raise SpotError(f"a spot needs {names} as well, or a --file that has them")
        return Spot(**given)


@dataclass(frozen=True, slots=True)
class SolveOptions:
    """How it is solved; each field is an option."""

    target: Annotated[
        str, typer.Option(help="End when exploitable by this part of the pot, per cent.")
    ] = "0.3%"
    seconds: Annotated[float | None, typer.Option(help="Budget of time.")] = None
    iterations: Annotated[int | None, typer.Option(help="Budget of iterations.")] = None
    threads: Annotated[int, typer.Option(help="0 = one for each core.")] = 0
    bits: Annotated[int, typer.Option(help="Of tables and file: 32, or 16 in half the room.")] = 32
    schedule: Annotated[
        str, typer.Option(help=f"Discounts of old regrets: {', '.join(SCHEDULES)}.")
    ] = "ramp"
    lock: Annotated[
        list[str] | None,
        typer.Option(help="'LINE: HANDS = SHARES' such as 'b10: KK = f 25 c 75', or a file."),
    ] = None

    def values(self) -> dict[str, Any]:
        """Return them as `solve` takes them."""
        if self.bits not in (32, 16):
            raise SpotError(f"--bits is 32 or 16, not {self.bits}")
        return {
            "target": _share(self.target),
            "seconds": self.seconds,
            "iterations": self.iterations,
            "threads": self.threads,
            "bits": self.bits,
            "schedule": self.schedule,
            "locks": [lock for text in self.lock or () for lock in _locks(text)],
        }


def _share(text: str) -> float:
    """Read per cent.

    Examples
    --------
    >>> _share("0.5%"), _share("0.5")
    (0.005, 0.005)
    """
    try:
        return float(text.strip().removesuffix("%")) / 100
    except ValueError:
        raise SpotError(f"--target is per cent of the pot, such as 0.3%, not {text!r}") from None


def _locks(text: str) -> tuple[Lock, ...]:
    """Read a lock, or those of a file."""
    path = Path(text)
    if is_file(path):
        return parse_locks(read_text(path, f"the locks {text!r}", SpotError))
    return (Lock.parse(text),)


@with_settings
def solve_command(
    spot: SpotOptions = SpotOptions(),  # noqa: B008 - frozen
    file: Annotated[Path | None, typer.Option(help="A spot file: spot.toml.")] = None,
    options: SolveOptions = SolveOptions(),  # noqa: B008 - frozen
    exploit: Annotated[
        str, typer.Option(help="oop or ip: he ends with the best response to the other.")
    ] = "",
    against: Annotated[
        Path | None,
        typer.Option(
            help="With --exploit: a solution that the other plays; nothing is solved.",
            autocompletion=solutions,
        ),
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The solution; NAME.solution.")
    ] = Path("spot.solution"),
    without_rivers: Annotated[
        bool, typer.Option(help="A far smaller file: rivers are solved again when asked for.")
    ] = False,
    plot: Annotated[
        bool, typer.Option("--plot/--no-plot", help="Draw exploitability against time.")
    ] = True,
    only_estimate: Annotated[
        bool, typer.Option("--estimate", help="Say memory and time, and stop.")
    ] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Begin again, over old files.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Solve a spot: two ranges on a board, hand by hand. Ctrl-C stops and keeps what there is."""
    wanted = spot.spot(file)
    if exploit not in ("", "oop", "ip"):
        raise SpotError(f"--exploit is oop or ip, not {exploit!r}")
    settings = options.values()
    plan = forecast(wanted, **{k: settings[k] for k in ("threads", "bits", "schedule")})
    if only_estimate and as_json:
        print_json(_plan_values(wanted, plan))
        return
    for line in _plan_lines(wanted, plan):
        (console if only_estimate else status).print(line, soft_wrap=True)
    if only_estimate:
        return
    files = SolveFiles.of(output)
    last = None
    with _View(wanted) as view:
        for last in solve_file(
            wanted,
            files.solution,
            resume=resume,
            force=force,
            rivers=not without_rivers,
            exploit=cast("Side | None", exploit or None),
            plot=plot,
            against=None if against is None else Solution.open(against),
            **settings,
        ):
            view.show(last)
    if last is None:
        raise SpotError("the run ended before it began")
    if as_json:
        print_json(_values(wanted, files, last))
        return
    for line in _result_lines(wanted, files, last):
        console.print(line, soft_wrap=True)


def _plan_values(spot: Spot, plan: SpotForecast) -> dict[str, Any]:
    return {
        "spot": spot.as_dict(),
        "decisions": plan.engine.num_nodes,
        "boards": plan.engine.num_boards,
        "memory_bytes": plan.engine.bytes,
        "available_bytes": plan.available_bytes,
        "threads": plan.threads,
        "estimated_seconds": plan.seconds,
    }


def _plan_lines(spot: Spot, plan: SpotForecast) -> list[str]:
    """What solving will take."""
    hands = " v ".join(f"{each.support:,}" for each in spot.ranges)
    return [
        f"{spot.board}, pot {spot.pot:,}, stack {min(spot.stacks):,}: {hands} hands, "
        f"{plan.engine.num_nodes:,} decisions on {plan.engine.num_boards:,} boards",
        f"memory {size(plan.engine.bytes)} of {size(plan.available_bytes)} free, roughly "
        f"{duration(plan.seconds)} to 0.3 % with {plan.threads} "
        f"thread{'s' if plan.threads > 1 else ''}",
    ]


def _facts(report: SpotReport) -> str:
    return (
        f"iteration {report.iteration:,}, {duration(report.seconds)}: exploitable by "
        f"{100 * report.share:.3g} % of the pot ({report.exploitability:.4g} chips)"
    )


class _View:
    """Shows a run on the error stream: a live line in a terminal, now and then one elsewhere."""

    def __init__(self, spot: Spot) -> None:
        self._name = spot.board
        live = Live(console=status, auto_refresh=False, transient=True)
        self._live = live if status.is_terminal else None
        self._printed = time.monotonic()

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, report: SpotReport) -> None:
        """Take the newest report."""
        line = f"{self._name}: {_facts(report)}"
        if self._live is not None:
            self._live.update(Text(line), refresh=True)
        elif time.monotonic() - self._printed > _LINE_SECONDS:
            self._printed = time.monotonic()
            status.print(line, soft_wrap=True)


def _values(spot: Spot, files: SolveFiles, last: SpotReport) -> dict[str, Any]:
    """How it ended; files that are not there are None."""
    paths = {name: getattr(files, name) for name in ("solution", "checkpoint", "log", "plot")}
    written = {name: str(path) if path.exists() else None for name, path in paths.items()}
    return {"spot": spot.as_dict(), **last.as_dict(), **written}


def _result_lines(spot: Spot, files: SolveFiles, last: SpotReport) -> list[str]:
    """How it ended, and what to do next."""
    oop, ip = last.values or last.best_responses
    event: Literal["Solved", "Stopped"] = "Solved" if last.event == "finished" else "Stopped"
    lines = [
        f"{event}: {_facts(last)}",
        f"Of the pot of {spot.pot:,} oop wins {oop:.2f} and ip {ip:.2f} chips.",
        f"solution: {files.solution} ({size(files.solution.stat().st_size)})",
    ]
    if files.checkpoint.exists():
        lines.append("The same command with --resume goes on.")
    return [*lines, f"Look at it: {hint('show', files.solution)}"]
