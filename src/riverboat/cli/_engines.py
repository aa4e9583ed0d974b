"""Other engines: `riverboat join` their servers, `export` a player, `deal` to their bots."""

import math
import os
import socket
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

from riverboat.arena import strategy_files
from riverboat.bots import sit, try_to_sit
from riverboat.cli._arena import chosen_seed, name_outputs, print_seed
from riverboat.cli._command import argument, option
from riverboat.cli._options import SeedOption, TableGameOption
from riverboat.cli._output import Answer, console, grid, status
from riverboat.cli._progress import bar
from riverboat.errors import GameError
from riverboat.game import find_game
from riverboat.histories import record_of, write
from riverboat.protocols.client import (
    DealtMatch,
    Dialect,
    Joined,
    Player,
    TimeBank,
    Transcript,
    connect,
    deal_match,
    join,
    listen,
)
from riverboat.report import how_many

_REMOTE = "-"
_SLUMBOT = "https://slumbot.com/slumbot/api"


# ---- Our bot on another engine's server


class JoinOptions(msgspec.Struct, frozen=True):
    """The bot that plays; each field is an option."""

    bot: Annotated[str, option("The bot that plays.")] = "blueprint"
    seed: SeedOption = None
    time_limit: Annotated[float, option("Time limit per decision in seconds.")] = 60.0
    log: Annotated[Path | None, option("File for all messages in both directions.")] = None

    def player(self, bank: TimeBank | None = None) -> Player:
        """Make the bot; a missing seed is drawn."""
        if not 0 < self.time_limit < math.inf:
            raise GameError(f"--time-limit must be more than 0 seconds, not {self.time_limit:g}")
        seed = chosen_seed(self.seed)
        print_seed(seed, self.seed)
        return Player(sit(self.bot, seed, time_limit=self.time_limit), self.time_limit, bank)


class ServerOptions(msgspec.Struct, frozen=True):
    """The address of the other engine."""

    host: Annotated[str, option("Host of the other engine.")] = "127.0.0.1"
    reconnect: Annotated[
        float, option("Seconds to try reconnecting after a lost connection.", least=0)
    ] = 0.0
    patience: Annotated[
        float, option("Seconds to wait for a line of the engine (0 = no limit).", least=0)
    ] = 600.0


PortOption = Annotated[int, option("Port of the other engine.", "--port", least=1, most=65535)]

YearOption = Annotated[str, option("Engine: 2023 to 2026, or husky.", "--year")]


def join_acpc(
    port: PortOption,
    server: ServerOptions,
    options: JoinOptions,
    game: TableGameOption = "nolimit-200bb",
    hands: Annotated[int, option("Hands of the match, to plan its time.", least=1)] = 3000,
    time_bank: Annotated[
        float, option("Seconds for the whole match (0 = not limited).", least=0)
    ] = 0.0,
) -> Answer:
    """Play with an ACPC dealer (version 2.0.0): limit or no-limit, two or more players."""
    from riverboat.protocols.acpc import AcpcPlayer  # noqa: PLC0415 - one protocol a command

    spec, bank = find_game(game), None
    if time_bank:
        bank = TimeBank(hands)
        bank.left(time_bank)
    return _run(
        lambda player: AcpcPlayer(player, spec), port, server, options, end="\r\n", bank=bank
    )


def join_mit(
    port: PortOption,
    server: ServerOptions,
    options: JoinOptions,
    year: YearOption = "2023",
    rounds: Annotated[
        int, option("Rounds of the match (0 = as the engine's rules say).", least=0)
    ] = 0,
) -> Answer:
    """Play with a waiting engine of MIT Pokerbots (2023 and later) or Husky Holdem."""
    from riverboat.protocols.mit import MitPlayer, variant_for  # noqa: PLC0415 - as above

    variant = variant_for(options.bot, year)
    bank = TimeBank(rounds or variant.rounds)
    return _run(lambda player: MitPlayer(player, variant), port, server, options, bank=bank)


