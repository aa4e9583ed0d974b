"""Options that commands share, and settings made of them.

A command with many options takes them as one typed settings class; typer, which knows no groups
of options, is shown them one by one.
"""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from riverboat.cli._completion import bots as complete_bots
from riverboat.cli._completion import games, menus
from riverboat.errors import SandboxError, one_line
from riverboat.sandbox import MODES, Mode

__all__ = [
    "BotsArgument",
    "DetailsOption",
    "DuplicateOption",
    "ForceOption",
    "GamesOption",
    "JsonOption",
    "KeepGoingOption",
    "LedgerOption",
    "MenuOption",
    "OnOption",
    "PlotOption",
    "ResumeOption",
    "RoundsOption",
    "SandboxOption",
    "SecretOption",
    "SeedOption",
    "SessionOption",
    "SureOption",
    "TableGameOption",
    "TimeLimitOption",
    "UnitOption",
    "WorkersOption",
    "sandbox_mode",
    "with_settings",
]

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object (docs/json.md).")]
ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite a file that is there.")]

TableGameOption = Annotated[
    str,
    typer.Option(
        "--game", "-g", help="A game of the catalogue, or a file of yours.", autocompletion=games
    ),
]
GamesOption = Annotated[
    int | None, typer.Option(help="Instead of --hands: freeze-outs, stacks carried on.")
]
BotsArgument = Annotated[
    list[str],
    typer.Argument(help="2 to 10 bots: names or Python files.", autocompletion=complete_bots),
]
MenuOption = Annotated[
    str,
    typer.Option(
        "--menu",
        "-m",
        help="A menu's name, or text such as '50%, a ; cap 3'.",
        autocompletion=menus,
    ),
]
RoundsOption = Annotated[int, typer.Option(help="Most hands of a freeze-out.")]
SecretOption = Annotated[
    Path | None,
    typer.Option(help="Repeat what a bot of a file was dealt: its secret, or a --json result."),
]
SeedOption = Annotated[int | None, typer.Option(help="Of cards and bots; drawn if not given.")]
WorkersOption = Annotated[int | None, typer.Option(help="Processes; all cores if not given.")]
OnOption = Annotated[
    str, typer.Option("--on", help="Where: local, ray or ray://host:port (docs/cluster.md).")
]
SessionOption = Annotated[
    int, typer.Option(help="Deals (or games) before a bot is made anew; 0 = see docs/arena.md.")
]
DuplicateOption = Annotated[
    bool, typer.Option("--duplicate/--no-duplicate", help="Play each deal in every seat order.")
]
TimeLimitOption = Annotated[float, typer.Option(help="Seconds for a decision.")]
SureOption = Annotated[
    bool, typer.Option("--until-sure", help="Stop when the sign of the result is sure (95 %).")
]
ResumeOption = Annotated[
    bool, typer.Option("--resume", help="Go on with the same match if it was stopped.")
]
KeepGoingOption = Annotated[
    bool, typer.Option("--keep-going", help="Play on with a bot that fails most decisions.")
]
UnitOption = Annotated[
    str, typer.Option(help="Of results: mbb or chips a hand, sb a hand, or bb for bb/100.")
]
DetailsOption = Annotated[
    bool, typer.Option("--details", help="Show more: decision times, and what corrections gain.")
]
LedgerOption = Annotated[
    bool, typer.Option("--ledger/--no-ledger", help="Enter the result in the ledger.")
]
SandboxOption = Annotated[
    str,
    typer.Option(
        "--sandbox", help="For bots of files: auto, off, or required (`riverboat doctor`)."
    ),
]
PlotOption = Annotated[
    Path | None, typer.Option(help="Draw the result into this file (.png, .svg, .pdf).")
]


def sandbox_mode(text: str) -> Mode:
    """Return how a sandbox is asked for; refuse any other word.

    Examples
    --------
    >>> sandbox_mode("auto")
    'auto'
    """
    for mode in MODES:
        if text == mode:
            return mode
    raise SandboxError(f"--sandbox {one_line(text, 80)}: take {', '.join(MODES)}")


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Show typer an option for each field of the dataclasses among a command's parameters.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Settings:
    ...     seed: SeedOption = None
    >>> @with_settings
    ... def command(bot: str, settings: Settings) -> None:
    ...     print(bot, settings.seed)
    >>> list(inspect.signature(command).parameters)
    ['bot', 'seed']
    >>> command(bot="fish", seed=3)
    fish 3
    """
    hints = get_type_hints(command, include_extras=True)
    kinds: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}

    @wraps(command)
    def run(**given: Any) -> None:
        for name, kind in kinds.items():
            given[name] = kind(**{field.name: given.pop(field.name) for field in fields(kind)})
        command(**given)

    parameters = list(_flat(command, kinds))
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what `signature` returns
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


def _flat(command: Callable[..., Any], kinds: dict[str, Any]) -> Iterator[inspect.Parameter]:
    """List the parameters with each dataclass replaced by its fields, all by keyword."""
    hints = get_type_hints(command, include_extras=True)
    for name, old in inspect.signature(command).parameters.items():
        if name in kinds:
            yield from _flat(kinds[name], {})
        else:
            yield old.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[name])
