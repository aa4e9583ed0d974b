"""Options that commands share."""

from pathlib import Path
from typing import Annotated

from riverboat.cli._command import argument, option
from riverboat.errors import SandboxError, one_line
from riverboat.sandbox import MODES, Mode

__all__ = [
    "BotsArgument",
    "DealSeedOption",
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
    "SeedOption",
    "SessionOption",
    "SureOption",
    "TableGameOption",
    "TimeLimitOption",
    "UnitOption",
    "WorkersOption",
    "sandbox_mode",
]

JsonOption = Annotated[bool, option("Print one JSON object (docs/json.md).", "--json")]
ForceOption = Annotated[bool, option("Overwrite a file that is there.")]

TableGameOption = Annotated[
    str,
    option("A game of the catalogue, or a file of yours."),
]
GamesOption = Annotated[int | None, option("Instead of --hands: freeze-outs, stacks carried on.")]
BotsArgument = Annotated[
    list[str],
    argument("2 to 10 bots: names or Python files."),
]
MenuOption = Annotated[
    str,
    option("A menu's name, or text such as '50%, a ; cap 3'."),
]
RoundsOption = Annotated[int, option("Most hands of a freeze-out.")]
DealSeedOption = Annotated[
    Path | None,
    option(
        "Deal as in a match with a file bot: its deal seed or --json result.",
        "--deal-seed",
        "--secret",
    ),
]
SeedOption = Annotated[int | None, option("Of cards and bots; drawn if not given.")]
WorkersOption = Annotated[int | None, option("Processes; all cores if not given.")]
OnOption = Annotated[str, option("Where: local, ray or ray://host:port (docs/cluster.md).")]
SessionOption = Annotated[
    int, option("Deals (or games) before a bot is made anew; 0 = see docs/arena.md.")
]
DuplicateOption = Annotated[bool, option("Play each deal in every seat order.")]
TimeLimitOption = Annotated[float, option("Seconds for a decision.")]
SureOption = Annotated[bool, option("Stop when the sign of the result is sure (95 %).")]
ResumeOption = Annotated[bool, option("Go on with the same match if it was stopped.")]
KeepGoingOption = Annotated[bool, option("Play on with a bot that fails most decisions.")]
UnitOption = Annotated[str, option("Of results: mbb or chips a hand, sb a hand, or bb for bb/100.")]
DetailsOption = Annotated[bool, option("Show more: decision times, and what corrections gain.")]
LedgerOption = Annotated[bool, option("Enter the result in the ledger.")]
SandboxOption = Annotated[
    str,
    option("For bots of files: auto, off, or required (`riverboat doctor`)."),
]
PlotOption = Annotated[Path | None, option("Draw the result into this file (.png, .svg, .pdf).")]


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
