"""`riverboat export`: a bot as a player of another engine."""

from pathlib import Path
from typing import Annotated

import typer

from riverboat.cli._completion import bots as complete_bots
from riverboat.cli._output import console
from riverboat.protocols.mit import export_player, find_variant

__all__ = ["app"]

app = typer.Typer(help="Write a bot as a player that another engine starts itself.")


@app.callback()
def _only() -> None:
    """Write a bot as a player that another engine starts itself."""


@app.command("mit")
def mit_command(
    output: Annotated[Path, typer.Option("--output", "-o", help="The player's folder.")],
    year: Annotated[
        str, typer.Option("--year", "-y", help="2020, 2023 to 2026, or husky.")
    ] = "2023",
    bot: Annotated[
        str, typer.Option("--bot", "-b", help="Who plays.", autocompletion=complete_bots)
    ] = "blueprint",
    python: Annotated[str, typer.Option(help="What the engine calls Python.")] = "python3",
) -> None:
    """Write a folder that an engine of MIT Pokerbots takes as a player."""
    variant = find_variant(year)
    export_player(bot, year, output, python)
    console.print(f"{output} plays as {bot}: name it in the engine's config.py", soft_wrap=True)
    console.print(f"game {variant.spec.name}, {variant.rounds:,} rounds, {variant.clock:g} s")
