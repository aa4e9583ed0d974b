"""`riverboat export`: a bot as a player of another engine."""

from pathlib import Path
from typing import Annotated, Final

from riverboat.cli._command import option
from riverboat.cli._output import console
from riverboat.protocols.mit import export_player, find_variant


def mit_command(
    output: Annotated[Path, option("The player's folder.")],
    year: Annotated[str, option("2020, 2023 to 2026, or husky.")] = "2023",
    bot: Annotated[str, option("Who plays.")] = "blueprint",
    python: Annotated[str, option("What the engine calls Python.")] = "python3",
) -> None:
    """Write a folder that an engine of MIT Pokerbots takes as a player."""
    variant = find_variant(year)
    export_player(bot, year, output, python)
    console.print(f"{output} plays as {bot}: name it in the engine's config.py", soft_wrap=True)
    console.print(f"game {variant.spec.name}, {variant.rounds:,} rounds, {variant.clock:g} s")


COMMANDS: Final = {
    "mit": mit_command,
}
