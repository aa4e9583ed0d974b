"""Options that commands share, and where `--on` says that work is done."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from riverboat.cli._command import argument, option
from riverboat.cli._output import status
from riverboat.sandbox import Mode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riverboat.cluster import RayPlace

JsonOption = Annotated[bool, option("Print one JSON object (docs/json.md).", "--json")]
ForceOption = Annotated[bool, option("Overwrite a file that is there.")]
TableGameOption = Annotated[str, option("A game of the catalogue, or a file of yours.")]
BotsArgument = Annotated[list[str], argument("2 to 10 bots: names or Python files.")]
MenuOption = Annotated[str, option("A menu's name, or text such as '50%, a ; cap 3'.")]
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
AsPlayedOption = Annotated[
    bool | None,
    option(
        "Without the rare actions that the bot leaves out, or as the file has it. A bot is shown "
        "as played, a file as trained.",
        "--as-played/--as-trained",
    ),
]
ColourBlindOption = Annotated[bool, option("Colours for colour-blind people.")]
SandboxOption = Annotated[Mode, option("How bots of files are confined (`riverboat doctor`).")]
PlotOption = Annotated[Path | None, option("Draw the result into this file (.png, .svg, .pdf).")]


def check_on(on: str) -> None:
    """Refuse a place that there cannot be, before anything is done."""
    if on != "local":
        from riverboat.cluster import parse_address  # noqa: PLC0415 - slow to import

        parse_address(on)


@contextmanager
def opened(on: str) -> Iterator[RayPlace | None]:
    """Have jobs done where `--on` says while the block runs; None = here."""
    if on == "local":
        yield None
        return
    from riverboat import cluster  # noqa: PLC0415 - slow to import

    with cluster.opened(on) as place:
        try:
            yield place
        finally:
            for why in dict.fromkeys(place.left_out.values() if place else ()):
                status.print(f"warning: a node was left out: {why}")
