"""`riverboat join`: a bot of ours at other people's tables."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from riverboat.bots import is_file_bot
from riverboat.cli._arena import chosen_seed, tell_prints, tell_seed
from riverboat.cli._completion import bots as complete_bots
from riverboat.cli._options import JsonOption, SeedOption, TableGameOption, with_settings
from riverboat.cli._output import console, grid, print_json, status
from riverboat.errors import GameError
from riverboat.game import find_game
from riverboat.protocols.client import (
    Dialect,
    Joined,
    Player,
    TimeBank,
    Transcript,
    connect,
    join,
    make_joining_bot,
)

__all__ = ["app"]

app = typer.Typer(help="Play at somebody else's table: their engine deals, a bot of ours answers.")


@dataclass(frozen=True, slots=True)
class JoinOptions:
    """Who plays there, and how; each field is an option of the command line."""

    bot: Annotated[
        str, typer.Option("--bot", "-b", help="Who plays there.", autocompletion=complete_bots)
    ] = "blueprint"
    seed: SeedOption = None
    time_limit: Annotated[float, typer.Option(help="Seconds for a decision.")] = 60.0
    log: Annotated[
        Path | None, typer.Option(help="Write all that is said, both ways, into this file.")
    ] = None
    as_json: JsonOption = False

    def player(self, bank: TimeBank | None = None) -> Player:
        """Make the bot; a seed that was not given is drawn."""
        if not 0 < self.time_limit < math.inf:
            raise GameError(f"--time-limit {self.time_limit:g}: more than 0 seconds are needed")
        seed = chosen_seed(self.seed)
        tell_seed(seed, self.seed)
        return Player(make_joining_bot(self.bot, seed, self.time_limit), self.time_limit, bank)


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Where the other side is."""

    host: Annotated[str, typer.Option(help="Where their engine is.")] = "127.0.0.1"
    reconnect: Annotated[
        float, typer.Option(min=0, help="Seconds to try again after a connection was cut.")
    ] = 0.0


PortOption = Annotated[int, typer.Option("--port", "-p", min=1, max=65535, help="Of their engine.")]

YearOption = Annotated[str, typer.Option("--year", "-y", help="2020, 2023 to 2026, or husky.")]


@app.command("acpc")
@with_settings
def acpc_command(
    port: PortOption,
    server: ServerOptions,
    options: JoinOptions,
    game: TableGameOption = "nolimit-200bb",
) -> None:
    """Play at an ACPC dealer (version 2.0.0): limit or no-limit, two players or more."""
    from riverboat.protocols.acpc import AcpcPlayer  # noqa: PLC0415 - one protocol a command

    spec = find_game(game)
    run(lambda player: AcpcPlayer(player, spec), port, server, options, end="\r\n")


def run(
    make: Any,
    port: int,
    server: ServerOptions,
    options: JoinOptions,
    *,
    end: str = "\n",
    bank: TimeBank | None = None,
) -> None:
    """Join a server that speaks in lines, and show how it went."""
    player = options.player(bank)
    dialect: Dialect = make(player)
    try:
        with Transcript(options.log) as transcript:
            joined = join(
                dialect,
                lambda: connect(server.host, port, end=end),
                reconnect=server.reconnect,
                transcript=transcript,
            )
    finally:
        player.close()
    show_joined(joined, options)


def show_joined(joined: Joined, options: JoinOptions) -> None:
    """Print the result; a match that broke off ends with the code 1."""
    if options.as_json:
        print_json(_as_json(joined, options.bot))
    else:
        table = grid(["hands", "decisions", "won", "mbb/h", "slowest"])
        table.add_row(
            f"{joined.hands:,}",
            f"{joined.decisions:,}",
            f"{joined.won:+,.1f} bb",
            joined.mbb_per_hand.text(),
            f"{1000 * joined.slowest:.1f} ms",
        )
        console.print(table)
        for kind, count in joined.errors.items():
            console.print(f"{options.bot} failed {count:,} times ({kind}): {joined.said[kind]}")
        if joined.garbled:
            console.print(f"{joined.garbled:,} lines were not understood")
    if is_file_bot(options.bot):
        tell_prints([options.bot])
    if joined.ended not in ("over", "hung up"):
        status.print(f"It broke off: {joined.ended}")
        raise typer.Exit(1)


def _as_json(joined: Joined, bot: str) -> dict[str, object]:
    return {
        "bot": bot,
        "hands": joined.hands,
        "decisions": joined.decisions,
        "won_bb": joined.won,
        "mbb_per_hand": joined.mbb_per_hand.mean,
        "error_mbb_per_hand": joined.mbb_per_hand.error,
        "errors": dict(joined.errors),
        "garbled": joined.garbled,
        "connections": joined.connections,
        "slowest_seconds": joined.slowest,
        "seconds": joined.seconds,
        "ended": joined.ended,
    }
