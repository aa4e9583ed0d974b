"""`riverboat deal`: a dealer of ours for players that speak other engines' protocols."""

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any, Final

from riverboat.bots import sit, try_to_sit
from riverboat.cli._arena import chosen_seed, tell_seed
from riverboat.cli._command import argument, option
from riverboat.cli._options import SeedOption, TableGameOption
from riverboat.cli._output import Answer, grid, status
from riverboat.cli._progress import bar
from riverboat.errors import GameError
from riverboat.game import find_game
from riverboat.histories import record_of, write
from riverboat.protocols.acpc import DealtMatch, deal, remote
from riverboat.protocols.client import listen

_REMOTE = "-"


def acpc_command(
    players: Annotated[list[str], argument("By seat: a bot, or - for a player that connects.")],
    game: TableGameOption = "nolimit-200bb",
    hands: Annotated[int, option("To deal.", "--hands", "-n", least=1)] = 1000,
    seed: SeedOption = None,
    ports: Annotated[
        str, option("For the players that connect: 5000,5001; free ones if not given.")
    ] = "",
    host: Annotated[str, option("Where to listen.")] = "127.0.0.1",
    time_limit: Annotated[float, option("Seconds for a decision.")] = 600.0,
    start_limit: Annotated[float, option("Seconds for a player to connect.")] = 600.0,
    log: Annotated[Path | None, option("Write the hands as STATE lines.")] = None,
) -> Answer:
    """Deal for ACPC players (version 2.0.0); ports are printed in the order of the players."""
    spec = find_game(game)
    chosen = chosen_seed(seed)
    wanted = _ports(ports, players.count(_REMOTE))
    with ExitStack() as stack:
        seated: list[Any] = []
        for number, name in enumerate(players):
            if name == _REMOTE:
                server = stack.enter_context(listen(host, wanted.pop(0)))
                status.print(f"player {number + 1}: port {server.getsockname()[1]}")
                seated.append(remote(server, start_limit, time_limit))
            else:
                seated.append(sit(name, chosen + number, time_limit=time_limit))
            if hasattr(seated[-1], "close"):
                stack.callback(seated[-1].close)
        tell_seed(chosen, seed)
        with bar() as shown:
            task = shown.add_task("hands", total=hands)
            found = deal(
                spec, seated, hands, chosen, time_limit=time_limit,
                progress=lambda: shown.advance(task),
            )  # fmt: skip
    names = [f"player {i + 1}" if name == _REMOTE else name for i, name in enumerate(players)]
    if log is not None:
        _write_log(log, found, names)
    return _answer(found, names)


def slumbot_command(
    bot: Annotated[str, option("Who plays against clients.")] = "fish",
    port: Annotated[int, option("0: a free one.", least=0, most=65535)] = 0,
    host: Annotated[str, option("Where to listen.")] = "127.0.0.1",
    seed: SeedOption = None,
) -> None:
    """Serve Slumbot's HTTP API with a bot of ours behind it, until Ctrl-C."""
    from riverboat.protocols.slumbot import SlumbotServer  # noqa: PLC0415 - one protocol a command

    chosen = chosen_seed(seed)
    try_to_sit(bot, find_game("nolimit-200bb"))  # what cannot play is told at once
    with SlumbotServer(lambda number: sit(bot, number), host, port, chosen) as server:
        status.print(f"{bot} plays at {server.address}")
        tell_seed(chosen, seed)
        server.serve_forever()


def _ports(text: str, count: int) -> list[int]:
    """Read the ports; 0 stands for a free one."""
    words = text.split(",") if text else ["0"] * count
    if len(words) != count or not all(word.strip().isdecimal() for word in words):
        raise GameError(f"--ports {text!r}: {count} numbers with commas between them are wanted")
    return [int(word) for word in words]


def _write_log(path: Path, found: DealtMatch, names: list[str]) -> None:
    told = [name.replace(":", " ") for name in names]
    unique = told if len(set(told)) == len(told) else [f"{n} {i + 1}" for i, n in enumerate(told)]
    records = [
        record_of(hand, names=[unique[player] for player in order], hand_id=str(number))
        for number, (hand, order) in enumerate(found.hands)
    ]
    write(records, path, "acpc")


def _answer(found: DealtMatch, names: list[str]) -> Answer:
    rows = list(zip(names, found.chips, found.mbb_per_hand, found.errors, strict=True))
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
    table = grid(["player", "chips", "mbb/h", "failures"])
    for name, chips, mbb, errors in rows:
        table.add_row(name, f"{chips:+,}", mbb.text(), f"{sum(errors.values()):,}")
    return Answer({"hands": len(found.hands), "players": players}, table)


COMMANDS: Final = {
    "acpc": acpc_command,
    "slumbot": slumbot_command,
}