def join_slumbot(
    options: JoinOptions,
    hands: Annotated[
        int, option("Total number of hands, with those of --record.", "--hands", "-n", least=1)
    ] = 100,
    address: Annotated[str, option("Address of the API.")] = _SLUMBOT,
    record: Annotated[
        Path | None, option("File that saves every hand; the same command continues it.")
    ] = None,
    interval: Annotated[float, option("Minimum seconds between two requests.", least=0)] = 0.2,
    user: Annotated[str, option("User name to log in; the password is $SLUMBOT_PASSWORD.")] = "",
    aivat: Annotated[bool, option("Reduce variance by AIVAT (docs/aivat.md).")] = False,
) -> Answer:
    """Play against Slumbot over its HTTP API: 200 big blinds, stacks reset every hand."""
    from riverboat.protocols.slumbot import Api, play, summed  # noqa: PLC0415 - as above

    player = options.player()
    api = Api(address, interval, tell=lambda text: status.print(text, soft_wrap=True, markup=False))
    try:
        if user:
            api.log_in(user, os.environ.get("SLUMBOT_PASSWORD", ""))
        with bar() as shown:
            task = shown.add_task("hands", total=hands)
            played = play(api, player, hands, record, progress=lambda: shown.advance(task))
        known = player.chair.bot if aivat else None
        total = summed(played, known, strategy_files([options.bot], find_game("nolimit-200bb")))
    finally:
        player.close()
    rows = {
        "as played": total.raw,
        "all-in hands at expectation": total.all_in,
        "the site's baseline": total.baseline,
        "AIVAT": total.aivat,
    }
    errors = dict(player.chair.errors)
    values = {
        "bot": options.bot,
        "hands": total.hands,
        "mbb_per_hand": {name: estimate and estimate.mean for name, estimate in rows.items()},
        "error_mbb_per_hand": {
            name: estimate and estimate.error for name, estimate in rows.items()
        },
        "errors": errors,
        "requests": api.requests,
        "sent_again": api.again,
        "hands_lost": api.lost,
    }
    known_rows = [
        (name, estimate.text()) for name, estimate in rows.items() if estimate is not None
    ]
    table = grid([f"{options.bot}, {total.hands:,} hands", "mbb/hand"], known_rows)
    lost = f"{api.lost:,} hands were abandoned, because the site did not answer a move"
    return Answer(
        values, table, *[lost] * bool(api.lost), *_failures(options, errors, player.chair.said)
    )


def _failures(
    options: JoinOptions, errors: Mapping[str, int], said: Mapping[str, str]
) -> Iterator[str]:
    for kind, count in errors.items():
        yield f"{options.bot} failed {count:,} times ({kind}), for example: {said[kind]}"


def join_mit2017(port: PortOption, server: ServerOptions, options: JoinOptions) -> Answer:
    """Play with the engine of MIT Pokerbots 2017: hold'em with discards."""
    from riverboat.protocols.mit2017 import Mit2017Player  # noqa: PLC0415 - as above

    return _run(Mit2017Player, port, server, options)


def _run(
    make: Any,
    port: int,
    server: ServerOptions,
    options: JoinOptions,
    *,
    end: str = "\n",
    bank: TimeBank | None = None,
) -> Answer:
    """Join a server with a line protocol; the exit code is 1 if the match was interrupted."""
    player = options.player(bank)
    dialect: Dialect = make(player)

    def say(sentence: str) -> None:
        status.print(sentence, soft_wrap=True, markup=False)

    try:
        with Transcript(options.log) as transcript:
            joined = join(
                dialect,
                lambda: connect(server.host, port, end=end, tell=say),
                patience=server.patience or math.inf,
                reconnect=server.reconnect,
                transcript=transcript,
            )
    finally:
        player.close()
    name_outputs([options.bot])
    broken = joined.ended not in ("over", "hung up")
    if broken:
        status.print(f"The match was interrupted: {joined.ended}")
    table = grid(["hands", "decisions", "won", "mbb/hand", "slowest"])
    table.add_row(
        f"{joined.hands:,}",
        f"{joined.decisions:,}",
        f"{joined.won:+,.1f} bb",
        joined.mbb_per_hand.text(),
        f"{1000 * joined.slowest:.1f} ms",
    )
    garbled = f"{joined.garbled:,} lines of the server were not understood"
    return Answer(
        _as_json(joined, options.bot),
        table,
        *_failures(options, joined.errors, joined.said),
        *[garbled] * bool(joined.garbled),
        exit_code=int(broken),
    )


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


