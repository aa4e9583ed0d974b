"""Options that several commands have, and the place that `--on` names."""

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
ForceOption = Annotated[bool, option("Overwrite an existing file.")]
TableGameOption = Annotated[str, option("A game of the catalogue, or a game file.")]
BotsArgument = Annotated[list[str], argument("2 to 10 bots: names or Python files.")]
MenuOption = Annotated[str, option("Bet menu: name, or text such as '50%, a ; cap 3'.")]
DealSeedOption = Annotated[
    Path | None,
    option(
        "Repeat a match's deals: file with its deal seed or --json result.",
        "--deal-seed",
        "--secret",
    ),
]
SeedOption = Annotated[int | None, option("Random seed of cards and bots; drawn if not given.")]
WorkersOption = Annotated[int | None, option("Number of processes; all cores if not given.")]
OnOption = Annotated[str, option("Where to run: local, ray or ray://host:port (docs/cluster.md).")]
ResumeOption = Annotated[bool, option("Resume the match if it was stopped.")]
UnitOption = Annotated[str, option("Unit of results: mbb, chips or sb per hand, bb per 100.")]
LedgerOption = Annotated[bool, option("Record the result in the ledger.")]
AsPlayedOption = Annotated[
    bool | None,
    option(
        "Leave out rare actions (default for bots), or show all as trained.",
        "--as-played/--as-trained",
    ),
]
ColourBlindOption = Annotated[bool, option("Colours for colour-blind people.")]
SandboxOption = Annotated[Mode, option("Sandbox for bots from files (see `riverboat doctor`).")]
PlotOption = Annotated[Path | None, option("Plot the result into this .png, .svg or .pdf file.")]


def check_on(on: str) -> None:
    """Refuse an invalid address before any work begins."""
    if on != "local":
        from riverboat.cluster import parse_address  # noqa: PLC0415 - slow to import

        parse_address(on)


@contextmanager
def opened(on: str) -> Iterator[RayPlace | None]:
    """Run jobs at the place of `--on` inside the block; None is this machine."""
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
