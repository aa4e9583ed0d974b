"""`riverboat join`: a bot of ours at other people's tables."""

import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from riverboat.arena import strategy_files
from riverboat.bots import BotRef, sit
from riverboat.cli._arena import chosen_seed, tell_prints, tell_seed
from riverboat.cli._command import option
from riverboat.cli._options import JsonOption, SeedOption, TableGameOption
from riverboat.cli._output import console, grid, print_json, status
from riverboat.cli._progress import bar
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
)

_SLUMBOT = "https://slumbot.com/slumbot/api"


@dataclass(frozen=True, slots=True)
class JoinOptions:
    """Who plays there, and how; each field is an option of the command line."""

    bot: Annotated[str, option("Who plays there.")] = "blueprint"
    seed: SeedOption = None
    time_limit: Annotated[float, option("Seconds for a decision.")] = 60.0
    log: Annotated[Path | None, option("Write all that is said, both ways, into this file.")] = None
    as_json: JsonOption = False

    def player(self, bank: TimeBank | None = None) -> Player:
        """Make the bot; a seed that was not given is drawn."""
        if not 0 < self.time_limit < math.inf:
            raise GameError(f"--time-limit {self.time_limit:g}: more than 0 seconds are needed")
        seed = chosen_seed(self.seed)
        tell_seed(seed, self.seed)
        return Player(sit(self.bot, seed, time_limit=self.time_limit), self.time_limit, bank)


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Where the other side is."""

    host: Annotated[str, option("Where their engine is.")] = "127.0.0.1"
    reconnect: Annotated[
        float, option("Seconds to try again after a connection was cut.", least=0)
    ] = 0.0


PortOption = Annotated[int, option("Of their engine.", "--port", least=1, most=65535)]

YearOption = Annotated[str, option("2020, 2023 to 2026, or husky.", "--year")]


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


def mit_command(
    port: PortOption,
    server: ServerOptions,
    options: JoinOptions,
    year: YearOption = "2023",
    rounds: Annotated[int, option("Of the match; 0 = the year's own.", least=0)] = 0,
) -> None:
    """Play in an engine of MIT Pokerbots from 2020 on, or in Husky's, that waits for a player."""
    from riverboat.protocols.mit import MitPlayer, variant_for  # noqa: PLC0415 - as above

    variant = variant_for(options.bot, year)
    bank = TimeBank(rounds or variant.rounds)
    run(lambda player: MitPlayer(player, variant), port, server, options, bank=bank)


def slumbot_command(
    options: JoinOptions,
    hands: Annotated[int, option("With those on record.", "--hands", "-n", least=1)] = 100,
    address: Annotated[str, option("Of the API.")] = _SLUMBOT,
    record: Annotated[
        Path | None, option("A line for each hand; the same command goes on from it.")
    ] = None,
    interval: Annotated[float, option("Least seconds between requests.", least=0)] = 0.2,
    user: Annotated[str, option("Log in; the password is $SLUMBOT_PASSWORD.")] = "",
    aivat: Annotated[bool, option("Take luck out (docs/aivat.md).")] = False,
) -> None:
    """Play against Slumbot over its HTTP API: 200 big blinds, stacks reset every hand."""
    from riverboat.protocols.slumbot import Api, play, summed  # noqa: PLC0415 - as above

    player = options.player()
    api = Api(address, interval)
    try:
        if user:
            api.log_in(user, os.environ.get("SLUMBOT_PASSWORD", ""))
        with bar() as shown:
            task = shown.add_task("hands", total=hands)
            played = play(api, player, hands, record, progress=lambda: shown.advance(task))
        known = player.chair.bot if aivat else None
        found = summed(played, known, strategy_files([options.bot]))
    finally:
        player.close()
    rows = {
        "as played": found.raw,
        "all-in hands at expectation": found.all_in,
        "the site's baseline": found.baseline,
        "AIVAT": found.aivat,
    }
    errors = dict(player.chair.errors)
    if options.as_json:
        print_json(
            {
                "bot": options.bot,
                "hands": found.hands,
                "mbb_per_hand": {name: each and each.mean for name, each in rows.items()},
                "error_mbb_per_hand": {name: each and each.error for name, each in rows.items()},
                "errors": errors,
                "requests": api.requests,
                "sent_again": api.again,
                "hands_lost": api.lost,
            }
        )
        return
    table = grid([f"{options.bot}, {found.hands:,} hands", "mbb/h"])
    for name, each in rows.items():
        if each is not None:
            table.add_row(name, each.text())
    console.print(table)
    if api.lost:
        console.print(f"{api.lost:,} hands were given up: the answer to a move never came")
    for kind, count in errors.items():
        console.print(f"{options.bot} failed {count:,} times ({kind}): {player.chair.said[kind]}")


def mit2017_command(port: PortOption, server: ServerOptions, options: JoinOptions) -> None:
    """Play in the engine of MIT Pokerbots 2017: hold'em with discards, by lines over TCP."""
    from riverboat.protocols.mit2017 import Mit2017Player  # noqa: PLC0415 - as above

    run(Mit2017Player, port, server, options)


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
    if BotRef.parse(options.bot).untrusted:
        tell_prints([options.bot])
    if joined.ended not in ("over", "hung up"):
        status.print(f"It broke off: {joined.ended}")
        raise SystemExit(1)


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


COMMANDS: Final = {
    "acpc": acpc_command,
    "mit": mit_command,
    "slumbot": slumbot_command,
    "mit2017": mit2017_command,
}