join_commands: Final = {
    "acpc": join_acpc,
    "mit": join_mit,
    "slumbot": join_slumbot,
    "mit2017": join_mit2017,
}


# ---- Our bot as a player folder of another engine


def export_mit(
    output: Annotated[Path, option("Folder to write the player to.")],
    year: Annotated[str, option("Engine: 2023 to 2026, or husky.")] = "2023",
    bot: Annotated[str, option("The bot that plays.")] = "blueprint",
    python: Annotated[
        str, option("The Python command that the engine runs (default: this one).")
    ] = "",
    file: Annotated[
        list[Path] | None, option("Further file of the bot, such as a table; may be repeated.")
    ] = None,
) -> None:
    """Export a bot as a player folder for the MIT Pokerbots engine."""
    from riverboat.protocols.mit import export_player, find_variant  # noqa: PLC0415 - as above

    variant = find_variant(year)
    export_player(bot, year, output, python or sys.executable, file or ())
    console.print(
        f"Wrote {output}, which plays as {bot}: name this folder in the engine's config.py",
        soft_wrap=True,
    )
    console.print(f"game {variant.game}, {variant.rounds:,} rounds, {variant.clock:g} s")


export_commands: Final = {"mit": export_mit}


# ---- Our dealer for players of other protocols


PlayersArgument = Annotated[
    list[str], argument("For each seat a bot, or - for a connecting player.")
]
PortsOption = Annotated[
    str, option("Ports for connecting players: 5000,5001 (default: free ones).")
]
HandsOption = Annotated[int, option("Number of hands.", "--hands", "-n", least=1)]


class DealOptions(msgspec.Struct, frozen=True):
    """How a match is dealt; each field is an option."""

    hands: HandsOption = 1000
    seed: SeedOption = None
    ports: PortsOption = ""
    host: Annotated[str, option("Address to listen on.")] = "127.0.0.1"
    time_limit: Annotated[float, option("Time limit per decision in seconds.")] = 600.0
    start_limit: Annotated[float, option("Time limit to connect in seconds.")] = 600.0

    def deal(
        self,
        players: list[str],
        remote: Callable[[int, socket.socket], Any],
        deal: Callable[..., DealtMatch],
    ) -> DealtMatch:
        """Seat bots and connecting players, and deal.

        Parameters
        ----------
        players
            For each seat a bot, or `-`.
        remote
            Returns the player, by its number, that connects to a listening socket.
        deal
            Deals the match: players, hands, seed, time limit, progress.
        """
        chosen, wanted = chosen_seed(self.seed), _ports(self.ports, players.count(_REMOTE))
        with ExitStack() as stack:
            seated: list[Any] = []
            for number, name in enumerate(players):
                if name == _REMOTE:
                    server = stack.enter_context(listen(self.host, wanted.pop(0)))
                    status.print(f"player {number + 1}: port {server.getsockname()[1]}")
                    seated.append(remote(number, server))
                else:
                    seated.append(sit(name, chosen + number, time_limit=self.time_limit))
                if hasattr(seated[-1], "close"):
                    stack.callback(seated[-1].close)
            print_seed(chosen, self.seed)
            with bar() as shown:
                task = shown.add_task("hands", total=self.hands)
                return deal(
                    seated, self.hands, chosen, time_limit=self.time_limit,
                    progress=lambda: shown.advance(task),
                )  # fmt: skip


