"""`riverboat bots` lists bots; `check-bot` checks that a bot follows the rules."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated

from rich.table import Table
from rich.text import Text

from riverboat.bots import (
    GAMES,
    BotKind,
    BotRef,
    ConformanceReport,
    GameCheck,
    all_bots,
    bot_faults,
    check_bot,
)
from riverboat.cli._arena import name_outputs, warn_of_sandbox
from riverboat.cli._command import argument, option
from riverboat.cli._completion import bots
from riverboat.cli._options import SandboxOption
from riverboat.cli._output import Answer, grid, status
from riverboat.errors import GameError
from riverboat.game import find_game
from riverboat.settings import Setting

_LIST_NOTE = (
    "Settings follow a colon: shark:low=0.2,size=max. `riverboat bots shark` explains them. Your "
    "own bot is named by its Python file: mybot.py."
)
_COLOURS = {"refused": "yellow", "failed": "red"}


def bots_command(
    name: Annotated[str | None, argument("A bot whose settings to list.", complete=bots)] = None,
) -> Answer:
    """List all bots, or the settings of one."""
    kinds = all_bots() if name is None else (BotRef.parse(name).kind,)
    for sentence in bot_faults() if name is None else ():
        status.print(sentence)
    values = {"bots": [_as_json(kind) for kind in kinds]}
    if name is None:
        return Answer(values, _list(kinds), _LIST_NOTE)
    [kind] = kinds
    settings = _settings(kind) if kind.parameters else "This bot has no settings."
    return Answer(values, f"{kind.name} ({kind.source}): {kind.line}", settings)


def _as_json(kind: BotKind) -> dict[str, object]:
    return {
        "name": kind.name,
        "description": kind.line,
        "source": kind.source,
        "learns": kind.learns,
        "settings": [
            {
                "name": parameter.name,
                "description": parameter.text,
                "default": parameter.default,
                "allowed": parameter.allowed,
            }
            for parameter in kind.parameters
        ],
    }


def _list(kinds: tuple[BotKind, ...]) -> Table:
    table = Table(box=None, show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for kind in kinds:
        settings = " ".join(f"{p.name}={_value(p)}" for p in kind.parameters if p.default != "")
        text = Text(f"{kind.line} ({kind.source})")
        if settings:
            text.append(f"\n{settings}", "dim")
        file = f"{kind.name}:FILE" if kind.needs_file else f"{kind.name}[:FILE]"
        table.add_row(Text(file if kind.takes_file else kind.name), text)
    return table


def _settings(kind: BotKind) -> Table:
    table = Table(box=None, show_header=False)
    table.add_column(style="bold", overflow="fold")
    table.add_column()
    for parameter in kind.parameters:
        name = f"{parameter.name}={_value(parameter)}"
        table.add_row(Text(name), Text(f"{parameter.text}: {parameter.allowed}"))
    return table


def _value(parameter: Setting) -> str:
    if isinstance(parameter.default, bool):
        return "yes" if parameter.default else "no"
    return str(parameter.default)


def check_bot_command(
    bot: Annotated[str, argument("mybot.py, mybot.py:Class, or a bot's name.", metavar="FILE")],
    hands: Annotated[int, option("Hands in each seat of each game.", least=1)] = 20,
    seed: Annotated[int, option("Random seed of bot, cards and opponents.", least=0)] = 0,
    limit: Annotated[float, option("Time limit per decision in seconds.", "--time-limit")] = 35.0,
    game: Annotated[
        list[str] | None,
        option("Game or game file (default: nolimit-100bb, two seats); may be repeated."),
    ] = None,
    every: Annotated[bool, option("Check eleven games with two to six seats.", "--all")] = False,
    sandbox: SandboxOption = "auto",
) -> Answer:
    """Check that a bot's actions are legal, in time and repeatable."""
    if every and game:
        raise GameError("--all checks all games: leave out --game")
    named = tuple(trial for name in game or () for trial in _trials(name))
    trials = GAMES if every else named or GAMES[:1]
    checks = []
    warn_of_sandbox([bot], sandbox)
    for check in check_bot(bot, trials, hands, seed, limit, sandbox=sandbox):
        checks.append(check)
        status.print(f"{check.game} with {check.seats} seats: {check.outcome}")
    report = ConformanceReport(bot, seed, tuple(checks))
    name_outputs([bot])
    return Answer(
        _report_json(report),
        _report_table(report),
        Text(f"random seed {report.seed}; every hand is played twice", "dim"),
        *_faults(report),
        f"{bot} {'passes' if report.passed else 'does not pass'} the check.",
        exit_code=0 if report.passed else 1,
    )


def _trials(game: str) -> tuple[tuple[str, int], ...]:
    """The game with each number of seats to check."""
    trials = tuple(trial for trial in GAMES if trial[0] == game)
    return trials or ((game, find_game(game).players),)


def _faults(report: ConformanceReport) -> Iterator[Text]:
    """Report each fault once, for the first game that has it, and the first traceback."""
    first = {_fault(check): check for check in reversed(report.checks) if check.reason}
    for check in sorted(first.values(), key=report.checks.index):
        yield Text(f"{check.game} with {check.seats} seats {check.outcome}: {check.reason}")
    traceback = next((check.traceback for check in report.checks if check.traceback), "")
    if traceback:
        yield Text(traceback, "dim")


def _fault(check: GameCheck) -> str:
    """The fault; an error in the bot's code counts as the same one wherever it happens."""
    return check.reason.rpartition(", in ")[0] if check.traceback else check.reason


def _report_json(report: ConformanceReport) -> dict[str, object]:
    games = [{**asdict(check), "slowest_seconds": check.slowest} for check in report.checks]
    for game in games:
        del game["slowest"]
    return {"bot": report.bot, "seed": report.seed, "passed": report.passed, "games": games}


def _report_table(report: ConformanceReport) -> Table:
    table = grid(["game", "seats", "hands", "decisions", "slowest", "outcome"])
    for check in report.checks:
        table.add_row(
            check.game,
            str(check.seats),
            f"{check.hands:,}",
            f"{check.decisions:,}",
            f"{1000 * check.slowest:.1f} ms",
            check.outcome,
            style=_COLOURS.get(check.outcome),
        )
    return table
