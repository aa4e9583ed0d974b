"""Options that commands share."""

from pathlib import Path
from typing import Annotated

from riverboat.cli._command import argument, option
from riverboat.sandbox import Mode

__all__ = [
    "BotsArgument",
    "DealSeedOption",
    "ForceOption",
    "JsonOption",
    "LedgerOption",
    "MenuOption",
    "OnOption",
    "PlotOption",
    "ResumeOption",
    "SandboxOption",
    "SeedOption",
    "TableGameOption",
    "UnitOption",
    "WorkersOption",
]

JsonOption = Annotated[bool, option("Print one JSON object (docs/json.md).", "--json")]
ForceOption = Annotated[bool, option("Overwrite a file that is there.")]

TableGameOption = Annotated[
    str,
    option("A game of the catalogue, or a file of yours."),
]
BotsArgument = Annotated[
    list[str],
    argument("2 to 10 bots: names or Python files."),
]
MenuOption = Annotated[
    str,
    option("A menu's name, or text such as '50%, a ; cap 3'."),
]
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
ResumeOption = Annotated[bool, option("Go on with the same match if it was stopped.")]
UnitOption = Annotated[str, option("Of results: mbb or chips a hand, sb a hand, or bb for bb/100.")]
LedgerOption = Annotated[bool, option("Enter the result in the ledger.")]
SandboxOption = Annotated[
    Mode,
    option("How bots of files are confined (`riverboat doctor`)."),
]
PlotOption = Annotated[Path | None, option("Draw the result into this file (.png, .svg, .pdf).")]