def deal_acpc(
    players: PlayersArgument,
    options: DealOptions,
    game: TableGameOption = "nolimit-200bb",
    log: Annotated[Path | None, option("File for the hands as STATE lines.")] = None,
) -> Answer:
    """Deal to ACPC players (version 2.0.0); prints a port for each connecting player."""
    from riverboat.protocols.acpc import deal, remote  # noqa: PLC0415 - one protocol a command

    def connecting(_: int, server: socket.socket) -> Any:
        return remote(server, options.start_limit, options.time_limit)

    dealt = options.deal(players, connecting, partial(deal, find_game(game)))
    names = _names(players)
    if log is not None:
        _write_log(log, dealt, names)
    return _answer(dealt, names)


def deal_mit2017(
    players: PlayersArgument,
    options: DealOptions,
    time_bank: Annotated[
        float, option("Seconds of a player for the whole match (0 = not limited).", least=0)
    ] = 0.0,
) -> Answer:
    """Deal to players of MIT Pokerbots 2017; prints a port for each connecting player."""
    from riverboat.protocols.mit2017 import MatchFacts, remote  # noqa: PLC0415 - as above

    def connecting(number: int, server: socket.socket) -> Any:
        name, other = (f"player{1 + (number + step) % 2}" for step in (0, 1))
        facts = MatchFacts(name, other, options.hands, time_bank or math.inf)
        return remote(server, facts, options.start_limit, options.time_limit)

    dealt = options.deal(players, connecting, partial(deal_match, find_game("discard-2017")))
    return _answer(dealt, _names(players))


def _names(players: list[str]) -> list[str]:
    return [f"player {i + 1}" if name == _REMOTE else name for i, name in enumerate(players)]


def deal_slumbot(
    bot: Annotated[str, option("The bot that plays against clients.")] = "fish",
    port: Annotated[int, option("Port to listen on (0 = a free one).", least=0, most=65535)] = 0,
    host: Annotated[str, option("Address to listen on.")] = "127.0.0.1",
    seed: SeedOption = None,
) -> None:
    """Serve Slumbot's HTTP API with a Riverboat bot as the opponent, until Ctrl-C."""
    from riverboat.protocols.slumbot import SlumbotServer  # noqa: PLC0415 - one protocol a command

    chosen = chosen_seed(seed)
    try_to_sit(bot, find_game("nolimit-200bb"))  # refuses a bot that cannot play this game
    with SlumbotServer(lambda number: sit(bot, number), host, port, chosen) as server:
        status.print(f"{bot} plays at {server.address}")
        print_seed(chosen, seed)
        server.serve_forever()


def _ports(text: str, count: int) -> list[int]:
    """Read the ports; 0 is any free port."""
    words = text.split(",") if text else ["0"] * count
    if len(words) != count or not all(word.strip().isdecimal() for word in words):
        raise GameError(f"--ports needs {how_many(count, 'number')}, one for each -, not {text!r}")
    return [int(word) for word in words]


def _write_log(path: Path, dealt: DealtMatch, names: list[str]) -> None:
    plain = [name.replace(":", " ") for name in names]
    distinct = len(set(plain)) == len(plain)
    unique = plain if distinct else [f"{name} {i}" for i, name in enumerate(plain, start=1)]
    records = [
        record_of(hand, names=[unique[player] for player in order], hand_id=str(number))
        for number, (hand, order) in enumerate(dealt.hands)
    ]
    write(records, path, "acpc")


def _answer(dealt: DealtMatch, names: list[str]) -> Answer:
    rows = list(zip(names, dealt.chips, dealt.mbb_per_hand, dealt.errors, strict=True))
    players = [
        {
            "name": name,
            "chips": chips,
            "mbb_per_hand": mbb.mean,
            "error_mbb_per_hand": mbb.error,
            "errors": errors,
        }
        for name, chips, mbb, errors in rows
    ]
    table = grid(["player", "chips", "mbb/hand", "failures"])
    for name, chips, mbb, errors in rows:
        table.add_row(name, f"{chips:+,}", mbb.text(), f"{sum(errors.values()):,}")
    return Answer({"hands": len(dealt.hands), "players": players}, table)


deal_commands: Final = {"acpc": deal_acpc, "mit2017": deal_mit2017, "slumbot": deal_slumbot}
